//! The progress of a task, on standard error: a bar on a terminal, else a line now and then.
//!
//! A bar moves only when it is told to. One that moves by itself would be one more thread on cores
//! that are being measured.

use super::{is_quiet, plain, say};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// The least time between two lines, without a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// The bar, if there is a terminal, and the last line, if there is none.
pub(super) struct Bar {
    bar: Option<ProgressBar>,
    last_line: Option<Instant>,
}

impl Bar {
    /// A bar of `all` steps, of which `done` are done, in the form of indicatif's template.
    pub(super) fn new(template: &str, done: usize, all: usize) -> Bar {
        let bar = (stderr().is_terminal() && !is_quiet()).then(|| {
            let target = ProgressDrawTarget::stderr();
            let bar = ProgressBar::with_draw_target(Some(all as u64), target);
            let style = ProgressStyle::with_template(template);
            bar.with_position(done as u64)
                .with_style(style.expect("the template is well formed").progress_chars("=> "))
        });
        Bar { bar, last_line: None }
    }

    /// Changes the bar, if there is one, and draws it now: the next step may take minutes.
    pub(super) fn draw(&self, change: impl FnOnce(&ProgressBar)) {
        if let Some(bar) = &self.bar {
            change(bar);
            bar.force_draw();
        }
    }

    /// Whether it is time for a line; never if there is a bar, and after the last step always.
    pub(super) fn is_line_due(&mut self, is_last: bool) -> bool {
        let is_old = |line: Instant| line.elapsed() >= BETWEEN_LINES;
        let is_due = self.bar.is_none() && (is_last || self.last_line.is_none_or(is_old));
        if is_due {
            self.last_line = Some(Instant::now());
        }
        is_due
    }

    /// Says something, above the bar if there is one.
    pub(super) fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(plain::shown(text)),
            None => say(text),
        }
    }

    /// Takes the bar away: other output says the result.
    pub(super) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
