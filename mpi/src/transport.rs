//! The transport over MPI.

use mpi::point_to_point::{Destination, MatchedReceiveVec, Source};
use mpi::topology::{Communicator, SimpleCommunicator};
use std::cell::Cell;
use std::num::NonZero;
use std::thread::available_parallelism;
use ttd::cli::say;
use ttd_search::cores::Transport;

/// The variable with the rank that is to panic, for `scripts/check-mpi.sh`.
const PANICS: &str = "TTD_MPI_PANICS";
/// The number of messages after which it does.
const PANICS_AFTER: u32 = 20;

/// An end of the transport over all ranks of MPI.
///
/// Invariants: MPI is up, and only the main thread uses it. A message is copied into MPI's buffer
/// when it is sent, so that no rank waits for another. MPI keeps the order between two ranks.
#[derive(Clone, Debug)]
pub(crate) struct Mpi {
    rank: usize,
    size: usize,
    is_crowded: bool,
    /// The messages until this rank panics, in a test.
    panics_after: Cell<Option<u32>>,
}

impl Mpi {
    /// This rank's end.
    pub(crate) fn new() -> Mpi {
        let world = SimpleCommunicator::world();
        let here = world.split_shared(world.rank()).size() as usize;
        let cores = available_parallelism().map_or(1, NonZero::get);
        let rank = world.rank() as usize;
        let panics = std::env::var(PANICS).ok().and_then(|rank| rank.parse::<usize>().ok());
        Mpi {
            rank,
            size: world.size() as usize,
            is_crowded: here > cores,
            panics_after: Cell::new((panics == Some(rank)).then_some(PANICS_AFTER)),
        }
    }

    fn count_to_panic(&self) {
        if let Some(left) = self.panics_after.get() {
            assert!(left > 0, "only a test ({PANICS}): no defect");
            self.panics_after.set(Some(left - 1));
        }
    }
}

impl Transport for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn send(&self, to: usize, message: Vec<u8>) {
        SimpleCommunicator::world().process_at_rank(to as i32).buffered_send(&message[..]);
    }

    fn try_receive(&self) -> Option<(usize, Vec<u8>)> {
        let world = SimpleCommunicator::world();
        let found = world.any_process().immediate_matched_probe()?;
        let (bytes, status) = found.matched_receive_vec::<u8>();
        self.count_to_panic();
        Some((status.source_rank() as usize, bytes))
    }

    fn abort(&self, why: &str) {
        say(format_args!("ttd-mpi: rank {} ends the job: {why}", self.rank));
        SimpleCommunicator::world().abort(1);
    }

    fn is_crowded(&self) -> bool {
        self.is_crowded
    }
}
