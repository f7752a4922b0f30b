//! `ttd doctor`: is this machine fit for a long run?

use super::output::{Output, Results};
use super::{Exit, format, tell};
use crate::doctor::{Checkup, Finding, Verdict, findings};
use crate::report::columns::columns;
use clap::Args;
use std::fmt::Write as _;

/// The width of the text, characters.
const WIDTH: usize = 96;

columns! {
    /// The columns of the findings.
    fn columns<'a>(of: &'a Finding);

    Words "check" = of.check;
    Words "verdict" = of.verdict.name();
    Words "read" = of.read.as_str();
    Words "effect" = of.effect;
    Words "remedy" = of.remedy.as_str();
    Words "page" = of.page();
}

/// The check takes about three seconds. It changes nothing, and needs no further rights. The exit
/// status is 0, whatever it finds.
#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    /// Size of the transposition table that the run will have
    #[arg(long, value_name = "MIB", default_value_t = 256)]
    hash: u64,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &DoctorArgs) -> anyhow::Result<Exit> {
    tell("ttd: watching the machine and measuring, about three seconds");
    let findings = findings(&Checkup::now(args.hash));
    let results = Results::new("findings", columns().file(&findings));
    args.output.print(|| text(&findings), &results)?;
    Ok(Exit::Done)
}

/// All findings in a table, then the effect and the remedy of each that is not good.
fn text(findings: &[Finding]) -> String {
    let row = |finding: &Finding| {
        [finding.check, finding.verdict.name(), finding.read.as_str()].map(str::to_owned).to_vec()
    };
    let mut text = format::table(&findings.iter().map(row).collect::<Vec<_>>(), 3);
    let remarkable = |finding: &&Finding| [Verdict::Look, Verdict::Bad].contains(&finding.verdict);
    for finding in findings.iter().filter(remarkable) {
        let (check, verdict) = (finding.check, finding.verdict.name());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{check} ({verdict}): {}", finding.page());
        let remedy = format!("to change it: {}", finding.remedy);
        for paragraph in [finding.effect, remedy.as_str()] {
            for line in format::wrap(paragraph, WIDTH - 4) {
                let _ = writeln!(text, "    {line}");
            }
        }
    }
    let count = |verdict| findings.iter().filter(|f| f.verdict == verdict).count();
    let [good, look, bad, unknown] =
        [Verdict::Good, Verdict::Look, Verdict::Bad, Verdict::Unknown].map(count);
    let _ = writeln!(text, "\n{good} good, {look} to look at, {bad} bad, {unknown} unknown");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_are_explained_below_the_table() {
        let finding = |check, verdict| Finding {
            check,
            verdict,
            read: format!("of {check}"),
            effect: "times grow",
            remedy: "echo 0".to_owned(),
        };
        let findings = [finding("boost", Verdict::Look), finding("shared cores", Verdict::Good)];
        let expected = "\
boost         look  of boost
shared cores  good  of shared cores

boost (look): docs/measuring.md#boost
    times grow
    to change it: echo 0

1 good, 1 to look at, 0 bad, 0 unknown
";
        assert_eq!(text(&findings), expected);
        let csv = columns().file(&findings).csv();
        assert!(csv.ends_with(",docs/measuring.md#shared-cores\n"), "{csv}");
    }
}
