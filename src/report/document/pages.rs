//! The rules that every page must keep.

use std::collections::BTreeSet;

/// The elements without an end tag.
const VOID: [&str; 4] = ["meta", "link", "br", "hr"];

/// Asserts that a page is whole. Every element ends where it must, and every id is unique. Links
/// within the page have a target, and nothing is fetched from elsewhere.
pub(crate) fn assert_whole(page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut ids = BTreeSet::new();
    let mut links = Vec::new();
    let mut rest = page;
    while let Some((_, tagged)) = rest.split_once('<') {
        let (tag, after) = tagged.split_once('>').expect("a tag that ends");
        rest = after;
        let name = tag.split(|c: char| c.is_whitespace() || c == '/').find(|part| !part.is_empty());
        let name = name.unwrap_or_default();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "what ends is not what was begun last");
        }
        if tag.starts_with(['/', '!']) {
            continue;
        }
        if let Some(id) = attribute(tag, "id") {
            assert!(ids.insert(id), "{id} is there twice");
        }
        let points = ["href", "src", "aria-labelledby"].into_iter();
        links.extend(points.filter_map(|of| Some((of, attribute(tag, of)?))));
        if name == "style" || name == "script" {
            let end = format!("</{name}>");
            rest = rest.split_once(&end).expect("it ends").1;
        } else if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<&str>::new(), "what was not ended");
    for (of, to) in links {
        let here = to.strip_prefix('#').or((of == "aria-labelledby").then_some(to));
        match here {
            Some(id) => assert!(ids.contains(id), "{of}={to}: there is no such place"),
            None => assert!(of == "href" && !to.starts_with("javascript"), "{of}={to}"),
        }
    }
    for elsewhere in ["<link rel=\"stylesheet\"", "@import", "url(", "<img", "<iframe"] {
        assert!(!page.contains(elsewhere), "{elsewhere}: a page has everything in it");
    }
    for word in ["NaN", "undefined"] {
        assert!(!page.split("<script>").next().unwrap_or_default().contains(word), "{word}");
    }
}

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, value) = tag.split_once(&format!(" {name}=\""))?;
    value.split('"').next()
}
