//! Completes the commands in a hint. The code that creates hints does not know the command line; the missing parts (the
//! address, the workload, the source of the password) are taken from the target.

use tenbin_model::dsn::redact;
use tenbin_model::trial::Target;
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

/// The problem with the target's address, the workload and the password options in every command of ours: `workload`
/// and `dsn` are arguments of a hint; `address` is an argument that is the address already, without the password
/// option.
pub fn complete(problem: Problem, target: &Target, workload: Option<&str>) -> Problem {
    let secret = secret(target);
    let hint = problem.hint.map(|hint| {
        let hint = match &target.dsn {
            Some(dsn) => hint.with("dsn", &|_| foreign(format_args!("{}{secret}", shell::quoted(&redact(dsn))))),
            None => hint,
        };
        let hint = match (&target.dsn, workload) {
            (Some(_), Some(name)) => hint.with("workload", &|typed| match typed.english() {
                WORKLOAD => foreign(shell::word(name)),
                _ => typed.clone(),
            }),
            _ => hint,
        };
        hint.with("address", &|address| match address.ends_with(&secret) {
            true => address.clone(),
            false => foreign(format_args!("{}{secret}", address.english())),
        })
    });
    Problem { hint, ..problem }
}

/// The placeholder in a hint for an unknown workload.
const WORKLOAD: &str = "WORKLOAD";

/// The source of the password as options, each preceded by a blank.
pub fn secret(target: &Target) -> String {
    let env = target.password_env.as_ref().map(|name| format!(" --password-env {}", shell::word(name)));
    let file = target.password_file.as_ref().map(|path| format!(" --password-file {}", shell::word(path)));
    [env, file].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_words::message::Message;
    use tenbin_words::msg;

    #[test]
    fn commands_have_what_was_typed() {
        let mut target = Target {
            dsn: Some("mysql://app@db/x".into()),
            password_env: Some("THE PW".into()),
            ..Target::named("a", 0)
        };
        let hint_of = |target: &Target, hint: &Message| {
            let problem = complete(Problem::new(foreign("")).hint(hint), target, Some("oltp_read_only"));
            problem.hint.map(|hint| hint.english().to_owned()).unwrap_or_default()
        };
        let address = "'mysql://app@db:3306/x'";
        let all = [
            msg!("load-tables-first", workload = "WORKLOAD", dsn = "DSN"),
            msg!("look-with-check", dsn = "DSN"),
            msg!("set-warehouses-or-load", there = 1, dsn = "DSN", sets = " --tables 2", wanted = "N"),
            msg!("is-server-running-at-port", address),
            msg!(
                "tenbin-load",
                workload = "tpcc",
                address = "'mysql://app@db/x' --password-env 'THE PW'",
                options = " --drop"
            ),
            msg!("tenbin-list-shows-runs"),
            foreign("it's the DSN that is wrong"),
        ];
        let mut lines: Vec<String> = all.iter().map(|hint| hint_of(&target, hint)).collect();
        (target.password_env, target.password_file) = (None, Some("/run/pw".into()));
        lines.push(hint_of(&target, &all[1]));
        target.password_file = None;
        lines.push(hint_of(&target, &all[3]));
        insta::assert_snapshot!(lines.join("\n"), @r"
        load the tables first: tenbin load oltp_read_only 'mysql://app@db/x' --password-env 'THE PW'
        look with: tenbin check 'mysql://app@db/x' --password-env 'THE PW'
        set warehouses = 1, or: tenbin load tpcc 'mysql://app@db/x' --password-env 'THE PW' --tables 2 -o warehouses=N
        is the server running, and is this its port? tenbin doctor 'mysql://app@db:3306/x' --password-env 'THE PW'
        tenbin load tpcc 'mysql://app@db/x' --password-env 'THE PW' --drop
        tenbin list shows the runs
        it's the DSN that is wrong
        look with: tenbin check 'mysql://app@db/x' --password-file /run/pw
        is the server running, and is this its port? tenbin doctor 'mysql://app@db:3306/x'
        ");
    }
}
