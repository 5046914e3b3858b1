//! The fields of a line: read whatever they hold, so that each fault can be told in the
//! program's own words and with the name of the field.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use oware_rules::{HalfSeeds, TOTAL_SEEDS};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess,
    Visitor,
};

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

/// An element of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Element {
    Whole(u64),
    Negative(i64),
    Fraction(f64),
    Other(&'static str),
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Element::Whole(n) => n.fmt(f),
            Element::Negative(n) => n.fmt(f),
            // With the point, which is what is wrong with 4.0.
            Element::Fraction(n) => write!(f, "{n:?}"),
            Element::Other(what) => f.write_str(what),
        }
    }
}

/// As many elements of a list are kept as the longest list that is wanted.
const KEPT: usize = 12;

/// A value of any kind.
#[expect(
    clippy::large_enum_variant,
    reason = "a handful live on the stack while a line is read; boxes would be allocated for each"
)]
#[derive(Debug, PartialEq)]
pub(crate) enum Loose<'a> {
    Text(Cow<'a, str>),
    List { first: [Element; KEPT], len: usize },
    Null,
    Other(Element),
}

impl Loose<'_> {
    /// What it is, for messages.
    pub(crate) fn kind(&self) -> String {
        match self {
            Loose::Text(_) => "a string".into(),
            Loose::List { .. } => "a list".into(),
            Loose::Null => "null".into(),
            Loose::Other(element) => element.to_string(),
        }
    }

    /// A string.
    pub(crate) fn text(&self, field: &'static str) -> Result<&str, Refusal> {
        match self {
            Loose::Text(text) => Ok(text),
            _ => Err(Refusal::of(field, format!("{field} is {}, expected a string", self.kind()))),
        }
    }

    fn list<const N: usize>(&self, field: &'static str) -> Result<&[Element; N], Refusal> {
        const { assert!(N <= KEPT) };
        let Loose::List { first, len } = self else {
            let what = format!("{field} is {}, expected a list of {N} numbers", self.kind());
            return Err(Refusal::of(field, what));
        };
        match first.first_chunk() {
            Some(elements) if *len == N => Ok(elements),
            _ if *len == 14 => Err(Refusal::of(
                field,
                format!(
                    "{field} has 14 numbers: that is a Kalah board (6 houses and a store for each \
                     player), and Kalah is not played here; expected {N} numbers"
                ),
            )),
            _ => Err(Refusal::of(field, format!("{field} has {len} numbers, expected {N}"))),
        }
    }

    /// A list of exactly N numbers of seeds.
    pub(crate) fn seeds<const N: usize>(&self, field: &'static str) -> Result<[u8; N], Refusal> {
        let elements = self.list::<N>(field)?;
        let mut seeds = [0; N];
        for (place, (element, seeds)) in elements.iter().zip(&mut seeds).enumerate() {
            match *element {
                Element::Whole(n) if n <= u64::from(TOTAL_SEEDS) => *seeds = n as u8,
                _ => {
                    let what = format!(
                        "{field}[{place}] is {element}, expected a whole number from 0 to 48"
                    );
                    return Err(Refusal::of(field, what));
                }
            }
        }
        Ok(seeds)
    }

    /// Two final scores, which may end in a half.
    pub(crate) fn final_scores(&self, field: &'static str) -> Result<[HalfSeeds; 2], Refusal> {
        let elements = self.list::<2>(field)?;
        let mut scores = [HalfSeeds(0); 2];
        for (place, (element, score)) in elements.iter().zip(&mut scores).enumerate() {
            let seeds = match *element {
                Element::Whole(n) if n <= u64::from(TOTAL_SEEDS) => n as f64,
                Element::Fraction(n) => n,
                _ => f64::NAN,
            };
            let found = (0..=2 * u16::from(TOTAL_SEEDS)).find(|n| f64::from(*n) == 2.0 * seeds);
            *score = HalfSeeds(found.ok_or_else(|| {
                let expected = "expected a number of seeds from 0 to 48, such as 23 or 23.5";
                Refusal::of(field, format!("{field}[{place}] is {element}, {expected}"))
            })?);
        }
        Ok(scores)
    }
}

struct ElementVisitor;

impl<'de> Visitor<'de> for ElementVisitor {
    type Value = Element;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_u64<E>(self, n: u64) -> Result<Element, E> {
        Ok(Element::Whole(n))
    }

    fn visit_i64<E>(self, n: i64) -> Result<Element, E> {
        Ok(Element::Negative(n))
    }

    fn visit_f64<E>(self, n: f64) -> Result<Element, E> {
        Ok(Element::Fraction(n))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Element, E> {
        Ok(Element::Other(if value { "true" } else { "false" }))
    }

    fn visit_unit<E>(self) -> Result<Element, E> {
        Ok(Element::Other("null"))
    }

    fn visit_str<E>(self, _: &str) -> Result<Element, E> {
        Ok(Element::Other("a string"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Element, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Element::Other("a list"))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Element, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Element::Other("an object"))
    }
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Element, D::Error> {
        deserializer.deserialize_any(ElementVisitor)
    }
}

struct LooseVisitor;

impl<'de> Visitor<'de> for LooseVisitor {
    type Value = Loose<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Loose<'de>, E> {
        Ok(Loose::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Loose<'de>, E> {
        Ok(Loose::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Loose<'de>, A::Error> {
        let mut first = [Element::Whole(0); KEPT];
        let mut len = 0;
        while let Some(element) = list.next_element()? {
            if let Some(place) = first.get_mut(len) {
                *place = element;
            }
            len += 1;
        }
        Ok(Loose::List { first, len })
    }

    fn visit_unit<E>(self) -> Result<Loose<'de>, E> {
        Ok(Loose::Null)
    }

    fn visit_u64<E: serde::de::Error>(self, n: u64) -> Result<Loose<'de>, E> {
        ElementVisitor.visit_u64(n).map(Loose::Other)
    }

    fn visit_i64<E: serde::de::Error>(self, n: i64) -> Result<Loose<'de>, E> {
        ElementVisitor.visit_i64(n).map(Loose::Other)
    }

    fn visit_f64<E: serde::de::Error>(self, n: f64) -> Result<Loose<'de>, E> {
        ElementVisitor.visit_f64(n).map(Loose::Other)
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Loose<'de>, E> {
        ElementVisitor.visit_bool(value).map(Loose::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Loose<'de>, A::Error> {
        ElementVisitor.visit_map(map).map(Loose::Other)
    }
}

impl<'de> Deserialize<'de> for Loose<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Loose<'de>, D::Error> {
        deserializer.deserialize_any(LooseVisitor)
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
