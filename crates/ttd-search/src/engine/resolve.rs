//! All techniques, from a table that names some of them.

use super::consequences;
use super::{Aspiration, Techniques};
use crate::value::{Table, ValueError, over, read, table_of};

impl Techniques {
    /// Reads `[engine]`: `preset`, and the differences from it.
    ///
    /// # Errors
    /// A message that names the key and the values that were expected.
    pub fn resolve(table: &Table) -> Result<Techniques, ValueError> {
        Techniques::resolve_over(&Table::new(), table)
    }

    /// Reads a table that stands over an earlier one, as [`Techniques::resolve`] reads one.
    ///
    /// A switch alone switches its technique; the numbers of the technique stay. A technique that
    /// has no meaning beside a choice goes off with it, even if `before` had it on. It comes back
    /// with another choice.
    ///
    /// # Errors
    /// A message that names the key and the values that were expected. Also where `said` itself
    /// switches on a technique that has no meaning.
    pub fn resolve_over(before: &Table, said: &Table) -> Result<Techniques, ValueError> {
        let (given, first): (Techniques, Techniques) = (read(said.clone())?, read(before.clone())?);
        let preset = if said.contains_key("preset") { given.preset } else { first.preset };
        let base = table_of(&Techniques::preset(preset))?;
        let mut techniques: Techniques = read(over(over(base, before), said))?;
        techniques.check_numbers()?;
        consequences::draw(&mut techniques, said)?;
        Ok(techniques)
    }

    /// Refuses numbers outside their range.
    fn check_numbers(&self) -> Result<(), ValueError> {
        for (technique, numbers) in self.numbers() {
            for (key, value) in numbers {
                let range = Techniques::range(key);
                if !range.contains(&value) {
                    let (least, most) = (range.start(), range.end());
                    let what = format!(
                        "`{technique}.{key}` is {value}; it must lie between {least} and {most}"
                    );
                    return Err(ValueError::at(&[technique, key], what));
                }
            }
        }
        let Aspiration { window, max, .. } = self.aspiration;
        if window > max {
            let what =
                format!("`aspiration.window` is {window}, more than `aspiration.max`: {max}");
            let is_usual = window == Aspiration::default().window;
            let key = if is_usual { "max" } else { "window" };
            return Err(ValueError::at(&["aspiration", key], what));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::NullMove;
    use crate::engine::Preset;
    use crate::engine::technique::HistoryRecords;

    fn resolve(text: &str) -> Result<Techniques, String> {
        Techniques::resolve(&toml::from_str(text).expect("TOML")).map_err(|why| why.to_string())
    }

    #[test]
    fn a_preset_and_what_differs() {
        let techniques =
            resolve("preset = \"exact\"\nnull_move = { enabled = true }").expect("good");
        assert!(techniques.null_move.enabled && !techniques.razoring.enabled);
        assert_eq!(techniques.null_move.reduction, NullMove::default().reduction);
        assert_eq!(resolve(""), Ok(Techniques::default()));
        assert_eq!(techniques.changes(), ["null_move.enabled = true"]);
        assert!(Techniques::default().changes().is_empty());
    }

    #[test]
    fn a_switch_alone_stands_for_the_technique() {
        let techniques = resolve("null_move = false\nhistory = false").expect("good");
        assert_eq!(techniques.null_move, NullMove::off());
        assert_eq!(techniques.history, HistoryRecords::off());
        assert_eq!(resolve("history = true"), Ok(Techniques::default()));
        let error = resolve("history = 1").expect_err("neither");
        assert!(error.contains("true, false or a table"), "{error}");
        let error = resolve("history = { squares = 1 }").expect_err("no key");
        assert!(error.contains("`squares`") && error.contains("`square`"), "{error}");
    }

    #[test]
    fn older_names_are_read() {
        for (older, name) in [
            ("table = \"aged-one-way\"", "table = \"aged-1\""),
            ("table = \"aged-two-ways\"", "table = \"aged-2\""),
            ("table = \"aged-4\"", "table = \"aged\""),
            ("killers = false", "killers = { enabled = false, count = 2 }"),
            ("killers = true", ""),
        ] {
            assert_eq!(resolve(older), resolve(name), "{older}");
        }
        assert!(resolve("killers = { count = 5 }").is_err_and(|why| why.contains("1 and 4")));
    }

    #[test]
    fn what_is_written_out_reads_back() {
        for preset in [Preset::Default, Preset::Exact, Preset::Plain] {
            let techniques = Techniques::preset(preset);
            let table = table_of(&techniques).expect("a table");
            assert_eq!(Techniques::resolve(&table), Ok(techniques));
        }
    }

    #[test]
    fn what_is_wrong_is_told_with_its_keys() {
        for (text, keys) in [
            ("preset = \"odd\"", "preset"),
            ("nul_move = true", "nul_move"),
            ("null_move = { reductio = 1 }", "null_move.reductio"),
            ("null_move = { reduction = true }", "null_move.reduction"),
            ("null_move = { reduction = 0 }", "null_move.reduction"),
            ("aspiration = { max = 1 }", "aspiration.max"),
            ("quiescence = false\ndelta_pruning = true", "delta_pruning"),
        ] {
            let refused = Techniques::resolve(&toml::from_str(text).expect("TOML"));
            assert_eq!(refused.expect_err(text).keys.join("."), keys);
        }
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        assert!(resolve("nul_move = {}").is_err_and(|e| e.contains("nul_move")));
        assert!(resolve("null_move = { reduction = 0 }").is_err_and(|e| e.contains("reduction")));
        assert!(
            resolve("aspiration = { max = 13 }").is_err_and(|e| e.contains("`aspiration.max`"))
        );
        assert!(resolve("beam = { percent = 101 }").is_err_and(|e| e.contains("1 and 100")));
        assert!(resolve("ordering = \"best\"").is_err_and(|e| e.contains("`mvv-lva`")));
    }
}
