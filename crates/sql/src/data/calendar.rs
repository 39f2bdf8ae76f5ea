//! Dates of the Gregorian calendar as days and seconds since 1970, without time zones. The algorithms are those of Howard Hinnant ("chrono-compatible
//! low-level date algorithms").

/// The seconds of `2024-05-31` or `2024-05-31 12:30:00`; `None` if there is no such day or time.
pub(crate) fn seconds(text: &str) -> Option<i64> {
    let (day, time) = text.split_once([' ', 'T']).unwrap_or((text, "00:00:00"));
    let mut parts = day.splitn(3, '-').map(str::parse::<i64>);
    let (year, month, of_month) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next()?.ok()?);
    if !(1..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&of_month) {
        return None;
    }
    let days = days(year, month, of_month);
    if civil(days) != (year, month, of_month) {
        return None;
    }
    let mut parts = time.splitn(3, ':').map(str::parse::<i64>);
    let (hour, minute, second) = (parts.next()?.ok()?, parts.next()?.ok()?, parts.next().unwrap_or(Ok(0)).ok()?);
    let valid = (0..24).contains(&hour) && (0..60).contains(&minute) && (0..60).contains(&second);
    valid.then_some(days * 86400 + hour * 3600 + minute * 60 + second)
}

/// `2024-05-31`
pub(crate) fn date(days: i64) -> String {
    let (year, month, day) = civil(days);
    format!("{year:04}-{month:02}-{day:02}")
}

/// `2024-05-31 12:30:00`
pub(crate) fn timestamp(seconds: i64) -> String {
    let of_day = seconds.rem_euclid(86400);
    let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
    format!("{} {hour:02}:{minute:02}:{second:02}", date(seconds.div_euclid(86400)))
}

fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years start in March, so that the leap day is the last one.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year - era * 400;
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days - era * 146_097;
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (text, wanted) in [
            ("1970-01-01", 0),
            ("1969-12-31", -86400),
            ("2000-02-29", 951_782_400),
            ("2038-01-19 03:14:07", 2_147_483_647),
        ] {
            assert_eq!(seconds(text), Some(wanted), "{text}");
            let again = if text.len() > 10 { timestamp(wanted) } else { date(wanted / 86400) };
            assert_eq!(again, text);
        }
        for wrong in ["2023-02-29", "2024-13-01", "2024-01-32", "x", "2024-01-01 24:00:00", "2024-01"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
        // Every day of 800 years.
        for day in -150_000..150_000 {
            assert_eq!(seconds(&date(day)), Some(day * 86400));
        }
    }
}
