//! Every transcript of docs/PROTOCOL.md is held against the program.

use std::fs;
use std::path::Path;

use oware_retro::Target;
use oware_rules::Rules;

use crate::support::build_tables;
use crate::support::engine::Engine;

/// The version of the protocol whose transcripts these are.
const FENCE: &str = "```transcript-1";

/// A transcript, and the line of the page that it begins at.
struct Transcript {
    line: usize,
    text: Vec<String>,
}

fn transcripts(page: &str) -> Vec<Transcript> {
    let mut all = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if !line.starts_with("```") {
            continue;
        }
        assert_eq!(line, FENCE, "line {}: a block that is no transcript", number + 1);
        let text = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
        all.push(Transcript { line: number + 1, text: text.map(str::to_owned).collect() });
    }
    all
}

/// Whether a line fits a pattern in which `...` is any text.
fn fits(pattern: &str, line: &str) -> bool {
    let Some((start, mut patterns)) = pattern.split_once("...") else { return pattern == line };
    let Some(mut rest) = line.strip_prefix(start) else { return false };
    while let Some((part, later)) = patterns.split_once("...") {
        let Some(found) = rest.find(part) else { return false };
        rest = &rest[found + part.len()..];
        patterns = later;
    }
    rest.ends_with(patterns)
}

impl Transcript {
    fn run(&self, tables: &Path) {
        let mut engine = Engine::start(&[]);
        let mut anything = false;
        for (index, line) in self.text.iter().enumerate() {
            let place = format!("docs/PROTOCOL.md:{}: {line}", self.line + 1 + index);
            let line = line.replace("{tables}", &tables.display().to_string());
            match line.split_at_checked(2) {
                Some(("> ", command)) => {
                    assert!(!anything, "{place}: what ends the lines before?");
                    engine.send(command);
                }
                Some(("< ", "...")) => anything = true,
                Some(("< ", pattern)) => {
                    let mut passed = Vec::new();
                    loop {
                        let Some(said) = engine.next() else { panic!("{place}: the end") };
                        if fits(pattern, &said) {
                            break;
                        }
                        assert!(anything, "{place}: said {said:?}");
                        passed.push(said);
                        assert!(passed.len() < 10_000, "{place}: {passed:#?}");
                    }
                    anything = false;
                }
                Some(("! ", "end")) => engine.end_input(),
                _ => panic!("{place}: what is this?"),
            }
        }
        engine.end_input();
        assert_eq!(engine.next(), None, "docs/PROTOCOL.md:{}: said more", self.line);
        assert!(engine.end().success(), "docs/PROTOCOL.md:{}", self.line);
    }
}

#[test]
fn every_transcript_of_the_page_is_true() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/PROTOCOL.md");
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("\nVersion 1. "), "the page tells its version");
    let tables = tempfile::tempdir().unwrap();
    build_tables(tables.path(), Rules::ABAPA.table_rules(), &Target::ALL, 4);
    let transcripts = transcripts(&page);
    assert!(transcripts.len() > 10, "{} transcripts", transcripts.len());
    for transcript in transcripts {
        transcript.run(tables.path());
    }
}

#[test]
fn patterns_fit_what_they_should() {
    for (pattern, line) in
        [("a", "a"), ("a...", "a"), ("a...c", "abc"), ("...b...d", "abcd"), ("a ... c", "a b c")]
    {
        assert!(fits(pattern, line), "{pattern} {line}");
    }
    for (pattern, line) in [("a", "ab"), ("a...c", "abd"), ("...b...d", "acd"), ("b...", "ab")] {
        assert!(!fits(pattern, line), "{pattern} {line}");
    }
}
