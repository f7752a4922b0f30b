//! `ttd searchers`.

use super::format::{self, wrap};
use super::output::{Output, Results};
use super::values::depth_parser;
use super::{Exit, Usage};
use crate::experiment::MAX_THREADS;
use crate::records::NumberList;
use crate::report::columns::columns;
use crate::report::memory::{self, MemoryRow};
use clap::Args;
use std::fmt::Write as _;
use ttd_search::searchers::{Extent, Field, MOST_DEPTH, Searcher, Settings};
use ttd_search::value::Value;

/// The width of the text, characters.
const WIDTH: usize = 88;

#[derive(Debug, Args)]
pub(super) struct SearchersArgs {
    /// Print the memory of each searcher by threads, computed from the default settings
    #[arg(long)]
    memory: bool,
    /// Thread counts of --memory: a list or a range [default: 1,2,4,8]
    #[arg(long, value_name = "LIST", requires = "memory")]
    threads: Option<NumberList>,
    /// Size of the transposition table of --memory, MiB
    #[arg(long, value_name = "MIB", requires = "memory", default_value_t = 256,
          value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    hash: u64,
    /// Depth of --memory, plies: more depths have more split points
    #[arg(long, value_name = "DEPTH", requires = "memory", default_value_t = 20,
          value_parser = depth_parser())]
    depth: u8,
    #[command(flatten)]
    output: Output,
}

columns! {
    /// The columns of the searchers.
    fn columns(of: Searcher);

    Words "searcher" = of.name();
    Words "about" = of.description().about;
    Words "source" = of.description().source;
    Words "takes_one_thread" = of.takes_one_thread();
}

/// A parameter of a searcher, with its default.
struct Parameter {
    searcher: Searcher,
    field: Field,
    default: Value,
}

impl Parameter {
    /// Whether the default means that the parameter's idea is off: it begins at a depth that no
    /// search has below its root.
    fn is_off(&self) -> bool {
        let range = self.field.range;
        range.is_some_and(|(_, most)| most == MOST_DEPTH && self.default == Value::Integer(most))
    }

    /// The parameter as it stands in an experiment file.
    fn in_words(&self) -> String {
        let off = if self.is_off() { "\u{a0}(off)" } else { "" };
        format!("{}\u{a0}=\u{a0}{}{off}", self.field.key, self.default)
    }
}

columns! {
    /// The columns of the parameters.
    fn parameters<'a>(of: &'a Parameter);

    Words "searcher" = of.searcher.name();
    Words "key" = of.field.key;
    Words "default" = of.default.as_str().map_or_else(|| of.default.to_string(), str::to_owned);
    Flag "off" = of.is_off();
    Whole "least" = of.field.range.map(|(least, _)| least as f64);
    Whole "most" = of.field.range.filter(|(_, most)| *most < i64::MAX).map(|(_, most)| most as f64);
}

/// Prints the memory of each searcher by threads.
fn print_memory(args: &SearchersArgs) -> anyhow::Result<Exit> {
    let threads = args.threads.clone().unwrap_or_else(|| NumberList(vec![1, 2, 4, 8]));
    let most = MAX_THREADS as i64;
    if let Some(wrong) = threads.0.iter().find(|count| !(1..=most).contains(*count)) {
        return Err(Usage(format!("--threads: {wrong} found, 1 to {most} expected")).into());
    }
    let settings = Settings::default();
    let (hash_mib, depth) = (args.hash as usize, args.depth);
    let of = |&searcher: &Searcher| {
        let all: Vec<usize> = threads.0.iter().map(|count| *count as usize).collect();
        let all = if searcher.takes_one_thread() { vec![1] } else { all };
        let settings = &settings;
        all.into_iter().map(move |threads| MemoryRow {
            searcher: searcher.name().to_owned(),
            threads,
            of: settings.memory_use(
                searcher,
                Extent { threads, hash_mib, depth, corrects: false, has_pawn_history: false },
            ),
        })
    };
    let rows: Vec<MemoryRow> = Searcher::all().iter().flat_map(of).collect();
    let text = || {
        let about = "MiB, computed from the default settings. Shared nodes: a bound, without \
                     extensions. Stacks are reserved: the system gives what is used of them. \
                     Threads have them on real cores, coroutines on virtual ones.";
        let table = format::table(&memory::columns().whole_table(&rows), 1);
        format!("{table}\n{}\n", wrap(about, WIDTH).join("\n"))
    };
    args.output.print(text, &Results::new("memory", memory::columns().file(&rows)))?;
    Ok(Exit::Done)
}

pub(super) fn run(args: &SearchersArgs) -> anyhow::Result<Exit> {
    if args.memory {
        return print_memory(args);
    }
    let settings = Settings::default();
    let of = |&searcher: &Searcher| {
        let defaults = settings.of(searcher);
        let fields = searcher.defaults().fields().iter();
        let parameter = move |&field: &Field| {
            Some(Parameter { searcher, field, default: defaults.get(field.key)?.clone() })
        };
        fields.filter_map(parameter)
    };
    let all: Vec<Parameter> = Searcher::all().iter().flat_map(of).collect();
    let results = Results::new("searchers", columns().file(Searcher::all().iter().copied()))
        .and("parameters", parameters().file(&all));
    args.output.print(|| text(&all), &results)?;
    Ok(Exit::Done)
}

fn text(parameters: &[Parameter]) -> String {
    let mut text = String::new();
    for &searcher in Searcher::all() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{searcher}");
        for line in wrap(&searcher.description().to_string(), WIDTH) {
            let _ = writeln!(text, "    {line}");
        }
        // The parameters are in the form of an experiment file, with their defaults; none is broken
        // in two.
        let own = parameters.iter().filter(|parameter| parameter.searcher == searcher);
        let all: Vec<String> = own.map(Parameter::in_words).collect();
        if !all.is_empty() {
            for line in wrap(&format!("[searcher.{searcher}] {}", all.join(", ")), WIDTH) {
                let _ = writeln!(text, "    {}", line.replace('\u{a0}', " "));
            }
        }
    }
    text
}
