//! What may be a name and a password.

use super::PeopleFault;

/// Letters of a name, at least and at most.
const NAME: (usize, usize) = (3, 20);
/// Characters of a password, at least and at most.
const PASSWORD: (usize, usize) = (8, 200);
/// Names that would be taken for the site's own voice.
const RESERVED: [&str; 9] = [
    "admin",
    "administrator",
    "computer",
    "moderator",
    "north",
    "oware",
    "root",
    "south",
    "system",
];

/// Whether something may be a name: 3 to 20 ASCII letters, digits, `-` and `_`, beginning with
/// a letter. Other letters are left out, since many look alike.
pub(super) fn is_name(name: &str) -> bool {
    (NAME.0..=NAME.1).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// Refuses what may not be the name of a new account.
pub(super) fn check_name(name: &str) -> Result<(), PeopleFault> {
    if !is_name(name) {
        let why = "expected 3 to 20 letters, digits, '-' and '_', beginning with a letter";
        return Err(PeopleFault::field("name", why));
    }
    if RESERVED.contains(&name.to_ascii_lowercase().as_str()) {
        return Err(PeopleFault::field("name", "this name is kept for the site itself"));
    }
    Ok(())
}

/// Refuses what may not be the password of an account. `field` is what the password is called
/// in the request.
pub(super) fn check_password(
    field: &'static str,
    password: &str,
    name: &str,
) -> Result<(), PeopleFault> {
    let length = password.chars().count();
    if !(PASSWORD.0..=PASSWORD.1).contains(&length) {
        let why = format!("{length} characters, expected {} to {}", PASSWORD.0, PASSWORD.1);
        return Err(PeopleFault::field(field, why));
    }
    if password.eq_ignore_ascii_case(name) {
        return Err(PeopleFault::field(field, "expected something else than the name"));
    }
    let first = password.chars().next();
    if password.chars().all(|c| Some(c) == first) {
        return Err(PeopleFault::field(field, "expected more than one character repeated"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_letters() {
        for good in ["Ann", "a-1", "X_9", "abcdefghijklmnopqrst", "Kwame-Kofi"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        let bad = [
            "",
            "ab",
            "1ab",
            "-ab",
            "_ab",
            "a b",
            "añb",
            "а-б-в",
            "abcdefghijklmnopqrstu",
            "ann\0",
            "ann\n",
            "Admin",
            "oware",
            "COMPUTER",
        ];
        for bad in bad {
            let Err(PeopleFault::Field { field: "name", .. }) = check_name(bad) else {
                panic!("{bad:?} was accepted");
            };
        }
    }

    #[test]
    fn passwords_are_long_and_not_the_name() {
        let long = "x1".repeat(100);
        for good in ["12345678", "ひらがなのことば", long.as_str(), "pass word"] {
            assert!(check_password("password", good, "Ann").is_ok(), "{good}");
        }
        let longer = "x1".repeat(101);
        for bad in ["", "1234567", "Kwame-Kofi", "kwame-kofi", "aaaaaaaaaaaa", longer.as_str()] {
            assert!(check_password("new", bad, "Kwame-Kofi").is_err(), "{bad}");
        }
    }
}
