//! The lines of a stream, and the time at which each was read.

use std::io::{self, Read};
use std::time::Instant;

/// The longest line that is accepted, in bytes; no line of either protocol is longer.
pub(super) const LONGEST_LINE: usize = 1 << 16;
/// The longest piece of a line that is passed on where long lines are cut.
const PIECE: usize = 1 << 12;

/// The byte order mark, with which programs in .NET begin.
const MARK: char = '\u{feff}';

/// A part of a stream.
#[derive(Debug)]
pub(super) enum Part {
    /// A line, or a piece of one.
    Line(String),
    /// A line of more than [`LONGEST_LINE`] bytes. Nothing is read after it.
    TooLong,
}

/// The treatment of a line that is too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Long {
    /// It ends the reading: the stream is of a protocol.
    Ends,
    /// It is passed on in pieces: a progress bar may have no line end at all.
    IsCut,
}

/// Passes on the lines of a stream, until its end or until `take` returns false.
///
/// A carriage return ends a line too (Crafty's, or a progress bar's). Other control characters,
/// byte order marks and empty lines are left out. A stream that ends without a line end has a last
/// line all the same.
pub(super) fn read(mut stream: impl Read, long: Long, mut take: impl FnMut(Instant, Part) -> bool) {
    let mut buffer = vec![0; LONGEST_LINE];
    let mut line = Vec::new();
    loop {
        let length = match stream.read(&mut buffer) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Ok(0) | Err(_) => break,
            Ok(length) => length,
        };
        let at = Instant::now();
        for part in buffer[..length].split_inclusive(|byte| matches!(byte, b'\r' | b'\n')) {
            let ended = part.ends_with(b"\r") || part.ends_with(b"\n");
            line.extend_from_slice(part);
            let too_long = line.len() > LONGEST_LINE && long == Long::Ends;
            if too_long {
                take(at, Part::TooLong);
                return;
            }
            let cut = long == Long::IsCut && line.len() >= PIECE;
            if (ended || cut) && !pass(&mut line, at, &mut take) {
                return;
            }
        }
    }
    pass(&mut line, Instant::now(), &mut take);
}

/// Passes a line on, and empties it.
fn pass(line: &mut Vec<u8>, at: Instant, take: &mut impl FnMut(Instant, Part) -> bool) -> bool {
    let on = line.chunks(LONGEST_LINE).all(|piece| {
        let plain: String = String::from_utf8_lossy(piece)
            .chars()
            .filter(|c| *c == '\t' || !(c.is_control() || *c == MARK))
            .collect();
        plain.is_empty() || take(at, Part::Line(plain))
    });
    line.clear();
    on
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8], long: Long) -> Vec<String> {
        let mut lines = Vec::new();
        read(bytes, long, |_, part| {
            lines.push(match part {
                Part::Line(line) => line,
                Part::TooLong => "too long".to_owned(),
            });
            true
        });
        lines
    }

    #[test]
    fn lines_end_in_any_way() {
        assert_eq!(lines(b"a\nb\r\nc\rd\n\n\x07e", Long::Ends), ["a", "b", "c", "d", "e"]);
        assert_eq!(lines(b"a\xffb\n", Long::Ends), ["a\u{fffd}b"]);
        assert_eq!(lines("\u{feff}uciok\n".as_bytes(), Long::Ends), ["uciok"]);
        assert!(lines(b"\r\n\r\n", Long::Ends).is_empty());
    }

    #[test]
    fn a_long_line_ends_a_protocol_and_nothing_else() {
        let long = vec![b'x'; 3 * LONGEST_LINE];
        assert_eq!(lines(&long, Long::Ends), ["too long"]);
        let pieces = lines(&long, Long::IsCut);
        assert_eq!(pieces.iter().map(String::len).sum::<usize>(), long.len());
        assert!(pieces.iter().all(|piece| piece.len() <= LONGEST_LINE));
        let longest = [&long[..LONGEST_LINE - 1], b"\n"].concat();
        assert_eq!(lines(&longest, Long::Ends)[0].len(), LONGEST_LINE - 1);
    }
}
