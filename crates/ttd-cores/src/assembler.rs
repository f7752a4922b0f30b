//! The hook: assembler text in which every basic block counts its instructions.
//!
//! A compiler's output for x86-64 (AT&T syntax, GCC's or Clang's) is read line by line. Each block
//! gets one instruction that takes the number of its instructions off a thread-local budget, and a
//! jump for a budget below zero. Both stand where the block's flags are free: no later instruction
//! reads them before one writes them. Where there is no such place the flags are saved, which costs
//! ten times as much.
//!
//! The program runs with the library and without. Its own start looks for the library, and without
//! one the budget becomes endless.

use std::collections::HashMap;
use std::fmt::Write as _;

/// The version of the hook: what a program and the library have agreed on.
pub const VERSION: u64 = 1;

/// A program with this hook holds this text, and then the version in figures.
pub const MARK: &str = "ttd-cores hook ";

/// Lines that are looked at for a use of the flags. Beyond them the flags count as used.
const FAR: usize = 200;

/// Every object brings the budget, the way to the library, and the start. The linker keeps one of
/// each. The way saves all registers, since a block may use any. `$0xe7` are x87, SSE, AVX and
/// AVX-512, of which a processor saves those that it has.
const SUPPORT: &str = r#"# support of the hook
	.section .tbss.ttd_cores_budget,"awTG",@nobits,ttd_cores_budget,comdat
	.weak ttd_cores_budget
	.hidden ttd_cores_budget
	.type ttd_cores_budget,@tls_object
	.size ttd_cores_budget,8
	.align 8
ttd_cores_budget:
	.zero 8
	.section .text.ttd_cores_enter,"axG",@progbits,ttd_cores_enter,comdat
	.weak ttd_cores_enter
	.hidden ttd_cores_enter
	.type ttd_cores_enter,@function
ttd_cores_enter:
	pushfq
	cmpq $0, ttd_cores_spent(%rip)
	jne 1f
	pushq %rax
	movabsq $ENDLESS, %rax
	movq %rax, %fs:ttd_cores_budget@tpoff
	popq %rax
	popfq
	ret
1:	pushq %rbp
	movq %rsp, %rbp
	.irp register,rax,rcx,rdx,rsi,rdi,r8,r9,r10,r11; pushq %\register; .endr
	andq $-64, %rsp
	subq $2816, %rsp
	xorl %edx, %edx
	movl $0xe7, %eax
	.irp word,0,8,16,24,32,40,48,56; movq $0, 512+\word(%rsp); .endr
	xsave (%rsp)
	movq $ttd_cores_budget@tpoff, %rdi
	cld
	call *ttd_cores_spent(%rip)
	xorl %edx, %edx
	movl $0xe7, %eax
	xrstor (%rsp)
	leaq -72(%rbp), %rsp
	.irp register,r11,r10,r9,r8,rdi,rsi,rdx,rcx,rax; popq %\register; .endr
	popq %rbp
	popfq
	ret
	.section .bss.ttd_cores_spent,"awG",@nobits,ttd_cores_spent,comdat
	.weak ttd_cores_spent
	.hidden ttd_cores_spent
	.align 8
ttd_cores_spent:
	.zero 8
	.section .text.ttd_cores_start,"axG",@progbits,ttd_cores_start,comdat
	.weak ttd_cores_start
	.hidden ttd_cores_start
	.type ttd_cores_start,@function
ttd_cores_start:
	pushq %rbx
	leaq 2f(%rip), %rsi
	xorl %edi, %edi
	call dlsym@PLT
	testq %rax, %rax
	jz 1f
	movl $VERSION, %edi
	movq $ttd_cores_budget@tpoff, %rsi
	leaq 3f(%rip), %rdx
	call *%rax
	movq %rax, ttd_cores_spent(%rip)
1:	popq %rbx
	ret
2:	.asciz "ttd_cores_register"
3:	.asciz "ttd-cores hook VERSION"
	.section .init_array,"awG",@init_array,ttd_cores_start,comdat
	.align 8
	.quad ttd_cores_start
"#;

/// A text with the hook, and how it was done.
#[derive(Debug)]
pub struct Instrumented {
    /// The new text.
    pub text: String,
    /// The number of blocks that count.
    pub blocks: usize,
    /// How many of these save the flags.
    pub saving: usize,
}

/// A line of assembler text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Line<'t> {
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

/// Labels that compilers set inside blocks, for debuggers and exceptions.
const INSIDE: [&str; 12] = [
    ".LVL", ".LBB", ".LBE", ".LFB", ".LFE", ".LEHB", ".LEHE", ".LM", ".LCFI", ".Ltmp", ".LBI",
    ".Lcfi",
];

/// Instructions that write all flags that compilers look at, and read none.
const WRITERS: [&str; 22] = [
    "add", "sub", "cmp", "test", "and", "or", "xor", "neg", "imul", "mul", "popcnt", "bsf", "bsr",
    "tzcnt", "lzcnt", "blsr", "blsi", "andn", "comiss", "comisd", "ucomiss", "ucomisd",
];

/// The text with the hook.
///
/// # Errors
///
/// If the text is in Intel syntax.
pub fn instrument(text: &str) -> Result<Instrumented, String> {
    if text.contains(".intel_syntax") {
        return Err("Intel syntax cannot be counted: compile without -masm=intel".to_owned());
    }
    let source: Vec<&str> = text.lines().collect();
    let lines = read(&source);
    let mut writer = Writer::new(&lines);
    let charges = charges(&lines);
    for (at, line) in source.iter().enumerate() {
        if ends_stubs(&lines[at]) {
            writer.flush();
        }
        if let Some(&(count, is_free)) = charges.get(&at) {
            writer.charge(count, is_free);
        }
        writer.line(line, &lines[at]);
    }
    writer.flush();
    Ok(writer.finish())
}

fn read<'t>(source: &[&'t str]) -> Vec<Line<'t>> {
    let mut is_foreign = false;
    let mut lines = Vec::with_capacity(source.len());
    for text in source {
        let bare = text.trim();
        if bare.starts_with("#APP") || bare.starts_with("#NO_APP") {
            is_foreign = bare.starts_with("#APP");
        }
        let code = bare.split('#').next().unwrap_or(bare).trim();
        lines.push(match of(code) {
            Line::Instruction(..) if is_foreign => Line::Foreign(true),
            _ if is_foreign => Line::Foreign(false),
            line => line,
        });
    }
    lines
}

fn of(code: &str) -> Line<'_> {
    if let Some(label) = code.strip_suffix(':') {
        // Clang's blocks are `.LBB1_2`, GCC's scopes `.LBB12`.
        let is_block = label.starts_with(".LBB") && label.contains('_');
        let is_inside = INSIDE.iter().any(|start| label.starts_with(start));
        return if is_inside && !is_block { Line::Other } else { Line::Label(label) };
    }
    let (word, rest) = code.split_once([' ', '\t']).unwrap_or((code, ""));
    if ["rep", "repz", "lock", "notrack", "bnd"].contains(&word) && !rest.is_empty() {
        return of(rest.trim());
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

/// Whether the stubs of a function must stand before this line.
fn ends_stubs(line: &Line<'_>) -> bool {
    section(line).is_some() || matches!(line, Line::Directive(".size", _))
}

/// Where blocks are charged: the line before which the charge stands, the number of instructions,
/// and whether the flags are free there.
fn charges(lines: &[Line<'_>]) -> HashMap<usize, (usize, bool)> {
    let flags = Flags::new(lines);
    let mut found = HashMap::new();
    let mut is_code = true;
    let mut at = 0;
    while at < lines.len() {
        is_code = section(&lines[at]).unwrap_or(is_code);
        if !is_code || !matches!(lines[at], Line::Instruction(..) | Line::Foreign(true)) {
            at += 1;
            continue;
        }
        let end = end_of_block(lines, at);
        let is_place =
            |at: &usize| matches!(lines[*at], Line::Instruction(word, _) if word != "endbr64");
        let places = || (at..end).filter(is_place);
        let count = (at..end)
            .filter(|&at| matches!(lines[at], Line::Instruction(..) | Line::Foreign(true)));
        let count = count.count();
        if let Some(free) = places().find(|&at| flags.are_free(at)) {
            found.insert(free, (count, true));
        } else if let Some(first) = places().next() {
            found.insert(first, (count, false));
        }
        at = end;
    }
    found
}

/// The line behind the block that begins at `start`.
fn end_of_block(lines: &[Line<'_>], start: usize) -> usize {
    for (at, line) in lines.iter().enumerate().skip(start) {
        match line {
            Line::Label(_) => return at,
            Line::Instruction(word, _) if is_jump(word) || is_return(word) => return at + 1,
            line if section(line).is_some() => return at,
            _ => {}
        }
    }
    lines.len()
}

fn is_jump(word: &str) -> bool {
    word.starts_with('j')
}

fn is_return(word: &str) -> bool {
    matches!(word, "ret" | "retq" | "ud2" | "hlt")
}

/// Who reads and writes the flags.
struct Flags<'t> {
    lines: &'t [Line<'t>],
    labels: HashMap<&'t str, usize>,
}

impl<'t> Flags<'t> {
    fn new(lines: &'t [Line<'t>]) -> Self {
        let label = |(at, line): (usize, &Line<'t>)| match *line {
            Line::Label(name) => Some((name, at)),
            _ => None,
        };
        Flags { lines, labels: lines.iter().enumerate().filter_map(label).collect() }
    }

    /// Whether nobody reads the flags as they are before this line.
    fn are_free(&self, start: usize) -> bool {
        let mut at = start;
        for _ in 0..FAR {
            match self.lines.get(at) {
                None | Some(Line::Foreign(_)) => return false,
                Some(Line::Instruction("jmp", target)) => match self.labels.get(target) {
                    Some(&label) => at = label,
                    // A call of another function in the place of a return.
                    None => return !target.starts_with(['*', '.']),
                },
                Some(Line::Instruction(word, _)) if reads(word) => return false,
                Some(Line::Instruction(word, _)) if writes(word) => return true,
                Some(_) => {}
            }
            at += 1;
        }
        false
    }
}

/// Whether an instruction may read flags.
fn reads(word: &str) -> bool {
    let starts = ["set", "cmov", "adc", "sbb", "rcl", "rcr", "fcmov", "lahf", "pushf"];
    is_jump(word) || starts.iter().any(|start| word.starts_with(start)) || word == "cmc"
}

/// Whether an instruction writes all flags. A call and a return leave none that anybody may use.
fn writes(word: &str) -> bool {
    let is_writer = |word: &str| WRITERS.contains(&word);
    let bare = word.strip_suffix(['b', 'w', 'l', 'q']).unwrap_or(word);
    let scalar = word.strip_prefix('v').unwrap_or(word);
    let is_call = matches!(word, "call" | "callq" | "ret" | "retq");
    is_call || is_writer(word) || is_writer(bare) || (scalar.contains("comis") && is_writer(scalar))
}

/// Writes the new text. Stubs, for budgets that are used up, stand behind each function.
struct Writer {
    text: String,
    stubs: String,
    blocks: usize,
    saving: usize,
    /// Whether the last instruction may go on to the next one.
    falls_through: bool,
}

impl Writer {
    fn new(lines: &[Line<'_>]) -> Self {
        let text = String::with_capacity(64 * lines.len());
        Writer { text, stubs: String::new(), blocks: 0, saving: 0, falls_through: false }
    }

    fn line(&mut self, text: &str, line: &Line<'_>) {
        match line {
            Line::Instruction(word, _) => {
                self.falls_through = !(is_return(word) || *word == "jmp");
            }
            Line::Foreign(true) => self.falls_through = true,
            _ => {}
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn charge(&mut self, count: usize, is_free: bool) {
        let block = self.blocks;
        self.blocks += 1;
        let take = format!("\tsubq\t${count}, %fs:ttd_cores_budget@tpoff\n");
        // Writing to a string does not fail.
        if is_free {
            let _ = write!(self.text, "{take}\tjs\t.Lttds{block}\n.Lttdr{block}:\n");
            let _ = write!(
                self.stubs,
                ".Lttds{block}:\n\tleaq\t-128(%rsp), %rsp\n\tcall\tttd_cores_enter\n\
                 \tleaq\t128(%rsp), %rsp\n\tjmp\t.Lttdr{block}\n"
            );
        } else {
            self.saving += 1;
            let _ = write!(
                self.text,
                "\tleaq\t-128(%rsp), %rsp\n\tpushfq\n{take}\tjns\t.Lttdr{block}\n\tcall\tttd_cores_enter\n\
                 .Lttdr{block}:\n\tpopfq\n\tleaq\t128(%rsp), %rsp\n"
            );
        }
    }

    fn flush(&mut self) {
        if self.stubs.is_empty() {
            return;
        }
        let block = self.blocks;
        if self.falls_through {
            let _ = writeln!(self.text, "\tjmp\t.Lttdo{block}");
        }
        self.text.push_str(&self.stubs);
        if self.falls_through {
            let _ = writeln!(self.text, ".Lttdo{block}:");
        }
        self.stubs.clear();
    }

    fn finish(mut self) -> Instrumented {
        if self.blocks > 0 {
            self.text.push_str(&support());
        }
        Instrumented { text: self.text, blocks: self.blocks, saving: self.saving }
    }
}

/// The support with its numbers.
fn support() -> String {
    let version = VERSION.to_string();
    SUPPORT.replace("VERSION", &version).replace("ENDLESS", &(i64::MAX / 4).to_string())
}
