//! The hook: assembler text in which every basic block counts its instructions.
//!
//! A compiler's output, GCC's or Clang's, is read line by line. Each block gets instructions that
//! take the number of its instructions off a thread-local budget, and a jump for a budget below
//! zero. Which these are, and where in a block they may stand, a [`Syntax`] says.
//!
//! The program runs with the library and without. Its own start looks for the library, and without
//! one the budget becomes endless.

use std::collections::HashMap;
use std::ops::Range;

/// The version of the hook: what a program and the library have agreed on.
pub const VERSION: u64 = 1;

/// A program with this hook holds this text, and then the version in figures.
pub const MARK: &str = "ttd-cores hook ";

/// Every object brings the budget, the way to the library, and the start. The linker keeps one of
/// each. The way saves all registers, since a block may use any.
const SUPPORT: &str = r#"# support of the hook
	.section .tbss.ttd_cores_budget,"awTG",@nobits,ttd_cores_budget,comdat
	.weak ttd_cores_budget
	.hidden ttd_cores_budget
	.type ttd_cores_budget,@tls_object
	.size ttd_cores_budget,8
	.balign 8
ttd_cores_budget:
	.zero 8
	.section .text.ttd_cores_enter,"axG",@progbits,ttd_cores_enter,comdat
	.weak ttd_cores_enter
	.hidden ttd_cores_enter
	.type ttd_cores_enter,@function
ttd_cores_enter:
ENTER	.section .bss.ttd_cores_spent,"awG",@nobits,ttd_cores_spent,comdat
	.weak ttd_cores_spent
	.hidden ttd_cores_spent
	.balign 8
ttd_cores_spent:
	.zero 8
	.section .text.ttd_cores_start,"axG",@progbits,ttd_cores_start,comdat
	.weak ttd_cores_start
	.hidden ttd_cores_start
	.type ttd_cores_start,@function
ttd_cores_start:
START2:	.asciz "ttd_cores_register"
3:	.asciz "ttd-cores hook VERSION"
	.section .init_array,"awG",@init_array,ttd_cores_start,comdat
	.balign 8
	.quad ttd_cores_start
"#;

/// A text with the hook, and how it was done.
#[derive(Debug)]
pub struct Instrumented {
    /// The new text.
    pub text: String,
    /// The number of blocks that count.
    pub blocks: usize,
    /// How many of these save what the charge changes.
    pub saving: usize,
}

/// A line of assembler text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Line<'t> {
    /// The beginning of a block.
    Label(&'t str),
    /// Mnemonic and operands.
    Instruction(&'t str, &'t str),
    /// It begins with a point.
    Directive(&'t str, &'t str),
    /// Text of an `asm` statement, which may not be cut; what it does is not known.
    Foreign(bool),
    /// Comments, labels that nothing jumps to.
    Other,
}

/// A compiler's output.
#[derive(Debug)]
pub struct Text<'t> {
    /// The lines as they are.
    pub source: Vec<&'t str>,
    /// Their meaning.
    pub lines: Vec<Line<'t>>,
    /// The line of each label.
    pub labels: HashMap<&'t str, usize>,
}

/// The instructions of a processor, as far as the hook must know them.
pub trait Syntax: Sized {
    /// The beginning of a comment.
    const COMMENT: &'static str;
    /// Words that stand before an instruction.
    const PREFIXES: &'static [&'static str];
    /// The instruction that goes to a label.
    const JUMP: &'static str;
    /// The number of lines of a text over which the charge's own jump reaches, however many charges
    /// stand there.
    const REACH: usize;
    /// The body of `ttd_cores_enter`: it calls the function in `ttd_cores_spent` with the offset of
    /// the budget, and keeps all registers. Without a function it makes the budget `ENDLESS`.
    const ENTER: &'static str;
    /// The body of `ttd_cores_start`: it asks `dlsym` for the name at `2f`. It calls what it finds
    /// with `VERSION`, the offset of the budget, and the text at `3f`. The result is kept in
    /// `ttd_cores_spent`.
    const START: &'static str;

    /// Looks through a text.
    ///
    /// # Errors
    ///
    /// If the text cannot be counted: the reason.
    fn of(text: &Text<'_>) -> Result<Self, String>;
    /// Whether an instruction is a jump, so that a block ends behind it.
    fn is_jump(word: &str) -> bool;
    /// Whether nothing comes behind an instruction in its function, unless something jumps there.
    fn is_return(word: &str) -> bool;
    /// The line of a block before which the charge stands, and whether it need save nothing there.
    fn place(&self, text: &Text<'_>, block: Range<usize>) -> Option<(usize, bool)>;
    /// Whether anything may stand before a line that begins no block.
    fn may_cut(&self, at: usize) -> bool;
    /// An instruction as it must be written among charges, if not as it is.
    fn among_charges(&self, text: &Text<'_>, at: usize) -> Option<String>;
    /// The charge of a block with so many instructions, and a stub for a budget that is used up.
    /// Labels are `.Lttds` (the stub) and `.Lttdr` (behind the charge) with the block's number.
    fn charge(block: usize, count: usize, is_free: bool) -> (String, String);
}

/// Labels that compilers set inside blocks, for debuggers and exceptions.
const INSIDE: [&str; 12] = [
    ".LVL", ".LBB", ".LBE", ".LFB", ".LFE", ".LEHB", ".LEHE", ".LM", ".LCFI", ".Ltmp", ".LBI",
    ".Lcfi",
];

/// The text with the hook.
///
/// ```
/// use ttd_cores::architecture::{Aarch64, X86};
/// use ttd_cores::assembler::instrument;
///
/// let one = instrument::<X86>("f:\n\tret\n").expect("it can be counted");
/// let other = instrument::<Aarch64>("f:\n\tret\n").expect("it can be counted");
/// assert_eq!((one.blocks, other.blocks), (1, 1));
/// ```
///
/// # Errors
///
/// The reason, if the text cannot be counted: Intel syntax, or tables of short jumps.
pub fn instrument<S: Syntax>(text: &str) -> Result<Instrumented, String> {
    let text = read::<S>(text);
    let syntax = S::of(&text)?;
    let charges = charges(&text, &syntax);
    let mut writer = Writer::<S>::new(&text);
    for (at, line) in text.lines.iter().enumerate() {
        if ends_stubs(line) || (writer.must_flush(at) && may_cut(line) && syntax.may_cut(at)) {
            writer.flush();
        }
        if let Some(&(count, is_free)) = charges.get(&at) {
            writer.charge(at, count, is_free);
        }
        let stretched = syntax.among_charges(&text, at);
        writer.line(stretched.as_deref().unwrap_or(text.source[at]), line);
    }
    writer.flush();
    Ok(writer.finish())
}

fn read<S: Syntax>(text: &str) -> Text<'_> {
    let source: Vec<&str> = text.lines().collect();
    let mut is_foreign = false;
    let mut lines = Vec::with_capacity(source.len());
    for text in &source {
        let bare = text.trim();
        let mark = bare.trim_start_matches(['#', '/']);
        if mark.len() < bare.len() && (mark.starts_with("APP") || mark.starts_with("NO_APP")) {
            is_foreign = mark.starts_with("APP");
        }
        let code = bare.split(S::COMMENT).next().unwrap_or(bare).trim();
        lines.push(match of::<S>(code) {
            Line::Instruction(..) if is_foreign => Line::Foreign(true),
            _ if is_foreign => Line::Foreign(false),
            line => line,
        });
    }
    let label = |(at, line)| if let &Line::Label(name) = line { Some((name, at)) } else { None };
    let labels = lines.iter().enumerate().filter_map(label).collect();
    Text { source, lines, labels }
}

fn of<S: Syntax>(code: &str) -> Line<'_> {
    if let Some(label) = code.strip_suffix(':') {
        // Clang's blocks are `.LBB1_2`, GCC's scopes `.LBB12`.
        let is_block = label.starts_with(".LBB") && label.contains('_');
        let is_inside = INSIDE.iter().any(|start| label.starts_with(start));
        return if is_inside && !is_block { Line::Other } else { Line::Label(label) };
    }
    let (word, rest) = code.split_once([' ', '\t']).unwrap_or((code, ""));
    if S::PREFIXES.contains(&word) && !rest.is_empty() {
        return of::<S>(rest.trim());
    }
    if word.starts_with('.') {
        Line::Directive(word, rest.trim())
    } else if word.starts_with(|first: char| first.is_ascii_lowercase()) && !code.contains(" = ") {
        Line::Instruction(word, rest.trim())
    } else {
        Line::Other
    }
}

/// Whether the instructions behind a directive are code: `None` if it does not change the section.
fn section(line: &Line<'_>) -> Option<bool> {
    match line {
        Line::Directive(".text", _) => Some(true),
        Line::Directive(".data" | ".bss", _) => Some(false),
        Line::Directive(".section", rest) => Some(rest.starts_with(".text")),
        _ => None,
    }
}

/// Whether stubs may stand before this line. A text within another one, as of an `asm` statement,
/// may have sections, macros and jumps of its own.
fn may_cut(line: &Line<'_>) -> bool {
    !matches!(line, Line::Foreign(_))
}

/// Whether the stubs of a function must stand before this line.
fn ends_stubs(line: &Line<'_>) -> bool {
    section(line).is_some() || matches!(line, Line::Directive(".size", _))
}

/// Where blocks are charged: the line before which the charge stands, the number of instructions,
/// and whether nothing need be saved there.
fn charges<S: Syntax>(text: &Text<'_>, syntax: &S) -> HashMap<usize, (usize, bool)> {
    let lines = &text.lines;
    let is_instruction =
        |at: usize| matches!(lines[at], Line::Instruction(..) | Line::Foreign(true));
    let mut found = HashMap::new();
    let mut is_code = true;
    let mut at = 0;
    while at < lines.len() {
        is_code = section(&lines[at]).unwrap_or(is_code);
        if !is_code || !is_instruction(at) {
            at += 1;
            continue;
        }
        let end = end_of_block::<S>(lines, at);
        let count = (at..end).filter(|&at| is_instruction(at)).count();
        if let Some((place, is_free)) = syntax.place(text, at..end) {
            found.insert(place, (count, is_free));
        }
        at = end;
    }
    found
}

/// The line behind the block that begins at `start`.
fn end_of_block<S: Syntax>(lines: &[Line<'_>], start: usize) -> usize {
    for (at, line) in lines.iter().enumerate().skip(start) {
        match line {
            Line::Label(_) => return at,
            Line::Instruction(word, _) if S::is_jump(word) || S::is_return(word) => return at + 1,
            line if section(line).is_some() => return at,
            _ => {}
        }
    }
    lines.len()
}

/// Writes the new text. Stubs, for budgets that are used up, stand behind each function. They stand
/// inside where its end is too far.
struct Writer<S> {
    text: String,
    stubs: String,
    /// The line of the first charge whose stub is not yet written.
    first: Option<usize>,
    blocks: usize,
    saving: usize,
    /// Whether the last instruction may go on to the next one.
    falls_through: bool,
    /// Whether a label stands behind it.
    is_labelled: bool,
    syntax: std::marker::PhantomData<S>,
}

impl<S: Syntax> Writer<S> {
    fn new(text: &Text<'_>) -> Self {
        Writer {
            text: String::with_capacity(64 * text.lines.len()),
            stubs: String::new(),
            first: None,
            blocks: 0,
            saving: 0,
            falls_through: false,
            is_labelled: false,
            syntax: std::marker::PhantomData,
        }
    }

    fn line(&mut self, text: &str, line: &Line<'_>) {
        self.is_labelled |= matches!(line, Line::Label(_));
        self.is_labelled &= !matches!(line, Line::Instruction(..) | Line::Foreign(true));
        match line {
            Line::Instruction(word, _) => {
                self.falls_through = !(S::is_return(word) || *word == S::JUMP);
            }
            Line::Foreign(true) => self.falls_through = true,
            _ => {}
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn charge(&mut self, at: usize, count: usize, is_free: bool) {
        let (charge, stub) = S::charge(self.blocks, count, is_free);
        self.blocks += 1;
        self.saving += usize::from(!is_free);
        self.text.push_str(&charge);
        if !stub.is_empty() {
            self.first.get_or_insert(at);
            self.stubs.push_str(&stub);
        }
    }

    /// Whether stubs must not wait longer. They stand best where nothing falls through, and nothing
    /// may come between a label and its block.
    fn must_flush(&self, at: usize) -> bool {
        let far = self.first.map_or(0, |first| at - first);
        !self.is_labelled && far > if self.falls_through { S::REACH } else { S::REACH / 2 }
    }

    fn flush(&mut self) {
        if self.stubs.is_empty() {
            return;
        }
        let over = format!(".Lttdo{}", self.blocks);
        let (jump, label) = (format!("\t{}\t{over}\n", S::JUMP), format!("{over}:\n"));
        if self.falls_through {
            self.text.push_str(&jump);
        }
        self.text.push_str(&self.stubs);
        if self.falls_through {
            self.text.push_str(&label);
        }
        self.stubs.clear();
        self.first = None;
    }

    fn finish(mut self) -> Instrumented {
        if self.blocks > 0 {
            let support = SUPPORT.replace("ENTER", S::ENTER).replace("START", S::START);
            let support = support.replace("VERSION", &VERSION.to_string());
            self.text.push_str(&support.replace("ENDLESS", &(i64::MAX / 4).to_string()));
        }
        Instrumented { text: self.text, blocks: self.blocks, saving: self.saving }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::{Aarch64, X86};

    #[test]
    fn short_jumps_of_arm_reach_among_charges() {
        let blocks = "\tadd\tw1, w1, 1\n\tcbz\tw1, .L8\n\tb\t.L8\n.L7:\n".repeat(1500);
        // Each line is a block that saves registers, before a short jump and behind it.
        let before = "\tcbz\tx16, .L8\n".repeat(Aarch64::REACH - 1);
        let behind = "\tcbz\tx16, .L8\n\tb\t.L8\n".repeat(Aarch64::REACH / 2 - 1);
        let blocks = format!("{blocks}{before}\ttbz\tx16, 5, .L6\n{behind}.L6:\n{blocks}");
        let code =
            format!("f:\n\ttbz\tw0, 3, .L9\n.L8:\n\ttbnz\tw0, 4, .L8\n{blocks}.L9:\n\tret\n");
        let made = instrument::<Aarch64>(&code).expect("it can be counted").text;
        assert!(made.contains("\ttbnz\tw0, 3, .Lttdt1\n\tb\t.L9\n.Lttdt1:\n"));
        assert!(made.contains("\ttbnz\tw0, 4, .L8\n"));
        let mut address = 0_usize;
        let (mut labels, mut jumps) = (HashMap::new(), Vec::new());
        for line in made.lines().take_while(|line| !line.starts_with('#')) {
            match line.strip_suffix(':') {
                Some(label) => drop(labels.insert(label, address)),
                None => address += 4,
            }
            if line.starts_with("\ttb") {
                jumps.extend(line.rsplit(' ').next().map(|label| (address, label)));
            }
        }
        assert!(made.contains("\ttbz\tx16, 5, .L6\n"));
        assert_eq!(jumps.len(), 3 + 2 * 3000 + 2 * Aarch64::REACH + 1);
        assert!(!made.contains(".L7:\n.Lttds"), "a stub stands in a block");
        assert!(jumps.iter().all(|(at, label)| labels[label].abs_diff(*at) < 32_000));
        assert!(instrument::<Aarch64>("\t.byte\t(.L4 - .Lrtx2) / 4\n").is_err());
    }

    #[test]
    fn text_that_is_no_code_stays() {
        let code = "\t.section\t.rodata\n.L4:\n\t.long\t.L5-.L4\n\t.text\n#APP\n\tnop\n#NO_APP";
        assert_eq!(instrument::<X86>(code).expect("AT&T syntax").text, format!("{code}\n"));
        assert!(instrument::<X86>("\t.intel_syntax noprefix\n").is_err());
    }
}
