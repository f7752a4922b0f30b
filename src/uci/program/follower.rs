//! Follows a search: prints its iterations, and says when it has found enough.

use super::clock::Completed;
use super::control::Request;
use super::info::{Effort, Found, Output, moves_to_mate};
use super::place::{write_line, write_move};
use parking_lot::Mutex;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use ttd_search::engine::{Bound, INFINITY, Move, Score, is_mate};
use ttd_search::search::{Iteration, News, SearchObserver, SharedState};

/// The time from which a search is long: of shorter searches only the iterations are printed.
const LONG: Duration = Duration::from_secs(1);

/// Follows all the searches that one `go` asks for.
///
/// The workers of a search write to it, and between two searches the thinker does. It lives as long
/// as the `go`.
pub(super) struct Follower<'a, W> {
    request: &'a Request,
    output: &'a Output<W>,
    heard: Mutex<Heard>,
    /// Whether nothing more is worth its time; while the search ponders it goes on all the same.
    ripe: AtomicBool,
}

#[derive(Default)]
struct Heard {
    /// The nodes of the searches before.
    nodes_before: u64,
    /// Set if each search finds one of several lines: its last iteration, of this depth, is kept
    /// and not printed.
    only: Option<u8>,
    /// The iteration kept.
    kept: Option<(Vec<Move>, Found)>,
    /// The last completed depth, and its time.
    depth: u8,
    at: Duration,
    /// The best line of that depth.
    best: Option<(Vec<Move>, Found)>,
    raised: Raised<(Vec<Move>, Found)>,
}

/// The line that has failed high since the last iteration was completed.
///
/// Other workers may complete iterations while the main worker searches about an older score. Its
/// line counts only if its score is at least `floor`.
pub(crate) struct Raised<L> {
    line: Option<L>,
    /// The score of the completed iteration, or the less that a deeper one allows.
    floor: Score,
}

impl<L> Default for Raised<L> {
    fn default() -> Raised<L> {
        Raised { line: None, floor: -INFINITY }
    }
}

impl<L> Raised<L> {
    /// The state after an iteration was completed with this score.
    pub(crate) const fn since(score: Score) -> Raised<L> {
        Raised { line: None, floor: score }
    }

    /// Notes a score outside the window of a deeper iteration, and the line that reached it.
    pub(crate) fn note(&mut self, (score, bound): (Score, Bound), line: Option<L>) {
        if bound == Bound::Upper {
            self.floor = self.floor.min(score);
        }
        // A move that fails low in the end is no better.
        self.line = line.filter(|_| bound == Bound::Lower && score >= self.floor);
    }

    /// The line.
    pub(crate) const fn line(&self) -> Option<&L> {
        self.line.as_ref()
    }
}

impl<'a, W: Write> Follower<'a, W> {
    /// A follower of the searches for this request.
    pub(super) fn new(request: &'a Request, output: &'a Output<W>) -> Follower<'a, W> {
        Follower { request, output, heard: Mutex::default(), ripe: AtomicBool::new(false) }
    }

    /// The next search is for one of several lines of this depth.
    pub(super) fn expect(&self, depth: u8) {
        self.heard.lock().only = Some(depth);
    }

    /// The line that the search has found, if it was not given up before.
    pub(super) fn take(&self) -> Option<(Vec<Move>, Found)> {
        self.heard.lock().kept.take()
    }

    /// Adds the nodes of a search that has ended.
    pub(super) fn add_nodes(&self, nodes: u64) {
        self.heard.lock().nodes_before += nodes;
    }

    /// The nodes of all searches that have ended.
    pub(super) fn nodes(&self) -> u64 {
        self.heard.lock().nodes_before
    }

    /// The line that has failed high since the last iteration was completed, or else the best line
    /// of that iteration.
    pub(super) fn best(&self) -> Option<(Vec<Move>, Found)> {
        let heard = self.heard.lock();
        heard.raised.line().or(heard.best.as_ref()).cloned()
    }

    /// The best line of the last completed iteration.
    pub(super) fn completed_line(&self) -> Option<(Vec<Move>, Found)> {
        self.heard.lock().best.clone()
    }

    /// Notes that a depth is complete, in one search or several, and whether that is enough.
    pub(super) fn done(&self, depth: u8, score: Score, best: (Vec<Move>, Found)) {
        self.note_done(&mut self.heard.lock(), depth, score, best);
    }

    fn note_done(&self, heard: &mut Heard, depth: u8, score: Score, best: (Vec<Move>, Found)) {
        let Request { go, limit, moves, control, .. } = self.request;
        let now = control.elapsed();
        let took = now.saturating_sub(heard.at);
        (heard.depth, heard.at) = (depth, now);
        (heard.best, heard.raised) = (Some(best), Raised::since(score));
        let mates = is_mate(score) && score > 0;
        let found = mates && go.mate.is_some_and(|moves| moves_to_mate(score) <= moves);
        let completed = Completed { depth, score, now, took, moves: moves.len() };
        if found || limit.is_enough(completed) {
            self.ripe.store(true, Relaxed);
        }
    }

    fn completed(&self, shared: &SharedState<'_>, iteration: &Iteration) {
        let Iteration { depth, score, ref line, .. } = *iteration;
        let mut heard = self.heard.lock();
        let found = self.found(shared, depth.into(), (score, Bound::Exact), line);
        match heard.only {
            Some(only) if only == depth => heard.kept = Some((line.to_vec(), found)),
            Some(_) => {}
            // Another worker may have reported a deeper iteration first.
            None if depth <= heard.depth => {}
            None => {
                self.output.line(&found.text(1, &self.effort(shared, &heard)));
                self.note_done(&mut heard, depth, score, (line.to_vec(), found));
            }
        }
    }

    fn found(
        &self,
        shared: &SharedState<'_>,
        depth: i32,
        (score, bound): (Score, Bound),
        line: &[Move],
    ) -> Found {
        let Request { ref root, notation, show_wdl: wdl, .. } = *self.request;
        let line = write_line(root.board(), line, notation);
        Found { depth, seldepth: shared.deepest(), score, bound, wdl, line }
    }

    fn effort(&self, shared: &SharedState<'_>, heard: &Heard) -> Effort {
        let nodes = heard.nodes_before + shared.nodes();
        Effort { time: self.request.control.elapsed(), nodes, fill: shared.table.fill() }
    }
}

impl<W: Write + Send> SearchObserver for Follower<'_, W> {
    fn hear(&self, shared: &SharedState<'_>, news: News<'_>) {
        let is_long = || self.request.control.elapsed() >= LONG;
        match news {
            News::Iteration(iteration) => self.completed(shared, iteration),
            News::Outside { depth, score, bound, line } => {
                let mut heard = self.heard.lock();
                if heard.only.is_some() || depth <= i32::from(heard.depth) {
                    return;
                }
                let found = self.found(shared, depth, (score, bound), line);
                if is_long() {
                    self.output.line(&found.text(1, &self.effort(shared, &heard)));
                }
                let line = (!line.is_empty()).then(|| (line.to_vec(), found));
                heard.raised.note((score, bound), line);
            }
            // With several lines each has its own search, from the first iteration on, so no root
            // move is printed.
            News::RootMove { mv, number } if is_long() && self.heard.lock().only.is_none() => {
                let Request { root, notation, .. } = self.request;
                let depth = self.heard.lock().depth + 1;
                let mv = write_move(root.board(), mv, *notation);
                self.output
                    .line(&format!("info depth {depth} currmove {mv} currmovenumber {number}"));
            }
            News::RootMove { .. } => {}
        }
    }

    fn is_enough(&self) -> bool {
        let Request { control, limit, .. } = self.request;
        let over = |time| self.ripe.load(Relaxed) || limit.hard.is_some_and(|hard| time >= hard);
        control.is_stopped() || control.on_own_time().is_some_and(over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raised_line_is_at_least_as_good_as_the_completed_one() {
        let mut raised = Raised::since(50);
        let mut note = |score, bound| {
            raised.note((score, bound), Some(score));
            raised.line().copied()
        };
        assert_eq!(note(80, Bound::Lower), Some(80));
        assert_eq!(note(-15, Bound::Lower), None, "its window was about an older score");
        assert_eq!(note(50, Bound::Lower), Some(50));
        assert_eq!(note(20, Bound::Upper), None, "it fails low in the end");
        assert_eq!(note(30, Bound::Lower), Some(30), "the completed line has failed low too");
        assert_eq!(note(10, Bound::Lower), None);
        raised.note((90, Bound::Lower), None);
        assert_eq!(raised.line(), None, "no move reached it");
        assert_eq!(Raised::<()>::default().floor, -INFINITY, "nothing is completed");
    }
}
