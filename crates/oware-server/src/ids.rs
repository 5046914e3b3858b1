//! Names for games, players and sessions that nobody can guess.

/// Letters and digits.
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Random letters and digits from the system's generator.
///
/// # Panics
/// When the system has no randomness to give, without which nothing here is safe.
#[must_use]
pub fn random(length: usize) -> String {
    let mut id = String::with_capacity(length);
    let mut bytes = [0u8; 64];
    while id.len() < length {
        getrandom::fill(&mut bytes).expect("the system gives random bytes");
        // 248 = 4 * 62: what lies above would favour the first letters.
        let fair = bytes.iter().filter(|byte| **byte < 248);
        let letters = fair.map(|byte| char::from(ALPHABET[usize::from(byte % 62)]));
        id.extend(letters.take(length - id.len()));
    }
    id
}

/// A new game's: 8 letters and digits (47 bits).
#[must_use]
pub fn game() -> String {
    random(8)
}

/// A new player's: 16 letters and digits (95 bits).
#[must_use]
pub fn player() -> String {
    random(16)
}

/// A new session's secret: 43 letters and digits (256 bits).
#[must_use]
pub fn secret() -> String {
    random(43)
}

#[cfg(test)]
mod tests {
    #[test]
    fn ids_have_their_length_and_differ() {
        for length in [1, 8, 16, 43, 100] {
            let id = super::random(length);
            assert_eq!(id.len(), length);
            assert!(id.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        }
        assert_ne!(super::game(), super::game());
    }
}
