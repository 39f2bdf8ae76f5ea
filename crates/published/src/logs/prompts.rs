//! The prompts that stand before the commands of a terminal that was copied: of which host its commands are.

use super::commands;
use crate::result::PublishedResult;
use std::collections::BTreeSet;

/// A longer text before the sign of a prompt is none.
const LONGEST: usize = 100;

/// The host in the prompt of a line, and what follows the prompt: `user@mysql:~$ sysbench …`, `[root@db1 ~]# …`.
pub(super) fn host(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start();
    let (account, rest) = line.trim_start_matches(['[', '(']).split_once('@')?;
    let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c));
    let end = rest.find([':', ' ', ']'])?;
    let (host, after) = rest.split_at(end);
    let sign = ["$ ", "# ", "% ", "> "].iter().filter_map(|sign| after.find(sign)).min().filter(|at| *at < LONGEST)?;
    let directory = after[..sign].trim_matches([':', ' ', ']']);
    let is_prompt = is_name(account) && is_name(host) && !directory.contains(' ');
    is_prompt.then(|| (host, after[sign + 1..].trim_start()))
}

/// Gives results the hosts on which their commands were given as targets, if they are several and no result has one.
pub(super) fn give(text: &str, results: &mut [PublishedResult]) {
    if !text.contains('@') {
        return;
    }
    let lines: Vec<&str> = text.lines().collect();
    let (mut from, mut hosts) = (0, Vec::new());
    for result in results.iter() {
        let at = (result.line as usize).saturating_sub(1).min(lines.len());
        let between = lines.get(from.min(at)..at).unwrap_or_default();
        let mut prompts = between.iter().rev().copied().filter_map(host);
        let of_tool = prompts.find(|(_, command)| commands::names_tool(command));
        hosts.push(of_tool.map(|(host, _)| host.to_owned()));
        from = at + 1;
    }
    let distinct: BTreeSet<&String> = hosts.iter().flatten().collect();
    if distinct.len() < 2 || results.iter().any(|result| result.target.is_some()) {
        return;
    }
    for (result, host) in results.iter_mut().zip(hosts) {
        result.target = host;
    }
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn hosts_stand_in_prompts() {
        for (line, of) in [
            ("user@mysql:~$ sysbench --threads=8 run", Some(("mysql", "sysbench --threads=8 run"))),
            ("root@db-1:/# pgbench -c 8", Some(("db-1", "pgbench -c 8"))),
            ("[root@db1 ~]# x", Some(("db1", "x"))),
            ("(venv) a@b:~$ x", None),
            ("a@b.c wrote: it costs $ 5 and # 6", None),
            ("sysbench --mysql-host=a@b", None),
        ] {
            assert_eq!(host(line), of, "{line}");
        }
    }
}
