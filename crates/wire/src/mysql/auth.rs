//! Proofs of a password, one function per method. Sources: the protocol's documentation of "Authentication Phase"; for
//! ed25519 MariaDB's documentation of its plugin. None of them stores or prints the password.

use ed25519_dalek::VerifyingKey;
use ed25519_dalek::hazmat::{ExpandedSecretKey, raw_sign};
use rsa::pkcs8::DecodePublicKey;
use rsa::{Oaep, RsaPublicKey};
use sha1::{Digest, Sha1};
use sha2::{Sha256, Sha512};

/// Number of bytes in the nonce of a method. It may be followed by a zero byte on the wire, and may itself end with
/// one.
pub fn nonce_length(plugin: &str) -> usize {
    if plugin == "client_ed25519" { 32 } else { 20 }
}

/// `mysql_native_password`: SHA1(p) XOR SHA1(nonce + SHA1(SHA1(p))); empty for an empty password.
pub fn native(password: &[u8], nonce: &[u8]) -> Vec<u8> {
    if password.is_empty() {
        return Vec::new();
    }
    let once = Sha1::digest(password);
    let mix = Sha1::new().chain_update(nonce.get(..20).unwrap_or(nonce)).chain_update(Sha1::digest(once)).finalize();
    xor(&once, &mix)
}

/// `caching_sha2_password`, fast authentication: SHA256(p) XOR SHA256(SHA256(SHA256(p)) + nonce); empty for an empty
/// password.
pub fn caching_sha2(password: &[u8], nonce: &[u8]) -> Vec<u8> {
    if password.is_empty() {
        return Vec::new();
    }
    let once = Sha256::digest(password);
    let mix =
        Sha256::new().chain_update(Sha256::digest(once)).chain_update(nonce.get(..20).unwrap_or(nonce)).finalize();
    xor(&once, &mix)
}

/// `caching_sha2_password`, full authentication over an unencrypted connection: the password with its terminating zero,
/// XOR the nonce, encrypted with the server's RSA key (PEM), OAEP and SHA1. `None` if the key cannot be read.
pub fn by_rsa(password: &[u8], nonce: &[u8], key_pem: &[u8]) -> Option<Vec<u8>> {
    let key = RsaPublicKey::from_public_key_pem(std::str::from_utf8(key_pem).ok()?.trim()).ok()?;
    let nonce = nonce.get(..20).unwrap_or(nonce);
    if nonce.is_empty() {
        return None;
    }
    let mixed: Vec<u8> = password.iter().chain(&[0]).zip(nonce.iter().cycle()).map(|(p, n)| p ^ n).collect();
    key.encrypt(&mut rand_core::OsRng, Oaep::new::<Sha1>(), &mixed).ok()
}

/// `client_ed25519`: the nonce, signed with the key whose expanded form is SHA512(p).
pub fn ed25519(password: &[u8], nonce: &[u8]) -> Vec<u8> {
    let expanded: [u8; 64] = Sha512::digest(password).into();
    let secret = ExpandedSecretKey::from_bytes(&expanded);
    let public = VerifyingKey::from(&secret);
    raw_sign::<Sha512>(&secret, nonce, &public).to_bytes().to_vec()
}

fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a server does: it keeps SHA1(SHA1(p)) and undoes the XOR.
    #[test]
    fn a_server_accepts_the_native_proof_of_the_right_password_only() {
        let (nonce, stored) = (b"12345678901234567890", Sha1::digest(Sha1::digest(b"secret")));
        let accepts = |proof: &[u8]| {
            let mix = Sha1::new().chain_update(nonce).chain_update(stored).finalize();
            Sha1::digest(xor(proof, &mix)) == stored
        };
        assert!(accepts(&native(b"secret", nonce)));
        assert!(!accepts(&native(b"Secret", nonce)));
        assert!(native(b"", nonce).is_empty() && caching_sha2(b"", nonce).is_empty());
    }

    #[test]
    fn a_server_accepts_the_sha2_proof_of_the_right_password_only() {
        let (nonce, stored) = (b"12345678901234567890", Sha256::digest(Sha256::digest(b"secret")));
        let accepts = |proof: &[u8]| {
            let mix = Sha256::new().chain_update(stored).chain_update(nonce).finalize();
            Sha256::digest(xor(proof, &mix)) == stored
        };
        assert!(accepts(&caching_sha2(b"secret", nonce)));
        assert!(!accepts(&caching_sha2(b"", nonce)) && !accepts(&caching_sha2(b"x", nonce)));
    }

    #[test]
    fn the_rsa_way_comes_back_with_the_private_key() {
        use rsa::pkcs8::{EncodePublicKey, LineEnding};
        let private = rsa::RsaPrivateKey::new(&mut rand_core::OsRng, 768).unwrap();
        let pem = private.to_public_key().to_public_key_pem(LineEnding::LF).unwrap();
        let sent = by_rsa(b"secret", b"12345678901234567890", pem.as_bytes()).unwrap();
        let mixed = private.decrypt(Oaep::new::<Sha1>(), &sent).unwrap();
        let back: Vec<u8> = mixed.iter().zip(b"12345678901234567890").map(|(a, b)| a ^ b).collect();
        assert_eq!(back, b"secret\0");
        assert_eq!(by_rsa(b"secret", b"1234", b"no key"), None);
    }

    #[test]
    fn the_ed25519_proof_is_a_signature_of_the_nonce() {
        use ed25519_dalek::{Signature, Verifier};
        let proof: [u8; 64] = ed25519(b"secret", b"nonce").try_into().unwrap();
        let expanded: [u8; 64] = Sha512::digest(b"secret").into();
        let public = VerifyingKey::from(&ExpandedSecretKey::from_bytes(&expanded));
        assert!(public.verify(b"nonce", &Signature::from_bytes(&proof)).is_ok());
        assert!(public.verify(b"other", &Signature::from_bytes(&proof)).is_err());
    }
}
