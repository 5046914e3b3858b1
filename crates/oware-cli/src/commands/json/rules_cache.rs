//! Rules texts that have been read already: a stream names the same few again and again.

use oware_rules::Rules;

use super::{Loose, Refusal};

/// More texts than this are not kept. There are fewer presets and aliases.
const KEPT: usize = 16;

/// Reads rules texts, remembering the last ones with their canonical ids.
pub(crate) struct RulesCache {
    default: (Rules, String),
    known: Vec<(String, Rules, String)>,
    /// Which entry is given up next.
    oldest: usize,
}

impl RulesCache {
    /// `default` are the rules of a line that names none.
    pub(crate) fn new(default: Rules) -> RulesCache {
        RulesCache { default: (default, default.id()), known: Vec::new(), oldest: 0 }
    }

    /// The rules that a line names, and their canonical id.
    pub(crate) fn read(&mut self, given: Option<&Loose<'_>>) -> Result<(Rules, &str), Refusal> {
        let Some(given) = given else { return Ok((self.default.0, &self.default.1)) };
        let text = given.text("rules")?;
        let place = match self.known.iter().position(|(known, ..)| known == text) {
            Some(place) => place,
            None => self.learn(text)?,
        };
        let (_, rules, id) = &self.known[place];
        Ok((*rules, id))
    }

    fn learn(&mut self, text: &str) -> Result<usize, Refusal> {
        let rules: Rules = text
            .parse()
            .map_err(|error: oware_rules::RulesError| Refusal::of("rules", error.to_string()))?;
        let entry = (text.to_owned(), rules, rules.id());
        if self.known.len() < KEPT {
            self.known.push(entry);
            return Ok(self.known.len() - 1);
        }
        let place = self.oldest;
        self.known[place] = entry;
        self.oldest = (place + 1) % KEPT;
        Ok(place)
    }
}
