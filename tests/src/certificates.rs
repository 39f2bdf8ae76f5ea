//! An authority, another one, and a certificate of the first for `db.example`, made by openssl in a directory of their
//! own.

use std::process::Command;
use tempfile::TempDir;

/// Files that are gone when this is dropped.
pub struct Certificates(TempDir);

impl Certificates {
    /// The path of `ca.pem`, `other.pem`, `server.pem` or `server.key`.
    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }
}

/// Makes them. Everybody may read them but the key, which belongs to `account` where we are root: PostgreSQL wants it
/// so.
pub fn certificates(account: &str) -> Certificates {
    let made = Certificates(tempfile::tempdir().expect("a directory can be made"));
    let openssl = |args: &str| {
        let args = args.split(' ').map(|a| a.strip_prefix('@').map_or(a.to_owned(), |name| made.path(name)));
        super::run(Command::new("openssl").args(args));
    };
    for ca in ["ca", "other"] {
        openssl(&format!(
            "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={ca} -addext basicConstraints=critical,CA:TRUE -keyout @{ca}.key -out @{ca}.pem"
        ));
    }
    std::fs::write(made.path("ext"), "subjectAltName=DNS:db.example\nbasicConstraints=CA:FALSE\n")
        .expect("the directory can be written");
    openssl("req -newkey rsa:2048 -nodes -subj /CN=db.example -keyout @server.key -out @server.csr");
    openssl(
        "x509 -req -in @server.csr -CA @ca.pem -CAkey @ca.key -CAcreateserial -days 2 -extfile @ext -out @server.pem",
    );
    super::run(Command::new("chmod").args(["-R", "a+rX"]).arg(made.0.path()));
    super::run(Command::new("chmod").args(["0600", &made.path("server.key")]));
    // Who we are: the owner of what we have just made.
    let ours = std::os::unix::fs::MetadataExt::uid(&std::fs::metadata(made.0.path()).expect("it is there"));
    if ours == 0 {
        super::run(Command::new("chown").args([account, &made.path("server.key")]));
    }
    made
}
