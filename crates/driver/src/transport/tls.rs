//! What each TLS mode verifies. The configuration is made once per connector and applied to every connection.

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::path::Path;
use std::sync::Arc;
use tenbin_model::dsn::Dsn;
use tenbin_words::message::Message;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How much TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// None.
    Disabled,
    /// If the server supports it; nothing is verified.
    Preferred,
    /// Always; nothing is verified.
    Required,
    /// Always; the certificate must be signed by the given authority.
    VerifyCa,
    /// Always; and the certificate must be for this host.
    VerifyIdentity,
}

/// Reads mode and files from the address's options.
pub fn configure(dsn: &Dsn) -> Result<(Mode, Option<Arc<ClientConfig>>), Problem> {
    let has = |name: &str| dsn.options.contains_key(name);
    let mode = match dsn.options.get("tls").map(String::as_str) {
        Some("disabled") => return Ok((Mode::Disabled, None)),
        // If an authority is given, it is used for verification (as in libpq with `require`, in MySQL's clients without
        // a mode).
        None | Some("required") if has("tls_ca") => Mode::VerifyCa,
        // A client certificate can only be used with TLS.
        None if has("tls_cert") => Mode::Required,
        None | Some("preferred") => Mode::Preferred,
        Some("required") => Mode::Required,
        Some("verify-ca") => Mode::VerifyCa,
        Some("verify-identity") => Mode::VerifyIdentity,
        Some(other) => {
            return Err(
                Problem::new(msg!("tls-mode-unknown", mode = format_args!("{other:?}"))).hint(msg!("use-a-tls-mode"))
            );
        }
    };
    let provider = Arc::new(ring::default_provider());
    let verifier: Arc<dyn ServerCertVerifier> = match mode {
        Mode::VerifyCa | Mode::VerifyIdentity => {
            let (roots, named) = roots(dsn)?;
            let chain = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone())
                .build()
                .map_err(|e| Problem::new(msg!("tls-ca-unusable")).evidence(foreign(e)))?;
            Arc::new(Chain { chain, named, any_name: mode == Mode::VerifyCa })
        }
        _ => Arc::new(Anything(provider.clone())),
    };
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| Problem::new(msg!("tls-cannot-be-set-up")).evidence(foreign(e)))?
        .dangerous()
        .with_custom_certificate_verifier(verifier);
    let config = match (dsn.options.get("tls_cert"), dsn.options.get("tls_key")) {
        (Some(cert), Some(key)) => {
            let key_of = PrivateKeyDer::from_pem_slice(&pem(key)?).map_err(|e| unreadable(key, &e.to_string()))?;
            builder.with_client_auth_cert(certificates(cert)?, key_of).map_err(|e| {
                Problem::new(msg!("client-certificate-unusable")).evidence(foreign(format!("{cert}, {key}: {e}")))
            })?
        }
        (None, None) => builder.with_no_client_auth(),
        _ => return Err(Problem::new(msg!("tls-cert-and-tls-key-belong-together")).hint(msg!("give-both-or-neither"))),
    };
    Ok((mode, Some(Arc::new(config))))
}

/// The authorities of `tls_ca`, and its certificates themselves.
fn roots(dsn: &Dsn) -> Result<(RootCertStore, Vec<CertificateDer<'static>>), Problem> {
    let path =
        dsn.options.get("tls_ca").ok_or_else(|| Problem::new(msg!("tls-ca-missing")).hint(msg!("add-tls-ca")))?;
    let mut store = RootCertStore::empty();
    let named = certificates(path)?;
    for certificate in &named {
        store.add(certificate.clone()).map_err(|e| unreadable(path, &e.to_string()))?;
    }
    if named.is_empty() {
        return Err(unreadable(path, "there is no certificate in it"));
    }
    Ok((store, named))
}

fn certificates(path: &str) -> Result<Vec<CertificateDer<'static>>, Problem> {
    let all: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&pem(path)?).collect();
    all.map_err(|e| unreadable(path, &e.to_string()))
}

fn pem(path: &str) -> Result<Vec<u8>, Problem> {
    let read = tenbin_intake::file(Path::new(path), tenbin_intake::SMALL);
    read.map_err(|e| Problem::new(msg!("cannot-be-read-as-pem", file = path)).evidence(tenbin_intake::why(&e)))
}

fn unreadable(path: &str, why: &str) -> Problem {
    Problem::new(msg!("cannot-be-read-as-pem", file = path)).evidence(foreign(why))
}

/// Verifies signatures, but not the certificate: the connection is encrypted, but the server is not authenticated.
#[derive(Debug)]
struct Anything(Arc<CryptoProvider>);

impl ServerCertVerifier for Anything {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        rustls::crypto::verify_tls12_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        rustls::crypto::verify_tls13_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

/// Verifies the chain up to the given authority, and the name unless any name is accepted.
#[derive(Debug)]
struct Chain {
    chain: Arc<WebPkiServerVerifier>,
    /// The certificates in `tls_ca`. A self-signed certificate has no other authority, so it is accepted
    /// if it is among them.
    named: Vec<CertificateDer<'static>>,
    any_name: bool,
}

impl Chain {
    /// The certificate is self-signed and declares itself an authority, as those created by `openssl req -x509`. The
    /// chain is rejected for that, after its dates were verified (webpki checks in this order), and before the name
    /// was.
    fn named_itself(&self, cert: &CertificateDer<'_>, error: &Error) -> bool {
        matches!(error, Error::InvalidCertificate(CertificateError::Other(why)) if why.to_string().contains("CaUsedAsEndEntity"))
            && self.named.iter().any(|named| named == cert)
    }
}

impl ServerCertVerifier for Chain {
    fn verify_server_cert(
        &self,
        cert: &CertificateDer<'_>,
        more: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match self.chain.verify_server_cert(cert, more, name, ocsp, now) {
            // The name is verified last, so everything else was valid.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.any_name => Ok(ServerCertVerified::assertion()),
            Err(e) if self.named_itself(cert, &e) => {
                if !self.any_name {
                    verify_server_name(&ParsedCertificate::try_from(cert)?, name)?;
                }
                Ok(ServerCertVerified::assertion())
            }
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.chain.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.chain.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.chain.supported_verify_schemes()
    }
}

/// A hint for a failed handshake, depending on the reason.
pub fn hint(error: &Error) -> Option<Message> {
    use CertificateError as C;
    use rustls::AlertDescription as A;
    Some(match error {
        Error::InvalidCertificate(C::Expired | C::ExpiredContext { .. }) => {
            msg!("certificate-expired")
        }
        Error::InvalidCertificate(C::NotValidYet | C::NotValidYetContext { .. }) => {
            msg!("certificate-not-yet-valid")
        }
        Error::InvalidCertificate(C::NotValidForName | C::NotValidForNameContext { .. }) => {
            msg!("certificate-for-another-name")
        }
        Error::InvalidCertificate(C::Other(why)) if why.to_string().contains("CaUsedAsEndEntity") => {
            msg!("certificate-signs-itself")
        }
        Error::InvalidCertificate(C::Other(why)) if why.to_string().contains("UnsupportedCertVersion") => {
            msg!("certificate-version-1")
        }
        Error::InvalidCertificate(C::UnknownIssuer | C::BadSignature) => {
            msg!("give-the-authority", authority = "tls_ca=/path/to/ca.pem")
        }
        Error::InvalidCertificate(_) => {
            msg!("look-at-certificate")
        }
        Error::AlertReceived(
            A::CertificateRequired | A::UnknownCA | A::BadCertificate | A::CertificateUnknown | A::CertificateExpired,
        ) => {
            msg!("client-certificate-refused")
        }
        Error::AlertReceived(A::ProtocolVersion | A::HandshakeFailure)
        | Error::PeerIncompatible(_)
        | Error::InvalidMessage(_) => {
            msg!("tls-too-old", plain = "tls=disabled")
        }
        _ => return None,
    })
}
