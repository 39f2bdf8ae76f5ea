//! Proofs of a password, one function per method. None sends the password itself except where its name says so.

use super::Fault;
use ed25519_dalek::hazmat::{ExpandedSecretKey, raw_sign};
use rsa::pkcs8::DecodePublicKey;
use rsa::rand_core::CryptoRngCore;
use rsa::{Oaep, RsaPublicKey};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

/// Methods as servers name them.
pub mod plugin {
    /// SHA-1 twice; the default until MySQL 8, and of MariaDB.
    pub const NATIVE: &str = "mysql_native_password";
    /// SHA-256 twice, with the full password once until the server's cache knows it; MySQL 8 and 9.
    pub const CACHING_SHA2: &str = "caching_sha2_password";
    /// The full password each time, over TLS or under the server's key.
    pub const SHA256: &str = "sha256_password";
    /// MariaDB's signature.
    pub const ED25519: &str = "client_ed25519";
    /// The password itself.
    pub const CLEAR: &str = "mysql_clear_password";
}

/// `mysql_native_password`: SHA1(password) XOR SHA1(nonce, SHA1(SHA1(password))). Empty for an empty password.
pub fn native(password: &[u8], nonce: &[u8]) -> Vec<u8> {
    if password.is_empty() {
        return Vec::new();
    }
    let once = Sha1::digest(password);
    let mask = Sha1::new().chain_update(nonce).chain_update(Sha1::digest(once)).finalize();
    once.iter().zip(mask).map(|(a, b)| a ^ b).collect()
}

/// `caching_sha2_password`, fast: SHA256(password) XOR SHA256(SHA256(SHA256(password)), nonce). One zero byte for an empty password.
pub fn caching_sha2(password: &[u8], nonce: &[u8]) -> Vec<u8> {
    if password.is_empty() {
        return vec![0];
    }
    let once = Sha256::digest(password);
    let mask = Sha256::new().chain_update(Sha256::digest(once)).chain_update(nonce).finalize();
    once.iter().zip(mask).map(|(a, b)| a ^ b).collect()
}

/// What follows a `caching_sha2_password` proof.
pub mod caching_sha2_step {
    /// From the server: the proof was enough, "OK" follows.
    pub const FAST_OK: u8 = 3;
    /// From the server: not in the cache, send the password.
    pub const FULL: u8 = 4;
    /// From the client: send the public key first (`caching_sha2_password`).
    pub const ASK_KEY: u8 = 2;
    /// From the client: send the public key first (`sha256_password`).
    pub const ASK_KEY_SHA256: u8 = 1;
}

/// The password itself and its ending zero byte: only over TLS or a Unix socket.
pub fn clear(password: &[u8]) -> Vec<u8> {
    [password, b"\0"].concat()
}

/// The password for a server across an open network: XOR with the nonce, then RSA-OAEP-SHA1 under the server's public key (PEM).
pub fn under_key(password: &[u8], nonce: &[u8], pem: &[u8], random: &mut impl CryptoRngCore) -> Result<Vec<u8>, Fault> {
    if nonce.is_empty() {
        return Err(Fault::Malformed("nonce"));
    }
    let pem = std::str::from_utf8(pem).map_err(|_| Fault::Malformed("public key"))?;
    let key = RsaPublicKey::from_public_key_pem(pem.trim()).map_err(|_| Fault::Malformed("public key"))?;
    let masked: Vec<u8> = clear(password).iter().zip(nonce.iter().cycle()).map(|(a, b)| a ^ b).collect();
    key.encrypt(random, Oaep::new::<Sha1>(), &masked).map_err(|_| Fault::Malformed("public key (too short for the password)"))
}

/// `client_ed25519` of MariaDB: SHA-512 of the password is the expanded secret key; it signs the nonce of 32 bytes.
pub fn ed25519(password: &[u8], nonce: &[u8]) -> [u8; 64] {
    let secret = ExpandedSecretKey::from_bytes(&Sha512::digest(password).into());
    let public = (&secret).into();
    raw_sign::<Sha512>(&secret, nonce, &public).to_bytes()
}
