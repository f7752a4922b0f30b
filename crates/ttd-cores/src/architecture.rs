//! Processors, as far as programs differ by them: names, numbers, and the syntax of assembler text.

use crate::assembler::{Line, Syntax, Text};
use std::ops::Range;

/// The processor for which this is compiled.
#[cfg(not(target_arch = "aarch64"))]
pub type Own = X86;
/// The processor for which this is compiled.
#[cfg(target_arch = "aarch64")]
pub type Own = Aarch64;

/// The instructions of x86-64, in AT&T syntax.
///
/// A charge is one instruction and a jump. Both stand where the block's flags are free: no later
/// instruction reads them before one writes them. Where there is no such place the flags are saved,
/// which costs ten times as much.
#[derive(Debug)]
pub struct X86;

impl X86 {
    /// Its name.
    pub const NAME: &'static str = "x86-64";
    /// Its number in the head of a program (`e_machine` of ELF).
    pub const ELF: u8 = 62;
    /// Options that a compiler needs for the hook, each behind a space.
    pub const OPTIONS: &'static str = "";
    /// The emulator whose plugin counts for programs without a hook.
    pub const EMULATOR: Option<&'static str> = Some("qemu-x86_64");

    /// Lines that are looked at for a use of the flags. Beyond them the flags count as used.
    const FAR: usize = 200;

    /// Instructions that write all flags that compilers look at, and read none.
    const WRITERS: [&str; 22] = [
        "add", "sub", "cmp", "test", "and", "or", "xor", "neg", "imul", "mul", "popcnt", "bsf",
        "bsr", "tzcnt", "lzcnt", "blsr", "blsi", "andn", "comiss", "comisd", "ucomiss", "ucomisd",
    ];

    /// Whether nobody reads the flags as they are before this line.
    fn are_free(text: &Text<'_>, start: usize) -> bool {
        let mut at = start;
        for _ in 0..Self::FAR {
            match text.lines.get(at) {
                None | Some(Line::Foreign(_)) => return false,
                Some(Line::Instruction("jmp", target)) => match text.labels.get(target) {
                    Some(&label) => at = label,
                    // A call of another function in the place of a return.
                    None => return !target.starts_with(['*', '.']),
                },
                Some(Line::Instruction(word, _)) if Self::reads(word) => return false,
                Some(Line::Instruction(word, _)) if Self::writes(word) => return true,
                Some(_) => {}
            }
            at += 1;
        }
        false
    }

    /// Whether an instruction may read flags.
    fn reads(word: &str) -> bool {
        let starts = ["set", "cmov", "adc", "sbb", "rcl", "rcr", "fcmov", "lahf", "pushf"];
        Self::is_jump(word) || starts.iter().any(|start| word.starts_with(start)) || word == "cmc"
    }

    /// Whether an instruction writes all flags. Calls and returns leave none that anybody may use.
    fn writes(word: &str) -> bool {
        let is_writer = |word: &str| Self::WRITERS.contains(&word);
        let bare = word.strip_suffix(['b', 'w', 'l', 'q']).unwrap_or(word);
        let scalar = word.strip_prefix('v').unwrap_or(word);
        let is_call = matches!(word, "call" | "callq" | "ret" | "retq");
        let is_comparison = scalar.contains("comis") && is_writer(scalar);
        is_call || is_writer(word) || is_writer(bare) || is_comparison
    }
}

impl Syntax for X86 {
    const COMMENT: &'static str = "#";
    const PREFIXES: &'static [&'static str] = &["rep", "repz", "lock", "notrack", "bnd"];
    const JUMP: &'static str = "jmp";
    const REACH: usize = usize::MAX;
    /// `$0xe7` are x87, SSE, AVX and AVX-512, of which a processor saves those that it has.
    const ENTER: &'static str = r"	pushfq
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
";
    const START: &'static str = r"	pushq %rbx
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
";

    fn of(text: &Text<'_>) -> Result<Self, String> {
        if text.source.iter().any(|line| line.contains(".intel_syntax")) {
            return Err("Intel syntax cannot be counted: compile without -masm=intel".to_owned());
        }
        Ok(X86)
    }

    fn is_jump(word: &str) -> bool {
        word.starts_with('j')
    }

    fn is_return(word: &str) -> bool {
        matches!(word, "ret" | "retq" | "ud2" | "hlt")
    }

    fn place(&self, text: &Text<'_>, mut block: Range<usize>) -> Option<(usize, bool)> {
        let is_place =
            |at: &usize| matches!(text.lines[*at], Line::Instruction(word, _) if word != "endbr64");
        let free = block.clone().filter(is_place).find(|&at| Self::are_free(text, at));
        free.map(|at| (at, true)).or_else(|| block.find(is_place).map(|at| (at, false)))
    }

    fn may_cut(&self, _: usize) -> bool {
        true
    }

    fn among_charges(&self, _: &Text<'_>, _: usize) -> Option<String> {
        None
    }

    fn charge(block: usize, count: usize, is_free: bool) -> (String, String) {
        let take = format!("\tsubq\t${count}, %fs:ttd_cores_budget@tpoff\n");
        if is_free {
            let charge = format!("{take}\tjs\t.Lttds{block}\n.Lttdr{block}:\n");
            let stub = format!(
                ".Lttds{block}:\n\tleaq\t-128(%rsp), %rsp\n\tcall\tttd_cores_enter\n\
                 \tleaq\t128(%rsp), %rsp\n\tjmp\t.Lttdr{block}\n"
            );
            return (charge, stub);
        }
        let charge = format!(
            "\tleaq\t-128(%rsp), %rsp\n\tpushfq\n{take}\tjns\t.Lttdr{block}\n\tcall\tttd_cores_enter\n\
             .Lttdr{block}:\n\tpopfq\n\tleaq\t128(%rsp), %rsp\n"
        );
        (charge, String::new())
    }
}

/// The instructions of ARM's 64-bit processors.
///
/// A charge needs two registers, and leaves the flags alone. `x16` and `x17` are free in a function
/// that names neither, since any call may change them. In another one they are saved.
#[derive(Debug)]
pub struct Aarch64 {
    /// Whether the function of a line names one of the two registers.
    named: Vec<bool>,
    /// Whether a line stands between the load and the store of an exclusive access. Another access
    /// there might make it fail for ever, and another thread might make it succeed in error.
    exclusive: Vec<bool>,
}

impl Aarch64 {
    /// Its name.
    pub const NAME: &'static str = "aarch64";
    /// Its number in the head of a program (`e_machine` of ELF).
    pub const ELF: u8 = 183;
    /// Options that a compiler needs for the hook, each behind a space. Its tables of jumps have
    /// bytes, into which the distances among charges do not fit.
    pub const OPTIONS: &'static str = " -fno-jump-tables";
    /// The emulator whose plugin counts for programs without a hook: none yet.
    pub const EMULATOR: Option<&'static str> = None;

    /// Jumps by conditions, as GCC writes them.
    const CONDITIONS: [&str; 16] = [
        "beq", "bne", "bcs", "bhs", "bcc", "blo", "bmi", "bpl", "bvs", "bvc", "bhi", "bls", "bge",
        "blt", "bgt", "ble",
    ];

    /// Whether a line names a register of the charge.
    fn names(line: &str) -> bool {
        let mut words = line.split(|of: char| !of.is_ascii_alphanumeric());
        words.any(|word| matches!(word, "x16" | "w16" | "x17" | "w17" | "ip0" | "ip1"))
    }

    /// For each line, whether its function names a register of the charge.
    fn named(text: &Text<'_>) -> Vec<bool> {
        let mut named = vec![false; text.lines.len()];
        let mut start = 0;
        for (at, line) in text.lines.iter().enumerate() {
            // The end of a function, behind all its parts.
            if matches!(line, Line::Directive(".size", _)) || at + 1 == text.lines.len() {
                let names = text.source[start..=at].iter().any(|line| Self::names(line));
                named[start..=at].fill(names);
                start = at + 1;
            }
        }
        named
    }

    /// For each line, whether it stands inside an exclusive access.
    fn exclusive(text: &Text<'_>) -> Vec<bool> {
        let has =
            |word: &str, starts: [&str; 4]| starts.iter().any(|start| word.starts_with(start));
        let mut is_inside = false;
        let mark = |line: &Line<'_>| {
            let before = is_inside;
            if let Line::Instruction(word, _) = line {
                is_inside |= has(word, ["ldxr", "ldaxr", "ldxp", "ldaxp"]);
                is_inside &= !has(word, ["stxr", "stlxr", "stxp", "stlxp"]);
                is_inside &= !matches!(*word, "clrex" | "bl" | "blr" | "ret");
            }
            before
        };
        text.lines.iter().map(mark).collect()
    }
}

impl Syntax for Aarch64 {
    const COMMENT: &'static str = "//";
    const PREFIXES: &'static [&'static str] = &[];
    const JUMP: &'static str = "b";
    /// `tbz` reaches over 32 KiB. A line has 44 bytes at most with its charge, and 16 of a stub.
    /// Stubs of as many lines before the jump may stand behind it.
    const REACH: usize = 400;
    /// Bit 0 of the function's address is set where the processor has SVE.
    const ENTER: &'static str = r"	sub sp, sp, #176
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18; str x\n, [sp, #8*\n]; .endr
	mrs x0, nzcv
	mrs x1, fpsr
	stp x0, x1, [sp, #152]
	str x30, [sp, #168]
	adrp x16, ttd_cores_spent
	ldr x16, [x16, #:lo12:ttd_cores_spent]
	cbnz x16, 1f
	mrs x16, tpidr_el0
	add x16, x16, #:tprel_hi12:ttd_cores_budget, lsl #12
	mov x17, #ENDLESS
	str x17, [x16, #:tprel_lo12_nc:ttd_cores_budget]
	b 4f
1:	mov x29, sp
	movz x0, #:tprel_g1:ttd_cores_budget
	movk x0, #:tprel_g0_nc:ttd_cores_budget
	tbnz x16, #0, 2f
	sub x1, sp, #512
	mov sp, x1
	.irp of,v0.2d-v3.2d,v4.2d-v7.2d,v8.2d-v11.2d,v12.2d-v15.2d,v16.2d-v19.2d,v20.2d-v23.2d,v24.2d-v27.2d,v28.2d-v31.2d; st1 {\of}, [x1], #64; .endr
	blr x16
	.irp of,v0.2d-v3.2d,v4.2d-v7.2d,v8.2d-v11.2d,v12.2d-v15.2d,v16.2d-v19.2d,v20.2d-v23.2d,v24.2d-v27.2d,v28.2d-v31.2d; ld1 {\of}, [sp], #64; .endr
	b 3f
2:	sub x16, x16, #1
	.arch_extension sve
	addvl sp, sp, #-32
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31; str z\n, [sp, #\n, mul vl]; .endr
	addpl sp, sp, #-24
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15; str p\n, [sp, #\n, mul vl]; .endr
	rdffr p0.b
	str p0, [sp, #16, mul vl]
	blr x16
	ldr p0, [sp, #16, mul vl]
	wrffr p0.b
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15; ldr p\n, [sp, #\n, mul vl]; .endr
	addpl sp, sp, #24
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31; ldr z\n, [sp, #\n, mul vl]; .endr
3:	mov sp, x29
	ldp x0, x1, [sp, #152]
	msr nzcv, x0
	msr fpsr, x1
4:	ldr x30, [sp, #168]
	.irp n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18; ldr x\n, [sp, #8*\n]; .endr
	add sp, sp, #176
	ret
";
    /// `AT_HWCAP` is 16, and its bit 22 is SVE.
    const START: &'static str = r"	hint #34
	stp x29, x30, [sp, #-16]!
	mov x0, #0
	adrp x1, 2f
	add x1, x1, #:lo12:2f
	bl dlsym
	cbz x0, 1f
	mov x9, x0
	mov x0, #VERSION
	movz x1, #:tprel_g1:ttd_cores_budget
	movk x1, #:tprel_g0_nc:ttd_cores_budget
	adrp x2, 3f
	add x2, x2, #:lo12:3f
	blr x9
	cbz x0, 1f
	adrp x1, ttd_cores_spent
	str x0, [x1, #:lo12:ttd_cores_spent]
	mov x0, #16
	bl getauxval
	tbz x0, #22, 1f
	adrp x1, ttd_cores_spent
	ldr x0, [x1, #:lo12:ttd_cores_spent]
	add x0, x0, #1
	str x0, [x1, #:lo12:ttd_cores_spent]
1:	ldp x29, x30, [sp], #16
	ret
";

    fn of(text: &Text<'_>) -> Result<Self, String> {
        let is_short = |line: &Line<'_>| matches!(line, Line::Directive(".byte" | ".hword" | ".2byte", of) if of.starts_with('('));
        if text.lines.iter().any(is_short) {
            return Err("tables of short jumps cannot grow: compile with -fno-jump-tables".into());
        }
        Ok(Aarch64 { named: Self::named(text), exclusive: Self::exclusive(text) })
    }

    fn is_jump(word: &str) -> bool {
        let is_plain = matches!(word, "b" | "cbz" | "cbnz" | "tbz" | "tbnz");
        is_plain
            || word.starts_with("b.")
            || word.starts_with("bc.")
            || Self::CONDITIONS.contains(&word)
    }

    fn is_return(word: &str) -> bool {
        let is_other = word.starts_with("bra") || word.starts_with("reta");
        matches!(word, "ret" | "br" | "brk" | "udf" | "eret") || is_other
    }

    fn place(&self, text: &Text<'_>, mut block: Range<usize>) -> Option<(usize, bool)> {
        let is_landing = |word| matches!(word, "bti" | "hint" | "paciasp" | "pacibsp");
        let is_place = |at: &usize| matches!(text.lines[*at], Line::Instruction(word, _) if !is_landing(word) && !self.exclusive[*at]);
        block.find(is_place).map(|at| (at, !self.named[at]))
    }

    fn may_cut(&self, at: usize) -> bool {
        !self.exclusive[at]
    }

    fn among_charges(&self, text: &Text<'_>, at: usize) -> Option<String> {
        let Line::Instruction(word @ ("tbz" | "tbnz"), rest) = text.lines[at] else { return None };
        let (tested, target) = rest.rsplit_once(',')?;
        let label = text.labels.get(target.trim());
        if label.is_some_and(|label| label.abs_diff(at) <= Self::REACH) {
            return None;
        }
        let other = if word == "tbz" { "tbnz" } else { "tbz" };
        Some(format!("\t{other}\t{tested}, .Lttdt{at}\n\tb\t{}\n.Lttdt{at}:", target.trim()))
    }

    fn charge(block: usize, count: usize, is_free: bool) -> (String, String) {
        const BUDGET: &str = "[x16, #:tprel_lo12_nc:ttd_cores_budget]";
        let [save, restore] = if is_free {
            ["", ""]
        } else {
            ["\tstp\tx16, x17, [sp, #-16]!\n", "\tldp\tx16, x17, [sp], #16\n"]
        };
        let (low, high) = (count % 4096, count / 4096);
        let more =
            if high > 0 { format!("\tsub\tx17, x17, #{high}, lsl #12\n") } else { String::new() };
        let charge = format!(
            "{save}\tmrs\tx16, tpidr_el0\n\tadd\tx16, x16, #:tprel_hi12:ttd_cores_budget, lsl #12\n\
             \tldr\tx17, {BUDGET}\n\tsub\tx17, x17, #{low}\n{more}\tstr\tx17, {BUDGET}\n\
             \ttbnz\tx17, #63, .Lttds{block}\n.Lttdr{block}:\n{restore}"
        );
        let stub = format!(
            ".Lttds{block}:\n\tstp\tx29, x30, [sp, #-16]!\n\tbl\tttd_cores_enter\n\
             \tldp\tx29, x30, [sp], #16\n\tb\t.Lttdr{block}\n"
        );
        (charge, stub)
    }
}
