//! The certificate authorities of HTTPS connections, from a file of the user's.

use std::path::Path;
use std::sync::Arc;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use ureq::tls::{PemItem, RootCerts, parse_pem};

/// Reads the certificates of a PEM file, in place of the usual authorities. The error is the reason only.
pub fn read(file: &Path) -> Result<RootCerts, Message> {
    let pem = tenbin_intake::file(file, tenbin_intake::SMALL).map_err(|e| tenbin_intake::why(&e))?;
    let mut all = Vec::new();
    for item in parse_pem(&pem) {
        if let PemItem::Certificate(certificate) = item.map_err(foreign)? {
            all.push(certificate);
        }
    }
    if all.is_empty() {
        return Err(msg!("no-certificate-in-file"));
    }
    Ok(RootCerts::Specific(Arc::new(all)))
}
