//! What each TLS mode verifies. The configuration is made once per connector and applied to every connection.

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::sync::Arc;
use tenbin_model::dsn::Dsn;
use tenbin_model::problem::Problem;

/// How much TLS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// None.
    Disabled,
    /// When the server has it; nothing is verified.
    Preferred,
    /// Always; nothing is verified.
    Required,
    /// Always; the certificate must come from our authority.
    VerifyCa,
    /// Always; and it must be for this host.
    VerifyIdentity,
}

/// Reads mode and files from the address's options.
pub fn configure(dsn: &Dsn) -> Result<(Mode, Option<Arc<ClientConfig>>), Problem> {
    let mode = match dsn.options.get("tls").map_or("preferred", String::as_str) {
        "disabled" => return Ok((Mode::Disabled, None)),
        "preferred" => Mode::Preferred,
        "required" => Mode::Required,
        "verify-ca" => Mode::VerifyCa,
        "verify-identity" => Mode::VerifyIdentity,
        other => {
            return Err(Problem::new(format!("there is no TLS mode {other:?}"))
                .mend("use tls=disabled, preferred, required, verify-ca or verify-identity"));
        }
    };
    let provider = Arc::new(ring::default_provider());
    let verifier: Arc<dyn ServerCertVerifier> = match mode {
        Mode::VerifyCa | Mode::VerifyIdentity => {
            let chain =
                WebPkiServerVerifier::builder_with_provider(Arc::new(roots(dsn)?), provider.clone()).build().map_err(
                    |e| Problem::new("the certificate authority in tls_ca cannot be used").evidence(e.to_string()),
                )?;
            if mode == Mode::VerifyIdentity { chain } else { Arc::new(AnyName(chain)) }
        }
        _ => Arc::new(Anything(provider.clone())),
    };
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| Problem::new("TLS cannot be set up").evidence(e.to_string()))?
        .dangerous()
        .with_custom_certificate_verifier(verifier);
    let config = match (dsn.options.get("tls_cert"), dsn.options.get("tls_key")) {
        (Some(cert), Some(key)) => {
            let key_of = PrivateKeyDer::from_pem_file(key).map_err(|e| unreadable(key, &e.to_string()))?;
            builder.with_client_auth_cert(certificates(cert)?, key_of).map_err(|e| {
                Problem::new("our own certificate cannot be used").evidence(format!("{cert}, {key}: {e}"))
            })?
        }
        (None, None) => builder.with_no_client_auth(),
        _ => return Err(Problem::new("tls_cert and tls_key belong together").mend("give both, or neither")),
    };
    Ok((mode, Some(Arc::new(config))))
}

fn roots(dsn: &Dsn) -> Result<RootCertStore, Problem> {
    let path = dsn.options.get("tls_ca").ok_or_else(|| {
        Problem::new("verifying the server's certificate needs the authority's")
            .mend("add tls_ca=/path/to/ca.pem to the address")
    })?;
    let mut store = RootCertStore::empty();
    for certificate in certificates(path)? {
        store.add(certificate).map_err(|e| unreadable(path, &e.to_string()))?;
    }
    Ok(store)
}

fn certificates(path: &str) -> Result<Vec<CertificateDer<'static>>, Problem> {
    let all: Result<Vec<_>, _> =
        CertificateDer::pem_file_iter(path).map_err(|e| unreadable(path, &e.to_string()))?.collect();
    all.map_err(|e| unreadable(path, &e.to_string()))
}

fn unreadable(path: &str, why: &str) -> Problem {
    Problem::new(format!("{path} cannot be read as PEM")).evidence(why)
}

/// Verifies signatures as ever, the certificate not at all: the line is encrypted, the other side not proven.
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

/// Verifies the chain up to our authority, whatever name the certificate is for.
#[derive(Debug)]
struct AnyName(Arc<WebPkiServerVerifier>);

impl ServerCertVerifier for AnyName {
    fn verify_server_cert(
        &self,
        cert: &CertificateDer<'_>,
        more: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match self.0.verify_server_cert(cert, more, name, ocsp, now) {
            // The name is looked at last: all else was right.
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, cert, dss)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, cert, dss)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}
