//! How parts come together: each says hello with a number of its own, part 0 offers a run that
//! names these numbers, each agrees, and part 0 says go. A run that does not name a part's number
//! was not meant for it.

use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::super::stop_error;
use super::files::{self, Names, read_lines, write_lines};
use super::life::{Hello, Life, fresh_number};
use super::{Pause, Settings};

/// When to say what is waited for.
const SOON: Duration = Duration::from_secs(3);

/// How long what part 0 says must stay before it is taken for meant.
const SETTLED: Duration = Duration::from_secs(5);

/// What all parts agree on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The run's number, not 0.
    pub(super) id: u64,
    /// Which process each part is.
    pub(super) nonces: Vec<u64>,
}

/// What part 0 says.
#[derive(Debug)]
struct Said {
    go: bool,
    run: Run,
}

impl Said {
    fn write(&self, names: &Names) -> io::Result<()> {
        let nonces: Vec<String> = self.run.nonces.iter().map(|n| format!("{n:016x}")).collect();
        let lines = [
            format!("state {}", if self.go { "go" } else { "offer" }),
            format!("id {:016x}", self.run.id),
            format!("nonces {}", nonces.join(" ")),
        ];
        write_lines(&names.run(), &lines)
    }

    fn read(names: &Names) -> io::Result<Option<Said>> {
        let read = read_lines(&names.run(), ["state", "id", "nonces"])?;
        Ok(read.and_then(|[state, id, nonces]| {
            let hex = |text: &str| u64::from_str_radix(text, 16).ok();
            let nonces = nonces.split(' ').map(hex).collect::<Option<Vec<u64>>>()?;
            Some(Said { go: state == "go", run: Run { id: hex(&id)?, nonces } })
        }))
    }
}

/// Waits for all parts.
pub(super) fn join(settings: &Settings<'_>, names: &Names, life: &mut Life) -> io::Result<Run> {
    let hello = Hello { nonce: life.nonce, parts: settings.parts, agreed: 0 };
    let mut waiting = Waiting { settings, pause: Pause::new(), told: false };
    if settings.part == 0 {
        files::clear(names)?;
        hello.write(names, 0)?;
        lead(names, life, &mut waiting)
    } else {
        hello.write(names, settings.part)?;
        follow(names, life, hello, &mut waiting)
    }
}

/// What waiting for others has in common.
struct Waiting<'a, 's> {
    settings: &'a Settings<'s>,
    pause: Pause,
    told: bool,
}

impl Waiting<'_, '_> {
    fn wait(&mut self, for_whom: impl FnOnce() -> String) -> io::Result<()> {
        if self.settings.stop.load(Relaxed) {
            return Err(stop_error("stopped before all parts had come"));
        }
        if self.pause.start.elapsed() > SOON && !self.told {
            self.told = true;
            (self.settings.tell)(&format!("waiting for {}", for_whom()));
        }
        self.pause.wait();
        Ok(())
    }
}

/// What part 0 does.
fn lead(names: &Names, life: &mut Life, waiting: &mut Waiting<'_, '_>) -> io::Result<Run> {
    let parts = waiting.settings.parts;
    // Says from the start how many parts there are.
    let mut nonces = vec![0; parts];
    nonces[0] = life.nonce;
    let mut said = Said { go: false, run: Run { id: fresh_number() | 1, nonces } };
    said.write(names)?;
    loop {
        let mut missing = Vec::new();
        let mut agreed = true;
        let mut nonces = vec![life.nonce];
        for part in 1..parts {
            let hello = Hello::read(names, part)?.filter(|hello| hello.parts == parts);
            let there = match hello {
                Some(hello) => life.has_come(part, hello.nonce)?.then_some(hello),
                None => None,
            };
            agreed &= there.is_some_and(|hello| hello.agreed == said.run.id);
            nonces.push(there.map_or(0, |hello| hello.nonce));
            if there.is_none() {
                missing.push(part);
            }
        }
        if missing.is_empty() && said.run.nonces == nonces {
            if agreed {
                said.go = true;
                said.write(names)?;
                return Ok(said.run);
            }
        } else if missing.is_empty() {
            said.run = Run { id: fresh_number() | 1, nonces };
            said.write(names)?;
        }
        waiting.wait(|| listed(&missing))?;
    }
}

/// Parts, as people read them.
fn listed(parts: &[usize]) -> String {
    match parts {
        [] => "all parts to agree".to_owned(),
        [part] => format!("part {part}"),
        [first, .., last] => format!("{} parts, from part {first} to {last}", parts.len()),
    }
}

/// What the other parts do.
fn follow(
    names: &Names,
    life: &mut Life,
    mut hello: Hello,
    waiting: &mut Waiting<'_, '_>,
) -> io::Result<Run> {
    let (part, parts) = (waiting.settings.part, waiting.settings.parts);
    // The run that part 0 says, and since when.
    let mut seen: Option<(u64, Instant)> = None;
    loop {
        if Hello::read(names, part)?.is_some_and(|there| there.nonce != hello.nonce) {
            let path = names.hello(part);
            let what = format!("part {part} is taken: another process wrote {}", path.display());
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, what));
        }
        if let Some(said) = Said::read(names)? {
            let theirs = said.run.nonces.len();
            // An earlier run may have left this, and part 0, which is there already, not yet have
            // taken it away: it must stay for a while.
            let since = match seen {
                Some((id, since)) if id == said.run.id => since,
                _ => seen.insert((said.run.id, Instant::now())).1,
            };
            let meant = theirs != parts && since.elapsed() > SETTLED;
            if meant && life.has_come(0, said.run.nonces[0])? {
                let what = format!(
                    "{}: part 0 shares the work among {theirs} parts, part {part} among {parts}",
                    names.run().display()
                );
                return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
            }
            if theirs == parts && said.run.nonces[part] == hello.nonce {
                if said.go && hello.agreed == said.run.id {
                    return Ok(said.run);
                }
                if hello.agreed != said.run.id {
                    hello.agreed = said.run.id;
                    hello.write(names, part)?;
                }
            }
        }
        waiting.wait(|| "part 0 and the others".to_owned())?;
    }
}
