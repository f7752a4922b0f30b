//! Virtual cores for the threads of another program.
//!
//! A program in machine code is made to count what it executes (a *hook*). A library that is
//! preloaded (`preload/`) takes over its threads, locks, waits and clocks. The thread with the
//! earliest virtual clock runs, and all others wait. So the program runs with any number of threads
//! on one core, and two runs with one seed are the same.
//!
//! | module | content |
//! |---|---|
//! | [`threads`] | clocks, states and times of threads; the queue of those that want to run |
//! | [`timeline`] | the times of threads: their account, and what each did and when |
//! | [`processors`] | the model of cores: speeds, and fewer processors than threads |
//! | [`schedule`] | which thread runs next, and how long: plain data, without threads |
//! | [`assembler`] | the hook: assembler text in which every basic block counts its instructions |
//! | [`architecture`] | the processors, as far as programs differ by them |
//! | [`program`] | what the file of a program tells: its hook, what virtual cores lack |
//!
//! The command `ttd-cores` (`main.rs`) stands in for the assembler, tells the flags of compilers,
//! and runs a program with the library.

pub mod architecture;
pub mod assembler;
pub mod processors;
pub mod program;
pub mod schedule;
pub mod threads;
pub mod timeline;

#[cfg(test)]
mod tests {
    //! Histories of a schedule; texts of a compiler, with the hook.

    use super::architecture::{Aarch64, X86};
    use super::assembler::{Syntax, instrument};
    use super::processors::{Machine, Turbo};
    use super::schedule::{Doing, Id, Next, Picoseconds, Schedule, Settings, Spent, hash};
    use std::collections::BTreeSet;

    fn settings() -> Settings {
        Settings { seed: 1, quantum: 100, start: 0, wake: 0, machine: Machine::default() }
    }

    /// Settings with processors that threads share, a slice of 1000 and a switch of 7.
    fn shared(processors: usize) -> Settings {
        let machine = Machine { slice: 1000, switch: 7, ..Machine::default() };
        Settings { machine: Machine { processors: Some(processors), ..machine }, ..settings() }
    }

    #[test]
    fn the_earliest_thread_runs_within_a_quantum() {
        let mut schedule = Schedule::new(settings());
        let other = schedule.spawn().expect("room");
        assert_eq!(schedule.allowance(), 100);
        schedule.charge(99);
        assert_eq!(schedule.turn(), Next::Thread(0));
        schedule.charge(1);
        assert_eq!(schedule.turn(), Next::Thread(other));
        assert_eq!((schedule.now(), schedule.allowance()), (0, 200));
        // A thread that yields goes on while it is the earliest.
        schedule.charge(99);
        assert_eq!(schedule.yield_now(), Next::Thread(other));
        schedule.charge(2);
        assert_eq!(schedule.yield_now(), Next::Thread(0));
    }

    #[test]
    fn waits_end_by_a_wake_up_or_by_their_deadline() {
        let mut schedule = Schedule::new(settings());
        let other = schedule.spawn().expect("room");
        assert_eq!(schedule.block(Doing::Lock, 7, Some(500)), Next::Thread(other));
        schedule.charge(30);
        assert_eq!((schedule.wake(8, 9), schedule.wake(7, 9)), (0, 1));
        assert_eq!(schedule.block(Doing::Lock, 7, Some(40)), Next::Thread(0));
        assert!(!schedule.timed_out());
        assert_eq!(schedule.now(), 30);
        assert_eq!(schedule.block(Doing::Lock, 7, None), Next::Thread(other));
        assert!(schedule.timed_out());
        assert_eq!(schedule.now(), 40);
        assert_eq!(schedule.exit(99), Next::Nobody);
    }

    #[test]
    fn input_comes_when_all_are_quiet_or_only_poll() {
        let mut schedule = Schedule::new(settings());
        let other = schedule.spawn().expect("room");
        assert_eq!(schedule.external_wait(None), Next::Thread(other));
        schedule.charge(1_000_000);
        assert_eq!(schedule.turn(), Next::Thread(other));
        let mut polls = 0;
        while schedule.running() == other {
            let until = schedule.now() + 5;
            schedule.block(Doing::Lock, 0, Some(until));
            polls += 1;
        }
        assert!(polls > 10);
        assert!(schedule.now() >= 1_000_000);
    }

    #[test]
    fn a_sleep_without_end_keeps_no_input_waiting() {
        let mut schedule = Schedule::new(settings());
        let other = schedule.spawn().expect("room");
        assert_eq!(schedule.external_wait(None), Next::Thread(other));
        assert_eq!(
            schedule.block(Doing::Lock, 7, Some(2_147_483_647_000_000_000)),
            Next::Thread(0)
        );
        assert_eq!(schedule.now(), 0);
        // A thread beside it looks up now and then all the same.
        assert_eq!(schedule.allowance(), 50_000_000);
        for _ in 0..9 {
            schedule.block(Doing::Lock, 8, Some(i64::MAX));
            assert!((0..=i64::MAX / 4).contains(&schedule.now()));
        }
    }

    #[test]
    fn an_alarm_ends_a_wait_for_input_while_others_work() {
        let mut schedule = Schedule::new(settings());
        let other = schedule.spawn().expect("room");
        schedule.set_alarm(Some(1_000));
        assert_eq!(schedule.external_wait(None), Next::Thread(other));
        while schedule.turn() == Next::Thread(other) {
            schedule.charge(schedule.allowance());
        }
        // The other one is not ahead by more than a quantum.
        assert_eq!((schedule.running(), schedule.now()), (0, 1_000));
        assert!(schedule.takes_alarm() && !schedule.takes_alarm());
        // While it is set nobody gets a line, although all are quiet. Without it somebody does.
        schedule.set_alarm(Some(9_000));
        assert_eq!(schedule.external_wait(None), Next::Thread(other));
        assert_eq!(schedule.block(Doing::Lock, 7, None), Next::Thread(0));
        assert_eq!(schedule.now(), 9_000);
        assert!(schedule.takes_alarm());
        assert_eq!(schedule.external_wait(Some(9_500)), Next::Thread(0));
        assert!(!schedule.timed_out());
    }

    #[test]
    fn an_account_has_all_times_since_a_reading() {
        let mut schedule = Schedule::new(Settings { start: 10, ..settings() });
        schedule.charge(5);
        let other = schedule.spawn().expect("room");
        assert_eq!(schedule.block(Doing::Lock, 7, None), Next::Thread(other));
        let start = schedule.now();
        schedule.charge(300);
        schedule.wake(7, 1);
        assert_eq!(schedule.exit(9), Next::Thread(0));
        schedule.charge(20);
        let spent = |busy, wait| Spent { busy, wait, queue: 0 };
        let all = vec![spent(25, start + 300 - 5), spent(300, 0)];
        assert_eq!((schedule.account(), schedule.busy()), ((0, all), (325, 25)));
        // Who ended before a reading is in no account after it.
        schedule.reads(false);
        schedule.charge(7);
        assert_eq!(schedule.account(), (start + 320, vec![spent(7, 0)]));
    }

    /// The times at which each thread stops, with so many of 3000 to do.
    fn stops(settings: Settings, threads: usize) -> (Vec<Picoseconds>, Vec<Spent>) {
        let mut schedule = Schedule::new(settings);
        for _ in 1..threads {
            schedule.spawn().expect("room");
        }
        let mut left = vec![3000; threads];
        loop {
            let id = schedule.running();
            let step = schedule.allowance().min(left[id]);
            schedule.charge(step);
            left[id] -= step;
            let next = if left[id] == 0 {
                schedule.block(Doing::Lock, id + 1, None)
            } else {
                schedule.turn()
            };
            if next == Next::Nobody {
                break;
            }
        }
        let (_, all) = schedule.account();
        let stop = |spent: &Spent| spent.busy + spent.queue;
        (all.iter().map(stop).collect(), all)
    }

    #[test]
    fn a_processor_goes_round_in_slices() {
        let (times, all) = stops(shared(1), 2);
        // Two switches of 7 for each slice but the first.
        assert_eq!(times, [5028, 6035]);
        assert!(all.iter().all(|spent| spent.busy == 3000));
        // With one for each nothing changes.
        for threads in [1, 2, 5, 40] {
            assert_eq!(stops(shared(threads), threads), stops(settings(), threads));
        }
        // Of four threads on three, or nine on two, each has its share.
        for (processors, threads) in [(3, 4), (2, 9), (6, 64)] {
            let (times, all) = stops(shared(processors), threads);
            let fair = 3000 * threads as Picoseconds / processors as Picoseconds;
            let last = times.iter().max().copied().unwrap_or_default();
            assert!((fair..=fair + 2000).contains(&last), "{threads} on {processors}: {last}");
            assert!(all.iter().all(|spent| spent.busy == 3000));
        }
    }

    #[test]
    fn who_waits_or_yields_gives_its_processor_up() {
        let mut schedule = Schedule::new(shared(1));
        let other = schedule.spawn().expect("room");
        schedule.charge(10);
        // The other one comes to the line, since the first one holds the processor.
        assert_eq!(schedule.yield_now(), Next::Thread(0));
        assert_eq!(schedule.yield_now(), Next::Thread(other));
        assert_eq!(schedule.now(), 17);
        schedule.charge(20);
        assert_eq!(schedule.block(Doing::Lock, 5, Some(100)), Next::Thread(0));
        assert_eq!(schedule.now(), 44);
        // The deadline comes while the first one works. It needs no line if that one ends before.
        schedule.charge(30);
        assert_eq!(schedule.block(Doing::Lock, 6, None), Next::Thread(other));
        assert_eq!((schedule.now(), schedule.timed_out()), (107, true));
        schedule.wake(6, 1);
        schedule.charge(400);
        assert_eq!(schedule.turn(), Next::Thread(other));
        let (_, all) = schedule.account();
        assert_eq!(all[0].queue + all[0].wait, schedule.now() - 40);
        assert_eq!(all[1], Spent { busy: 420, wait: 63, queue: 24 });
    }

    #[test]
    fn work_is_dearer_beside_other_work() {
        let rate = |machine: Machine, threads: usize| {
            let mut schedule = Schedule::new(Settings { machine, ..settings() });
            for _ in 1..threads {
                schedule.spawn().expect("room");
            }
            // All have come to a processor when the first one is ahead of them.
            schedule.charge(1000);
            while schedule.running() != 0 || schedule.now() <= 1000 {
                schedule.charge(1001);
                schedule.turn();
            }
            schedule.rate()
        };
        let plain = Machine::default();
        assert_eq!(rate(plain, 9), 1_000_000);
        assert_eq!(rate(Machine { slowdown_permille: 10, ..plain }, 3), 1_020_000);
        let turbo = Turbo::parse("2=1000,4=500").expect("steps");
        let turbo = Machine { turbo, ..plain };
        assert_eq!(
            [1, 3, 8].map(|threads| rate(turbo, threads)),
            [1_000_000, 1_333_000, 2_000_000]
        );
        let siblings = Machine { processors: Some(4), threads_per_core: 2, ..plain };
        // Two threads have a core each. A third one sits beside the first.
        assert_eq!(
            [1, 2, 3].map(|threads| rate(siblings, threads)),
            [1_000_000, 1_000_000, 1_600_000]
        );
        let wrong = |machine: Machine| machine.checked().expect_err("a reason");
        assert!(wrong(Machine { processors: Some(3), ..siblings }).contains("a divisor of the 3"));
        assert!(wrong(Machine { slice: 0, ..plain }).contains("--slice-ps is 0: 1 to"));
        for text in ["1=1000,1=900", "1=900,2=1000", "0=1000", "one", ""] {
            assert!(Turbo::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_random_history_keeps_clocks_in_order() {
        let history = |seed, settings| {
            let mut schedule = Schedule::new(Settings { seed, start: 50, wake: 20, ..settings });
            let mut draws = hash(99);
            let mut draw = |below: u64| {
                draws = hash(draws);
                draws % below
            };
            let mut ran: Vec<(Id, i64)> = Vec::new();
            for _ in 0..40 {
                schedule.spawn().expect("room");
            }
            for _ in 0..20_000 {
                schedule.charge(draw(60) as i64);
                let now = schedule.now();
                let next = match draw(10) {
                    0 => schedule.block(
                        Doing::Lock,
                        draw(5) as usize + 1,
                        Some(now + draw(900) as i64),
                    ),
                    1 => {
                        schedule.wake(draw(5) as usize + 1, 2);
                        schedule.turn()
                    }
                    2 => schedule.yield_now(),
                    _ => schedule.turn(),
                };
                assert!(matches!(next, Next::Thread(id) if id == schedule.running()));
                // Nobody is left behind by more than a quantum and one charge.
                assert!(schedule.allowance() + 60 >= 0, "{}", schedule.allowance());
                ran.push((schedule.running(), schedule.now()));
            }
            assert_eq!(ran.iter().map(|&(id, _)| id).collect::<BTreeSet<_>>().len(), 41);
            ran
        };
        for settings in [settings(), shared(3)] {
            assert_eq!(history(1, settings), history(1, settings));
            assert_ne!(history(1, settings), history(2, settings));
        }
    }

    /// The lines with the hook, up to the stubs.
    fn counted<S: Syntax>(code: &str) -> String {
        let made = instrument::<S>(code).expect("AT&T syntax");
        let end = made.text.find("# support").unwrap_or(made.text.len());
        let lines = made.text[..end].lines().map(|line| line.trim().replace('\t', " "));
        lines.take_while(|line| !line.starts_with(".Lttds")).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn a_block_is_charged_once_where_its_flags_are_free() {
        let code = "f:\n\tmovl\t%edi, %eax\n\ttestl\t%eax, %eax\n\tje\t.L2\n\tret\n.L2:\n\tret";
        let charge = |count, block: &str| {
            format!("subq ${count}, %fs:ttd_cores_budget@tpoff|js .Lttds{block}|.Lttdr{block}:")
        };
        let (first, second, third) = (charge(3, "0"), charge(1, "1"), charge(1, "2"));
        let expected = format!(
            "f:|{first}|movl %edi, %eax|testl %eax, %eax|je .L2|{second}|ret|.L2:|{third}|ret"
        );
        assert_eq!(counted::<X86>(code), expected);
    }

    #[test]
    fn flags_that_are_read_later_are_kept() {
        let start = "f:\n\tcmpl\t$1, %eax\n\tja\t.L2\n";
        // The second block reads the flags of the first, behind a jump too, and behind `inc`.
        for end in [
            "\tje\t.L2\n\tret\n.L2:\n\tret",
            "\tjmp\t.L3\n.L2:\n\tret\n.L3:\n\tincl\t%eax\n\tsete\t%al\n\tret",
        ] {
            assert!(counted::<X86>(&format!("{start}{end}")).contains("|pushfq|"), "{end}");
        }
        // The charge of this one stands before the addition, which writes all flags.
        let lines =
            counted::<X86>(&format!("{start}\tsete\t%al\n\taddl\t$2, %eax\n\tret\n.L2:\n\tret"));
        assert!(lines.contains("|sete %al|subq $"), "{lines}");
        assert!(lines.contains("|.Lttdr1:|addl $2, %eax|"), "{lines}");
    }

    #[test]
    fn a_charge_of_arm_saves_registers_where_they_are_named() {
        let budget = "[x16, #:tprel_lo12_nc:ttd_cores_budget]";
        let charge = |count: &str, block: &str| {
            format!(
                "mrs x16, tpidr_el0|add x16, x16, #:tprel_hi12:ttd_cores_budget, lsl #12|\
                 ldr x17, {budget}|sub x17, x17, {count}|str x17, {budget}|\
                 tbnz x17, #63, .Lttds{block}|.Lttdr{block}:"
            )
        };
        let (first, second) = (charge("#4", "0"), charge("#1", "1"));
        let code = "f:\n\tbti\tc // landing\n\tcmp\tw0, 1\n\tadd\tw0, w1, w2\n\tbeq\tf\n\tret";
        let expected =
            format!("f:|bti c // landing|{first}|cmp w0, 1|add w0, w1, w2|beq f|{second}|ret");
        assert_eq!(counted::<Aarch64>(code), expected);
        // The size of a function ends the part of the text that names a register.
        let code = "f:\n\tadd\tx16, x0, x1\n\tbr\tx16\n\t.size f, .-f\ng:\n\tret\n\t.size g, .-g";
        let made = instrument::<Aarch64>(code).expect("it can be counted");
        assert_eq!((made.blocks, made.saving), (2, 1));
        assert!(made.text.starts_with("f:\n\tstp\tx16, x17, [sp, #-16]!\n\tmrs\t"));
        assert!(made.text.contains(".Lttdr0:\n\tldp\tx16, x17, [sp], #16\n\tadd\tx16, x0, x1\n"));
        let many = format!("f:\n{}\tret\n", "\tnop\n".repeat(5000));
        assert!(counted::<Aarch64>(&many).contains("x17, #905|sub x17, x17, #1, lsl #12|"));
    }

    #[test]
    fn nothing_comes_between_an_exclusive_load_and_its_store() {
        let code = "f:\n.LBB0_1:\n\tldaxr\tw8, [x0]\n\tcmp\tw8, w1\n\tb.ne\t.LBB0_3\n\tstlxr\tw9, w2, [x0]\n\
                    \tcbnz\tw9, .LBB0_1\n\tret\n.LBB0_3:\n\tclrex\n\tret";
        let lines = counted::<Aarch64>(code);
        let access =
            "ldaxr w8, [x0]|cmp w8, w1|b.ne .LBB0_3|stlxr w9, w2, [x0]|mrs x16, tpidr_el0|";
        assert!(lines.contains(access), "{lines}");
        assert_eq!(lines.matches("mrs x16").count(), 4);
    }
    #[test]
    fn stubs_of_arm_stand_in_no_asm_statement() {
        let blocks = "\tadd\tw1, w1, 1\n\tcbz\tw1, .L8\n.L8:\n".repeat(300);
        let asm = format!("//APP\n{}\tnop\n", "\tnop\n\tb . + 8\n".repeat(300));
        let code = format!("f:\n{blocks}{asm}//NO_APP\n{blocks}\tret\n");
        let made = instrument::<Aarch64>(&code).expect("it can be counted");
        assert!(made.text.contains(&asm));
    }
}
