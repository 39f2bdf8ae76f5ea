//! Settings as a server is started with them: `mysqld --innodb-buffer-pool-size=8G`, `postgres -c shared_buffers=8GB`, and as the tools of clouds
//! take them: `--database-flags=a=1,b=2`, `ParameterName=a,ParameterValue=1`.

use tenbin_model::{defaults, variables};

/// Names and values.
pub(super) type Settings = Vec<(String, String)>;

/// The options of a list of words, such as `command:` of Docker Compose has it.
pub(super) fn of_words(words: &[String]) -> Settings {
    let (mut all, mut at) = (Settings::new(), 0);
    while let Some(word) = words.get(at) {
        at += 1;
        let next = || words.get(at).filter(|next| !next.starts_with('-'));
        let parameter = |word: &str| {
            let (name, value) = word.split_once('=').filter(|(name, _)| is_name(name))?;
            Some((variables::canonical_name(name), value.to_owned()))
        };
        if word == "-c" {
            let Some(next) = words.get(at) else { continue };
            at += 1;
            match parameter(next) {
                Some(setting) => all.push(setting),
                // `sh -c 'exec mysqld --x=1'`: a line of a shell, which may have passwords in what is no setting.
                None => all.extend(of_commands(&one_a_line(next)).unwrap_or_default()),
            }
        } else if let Some(setting) = word.strip_prefix("-c").and_then(parameter) {
            all.push(setting);
        } else if let Some(option) =
            word.strip_prefix("--").filter(|option| is_name(option.split('=').next().unwrap_or(option)))
        {
            let (name, value) = match option.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (option, next().map(String::as_str)),
            };
            at += usize::from(!option.contains('=') && value.is_some());
            if !OF_THE_PROGRAM.contains(&name) {
                let own = variables::canonical_name(name);
                // --enable_nestloop is PostgreSQL's, and no prefix of MySQL's.
                all.push(match value.filter(|_| own.starts_with("enable_") && defaults::is_known(&own)) {
                    Some(value) => (own, value.to_owned()),
                    None => variables::of_file(name, value),
                });
            }
        }
    }
    all
}

/// The commands of a line of a shell, each in a line of its own; what stands in quotes belongs to one of them.
fn one_a_line(shell: &str) -> String {
    let mut quote = None;
    let sign = |c: char| {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => quote = Some(c),
            None if "&|;".contains(c) => return '\n',
            _ => {}
        }
        c
    };
    shell.chars().map(sign).collect()
}

/// Options of the program, which are no variables.
const OF_THE_PROGRAM: [&str; 9] = [
    "defaults-file",
    "defaults-extra-file",
    "defaults-group-suffix",
    "no-defaults",
    "user",
    "console",
    "initialize",
    "initialize-insecure",
    "verbose",
];

fn plain((name, value): (&str, &str)) -> (String, String) {
    (variables::canonical_name(name), value.trim_matches(['"', '\'']).to_owned())
}

/// `ParameterName=max_connections,ParameterValue=100,ApplyMethod=immediate`.
fn of_parameter(word: &str) -> Option<(String, String)> {
    let (_, rest) = word.split_once("ParameterName=")?;
    let (name, rest) = rest.split_once(',')?;
    let value = rest.split_once("ParameterValue=")?.1.split(",ApplyMethod").next()?;
    Some(plain((name, value)))
}

fn is_name(name: &str) -> bool {
    let is_sign = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(is_sign)
}

/// The words of a command line, without its quotes and the signs at the ends of lines that go on.
pub(super) fn words(line: &str) -> Vec<String> {
    let (mut all, mut word, mut quote, mut is_begun) = (Vec::new(), String::new(), None, false);
    for c in line.chars() {
        match quote {
            Some(sign) if c == sign => quote = None,
            Some(_) => word.push(c),
            None if c == '"' || c == '\'' => (quote, is_begun) = (Some(c), true),
            None if c.is_whitespace() || c == '\\' => {
                if is_begun || !word.is_empty() {
                    all.push(std::mem::take(&mut word));
                }
                is_begun = false;
            }
            None => word.push(c),
        }
    }
    if is_begun || !word.is_empty() {
        all.push(word);
    }
    all
}

/// The settings of a text of commands: what starts a server, in a container or a service, and what sets the flags of a managed one.
pub(super) fn of_commands(text: &str) -> Option<Settings> {
    let text = text.replace("\\\n", " ");
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut all = Settings::new();
    for line in lines {
        let line = line.strip_prefix("ExecStart=").unwrap_or(line);
        let of_line = words(line);
        if of_line.first().is_some_and(|first| ["gcloud", "aws", "az"].contains(&first.as_str())) {
            all.extend(of_cloud_command(&of_line));
        } else if line.starts_with("--") {
            // Options alone: `mysqld --print-defaults`, `my_print_defaults`.
            let of_options =
                of_line.iter().all(|word| word.starts_with("--") && !word.ends_with(',')).then(|| of_words(&of_line));
            all.extend(
                of_options
                    .filter(|settings| settings.iter().any(|(name, _)| defaults::is_known(name)))
                    .unwrap_or_default(),
            );
        } else {
            for command in one_a_line(line).lines().map(words) {
                all.extend(options_begin(&command).map(|at| of_words(&command[at..])).unwrap_or_default());
            }
        }
    }
    (!all.is_empty()).then_some(all)
}

/// Where the options of the server begin in a command: behind its image in one that starts a container, or else behind its program. Options
/// before are those of other programs.
fn options_begin(command: &[String]) -> Option<usize> {
    if let Some(image) = image(command) {
        let is_entrypoint = |two: &[String]| two[0] == "--entrypoint" && is_server(&two[1]);
        let is_of_server = |word: &String| word.strip_prefix("--entrypoint=").is_some_and(is_server);
        let before = &command[..image];
        if is_server(&command[image]) || before.windows(2).any(is_entrypoint) || before.iter().any(is_of_server) {
            return Some(image + 1);
        }
        return program(&command[image + 1..]).map(|at| image + at + 2);
    }
    // `sudo -E mysqld`: not every option has a value.
    program(command).or_else(|| command.iter().position(|word| is_program(word))).map(|at| at + 1)
}

/// The place of the first word that is the program of a server, and not the value of an option: `--datadir /var/lib/mysql`, `-u mysql`.
pub(super) fn program(words: &[String]) -> Option<usize> {
    let wants_value = |word: &String| match word.strip_prefix("--") {
        Some(long) => !long.is_empty() && !long.contains('='),
        None => word.len() == 2 && word.starts_with('-'),
    };
    (0..words.len()).find(|at| is_program(&words[*at]) && !at.checked_sub(1).is_some_and(|at| wants_value(&words[at])))
}

/// Whether a word is the program of a server, and not the client or the user of that name.
fn is_program(word: &str) -> bool {
    is_server(word) && !["mysql", "mariadb"].contains(&word.rsplit('/').next().unwrap_or(word))
}

/// The place of the image in a command that starts a container: the first word behind `run` that is neither an option nor the value of one.
fn image(words: &[String]) -> Option<usize> {
    const PROGRAMS: [&str; 3] = ["docker", "podman", "nerdctl"];
    /// Options without a value.
    const SWITCHES: [&str; 17] = [
        "--detach",
        "--interactive",
        "--tty",
        "--rm",
        "--rmi",
        "--init",
        "--privileged",
        "--publish-all",
        "--read-only",
        "--replace",
        "--quiet",
        "--no-healthcheck",
        "--no-hosts",
        "--oom-kill-disable",
        "--sig-proxy",
        "--env-host",
        "--tls-verify",
    ];
    const LETTERS: &str = "ditPq";
    let of_containers = |word: &String| PROGRAMS.contains(&word.rsplit('/').next().unwrap_or(word));
    let from = words.iter().position(of_containers)?;
    let is_start = |word: &String| word == "run" || word == "create";
    let mut at = from + 1 + words[from + 1..].iter().position(is_start)? + 1;
    while let Some(option) = words.get(at)?.strip_prefix('-') {
        // `-p3306:3306` has its value, `-dp` has not.
        let has_value_behind = match option.strip_prefix('-') {
            Some(long) => !long.contains('=') && !SWITCHES.iter().any(|switch| switch[2..] == *long),
            None => option.trim_start_matches(|c: char| LETTERS.contains(c)).chars().count() == 1,
        };
        at += 1 + usize::from(has_value_behind);
    }
    Some(at)
}

/// Whether a word is the program of a server, or an image of one: `/usr/sbin/mysqld`, `docker.io/library/postgres:16`.
pub(super) fn is_server(word: &str) -> bool {
    let name = word.rsplit('/').next().unwrap_or(word).split([':', '@']).next().unwrap_or_default();
    SERVERS.contains(&name) && !word.starts_with('-')
}

/// Programs and images.
const SERVERS: [&str; 16] = [
    "mysqld",
    "mariadbd",
    "mysqld_safe",
    "mysql",
    "mariadb",
    "postgres",
    "postgresql",
    "mysql-server",
    "percona",
    "percona-server",
    "postgis",
    "postgresql-repmgr",
    "timescaledb",
    "timescaledb-ha",
    "mariadb-galera",
    "percona-xtradb-cluster",
];

/// `gcloud sql instances patch x --database-flags=…`, `aws rds modify-db-parameter-group --parameters …`, `az … parameter set --name x --value y`.
fn of_cloud_command(words: &[String]) -> Settings {
    let after = |option: &str| {
        words.iter().enumerate().find_map(|(at, word)| match word.strip_prefix(option)? {
            "" => words.get(at + 1).cloned(),
            rest => rest.strip_prefix('=').map(str::to_owned),
        })
    };
    let is_set = words.iter().any(|word| word == "parameter" || word == "configuration")
        && words.iter().any(|word| word == "set");
    if let Some((name, value)) = after("--name").or_else(|| after("-n")).zip(after("--value").or_else(|| after("-v")))
        && is_set
    {
        return vec![plain((&name, &value))];
    }
    if let Some(flags) = after("--database-flags") {
        // ^:^a=1,2:b=3: another sign between them (`gcloud topic escaping`).
        let other = flags.strip_prefix('^').and_then(|rest| rest.split_once('^'));
        let (sign, flags) = other.filter(|(sign, _)| !sign.is_empty()).unwrap_or((",", &flags));
        return flags.split(sign).filter_map(|flag| flag.split_once('=')).map(plain).collect();
    }
    words.iter().filter_map(|word| of_parameter(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(settings: &[(String, String)]) -> String {
        settings.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_value_of_an_option_is_no_program_of_a_server() {
        let both = "innodb_buffer_pool_size=8G datadir=/var/lib/mysql max_connections=500";
        let options = "--innodb-buffer-pool-size=8G --datadir /var/lib/mysql --max-connections=500";
        let of_postgres = "-c shared_buffers=8GB -D /var/lib/postgresql -c work_mem=64MB";
        for before in [
            "mysqld",
            "sudo -u mysql /usr/sbin/mysqld",
            "sudo -E mysqld",
            "gosu mysql mysqld",
            "nice -n 5 mysqld",
            "runuser -u mysql -- mysqld",
            "cd /opt/mysql && ./bin/mysqld",
            "docker run -d --name mysql -v /data:/var/lib/mysql -e A=b -p3306:3306 mysql:8.0",
            "sudo docker container run --rm -it --network=mysql --hostname mysql mysql",
            "podman run -dp 3306:3306 --replace --name mariadb docker.io/library/mariadb mariadbd",
            "docker run --entrypoint mysqld --name x own/image:1",
            "docker run --name x own/image:1 mysqld",
        ] {
            assert_eq!(shown(&of_commands(&format!("{before} {options}")).unwrap_or_default()), both, "{before}");
        }
        for before in [
            "postgres",
            "sudo -u postgres postgres",
            "docker run -d --name postgres postgres:16",
            "su - postgres -c postgres",
        ] {
            let settings = of_commands(&format!("{before} {of_postgres}"));
            assert_eq!(shown(&settings.unwrap_or_default()), "shared_buffers=8GB work_mem=64MB", "{before}");
        }
        let user = of_commands("mysqld --sync-binlog=0 --user mysql --max-connections=5");
        assert_eq!(shown(&user.unwrap_or_default()), "sync_binlog=0 max_connections=5");
        assert_eq!(of_commands("docker run --name mysql -v x:/var/lib/mysql redis --port 1"), None);
    }

    #[test]
    fn commands_that_start_or_configure_servers_are_read() {
        for (text, settings) in [
            (
                "mysqld --innodb-buffer-pool-size=8G --skip-log-bin --max_connections 500",
                "innodb_buffer_pool_size=8G log_bin=OFF max_connections=500",
            ),
            (
                "docker run -d --name db -e A=b -p 3306:3306 mysql:8.0 --sync-binlog=0 \\\n  --innodb-flush-log-at-trx-commit=2",
                "sync_binlog=0 innodb_flush_log_at_trx_commit=2",
            ),
            ("docker run postgres:16 -c shared_buffers=8GB -c 'work_mem=64MB'", "shared_buffers=8GB work_mem=64MB"),
            ("ExecStart=/usr/sbin/mariadbd --defaults-file=/x --sync-binlog=1", "sync_binlog=1"),
            (
                "gcloud sql instances patch x --database-flags=max_connections=100,sync_binlog=1",
                "max_connections=100 sync_binlog=1",
            ),
            (
                "gcloud sql instances patch x --database-flags='^:^sql_mode=A,B:sync_binlog=1'",
                "sql_mode=A,B sync_binlog=1",
            ),
            ("mysqld would have been started with:\n--sync-binlog=0 --skip-log-bin\n", "sync_binlog=0 log_bin=OFF"),
            ("postgres --enable_nestloop=off --fsync=on", "enable_nestloop=off fsync=on"),
            (
                "az mysql flexible-server parameter set --resource-group g --server-name s --name max_connections --value 100",
                "max_connections=100",
            ),
            (
                "aws rds modify-db-parameter-group --parameters \"ParameterName=max_connections,ParameterValue=100,ApplyMethod=immediate\"",
                "max_connections=100",
            ),
            ("mysql -uroot --host=db -e 'select 1' && nohup mysqld_safe --sync-binlog=1 2>&1 &", "sync_binlog=1"),
        ] {
            assert_eq!(shown(&of_commands(text).unwrap_or_default()), settings, "{text}");
        }
        let shell = ["sh", "-c", "mysql -uroot -ps3cret=x < /a.sql && exec mysqld --sync-binlog=0"].map(str::to_owned);
        assert_eq!(shown(&of_words(&shell)), "sync_binlog=0");
        for other in [
            "args: [\n\"--sync-binlog=0\",\n\"--max-connections=5\"\n]",
            "",
            "ls -l --color=auto",
            "sysbench --mysql-host=x run",
            "docker run --name x redis --port 1",
        ] {
            assert_eq!(of_commands(other), None, "{other}");
        }
    }
}
