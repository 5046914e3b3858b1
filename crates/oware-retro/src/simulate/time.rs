//! What a layer takes on a machine of stated speeds.

use super::layer::LayerShares;
use super::profile::Profile;
use crate::plan::{move_tables_memory, table_bytes};

/// Seconds to decode a board of a lower layer, to give or take a captured value, to code a
/// board of the finished layer: beside a board's time in the rounds, as measured at 20 to 24
/// seeds (docs/measurements), rounded up.
const DECODE: f64 = 0.12;
const CAPTURE: f64 = 0.05;
const CODE: f64 = 0.25;
/// Seconds of one thread to learn the model of a table.
const LEARN: f64 = 5.0;
/// Bytes on local disk: for a capture's value (merged, by board), for a decided board.
const KEPT: f64 = 0.5 + 1.7;
/// Bytes for each row of who is told of its boards, and of what marks the rows with boards.
const ROW: f64 = 56.0;
/// Buffers and program of a part, bytes.
const BUFFERS: f64 = 512e6;

/// How fast a cluster is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cluster {
    /// Million boards a second that one core takes through the rounds.
    pub rate: f64,
    /// Cores of a part.
    pub cores: usize,
    /// Parts on one machine, which share its link and its disk.
    pub together: usize,
    /// Gigabits a second of a machine's link, each way.
    pub bandwidth: f64,
    /// Microseconds from part to part.
    pub latency: f64,
    /// Microseconds that a part takes over one message, however short.
    pub message: f64,
    /// Gigabytes a second of the file system that all share.
    pub storage: f64,
    /// Gigabytes a second of a machine's own disk.
    pub scratch: f64,
}

impl Default for Cluster {
    /// Half the speed a core had when little else ran beside it, 16 parts of one core a machine,
    /// 25 GbE, 5 microseconds.
    fn default() -> Cluster {
        Cluster {
            rate: 5.0,
            cores: 1,
            together: 16,
            bandwidth: 25.0,
            latency: 5.0,
            message: 0.5,
            storage: 2.0,
            scratch: 1.0,
        }
    }
}

/// What one layer, or a build, takes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prediction {
    /// Boards of the layer.
    pub boards: f64,
    /// Rounds.
    pub rounds: f64,
    /// Bytes of memory of the part that needs most in the first pass ...
    pub first_memory: f64,
    /// ... in the rounds, with the frontiers of needed rows in arrays ...
    pub array_memory: f64,
    /// ... and with only the boards of one round in lists.
    pub list_memory: f64,
    /// Bytes between all parts in the first pass ...
    pub first_bytes: f64,
    /// ... and in the rounds ...
    pub round_bytes: f64,
    /// ... and in the rounds if parts were told by the row alone.
    pub row_bytes: f64,
    /// Bytes read from the shared file system.
    pub read: f64,
    /// Bytes written to it.
    pub written: f64,
    /// Bytes on the local disks of all machines.
    pub kept: f64,
    /// Seconds: reading, decoding, captures with their traffic.
    pub first_time: f64,
    /// Seconds of computing in the rounds, the slowest part of each.
    pub round_time: f64,
    /// Seconds of the rounds' traffic.
    pub traffic_time: f64,
    /// Seconds of waiting for messages however short.
    pub latency_time: f64,
    /// Seconds of local disks, coding and writing.
    pub last_time: f64,
}

impl Prediction {
    /// Bytes of memory of the rank that needs most, with frontiers in arrays, as the solver has
    /// them.
    #[must_use]
    pub fn memory(&self) -> f64 {
        self.first_memory.max(self.array_memory)
    }

    /// Seconds in all; nothing is taken to overlap.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.first_time + self.round_time + self.traffic_time + self.latency_time + self.last_time
    }

    /// The larger of memories, the sum of the rest.
    #[must_use]
    pub fn and(self, next: Prediction) -> Prediction {
        Prediction {
            boards: self.boards + next.boards,
            rounds: self.rounds + next.rounds,
            first_memory: self.first_memory.max(next.first_memory),
            array_memory: self.array_memory.max(next.array_memory),
            list_memory: self.list_memory.max(next.list_memory),
            first_bytes: self.first_bytes + next.first_bytes,
            round_bytes: self.round_bytes + next.round_bytes,
            row_bytes: self.row_bytes + next.row_bytes,
            read: self.read + next.read,
            written: self.written + next.written,
            kept: self.kept.max(next.kept),
            first_time: self.first_time + next.first_time,
            round_time: self.round_time + next.round_time,
            traffic_time: self.traffic_time + next.traffic_time,
            latency_time: self.latency_time + next.latency_time,
            last_time: self.last_time + next.last_time,
        }
    }
}

/// How much more than the mean the part with most has in a round, if what the parts have lies
/// about the mean with some deviation: the usual greatest of so many.
fn greatest(deviation: f64, parts: usize) -> f64 {
    1.0 + deviation * (2.0 * (parts as f64).ln()).sqrt()
}

/// Predicts a layer from its shares, the rounds of a smaller one, and the speed of a cluster.
#[must_use]
pub fn predict(shares: &LayerShares, profile: &Profile, cluster: &Cluster) -> Prediction {
    let parts = shares.parts as f64;
    let boards = shares.boards.mean * parts;
    let groups = (crate::space::RowSpace::new(shares.seeds).end(shares.seeds) / 64) as f64 / parts;
    let (deviation, bytes) =
        profile.like(groups).map_or((0.0, 2.0), |like| (like.deviation, like.bytes));
    let core = 1.0 / (cluster.rate * 1e6 * cluster.cores as f64);
    let machines = (parts / cluster.together as f64).max(1.0);
    // What goes to a part of the same machine does not use its link.
    let away = 1.0 - 1.0 / machines;
    let link = |part: f64| part * parts / machines * away / (cluster.bandwidth / 8.0 * 1e9);
    let decided = profile.decided;
    let rounds = profile.rounds_of(shares.seeds);
    let read = (0..shares.seeds.saturating_sub(1)).filter(|&s| s + 18 >= shares.seeds);
    let read =
        if shares.decoded.mean > 0.0 { read.map(table_bytes).sum::<u64>() as f64 } else { 0.0 };
    let written = table_bytes(shares.seeds) as f64;
    let kept = boards * KEPT;
    let tables = move_tables_memory(shares.seeds) as f64 + BUFFERS;
    let rows = tables + groups * parts * 64.0 * ROW;
    let busy = greatest(deviation, shares.parts).max(shares.quiet.balance());
    let heard = shares.heard.most * decided * bytes;
    let list = shares.heard.most * profile.largest * bytes.max(2.0) * 2.0;
    Prediction {
        boards,
        rounds,
        first_memory: tables + shares.planes.most + shares.boards.most,
        array_memory: rows
            + shares.planes.most
            + shares.frontier_out.most
            + shares.frontier_in.most,
        list_memory: rows + shares.planes.most + shares.frontier_out.most + list,
        first_bytes: shares.pulled.mean * parts,
        round_bytes: shares.heard.mean * parts * decided * bytes,
        row_bytes: shares.row_receivers * boards * decided * bytes,
        read,
        written,
        kept,
        first_time: shares.decoded.most * core * DECODE
            + shares.captures.most * core * CAPTURE
            + read / (cluster.storage * 1e9)
            + link(shares.pulled.most.max(shares.pushed.most)),
        round_time: shares.boards.mean * busy * core,
        traffic_time: link(heard),
        latency_time: rounds
            * 1e-6
            * (2.0 * cluster.latency * parts.log2().ceil() + cluster.message * (parts - 1.0)),
        last_time: 2.0 * kept / machines / (cluster.scratch * 1e9)
            + shares.boards.most * core * CODE
            + written / (cluster.storage * 1e9)
            + LEARN.min(shares.boards.mean * parts * 1e-7),
    }
}
