//! Text for terminals: control characters from files and engines are shown, and never obeyed.
//!
//! A results directory may come from a stranger, and an engine may call itself anything. An escape
//! character in such a text could move the cursor, rename the window, or worse.

use std::borrow::Cow;
use std::io::{self, StdoutLock, Write};

/// Whether a character may reach a terminal as it is.
fn is_plain(c: char) -> bool {
    !c.is_control() || matches!(c, '\n' | '\t')
}

/// The text with every other control character written out, as in `\u{1b}`.
pub(super) fn shown(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_plain(c) { shown.push(c) } else { shown.extend(c.escape_default()) }
    }
    Cow::Owned(shown)
}

/// Standard output, for text. Each piece that is written is shown as [`shown`] says.
pub(super) fn stdout() -> Plain<StdoutLock<'static>> {
    Plain { out: io::stdout().lock(), rest: Vec::new() }
}

/// A writer that shows control characters.
#[derive(Debug)]
pub(super) struct Plain<W: Write> {
    out: W,
    /// The first bytes of a character whose other bytes are still to come.
    rest: Vec<u8>,
}

impl<W: Write> Write for Plain<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = std::mem::take(&mut self.rest);
        all.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&all) {
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            _ => all.len(),
        };
        self.rest = all.split_off(whole);
        self.out.write_all(shown(&String::from_utf8_lossy(&all)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown() {
        for (text, expected) in [
            ("plain\ttext\n", "plain\ttext\n"),
            ("\u{1b}[31mred", "\\u{1b}[31mred"),
            ("\u{1b}]0;title\u{7}", "\\u{1b}]0;title\\u{7}"),
            ("over\rwritten", "over\\rwritten"),
            ("\u{9b}31m\u{7f}", "\\u{9b}31m\\u{7f}"),
            ("K\u{f6}nig \u{265a}", "K\u{f6}nig \u{265a}"),
        ] {
            assert_eq!(shown(text), expected);
            // Whatever the pieces are in which it is written.
            for size in 1..4 {
                let mut plain = Plain { out: Vec::new(), rest: Vec::new() };
                for piece in text.as_bytes().chunks(size) {
                    plain.write_all(piece).expect("a vector takes every write");
                }
                assert_eq!(String::from_utf8(plain.out).as_deref(), Ok(expected));
            }
        }
    }
}
