//! A value of a line, of whatever kind, with the doors through which it becomes what is wanted.

use std::borrow::Cow;
use std::fmt;

use oware_rules::{HalfSeeds, TOTAL_SEEDS};
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::Refusal;

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
