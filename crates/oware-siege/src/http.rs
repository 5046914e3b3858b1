//! A browser's requests, one connection each, with its cookie; from any address of its own
//! machine, since the whole of 127.0.0.0/8 is one's own.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Connects from a certain address.
///
/// # Errors
/// When the address cannot be used, or nobody listens.
pub async fn connect(from: Option<IpAddr>, to: SocketAddr) -> Result<TcpStream> {
    let socket = if to.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() };
    let socket = socket.context("no socket")?;
    if let Some(from) = from {
        socket.bind(SocketAddr::new(from, 0)).with_context(|| format!("cannot use {from}"))?;
    }
    let stream = socket.connect(to).await.with_context(|| format!("cannot reach {to}"))?;
    stream.set_nodelay(true).context("no delay")?;
    Ok(stream)
}

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status, such as 200.
    pub status: u16,
    /// The headers, names in small letters.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Answer {
    /// A header's value.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON, of a request that went well.
    ///
    /// # Errors
    /// When the status is not 2xx, or the body something else.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T> {
        ensure!((200..300).contains(&self.status), "status {}: {}", self.status, self.text());
        serde_json::from_slice(&self.body).with_context(|| format!("not expected: {}", self.text()))
    }

    /// Reads an answer that ends with its connection.
    ///
    /// # Errors
    /// When it is no answer.
    pub fn read(bytes: &[u8]) -> Result<Answer> {
        let end = find(bytes, b"\r\n\r\n").context("an answer without an end of its header")?;
        let head = std::str::from_utf8(&bytes[..end]).context("a header that is not text")?;
        let mut lines = head.split("\r\n");
        let first = lines.next().unwrap_or_default();
        let status = first.split(' ').nth(1).and_then(|status| status.parse().ok());
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(key, value)| (key.to_lowercase(), value.trim().to_owned()))
            .collect();
        let status = status.with_context(|| format!("no status in {first:?}"))?;
        let mut answer = Answer { status, headers, body: bytes[end + 4..].to_vec() };
        if answer.header("transfer-encoding") == Some("chunked") {
            answer.body = unchunk(&answer.body)?;
        } else if let Some(length) = answer.header("content-length") {
            let length: usize = length.parse().context("content-length")?;
            ensure!(answer.body.len() == length, "{} of {length} bytes", answer.body.len());
        }
        Ok(answer)
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}

fn unchunk(mut rest: &[u8]) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = find(rest, b"\r\n").context("a chunk without a length")?;
        let length = std::str::from_utf8(&rest[..line]).context("a chunk's length")?;
        let length = usize::from_str_radix(length.trim(), 16).context("a chunk's length")?;
        if length == 0 {
            return Ok(body);
        }
        let from = line + 2;
        body.extend_from_slice(rest.get(from..from + length).context("a chunk cut off")?);
        rest = rest.get(from + length + 2..).context("a chunk cut off")?;
    }
}

/// Somebody with a browser.
#[derive(Clone, Debug)]
pub struct Visitor {
    /// Where the site is.
    pub to: SocketAddr,
    /// From which address it is reached.
    pub from: Option<IpAddr>,
    /// The cookie, once there is one: `name=value`.
    pub cookie: Option<String>,
}

impl Visitor {
    /// Somebody who has not been there yet.
    #[must_use]
    pub fn new(to: SocketAddr) -> Visitor {
        Visitor { to, from: None, cookie: None }
    }

    /// The same from an address of one's own machine, 127.`a`.`b`.`c` by the number's bytes.
    #[must_use]
    pub fn from_number(to: SocketAddr, number: u32) -> Visitor {
        let [_, a, b, c] = (number + 2).to_be_bytes();
        Visitor { from: Some(IpAddr::from([127, a, b, c])), ..Visitor::new(to) }
    }

    /// Asks for something.
    ///
    /// # Errors
    /// When no answer comes.
    pub async fn get(&mut self, path: &str) -> Result<Answer> {
        self.request("GET", path, &[], None).await
    }

    /// Sends JSON.
    ///
    /// # Errors
    /// When no answer comes.
    pub async fn post(&mut self, path: &str, body: &impl Serialize) -> Result<Answer> {
        let body = serde_json::to_string(body)?;
        self.request("POST", path, &[], Some(&body)).await
    }

    /// Any request, with further headers.
    ///
    /// # Errors
    /// When no answer comes within some seconds.
    pub async fn request(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Result<Answer> {
        let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\n", self.to);
        text += "Connection: close\r\n";
        if let Some(cookie) = &self.cookie {
            text += &format!("Cookie: {cookie}\r\n");
        }
        for (key, value) in headers {
            text += &format!("{key}: {value}\r\n");
        }
        if let Some(body) = body {
            let length = body.len();
            text += &format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
        }
        text += "\r\n";
        text += body.unwrap_or_default();
        let bytes = tokio::time::timeout(PATIENCE, exchange(self.from, self.to, text.as_bytes()));
        let Ok(bytes) = bytes.await else { bail!("{method} {path}: no answer in {PATIENCE:?}") };
        let answer = bytes.and_then(|bytes| Answer::read(&bytes));
        let answer = answer.with_context(|| format!("{method} {path}"))?;
        if let Some(cookie) = answer.header("set-cookie") {
            self.cookie = cookie.split(';').next().map(str::to_owned);
        }
        Ok(answer)
    }
}

/// Sends bytes and reads until the other side closes.
///
/// # Errors
/// When the line breaks before anything came.
pub async fn exchange(from: Option<IpAddr>, to: SocketAddr, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut stream = connect(from, to).await?;
    // Who is refused early finds the line closed while still sending; the answer is what counts.
    let sent = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    let read = stream.read_to_end(&mut answer).await;
    if answer.is_empty() {
        sent.context("sending")?;
        read.context("reading")?;
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_in_both_forms() {
        let plain = b"HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 2\r\n\r\n{}";
        let answer = Answer::read(plain).unwrap();
        assert_eq!((answer.status, answer.text().as_str()), (200, "{}"));
        assert_eq!(answer.header("set-cookie"), Some("a=b; Path=/"));
        let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\
                        3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
        assert_eq!(Answer::read(chunked).unwrap().text(), "abcde");
        assert!(Answer::read(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}").is_err());
        assert!(Answer::read(b"rubbish").is_err());
    }
}
