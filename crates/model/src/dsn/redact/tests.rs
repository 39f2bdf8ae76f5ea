//! What is hidden in texts of the user, and what stays as it is written.

use super::*;
use proptest::prelude::*;

#[test]
fn passwords_in_statements_are_redacted() {
    for (text, shown) in [
        ("ALTER ROLE app PASSWORD 's3cret';", "ALTER ROLE app PASSWORD '…';"),
        (
            "CREATE USER x IDENTIFIED BY 's3cret', y identified by \"s3cret\"",
            "CREATE USER x IDENTIFIED BY '…', y identified by \"…\"",
        ),
        ("IDENTIFIED WITH mysql_native_password BY \"s3cret\"", "IDENTIFIED WITH mysql_native_password BY \"…\""),
        (
            "IDENTIFIED VIA mysql_native_password USING PASSWORD('s3cret')",
            "IDENTIFIED VIA mysql_native_password USING PASSWORD('…')",
        ),
        ("SET PASSWORD FOR x = 's3cret'", "SET PASSWORD FOR x = '…'"),
        ("SET PASSWORD FOR 'x'@'h' = PASSWORD('s3cret')", "SET PASSWORD FOR 'x'@'h' = PASSWORD('…')"),
        ("CREATE ROLE x LOGIN ENCRYPTED PASSWORD 's3cret'", "CREATE ROLE x LOGIN ENCRYPTED PASSWORD '…'"),
        ("OPTIONS (user 'x', password 's3cret')", "OPTIONS (user 'x', password '…')"),
        (
            "hook = \"psql -c \\\"ALTER ROLE a PASSWORD 's3cret'\\\"\"",
            "hook = \"psql -c \\\"ALTER ROLE a PASSWORD '…'\\\"\"",
        ),
    ] {
        assert_eq!(redact(text), shown);
        assert_eq!(redact(shown), shown);
    }
    for text in [
        "a = \"the password \", b = \"c\"",
        "SELECT password FROM t WHERE name = 'x'",
        "SET PASSWORD FOR x",
        "password authentication failed for user 'x'",
        "the password '",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn no_password_survives() {
    let shown = redact(concat!(
        "dsn = \"mysql://bench:s3cret@host:3306/x\" # mysql://a:s3cret@b\n",
        "dsn = 'mysql://bench:s3:c@ret@[::1]:3306'\n",
        "dsn = \"mysql://bench@host?password=s3cret\"\n",
        "dsn = \"mysql:bench:s3cret@host/x\"\n",
        "dsn = \"mysql://bench@host:3306/x?tls=required\"\n",
        "dsn = \"mysql://bench:s3cret\"\n",
        "dsn = \"mysql://bench@host:99999/x?tsl=required&tls=required\"\n",
        "password_env = \"THE_ENV\"\n",
        "a = { password = \"s3\\\"cret\", b = 1 }\n",
        "dsn = \"mysql://bench:my s3cr\\\"et@host\"\n",
    ));
    insta::assert_snapshot!(shown, @r#"
    dsn = "mysql://bench@host:3306/x" # mysql://a@b
    dsn = 'mysql://bench@[::1]:3306'
    dsn = "mysql://bench@host"
    dsn = "mysql:bench@host/x"
    dsn = "mysql://bench@host:3306/x?tls=required"
    dsn = "mysql://bench:…"
    dsn = "mysql://bench@host:99999/x?tsl=…&tls=required"
    password_env = "THE_ENV"
    a = { password = "…", b = 1 }
    dsn = "mysql://bench@host"
    "#);
}

#[test]
fn what_is_no_address_stays_as_it_is() {
    for line in [
        "# see https://example.com/a and mail bench@example.com",
        "note = \"see https://example.com:8080/x and ask me@example.com\"",
        "# https://example.com/a:b/@user/x, me@example.com",
        "# mysql://db:3306/x is slow, ask me@example.com",
        "note = 'mysql://db:3306 is slow, ask me@example.com'",
        "# connect to mysql://db: ask me@example.com",
        "# mysql://[::1]:3306/x, ask me@example.com",
        "start = \"curl http://h/ready && mail -s 'a: b' me@example.com\"",
        "# mysql://app@db, postgres://app@db, and me@example.com at 12:30",
        "a = \"x // b: c\" # me@example.com",
        "see <https://example.com> or \"https://example.com\": me@example.com",
    ] {
        assert_eq!(redact(line), line);
    }
}

#[test]
fn a_password_in_a_sentence_is_hidden_and_the_sentence_stays() {
    for (line, shown) in [
        ("# mysql://a:s3cret@b is slow, ask me@x.org", "# mysql://a@b is slow, ask me@x.org"),
        ("# a:s3cret@b is slow, ask me@x.org", "# a@b is slow, ask me@x.org"),
        ("run = 'x mysql://a:my s3cret@b && mail me@x.org'", "run = 'x mysql://a@b && mail me@x.org'"),
        ("# https://a:s3cret@b/c, ask me@x.org", "# https://a@b/c, ask me@x.org"),
        ("r1 = \"mysql://a:p@s3cret s3cret@b\" # me@x.org", "r1 = \"mysql://a@b\" # me@x.org"),
        ("mysql://a:p@s3cret s3cret@b", "mysql://a@b"),
    ] {
        assert_eq!(redact(line), shown);
    }
}

#[test]
fn what_is_a_secret_in_commands_and_addresses_of_the_web_is_hidden() {
    for (line, shown) in [
        (
            "http://u:Zq9@db:9104/metrics?token=Zq9&collect[]=standard",
            "http://u@db:9104/metrics?token=…&collect[]=standard",
        ),
        ("https://db/probe?module=a&target=db:3306", "https://db/probe?module=a&target=db:3306"),
        ("https://db/probe?target=u:Zq9@db:3306", "https://db/probe?target=…"),
        ("https://db/probe?Zq9", "https://db/probe?…"),
        ("curl -H \"Authorization: Bearer Zq9\" https://h/x", "curl -H \"Authorization: …\" https://h/x"),
        ("curl -H 'X-Vault-Token: Zq9' -H 'x-api-key: Zq9' h", "curl -H 'X-Vault-Token: …' -H 'x-api-key: …' h"),
        ("curl -u bench:Zq9 --user=a:Zq9 h", "curl -u bench:… --user=a:… h"),
        ("mysql -ubench -pZq9 -P3306 d", "mysql -ubench -p… -P3306 d"),
        ("mariadb -u bench -p'Zq9 & x' d", "mariadb -u bench -p'…' d"),
        ("mariadb -u bench -p\"Zq9\" d", "mariadb -u bench -p\"…\" d"),
    ] {
        assert_eq!(redact(line), shown);
    }
    for line in [
        "docker run -u 1000:1000 mysql:8 -p 3306:3306",
        "mysql -u bench -p$PW && mkdir -p /tmp/x; psql -p5432",
        "curl -u \"$LOGIN\" https://h/x",
        "run = \"mysql -u bench -p\" # as \"root\"",
    ] {
        assert_eq!(redact(line), line);
    }
}

/// A plan is recorded so, and run again from there.
#[test]
fn addresses_in_commands_stay_and_lose_their_password_only() {
    for (before, behind) in [
        ("before_run = \"./w.sh --dsn=mysql://bench", "@db.example/app?tls=required; true\""),
        ("before_run = \"DATABASE_URL=postgres://bench", "@db/app?sslmode=require; echo x\""),
        ("DATABASE_URL=postgres://bench", "@db/app?sslmode=require; echo x"),
        ("before_run = 'psql postgres://bench", "@db/app?sslmode=require; true'"),
        ("x = \"(psql postgres://bench", "@db/app?sslmode=require)|cat\""),
        ("x = \"psql ${URL:-postgres://bench", "@db/app?sslmode=require} -c 'SELECT 1'\""),
        ("dsn=mysql://u", "@h/d"),
        ("--url=http://me", "@host/hook; true"),
    ] {
        let line = format!("{before}{behind}");
        assert_eq!(redact(&line), line);
        assert_eq!(redact(&format!("{before}:Zq;9|Zq9{behind}")), line);
    }
    for (line, shown) in [
        ("curl -s http://me@host/hook?x=1; true", "curl -s http://me@host/hook?x=…; true"),
        ("run = \"curl 'http://h/x?key=a;Zq9'; true\"", "run = \"curl 'http://h/x?key=…'; true\""),
        ("run = \"curl \\\"http://h/x?key=a;Zq9\\\"; true\"", "run = \"curl \\\"http://h/x?key=…\\\"; true\""),
        ("a = u:Zq9://x@h", "a = u@h"),
        ("# mysql://u@h/x?password=a;Zq9 is slow", "# mysql://u@h/x is slow"),
        ("x='psql postgres://u@h/d?password=Zq9; true'", "x='psql postgres://u@h/d; true'"),
        ("x='psql postgres://u@h/d?passfile=/p; true'", "x='psql postgres://u@h/d?passfile=/p; true'"),
    ] {
        assert_eq!(redact(line), shown);
    }
}

/// Positions in an address where a password may be written, valid or not.
const PLACES: &[&str] = &[
    "mysql://u:SECRET@h/x",
    "mysql:u:SECRET@h/x",
    "mariadb:u:SECRET@h/x",
    "mysql://:SECRET@h",
    "mysql://u:SECRET@",
    "mysql://u:SECRET",
    "mysql://u:SECRET/x",
    "mysql://u:a/SECRET@h",
    "mysql://u:a?SECRET@h",
    "mysql://u:a@SECRET@h",
    "mysql://u:SECRET@h:99999999/x",
    "mysql://u:SECRET@[::1/x",
    "MYSQL://u:SECRET@h",
    "mysqll://u:SECRET@h",
    "u:SECRET@h/x",
    "jdbc:mysql://h/x?user=a&password=SECRET",
    "mysql+pymysql://u:SECRET@h/x",
    "mysql://u:SECRET@h/x?tsl=1",
    "mysql://u:SECRET@h/x?tls=required&tls=disabled",
    "mysql://u@h/x?password=SECRET",
    "mysql://u@h/x?passwd=SECRET&tls=required",
    "mysql://u@h/x?pwd=SECRET",
    "mysql://u@h/x?pass=SECRET",
    "mysql://u@h/x?PassWord=SECRET",
    "mysql://u@h/x?p%61ssword=SECRET",
    "mysql://u@h/x?my_password=SECRET",
    "mysql://u@h/x?sslpassword=SECRET",
    "mysql://u@h/x?token=SECRET",
    "postgres://u:SECRET@h/x",
    "postgresql:u:SECRET@h/x",
    "postgresql:///x?host=/run&user=a&password=SECRET",
    "postgres://u@h/x?pwd=SECRET&port=x",
    "postgres://u@h/x?sslpassword=SECRET",
    "postgresql:u:SECRET@ql://du:p@",
    "mysql:u:SECRET//x@h",
    "sqlite:/x?key=SECRET",
    "sqlite:/x?password=SECRET",
];

proptest! {
    /// What is written around an address is shown, and a password with blanks, quotes and strokes is not.
    #[test]
    fn words_around_an_address_stay_and_no_password_does(
        before in "[a-z ,;.]{0,20}",
        after in "( [a-z]{1,6}(@[a-z]{1,5}\\.org)?[,;.]?){0,5}",
        account in "[a-z]{1,6}",
        secret in "[a-zA-Z][a-zA-Z0-9 /?#@'!$*+,;~^.|-]{4,10}Zq9",
        scheme in proptest::sample::select(vec!["mysql://", "postgres://", "mariadb:", "mysql+pymysql://"]),
    ) {
        let before = format!("# {before}");
        let in_sentence = secret.replace(['@', '\''], "_");
        let shown = redact(&format!("{before} {scheme}{account}:{in_sentence}@host{after}"));
        prop_assert!(shown.starts_with(&before) && shown.ends_with(&after), "{}", shown);
        prop_assert!(!shown.contains("Zq9"), "{}", shown);
        let plain = format!("{before} https://example.com:8080/{account}{after}");
        prop_assert_eq!(redact(&plain), plain);
        for key in ["dsn", "r1"] {
            let shown = redact(&format!("{key} = \"{scheme}{account}:{secret}@host\" #{after}"));
            prop_assert!(shown.ends_with(&format!("\" #{after}")) && !shown.contains("Zq9"), "{}", shown);
        }
    }

    /// Whatever an address looks like, nothing that parses or shows it reveals the password.
    #[test]
    fn a_password_comes_out_nowhere(
        place in proptest::sample::select(PLACES),
        secret in "[a-zA-Z0-9]{2}[a-zA-Z0-9!$*+,;~^.|-]{4,10}Zq9",
        coded: bool,
        quote in proptest::sample::select(vec!['"', '\'']),
    ) {
        let written: String = match coded {
            true => secret.bytes().map(|b| format!("%{b:02x}")).collect(),
            false => secret.clone(),
        };
        let address = place.replace("SECRET", &written);
        let read = Dsn::parse(&address);
        let mut texts = vec![format!("{read:?}")];
        match read {
            Ok(dsn) => texts.extend([dsn.to_string(), dsn.without_password()]),
            Err(p) => texts.push(p.to_string()),
        }
        let line = format!("dsn = {quote}{address}{quote} # {address}");
        texts.extend([redact(&line), redact(&address)]);
        let plan = format!("schema = 1\n[targets.a]\n{line}\n[[experiment]]\ntargets = [\"a\"]\n[experiment.load]\nworkload = \"cpu\"\n");
        match crate::plan::Plan::parse(&plan, &crate::workload::Catalog::EMPTY) {
            Ok(plan) => {
                texts.push(plan.text.clone());
                texts.extend(plan.notes.iter().map(ToString::to_string));
                texts.push(format!("{plan:?}"));
            }
            Err(all) => texts.extend(all.iter().map(ToString::to_string)),
        }
        for text in texts {
            prop_assert!(!text.contains(&secret) && !text.contains(&written), "{} in {}", secret, text);
        }
    }
}
