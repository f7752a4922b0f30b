//! Changed costs of virtual cores, as a user names them.

use std::fmt;
use ttd_search::cores::CostModel;
use ttd_search::searchers::Costs;
use ttd_search::value::ValueError;

/// Changed costs, as a user names them: `section_ps=0,split_ps/2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhatIf(Vec<(String, char, i64)>);

impl WhatIf {
    /// Reads a list of changes: `KEY=VALUE` sets a cost, `KEY/N` divides it (rounded down), and
    /// `KEY*N` multiplies it.
    ///
    /// # Errors
    /// The value found, and the value expected.
    pub fn parse(text: &str) -> Result<WhatIf, String> {
        let one = |part: &str| {
            let expected = || format!("`{part}` found, KEY=VALUE, KEY/N or KEY*N expected");
            let at = part.find(['=', '/', '*']).ok_or_else(expected)?;
            let (key, rest) = part.split_at(at);
            let (key, sign) = (key.trim(), rest.chars().next().ok_or_else(expected)?);
            let number: i64 = rest[1..].trim().parse().map_err(|_| expected())?;
            if number < 0 || number == 0 && sign != '=' {
                return Err(expected());
            }
            // An unknown key is told as such, whatever the costs.
            CostModel::default().changed(key, |same| same).map_err(|why| why.what)?;
            Ok((key.to_owned(), sign, number))
        };
        text.split(',').map(one).collect::<Result<_, _>>().map(WhatIf)
    }

    /// The costs with these changes.
    ///
    /// # Errors
    /// The key and the expected values, if a changed cost is not possible.
    pub fn costs(&self, costs: &Costs) -> Result<Costs, ValueError> {
        costs.changed(|model| {
            self.0.iter().try_fold(*model, |model, (key, sign, number)| {
                model.changed(key, |value| match sign {
                    '=' => *number,
                    '/' => value / number,
                    _ => value.saturating_mul(*number),
                })
            })
        })
    }
}

impl fmt::Display for WhatIf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one = |(key, sign, number): &(String, char, i64)| format!("{key}{sign}{number}");
        f.write_str(&self.0.iter().map(one).collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_read_and_made() {
        let what_if = WhatIf::parse("section_ps=0, split_ps/2,wake_ps*3").expect("changes");
        assert_eq!(what_if.to_string(), "section_ps=0,split_ps/2,wake_ps*3");
        let usual = CostModel::default();
        let costs = what_if.costs(&Costs::default()).expect("possible").common;
        let expected = (0, usual.split_ps / 2, usual.wake_ps * 3);
        assert_eq!((costs.section_ps, costs.split_ps, costs.wake_ps), expected);
        for (odd, why) in [
            ("", "`` found, KEY=VALUE, KEY/N or KEY*N expected"),
            ("section_ps", "`section_ps` found, KEY=VALUE"),
            ("section_ps=x", "`section_ps=x` found, KEY=VALUE"),
            ("split_ps/0", "`split_ps/0` found, KEY=VALUE"),
            ("sections=0", "unknown key `sections`: did you mean `section_ps`?"),
        ] {
            let found = WhatIf::parse(odd).expect_err(odd);
            assert!(found.starts_with(why), "{found}");
        }
        let too_dear = WhatIf::parse("node_ps=0").expect("a change").costs(&Costs::default());
        assert!(too_dear.is_err_and(|why| why.what.contains("1 to 1000000000 expected")));
    }
}
