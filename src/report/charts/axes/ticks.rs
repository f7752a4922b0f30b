//! The marked values of an axis, and the texts of the marks.

use crate::report::numbers::fixed;

/// Marks at powers of two, if there are at least six of them. If there are more than
/// [`MOST_POWERS`], every second or third is marked. If there are fewer than six, values between
/// them are marked too, until there are four.
pub(crate) fn ratio_ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let choices: [(usize, &[f64]); 4] = [
        (6, &[1.0]),
        (4, &[1.0, 1.5]),
        (4, &[1.0, 1.25, 1.5, 1.75]),
        (0, &[1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9]),
    ];
    let mut ticks = Vec::new();
    for (enough, factors) in choices {
        let (first, last) = (low.log2().floor() as i32, high.log2().ceil() as i32);
        let every = (last - first) / MOST_POWERS + 1;
        ticks = (first..=last)
            .filter(|power| power % every == 0)
            // Below a half only halves of halves are marked: 0.1875 would say little.
            .flat_map(|power| {
                let factors = if power < -1 { &factors[..1] } else { factors };
                factors.iter().map(move |f| f * 2f64.powi(power))
            })
            .filter(|v| (low..=high).contains(v))
            .map(|v| (v, ratio_mark(v)))
            .collect();
        if ticks.len() >= enough {
            break;
        }
    }
    ticks
}

/// The number of powers of two that have room along an axis.
const MOST_POWERS: i32 = 14;

/// The text of a ratio. Ratios below 0.1 are powers of a half here, and written as fractions:
/// `1/1024` is shorter than `0.0009766`, and exact. Ratios below that are powers: `2⁻¹²`.
fn ratio_mark(value: f64) -> String {
    if value < 1.0 / 1024.0 {
        power_of("2", value.log2().round() as i32)
    } else if value < 0.1 {
        format!("1/{}", fixed(1.0 / value, 0))
    } else {
        short(value)
    }
}

/// The distance between marks over this range: 1, 2 or 5 times a power of ten.
pub(crate) fn step(range: f64) -> f64 {
    let power = 10f64.powf((range / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|f| f * power).into_iter().find(|s| range / s <= 6.5);
    step.unwrap_or(range)
}

pub(crate) fn linear_ticks(high: f64) -> Vec<(f64, String)> {
    let step = step(high);
    (0..=(high / step) as usize).map(|i| (i as f64 * step, short(i as f64 * step))).collect()
}

pub(crate) fn decade_ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let wide = (high / low).log10() > 3.2;
    let factors: &[f64] = if wide { &[1.0] } else { &[1.0, 2.0, 5.0] };
    (-12..=9)
        .flat_map(|power| factors.iter().map(move |f| (power, f * 10f64.powi(power))))
        .filter(|(_, v)| (low..=high).contains(v))
        .map(|(power, v)| (v, if wide && power < -3 { power_of("10", power) } else { short(v) }))
        .collect()
}

/// A power, `10⁻⁶`: shorter than the number with its zeros.
pub(crate) fn power_of(base: &str, power: i32) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
    };
    format!("{base}{}", power.to_string().chars().map(raised).collect::<String>())
}

/// A mark's number without trailing zeros.
pub(crate) fn short(value: f64) -> String {
    let decimals = if value > 0.0 { (3.0 - value.log10().floor()).clamp(0.0, 12.0) } else { 0.0 };
    let text = format!("{value:.*}", decimals as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}
