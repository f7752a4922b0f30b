//! The parts of a line: text, `code`, **bold** and [links](address).

/// A piece of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Span<'t> {
    Text(&'t str),
    Code(&'t str),
    Strong(&'t str),
    Link {
        text: &'t str,
        /// The address: relative, or of the web.
        to: &'t str,
    },
}

impl<'t> Span<'t> {
    /// The words that are read.
    pub(super) fn text(self) -> &'t str {
        match self {
            Span::Text(text) | Span::Code(text) | Span::Strong(text) | Span::Link { text, .. } => {
                text
            }
        }
    }
}

/// The pieces of a line. A mark that has no partner is text.
pub(super) fn spans(line: &str) -> Vec<Span<'_>> {
    let mut spans = Vec::new();
    let (mut rest, mut plain) = (line, 0);
    while let Some(next) = rest[plain..].chars().next() {
        if let Some((span, length)) = marked(&rest[plain..]) {
            if plain > 0 {
                spans.push(Span::Text(&rest[..plain]));
            }
            spans.push(span);
            (rest, plain) = (&rest[plain + length..], 0);
        } else {
            plain += next.len_utf8();
        }
    }
    if plain > 0 {
        spans.push(Span::Text(rest));
    }
    spans
}

/// The words of a text in small letters and digits, with hyphens between them.
pub(super) fn slug(text: &str) -> String {
    let plain: String = spans(text).into_iter().map(Span::text).collect();
    let words = plain.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.collect::<Vec<_>>().join("-").to_ascii_lowercase();
    if slug.is_empty() { "part".to_owned() } else { slug }
}

/// The marked piece at the beginning, and its length with its marks.
fn marked(text: &str) -> Option<(Span<'_>, usize)> {
    let code = || enclosed(text, "`").map(|(inner, length)| (Span::Code(inner), length));
    let strong = || enclosed(text, "**").map(|(inner, length)| (Span::Strong(inner), length));
    code().or_else(strong).or_else(|| link(text))
}

fn enclosed<'t>(text: &'t str, mark: &str) -> Option<(&'t str, usize)> {
    let inner = text.strip_prefix(mark)?;
    let end = inner.find(mark).filter(|end| *end > 0)?;
    Some((&inner[..end], end + 2 * mark.len()))
}

fn link(line: &str) -> Option<(Span<'_>, usize)> {
    let (text, rest) = line.strip_prefix('[')?.split_once(']')?;
    let (to, _) = rest.strip_prefix('(')?.split_once(')')?;
    let safe = to.starts_with("https://") || !to.contains(':');
    let length = "[]()".len() + text.len() + to.len();
    (safe && !text.is_empty() && !to.is_empty()).then_some((Span::Link { text, to }, length))
}

#[cfg(test)]
mod tests {
    use super::Span::{Code, Link, Strong, Text};
    use super::*;

    #[test]
    fn marks_are_told_from_text() {
        let all = "**Few.** Set `--hash`, see [the docs](docs/a.md).";
        let to = Link { text: "the docs", to: "docs/a.md" };
        let expected =
            [Strong("Few."), Text(" Set "), Code("--hash"), Text(", see "), to, Text(".")];
        assert_eq!(spans(all), expected);
        assert_eq!(spans(""), []);
        assert_eq!(spans("`a`"), [Code("a")]);
    }

    #[test]
    fn what_is_no_mark_stays_text() {
        for text in [
            "2.02 at 2, 1.1 at 4* and 1.2 at 8*",
            "* oversubscribed.",
            "[0.00, ∞] (1.2)",
            "[4.00, ∞]",
            "a `mark without a partner",
            "****",
            "[x](javascript:alert(1))",
            "[](a)",
        ] {
            assert_eq!(spans(text), [Text(text)], "{text}");
        }
    }
}
