//! `oware engine`: the engine protocol on standard input and output.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::mpsc::{Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::Context;
use oware_app::Opening;
use oware_app::book::Book;
use oware_app::protocol::{Event, Session, Settings, Setup, read_event};
use oware_rules::Rules;

use crate::output::{Usage, complain};

const EXAMPLES: &str = "\
The engine speaks the UCI dialect of Oware programs, as docs/PROTOCOL.md specifies it. `uci` lists
the options; --option sets one before the first command. End of input ends the engine.

Examples:
  oware engine
  oware engine --option Threads=4 --option TablesPath=/var/lib/oware/tables
  printf 'position startpos moves FfBeBc\\ngo depth 8\\nwait\\n' | oware engine";

/// How many lines are read ahead: enough to find a `stop` behind others, and no more, so that a
/// flood of input fills no memory.
const LINES_AHEAD: usize = 256;

/// Arguments of `oware engine`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct EngineArgs {
    /// Set an option, as `setoption name NAME value VALUE` does
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,
}

pub(crate) fn run(args: &EngineArgs) -> anyhow::Result<ExitCode> {
    let setup = Setup {
        name: format!("Oware {}", env!("CARGO_PKG_VERSION")),
        author: "the Oware developers".to_owned(),
        settings: settings(&args.options)?,
        // It answers under the rules that it is made for, and no others.
        opening: Book::built_in(&Rules::ABAPA).map(|book| book as Arc<dyn Opening>),
    };
    let (sender, events) = channel();
    let output = Output { events: sender.clone(), fault: Mutex::new(None) };
    let output = Arc::new(output);
    let say = Arc::clone(&output);
    let session = Session::new(setup, Arc::new(move |text: &str| say.say(text)), sender.clone())?;
    // Reading has a thread of its own, so that a closed output or a fault ends the program though
    // no line comes any more. It is left behind when the program ends.
    let (permits, taken) = sync_channel(LINES_AHEAD);
    thread::spawn(move || read(&sender, &permits));
    session.run(events.iter().inspect(|event| {
        if matches!(event, Event::Line(_) | Event::Refused { .. }) {
            let _ = taken.try_recv();
        }
    }))?;
    match output.fault() {
        Some(fault) => Err(fault).context("cannot write to standard output"),
        None => Ok(ExitCode::SUCCESS),
    }
}

fn settings(options: &[String]) -> Result<Settings, Usage> {
    let mut settings = Settings::default();
    for option in options {
        let fault = |why: &dyn std::fmt::Display| {
            Usage(format!("invalid value {option:?} for --option: {why}"))
        };
        let (name, value) = option.split_once('=').ok_or_else(|| fault(&"expected NAME=VALUE"))?;
        settings.set(name.trim(), Some(value.trim())).map_err(|error| fault(&error))?;
    }
    Ok(settings)
}

/// Hands on what comes in, until it ends. Each line needs a permit, of which there are a few.
fn read(events: &Sender<Event>, permits: &SyncSender<()>) {
    let mut input = io::stdin().lock();
    loop {
        let event = read_event(&mut input).unwrap_or_else(|error| {
            complain(&format_args!("cannot read standard input: {error}"));
            Event::End
        });
        let last = event == Event::End;
        // Where nobody listens any more the program is about to end.
        if permits.send(()).is_err() || events.send(event).is_err() || last {
            return;
        }
    }
}

/// Standard output, each line at once.
struct Output {
    events: Sender<Event>,
    fault: Mutex<Option<io::Error>>,
}

impl Output {
    /// Writes lines. A fault ends the session, and is not told twice.
    fn say(&self, text: &str) {
        let mut out = io::stdout().lock();
        let written = writeln!(out, "{text}").and_then(|()| out.flush());
        let Err(error) = written else { return };
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        if fault.is_none() {
            *fault = Some(error);
            let _ = self.events.send(Event::OutputClosed);
        }
    }

    fn fault(&self) -> Option<io::Error> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
