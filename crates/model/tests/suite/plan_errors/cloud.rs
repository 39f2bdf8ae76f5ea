//! Mistakes in `cloud` of a target.

use super::told;

fn of(target: &str) -> String {
    told(&format!("schema = 1\n[targets.db]\n{target}\n[[experiment]]\nload.workload = \"oltp_point_select\"\n"))
}

const DSN: &str = "dsn = \"mysql://bench@db:3306/sbtest\"\n";

#[test]
fn a_managed_server_is_named_whole_and_has_an_address() {
    insta::assert_snapshot!(of(&format!("{DSN}cloud = {{ rds = \"db-1\" }}")), @r#"
    line 4, column 1: cloud has no region
      evidence  4 | cloud = { rds = "db-1" }
                  | ^^^^^
      hint      write cloud = { rds = "db-1", region = "ap-northeast-1" }
    "#);
    insta::assert_snapshot!(of(&format!("{DSN}cloud = {{ region = \"us-east-1\" }}")), @r#"
    line 4, column 1: cloud names neither an instance (rds) nor a cluster
      evidence  4 | cloud = { region = "us-east-1" }
                  | ^^^^^
      hint      write cloud = { rds = "db-1", region = "ap-northeast-1" }
    "#);
    insta::assert_snapshot!(of("sandbox = \"mysqld\"\ncloud = { rds = \"db-1\", region = \"us-east-1\" }"), @r#"
    line 2, column 10: target db: only servers of MySQL, MariaDB and PostgreSQL that have an address can have cloud
      evidence  2 | [targets.db]
                  |          ^^
      hint      remove cloud
    "#);
    let replica = "sandbox = \"mysqld\"\nreplicas = { r1 = { sandbox = true, cloud = { rds = \"db-1\", region = \"us-east-1\" } } }";
    insta::assert_snapshot!(of(replica), @r#"
    line 4, column 14: target r1: only servers of MySQL, MariaDB and PostgreSQL that have an address can have cloud
      evidence  4 | replicas = { r1 = { sandbox = true, cloud = { rds = "db-1", region = "us-east-1" } } }
                  |              ^^
      hint      remove cloud
    "#);
}

#[test]
fn names_that_would_lead_elsewhere_are_refused() {
    let cloud = "cloud = { rds = \"db&Action=DeleteDBInstance\", region = \"evil.example.com/\", \
                 endpoint = \"http://a@b/c\", clustre = \"c\" }";
    insta::assert_snapshot!(of(&format!("{DSN}{cloud}")), @r#"
    line 4, column 17: rds cannot be "db&Action=DeleteDBInstance"
      evidence  4 | cloud = { rds = "db&Action=DeleteDBInstance", region = "evil.example.com/", endpoint = "http://a@b/c
                  |                 ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      hint      write rds = "db-1"

    line 4, column 56: region cannot be "evil.example.com/"
      evidence  4 | cloud = { rds = "db&Action=DeleteDBInstance", region = "evil.example.com/", endpoint = "http://a@b/c
                  |                                                        ^^^^^^^^^^^^^^^^^^^
      hint      write region = "ap-northeast-1"

    line 4, column 88: endpoint cannot be "http://a@b/c"
      evidence  4 | cloud = { rds = "db&Action=DeleteDBInstance", region = "evil.example.com/", endpoint = "http://a@b/c
                  |                                                                                        ^^^^^^^^^^^^^
      hint      write endpoint = "http://127.0.0.1:5000"

    line 4, column 114: "clustre" is not a key of cloud
      evidence  4 | cloud = { rds = "db&Action=DeleteDBInstance", region = "evil.example.com/", endpoint = "http://a@b/c
      hint      write cluster
    "#);
}
