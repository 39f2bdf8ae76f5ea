//! Formats figures for readers: three significant digits or grouped thousands, with their unit.

use crate::message::Message;
use crate::msg;

/// A count or rate: `1,234`, `56.7`, `0.123`; three significant digits below a thousand.
pub fn grouped(value: f64) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    if value.abs() >= 999.5 { whole(value.round() as i128) } else { significant(value) }
}

/// Numbers in ascending order as ranges: `1–3, 5`, and an ellipsis for what is beyond the first of them.
pub fn ranges(numbers: &[u32]) -> String {
    let mut all: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match all.last_mut() {
            Some((_, last)) if last.checked_add(1) == Some(*number) => *last = *number,
            _ => all.push((*number, *number)),
        }
    }
    let one = |(first, last): &(u32, u32)| if first == last { first.to_string() } else { format!("{first}–{last}") };
    let more = (all.len() > MOST_RANGES).then(|| "…".to_owned());
    all.iter().take(MOST_RANGES).map(one).chain(more).collect::<Vec<_>>().join(", ")
}

/// The most ranges that a text names.
const MOST_RANGES: usize = 8;

/// A value that is read beside a limit, with as many decimals, from `fewest` on, as show on which side of the limit it is: 39.9 and
/// not 40 beside a limit of 40.
pub fn beside(value: f64, limit: f64, fewest: usize) -> String {
    let side = |value: f64| value.total_cmp(&limit);
    let shown = |decimals: usize| format!("{value:.decimals$}");
    let tells = |text: &String| text.parse::<f64>().is_ok_and(|read| side(read) == side(value));
    (fewest..=fewest + MOST_DECIMALS).map(shown).find(tells).unwrap_or_else(|| shown(fewest + MOST_DECIMALS))
}

/// A value beside a limit as it is usually shown, with more decimals if that would not show on which side of the limit it is.
pub fn beside_as(usual: String, value: f64, limit: f64) -> String {
    let side = |value: f64| value.total_cmp(&limit);
    let tells = usual.replace(',', "").parse::<f64>().is_ok_and(|read| side(read) == side(value));
    let decimals = usual.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    if tells || !value.is_finite() { usual } else { beside(value, limit, decimals) }
}

/// The same of a count or rate.
pub fn grouped_beside(value: f64, limit: f64) -> String {
    beside_as(grouped(value), value, limit)
}

/// More decimals than these beside the fewest would show noise.
const MOST_DECIMALS: usize = 4;

/// The same of shares, in percent without the sign.
pub fn percent_beside(share: f64, limit: f64) -> String {
    // As the limit is shown: 0.07 is 7.000000000000001 %.
    let [share, limit] = [share, limit].map(|share| (share * 1e8).round() / 1e6);
    beside(share, limit, 0)
}

/// A limit in percent without the sign: `90`, `2.5`.
pub fn percent_of_limit(limit: f64) -> String {
    ((limit * 1e5).round() / 1e3).to_string()
}

/// The figures of a column: grouped thousands, and as many decimals in each as the largest needs for three digits and the
/// smallest for two, so that their digits stand below one another. What is no number is `–`.
pub fn alike(column: &[f64]) -> Vec<String> {
    let sizes = || column.iter().map(|v| v.abs()).filter(|v| v.is_finite() && *v > 0.0);
    let (low, high) = sizes().fold((f64::INFINITY, 0.0f64), |(low, high), v| (low.min(v), high.max(v)));
    let digits = |v: f64, n: i32| (n - 1 - v.log10().floor() as i32).clamp(0, 6);
    // Of values far apart, the decimals of the smallest would be noise in the largest.
    if high / low > 1e3 {
        return column.iter().map(|v| grouped(*v)).collect();
    }
    let decimals = if high > 0.0 { digits(high, 3).max(digits(low, 2)) as usize } else { 0 };
    let shown = |v: &f64| match (v.is_finite(), decimals) {
        (false, _) => "–".to_owned(),
        (true, 0) => whole(v.round() as i128),
        (true, _) => {
            let text = format!("{:.decimals$}", v.abs());
            let (before, after) = text.split_once('.').unwrap_or((&text, ""));
            let sign = if *v < 0.0 { "-" } else { "" };
            format!("{sign}{}.{after}", whole(before.parse().unwrap_or_default()))
        }
    };
    column.iter().map(shown).collect()
}

/// The same of two figures.
pub fn alike_pair(both: [f64; 2]) -> [String; 2] {
    alike(&both).try_into().unwrap_or_default()
}

/// The same of figures that some rows do not have.
pub fn alike_or_none(column: impl IntoIterator<Item = Option<f64>>) -> Vec<String> {
    alike(&column.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect::<Vec<_>>())
}

/// An integer with grouped thousands: `12,345,678`.
pub fn whole(value: i128) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut out = String::new();
    if value < 0 {
        out.push('-');
    }
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// Nanoseconds as milliseconds: `0.0451 ms`, `12.3 ms`, `1,234 ms`.
pub fn milliseconds(ns: f64) -> String {
    format!("{} ms", grouped(ns / 1e6))
}

/// Seconds with one digit after the point, without a unit.
pub fn seconds(seconds: f64) -> String {
    format!("{seconds:.1}")
}

/// A readable duration: `45 s`, `3 min 20 s`, `2 h 5 min`.
pub fn span(seconds: f64) -> String {
    duration(seconds).english().to_owned()
}

/// The same in every language: `45 秒`, `3 分 20 秒`, `2 時間 5 分`. Of a short one not whole seconds alone: `0.04 秒`, `1.5 秒`.
pub fn duration(seconds: f64) -> Message {
    if seconds > 0.0 && seconds < 9.95 && seconds.fract() != 0.0 {
        let decimals = if seconds < 0.095 { 2 } else { 1 };
        return msg!("seconds", value = format_args!("{:.decimals$}", seconds.max(0.01)));
    }
    let s = seconds.max(0.0).round() as u64;
    match s {
        0..=99 => msg!("seconds", value = s),
        100..=5999 if s.is_multiple_of(60) => msg!("span-minutes", min = s / 60),
        100..=5999 => msg!("span-minutes-seconds", min = s / 60, s = s % 60),
        _ => msg!("span-hours-minutes", h = s / 3600, min = s % 3600 / 60),
    }
}

/// Bytes with a binary unit: `512 B`, `1.5 MiB`.
pub fn bytes(value: f64) -> String {
    let mut rest = value;
    for unit in ["B", "KiB", "MiB", "GiB", "TiB"] {
        if rest.abs() < 1024.0 || unit == "TiB" {
            return format!("{} {unit}", significant(rest));
        }
        rest /= 1024.0;
    }
    String::new()
}

/// The size in bytes and the name of the largest binary unit that does not exceed `high` bytes.
pub fn byte_unit(high: f64) -> (f64, &'static str) {
    let units = [(1024f64.powi(3), "GiB"), (1024f64.powi(2), "MiB"), (1024.0, "KiB")];
    units.into_iter().find(|(size, _)| high >= *size).unwrap_or((1.0, "B"))
}

/// Bits with a decimal unit, as networks are measured: `512 bit`, `94.3 Mbit`.
pub fn bits(value: f64) -> String {
    let (factor, unit) = bit_unit(value.abs());
    format!("{} {unit}", significant(value / factor))
}

/// The size in bits and the name of the largest unit that does not exceed `high` bits.
pub fn bit_unit(high: f64) -> (f64, &'static str) {
    let units = [(1e9, "Gbit"), (1e6, "Mbit"), (1e3, "kbit")];
    units.into_iter().find(|(size, _)| high >= *size).unwrap_or((1.0, "bit"))
}

fn significant(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let places = (2 - value.abs().log10().floor() as i32).clamp(0, 9) as usize;
    let text = format!("{value:.places$}");
    // Rounding may have added a digit (9.996 → 10.00): trailing zeros are removed.
    if text.contains('.') && text.trim_end_matches('0').ends_with('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_said_as_ranges() {
        assert_eq!(ranges(&[]), "");
        assert_eq!(ranges(&[4]), "4");
        assert_eq!(ranges(&[1, 2, 3, 5, 7, 8]), "1–3, 5, 7–8");
        assert_eq!(ranges(&(0..40).step_by(2).collect::<Vec<_>>()), "0, 2, 4, 6, 8, 10, 12, 14, …");
        assert_eq!(ranges(&[u32::MAX - 1, u32::MAX]), "4294967294–4294967295");
    }

    #[test]
    fn a_value_beside_a_limit_is_on_its_side_of_it() {
        assert_eq!(
            [0.399, 0.4, 0.401, 0.3, 0.3999999].map(|share| percent_beside(share, 0.4)),
            ["39.9", "40", "40.1", "30", "40.0000"]
        );
        assert_eq!([0.97, 1.0, 1.04].map(|ms| beside(ms, 1.0, 1)), ["0.97", "1.0", "1.04"]);
        assert_eq!([0.9, 0.025, 0.07].map(percent_of_limit), ["90", "2.5", "7"]);
        for limit in [0.02, 0.05, 0.2, 0.4, 0.9, 0.95] {
            for step in -200..=200 {
                let share = limit + f64::from(step) * 1e-4;
                let [shown, of] =
                    [percent_beside(share, limit), percent_of_limit(limit)].map(|t| t.parse::<f64>().unwrap());
                assert_eq!(shown < of, step < 0, "{share} beside {limit} is shown as {shown} beside {of}");
            }
        }
    }

    #[test]
    fn the_figures_of_a_column_have_equally_many_decimals() {
        let column = |values: &[f64]| alike(values).join(" ");
        assert_eq!(column(&[3.421, 19.93, 69.31]), "3.4 19.9 69.3");
        assert_eq!(column(&[247.4, 1487.2, 12_345.6]), "247 1,487 12,346");
        assert_eq!(column(&[0.0451, 12.34]), "0.045 12.340");
        assert_eq!(column(&[2.4, 1487.0]), "2.4 1,487.0");
        assert_eq!(column(&[0.01, 1487.0]), "0.0100 1,487", "far apart");
        assert_eq!(column(&[0.0, f64::NAN, -1.5]), "0.00 – -1.50");
        assert_eq!(alike_or_none([Some(13.04), None]), ["13.0", "–"]);
        assert_eq!(alike_pair([13.04, 8.71]), ["13.0", "8.7"]);
        assert_eq!(
            (column(&[]), column(&[0.0]), column(&[1e9, 1.0])),
            (String::new(), "0".into(), "1,000,000,000 1".into())
        );
    }

    #[test]
    fn figures_read_well() {
        let all: Vec<String> =
            [0.0, 0.001234, 0.5, 9.996, 12.34, 123.4, 999.4, 999.6, 1234.4, 9_876_543.2].map(grouped).to_vec();
        assert_eq!(all, ["0", "0.00123", "0.500", "10", "12.3", "123", "999", "1,000", "1,234", "9,876,543"]);
        assert_eq!([0.0, 45.2, 120.0, 200.0, 7500.0].map(span), ["0 s", "45 s", "2 min", "3 min 20 s", "2 h 5 min"]);
        let japanese = |seconds| duration(seconds).text(crate::language::Language::Japanese);
        assert_eq!([45.2, 200.0, 7500.0].map(japanese), ["45 秒", "3 分 20 秒", "2 時間 5 分"]);
        assert_eq!([512.0, 1536.0 * 1024.0].map(bytes), ["512 B", "1.50 MiB"]);
        assert_eq!([512.0, 94_321_000.0, 2e9].map(bits), ["512 bit", "94.3 Mbit", "2 Gbit"]);
        assert_eq!(milliseconds(45_100.0), "0.0451 ms");
        assert_eq!(whole(-1_000), "-1,000");
    }
}
