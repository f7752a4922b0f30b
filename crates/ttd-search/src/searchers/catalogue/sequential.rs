//! The searcher with one worker, which has no other to share with.

use crate::cores::Core;
use crate::search::{Alone, Worker};
use crate::searchers::{Algorithm, Description, Histories, Parameters, Ran, Search, Team};

/// The searcher: it has no parameters.
#[derive(Clone, Copy, Debug)]
pub struct Sequential;

impl Parameters for Sequential {
    fn name(&self) -> &'static str {
        "sequential"
    }

    fn description(&self) -> &'static Description {
        &Description {
            about: "Alpha-beta by one worker: the measure for every other searcher. It takes \
                    exactly one thread.",
            source: "",
        }
    }

    fn boxed(&self) -> Box<dyn Algorithm> {
        Box::new(*self)
    }
}

impl Algorithm for Sequential {
    fn search(&self, search: &Search<'_>) -> Ran {
        Search { workers: 1, ..*search }.run(&Single)
    }

    fn fits_messages(&self) -> Result<(), &'static str> {
        Ok(())
    }

    fn takes_one_thread(&self) -> bool {
        true
    }
}

struct Single;

impl Team for Single {
    const HAS_CRITICAL_PATH: bool = true;

    type Policy<'t> = Alone;

    fn policy(&self, _id: usize, _histories: &Histories) -> Alone {
        Alone
    }

    fn work<C: Core>(&self, worker: &mut Worker<'_, C, Alone>) {
        worker.lead();
    }
}
