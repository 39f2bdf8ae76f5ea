//! What a warm-up that ends by itself needs.

use super::told;

#[test]
fn a_warm_up_that_ends_by_itself_needs_intervals_to_judge() {
    let plan = |key: &str| {
        format!(
            "schema = 1\n[targets.a]\ndsn = \"mysql://a@b/c\"\n[datasets.d]\n[[experiment]]\nload.workload = \"oltp_read_write\"\n{key}\n"
        )
    };
    let of = |key| told(&plan(key));
    let all = [
        "warmup = { min = \"1s\" }\ninterval = \"2s\"",
        "warmup = \"auto\"\ninterval = \"1m\"",
        "warmup = { max = \"40s\" }\ninterval = \"5s\"",
        "warmup = { min = \"10m\", max = \"5m\" }",
        "warmup = { until = \"stable\" }",
        "warmup = { least = \"10s\" }",
    ];
    insta::assert_snapshot!(all.map(of).join("\n\n"), @r#"
    line 5, column 1: a warm-up of at least 1s is shorter than an interval of 2s: whether throughput is steady is judged by intervals
      evidence  5 | [[experiment]]
                  | ^
      hint      set warmup = { min = "40s", max = "15m" }


    line 5, column 1: a warm-up of at least 30s is shorter than an interval of 1m: whether throughput is steady is judged by intervals
      evidence  5 | [[experiment]]
                  | ^
      hint      set warmup = { min = "20m", max = "200m" }


    line 5, column 1: a warm-up of at most 40s has too few intervals of 5s to tell whether throughput is steady (at least 20)
      evidence  5 | [[experiment]]
                  | ^
      hint      set warmup = { min = "100s", max = "1000s" }


    line 7, column 1: min must be less than max
      evidence  7 | warmup = { min = "10m", max = "5m" }
                  | ^^^^^^
      hint      write max = "100m"


    line 7, column 1: until cannot be "stable"
      evidence  7 | warmup = { until = "stable" }
                  | ^^^^^^
      hint      use one of steady


    line 7, column 1: "least" is not a key of warmup
      evidence  7 | warmup = { least = "10s" }
                  | ^^^^^^
      hint      use one of min, max, until
    "#);
    for right in ["warmup = \"auto\"", "warmup = { min = \"2s\", max = \"6s\" }\ninterval = \"100ms\""] {
        assert!(tenbin_model::plan::Plan::parse(&plan(right), &crate::common::catalog()).is_ok(), "{right}");
    }
}
