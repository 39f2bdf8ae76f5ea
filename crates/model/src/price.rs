//! What a target costs, as a plan says it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A price for a time, as in a plan: `1.2 USD/h`. The currency is any word; prices in different ones are not compared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Price {
    /// The amount for an hour.
    pub per_hour: f64,
    /// `USD`, `JPY`, `円`.
    pub currency: String,
    text: String,
}

/// The hours of a month, as providers count them.
const MONTH_H: f64 = 730.0;

impl Price {
    /// Reads `1.2 USD/h`; also `/hour`, `/month` (730 hours) and `/year`.
    pub fn parse(text: &str) -> Option<Price> {
        let (amount, rest) = text.trim().split_once(char::is_whitespace)?;
        let (currency, time) = rest.trim().split_once('/')?;
        let amount: f64 = number(amount)?.parse().ok().filter(|a: &f64| a.is_finite() && *a > 0.0)?;
        let hours = match time.trim() {
            "h" | "hour" => 1.0,
            "month" => MONTH_H,
            "year" => 12.0 * MONTH_H,
            _ => return None,
        };
        let currency = currency.trim();
        (!currency.is_empty() && currency.chars().count() <= 8 && !currency.contains(char::is_whitespace))
            .then(|| Price { per_hour: amount / hours, currency: currency.to_owned(), text: text.trim().to_owned() })
    }

    /// The price of 1,000 transactions at this many per second.
    pub fn of_thousand(&self, per_second: f64) -> f64 {
        self.per_hour / 3600.0 / per_second * 1000.0
    }
}

/// A number without its commas, which may stand between thousands only: `1,2` is 1.2 to some readers.
fn number(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let (first, groups) = whole.split_once(',').map_or((whole, None), |(first, groups)| (first, Some(groups)));
    let of_three = |groups: &str| groups.split(',').all(|group| group.len() == 3);
    let is_read = groups.is_none_or(|groups| (1..=3).contains(&first.len()) && of_three(groups));
    (is_read && !fraction.contains(',')).then(|| text.replace(',', ""))
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<Price> for String {
    fn from(price: Price) -> String {
        price.text
    }
}

impl TryFrom<String> for Price {
    type Error = String;

    fn try_from(text: String) -> Result<Price, String> {
        Price::parse(&text).ok_or_else(|| format!("{text:?} is no price"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_are_read_with_their_time_and_currency() {
        let of = |text: &str| Price::parse(text).map(|p| (p.per_hour, p.currency));
        assert_eq!(of("1.2 USD/h"), Some((1.2, "USD".to_owned())));
        assert_eq!(of("73,000 円/month"), Some((100.0, "円".to_owned())));
        assert_eq!(of(" 8760 EUR / year "), Some((1.0, "EUR".to_owned())));
        assert_eq!(of("1,234,567.5 JPY/h"), Some((1_234_567.5, "JPY".to_owned())));
        for wrong in
            ["", "1.2", "1.2 USD", "USD/h", "0 USD/h", "-1 USD/h", "1 USD/day", "1 US Dollars/h", "1e999 USD/h"]
        {
            assert_eq!(of(wrong), None, "{wrong}");
        }
        // A comma that is not between thousands may be meant as a point.
        for wrong in ["1,2", "0,12", "12,34", "1,2345", "1234,567", ",123", "1,,234", "1.234,56", "1,234,5", "1,"] {
            assert_eq!(of(&format!("{wrong} EUR/h")), None, "{wrong}");
        }
        let price = Price::parse("3.6 USD/h").expect("a price");
        assert!((price.of_thousand(100.0) - 0.01).abs() < 1e-12);
        let text = serde_json::to_string(&price).expect("text");
        assert_eq!((text.as_str(), serde_json::from_str(&text).ok()), ("\"3.6 USD/h\"", Some(price)));
    }
}
