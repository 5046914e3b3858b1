//! Passwords, kept as argon2id hashes. The work is made to be slow, so it is done on threads
//! where blocking is fine, and only in as many places at once as there are for such work.

use std::sync::Arc;
use std::time::Duration;

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;

use super::PeopleFault;

/// Memory in KiB, passes and lanes: the first of the settings that the OWASP Password Storage
/// Cheat Sheet gives for argon2id with little memory (19 MiB, 2, 1).
const COST: (u32, u32, u32) = (19 * 1024, 2, 1);
/// How long somebody waits for a place before they are told that the server is busy.
const PATIENCE: Duration = Duration::from_secs(10);

fn hasher() -> Argon2<'static> {
    let (memory, passes, lanes) = COST;
    let params = Params::new(memory, passes, lanes, None).unwrap_or(Params::DEFAULT);
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// Does slow work in a place of its own.
async fn slowly<T: Send + 'static>(
    places: &Arc<Semaphore>,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, PeopleFault> {
    let place = tokio::time::timeout(PATIENCE, Arc::clone(places).acquire_owned()).await;
    let Ok(Ok(place)) = place else { return Err(PeopleFault::Busy) };
    let done = tokio::task::spawn_blocking(move || {
        // Held until the work is done, even if nobody waits for it any longer.
        let _place = place;
        work()
    });
    done.await.map_err(|_| PeopleFault::Busy)
}

/// The hash of a password, in the text form of the Password Hashing Competition.
pub(super) async fn hash(places: &Arc<Semaphore>, password: &str) -> Result<String, PeopleFault> {
    let password = password.to_owned();
    let hashed = slowly(places, move || {
        let hash: PasswordHash = hasher().hash_password(password.as_bytes()).ok()?;
        Some(hash.to_string())
    });
    hashed.await?.ok_or(PeopleFault::Busy)
}

/// Whether a password is the one of a hash. Without a hash the answer is no, after as much work:
/// the time shall not tell which names have accounts.
pub(super) async fn is_right(
    places: &Arc<Semaphore>,
    password: &str,
    kept: Option<&str>,
) -> Result<bool, PeopleFault> {
    let (password, kept) = (password.to_owned(), kept.map(str::to_owned));
    slowly(places, move || match kept {
        Some(kept) => PasswordHash::new(&kept)
            .is_ok_and(|hash| hasher().verify_password(password.as_bytes(), &hash).is_ok()),
        None => {
            let hash: Result<PasswordHash, _> = hasher().hash_password(password.as_bytes());
            drop(hash);
            false
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_hash_knows_its_password() {
        let places = Arc::new(Semaphore::new(1));
        let kept = hash(&places, "correct horse").await.unwrap();
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert_ne!(kept, hash(&places, "correct horse").await.unwrap(), "salted");
        assert!(is_right(&places, "correct horse", Some(&kept)).await.unwrap());
        for (password, kept) in [
            ("Correct horse", Some(kept.as_str())),
            ("", Some(&kept)),
            ("correct horse", None),
            ("correct horse", Some("rubbish")),
        ] {
            assert!(!is_right(&places, password, kept).await.unwrap());
        }
        assert_eq!(places.available_permits(), 1);
    }
}
