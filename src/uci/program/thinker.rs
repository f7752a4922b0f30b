//! The searches, and all other jobs that need the lab.

use super::control::{Control, Request};
use super::follower::Follower;
use super::info::{Effort, Found, Output};
use super::options::Options;
use super::place::{Place, write_move};
use super::typed;
use std::io::Write;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use ttd_search::cores::WorkerThreads;
use ttd_search::engine::{Bound, Evaluation, Move, PawnCache, Techniques, evaluate};
use ttd_search::search::{MAX_DEPTH, SearchObserver};
use ttd_search::searchers::{GameContext, Lab, LabError, Outcome, Settings, Status, Task};

/// A job that takes time.
pub(super) enum Job {
    /// Say that all jobs before are done.
    Ready,
    /// Empty the table, and forget which moves were good.
    Clear,
    /// Replace the table by one of this size in MiB, and forget which moves were good.
    Resize(usize),
    /// Use these parameters from now on.
    SetUp(Box<(Techniques, Settings)>),
    /// Find the best move.
    Search(Box<Request>),
    /// Answer that there is no move, after `stop` if the search would have been `endless`.
    NoMove {
        control: Arc<Control>,
        endless: bool,
    },
    /// Count the leaves of the game tree.
    Perft {
        place: Box<Place>,
        depth: u8,
        control: Arc<Control>,
    },
    /// Search a fixed set.
    Bench {
        depth: u8,
        control: Arc<Control>,
    },
    /// Show the position, or evaluate it.
    Show(Box<Place>),
    Evaluate(Box<Place>, Evaluation),
    /// List the commands.
    Help,
}

/// Does one job after another, on a thread of its own.
pub(super) struct Thinker<'o, W> {
    lab: Lab,
    output: &'o Output<W>,
}

/// The best move, and perhaps the answer to it.
type Choice = (Move, Option<Move>);
/// The line of the best move, and what was found about it.
type BestLine = (Vec<Move>, Found);

impl<'o, W: Write + Send> Thinker<'o, W> {
    /// A thinker with an empty table.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub(super) fn new(
        options: &Options,
        output: &'o Output<W>,
    ) -> Result<Thinker<'o, W>, LabError> {
        let lab = Lab::new(options.hash_mib, Techniques::default(), Settings::default())?;
        let mut lab = lab.with_threads(WorkerThreads::default().keeping());
        lab.clear();
        Ok(Thinker { lab, output })
    }

    /// Does all jobs until the sender has gone.
    pub(super) fn work(mut self, jobs: &Receiver<Job>) {
        for job in jobs {
            match job {
                Job::Ready => self.output.line("readyok"),
                Job::Clear => self.lab.clear(),
                Job::Resize(mib) => {
                    if let Err(why) = self.lab.resize(mib) {
                        self.output.string(&format!("Hash: {why}"));
                    }
                }
                Job::SetUp(parameters) => self.lab.set_up(parameters.0, parameters.1),
                Job::Search(request) => self.search(&request),
                Job::NoMove { control, endless } => {
                    control.hold(endless);
                    control.finish();
                    self.output.line("bestmove 0000");
                }
                Job::Perft { place, depth, control } => {
                    typed::perft(place.board(), depth, &control, self.output);
                }
                Job::Bench { depth, control } => typed::bench(depth, &control, self.output),
                Job::Show(place) => typed::show(place.board(), self.output),
                Job::Evaluate(place, evaluation) => {
                    typed::evaluate(place.board(), evaluation, self.output);
                }
                Job::Help => typed::help(self.output),
            }
        }
    }

    fn search(&mut self, request: &Request) {
        let Request { root, notation, control, .. } = request;
        let choice = self.choose(request);
        control.hold(request.go.is_endless());
        let best = match choice {
            None => "bestmove (none)".to_owned(),
            Some((best, ponder)) => {
                let after = root.after(best);
                let best = write_move(root.board(), best, *notation);
                let ponder = ponder.map_or_else(String::new, |ponder| {
                    format!(" ponder {}", write_move(after.board(), ponder, *notation))
                });
                format!("bestmove {best}{ponder}")
            }
        };
        // The search is finished before its best move is printed: the reader of that may ask for
        // the next at once.
        control.finish();
        self.output.line(&best);
    }

    /// The best move, if there is a legal move.
    fn choose(&mut self, request: &Request) -> Option<Choice> {
        let Request { root, moves, .. } = request;
        let Some(&any) = moves.first() else {
            let score = if root.in_check() { "mate 0" } else { "cp 0" };
            self.output.line(&format!("info depth 0 score {score}"));
            return None;
        };
        if let Some(book) = request.book {
            return Some((book, None));
        }
        self.lab.age();
        let follower = Follower::new(request, self.output);
        let several = request.lines.min(moves.len()) > 1;
        let line =
            if several { self.several(request, &follower) } else { self.one(request, &follower) };
        let effort = self.effort(request, &follower);
        let known = || self.lab.known_move(root).filter(|known| moves.contains(known));
        let Some((line, found)) = line else {
            // A search that was given up before its first iteration has no best move, and for a
            // score only the evaluation. Programs expect one of every search.
            let best = known().unwrap_or(any);
            let line = write_move(root.board(), best, request.notation);
            let score = evaluate(root, &mut PawnCache::new(), request.evaluation);
            let (bound, wdl) = (Bound::Exact, request.show_wdl);
            let found = Found { depth: 0, seldepth: None, score, bound, wdl, line };
            self.output.line(&found.text(1, &effort));
            return Some((best, self.lab.known_move(&root.after(best))));
        };
        // The last line has the best move, and the figures of the whole search.
        self.output.line(&found.text(1, &effort));
        let best = line.first().copied().unwrap_or(any);
        let ponder = line.get(1).copied();
        Some((best, ponder.or_else(|| self.lab.known_move(&root.after(best)))))
    }

    /// The effort of all searches so far.
    fn effort(&self, request: &Request, follower: &Follower<'_, W>) -> Effort {
        let (time, nodes) = (request.control.elapsed(), follower.nodes());
        Effort { time, nodes, fill: self.lab.fill() }
    }

    /// Finds the line of the best move, by one search.
    fn one(&mut self, request: &Request, follower: &Follower<'_, W>) -> Option<BestLine> {
        let moves = request.restricted.then_some(request.moves.as_slice());
        let outcome = self.run(request, follower, request.go.depth.unwrap_or(MAX_DEPTH), moves);
        // The workers may have elected another move than the last iteration's. If not, a move that
        // has failed high since is better.
        let (line, found) = follower.completed_line()?;
        let elected = outcome.best_move.filter(|best| Some(best) != line.first());
        let Some(elected) = elected else { return follower.best() };
        let words = write_move(request.root.board(), elected, request.notation);
        Some((vec![elected], Found { line: words, score: outcome.score, ..found }))
    }

    /// Finds the line of the best move; prints it and the lines of the next best moves. Each has
    /// its own search at every depth, without the moves of the lines before.
    fn several(&mut self, request: &Request, follower: &Follower<'_, W>) -> Option<BestLine> {
        let lines = request.lines.min(request.moves.len());
        for depth in 1..=request.go.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH) {
            let mut left = request.moves.clone();
            let mut all = Vec::new();
            while all.len() < lines && (all.is_empty() || !follower.is_enough()) {
                let whole = all.is_empty() && !request.restricted;
                follower.expect(depth);
                self.run(request, follower, depth, (!whole).then_some(left.as_slice()));
                let Some((line, found)) = follower.take() else { break };
                left.retain(|mv| Some(mv) != line.first());
                all.push((line, found));
            }
            all.sort_by_key(|(_, found)| -found.score);
            let effort = self.effort(request, follower);
            for (number, (_, found)) in (1..).zip(&all) {
                self.output.line(&found.text(number, &effort));
            }
            if let Some(best) = all.first() {
                follower.done(depth, best.1.score, best.clone());
            }
            if all.len() < lines || follower.is_enough() {
                break;
            }
        }
        follower.completed_line()
    }

    fn run(
        &mut self,
        request: &Request,
        follower: &Follower<'_, W>,
        depth: u8,
        root_moves: Option<&[Move]>,
    ) -> Outcome {
        let Request { searcher, threads, .. } = *request;
        let task = Task::to_depth(request.root.clone(), depth.clamp(1, MAX_DEPTH));
        let task = Task { searcher, threads, ..task };
        let game = GameContext {
            past: &request.past,
            root_moves,
            node_limit: request.nodes.map(|limit| limit.saturating_sub(follower.nodes())),
            observer: Some(follower),
            machine: None,
        };
        let outcome = self.lab.search_in(&task, game, &request.control.stop);
        follower.add_nodes(outcome.counters().nodes);
        if let Status::Failed(why) = &outcome.status {
            self.output.string(&format!("the search failed: {why}"));
        }
        outcome
    }
}
