//! How much one network or player may do in a while. Schools and clubs share one address, so
//! the bounds are for machines, not for a room full of people.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter, clock::DefaultClock};

use crate::http::Address;
use crate::http::ApiError;

/// Tokens by key, which come back with time.
type Buckets<K> = RateLimiter<K, HashMapStateStore<K>, DefaultClock>;

/// Keys that are remembered before those that are full again are forgotten.
const KEYS_KEPT: usize = 20_000;

/// What is counted.
pub struct Limits {
    newcomers: Buckets<IpAddr>,
    requests: Buckets<IpAddr>,
    sign_ins: Buckets<IpAddr>,
    sign_ins_by_name: Buckets<String>,
    searches: Buckets<IpAddr>,
}

impl std::fmt::Debug for Limits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Limits")
    }
}

fn quota(burst: u32, every: Duration) -> Quota {
    let burst = NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN);
    Quota::with_period(every).unwrap_or_else(|| Quota::per_second(burst)).allow_burst(burst)
}

fn take<K: Clone + Eq + std::hash::Hash>(
    buckets: &Buckets<K>,
    key: &K,
    what: &str,
) -> Result<(), ApiError> {
    if buckets.len() > KEYS_KEPT {
        buckets.retain_recent();
    }
    buckets
        .check_key(key)
        .map_err(|_| ApiError::too_many(format!("too many {what}; wait a little")))
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            newcomers: RateLimiter::hashmap(quota(200, Duration::from_secs(10))),
            requests: RateLimiter::hashmap(quota(600, Duration::from_millis(20))),
            sign_ins: RateLimiter::hashmap(quota(30, Duration::from_secs(20))),
            sign_ins_by_name: RateLimiter::hashmap(quota(10, Duration::from_secs(30))),
            searches: RateLimiter::hashmap(quota(60, Duration::from_millis(500))),
        }
    }
}

impl Limits {
    /// A player without a session appears: 200 at once from one network, then one in 10 s.
    ///
    /// # Errors
    /// When there were too many.
    pub fn newcomer(&self, from: Address) -> Result<(), ApiError> {
        take(&self.newcomers, &from.network(), "new players from this network")
    }

    /// A request to the API: 600 at once from one network, then 50 a second.
    ///
    /// # Errors
    /// When there were too many.
    pub fn request(&self, from: Address) -> Result<(), ApiError> {
        take(&self.requests, &from.network(), "requests from this network")
    }

    /// Somebody signs in or up: 30 at once from one network, then one in 20 s; for one name 10,
    /// then one in 30 s.
    ///
    /// # Errors
    /// When there were too many.
    pub fn sign_in(&self, from: Address, name: &str) -> Result<(), ApiError> {
        take(&self.sign_ins, &from.network(), "attempts to sign in from this network")?;
        take(&self.sign_ins_by_name, &name.to_lowercase(), "attempts to sign in with this name")
    }

    /// A search is asked for: 60 at once from one network, then two a second.
    ///
    /// # Errors
    /// When there were too many.
    pub fn search(&self, from: Address) -> Result<(), ApiError> {
        take(&self.searches, &from.network(), "searches from this network")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_and_then_no_more() {
        let limits = Limits::default();
        let from = |text: &str| Address(text.parse().unwrap());
        let passed = (0..300).filter(|_| limits.newcomer(from("192.0.2.1")).is_ok()).count();
        assert!((200..=201).contains(&passed), "{passed}");
        assert!(limits.newcomer(from("192.0.2.2")).is_ok());
        // One network of IPv6, many addresses.
        let passed =
            (0..300).filter(|n| limits.newcomer(from(&format!("2001:db8::{n:x}"))).is_ok()).count();
        assert!((200..=201).contains(&passed), "{passed}");
    }
}
