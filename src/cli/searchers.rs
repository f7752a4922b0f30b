//! `ttd searchers`.

use super::Exit;
use super::format::wrap;
use super::output::{Output, Results};
use crate::report::columns::columns;
use clap::Args;
use std::fmt::Write as _;
use ttd_search::searchers::{Field, MOST_DEPTH, Searcher, Settings};
use ttd_search::value::Value;

/// The width of the text, characters.
const WIDTH: usize = 88;

#[derive(Debug, Args)]
pub(super) struct SearchersArgs {
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

pub(super) fn run(args: &SearchersArgs) -> anyhow::Result<Exit> {
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
