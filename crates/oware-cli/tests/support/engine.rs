//! A conversation with `oware engine`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use super::oware;

/// Longer than any answer takes on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An engine that runs; it is killed when this goes.
pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
}

impl Engine {
    /// Starts one.
    pub(crate) fn start(args: &[&str]) -> Engine {
        let mut child = oware(&[&["engine"], args].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines() {
                let line = line.expect("output is UTF-8");
                if sender.send((Instant::now(), line)).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Engine { child, input, lines }
    }

    /// Sends bytes as they are. An engine that has ended does not hear them.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("input has not ended");
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// The next line and when it came; `None` at the end of output.
    #[track_caller]
    pub(crate) fn next_timed(&mut self) -> Option<(Instant, String)> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("the engine says nothing"),
        }
    }

    /// The next line; `None` at the end of output.
    #[track_caller]
    pub(crate) fn next(&mut self) -> Option<String> {
        self.next_timed().map(|(_, line)| line)
    }

    /// The lines up to one that begins like this, which is the last, and when that came.
    #[track_caller]
    pub(crate) fn until(&mut self, start: &str) -> (Instant, Vec<String>) {
        let mut lines = Vec::new();
        loop {
            let Some((when, line)) = self.next_timed() else {
                panic!("output ended before {start:?}: {lines:#?}");
            };
            let last = line.starts_with(start);
            lines.push(line);
            if last {
                return (when, lines);
            }
        }
    }

    /// What has been said and not been read, waiting this long for more.
    pub(crate) fn rest(&mut self, wait: Duration) -> Vec<String> {
        let mut lines = Vec::new();
        while let Ok((_, line)) = self.lines.recv_timeout(wait) {
            lines.push(line);
        }
        lines
    }

    /// Ends its input.
    pub(crate) fn end_input(&mut self) {
        self.input = None;
    }

    /// Reads nothing any more.
    pub(crate) fn close_output(&mut self) {
        // The thread that reads ends with the next line, and with it the pipe.
        self.lines = channel().1;
    }

    /// Whether it has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a child can be asked").is_some()
    }

    /// Waits until it ends.
    #[track_caller]
    pub(crate) fn end(&mut self) -> ExitStatus {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = self.child.try_wait().expect("a child can be asked") {
                return status;
            }
            thread::sleep(Duration::from_millis(2));
        }
        panic!("the engine does not end");
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
