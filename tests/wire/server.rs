//! A server on loopback that does what it is told, one behaviour a connection.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// What the server does with one request.
#[derive(Clone)]
pub enum Does {
    /// Sends these bytes and closes.
    Sends(Vec<u8>),
    /// Sends these bytes and keeps the connection open without a word.
    SendsAndHangs(Vec<u8>),
    /// Sends these bytes and resets the connection.
    SendsAndResets(Vec<u8>),
    /// Sends these bytes, but the last of them one by one.
    SendsSlowly(Vec<u8>),
    /// Sends a head with this status and then this many zeros.
    SendsZeros(u16, usize),
}

/// What a server was asked: head and body of each request.
pub type Requests = Arc<Mutex<Vec<String>>>;

/// A server and what was asked of it.
pub struct Server {
    pub url: String,
    requests: Requests,
    /// How many zeros went out.
    zeros: Arc<AtomicUsize>,
}

impl Server {
    /// A server that does these things in turn, the last again and again.
    pub async fn start(script: Vec<Does>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Requests::default();
        let seen = Arc::clone(&requests);
        let zeros = Arc::new(AtomicUsize::new(0));
        let sent = Arc::clone(&zeros);
        tokio::spawn(async move {
            let mut number = 0;
            while let Ok((stream, _)) = listener.accept().await {
                let does = script[number.min(script.len() - 1)].clone();
                number += 1;
                let seen = Arc::clone(&seen);
                let sent = Arc::clone(&sent);
                tokio::spawn(async move { serve(stream, does, &seen, &sent).await });
            }
        });
        Self {
            url,
            requests,
            zeros,
        }
    }

    /// The requests so far: head and body.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

impl Server {
    /// How many bytes of zeros went out.
    pub fn zeros(&self) -> usize {
        self.zeros.load(Ordering::Relaxed)
    }
}

/// Reads one request and notes it.
pub async fn read_request(
    stream: &mut (impl AsyncRead + Unpin),
    seen: &Mutex<Vec<String>>,
) -> Option<String> {
    let mut request = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let count = stream
            .read(&mut piece)
            .await
            .ok()
            .filter(|count| *count > 0)?;
        request.extend_from_slice(&piece[..count]);
        let text = String::from_utf8_lossy(&request);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head.to_lowercase();
        let length = length
            .split_once("content-length: ")
            .map_or(0, |(_, rest)| {
                rest.lines()
                    .next()
                    .unwrap()
                    .trim()
                    .parse::<usize>()
                    .unwrap()
            });
        if body.len() >= length {
            seen.lock().unwrap().push(text.to_string());
            return Some(text.into_owned());
        }
    }
}

async fn serve(
    mut stream: TcpStream,
    does: Does,
    seen: &Mutex<Vec<String>>,
    sent: &AtomicUsize,
) -> Option<()> {
    read_request(&mut stream, seen).await?;
    match does {
        Does::Sends(bytes) => {
            stream.write_all(&bytes).await.ok()?;
            stream.shutdown().await.ok()?;
        }
        Does::SendsAndHangs(bytes) => {
            stream.write_all(&bytes).await.ok()?;
            tokio::time::sleep(Duration::from_secs(60)).await;
        }
        Does::SendsAndResets(bytes) => {
            stream.write_all(&bytes).await.ok()?;
            // Bytes that were not read when a socket closes make it a reset; so does no lingering.
            tokio::time::sleep(Duration::from_millis(50)).await;
            let stream = stream.into_std().ok()?;
            socket2::SockRef::from(&stream)
                .set_linger(Some(Duration::ZERO))
                .ok()?;
        }
        Does::SendsSlowly(bytes) => {
            let (start, drops) = bytes.split_at(bytes.len().saturating_sub(500));
            stream.write_all(start).await.ok()?;
            for drop in drops {
                stream.write_all(&[*drop]).await.ok()?;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
        Does::SendsZeros(status, count) => {
            let head = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: text/event-stream\r\ncontent-length: {count}\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).await.ok()?;
            let zeros = vec![b'0'; 1 << 20];
            for _ in 0..count >> 20 {
                stream.write_all(&zeros).await.ok()?;
                sent.fetch_add(zeros.len(), Ordering::Relaxed);
            }
        }
    }
    Some(())
}

/// An answer with a head.
pub fn answer(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let mut text = format!("HTTP/1.1 {status} X\r\nconnection: close\r\n");
    if !headers.iter().any(|(name, _)| *name == "content-type") {
        text.push_str("content-type: application/json\r\n");
    }
    if !headers.iter().any(|(name, _)| *name == "content-length") {
        text.push_str(&format!("content-length: {}\r\n", body.len()));
    }
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// The head of a stream, whose end is the end of the connection.
pub fn stream_head() -> Vec<u8> {
    b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n\r\n".to_vec()
}
