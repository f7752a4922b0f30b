//! The marked values of an axis, and the texts of the marks. All marks of an axis are of one kind:
//! numbers with equally many decimals, fractions, or powers.

use crate::report::numbers::fixed;

/// A marked value and its text.
pub(crate) type Tick = (f64, String);

/// The greatest number of decimals of a mark. Marks that take more are fractions or powers.
const MOST_DECIMALS: usize = 2;

/// Marks at powers of two, if there are at least six of them. If there are more than
/// [`MOST_POWERS`], every second or third is marked. If there are fewer than six, values between
/// them are marked too, until there are four. Marks are at least a fifteenth of the range apart.
pub(crate) fn ratio_ticks(low: f64, high: f64) -> Vec<Tick> {
    let choices: [(usize, &[f64]); 5] = [
        (6, &[1.0]),
        (4, &[1.0, 1.5]),
        (4, &[1.0, 1.25, 1.5, 1.75]),
        (4, &[1.0, 1.2, 1.4, 1.6, 1.8]),
        (0, &[1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9]),
    ];
    let mut values = Vec::new();
    for (enough, factors) in choices {
        let (first, last) = (low.log2().floor() as i32, high.log2().ceil() as i32);
        let every = (last - first) / MOST_POWERS + 1;
        values = (first..=last)
            .filter(|power| power % every == 0)
            .flat_map(|power| factors.iter().map(move |f| f * 2f64.powi(power)))
            .filter(|v| (low..=high).contains(v))
            // Between powers only short numbers are marked: 0.1875 would say little.
            .filter(|v| is_power(*v) || most_decimals(&[*v]) <= MOST_DECIMALS)
            .collect();
        if values.len() >= enough {
            break;
        }
    }
    let least = values.first().copied().unwrap_or(1.0);
    let are_powers = values.iter().all(|value| is_power(*value));
    let mark = |value: f64| match value {
        _ if least < 1.0 / 1024.0 => power_of("2", value.log2().round() as i32),
        part if part < 1.0 => format!("1/{}", fixed(1.0 / part, 0)),
        whole => fixed(whole, 0),
    };
    if are_powers && most_decimals(&values) > MOST_DECIMALS {
        values.into_iter().map(|value| (value, mark(value))).collect()
    } else {
        in_decimals(values)
    }
}

fn is_power(value: f64) -> bool {
    value.log2().fract().abs() <= 0.0
}

/// The number of powers of two that have room along an axis.
const MOST_POWERS: i32 = 14;

/// The distance between marks over this range: 1, 2 or 5 times a power of ten.
pub(crate) fn step(range: f64) -> f64 {
    let power = 10f64.powf((range / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|f| f * power).into_iter().find(|s| range / s <= 6.5);
    step.unwrap_or(range)
}

pub(crate) fn linear_ticks(high: f64) -> Vec<Tick> {
    let step = step(high);
    in_decimals((0..=(high / step) as usize).map(|i| i as f64 * step).collect())
}

/// Marks at 1, 2 and 5 times powers of ten. Over a wide range only powers of ten are marked. Over a
/// narrow one more of their multiples are, at least a fifteenth of the range apart.
pub(crate) fn decade_ticks(low: f64, high: f64) -> Vec<Tick> {
    let decades = (high / low).log10();
    let wide = decades > 3.2;
    let choices: &[&[f64]] = match decades {
        _ if wide => &[&[1.0]],
        narrow if narrow < 1.0 => {
            &[&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], &[1.0, 2.0, 3.0, 5.0, 7.0]]
        }
        _ => &[&[1.0, 2.0, 5.0]],
    };
    let values = |factors: &[f64]| -> Vec<f64> {
        let all = (-12..=9).flat_map(|power| factors.iter().map(move |f| f * 10f64.powi(power)));
        all.filter(|v| (low..=high).contains(v)).collect()
    };
    let has_room = |values: &Vec<f64>| {
        values.windows(2).all(|pair| (pair[1] / pair[0]).log10() >= decades / 15.0)
    };
    let mut choices = choices.iter().map(|factors| values(factors));
    let first = choices.next().unwrap_or_default();
    let values = if has_room(&first) { first } else { choices.next().unwrap_or(first) };
    let is_long = |value: &f64| *value >= 1e5;
    if wide && (most_decimals(&values) > MOST_DECIMALS || values.iter().any(is_long)) {
        let mark = |value: f64| (value, power_of("10", value.log10().round() as i32));
        values.into_iter().map(mark).collect()
    } else {
        in_decimals(values)
    }
}

/// The marks, in thousands, millions or more where they are as large as that: `20k`. Zero and
/// powers stay as they are.
pub(crate) fn in_units(ticks: Vec<Tick>) -> Vec<Tick> {
    let greatest = ticks.iter().map(|(value, _)| *value).fold(0.0, f64::max);
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    let are_powers = ticks.iter().any(|(_, mark)| mark.chars().any(|c| RAISED.contains(&c)));
    let Some((unit, word)) = units.into_iter().find(|(unit, _)| greatest >= *unit && !are_powers)
    else {
        return ticks;
    };
    let marks = in_decimals(ticks.iter().map(|(value, _)| value / unit).collect());
    let mark = |(tick, (_, mark)): (&Tick, Tick)| {
        let zero = tick.0 <= 0.0;
        (tick.0, if zero { "0".to_owned() } else { format!("{mark}{word}") })
    };
    ticks.iter().zip(marks).map(mark).collect()
}

/// The values with equally many decimals: as many as one of them takes.
fn in_decimals(values: Vec<f64>) -> Vec<Tick> {
    let decimals = most_decimals(&values);
    values.into_iter().map(|value| (value, fixed(value, decimals))).collect()
}

/// The greatest number of decimals that one of the values takes.
fn most_decimals(values: &[f64]) -> usize {
    let takes = |value: &f64| {
        let is_whole = |decimals: &usize| {
            let scaled = value * 10f64.powi(*decimals as i32);
            (scaled - scaled.round()).abs() <= 1e-9 * scaled.abs()
        };
        (0..12).find(is_whole).unwrap_or(12)
    };
    values.iter().map(takes).max().unwrap_or(0)
}

/// The digits 0 to 9, raised, and the minus sign.
const RAISED: [char; 11] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '⁻'];

/// A power, `10⁻⁶`: shorter than the number with its zeros.
pub(crate) fn power_of(base: &str, power: i32) -> String {
    let raised = |c: char| RAISED[c.to_digit(10).map_or(10, |digit| digit as usize)];
    format!("{base}{}", power.to_string().chars().map(raised).collect::<String>())
}
