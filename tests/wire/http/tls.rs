//! TLS on loopback, with an authority of our own.

use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use repertoire::{
    model::{Http, Retries, reqwest},
    protocol::Chat,
};
use rustls::{
    ClientConfig, RootCertStore, ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivatePkcs8KeyDer},
};
use tokio::{
    io::{AsyncWriteExt, copy_bidirectional},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::TlsAcceptor;

use super::{CANARY, GOOD, outcome, quick};
use crate::server::{Requests, answer, read_request};

/// Who signs certificates.
struct Authority {
    pem: String,
    der: CertificateDer<'static>,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap();
        Self {
            pem: certificate.pem(),
            der: certificate.der().clone(),
            issuer: Issuer::new(params, key),
        }
    }

    /// A server with a certificate for a name, and what was asked of it.
    async fn serve(&self, name: &str) -> (String, Requests) {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let private = PrivatePkcs8KeyDer::from(key.serialize_der());
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], private.into())
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Requests::default();
        let seen = Arc::clone(&requests);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (acceptor, seen) = (acceptor.clone(), Arc::clone(&seen));
                tokio::spawn(async move {
                    let mut stream = acceptor.accept(stream).await.ok()?;
                    read_request(&mut stream, &seen).await?;
                    stream.write_all(&answer(200, &[], GOOD)).await.ok()?;
                    stream.shutdown().await.ok()
                });
            }
        });
        (format!("https://{address}"), requests)
    }
}

/// What came of a call, and how often the server was asked.
async fn asked(http: Http<Chat>, requests: &Requests) -> (String, usize) {
    let (text, _) = outcome(&http.retries(Retries::none()), false).await;
    let count = requests.lock().unwrap().len();
    (text, count)
}

fn refused() -> (String, usize) {
    ("Connect - - x1".to_owned(), 0)
}

#[tokio::test]
async fn an_unknown_authority_is_refused_and_one_that_was_named_is_trusted() {
    let authority = Authority::new();
    let (url, requests) = authority.serve("127.0.0.1").await;
    assert_eq!(
        asked(quick(Chat::new("m"), &url), &requests).await,
        refused()
    );
    let other = quick(Chat::new("m"), &url).root_certificate(Authority::new().pem);
    assert_eq!(asked(other, &requests).await, refused());
    let trusting = quick(Chat::new("m"), &url).root_certificate(authority.pem.clone());
    assert_eq!(asked(trusting, &requests).await, ("fine".to_owned(), 1));
    let request = requests.lock().unwrap()[0].to_lowercase();
    assert!(request.contains(&format!("authorization: bearer {CANARY}")));
    // Several certificates in one file, ours among them.
    let all = format!("{}{}", Authority::new().pem, authority.pem);
    let trusting = quick(Chat::new("m"), &url).root_certificate(all);
    assert_eq!(asked(trusting, &requests).await, ("fine".to_owned(), 2));
}

#[tokio::test]
async fn a_certificate_for_another_name_is_refused() {
    let authority = Authority::new();
    let (url, requests) = authority.serve("models.example").await;
    let trusting = quick(Chat::new("m"), &url).root_certificate(authority.pem);
    assert_eq!(asked(trusting, &requests).await, refused());
}

#[tokio::test]
async fn a_certificate_that_is_none_is_named_before_anything_is_sent() {
    let (url, requests) = Authority::new().serve("127.0.0.1").await;
    let setup = ("Setup - - x1".to_owned(), 0);
    let wrong = |inside: &str| {
        format!("-----BEGIN CERTIFICATE-----\n{inside}\n-----END CERTIFICATE-----\n")
    };
    for pem in [
        wrong("%%%"),
        wrong("AAAA"),
        "no PEM".to_owned(),
        String::new(),
    ] {
        let http = quick(Chat::new("m"), &url).root_certificate(pem.clone());
        assert_eq!(asked(http, &requests).await, setup, "{pem}");
    }
}

#[tokio::test]
async fn a_client_of_the_users_own_brings_its_own_trust() {
    let authority = Authority::new();
    let (url, requests) = authority.serve("127.0.0.1").await;
    let client = |trusted: &[&CertificateDer<'static>]| {
        let mut store = RootCertStore::empty();
        for certificate in trusted {
            store.add((*certificate).clone()).unwrap();
        }
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(store)
            .with_no_client_auth();
        let client = reqwest::Client::builder().tls_backend_preconfigured(config);
        quick(Chat::new("m"), &url).client(client.user_agent("mine/1").build().unwrap())
    };
    assert_eq!(asked(client(&[]), &requests).await, refused());
    assert_eq!(
        asked(client(&[&authority.der]), &requests).await,
        ("fine".to_owned(), 1)
    );
    assert!(requests.lock().unwrap()[0].contains("user-agent: mine/1"));
}

/// A proxy that opens a tunnel for whoever asks, and what was asked of it.
async fn proxy() -> (String, Requests) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let requests = Requests::default();
    let seen = Arc::clone(&requests);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let seen = Arc::clone(&seen);
            tokio::spawn(async move {
                let request = read_request(&mut stream, &seen).await?;
                let to = request.strip_prefix("CONNECT ")?.split(' ').next()?;
                let mut server = TcpStream::connect(to).await.ok()?;
                stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.ok()?;
                copy_bidirectional(&mut stream, &mut server).await.ok()
            });
        }
    });
    (address.to_string(), requests)
}

#[tokio::test]
async fn a_proxy_carries_the_request_and_cannot_read_it() {
    let authority = Authority::new();
    let (url, requests) = authority.serve("127.0.0.1").await;
    let (proxy, tunnels) = proxy().await;
    let http = quick(Chat::new("m"), &url)
        .root_certificate(authority.pem)
        .proxy(format!("http://me:pw@{proxy}"));
    assert_eq!(asked(http, &requests).await, ("fine".to_owned(), 1));
    let tunnels = tunnels.lock().unwrap();
    assert_eq!(tunnels.len(), 1);
    let host = url.strip_prefix("https://").unwrap();
    assert!(tunnels[0].starts_with(&format!("CONNECT {host} ")));
    // `me:pw` in base64.
    assert!(
        tunnels[0]
            .to_lowercase()
            .contains("proxy-authorization: basic bwu6chc=")
    );
    assert!(!tunnels[0].contains(CANARY));
}
