//! What is noted for a later process, which may work in another directory: whole paths.

use std::path::Path;
use tenbin_model::dsn::{Dsn, FILES};

/// A path as it is understood in the present directory; one that begins with `~` is the same everywhere.
pub fn path(path: &str) -> String {
    let is_whole = path.is_empty() || path.starts_with('~');
    let whole = std::path::absolute(Path::new(path)).ok().filter(|_| !is_whole);
    whole.and_then(|whole| whole.to_str().map(str::to_owned)).unwrap_or_else(|| path.to_owned())
}

/// An address, without password.
pub fn address(dsn: &Dsn) -> String {
    let mut whole = dsn.clone();
    for name in FILES.into_iter().chain(["socket"]) {
        if let Some(given) = whole.options.get_mut(name) {
            *given = path(given);
        }
    }
    whole.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_whole_and_nothing_else_is_changed() {
        let here = std::env::current_dir().unwrap();
        let of = |text: &str| address(&Dsn::parse(text).unwrap());
        let whole = Dsn::parse(&of("mysql://u@db:3306/app?password_file=pw&tls=verify-ca&tls_ca=/ca.pem")).unwrap();
        assert_eq!(whole.options["password_file"], here.join("pw").display().to_string());
        assert_eq!((whole.options["tls_ca"].as_str(), whole.options["tls"].as_str()), ("/ca.pem", "verify-ca"));
        let same = "mysql://u@db:3306/app";
        assert_eq!((of(same).as_str(), path("~/pw").as_str(), path("").as_str()), (same, "~/pw", ""));
    }
}
