//! The laws of exchanges over MPI, to be started by `mpirun`; `cargo xtask mpi` does so.
//!
//! usage: `mpi-laws laws CHUNK LARGE SEED` | `mpi-laws leave done|stopped|failed` |
//! `mpi-laws panic` | `mpi-laws stop` | `mpi-laws hang`
#![allow(clippy::print_stderr, reason = "a program for tests")]

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use oware_mpi::{Mpi, Settings, run};
use oware_retro::exchange::{agree_on, is_stop, laws};
use oware_retro::{Ending, Exchange};

/// Far longer than any test takes.
const FOR_EVER: Duration = Duration::from_secs(3600);

static STOP: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let tell = |text: &str| eprintln!("{text}");
    let mut settings = Settings::new(&STOP, &tell);
    settings.grace = Duration::from_secs(1);
    let result = match arguments[..] {
        ["laws", chunk, large, seed] => {
            settings.chunk = number(chunk) as usize;
            run(&settings, |end| {
                laws::check(end, number(seed), 60, number(large) as usize);
                agree_on(end, "the same").expect("the same");
                ((), Ending::Done)
            })
        }
        ["leave", how] => {
            let ending = match how {
                "done" => Ending::Done,
                "stopped" => Ending::Stopped,
                _ => Ending::Failed,
            };
            run(&settings, |end| leave(end, ending))
        }
        ["panic"] => run(&settings, |end| {
            let last = end.part() + 1 == end.parts();
            thread::scope(|scope| {
                scope.spawn(|| assert!(!last, "this rank panics"));
                // Nobody joins the thread that has panicked.
                let _ = end.sum(1);
                thread::sleep(FOR_EVER);
            });
            ((), Ending::Done)
        }),
        // The others come to no exchange, so they cannot notice.
        ["hang"] => run(&settings, |end| {
            if end.part() + 1 < end.parts() {
                thread::sleep(FOR_EVER);
            }
            ((), Ending::Failed)
        }),
        ["stop"] => run(&settings, |end| {
            if end.part() + 1 < end.parts() {
                thread::sleep(FOR_EVER);
            }
            STOP.store(true, Relaxed);
            let _ = end.sum(1);
            ((), Ending::Stopped)
        }),
        _ => panic!("see the head of this file for its arguments"),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The last part leaves early; the others see how.
fn leave(end: &mut Mpi, ending: Ending) -> ((), Ending) {
    let last = end.parts() - 1;
    assert_eq!(end.sum(1).expect("all are here"), end.parts() as u64);
    if end.part() == last {
        return ((), ending);
    }
    // The first exchange without it fails, and so do all others.
    for _ in 0..3 {
        let error = end.sum(1).expect_err("a part has left");
        assert_eq!(is_stop(&error), ending == Ending::Stopped, "{error}");
        assert!(error.to_string().contains(&format!("part {last} ")), "{error}");
    }
    ((), Ending::Failed)
}
