//! How much memory the program has in use.

/// Memory in use in KiB (`VmRSS`), where the system tells: on Linux.
pub(crate) fn in_use() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// The same in words.
pub(crate) fn told() -> String {
    in_use().map_or("unknown".to_owned(), |kib| format!("{:.1} MiB", kib as f64 / 1024.0))
}
