//! Numbers as people read them.

pub(crate) use crate::records::count;
use crate::report::figures::Estimate;
use ttd_stats::Bounds;

/// The sign for a figure that is not known.
pub(crate) const BLANK: &str = "–";

/// A number to two decimals, as ratios are printed; infinity as ∞. From a thousand million on it is
/// a power of ten: an interval may have such an end, and nobody counts its digits.
pub(crate) fn ratio(value: f64) -> String {
    if value.is_finite() && value >= 1e9 { format!("{value:.2e}") } else { fixed(value, 2) }
}

/// A number with this many decimals, with a true minus sign.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "−∞" }.to_owned();
    }
    let text = format!("{value:.decimals$}");
    // A zero has no minus sign: never "−0.00".
    let zero = text.trim_start_matches('-').chars().all(|c| c == '0' || c == '.');
    if zero { text.trim_start_matches('-').to_owned() } else { text.replace('-', "−") }
}

/// Seconds to three significant digits, without the unit.
pub(crate) fn seconds(value: f64) -> String {
    if value <= 0.0 || value.is_infinite() {
        return fixed(value.max(0.0), 0);
    }
    let decimals = (2.0 - value.log10().floor()).clamp(0.0, 9.0);
    fixed(value, decimals as usize)
}

/// A number of any sign and size to three significant digits.
pub(crate) fn significant(value: f64) -> String {
    if value.is_infinite() {
        return fixed(value, 0);
    }
    let digits = seconds(value.abs());
    let zero = digits.chars().all(|c| c == '0' || c == '.');
    if value < 0.0 && !zero { format!("−{digits}") } else { digits }
}

/// A share as a percentage without decimals.
pub(crate) fn percent(share: f64) -> String {
    format!("{}%", fixed(100.0 * share, 0))
}

/// A share as a percentage with one decimal.
pub(crate) fn percents(share: f64) -> String {
    format!("{}%", fixed(100.0 * share, 1))
}

/// A share that a user chose, as a percentage with the decimals that it needs, at most three.
pub(crate) fn short_percent(share: f64) -> String {
    let text = fixed(100.0 * share, 3);
    format!("{}%", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Words with a capital letter.
pub(crate) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A figure, or `[lower, upper]`.
pub(crate) fn bounds(bounds: Option<Bounds>, number: impl Fn(f64) -> String) -> String {
    known(bounds, |b| match b.value() {
        Some(value) => number(value),
        None => format!("[{}, {}]", number(b.lower), number(b.upper)),
    })
}

/// A confidence interval: `1.55 to 1.84`.
pub(crate) fn interval(interval: Option<Bounds>, number: impl Fn(f64) -> String) -> String {
    known(interval, |b| format!("{} to {}", number(b.lower), number(b.upper)))
}

/// A figure with its interval, if it has one: `1.69 (1.55 to 1.84)`.
pub(crate) fn with_interval(
    figure: String,
    over: Option<Bounds>,
    number: impl Fn(f64) -> String,
) -> String {
    if over.is_none() { figure } else { format!("{figure} ({})", interval(over, number)) }
}

/// A probability, as tests give it: `0.012`, `< 0.0001`, `[< 0.0001, 0.012]`.
pub(crate) fn p_value(p: Bounds) -> String {
    if p.upper < LEAST_SHOWN { probability(p.upper) } else { bounds(Some(p), probability) }
}

const LEAST_SHOWN: f64 = 1e-4;

fn probability(p: f64) -> String {
    if p < LEAST_SHOWN { "< 0.0001".to_owned() } else { fixed(p, if p < 0.1 { 4 } else { 2 }) }
}

/// A figure in words, or blank.
pub(crate) fn known<T>(value: Option<T>, words: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| BLANK.to_owned(), words)
}

/// The figure of an estimate.
pub(crate) fn estimate(estimate: Option<Estimate>, number: impl Fn(f64) -> String) -> String {
    bounds(estimate.map(|e| e.value), number)
}

/// A list in words: `1`, `1 and 2`, `1, 2 and 4`.
pub(crate) fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let mut items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    let last = items.pop().unwrap_or_default();
    if items.is_empty() { last } else { format!("{} and {last}", items.join(", ")) }
}

/// Numbers of threads: `1 thread`, `1, 2 and 4 threads`.
pub(crate) fn threads_in_words(threads: &[usize]) -> String {
    format!("{} {}", list(threads), if *threads == [1] { "thread" } else { "threads" })
}

/// These words, if the condition holds; none otherwise.
pub(crate) fn words_if(condition: bool, words: &str) -> &str {
    if condition { words } else { "" }
}

/// The words around a list in words; none if the list is empty.
pub(crate) fn if_any<T: ToString>(
    items: impl IntoIterator<Item = T>,
    words: impl FnOnce(String) -> String,
) -> String {
    Some(list(items)).filter(|list| !list.is_empty()).map(words).unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::float_cmp)] // Exact figures are meant.
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(ratio(1.6934), "1.69");
        assert_eq!(ratio(-0.001), "0.00");
        assert_eq!(ratio(-1.5), "−1.50");
        assert_eq!(ratio(f64::INFINITY), "∞");
        assert_eq!(ratio(1.2617e37), "1.26e37");
        assert_eq!(seconds(0.012_345), "0.0123");
        assert_eq!(seconds(123.45), "123");
        assert_eq!(seconds(0.0), "0");
        assert_eq!(significant(-0.000_123_4), "−0.000123");
        assert_eq!(significant(0.0), "0");
        assert_eq!(significant(f64::NEG_INFINITY), "−∞");
        assert_eq!(percent(0.125), "12%");
        assert_eq!(list([1, 2, 4]), "1, 2 and 4");
        assert_eq!(list::<u8>([]), "");
    }

    #[test]
    fn what_is_open_shows_its_ends() {
        let open = Bounds { lower: 0.0, upper: f64::INFINITY };
        assert_eq!(bounds(Some(open), ratio), "[0.00, ∞]");
        assert_eq!(bounds(None, ratio), BLANK);
        assert_eq!(interval(Some(Bounds { lower: 1.0, upper: 2.0 }), ratio), "1.00 to 2.00");
    }
}
