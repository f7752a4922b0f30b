//! Ctrl-C, and being asked to end.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// A flag that is set at the first Ctrl-C (or request to end): what runs then ends in good order.
/// The second one ends the program at once.
pub(super) fn flag() -> anyhow::Result<&'static AtomicBool> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })?;
    Ok(&INTERRUPTED)
}
