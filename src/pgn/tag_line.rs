//! A line of tags: `[White "Jörg"]`.

/// A tag, and what comes behind it in its line.
pub(super) struct Tag<'l> {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) rest: &'l [u8],
}

/// Reads the tag at the beginning of a line. Its value ends at the first quotation mark before a
/// bracket: some programs do not mark quotation marks within it.
pub(super) fn read(line: &[u8]) -> Tag<'_> {
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
    let latin_1 = || bytes.iter().map(|&byte| char::from(byte)).collect();
    let text = std::str::from_utf8(bytes).map_or_else(|_| latin_1(), str::to_owned);
    text.replace(char::is_control, " ")
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
            let tag = read(line);
            let found = (tag.name.as_str(), tag.value.as_str(), text(tag.rest));
            assert_eq!(found, (name, value, rest.to_owned()), "{}", text(line));
        }
    }
}
