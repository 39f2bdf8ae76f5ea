//! Makes the commands in a hint whole: those who give hints below know no command line, and what was not said to them (the
//! address, the workload, where the password comes from) stands in the target.

use tenbin_model::dsn::conceal;
use tenbin_model::problem::Problem;
use tenbin_model::shell;
use tenbin_model::trial::Target;

/// The problem with the target's address, the workload and the options of its password in every command of ours.
pub fn complete(problem: Problem, target: &Target, workload: Option<&str>) -> Problem {
    match &problem.mend {
        Some(mend) if mend.contains("tenbin ") => {
            let whole = command(mend, target, workload);
            problem.mend(whole)
        }
        _ => problem,
    }
}

fn command(mend: &str, target: &Target, workload: Option<&str>) -> String {
    let mut mend = mend.to_owned();
    if let Some(dsn) = &target.dsn {
        let address = format!(" {}", shell::quoted(&conceal(dsn)));
        mend = mend.split(' ').fold(String::new(), |all, word| match word {
            "DSN" if all.contains("tenbin ") => all + &address,
            "WORKLOAD" if all.ends_with("tenbin load") => {
                format!("{all} {}", workload.map_or(word.into(), shell::word))
            }
            word if all.is_empty() => word.to_owned(),
            word => format!("{all} {word}"),
        });
    }
    let secret = secret(target);
    if secret.is_empty() {
        return mend;
    }
    let mut whole = String::with_capacity(mend.len() + secret.len());
    let mut rest = mend.as_str();
    while let Some(end) = address_of_command(rest) {
        whole += &rest[..end];
        whole += if rest[end..].starts_with(&secret) { "" } else { &secret };
        rest = &rest[end..];
    }
    whole + rest
}

/// Where the first quoted word behind the next command of ours ends.
fn address_of_command(text: &str) -> Option<usize> {
    let command = text.find("tenbin ")?;
    let open = command + text[command..].find('\'')?;
    Some(open + 1 + text[open + 1..].find('\'')? + 1)
}

/// Where the password comes from, as options, with a blank before each.
pub fn secret(target: &Target) -> String {
    let env = target.password_env.as_ref().map(|name| format!(" --password-env {}", shell::word(name)));
    let file = target.password_file.as_ref().map(|path| format!(" --password-file {}", shell::word(path)));
    [env, file].into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn commands_have_what_was_typed() {
        let mut target = Target {
            name: "a".into(),
            place: 0,
            dsn: Some("mysql://app@db/x".into()),
            password_env: Some("THE PW".into()),
            password_file: None,
            sandbox: None,
            server: BTreeMap::new(),
            allow: Vec::new(),
        };
        let told = |target: &Target, mend: &str| {
            complete(Problem::new("").mend(mend), target, Some("oltp_read_only")).mend.unwrap_or_default()
        };
        let all = [
            "load the tables first: tenbin load WORKLOAD DSN",
            "look with: tenbin check DSN",
            "set warehouses = 1, or: tenbin load tpcc DSN --tables 2 -o warehouses=N",
            "is the server running, and is this its port? tenbin doctor 'mysql://app@db:3306/x'",
            "tenbin load tpcc 'mysql://app@db/x' --password-env 'THE PW' --drop",
            "tenbin list shows the runs",
            "it's the DSN that is wrong",
        ];
        let mut lines: Vec<String> = all.iter().map(|mend| told(&target, mend)).collect();
        (target.password_env, target.password_file) = (None, Some("/run/pw".into()));
        lines.push(told(&target, all[1]));
        target.password_file = None;
        lines.push(told(&target, all[3]));
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
