//! A node of the alpha-beta search: its work before and after its moves.

use super::visit::{MAX_PLY, Node, Visit, ends, is_far_from_a_draw};
use super::{
    Aborted, Counters, Flow, MoveLoop, NodeKind, Policy, Progress, Shared, Source, UnsharedMoves,
    Worker,
};
use crate::cores::{Area, Core, Cost, Line};
use crate::engine::{
    Bound, DRAW, Entry, Hints, History, INFINITY, MOST_KILLERS, Move, Moved, Picker, Position,
    Score, mated_in,
};

impl<C: Core, P: Policy<C>> Worker<'_, C, P> {
    /// The score of a position by alpha-beta, fail-soft, from the side to move.
    ///
    /// # Errors
    /// [`Aborted`] when it is not wanted any more.
    pub fn node(&mut self, position: &Position, visit: Visit) -> Result<Score, Aborted> {
        let Visit { alpha, mut beta, mut depth, ply, kind, excluded, .. } = visit;
        if depth <= 0 {
            let checks = self.quiet_checks();
            return self.quiescence(position, (alpha, beta), ply, checks, visit.evaluation);
        }
        let counted = (self.counters.nodes - self.elsewhere, self.counters.doubled_nodes);
        self.visit(Cost::Node)?;
        let techniques = self.shared.techniques;
        let mut alpha = alpha;
        let pv = beta - alpha > 1 || ply == 0;
        if pv {
            self.line_mut(ply).clear();
            self.shared.reach(ply);
        }
        let principal = pv && self.is_principal(kind, ply);
        if ply > 0 {
            if self.is_draw(position) {
                return Ok(DRAW);
            }
            if ply >= MAX_PLY - 1 {
                return Ok(self.corrected(position));
            }
            if techniques.mate_distance {
                alpha = alpha.max(mated_in(ply));
                beta = beta.min(-mated_in(ply + 1));
                if alpha >= beta {
                    return Ok(alpha);
                }
            }
        }

        // The table's entries are of the depth with this extension, both the ones read and the one
        // kept.
        depth += self.one_reply_extension(position, (depth, ply), excluded);
        let in_check = position.in_check();
        // Before the table is read: its cache line is still on its way from memory, and most often
        // has nothing of this position.
        let standing = self.evaluation_out_of_check(position, visit.evaluation);
        self.frame_mut(ply).evaluation = standing;
        let evaluation = standing.unwrap_or(-INFINITY);
        let entry = if excluded.is_some() { None } else { self.known(position, ply, depth) };
        if let Some(entry) = &entry
            && !principal
            && techniques.table_cutoffs
            && entry.depth >= depth
            && ends(entry, alpha, beta)
            && is_far_from_a_draw(position)
        {
            self.look_ups.at(depth).cutoffs += 1;
            return Ok(entry.score);
        }

        let improving =
            !in_check && self.evaluation_before(ply).is_none_or(|before| evaluation > before);
        if !principal && !in_check && excluded.is_none() {
            let shallow = Visit { alpha, beta, ..visit };
            let standing = (evaluation, improving);
            if let Some(score) = self.prune(position, &shallow, standing, entry.as_ref())? {
                return Ok(score);
            }
        }

        let table_move = entry.as_ref().and_then(|entry| entry.best);
        depth -= self.internal_reduction((depth, kind), table_move.or(excluded));
        self.killers.forget(ply + 2);
        let cuts = techniques.alpha_beta;
        let node = Node {
            ply,
            depth,
            beta,
            pv,
            principal,
            ceiling: beta.max(self.shared.least_ceiling),
            cuts,
            kind,
            excluded,
            in_check,
            evaluation,
            improving,
            checks: position.checks(),
            entry,
            counted,
        };
        // Made in its place: made elsewhere and moved here, a list of more than a kilobyte would be
        // copied for each node.
        let picker = Picker::new(position, self.hints(position, ply, node.entry.as_ref()));
        let mut moves = UnsharedMoves::new(alpha, Source::Staged(picker));
        if !self.shared.usual_order || ply == 0 {
            moves.take_from(self.moves_in_another_order(position, &node));
        }
        loop {
            let unwanted = self.shared.unwanted_quiets(position, &node, &moves.progress);
            moves.leave_out(unwanted, position, &node.checks);
            match P::share(self, position, &node, &mut moves)? {
                Shared::No => {}
                Shared::Done => break,
                Shared::Known(score) => {
                    self.count_doubled(&node);
                    return Ok(score);
                }
            }
            let Some(turn) = moves.next(self, position) else { break };
            let result = self.turn(position, &node, &turn, &moves);
            if moves.absorb(self, &node, &turn, result)? == Flow::CutOff {
                break;
            }
        }
        Ok(self.conclude(position, &node, &mut moves))
    }

    /// The table's entry at a node with `depth` plies left, or that of another worker if it is not
    /// as deep.
    #[inline(always)]
    fn known(&mut self, position: &Position, ply: usize, depth: i32) -> Option<Entry> {
        let entry = self.probe(position, ply, depth);
        if entry.is_some_and(|entry| entry.depth >= depth) {
            return entry;
        }
        P::look_up(self, position, ply, depth).or(entry)
    }

    /// Whether a node whose best line is wanted may be on the principal variation.
    #[inline]
    fn is_principal(&self, kind: NodeKind, ply: usize) -> bool {
        let open_windows_tell = self.shared.techniques.principal_variation_search;
        open_windows_tell || kind == NodeKind::Pv || ply == 0
    }

    /// The number of plies of quiescence that try quiet checks.
    pub(super) fn quiet_checks(&self) -> i32 {
        let checks = &self.shared.techniques.quiet_checks;
        if checks.enabled { checks.plies } else { 0 }
    }

    /// Whether the position just entered is a draw by the rules.
    pub(super) fn is_draw(&self, position: &Position) -> bool {
        let clock = position.halfmove_clock();
        if clock >= 100 {
            // A mate counts before the fifty-move rule.
            return !position.in_check() || position.board().generate_moves(|_| true);
        }
        self.path.is_repetition(clock) || position.is_bare()
    }

    /// The table's entry at a node with `depth` plies left. Counts the look-up.
    // Inlined: a call for each node takes longer than the work in it.
    #[inline(always)]
    pub(super) fn probe(&mut self, position: &Position, ply: usize, depth: i32) -> Option<Entry> {
        let entry = self.read_table(position.key(), ply);
        let look_ups = self.look_ups.at(depth);
        look_ups.probes += 1;
        look_ups.hits += u64::from(entry.is_some());
        entry
    }

    /// One ply less for a node that wants a good move and knows none. A `known` move is the
    /// table's, or the excluded one.
    #[inline]
    fn internal_reduction(&self, (depth, kind): (i32, NodeKind), known: Option<Move>) -> i32 {
        let reduction = &self.shared.techniques.internal_reduction;
        let reduces = reduction.enabled
            && depth >= reduction.min_depth
            && known.is_none()
            && kind != NodeKind::All;
        i32::from(reduces)
    }

    /// Makes a move: puts the child on the path, and fetches its place in the table.
    pub(super) fn descend(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        self.prefetch(position.likely_key_after(mv));
        let child = position.after(mv);
        let piece = position.moved(mv);
        self.frame_mut(ply).moved = Some(Moved::new(position.side_to_move(), piece, mv.to));
        self.path.push(child.key());
        child
    }

    #[inline(always)]
    pub(super) fn hints(
        &mut self,
        position: &Position,
        ply: usize,
        entry: Option<&Entry>,
    ) -> Hints {
        let techniques = self.shared.techniques;
        let killers =
            if techniques.killers.enabled { self.killers.at(ply) } else { [None; MOST_KILLERS] };
        if let Some(line) = self.killers.shared_line(ply) {
            self.core.read_line(Line::new(Area::Killers, line));
        }
        let context = self.context(position, ply);
        let counter = context.before[0].filter(|_| techniques.countermoves);
        if let Some(moved) = counter.filter(|_| self.prices_history()) {
            self.look_at_history(History::line_of_countermove(moved), false);
        }
        let counter = counter.and_then(|moved| self.history.countermove(moved));
        let mut table = entry.and_then(|entry| entry.best);
        if techniques.refutation_table {
            let known = table.filter(|_| techniques.table_move);
            table = known.or_else(|| self.refutations.get(&position.key()).copied());
        }
        let [first, second, third, fourth] = killers;
        Hints { table, refutations: [first, second, counter, third, fourth], context }
    }

    /// The score of a node whose moves have been searched. Updates histories and table.
    fn conclude(&mut self, position: &Position, node: &Node, moves: &mut UnsharedMoves) -> Score {
        let Progress { best, best_move, handed, .. } = moves.progress;
        if handed == 0 {
            // An excluded move is handed out like any other: this node has no legal move at all.
            return if node.in_check { mated_in(node.ply) } else { DRAW };
        }
        if let Some(mv) = best_move {
            if node.ply == 0 {
                self.prefer_at_root(mv);
            }
            if self.shared.techniques.refutation_table && (node.ply == 1 || node.principal) {
                self.refutations.insert(position.key(), mv);
            }
            if best >= node.beta && !position.is_tactical(mv) {
                self.remember(position, node, mv, moves);
            }
        }
        if node.excluded.is_none() {
            P::concluded(self, position, node, moves);
            let bound = if best >= node.beta {
                Bound::Lower
            } else if best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let entry = Entry { best: best_move, score: best, depth: node.depth, bound };
            self.learn(position, node, &entry);
            if self.write_table(position.key(), node.ply, entry) {
                self.count_doubled(node);
            }
        }
        best
    }

    /// Counts the nodes below as doubled, if the table had no such result when the node began.
    ///
    /// The table has it now: another worker has searched the node as well and was done first.
    fn count_doubled(&mut self, node: &Node) {
        if node.entry.is_some_and(|before| before.depth >= node.depth) {
            return;
        }
        let (nodes, doubled) = node.counted;
        let here = self.counters.nodes - self.elsewhere - nodes;
        let Counters { doubled_nodes, .. } = &mut self.counters;
        *doubled_nodes = (doubled + here).max(*doubled_nodes);
    }
}
