//! What an engine of a match is, as text: `name=a,kind=builtin,nodes=20000,hash=16`.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use oware_search::{MOST_HASH_MIB, MOST_THREADS, Options, Parts};

use super::budget::{Budget, number};
use super::text::{guarded, pairs, quoted, words};
use crate::Level;

/// Keys of every engine.
const COMMON: [&str; 7] = ["name", "kind", "nodes", "depth", "movetime", "clock", "margin"];
/// Keys of an engine that is built in.
const BUILTIN: [&str; 7] = ["hash", "threads", "check", "tables", "leaves", "book", "without"];
/// Keys of a level.
const LEVEL: [&str; 3] = ["level", "seed", "tables"];
/// Keys of a process, beside `option.NAME`.
const PROCESS: [&str; 4] = ["cmd", "timeout", "restarts", "rules"];
/// The limits among the common keys.
const LIMITS: [&str; 4] = ["nodes", "depth", "movetime", "clock"];

/// How late an answer may be and still count, if nothing else is said.
const MARGIN: Duration = Duration::from_millis(100);
/// How long a process may be silent where no time is set, if nothing else is said.
const TIMEOUT: Duration = Duration::from_secs(60);

/// What is wrong with the text of an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{engine}: {why}")]
pub struct SpecError {
    /// Which engine: its name, or what was given.
    pub engine: String,
    /// What is wrong, and what was expected.
    pub why: String,
}

/// An engine of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineSpec {
    /// Its name in tables and records; no two of a match are the same.
    pub name: String,
    /// What plays.
    pub kind: EngineKind,
    /// What it may spend.
    pub budget: Budget,
    /// How much later than its time an answer may be and still count.
    pub margin: Duration,
}

/// What plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineKind {
    /// The engine of this program.
    Builtin(Builtin),
    /// The plain alpha-beta, the first player of this project.
    Plain,
    /// A level of the computer.
    Level {
        /// Which.
        level: Level,
        /// What its slips are drawn from.
        seed: u64,
        /// Endgame tables for the levels that look into them.
        tables: Option<PathBuf>,
    },
    /// A program that speaks the protocol.
    Process(Process),
}

/// The engine of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Builtin {
    /// How it is made.
    pub options: Options,
    /// Directory of endgame tables, for the root; for the leaves see `leaves`.
    pub tables: Option<PathBuf>,
    /// The leaves of the search look into tables of this many seeds or fewer; 0 for none.
    pub leaves: u8,
    /// An opening book: a file, or `built-in` for the one that is part of the program.
    pub book: Option<PathBuf>,
}

/// A program that speaks the protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Program and arguments.
    pub command: Vec<String>,
    /// What `setoption` sets, in order.
    pub options: Vec<(String, String)>,
    /// How long it may be silent where no time is set.
    pub timeout: Duration,
    /// How often it is started again before the match is given up.
    pub restarts: u32,
    /// Whether it is taken to know the rules of the match although it has no option for them.
    pub trusted_rules: bool,
}

impl EngineSpec {
    /// Reads an engine. What `each` says counts where `text` does not say otherwise; limits are
    /// taken from there only if `text` has none, and keys that its kind does not have are left
    /// out.
    ///
    /// # Errors
    /// [`SpecError`] with the key at fault and what was expected.
    pub fn read(text: &str, each: &str) -> Result<EngineSpec, SpecError> {
        let own = pairs(text).map_err(|why| SpecError { engine: text.into(), why })?;
        let common = pairs(each).map_err(|why| SpecError { engine: each.into(), why })?;
        let find = |key: &str| own.iter().rev().chain(common.iter().rev()).find(|p| p.0 == key);
        let kind = find("kind").map_or("builtin", |pair| pair.1.as_str());
        let name = own.iter().rev().find(|pair| pair.0 == "name");
        let name = name.map_or(kind, |pair| pair.1.as_str()).to_owned();
        let fault = |why| SpecError { engine: format!("engine {name}"), why };
        if name.is_empty() || name == "?" || name.chars().any(char::is_control) {
            return Err(fault("name: expected a name that can be shown".into()));
        }
        let keys = keys_of(kind).map_err(fault)?;
        let knows =
            |key: &str| keys.contains(&key) || (kind == "process" && key.starts_with("option."));
        if let Some((key, _)) = own.iter().find(|pair| !knows(&pair.0)) {
            return Err(fault(unknown_key(key, kind, &keys)));
        }
        let anywhere: Vec<&str> = [&COMMON[..], &BUILTIN, &LEVEL, &PROCESS].concat();
        let foreign = |key: &str| !anywhere.contains(&key) && !key.starts_with("option.");
        if let Some((key, _)) = common.iter().find(|pair| foreign(&pair.0) || pair.0 == "name") {
            return Err(fault(unknown_key(key, "every engine", &anywhere[1..])));
        }
        let own_limits = own.iter().any(|pair| LIMITS.contains(&pair.0.as_str()));
        let taken = |pair: &&(String, String)| {
            knows(&pair.0)
                && !(own_limits && LIMITS.contains(&pair.0.as_str()))
                && !own.iter().any(|other| other.0 == pair.0)
        };
        let all: Vec<&(String, String)> = common.iter().filter(taken).chain(own.iter()).collect();
        let mut spec = EngineSpec {
            name: name.clone(),
            kind: EngineKind::blank(kind),
            budget: Budget::default(),
            margin: MARGIN,
        };
        for (key, value) in all {
            spec.set(key, value).map_err(|why| fault(format!("{key}={value}: {why}")))?;
        }
        spec.check().map_err(fault)?;
        Ok(spec)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "name" | "kind" => Ok(()),
            "margin" => {
                self.margin = Duration::from_millis(number(value, 0, 3_600_000)?);
                Ok(())
            }
            _ if self.budget.set(key, value)? => Ok(()),
            _ => self.kind.set(key, value),
        }
    }

    fn check(&self) -> Result<(), String> {
        match &self.kind {
            EngineKind::Level { .. } if !self.budget.is_timeless() => {
                return Err("a level is limited by itself: leave out movetime and clock".into());
            }
            EngineKind::Plain if !self.budget.is_timeless() => {
                return Err("kind=plain knows nodes and depth only".into());
            }
            EngineKind::Process(process) if process.command.is_empty() => {
                return Err("cmd=PROGRAM is needed".into());
            }
            EngineKind::Level { .. } => return Ok(()),
            _ => {}
        }
        match self.budget.is_empty() {
            true => Err(format!("a limit is needed: one of {}", LIMITS.join(", "))),
            false => Ok(()),
        }
    }
}

fn keys_of(kind: &str) -> Result<Vec<&'static str>, String> {
    let own: &[&str] = match kind {
        "builtin" => &BUILTIN,
        "plain" => &[],
        "level" => &LEVEL,
        "process" => &PROCESS,
        _ => return Err(format!("kind={kind}: expected builtin, plain, level or process")),
    };
    Ok([&COMMON[..], own].concat())
}

fn unknown_key(key: &str, kind: &str, keys: &[&str]) -> String {
    let more = if kind == "process" { ", option.NAME" } else { "" };
    format!("{key}: no key of {kind}, expected one of {}{more}", keys.join(", "))
}

impl EngineKind {
    /// One of a known kind, with nothing set.
    fn blank(kind: &str) -> EngineKind {
        match kind {
            "plain" => EngineKind::Plain,
            "level" => EngineKind::Level { level: Level::TOP, seed: 0, tables: None },
            "process" => EngineKind::Process(Process {
                command: Vec::new(),
                options: Vec::new(),
                timeout: TIMEOUT,
                restarts: 3,
                trusted_rules: false,
            }),
            _ => EngineKind::Builtin(Builtin {
                options: Options::default(),
                tables: None,
                leaves: 0,
                book: None,
            }),
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match self {
            EngineKind::Builtin(builtin) => builtin.set(key, value),
            EngineKind::Process(process) => process.set(key, value),
            EngineKind::Plain => Ok(()),
            EngineKind::Level { level, seed, tables } => {
                match key {
                    "level" => *level = value.parse()?,
                    "seed" => *seed = number(value, 0, u64::MAX)?,
                    _ => *tables = directory(value)?,
                }
                Ok(())
            }
        }
    }
}

impl Builtin {
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "hash" => self.options.hash_mib = number(value, 1, MOST_HASH_MIB as u64)? as usize,
            "threads" => self.options.threads = number(value, 1, MOST_THREADS as u64)? as usize,
            "check" => self.options.check = yes_or_no(value)?,
            "tables" => self.tables = directory(value)?,
            "leaves" => self.leaves = number(value, 0, 48)? as u8,
            "book" => self.book = directory(value)?,
            _ => self.options.parts = Parts::all_but(value)?,
        }
        Ok(())
    }
}

impl Process {
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "cmd" => self.command = words(value)?,
            "timeout" => self.timeout = Duration::from_secs(number(value, 1, 86_400)?),
            "restarts" => self.restarts = number(value, 0, 1_000_000)? as u32,
            "rules" => match value {
                "asked" => self.trusted_rules = false,
                "trusted" => self.trusted_rules = true,
                _ => return Err("expected asked or trusted".into()),
            },
            _ => {
                let name = key.strip_prefix("option.").unwrap_or(key);
                if name.is_empty()
                    || name == "?"
                    || name.chars().chain(value.chars()).any(char::is_control)
                {
                    return Err("expected option.NAME=VALUE".into());
                }
                self.options.retain(|(old, _)| old != name);
                self.options.push((name.into(), value.into()));
            }
        }
        Ok(())
    }
}

fn yes_or_no(value: &str) -> Result<bool, String> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("expected yes or no".into()),
    }
}

fn directory(value: &str) -> Result<Option<PathBuf>, String> {
    match value {
        "" => Err("expected a directory, or none".into()),
        "none" => Ok(None),
        _ => Ok(Some(PathBuf::from(value))),
    }
}

impl fmt::Display for EngineSpec {
    /// Everything that is set, in one order: two engines are the same if their texts are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = vec![("name", self.name.clone())];
        let mut options = Vec::new();
        match &self.kind {
            EngineKind::Plain => parts.push(("kind", "plain".into())),
            EngineKind::Builtin(builtin) => {
                let Options { hash_mib, threads, check, parts: at_work } = builtin.options;
                parts.push(("kind", "builtin".into()));
                parts.push(("hash", hash_mib.to_string()));
                parts.push(("threads", threads.to_string()));
                parts.push(("check", if check { "yes" } else { "no" }.into()));
                parts.push(("tables", shown(builtin.tables.as_ref())));
                parts.push(("leaves", builtin.leaves.to_string()));
                parts.push(("book", shown(builtin.book.as_ref())));
                parts.push(("without", at_work.to_string()));
            }
            EngineKind::Level { level, seed, tables } => {
                parts.push(("kind", "level".into()));
                parts.push(("level", level.to_string()));
                parts.push(("seed", seed.to_string()));
                parts.push(("tables", shown(tables.as_ref())));
            }
            EngineKind::Process(process) => {
                let trusted = if process.trusted_rules { "trusted" } else { "asked" };
                let command: Vec<String> = process.command.iter().map(|w| quoted(w)).collect();
                parts.push(("kind", "process".into()));
                parts.push(("cmd", command.join(" ")));
                parts.push(("timeout", process.timeout.as_secs().to_string()));
                parts.push(("restarts", process.restarts.to_string()));
                parts.push(("rules", trusted.into()));
                options.clone_from(&process.options);
            }
        }
        parts.push(("margin", self.margin.as_millis().to_string()));
        let parts = parts.into_iter().map(|(key, value)| format!("{key}={}", guarded(&value)));
        let options = options
            .into_iter()
            .map(|(name, value)| format!("option.{}={}", guarded(&name), guarded(&value)));
        let limits = (!self.budget.is_empty()).then(|| self.budget.to_string());
        let parts: Vec<String> = parts.chain(options).chain(limits).collect();
        f.write_str(&parts.join(","))
    }
}

fn shown(path: Option<&PathBuf>) -> String {
    path.map_or_else(|| "none".into(), |path| path.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> EngineSpec {
        EngineSpec::read(text, "").unwrap_or_else(|error| panic!("{error}"))
    }

    fn wrong(text: &str) -> String {
        EngineSpec::read(text, "").unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            "name=a,nodes=20000,hash=4,threads=2,tables=some/dir,leaves=9,without=pvs+killers",
            "name=b,depth=9,book=built-in",
            "name=p,kind=plain,depth=4",
            "name=l,kind=level,level=7,seed=7",
            "kind=process,cmd=\"a/b -x 'two words' 'it'\\\\''s'\",clock=1+0.01,option.Hash=16,\
             option.Book File=\"x,y\",margin=20",
        ] {
            let spec = read(text);
            assert_eq!(read(&spec.to_string()), spec, "{spec}");
        }
        let EngineKind::Process(process) = read("kind=process,nodes=1,cmd=x 'a b' c\\ d").kind
        else {
            panic!("not a process");
        };
        assert_eq!(process.command, ["x", "a b", "c d"]);
    }

    #[test]
    fn what_all_share_is_overruled_by_what_one_says() {
        let each = "nodes=1000,hash=8,option.Hash=8";
        let spec = EngineSpec::read("name=a", each).unwrap();
        assert_eq!(spec.budget.nodes, Some(1000));
        let spec = EngineSpec::read("name=a,depth=3,hash=2", each).unwrap();
        assert_eq!((spec.budget.nodes, spec.budget.depth), (None, Some(3)));
        assert!(spec.to_string().contains("hash=2,"), "{spec}");
        assert!(EngineSpec::read("name=a,kind=plain", each).is_ok());
        let error = EngineSpec::read("name=a", "hasch=3,nodes=1").unwrap_err().to_string();
        assert!(error.contains("hasch"), "{error}");
    }

    #[test]
    fn faults_name_the_key_and_what_was_expected() {
        for (text, part) in [
            ("name=a,hasch=3", "hasch: no key of builtin, expected one of name"),
            ("name=a,kind=frob", "expected builtin, plain, level or process"),
            ("name=a", "a limit is needed"),
            ("name=a,nodes=0", "nodes=0: expected a whole number of 1 or more"),
            ("name=a,hash=x,nodes=1", "from 1 to 65536"),
            ("kind=plain,nodes=1,hash=3", "hash: no key of plain"),
            ("kind=plain,movetime=1", "nodes and depth"),
            ("kind=level,level=frob", "easy"),
            ("kind=level,level=easy,movetime=3", "limited by itself"),
            ("kind=process,nodes=1", "cmd=PROGRAM"),
            ("kind=process,nodes=1,cmd='x", "not closed"),
            ("name=\"a", "not closed"),
            ("frob", "expected KEY=VALUE"),
            ("nodes=1,without=pvs+frob", "\"frob\" is no part"),
        ] {
            let message = wrong(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
