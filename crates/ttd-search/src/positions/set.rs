//! The positions of a set or of a file, and the lines that are none.

use super::built_in::built_in;
use super::epd;
use super::error::{BadLine, FileError, PositionsError};
use super::fen::parse_fen;
use super::other_games::other_game;
use super::test_position::{ReadFen, TestPosition};
use rustix::event::{self, PollFd, PollFlags, Timespec};
use rustix::fs::{OFlags, fcntl_setfl};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read};
use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
use std::path::Path;

/// The beginning of a line that was left out, in the text that is kept of a set.
const LEFT_OUT: &str = "# left out: ";
/// The most bytes of a text of positions or games. The largest sets of openings have a tenth of it.
pub const MOST_BYTES: u64 = 1 << 30;
/// The time for which a pipe waits for a writer, seconds.
const WAIT_FOR_WRITER_S: i64 = 2;
/// The most bad lines that are told one by one.
const MOST_TOLD: usize = 20;

/// The treatment of lines that are no positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BadLines {
    /// The file is refused.
    #[default]
    Refuse,
    /// They are left out.
    LeaveOut,
}

/// The positions of a set or file.
#[derive(Clone, Debug, Default)]
pub struct PositionSet {
    /// The positions, in order.
    pub positions: Vec<TestPosition>,
    /// The number of lines that were left out, now or when the text was made.
    pub left_out: usize,
    /// Remarks for the user on lines that were mended or left out now.
    pub remarks: Vec<String>,
    /// The text, by which the set can be read again. Lines that were left out are comments.
    pub text: String,
}

/// The positions of a set of the program or of an EPD file, in order.
///
/// # Errors
/// If there is no such set or file, or one of its lines is not a position that can be searched.
pub fn load(name: &str) -> Result<Vec<TestPosition>, PositionsError> {
    load_set(parse_fen, name, BadLines::Refuse).map(|set| set.positions)
}

/// Loads a set or a file. The file is read once: it may be a pipe.
///
/// # Errors
/// If there is no such set or file, or if it has no position. Also if `read` refuses a line that is
/// not to be left out.
pub fn load_set(
    read: ReadFen,
    name: &str,
    bad_lines: BadLines,
) -> Result<PositionSet, PositionsError> {
    if let Some(text) = built_in(name) {
        return parse_set(read, text, name, bad_lines);
    }
    let path = Path::new(name);
    if !path.exists() {
        return Err(PositionsError::not_found(name, name));
    }
    let text = read_text(path).map_err(|source| FileError::Io { path: path.to_owned(), source })?;
    parse_set(read, &text, name, bad_lines)
}

/// The text of a file that a user wrote, as [`text_of`] reads it.
///
/// # Errors
/// The errors of [`read_bytes`].
pub fn read_text(path: &Path) -> io::Result<String> {
    read_bytes(path).map(text_of)
}

/// The bytes of a file that a user wrote.
///
/// # Errors
/// The errors of [`open`] and of [`read_at_most`]; or if it is compressed.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = read_at_most(open(path)?, MOST_BYTES)?;
    check_unpacked(&bytes)?;
    Ok(bytes)
}

/// Opens a file that a user wrote, to be read as a stream.
///
/// # Errors
/// The errors of [`open`]; or if its beginning cannot be read, or it is compressed.
pub fn open_text(path: &Path) -> io::Result<BufReader<File>> {
    let mut text = BufReader::new(open(path)?);
    check_unpacked(text.fill_buf()?)?;
    Ok(text)
}

/// The first bytes of compressed files, and who makes them.
const COMPRESSED: [(&[u8], &str); 5] = [
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"PK\x03\x04", "zip"),
];

/// The first bytes of UTF-16, with each order of bytes. Windows writes it.
const UTF_16: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// Refuses a file that begins as compressed ones do, or as texts in UTF-16.
fn check_unpacked(file: &[u8]) -> io::Result<()> {
    if UTF_16.iter().any(|sign| file.starts_with(sign)) {
        return Err(io::Error::other("it is UTF-16 text: save it as UTF-8"));
    }
    match COMPRESSED.iter().find(|(sign, _)| file.starts_with(sign)) {
        Some((_, by)) => Err(io::Error::other(format!("it is compressed ({by}): unpack it first"))),
        None => Ok(()),
    }
}

/// The bytes of a file, if there are at most so many. No more of a larger file is read.
///
/// # Errors
/// If it cannot be read, or has more bytes.
pub fn read_at_most(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = file.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => io::Error::other("it gives nothing to read"),
        _ => error,
    })?;
    if bytes.len() as u64 > most {
        return Err(io::Error::other(format!("it has more than {} MiB", most >> 20)));
    }
    Ok(bytes)
}

/// Opens a file that a user named, or a pipe. The file may be named by a stranger's file. So a
/// device is refused, and a pipe that nobody writes to is not waited for.
///
/// # Errors
/// If it cannot be opened, or is anything else.
pub fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK.bits() as i32;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let kind = file.metadata()?.file_type();
    // A file that is read while it does not block fails where it would: some below /proc do.
    if kind.is_file() || kind.is_dir() {
        return Ok(file);
    }
    if !kind.is_fifo() {
        return Err(io::Error::other("it is neither a file nor a pipe"));
    }
    // A writer may be about to come. Without one, reading ends at once.
    let wait = Timespec { tv_sec: WAIT_FOR_WRITER_S, tv_nsec: 0 };
    event::poll(&mut [PollFd::new(&file, PollFlags::IN)], Some(&wait))?;
    fcntl_setfl(&file, OFlags::empty())?;
    Ok(file)
}

/// The text of a file that was read: UTF-8, or else line by line as [`decoded`] reads it.
pub fn text_of(file: Vec<u8>) -> String {
    String::from_utf8(file).unwrap_or_else(|error| {
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        error.as_bytes().split_inclusive(is_end).map(decoded).collect()
    })
}

/// The text of a line or a word: UTF-8, or else Latin-1.
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let latin_1 = |_| Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect());
    std::str::from_utf8(bytes).map_or_else(latin_1, Cow::Borrowed)
}

/// The sign that ends a text of DOS and CP/M. It is read as a space: behind it may stand the text
/// of a file that was appended.
pub const END_OF_TEXT: u8 = 0x1a;

/// The positions of an EPD text, which errors call `file`.
///
/// A line holds the four fields of EPD, or the five or six of FEN, and operations. Lines end as in
/// Unix, DOS or old Macs, and [`END_OF_TEXT`] is blank. Blank lines and comments (`#`, `;`, `%`,
/// `//`) are skipped.
///
/// # Errors
/// The errors of [`load`].
pub fn parse(text: &str, file: &str) -> Result<Vec<TestPosition>, PositionsError> {
    parse_by(parse_fen, text, file)
}

/// Reads positions as [`parse`] does, with another reader of FENs.
///
/// # Errors
/// The errors of [`load_set`].
pub fn parse_by(
    read: ReadFen,
    text: &str,
    file: &str,
) -> Result<Vec<TestPosition>, PositionsError> {
    parse_set(read, text, file, BadLines::Refuse).map(|set| set.positions)
}

/// Reads positions as [`parse_by`] does; all that [`PositionSet`] says of them.
///
/// # Errors
/// The errors of [`load_set`].
pub fn parse_set(
    read: ReadFen,
    text: &str,
    file: &str,
    bad_lines: BadLines,
) -> Result<PositionSet, PositionsError> {
    let mut reader = Reader { read, file, set: PositionSet::default(), ..Reader::default() };
    let mut bad: Vec<BadLine> = Vec::new();
    let (mut all_bad, mut kept) = (0, String::new());
    for (index, line) in lines(text).enumerate() {
        if let Some(game) = game_of_comment(line) {
            return Err(PositionsError::OtherGame { file: file.to_owned(), game });
        }
        if let Err(what) = reader.line(line.trim_matches(is_space), index + 1) {
            if index == 0 && line.trim_start().starts_with('[') {
                return Err(PositionsError::Games(file.to_owned()));
            }
            kept.extend([LEFT_OUT, &what.replace(char::is_control, " "), ": "]);
            all_bad += 1;
            if bad.len() < MOST_TOLD {
                bad.push(BadLine { line: index + 1, what });
            }
        }
        kept.push_str(line);
        kept.push('\n');
    }
    let mut set = reader.finish();
    if all_bad > 0 && (bad_lines == BadLines::Refuse || set.positions.is_empty()) {
        return Err(PositionsError::Lines { file: file.to_owned(), bad, all: all_bad });
    }
    if set.positions.is_empty() {
        return Err(PositionsError::Empty(file.to_owned()));
    }
    set.left_out += all_bad;
    if let Some(first) = bad.first() {
        let (lines, line, what) = (of_lines(all_bad, "is", "are"), first.line, &first.what);
        set.remarks.push(format!("{file}: {lines} left out. Line {line}: {what}"));
    }
    // A text without bad lines is kept as it is.
    set.text = if all_bad > 0 { kept } else { text.to_owned() };
    Ok(set)
}

fn is_space(c: char) -> bool {
    c.is_whitespace() || c == char::from(END_OF_TEXT)
}

/// The lines of a text, which may begin with a byte order mark. Each kind of line end counts once.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let text = text.trim_start_matches('\u{feff}');
    text.split_inclusive('\n').flat_map(|line| {
        let line = line.strip_suffix('\n').unwrap_or(line);
        line.strip_suffix('\r').unwrap_or(line).split('\r')
    })
}

/// The reader of a text, line by line.
struct Reader<'a> {
    read: ReadFen,
    file: &'a str,
    set: PositionSet,
    /// The lines of the ids so far.
    ids: HashMap<String, usize>,
    /// The lines without a solution, and the first of them in words.
    unsolved: (usize, Option<String>),
    /// The lines whose id was taken, and the first of them.
    renamed: (usize, usize),
}

impl Default for Reader<'_> {
    fn default() -> Self {
        Reader {
            read: parse_fen,
            file: "",
            set: PositionSet::default(),
            ids: HashMap::new(),
            unsolved: (0, None),
            renamed: (0, 0),
        }
    }
}

impl Reader<'_> {
    /// Reads a line. The error is its fault, and a form that would be right.
    fn line(&mut self, text: &str, line: usize) -> Result<(), String> {
        if text.is_empty() || ["#", ";", "%", "//"].iter().any(|sign| text.starts_with(sign)) {
            self.set.left_out += usize::from(text.starts_with(LEFT_OUT));
            return Ok(());
        }
        let epd::Line { mut position, unsolved } = epd::parse_line(self.read, text, line)
            .map_err(|what| format!("{what}{}", self.game_of_name()))?;
        if let Some(what) = unsolved {
            self.unsolved.0 += 1;
            self.unsolved.1.get_or_insert_with(|| format!("Line {line}: {what}"));
        }
        if self.ids.contains_key(&position.id) {
            position.id = format!("{} (line {line})", position.id);
            self.renamed =
                (self.renamed.0 + 1, if self.renamed.0 == 0 { line } else { self.renamed.1 });
        }
        self.ids.insert(position.id.clone(), line);
        self.set.positions.push(position);
        Ok(())
    }

    /// A word about the game that the name of the file names, if that is not chess.
    fn game_of_name(&self) -> String {
        let stem = Path::new(self.file).file_stem().map(|stem| stem.to_string_lossy());
        let game = stem.and_then(|stem| other_game(&stem));
        game.map_or_else(String::new, |game| {
            format!(" (its file's name speaks of {game}, which is not known)")
        })
    }

    fn finish(self) -> PositionSet {
        let (file, mut set) = (self.file, self.set);
        if let (all, Some(first)) = self.unsolved {
            let lines = of_lines(all, "has", "have");
            set.remarks.push(format!(
                "{file}: {lines} best moves that are not legal there, and no solution counts. {first}"
            ));
        }
        if let (all @ 1.., first) = self.renamed {
            let lines = of_lines(all, "has", "have");
            set.remarks.push(format!(
                "{file}: {lines} the id of an earlier line, and got a longer one. The first is line {first}"
            ));
        }
        set
    }
}

fn of_lines(count: usize, one: &str, more: &str) -> String {
    if count == 1 { format!("1 line {one}") } else { format!("{count} lines {more}") }
}

/// The game that a comment names as that of the set, if it is not chess: `# variant: antichess`.
fn game_of_comment(line: &str) -> Option<&'static str> {
    let comment = line.trim_start_matches(['#', ';', '%', '/', ' ', '[']);
    let (word, name) = comment.split_at_checked("variant".len())?;
    let is_comment = comment.len() < line.len() && word.eq_ignore_ascii_case("variant");
    other_game(name).filter(|_| is_comment)
}
