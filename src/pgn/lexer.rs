//! From bytes to the tags and words of games. Comments, variations and glyphs are left out here.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use ttd_search::positions::{END_OF_TEXT, decoded};

/// A part of a game that matters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A tag: its name and value.
    Tag(String, String),
    /// A word of the moves: a move, its number, or the result.
    Word(String),
    /// Something that was begun before the next game and not ended.
    Unclosed(&'static str),
}

/// The longest line of tags, and the longest word, in bytes. More of them is cut off.
const LONGEST_LINE: usize = 64 << 10;
const LONGEST_WORD: usize = 100;

/// The part of the text that the next byte is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    Moves,
    /// A comment between braces.
    Braces,
    /// A comment to the end of the line, or a line for another program.
    Line,
    /// A line of tags.
    Tags,
}

/// The reader of tokens.
pub(super) struct Lexer<R> {
    input: R,
    state: State,
    ended: bool,
}

impl<R: BufRead> Lexer<R> {
    pub(super) fn new(input: R) -> Lexer<R> {
        Lexer { input, state: State::new(), ended: false }
    }

    /// The next token, and the number of its line.
    pub(super) fn next(&mut self) -> io::Result<Option<(Token, usize)>> {
        let Lexer { input, state, ended } = self;
        loop {
            if let Some(token) = state.tokens.pop_front() {
                return Ok(Some(token));
            }
            if *ended {
                return Ok(None);
            }
            let bytes = match input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes?,
            };
            if bytes.is_empty() {
                state.end();
                *ended = true;
            }
            // As many bytes as make a token: so the queue stays short.
            let mut count = 0;
            while let Some(&byte) = bytes.get(count).filter(|_| state.tokens.is_empty()) {
                state.byte(byte);
                count += 1;
            }
            input.consume(count);
        }
    }
}

struct State {
    within: Within,
    /// The number of variations that are open.
    depth: usize,
    /// The word or the line of tags that is being read.
    part: Vec<u8>,
    /// Whether the word ends with a piece behind a bracket: `e8(Q`. It is a promotion if the
    /// bracket is closed next, and else the beginning of a variation.
    may_promote: bool,
    /// The number of the line, from 1, and its first bytes.
    line: usize,
    head: Vec<u8>,
    /// Whether the line before is blank.
    after_blank: bool,
    after_return: bool,
    tokens: VecDeque<(Token, usize)>,
}

impl State {
    fn new() -> State {
        State {
            within: Within::Moves,
            depth: 0,
            part: Vec::new(),
            may_promote: false,
            line: 1,
            head: Vec::new(),
            after_blank: true,
            after_return: false,
            tokens: VecDeque::new(),
        }
    }

    fn byte(&mut self, byte: u8) {
        let byte = if byte == END_OF_TEXT { b' ' } else { byte };
        let second = std::mem::replace(&mut self.after_return, byte == b'\r') && byte == b'\n';
        if second {
            return;
        }
        if matches!(byte, b'\n' | b'\r') {
            self.end_line();
            return;
        }
        // A byte order mark is no part of the text.
        if self.line == 1 && self.head.is_empty() && b"\xef\xbb\xbf".contains(&byte) {
            return;
        }
        if self.head.len() < 2 && !(self.head.is_empty() && byte == b' ') {
            self.head.push(byte);
            self.begin_line(byte);
        }
        self.inside(byte);
    }

    /// Looks at the first two bytes of a line, which may end what was begun in lines before.
    fn begin_line(&mut self, byte: u8) {
        let begins_game = matches!(self.head[..], [b'[', b'A'..=b'Z']);
        let unclosed = match self.within {
            Within::Braces if self.after_blank => "a comment is not closed with }",
            Within::Moves if self.depth > 0 => "a variation is not closed with )",
            _ => "",
        };
        if begins_game && !unclosed.is_empty() {
            self.push(Token::Unclosed(unclosed));
            (self.depth, self.within) = (0, Within::Tags);
            self.part = b"[".to_vec();
        } else if self.head == b"%" && self.within == Within::Moves {
            self.within = Within::Line;
        } else if self.head == b"[" && byte == b'[' && self.is_between() {
            self.within = Within::Tags;
        }
    }

    fn is_between(&self) -> bool {
        self.within == Within::Moves && self.depth == 0 && self.part.is_empty()
    }

    fn inside(&mut self, byte: u8) {
        match self.within {
            Within::Braces if byte == b'}' => self.within = Within::Moves,
            Within::Line | Within::Braces => {}
            Within::Tags => {
                self.part.push(byte);
                if self.part.len() >= LONGEST_LINE {
                    self.end_tags();
                }
            }
            Within::Moves => self.moves(byte),
        }
    }

    fn moves(&mut self, byte: u8) {
        if std::mem::take(&mut self.may_promote) {
            if byte == b')' {
                return;
            }
            let piece = self.part.pop();
            self.end_word();
            self.depth += 1;
            self.part.extend(piece);
        }
        let is_bracket = self.part.last() == Some(&b'(');
        if is_bracket {
            self.part.pop();
            if b"QRBNqrbn".contains(&byte) {
                self.may_promote = true;
            } else {
                self.end_word();
                self.depth += 1;
            }
        }
        match byte {
            // A bracket behind a square of the last rank may begin the piece of a promotion.
            b'(' if matches!(self.part[..], [.., b'a'..=b'h', b'1' | b'8']) => self.part.push(byte),
            b'{' | b';' | b'(' | b')' => {
                self.end_word();
                match byte {
                    b'{' => self.within = Within::Braces,
                    b';' => self.within = Within::Line,
                    b'(' => self.depth += 1,
                    _ => self.depth = self.depth.saturating_sub(1),
                }
            }
            b if b.is_ascii_whitespace() => self.end_word(),
            // A glyph, perhaps glued to its move.
            b'$' => {
                self.end_word();
                self.part.push(byte);
            }
            _ if self.part.len() < LONGEST_WORD => self.part.push(byte),
            _ => {}
        }
    }

    fn end_word(&mut self) {
        let word = std::mem::take(&mut self.part);
        if self.depth == 0 && !word.is_empty() && word[0] != b'$' {
            self.push(Token::Word(text(&word)));
        }
    }

    fn end_line(&mut self) {
        if self.within == Within::Moves && (self.may_promote || self.part.last() == Some(&b'(')) {
            // The line ends within the bracket: as any other space there.
            self.moves(b' ');
        }
        match self.within {
            Within::Tags => self.end_tags(),
            Within::Line => self.within = Within::Moves,
            Within::Moves => self.end_word(),
            Within::Braces => {}
        }
        self.line += 1;
        self.after_blank = self.head.is_empty();
        self.head.clear();
    }

    /// Takes the tags of a line. Moves may stand behind them.
    fn end_tags(&mut self) {
        self.within = Within::Moves;
        let line = std::mem::take(&mut self.part);
        let mut rest = line.as_slice();
        while rest.first() == Some(&b'[') {
            let tag = read_tag(rest);
            self.push(Token::Tag(tag.name, tag.value));
            rest = tag.rest.trim_ascii_start();
        }
        for &byte in rest {
            self.inside(byte);
        }
        if self.within == Within::Moves {
            self.end_word();
        }
    }

    fn end(&mut self) {
        self.end_line();
        let unclosed = match self.within {
            Within::Braces => "a comment is not closed with }",
            _ if self.depth > 0 => "a variation is not closed with )",
            _ => return,
        };
        self.push(Token::Unclosed(unclosed));
    }

    fn push(&mut self, token: Token) {
        self.tokens.push_back((token, self.line));
    }
}

/// A tag, and what comes behind it in its line.
pub(super) struct Tag<'l> {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) rest: &'l [u8],
}

/// Reads the tag at the beginning of a line. Its value ends at the first quotation mark before a
/// bracket: some programs do not mark quotation marks within it.
pub(super) fn read_tag(line: &[u8]) -> Tag<'_> {
    let inner = line.strip_prefix(b"[").unwrap_or(line);
    let name = inner.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let (name, behind) = inner.split_at(name);
    let name = text(name);
    let Some(open) = behind.iter().position(|&b| b == b'"') else {
        // A value without quotation marks reaches to the bracket, or to the end.
        let end = behind.iter().position(|&b| b == b']').unwrap_or(behind.len());
        let rest = behind.get(end + 1..).unwrap_or_default();
        return Tag { name, value: text(&behind[..end]).trim().to_owned(), rest };
    };
    let (mut value, mut at) = (Vec::new(), open + 1);
    let mut end = behind.len();
    while let Some(&byte) = behind.get(at) {
        let bracket = behind[at + 1..].iter().position(|b| !b.is_ascii_whitespace());
        match byte {
            b'\\' if behind.get(at + 1).is_some_and(|next| b"\"\\".contains(next)) => {
                at += 1;
                value.push(behind[at]);
            }
            b'"' if bracket.is_none_or(|next| behind[at + 1 + next] == b']') => {
                end = at + 1 + bracket.map_or(0, |next| next + 1);
                break;
            }
            _ => value.push(byte),
        }
        at += 1;
    }
    Tag { name, value: text(&value), rest: behind.get(end..).unwrap_or_default() }
}

/// The text of bytes: UTF-8, or else Latin-1. Control characters become spaces.
pub(super) fn text(bytes: &[u8]) -> String {
    decoded(bytes).replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_read_as_it_is_meant() {
        for (line, name, value, rest) in [
            (&b"[White \"a\"]"[..], "White", "a", ""),
            (b"[White\t\"a \\\"b\\\" \\\\c\" ]", "White", "a \"b\" \\c", ""),
            (b"[White \"a \"b\" c\"]", "White", "a \"b\" c", ""),
            (b"[Result \"1-0\"] 1. e4", "Result", "1-0", " 1. e4"),
            (b"[A \"x\"][B \"y\"]", "A", "x", "[B \"y\"]"),
            (b"[White \"J\xf6rg\"]", "White", "Jörg", ""),
            ("[White \"Jörg\"]".as_bytes(), "White", "Jörg", ""),
            (b"[Event x]", "Event", "x", ""),
            (b"[Event \"x", "Event", "x", ""),
            (b"[Event", "Event", "", ""),
            (b"[", "", "", ""),
        ] {
            let tag = read_tag(line);
            let found = (tag.name.as_str(), tag.value.as_str(), text(tag.rest));
            assert_eq!(found, (name, value, rest.to_owned()), "{}", text(line));
        }
    }
}
