//! A Rust file as words: without comments, literals and tests.

/// A word, `::`, or a single sign.
pub(super) type Token = String;

/// The tokens of a file; comments, strings, characters and lifetimes are left out.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let mut out = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = chars[i];
        if c == '/' && at(i + 1) == '/' {
            while i < chars.len() && chars[i] != '\n' {
                i += 1;
            }
        } else if c == '/' && at(i + 1) == '*' {
            while i < chars.len() && !(chars[i] == '*' && at(i + 1) == '/') {
                i += 1;
            }
            i += 2;
        } else if let Some(end) = raw_string(&chars, i) {
            i = end;
        } else if c == '"' {
            i = closing_quote(&chars, i + 1, '"');
        } else if c == '\'' && (at(i + 1) == '\\' || at(i + 2) == '\'') {
            i = closing_quote(&chars, i + 1, '\'');
        } else if c.is_alphanumeric() || c == '_' {
            let is_over = |k: &usize| !(at(*k).is_alphanumeric() || at(*k) == '_');
            let end = (i..chars.len()).find(is_over).unwrap_or(chars.len());
            out.push(chars[i..end].iter().collect());
            i = end;
        } else if c == ':' && at(i + 1) == ':' {
            out.push("::".to_owned());
            i += 2;
        } else {
            if !c.is_whitespace() {
                out.push(c.to_string());
            }
            i += 1;
        }
    }
    out
}

/// The index after a raw string that begins here, if one does.
fn raw_string(chars: &[char], start: usize) -> Option<usize> {
    let rest = &chars[start..];
    let before = start.checked_sub(1).map(|i| chars[i]);
    if rest[0] != 'r' || before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let hashes = rest[1..].iter().take_while(|&&c| c == '#').count();
    if rest.get(1 + hashes) != Some(&'"') {
        return None;
    }
    let closing = |k: &usize| {
        rest[*k] == '"'
            && rest[k + 1..].iter().take(hashes).filter(|&&c| c == '#').count() == hashes
    };
    let end = (2 + hashes..rest.len()).find(closing)?;
    Some(start + end + 1 + hashes)
}

fn closing_quote(chars: &[char], mut i: usize, quote: char) -> usize {
    while i < chars.len() && chars[i] != quote {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

/// The tokens without the items that only tests have, and the names of the modules that only tests
/// have.
pub(super) fn without_tests(tokens: &[Token]) -> (Vec<Token>, Vec<String>) {
    let (mut out, mut modules) = (Vec::new(), Vec::new());
    let mut i = 0;
    while i < tokens.len() {
        let of_tests = tokens[i] == "#" && is_cfg_test(&tokens[i..]);
        if !of_tests {
            out.push(tokens[i].clone());
            i += 1;
            continue;
        }
        // The item stands behind all attributes; it ends with its block or a semicolon.
        while tokens.get(i).is_some_and(|t| t == "#") {
            i = behind_block(tokens, i + 1);
        }
        let first = i;
        while i < tokens.len() && tokens[i] != ";" && tokens[i] != "{" {
            i += 1;
        }
        if let Some(at) = (first..i).find(|&k| tokens[k] == "mod") {
            modules.push(tokens[at + 1].clone());
        }
        let is_use = (first..i).any(|k| tokens[k] == "use");
        i = if tokens.get(i).is_some_and(|t| t == "{") { behind_block(tokens, i) } else { i + 1 };
        // A line like `use a::{b};` ends with a semicolon behind its braces.
        i += usize::from(is_use && tokens.get(i).is_some_and(|t| t == ";"));
    }
    (out, modules)
}

fn is_cfg_test(tokens: &[Token]) -> bool {
    let end = behind_block(tokens, 1);
    let inside = &tokens[..end.min(tokens.len())];
    let negated = inside.iter().any(|t| t == "not");
    inside.get(2).is_some_and(|t| t == "cfg") && inside.iter().any(|t| t == "test") && !negated
}

/// The index after the bracket that closes the one at `open`.
fn behind_block(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(open) {
        match token.as_str() {
            "{" | "[" | "(" => depth += 1,
            "}" | "]" | ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i + 1;
        }
    }
    tokens.len()
}

#[test]
fn comments_literals_and_tests_are_no_code() {
    let text = "// a\nuse b::c; /* d */ let e = \"f \\\" g\"; let h = 'i'; let j: &'k l = r#\"m\"n\"#;\n\
                #[cfg(test)]\nmod o;\n#[cfg(test)]\nmod p { q }\n#[cfg(not(test))]\nmod r;";
    let (code, tests) = without_tests(&tokens(text));
    let words: Vec<&str> =
        code.iter().map(String::as_str).filter(|t| t.chars().all(char::is_alphanumeric)).collect();
    let expected = [
        "use", "b", "c", "let", "e", "let", "h", "let", "j", "k", "l", "cfg", "not", "test", "mod",
        "r",
    ];
    assert_eq!(words, expected);
    assert_eq!(tests, ["o", "p"]);
}
