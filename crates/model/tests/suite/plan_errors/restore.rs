//! How the data of a target are restored.

use super::told;

#[test]
fn ways_to_restore_that_a_target_does_not_have_are_refused() {
    insta::assert_snapshot!(
        told(
            r#"
            schema = 1
            [targets.word]
            sandbox = "mariadbd"
            restore = "physical"
            [targets.key]
            sandbox = "mariadbd"
            restore = { kind = "copy", place = "/backup" }
            [targets.file]
            sandbox = "sqlite"
            restore = "backup"
            [targets.null]
            dsn = "null:"
            restore = "copy"
            [targets.server]
            dsn = "mysql://bench@db-a:3306/sbtest"
            restore = { kind = "backup", store = 1 }
            [targets.commands]
            sandbox = "postgres"
            restore = { kind = "backup", stop = "true", start = "true" }
            [targets.right]
            dsn = "mysql://bench@db-a:3306/sbtest"
            restore = { kind = "backup", store = "/backup", stop = "true", start = "true" }
            [targets.no_command]
            sandbox = "mariadbd"
            restore = "command"
            [targets.two_ways]
            sandbox = "mariadbd"
            restore = { kind = "copy", command = "./restore" }
            [targets.two_stores]
            sandbox = "mariadbd"
            restore = { store = "/backup", command = "./restore" }
            [targets.no_use_of_timeout]
            sandbox = "mariadbd"
            restore = { kind = "copy", timeout = "60s" }
            [targets.by_command]
            dsn = "mysql://bench@db-a:3306/sbtest"
            restore = { command = "./restore", timeout = "60s" }
            [targets.template_of_mysql]
            dsn = "mysql://bench@db-a:3306/sbtest"
            restore = "template"
            [targets.template_of_file]
            sandbox = "sqlite"
            restore = "template"
            [targets.template_with_store]
            dsn = "postgres://bench@db-a:5432/sbtest"
            restore = { kind = "template", store = "/backup" }
            [targets.template_with_stop]
            dsn = "postgres://bench@db-a:5432/sbtest"
            restore = { kind = "template", stop = "true", start = "true" }
            [targets.template]
            dsn = "postgres://bench@db-a:5432/sbtest"
            restore = "template"
            [[experiment]]
            load.workload = "oltp_read_write"
            "#
        ),
        @r#"
        line 5, column 23: restore cannot be "physical"
          evidence  5 |             restore = "physical"
                      |                       ^^^^^^^^^^
          hint      use one of reload, copy, backup, template, command

        line 8, column 48: "place" is not a key of restore
          evidence  8 |             restore = { kind = "copy", place = "/backup" }
                      |                                                ^^^^^^^^^
          hint      use one of kind, store, stop, start, command, timeout

        line 9, column 22: data of target file cannot be restored by "backup"
          evidence  9 |             [targets.file]
                      |                      ^^^^
          hint      write restore = "reload"

        line 12, column 22: data of target null cannot be restored by "copy"
          evidence  12 |             [targets.null]
                       |                      ^^^^
          hint      write restore = "reload"

        line 15, column 22: to restore the data of target server its server is stopped and started, but the plan does not say how
          evidence  15 |             [targets.server]
                       |                      ^^^^^^
          hint      write restore = { kind = "backup", stop = "systemctl stop mariadb", start = "systemctl start mariadb" }

        line 17, column 50: store is a text, not a whole number
          evidence  17 |             restore = { kind = "backup", store = 1 }
                       |                                                  ^
          hint      write store = "1"

        line 18, column 22: the server of target commands is not stopped and started by commands
          evidence  18 |             [targets.commands]
                       |                      ^^^^^^^^
          hint      take stop and start out of restore

        line 24, column 22: restore of target no_command says "command", but has no command
          evidence  24 |             [targets.no_command]
                       |                      ^^^^^^^^^^
          hint      write restore = { command = "./restore-the-data" }

        line 27, column 22: restore of target two_ways has a command and also says how Tenbin should restore
          evidence  27 |             [targets.two_ways]
                       |                      ^^^^^^^^
          hint      take kind, store, stop and start out of restore, or take command out

        line 30, column 22: restore of target two_stores has a command and also says how Tenbin should restore
          evidence  30 |             [targets.two_stores]
                       |                      ^^^^^^^^^^
          hint      take kind, store, stop and start out of restore, or take command out

        line 35, column 13: timeout of restore is that of its command, and there is none
          evidence  35 |             restore = { kind = "copy", timeout = "60s" }
                       |             ^^^^^^^
          hint      remove timeout

        line 39, column 22: data of target template_of_mysql cannot be restored by "template"
          evidence  39 |             [targets.template_of_mysql]
                       |                      ^^^^^^^^^^^^^^^^^
          hint      write restore = "reload"

        line 42, column 22: data of target template_of_file cannot be restored by "template"
          evidence  42 |             [targets.template_of_file]
                       |                      ^^^^^^^^^^^^^^^^
          hint      write restore = "reload"

        line 45, column 22: restore of target template_with_store is by a golden database on its server: there is no store, and nothing is stopped
          evidence  45 |             [targets.template_with_store]
                       |                      ^^^^^^^^^^^^^^^^^^^
          hint      take store, stop and start out of restore

        line 48, column 22: restore of target template_with_stop is by a golden database on its server: there is no store, and nothing is stopped
          evidence  48 |             [targets.template_with_stop]
                       |                      ^^^^^^^^^^^^^^^^^^
          hint      take store, stop and start out of restore
        "#
    );
}
