//! The fields of a line: read whatever they hold, so that each fault can be told in the
//! program's own words and with the name of the field.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use super::Loose;

/// Why a line is refused, and which field is to blame (`None`: the line as a whole).
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) field: Option<&'static str>,
    pub(crate) why: String,
}

impl Refusal {
    pub(crate) fn of(field: &'static str, why: impl Into<String>) -> Refusal {
        Refusal { field: Some(field), why: why.into() }
    }

    pub(crate) fn line(why: impl Into<String>) -> Refusal {
        Refusal { field: None, why: why.into() }
    }
}

/// The place of a key among the names, `None` for a key nobody asked for.
struct Key<'s>(&'s [&'static str]);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, key: &str) -> Result<Option<usize>, E> {
        Ok(self.0.iter().position(|name| *name == key))
    }
}

/// An object whose known fields are kept and whose other ones are passed over.
struct Object<'s, const N: usize> {
    names: &'s [&'static str; N],
    /// The field being read, to name it where the text itself is broken.
    current: &'s Cell<Option<usize>>,
}

impl<'de, const N: usize> DeserializeSeed<'de> for Object<'_, N> {
    type Value = [Option<Loose<'de>>; N];

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, const N: usize> Visitor<'de> for Object<'_, N> {
    type Value = [Option<Loose<'de>>; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object with the fields {}", self.names.join(", "))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut values = [const { None }; N];
        while let Some(key) = map.next_key_seed(Key(self.names))? {
            let Some(key) = key else {
                map.next_value::<IgnoredAny>()?;
                continue;
            };
            self.current.set(Some(key));
            if values[key].is_some() {
                return Err(A::Error::custom(format!("{} is given twice", self.names[key])));
            }
            values[key] = Some(map.next_value()?);
            self.current.set(None);
        }
        Ok(values)
    }
}

/// Reads one line as an object and gives the values of the named fields.
///
/// Unknown fields are ignored; a field that is null counts as given, with a value that is wrong.
pub(crate) fn read_fields<'a, const N: usize>(
    line: &'a [u8],
    names: &[&'static str; N],
) -> Result<[Option<Loose<'a>>; N], Refusal> {
    let text = std::str::from_utf8(line).map_err(|error| {
        Refusal::line(format!("the line is not UTF-8 from byte {} on", error.valid_up_to() + 1))
    })?;
    let current = Cell::new(None);
    let mut reader = serde_json::Deserializer::from_str(text);
    Object { names, current: &current }
        .deserialize(&mut reader)
        .and_then(|values| reader.end().map(|()| values))
        .map_err(|error| {
            let field = current.get().map(|key: usize| names[key]);
            let what = error.to_string();
            // Its own line number is always 1, and ours stands beside the message.
            let what = what.rsplit_once(" at line ").map_or(&*what, |(what, _)| what);
            if what.ends_with("is given twice") {
                return Refusal { field, why: what.into() };
            }
            let why = format!("not a JSON object as expected: {what} (byte {})", error.column());
            Refusal { field, why }
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 2] = ["houses", "rules"];

    fn refusal(line: &str) -> Refusal {
        let [houses, _] = match read_fields(line.as_bytes(), &NAMES) {
            Ok(values) => values,
            Err(refusal) => return refusal,
        };
        houses.unwrap().seeds::<3>("houses").unwrap_err()
    }

    #[test]
    fn fields_in_any_order_among_others() {
        let line =
            r#"{"x":{"houses":[9]},"rules":"a\u0062apa","y":[[]],"houses":[0,48,7],"z":1e999}"#;
        let [houses, rules] = read_fields(line.as_bytes(), &NAMES).unwrap();
        assert_eq!(houses.unwrap().seeds("houses"), Ok([0, 48, 7]));
        assert_eq!(rules.unwrap().text("rules"), Ok("abapa"));
        let [houses, rules] = read_fields(b"{}", &NAMES).unwrap();
        assert!(houses.is_none() && rules.is_none());
    }

    #[test]
    fn faults_name_the_field_and_what_was_expected() {
        for (value, why) in [
            ("[1,2]", "houses has 2 numbers, expected 3"),
            ("[1,2,3,4]", "houses has 4 numbers, expected 3"),
            ("null", "houses is null, expected a list of 3 numbers"),
            ("\"x\"", "houses is a string, expected a list of 3 numbers"),
            ("7", "houses is 7, expected a list of 3 numbers"),
            ("[1,4.0,3]", "houses[1] is 4.0, expected a whole number from 0 to 48"),
            ("[1,-4,3]", "houses[1] is -4, expected a whole number from 0 to 48"),
            ("[1,49,3]", "houses[1] is 49, expected a whole number from 0 to 48"),
            ("[1,null,3]", "houses[1] is null, expected a whole number from 0 to 48"),
            ("[1,[[2]],3]", "houses[1] is a list, expected a whole number from 0 to 48"),
            (
                "[1,2,18446744073709551616]",
                "houses[2] is 1.8446744073709552e19, expected a whole number from 0 to 48",
            ),
        ] {
            assert_eq!(refusal(&format!("{{\"houses\":{value}}}")), Refusal::of("houses", why));
        }
        let kalah = refusal(r#"{"houses":[4,4,4,4,4,4,0,4,4,4,4,4,4,0]}"#);
        assert!(kalah.why.contains("Kalah"), "{}", kalah.why);
    }

    #[test]
    fn broken_lines() {
        for (line, field, part) in [
            (r#"{"houses":[1,2,3],"houses":[1,2,3]}"#, Some("houses"), "given twice"),
            (r#"{"houses":[1,1e999,3]}"#, Some("houses"), "number out of range"),
            (r#"{"houses":[1,2"#, Some("houses"), "EOF"),
            (r#"{"houses":[1,2,3]} x"#, None, "trailing"),
            ("[1,2,3]", None, "expected an object with the fields houses, rules"),
            ("\0", None, "expected value"),
        ] {
            let refusal = refusal(line);
            assert_eq!(refusal.field, field, "{line}: {refusal:?}");
            assert!(refusal.why.contains(part), "{line}: {}", refusal.why);
        }
        let not_utf8 = read_fields(b"{\"x\":\"\xff\"}", &NAMES).unwrap_err();
        assert_eq!(not_utf8, Refusal::line("the line is not UTF-8 from byte 7 on"));
        let deep = format!("{{\"houses\":{}", "[".repeat(100_000));
        assert!(read_fields(deep.as_bytes(), &NAMES).is_err());
    }
}
