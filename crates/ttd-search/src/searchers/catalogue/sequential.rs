//! The searcher with one worker, which has no other to share with.

use crate::cores::Core;
use crate::search::{Alone, Worker};
use crate::searchers::algorithm::{Algorithm, Description, Parameters};
use crate::searchers::histories::Histories;
use crate::searchers::team::{Ran, Search, Team};

/// The searcher: it has no parameters.
#[derive(Clone, Copy, Debug)]
pub struct Sequential;

const DESCRIPTION: Description = Description {
    about: "Alpha-beta by one worker: the measure for every other searcher. It takes exactly one \
            thread.",
    source: "",
    takes_one_thread: true,
    has_critical_path: true,
};

impl Parameters for Sequential {
    fn name(&self) -> &'static str {
        "sequential"
    }

    fn boxed(&self) -> Box<dyn Algorithm> {
        Box::new(*self)
    }
}

impl Algorithm for Sequential {
    fn description(&self) -> &'static Description {
        &DESCRIPTION
    }

    fn search(&self, search: &Search<'_>) -> Ran {
        Search { workers: 1, ..*search }.run(&Single)
    }
}

struct Single;

impl Team for Single {
    type Policy<'t> = Alone;

    fn policy(&self, _id: usize, _histories: &Histories) -> Alone {
        Alone
    }

    fn work<C: Core>(&self, worker: &mut Worker<'_, C, Alone>) {
        worker.lead();
    }
}
