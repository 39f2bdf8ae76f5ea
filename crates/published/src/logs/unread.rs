//! Outputs of tools for other servers, and the code of charts: what they are is said, and their numbers are no table.

use crate::html;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// A tool, and what its output has.
const TOOLS: [(&str, &[&str]); 9] = [
    ("ab", &["This is ApacheBench"]),
    ("ab", &["Requests per second:", "Time per request:"]),
    ("wrk", &["Thread Stats", "Requests/sec:"]),
    ("hey", &["Requests/sec:", "Response time histogram:"]),
    ("k6", &["iteration_duration..", "vus"]),
    ("vegeta", &["[total, rate, throughput]"]),
    ("siege", &["Transaction rate:", "Availability:"]),
    ("redis-benchmark", &["requests completed in", "parallel clients"]),
    ("fio", &["IOPS=", "BW=", "clat"]),
];

/// A library that draws charts, and what a script or its data has.
const CHARTS: [(&str, &[&str]); 10] = [
    ("Chart.js", &["new Chart("]),
    ("Chart.js", &["datasets", "labels", "data"]),
    ("Highcharts", &["Highcharts."]),
    ("ECharts", &["echarts.init("]),
    ("ECharts", &["setOption(", "series"]),
    ("Highcharts, ECharts", &["series", "xAxis", "data"]),
    ("Plotly", &["Plotly."]),
    ("Plotly", &["\"x\"", "\"y\"", "\"layout\""]),
    ("Google Charts", &["google.visualization."]),
    ("ApexCharts", &["new ApexCharts("]),
];
/// What a larger text has is not looked for.
const MOST_BYTES: usize = 4 << 20;

/// A remark on a text that is the output of such a tool, or the code of a chart, and has no table beside it.
pub(super) fn remark(text: &str, file: &str) -> Option<Message> {
    if text.len() > MOST_BYTES {
        return None;
    }
    let has = |(name, signs): &(&'static str, &[&str])| signs.iter().all(|sign| text.contains(sign)).then_some(*name);
    let is_code = || text.trim_start().starts_with(['{', '[']) || text.contains([';', '{']);
    let tool = TOOLS.iter().find_map(has).map(|tool| msg!("published-other-tool", file, tool));
    let chart = || CHARTS.iter().find_map(has).filter(|_| is_code());
    let why = tool.or_else(|| chart().map(|library| msg!("published-chart-code", file, library)))?;
    let has_lists = || text.trim_start().starts_with('<') && text.contains("<li");
    let has_table = html::is_page(text) || has_lists() || text.lines().any(|line| line.trim_start().starts_with('|'));
    (!has_table).then_some(why)
}

#[cfg(test)]
mod tests {
    use crate::read;

    /// What is said of a text that is not read.
    fn said(text: &str) -> String {
        match read(text.as_bytes(), "x") {
            Err(problem) => format!("{:?}", problem.evidence),
            Ok(read) => panic!("{:?}", read.results),
        }
    }

    #[test]
    fn outputs_of_other_tools_are_named() {
        for (tool, text) in [
            (
                "ab",
                "Concurrency Level:      10\nComplete requests:      1000\nRequests per second:    1250.00 [#/sec] (mean)\nTime per request:       8.000 [ms] (mean)\nTime per request:       0.800 [ms] (mean, across all concurrent requests)\n",
            ),
            (
                "wrk",
                "Running 30s test @ http://127.0.0.1/\n  12 threads and 400 connections\n  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency   635.91us    0.89ms  12.92ms   93.69%\n    Req/Sec    56.20k     8.07k   62.00k    86.54%\n  22464657 requests in 30.00s, 17.76GB read\nRequests/sec: 748868.53\nTransfer/sec:    606.33MB\n",
            ),
            (
                "hey",
                "Summary:\n  Total:\t0.5 secs\n  Slowest:\t0.1 secs\n  Average:\t0.02 secs\n  Requests/sec:\t400.5\n\nResponse time histogram:\n  0.004 [1]\t|\n  0.016 [20]\t|■■■\n",
            ),
            (
                "k6",
                "     iteration_duration...: avg=8ms min=1ms med=7ms max=90ms p(90)=10ms p(95)=12ms\n     iterations...........: 1000 33.3/s\n     vus..................: 10 min=10 max=10\n",
            ),
        ] {
            assert!(
                said(text).contains("published-other-tool") && said(text).contains(&format!("{tool:?}")),
                "{tool}: {}",
                said(text)
            );
        }
    }

    #[test]
    fn the_code_of_a_chart_is_named_and_a_table_beside_it_is_read() {
        let chart = "new Chart(c, { type: 'line', data: { labels: [8, 16], datasets: [{ label: 'TPS', data: [1000, 1500] }] } });\n";
        for code in [
            chart,
            r#"{"type":"line","data":{"labels":[8,16],"datasets":[{"label":"TPS","data":[1000,1500]}]}}"#,
            r#"{"xAxis":{"data":["8","16"]},"yAxis":{"name":"TPS"},"series":[{"name":"A","data":[1000,1500]}]}"#,
            "var option = {\n  xAxis: { data: [8, 16] },\n  series: [{ name: 'TPS', data: [1000, 1500] }]\n};\nchart.setOption(option);\n",
            "Plotly.newPlot('a', [{x: [8, 16], y: [1000, 1500], name: 'TPS'}], {xaxis: {title: 'threads'}});\n",
            r#"{"data":[{"x":[8,16],"y":[1000,1500],"name":"TPS","type":"scatter"}],"layout":{"title":"TPS"}}"#,
            "Highcharts.chart('a', { xAxis: { categories: [8, 16] }, series: [{ name: 'TPS', data: [1000, 1500] }] });\n",
        ] {
            assert!(said(code).contains("published-chart-code"), "{code}: {}", said(code));
        }
        let page =
            format!("<html><table><tr><th>threads<th>TPS<tr><td>8<td>1000</table><script>{chart}</script></html>");
        let markdown = format!("```js\n{chart}```\n\n|threads|TPS|\n|-|-|\n|8|1000|\n");
        for text in [page, markdown] {
            assert_eq!(read(text.as_bytes(), "x").unwrap().results.len(), 1, "{text}");
        }
    }
}
