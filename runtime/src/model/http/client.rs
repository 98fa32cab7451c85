//! The HTTP client: TLS by rustls and ring, certificates of the system.

use std::sync::Arc;

use reqwest::{Client, Proxy, redirect};
use rustls::{
    ClientConfig, RootCertStore, crypto::ring, pki_types::CertificateDer, pki_types::pem::PemObject,
};
use rustls_platform_verifier::Verifier;

use super::Timeouts;

/// What a client is made of.
#[derive(Clone, Default)]
pub(super) struct Parts {
    pub(super) proxy: Option<String>,
    /// Certificates in PEM that are trusted beside the system's.
    pub(super) roots: Vec<Vec<u8>>,
}

impl Parts {
    /// What of it a client of the user's own makes void.
    pub(super) fn void(&self) -> Option<&'static str> {
        match (&self.proxy, self.roots.is_empty()) {
            (Some(_), _) => Some("proxy"),
            (None, false) => Some("root_certificate"),
            (None, true) => None,
        }
    }
}

pub(super) fn build(parts: &Parts, timeouts: &Timeouts) -> Result<Client, String> {
    let mut builder = Client::builder()
        .tls_backend_preconfigured(tls(&parts.roots)?)
        .connect_timeout(timeouts.connect)
        // A key must not follow a redirect to another host, and a POST rarely survives one.
        .redirect(redirect::Policy::none())
        .user_agent(concat!("repertoire/", env!("CARGO_PKG_VERSION")));
    if let Some(proxy) = &parts.proxy {
        let problem = "`proxy` is not a URL, such as `http://user:password@host:3128`";
        let proxy = Proxy::all(proxy).map_err(|_| problem.to_owned())?;
        builder = builder.proxy(proxy);
    }
    builder
        .build()
        .map_err(|error| format!("the HTTP client cannot be set up: {error}"))
}

fn tls(roots: &[Vec<u8>]) -> Result<ClientConfig, String> {
    let provider = Arc::new(ring::default_provider());
    let mut extra = Vec::new();
    let mut store = RootCertStore::empty();
    for pem in roots {
        let before = extra.len();
        for certificate in CertificateDer::pem_slice_iter(pem) {
            let problem = |error| format!("a root certificate is not PEM: {error}");
            let certificate = certificate.map_err(problem)?;
            let problem = |error| format!("a root certificate cannot be used: {error}");
            store.add(certificate.clone()).map_err(problem)?;
            extra.push(certificate);
        }
        if extra.len() == before {
            return Err("a root certificate has no `BEGIN CERTIFICATE` in it".to_owned());
        }
    }
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| format!("TLS cannot be set up: {error}"))?;
    Ok(match Verifier::new_with_extra_roots(extra, provider) {
        Ok(verifier) => config
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth(),
        // A system without certificates can still talk without TLS, and with its own.
        Err(_) => config.with_root_certificates(store).with_no_client_auth(),
    })
}
