//! The driver against a server that speaks MySQL 8 and 9's side, which cannot be installed here: every way through
//! `caching_sha2_password`, and what a server may do that real ones rarely do.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::fake;

use fake::{ClientLog, Fake, Quirk, Script};
use tenbin_driver::{Class, Connection, Connector, Error, Transport};
use tenbin_model::dsn::Dsn;
use tenbin_words::message::foreign;

const BOTH: [Transport; 2] = [Transport::Shared, Transport::Alone];

/// Connects as `moon`, asks one statement, leaves; what the server saw comes along.
fn visit(script: Script, visits: &[(&str, Option<&str>)]) -> (Vec<Result<Option<String>, Error>>, ClientLog) {
    let fake = Fake::start(script);
    let outcomes = visits
        .iter()
        .flat_map(|(options, password)| BOTH.map(|transport| (options, password, transport)))
        .map(|(options, password, transport)| {
            let options = options.replace("SOCKET", &format!("socket={}", fake.socket.display()));
            let dsn = Dsn::parse(&format!("mysql://moon@{}/db?{options}", fake.address)).unwrap();
            let connector = Connector::new(dsn, password.map(str::to_owned)).unwrap();
            on(async {
                let mut c = connector.connect(transport).await?;
                assert_eq!(c.query("SELECT 1").await?.rows, 1);
                let encrypted = c.encrypted().map(str::to_owned);
                c.close().await;
                Ok(encrypted)
            })
        })
        .collect();
    (outcomes, fake.finish())
}

fn on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|w| w == text.as_bytes())
}

#[test]
fn first_in_full_by_rsa_then_fast_over_an_open_line() {
    for (version, tls) in [("8.0.36", false), ("8.4.3", true), ("9.1.0", true)] {
        let (outcomes, log) =
            visit(Script { version, tls, ..Script::default() }, &[("tls=disabled", Some("tsunami-7"))]);
        for outcome in outcomes {
            assert_eq!(outcome.unwrap(), None);
        }
        let login = "moon by caching_sha2_password";
        assert_eq!(log.steps, [login, "full by RSA", "in", login, "fast", "in"]);
        assert!(!holds(&log.clear, "tsunami"), "the password went over the open line");
    }
}

#[test]
fn first_in_full_then_fast_inside_tls() {
    let (outcomes, log) = visit(Script::default(), &[("tls=required", Some("tsunami-7"))]);
    for outcome in outcomes {
        let about = outcome.unwrap().expect("encrypted");
        assert!(about.starts_with("TLSv1_3 TLS13_"), "{about}");
    }
    let login = "moon by caching_sha2_password";
    assert_eq!(log.steps, ["tls", login, "full in clear text inside", "in", "tls", login, "fast", "in"]);
    assert!(!holds(&log.clear, "tsunami") && !holds(&log.clear, "moon"), "more than the TLS request was in the clear");
}

#[test]
fn a_unix_socket_needs_neither_tls_nor_key() {
    let (outcomes, log) = visit(Script::default(), &[("SOCKET", Some("tsunami-7"))]);
    for outcome in outcomes {
        assert_eq!(outcome.unwrap(), None);
    }
    assert!(log.steps.contains(&"full in clear text inside".to_owned()), "{:?}", log.steps);
}

#[test]
fn a_wrong_password_is_refused_on_every_way_and_told_nowhere() {
    let ways = ["tls=disabled", "tls=required", "tls=preferred", "SOCKET"];
    for method in ["caching_sha2_password", "mysql_native_password", "client_ed25519"] {
        let (outcomes, log) = visit(Script { method, ..Script::default() }, &ways.map(|way| (way, Some("typhoon-8"))));
        assert_eq!(outcomes.len(), 8);
        for outcome in outcomes {
            let error = outcome.unwrap_err();
            assert_eq!((error.class(), error.number()), (Class::Refused, Some(1045)), "{method}: {error}");
            let text = format!("{error} {error:?} {}", error.problem(foreign("connecting")));
            assert!(!text.contains("typhoon"), "{text}");
        }
        // What goes through the socket does not leave the machine.
        let over_tcp = log.steps.iter().filter(|s| *s == "tls").count();
        assert_eq!(over_tcp, 4);
    }
}

#[test]
fn a_wrong_or_missing_password_is_refused_by_a_server_that_remembers_the_right_one() {
    let way = "tls=disabled";
    let visits = [(way, Some("tsunami-7")), (way, Some("typhoon-8")), (way, None)];
    let (outcomes, log) = visit(Script::default(), &visits);
    let numbers: Vec<_> = outcomes.iter().map(|o| o.as_ref().err().and_then(Error::number)).collect();
    assert_eq!(numbers, [None, None, Some(1045), Some(1045), Some(1045), Some(1045)]);
    assert!(outcomes[2].as_ref().unwrap_err().problem(foreign("connecting")).hint.is_some());
    assert!(!holds(&log.clear, "typhoon"), "a wrong password is a password too");
}

#[test]
fn an_empty_password_and_one_longer_than_the_nonce() {
    let (outcomes, log) = visit(Script { password: "", ..Script::default() }, &[("tls=disabled", None)]);
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert!(!log.steps.iter().any(|s| s.contains("full")), "{:?}", log.steps);
    let long = "a password of more than twenty bytes, with 日本語 in it";
    let (outcomes, log) = visit(Script { password: long, ..Script::default() }, &[("tls=disabled", Some(long))]);
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    assert!(!holds(&log.clear, "twenty bytes"));
}

#[test]
fn a_switch_to_the_method_of_the_account_is_followed() {
    for (proposes, method) in [
        ("caching_sha2_password", "mysql_native_password"),
        ("mysql_native_password", "caching_sha2_password"),
        ("mysql_native_password", "client_ed25519"),
        ("a_method_of_the_future", "caching_sha2_password"),
    ] {
        let script = Script { proposes, method, ..Script::default() };
        let (outcomes, log) = visit(script, &[("tls=disabled", Some("tsunami-7"))]);
        assert!(outcomes.iter().all(Result::is_ok), "{proposes} to {method}: {outcomes:?}");
        assert!(log.steps.contains(&format!("switch to {method}")), "{:?}", log.steps);
        assert!(!holds(&log.clear, "tsunami"));
    }
}

#[test]
fn sha256_password_goes_under_a_key_or_inside_tls() {
    let script = |quirk| Script { method: "sha256_password", quirk, ..Script::default() };
    for (quirk, way, step) in [
        (Quirk::None, "tls=disabled", "by RSA"),
        (Quirk::BareKey, "tls=disabled", "by RSA"),
        // The server takes no socket for a safe line here.
        (Quirk::None, "SOCKET", "by RSA"),
        (Quirk::None, "tls=required", "in clear text inside"),
    ] {
        let (outcomes, log) = visit(script(quirk), &[(way, Some("tsunami-7"))]);
        assert!(outcomes.iter().all(Result::is_ok), "{way}: {outcomes:?}");
        assert!(log.steps.iter().any(|s| s == step), "{:?}", log.steps);
        assert!(!holds(&log.clear, "tsunami"));
        // What an account that is not there is asked on MySQL 8 ends as any wrong password.
        let (outcomes, log) = visit(script(quirk), &[(way, Some("typhoon-8")), (way, None)]);
        for outcome in outcomes {
            assert_eq!(outcome.unwrap_err().number(), Some(1045), "{way}");
        }
        assert!(!holds(&log.clear, "typhoon"));
    }
    let (outcomes, _) = visit(Script { password: "", ..script(Quirk::None) }, &[("tls=disabled", None)]);
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
}

#[test]
fn a_certificate_that_signs_itself_is_taken_when_it_is_named_and_a_refusal_says_why() {
    let named = |mode: &str, file: &str| format!("{mode}&tls_ca={}", fake::KEYS.2.join(file).display());
    let try_with = |certificate, options: &str| {
        let (mut outcomes, log) = visit(Script { certificate, ..Script::default() }, &[(options, Some("tsunami-7"))]);
        assert!(!holds(&log.clear, "tsunami"));
        outcomes
            .pop()
            .unwrap()
            .map_err(|e| (e.message().to_owned(), e.problem(foreign("")).hint.unwrap_or_default().english().to_owned()))
    };
    // Naming an authority without a mode asks it.
    for (certificate, mode) in [
        ("cert.pem", "tls=verify-identity"),
        ("cert.pem", "tls=verify-ca"),
        ("cert.pem", ""),
        ("other.pem", "ssl-mode=VERIFY_CA"),
    ] {
        let taken = try_with(certificate, &named(mode, certificate));
        assert!(taken.is_ok_and(|about| about.is_some()), "{certificate} {mode}");
    }
    for (certificate, options, what, hint) in [
        ("other.pem", named("tls=verify-identity", "other.pem"), "not valid for name", "is for another name"),
        ("old.pem", named("tls=verify-ca", "old.pem"), "Expired", "has expired: renew it"),
        ("cert.pem", named("tls=verify-ca", "stranger.pem"), "CaUsedAsEndEntity", "name exactly this one as tls_ca"),
        ("cert.pem", named("tls=required", "stranger.pem"), "CaUsedAsEndEntity", "name exactly this one as tls_ca"),
        ("cert.pem", named("ssl=true", "stranger.pem"), "CaUsedAsEndEntity", "name exactly this one as tls_ca"),
    ] {
        let (text, hint_told) = try_with(certificate, &options).unwrap_err();
        assert!(text.contains(what) && hint_told.contains(hint), "{certificate} {options}: {text} / {hint_told}");
    }
}

#[test]
fn what_stands_before_the_encryption_is_not_taken_for_the_server() {
    // An injected OK would end the login: the attacker who put it there would be verified as the server.
    let script = Script { quirk: Quirk::Injected, ..Script::default() };
    for way in ["tls=required", "tls=preferred"] {
        let (outcomes, log) = visit(script.clone(), &[(way, Some("tsunami-7"))]);
        for outcome in outcomes {
            let error = outcome.unwrap_err();
            assert_eq!(error.class(), Class::Protocol, "{error}");
            assert!(error.message().contains("before TLS has begun"), "{error}");
        }
        assert!(!holds(&log.clear, "tsunami") && !log.steps.contains(&"tls".to_owned()), "{:?}", log.steps);
    }
    let script = Script { quirk: Quirk::InjectedLate, ..Script::default() };
    let (outcomes, _) = visit(script, &[("tls=disabled&compress=on", Some("tsunami-7"))]);
    for outcome in outcomes {
        let error = outcome.unwrap_err();
        assert!(
            error.class() == Class::Protocol && error.message().contains("before compression has begun"),
            "{error}"
        );
    }
}

#[test]
fn a_nonce_that_ends_in_zero_is_signed_whole() {
    let script = Script {
        version: "5.5.5-11.4.5-MariaDB",
        proposes: "mysql_native_password",
        method: "client_ed25519",
        quirk: Quirk::NonceEndsInZero,
        ..Script::default()
    };
    let (outcomes, _) = visit(script, &[("tls=disabled", Some("tsunami-7"))]);
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
}

#[test]
fn clear_text_is_for_encrypted_lines_only() {
    for proposes in ["mysql_native_password", "mysql_clear_password"] {
        let script = Script { proposes, method: "mysql_clear_password", ..Script::default() };
        let (outcomes, log) = visit(script.clone(), &[("tls=disabled", Some("tsunami-7"))]);
        for outcome in outcomes {
            let error = outcome.unwrap_err();
            assert_eq!(error.class(), Class::Refused);
            assert!(error.problem(foreign("")).hint.unwrap().contains("tls=required"), "{error}");
        }
        assert!(!holds(&log.clear, "tsunami"), "the password went over the open line");
        let (outcomes, _) = visit(script, &[("tls=required", Some("tsunami-7"))]);
        assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    }
}

#[test]
fn too_old_for_our_tls() {
    let script = Script { quirk: Quirk::OldTls, ..Script::default() };
    let (outcomes, _) = visit(script.clone(), &[("tls=preferred", Some("tsunami-7"))]);
    for outcome in outcomes {
        assert_eq!(outcome.unwrap(), None, "it says that it is not encrypted");
    }
    let (outcomes, log) = visit(script, &[("tls=required", Some("tsunami-7"))]);
    for outcome in outcomes {
        let error = outcome.unwrap_err();
        assert_eq!(error.class(), Class::Refused);
        assert!(error.message().contains("TLS"), "{error}");
    }
    assert!(!log.steps.contains(&"in".to_owned()));
}

#[test]
fn doors_that_stay_shut_say_why() {
    let refusal = |quirk| {
        let (mut outcomes, _) = visit(Script { quirk, ..Script::default() }, &[("tls=disabled", Some("tsunami-7"))]);
        outcomes.pop().unwrap().unwrap_err()
    };
    let classes = [
        (Quirk::Error(1040, "Too many connections"), Class::Limit, Some(1040), "Too many connections"),
        (Quirk::Error(1130, "Host 'x' is not allowed to connect"), Class::Refused, Some(1130), "not allowed"),
        (Quirk::Refuse(3159, "Connections using insecure transport are prohibited"), Class::Refused, Some(3159), ""),
        (Quirk::Refuse(1049, "Unknown database 'db'"), Class::Refused, Some(1049), "Unknown database"),
        (Quirk::Key("-----BEGIN PUBLIC KEY-----\nnonsense\n-----END PUBLIC KEY-----\n"), Class::Refused, None, "key"),
        (Quirk::AskForever, Class::Protocol, None, "keeps asking"),
        (Quirk::OldPassword, Class::Refused, None, "before MySQL 4.1"),
    ];
    for (quirk, class, number, words) in classes {
        let error = refusal(quirk);
        assert_eq!((error.class(), error.number()), (class, number), "{error}");
        assert!(error.message().contains(words), "{error}");
    }
    let (outcomes, _) = visit(
        Script { method: "authentication_kerberos_client", ..Script::default() },
        &[("tls=disabled", Some("tsunami-7"))],
    );
    let error = outcomes.into_iter().next().unwrap().unwrap_err();
    assert!(error.class() == Class::Refused && error.message().contains("authentication_kerberos_client"), "{error}");
}

#[test]
fn a_server_that_leaves_is_a_lost_connection() {
    for (quirk, number) in [(Quirk::IdleTooLong, 4031), (Quirk::Hangup, 2013)] {
        for transport in BOTH {
            let fake = Fake::start(Script { quirk, ..Script::default() });
            let dsn = Dsn::parse(&format!("mysql://moon@{}?tls=disabled", fake.address)).unwrap();
            let connector = Connector::new(dsn, Some("tsunami-7".into())).unwrap();
            on(async {
                let mut c: Connection = connector.connect(transport).await.unwrap();
                let error = c.query("SELECT 1").await.unwrap_err();
                assert_eq!((error.class(), error.number()), (Class::Lost, Some(number)), "{error}");
                let again = c.query("SELECT 1").await.unwrap_err();
                assert_eq!(again.class(), Class::Lost, "{again}");
            });
            fake.finish();
        }
    }
}
