//! Who sends a request: the session's cookie, and the player behind it.
//!
//! Nobody has to sign up: who has no session gets one, with a player of its own, when something
//! is first done that needs it.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::header::{COOKIE, SET_COOKIE, USER_AGENT};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

use super::error::ApiError;
use crate::app::Shared;
use crate::clock::Millis;
use crate::ids;
use crate::store::{PlayerRow, SessionRow};

/// How often the use of a session is written down.
const TOUCH_EVERY: Millis = 60_000;
/// How long a browser keeps the cookie, in seconds: a year.
const KEPT_S: u32 = 365 * 24 * 3600;
/// Characters of what a browser calls itself that are kept.
const AGENT_CHARS: usize = 200;

/// Somebody with a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visitor {
    /// The session's name.
    pub session: String,
    /// The player.
    pub player: PlayerRow,
}

/// Somebody who may have a session; nothing is made for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passer(pub Option<Visitor>);

/// Where a request comes from, for limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address(pub IpAddr);

impl Address {
    /// The network that counts as one: an IPv6 address by its first 64 bits.
    #[must_use]
    pub fn network(self) -> IpAddr {
        match self.0.to_canonical() {
            IpAddr::V4(address) => IpAddr::V4(address),
            IpAddr::V6(address) => {
                let mut parts = address.segments();
                parts[4..].fill(0);
                IpAddr::V6(parts.into())
            }
        }
    }
}

/// The cookie that a handler wants to set.
#[derive(Clone, Default)]
struct CookieSlot(Arc<Mutex<Option<HeaderValue>>>);

impl CookieSlot {
    fn set(&self, value: Option<HeaderValue>) {
        if let Ok(mut slot) = self.0.lock() {
            *slot = value;
        }
    }
}

/// The name of the session's cookie. Over secure lines its prefix ties it to this very host.
fn cookie_name(app: &Shared) -> &'static str {
    if app.config.is_secure() { "__Host-oware" } else { "oware" }
}

fn cookie(app: &Shared, secret: &str, seconds: u32) -> Option<HeaderValue> {
    let secure = if app.config.is_secure() { "; Secure" } else { "" };
    let text = format!(
        "{}={secret}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}",
        cookie_name(app)
    );
    HeaderValue::try_from(text).ok()
}

/// The value of a cookie.
fn read_cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = all.flat_map(|value| value.split(';')).filter_map(|pair| pair.split_once('='));
    pairs.filter(|(key, _)| key.trim() == name).map(|(_, value)| value.trim()).next()
}

/// The hash under which a secret is kept.
#[must_use]
pub fn secret_hash(secret: &str) -> String {
    blake3::hash(secret.as_bytes()).to_hex().to_string()
}

/// Looks who it is, puts that beside the request, and sets the cookie if one was made.
pub(super) async fn identify(
    State(app): State<Shared>,
    mut request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip());
    let peer = peer.unwrap_or(IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED));
    let address = Address(client_address(peer, request.headers(), &app.config.proxies));
    let visitor = match read_cookie(request.headers(), cookie_name(&app)) {
        Some(secret) => known(&app, secret).await?,
        None => None,
    };
    let slot = CookieSlot::default();
    request.extensions_mut().insert(address);
    request.extensions_mut().insert(Passer(visitor));
    request.extensions_mut().insert(slot.clone());
    let mut response = next.run(request).await;
    if let Some(cookie) = slot.0.lock().ok().and_then(|mut slot| slot.take()) {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
    Ok(response)
}

/// The address a request comes from. Only what configured proxies added is believed: from the
/// right, the first address that is none of theirs.
fn client_address(peer: IpAddr, headers: &HeaderMap, proxies: &[IpAddr]) -> IpAddr {
    if !proxies.contains(&peer.to_canonical()) {
        return peer;
    }
    let values = headers.get_all("x-forwarded-for").iter().filter_map(|value| value.to_str().ok());
    let hops: Vec<&str> = values.flat_map(|value| value.split(',')).map(str::trim).collect();
    for hop in hops.iter().rev() {
        match hop.parse::<IpAddr>() {
            Ok(address) if proxies.contains(&address.to_canonical()) => {}
            Ok(address) => return address,
            Err(_) => return peer,
        }
    }
    peer
}

async fn known(app: &Shared, secret: &str) -> Result<Option<Visitor>, ApiError> {
    let Some(session) = app.store.session(&secret_hash(secret)).await? else { return Ok(None) };
    let Some(player) = app.store.player(&session.player).await? else { return Ok(None) };
    if app.clock.now() - session.seen_at > TOUCH_EVERY {
        app.store.touch_session(&session.id, app.clock.now()).await?;
    }
    Ok(Some(Visitor { session: session.id, player }))
}

/// Begins a session of a player, whose cookie goes out with the answer.
///
/// # Errors
/// When the store fails.
pub async fn begin_session(
    app: &Shared,
    parts: &Parts,
    player: PlayerRow,
) -> Result<Visitor, ApiError> {
    let secret = ids::secret();
    let now = app.clock.now();
    let agent = parts.headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok());
    let session = SessionRow {
        id: ids::random(12),
        secret_hash: secret_hash(&secret),
        player: player.id.clone(),
        agent: agent.unwrap_or_default().chars().take(AGENT_CHARS).collect(),
        created_at: now,
        seen_at: now,
    };
    app.store.create_session(&session).await?;
    if let Some(slot) = parts.extensions.get::<CookieSlot>() {
        slot.set(cookie(app, &secret, KEPT_S));
    }
    Ok(Visitor { session: session.id, player })
}

/// Tells the browser to forget its session.
pub fn forget_session(app: &Shared, parts: &Parts) {
    if let Some(slot) = parts.extensions.get::<CookieSlot>() {
        slot.set(cookie(app, "", 0));
    }
}

impl FromRequestParts<Shared> for Address {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Address, ApiError> {
        let unknown = Address(IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED));
        Ok(parts.extensions.get::<Address>().copied().unwrap_or(unknown))
    }
}

impl FromRequestParts<Shared> for Passer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &Shared) -> Result<Passer, ApiError> {
        Ok(parts.extensions.get::<Passer>().cloned().unwrap_or(Passer(None)))
    }
}

impl FromRequestParts<Shared> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Visitor, ApiError> {
        let known = parts.extensions.get::<Passer>().and_then(|passer| passer.0.clone());
        let visitor = match known {
            Some(visitor) => visitor,
            None => {
                let address = Address::from_request_parts(parts, app).await?;
                app.limits.newcomer(address)?;
                let id = ids::player();
                app.store.create_player(&id, app.clock.now()).await?;
                let player = app.store.player(&id).await?.ok_or_else(|| {
                    crate::store::StoreError::Damaged(format!("player {id} was not kept"))
                })?;
                begin_session(app, parts, player).await?
            }
        };
        if visitor.player.standing.banned {
            return Err(ApiError::forbidden("this account is banned"));
        }
        parts.extensions.insert(Passer(Some(visitor.clone())));
        Ok(visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(peer: &str, forwarded: &str, proxies: &[&str]) -> String {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", forwarded.parse().unwrap());
        let proxies: Vec<IpAddr> = proxies.iter().map(|proxy| proxy.parse().unwrap()).collect();
        client_address(peer.parse().unwrap(), &headers, &proxies).to_string()
    }

    #[test]
    fn only_what_own_proxies_added_is_believed() {
        assert_eq!(from("9.9.9.9", "1.2.3.4", &[]), "9.9.9.9");
        assert_eq!(from("9.9.9.9", "1.2.3.4", &["10.0.0.1"]), "9.9.9.9");
        assert_eq!(from("10.0.0.1", "1.2.3.4", &["10.0.0.1"]), "1.2.3.4");
        assert_eq!(from("10.0.0.1", "6.6.6.6, 1.2.3.4", &["10.0.0.1"]), "1.2.3.4");
        let both = ["10.0.0.1", "10.0.0.2"];
        assert_eq!(from("10.0.0.1", "6.6.6.6, 1.2.3.4, 10.0.0.2", &both), "1.2.3.4");
        assert_eq!(from("10.0.0.1", "rubbish", &["10.0.0.1"]), "10.0.0.1");
    }

    #[test]
    fn a_network_of_ipv6_counts_as_one() {
        let network = |text: &str| Address(text.parse().unwrap()).network().to_string();
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(network("192.0.2.7"), "192.0.2.7");
        assert_eq!(network("::ffff:192.0.2.7"), "192.0.2.7");
    }

    #[test]
    fn cookies_are_read_among_others() {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, "a=1; oware=secret; b=2".parse().unwrap());
        assert_eq!(read_cookie(&headers, "oware"), Some("secret"));
        assert_eq!(read_cookie(&headers, "owar"), None);
    }
}
