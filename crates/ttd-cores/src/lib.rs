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
//! | [`schedule`] | which thread runs next, and how long: plain data, without threads |
//! | [`assembler`] | the hook: assembler text in which every basic block counts its instructions |
//!
//! The command `ttd-cores` (`main.rs`) stands in for the assembler, tells the flags of compilers,
//! and runs a program with the library.

pub mod assembler;
pub mod schedule;
pub mod threads;

#[cfg(test)]
mod tests {
    //! Histories of a schedule; texts of a compiler, with the hook.

    use super::assembler::instrument;
    use super::schedule::{Id, Next, Schedule, Settings, Spent, hash};
    use std::collections::BTreeSet;

    const SETTINGS: Settings = Settings { seed: 1, quantum: 100, start: 0, wake: 0 };

    #[test]
    fn the_earliest_thread_runs_within_a_quantum() {
        let mut schedule = Schedule::new(SETTINGS);
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
        let mut schedule = Schedule::new(SETTINGS);
        let other = schedule.spawn().expect("room");
        assert_eq!(schedule.block(7, Some(500)), Next::Thread(other));
        schedule.charge(30);
        assert_eq!((schedule.wake(8, 9), schedule.wake(7, 9)), (0, 1));
        assert_eq!(schedule.block(7, Some(40)), Next::Thread(0));
        assert!(!schedule.timed_out());
        assert_eq!(schedule.now(), 30);
        assert_eq!(schedule.block(7, None), Next::Thread(other));
        assert!(schedule.timed_out());
        assert_eq!(schedule.now(), 40);
        assert_eq!(schedule.exit(99), Next::Nobody);
    }

    #[test]
    fn input_comes_when_all_are_quiet_or_only_poll() {
        let mut schedule = Schedule::new(SETTINGS);
        let other = schedule.spawn().expect("room");
        assert_eq!(schedule.external_wait(None), Next::Thread(other));
        schedule.charge(1_000_000);
        assert_eq!(schedule.turn(), Next::Thread(other));
        let mut polls = 0;
        while schedule.running() == other {
            let until = schedule.now() + 5;
            schedule.block(0, Some(until));
            polls += 1;
        }
        assert!(polls > 10);
        assert!(schedule.now() >= 1_000_000);
    }

    #[test]
    fn a_sleep_without_end_keeps_no_input_waiting() {
        let mut schedule = Schedule::new(SETTINGS);
        let other = schedule.spawn().expect("room");
        assert_eq!(schedule.external_wait(None), Next::Thread(other));
        assert_eq!(schedule.block(7, Some(2_147_483_647_000_000_000)), Next::Thread(0));
        assert_eq!(schedule.now(), 0);
        // A thread beside it looks up now and then all the same.
        assert_eq!(schedule.allowance(), 50_000_000);
        for _ in 0..9 {
            schedule.block(8, Some(i64::MAX));
            assert!((0..=i64::MAX / 4).contains(&schedule.now()));
        }
    }

    #[test]
    fn an_alarm_ends_a_wait_for_input_while_others_work() {
        let mut schedule = Schedule::new(SETTINGS);
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
        assert_eq!(schedule.block(7, None), Next::Thread(0));
        assert_eq!(schedule.now(), 9_000);
        assert!(schedule.takes_alarm());
        assert_eq!(schedule.external_wait(Some(9_500)), Next::Thread(0));
        assert!(!schedule.timed_out());
    }

    #[test]
    fn an_account_has_all_times_since_a_reading() {
        let mut schedule = Schedule::new(Settings { start: 10, ..SETTINGS });
        schedule.charge(5);
        let other = schedule.spawn().expect("room");
        assert_eq!(schedule.block(7, None), Next::Thread(other));
        let start = schedule.now();
        schedule.charge(300);
        schedule.wake(7, 1);
        assert_eq!(schedule.exit(9), Next::Thread(0));
        schedule.charge(20);
        let spent = |busy, wait| Spent { busy, wait, queue: 0 };
        let all = vec![spent(25, start + 300 - 5), spent(300, 0)];
        assert_eq!((schedule.account(), schedule.busy()), ((0, all), 325));
        // Who ended before a reading is in no account after it.
        schedule.reads();
        schedule.charge(7);
        assert_eq!(schedule.account(), (start + 320, vec![spent(7, 0)]));
    }

    #[test]
    fn a_random_history_keeps_clocks_in_order() {
        let history = |seed| {
            let mut schedule = Schedule::new(Settings { seed, start: 50, wake: 20, ..SETTINGS });
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
                    0 => schedule.block(draw(5) as usize + 1, Some(now + draw(900) as i64)),
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
        assert_eq!(history(1), history(1));
        assert_ne!(history(1), history(2));
    }

    /// The lines with the hook, up to the stubs.
    fn counted(code: &str) -> Vec<String> {
        let made = instrument(code).expect("AT&T syntax");
        let end = made.text.find("# support").unwrap_or(made.text.len());
        let lines = made.text[..end].lines().map(|line| line.trim().replace('\t', " "));
        lines.take_while(|line| !line.starts_with(".Lttds")).collect()
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
        assert_eq!(counted(code).join("|"), expected);
    }

    #[test]
    fn flags_that_are_read_later_are_kept() {
        let start = "f:\n\tcmpl\t$1, %eax\n\tja\t.L2\n";
        // The second block reads the flags of the first, behind a jump too, and behind `inc`.
        for end in [
            "\tje\t.L2\n\tret\n.L2:\n\tret",
            "\tjmp\t.L3\n.L2:\n\tret\n.L3:\n\tincl\t%eax\n\tsete\t%al\n\tret",
        ] {
            assert!(counted(&format!("{start}{end}")).contains(&"pushfq".to_owned()), "{end}");
        }
        // The charge of this one stands before the addition, which writes all flags.
        let lines = counted(&format!("{start}\tsete\t%al\n\taddl\t$2, %eax\n\tret\n.L2:\n\tret"));
        let at = |text: &str| lines.iter().position(|line| line == text);
        assert!(
            at("sete %al") < at(".Lttdr1:") && at(".Lttdr1:") < at("addl $2, %eax"),
            "{lines:?}"
        );
    }

    #[test]
    fn text_that_is_no_code_stays() {
        let code = "\t.section\t.rodata\n.L4:\n\t.long\t.L5-.L4\n\t.text\n#APP\n\tnop\n#NO_APP";
        assert_eq!(instrument(code).expect("AT&T syntax").text, format!("{code}\n"));
        assert!(instrument("\t.intel_syntax noprefix\n").is_err());
    }
}
