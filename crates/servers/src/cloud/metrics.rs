//! Figures of CloudWatch: `GetMetricData` by AWS JSON 1.0, in whole minutes.
//!
//! Source: <https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_GetMetricData.html>.

use super::call::{AwsClient, AwsRequest};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tenbin_model::names::cloud_metrics::MINUTE_S;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::{short, visible};

/// The mean of a metric over one minute.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MinuteValue {
    /// The start of the minute, seconds since 1970.
    pub from_unix_s: i64,
    /// The mean.
    pub value: f64,
}

/// What CloudWatch has.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metrics {
    /// Values by metric, in the order of time. Metrics without any are absent.
    pub values: BTreeMap<&'static str, Vec<MinuteValue>>,
    /// The time by the clock of AWS when it answered, seconds since 1970, if it says so.
    pub unix_s: Option<i64>,
}

/// The metrics of an instance of these names, in the minutes that start from `from` on and end by `to`; seconds since 1970.
pub fn of_instance(
    client: &mut AwsClient,
    instance: &str,
    names: &[&'static str],
    (from, to): (i64, i64),
) -> Result<Metrics, Problem> {
    let queries: Vec<Value> = names
        .iter()
        .enumerate()
        .map(|(n, name)| {
            json!({
                "Id": format!("m{n}"),
                "MetricStat": {
                    "Metric": {
                        "Namespace": "AWS/RDS",
                        "MetricName": name,
                        "Dimensions": [{ "Name": "DBInstanceIdentifier", "Value": instance }],
                    },
                    "Period": MINUTE_S,
                    "Stat": "Average",
                },
                "ReturnData": true,
            })
        })
        .collect();
    let end = to.div_euclid(MINUTE_S) * MINUTE_S;
    // CloudWatch refuses an empty time. Before the first minute has ended, the one before shows whether it answers.
    let start = (from.div_euclid(MINUTE_S) * MINUTE_S).min(end - MINUTE_S);
    let body = json!({
        "StartTime": start, "EndTime": end, "ScanBy": "TimestampAscending", "MetricDataQueries": queries,
    });
    let permission = "cloudwatch:GetMetricData";
    let answer = client.call(&AwsRequest {
        service: "monitoring",
        permission,
        content_type: "application/x-amz-json-1.0",
        target: Some("GraniteServiceVersion20100801.GetMetricData"),
        body: &body.to_string(),
    })?;
    let mut values = read(&answer.text, names).ok_or_else(|| {
        Problem::new(msg!("cloud-answer-not-understood", permission))
            .evidence(foreign(short(&visible(&answer.text), 200)))
            .hint(msg!("cloud-answer-of-another-server", address = client.access.address("monitoring")))
    })?;
    for course in values.values_mut() {
        course.retain(|minute| (from..=to - MINUTE_S).contains(&minute.from_unix_s) && minute.value.is_finite());
        course.sort_by_key(|minute| minute.from_unix_s);
    }
    values.retain(|_, course| !course.is_empty());
    Ok(Metrics { values, unix_s: answer.unix_s })
}

/// The results by metric; `None` if this is no answer to the question.
fn read(text: &str, names: &[&'static str]) -> Option<BTreeMap<&'static str, Vec<MinuteValue>>> {
    let json: Value = serde_json::from_str(text).ok()?;
    let mut all: BTreeMap<&'static str, Vec<MinuteValue>> = BTreeMap::new();
    for result in json.get("MetricDataResults")?.as_array()? {
        let index: usize = result.get("Id")?.as_str()?.strip_prefix('m')?.parse().ok()?;
        let list = |name: &str| result.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
        let course = all.entry(names.get(index)?).or_default();
        for (time, value) in list("Timestamps").iter().zip(list("Values")) {
            course.push(MinuteValue { from_unix_s: time.as_f64()? as i64, value: value.as_f64()? });
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_by_metric_and_garbage_is_no_panic() {
        let text = r#"{"MetricDataResults": [
            {"Id": "m1", "Timestamps": [1795399080.0, 1795399140], "Values": [1, 2.5], "StatusCode": "Complete"},
            {"Id": "m0", "Timestamps": [], "Values": []}], "Messages": []}"#;
        let all = read(text, &["WriteIOPS", "ReadIOPS"]).unwrap();
        let minute = |from_unix_s, value| MinuteValue { from_unix_s, value };
        assert_eq!(all["ReadIOPS"], [minute(1_795_399_080, 1.0), minute(1_795_399_140, 2.5)]);
        assert_eq!(all["WriteIOPS"], []);
        for text in [
            "",
            "{}",
            "[]",
            r#"{"MetricDataResults": 7}"#,
            r#"{"MetricDataResults": [{"Id": "m9"}]}"#,
            r#"{"MetricDataResults": [{"Id": "m0", "Timestamps": ["x"], "Values": [1]}]}"#,
        ] {
            assert_eq!(read(text, &["WriteIOPS"]), None, "{text}");
        }
    }
}
