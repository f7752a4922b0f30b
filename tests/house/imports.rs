//! The imports between the files of a crate, as its `use` lines and its paths show them.
//!
//! Re-exports are followed to the file that defines the item, so that `super::Thing` is an import
//! of `thing.rs` where `mod.rs` says `pub use thing::Thing`.

use super::source::{Token, tokens, without_tests};
use std::collections::{BTreeMap, BTreeSet};

/// A module's path below the crate: `["searchers", "lab"]`.
pub(super) type Module = Vec<String>;

/// The modules of a crate, each a file.
#[derive(Default)]
pub(super) struct Crate {
    code: BTreeMap<Module, Vec<Token>>,
    imports: BTreeMap<Module, Vec<Import>>,
}

/// A name that a `use` line brings into a module.
struct Import {
    name: String,
    path: Vec<String>,
    is_public: bool,
}

impl Crate {
    /// A crate from its files, by their paths below `src`, with `/`.
    pub(super) fn new(files: &BTreeMap<String, String>) -> Crate {
        let mut of = Crate::default();
        let mut tests: Vec<Module> = Vec::new();
        for (path, text) in files {
            let module = module_of(path);
            let (code, of_tests) = without_tests(&tokens(text));
            let below = |name| [&module[..], &[name]].concat();
            tests.extend(of_tests.into_iter().map(below));
            of.code.insert(module, code);
        }
        of.code.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
        for (module, code) in &of.code {
            of.imports.insert(module.clone(), imports(code));
        }
        of
    }

    /// Each module, and the modules that define the items that it uses.
    pub(super) fn uses(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        self.code.keys().map(|module| (module.clone(), self.used_by(module))).collect()
    }

    fn used_by(&self, module: &Module) -> BTreeSet<Module> {
        let code = without_uses(&self.code[module]);
        let words: BTreeSet<&str> = code.iter().map(String::as_str).collect();
        let mut used = BTreeSet::new();
        for import in &self.imports[module] {
            // A name that is only handed on is not used.
            let handed_on = import.is_public && !words.contains(import.name.as_str());
            if !handed_on && !self.is_module(module, &import.path) {
                used.extend(self.definer(module, &import.path, 0));
            }
        }
        for path in paths(&code) {
            used.extend(self.definer(module, &path, 0));
        }
        used.remove(module);
        used
    }

    fn is_module(&self, from: &Module, path: &[String]) -> bool {
        self.absolute(from, path).is_some_and(|path| self.code.contains_key(&path))
    }

    /// The module that defines the item that a path names, if it is a module of this crate.
    fn definer(&self, from: &Module, path: &[String], steps: usize) -> Option<Module> {
        assert!(steps < 32, "re-exports of {path:?} in {from:?} go round");
        let path = self.absolute(from, path).or_else(|| self.imported(from, path))?;
        let (module, rest) = self.longest(&path);
        let Some(item) = rest.first() else { return Some(module) };
        let import = self.imports[&module].iter().find(|import| import.name == *item);
        let Some(import) = import else { return Some(module) };
        let whole = [&import.path[..], &rest[1..]].concat();
        self.definer(&module, &whole, steps + 1).or(Some(module))
    }

    /// The path from the root of the crate, if it says where it begins or begins with a child.
    fn absolute(&self, from: &Module, path: &[String]) -> Option<Vec<String>> {
        let mut base = from.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => return Some(path[1..].to_vec()),
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|word| word == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
            }
            child => {
                if !self.code.contains_key(&[&from[..], &[child.to_owned()]].concat()) {
                    return None;
                }
            }
        }
        Some([&base[..], rest].concat())
    }

    /// The path from the root of the crate, if it begins with a module that a `use` line brought
    /// in.
    fn imported(&self, from: &Module, path: &[String]) -> Option<Vec<String>> {
        let first = path.first().filter(|_| path.len() > 1)?;
        let import = self.imports.get(from)?.iter().find(|import| import.name == *first)?;
        let base = self.absolute(from, &import.path)?;
        self.code.contains_key(&base).then(|| [&base[..], &path[1..]].concat())
    }

    fn longest(&self, path: &[String]) -> (Module, Vec<String>) {
        let mut length = path.len();
        while length > 0 && !self.code.contains_key(&path[..length]) {
            length -= 1;
        }
        (path[..length].to_vec(), path[length..].to_vec())
    }
}

fn module_of(path: &str) -> Module {
    let path = path.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if path == "lib" || path == "mod" {
        return Vec::new();
    }
    path.split('/').map(str::to_owned).collect()
}

fn imports(code: &[Token]) -> Vec<Import> {
    let mut out = Vec::new();
    let is_import = |at: &usize| code[*at] == "use" && code.get(at + 1).is_some_and(|t| t != "<");
    for at in (0..code.len()).filter(is_import) {
        let before = at.checked_sub(1).map(|i| code[i].as_str());
        let is_public = matches!(before, Some("pub" | ")"));
        let mut i = at + 1;
        tree(code, &mut i, &[], &mut |name, path| out.push(Import { name, path, is_public }));
    }
    out
}

/// Reads a tree of a `use` line: every name that it brings in, and its path.
fn tree(
    code: &[Token],
    i: &mut usize,
    before: &[String],
    take: &mut dyn FnMut(String, Vec<String>),
) {
    let mut path = before.to_vec();
    while let Some(token) = code.get(*i) {
        *i += 1;
        match token.as_str() {
            "::" => {}
            "{" => {
                while code.get(*i).is_some_and(|token| token != "}") {
                    tree(code, i, &path, take);
                    *i += usize::from(code.get(*i).is_some_and(|token| token == ","));
                }
                *i += 1;
                return;
            }
            "as" => {
                take(code[*i].clone(), without_self(path));
                *i += 1;
                return;
            }
            "," | "}" | ";" => {
                *i -= 1;
                break;
            }
            word => path.push(word.to_owned()),
        }
    }
    let path = without_self(path);
    if let Some(name) = path.last().cloned() {
        take(name, path);
    }
}

fn without_self(mut path: Vec<String>) -> Vec<String> {
    path.pop_if(|word| word == "self");
    path
}

fn without_uses(code: &[Token]) -> Vec<Token> {
    let mut out = Vec::new();
    let mut inside = false;
    for token in code {
        inside |= token == "use";
        if !inside {
            out.push(token.clone());
        }
        inside &= token != ";";
    }
    out
}

/// Every path of two words or more in code. How far an item is seen is no use of that place.
fn paths(code: &[Token]) -> Vec<Vec<String>> {
    let is_word = |i: usize| {
        code.get(i).is_some_and(|t| t.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_'))
    };
    let is_visibility = |i: usize| code[..i].ends_with(&["pub", "(", "in"].map(str::to_owned));
    let mut out = Vec::new();
    let mut i = 0;
    while i < code.len() {
        let (start, mut path) = (i, Vec::new());
        if is_word(i) && (i == 0 || code[i - 1] != "::") {
            path.push(code[i].clone());
            while code.get(i + 1).is_some_and(|t| t == "::") && is_word(i + 2) {
                path.push(code[i + 2].clone());
                i += 2;
            }
        }
        if path.len() > 1 && !is_visibility(start) {
            out.push(path);
        }
        i += 1;
    }
    out
}
