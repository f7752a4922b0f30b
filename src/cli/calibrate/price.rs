//! `ttd calibrate --engine`: the price of an outside engine's instructions on virtual cores.

use crate::calibration::{CalibrationError, Price, Priced, Pricing, price};
use crate::cli::engine::for_virtual_cores;
use crate::cli::output::{Output, Results};
use crate::cli::{Exit, Usage, format, interrupt, tell};
use crate::report::columns::columns;
use crate::uci::EngineSpec;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::str::FromStr;
use std::time::Duration;
use ttd_search::positions::TestPosition;

/// An engine with a hook, and perhaps its plain build: the words of `--engine`, and `plain=`.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::cli) struct Hooked {
    spec: EngineSpec,
    /// The command of the plain build.
    plain: Option<Vec<String>>,
}

impl FromStr for Hooked {
    type Err = String;

    fn from_str(text: &str) -> Result<Hooked, String> {
        let words = shell_words::split(text).map_err(|why| format!("`{text}` found: {why}"))?;
        let (plain, others): (Vec<String>, Vec<String>) =
            words.into_iter().partition(|word| word.starts_with("plain="));
        let Some(plain) = plain.last().and_then(|word| word.strip_prefix("plain=")) else {
            return Ok(Hooked { spec: text.parse()?, plain: None });
        };
        let plain = shell_words::split(plain).map_err(|why| format!("`{plain}` found: {why}"))?;
        if plain.is_empty() {
            return Err("plain: empty: a program and its arguments expected".to_owned());
        }
        Ok(Hooked { spec: EngineSpec::of_words(others)?, plain: Some(plain) })
    }
}

columns! {
    /// The columns of the positions.
    fn columns<'a>(of: &'a Priced);

    Words "position" = of.position.as_str();
    Whole "depth" = f64::from(of.depth);
    Whole "plain_nodes" = of.nodes[0] as f64;
    Whole "virtual_nodes" = of.nodes[1] as f64;
    Six "plain_s" = of.plain_s;
    Six "virtual_s" = of.virtual_s;
    Three "price_ps" = of.price_ps();
}

/// The searches that are asked for.
pub(super) struct Searches<'a> {
    pub(super) positions: &'a [TestPosition],
    pub(super) depth: Option<u8>,
    pub(super) hash_mib: usize,
    pub(super) runs: u32,
    pub(super) host_limit: Duration,
}

/// Measures the price, and prints it as a table `[[engines]]` of an experiment.
pub(super) fn run(
    engine: &Hooked,
    searches: &Searches<'_>,
    output: Output,
) -> anyhow::Result<Exit> {
    let Hooked { spec, plain } = engine;
    let Searches { positions, depth, hash_mib, runs, host_limit } = *searches;
    let runner = for_virtual_cores(spec)?;
    let plain = plain.clone().map(|command| EngineSpec { command, ..spec.clone() });
    let pricing = Pricing {
        hooked: spec.clone(),
        plain,
        runner,
        positions,
        depth: depth.or(spec.depth),
        hash_mib,
        runs,
        host_limit,
    };
    let said = |what: &str| tell(format_args!("ttd: {what}"));
    let price = match price(&pricing, interrupt::flag()?, said) {
        Ok(price) => price,
        Err(CalibrationError::Interrupted) => return Ok(Exit::Interrupted),
        // A fault of the engine is not a failure of this program.
        Err(CalibrationError::Failed(why)) => return Err(Usage(why).into()),
        Err(error) => return Err(error.into()),
    };
    let results = Results::new("positions", columns().file(price.positions()))
        .with("price_ps", price.price_ps())
        .with("spread", price.spread())
        .with("in_doubt", price.doubts());
    output.print(|| text(&price, &pricing), &results)?;
    Ok(Exit::Done)
}

/// The price as a part of an experiment file, with its source.
fn text(price: &Price, pricing: &Pricing<'_>) -> String {
    let positions = format::count(price.counted(), "position");
    let [least, most] = price.range_ps();
    let mut text = format!(
        "# Measured by `ttd calibrate --engine`: one thread, {positions}, the median of {}.\n",
        format::count(pricing.runs as usize, "run")
    );
    let spread = price.spread().map_or_else(String::new, |spread| {
        format!(" They spread by {:.1}% (geometric standard deviation).", 100.0 * spread)
    });
    // Writing to a string cannot fail.
    let _ = writeln!(text, "# Prices of positions: {least:.0} to {most:.0} ps.{spread}");
    if let Some(plain) = &pricing.plain {
        let command = plain.command.join(" ");
        let _ = writeln!(text, "# Times are those of the plain build `{command}`.");
    }
    for doubt in price.doubts() {
        let _ = writeln!(text, "# In doubt: {doubt}.");
    }
    let priced = EngineSpec { price_ps: Some(price.price_ps()), ..pricing.hooked.clone() };
    let file = BTreeMap::from([("engines", [priced])]);
    text.push_str(&toml::to_string(&file).unwrap_or_default());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_build_may_be_named() {
        let read = |text: &str| text.parse::<Hooked>();
        let hooked = read("name=x command=./hooked 'plain=./plain -q' depth=3").expect("an engine");
        assert_eq!(hooked.plain, Some(vec!["./plain".to_owned(), "-q".to_owned()]));
        assert_eq!((hooked.spec.name.as_str(), hooked.spec.depth), ("x", Some(3)));
        assert_eq!(read("./hooked").expect("an engine").plain, None);
        assert!(read("./hooked plain=").is_err_and(|why| why.contains("plain: empty")));
        assert!(read("plain=./x").is_err_and(|why| why.contains("empty: a program")));
    }

    #[test]
    fn the_lines_are_those_of_an_experiment() {
        let one = Priced {
            position: "a".to_owned(),
            depth: 9,
            nodes: [5, 5],
            plain_s: 0.433,
            virtual_s: 2.4,
        };
        let hooked = EngineSpec::new("mine".to_owned(), vec!["./hooked".to_owned()]);
        let pricing = Pricing {
            plain: None,
            hooked,
            runner: "./runner".into(),
            positions: &[],
            depth: None,
            hash_mib: 1,
            runs: 3,
            host_limit: Duration::MAX,
        };
        let other = Priced { position: "b".to_owned(), nodes: [5, 6], ..one.clone() };
        let price = Price::of(vec![one, other], Vec::new(), false).expect("a price");
        let text = text(&price, &pricing);
        assert!(text.contains("one thread, 1 position,"), "{text}");
        assert_eq!(text.matches("# In doubt: ").count(), 2, "{text}");
        assert!(text.contains("the median of 3 runs") && text.contains("`plain=` names"), "{text}");
        let file: toml::Table = text.parse().expect("TOML");
        let engine: EngineSpec = file["engines"][0].clone().try_into().expect("an engine");
        assert_eq!(engine.price_ps, Some(180));
    }
}
