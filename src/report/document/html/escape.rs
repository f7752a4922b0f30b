//! Texts, escaped for a page.

use std::fmt::Write as _;

/// A text escaped as text, or as the value of an attribute between double quotation marks.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(c),
        }
    }
    out
}

/// A text escaped for the part of a `data:` address behind the comma, in an attribute (RFC 2397).
/// Each character with a meaning there, or in the attribute, becomes percent and two digits.
pub(super) fn address(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.,:;/()[]~!*+=@".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_text_or_an_attribute() {
        assert_eq!(escaped("<b a=\"1\">&–</b>"), "&lt;b a=&quot;1&quot;&gt;&amp;–&lt;/b&gt;");
    }

    #[test]
    fn an_address_holds_rows() {
        let rows = "a,b\nx 1,\"[0, inf]\"\n50%,é\n";
        assert_eq!(address(rows), "a,b%0Ax%201,%22[0,%20inf]%22%0A50%25,%C3%A9%0A");
    }
}
