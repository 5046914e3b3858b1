//! The files of a spool directory: their names, and how they are written and read.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::super::{Ending, PartLeft};

pub(super) use crate::spill::named as at;

/// How a file with what a part gives begins.
const MAGIC: [u8; 8] = *b"owarexc1";
/// Bytes before the offsets: the magic, the run, the exchange, the part, the number of parts.
const HEAD: u64 = 32;

/// The first line of the small files.
pub(super) const FIRST_LINE: &str = "oware spool 1";

/// The names of the files in a directory.
#[derive(Clone, Debug)]
pub(super) struct Names {
    directory: PathBuf,
}

impl Names {
    pub(super) fn new(directory: &Path) -> Names {
        Names { directory: directory.to_owned() }
    }

    /// What a part holds locked.
    pub(super) fn lock(&self, part: usize) -> PathBuf {
        self.directory.join(format!("part-{part:04}.lock"))
    }

    /// What a part says when it comes.
    pub(super) fn hello(&self, part: usize) -> PathBuf {
        self.directory.join(format!("part-{part:04}.hello"))
    }

    /// A counter by which a part shows that it lives.
    pub(super) fn beat(&self, part: usize) -> PathBuf {
        self.directory.join(format!("part-{part:04}.beat"))
    }

    /// What part 0 says to those who have come.
    pub(super) fn run(&self) -> PathBuf {
        self.directory.join("run")
    }

    /// Why a run has ended before it was done.
    pub(super) fn ended(&self, run: u64) -> PathBuf {
        self.directory.join(format!("{run:016x}.ended"))
    }

    /// What a part gives in an exchange.
    pub(super) fn data(&self, run: u64, exchange: u64, part: usize) -> PathBuf {
        self.directory.join(format!("{run:016x}-{exchange}-{part}.data"))
    }
}

/// Takes away what runs have left, but for the files of parts that may be there.
pub(super) fn clear(names: &Names) -> io::Result<()> {
    let directory = &names.directory;
    for entry in fs::read_dir(directory).map_err(at(directory))? {
        let path = entry.map_err(at(directory))?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name == "run" || is_of_a_run(name) {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Whether a name is one of those that begin with the number of a run.
fn is_of_a_run(name: &str) -> bool {
    let Some((run, rest)) = name.split_at_checked(16) else { return false };
    let endings = [".data", ".data.new", ".ended", ".ended.new"];
    run.bytes().all(|byte| byte.is_ascii_hexdigit())
        && rest.starts_with(['-', '.'])
        && endings.iter().any(|ending| rest.ends_with(ending))
}

/// Removes a file that may be gone already.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        _ => Ok(()),
    }
}

/// Writes a file so that others see all of it or nothing.
pub(super) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    // Closed before it is renamed: then it is whole for others on a network too.
    File::create(&new).and_then(|mut file| write(&mut file)).map_err(at(&new))?;
    fs::rename(&new, path).map_err(at(path))
}

/// Writes a small file of lines.
pub(super) fn write_lines(path: &Path, lines: &[String]) -> io::Result<()> {
    let text = format!("{FIRST_LINE}\n{}\nend\n", lines.join("\n"));
    write_whole(path, |file| file.write_all(text.as_bytes()))
}

/// The values of the lines of a small file, each `NAME VALUE` with the names asked for. `None`
/// when there is no such file, or another one.
pub(super) fn read_lines<const N: usize>(
    path: &Path,
    fields: [&str; N],
) -> io::Result<Option<[String; N]>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        // A network file system says this of a file that was replaced while it was read.
        Err(error) if error.kind() == io::ErrorKind::StaleNetworkFileHandle => return Ok(None),
        Err(error) => return Err(at(path)(error)),
    };
    let mut lines = text.lines();
    if lines.next() != Some(FIRST_LINE) || !text.ends_with("\nend\n") {
        return Ok(None);
    }
    let values = fields.map(|field| {
        let value = |line: &str| line.strip_prefix(field)?.strip_prefix(' ').map(str::to_owned);
        lines.clone().find_map(value)
    });
    Ok(values.iter().all(Option::is_some).then(|| values.map(Option::unwrap_or_default)))
}

/// Says that a part leaves before all is done.
pub(super) fn write_ending(names: &Names, run: u64, part: usize, ending: Ending) -> io::Result<()> {
    let path = names.ended(run);
    // The first is the cause, and the rest follows from it.
    if path.exists() {
        return Ok(());
    }
    let why = if ending == Ending::Stopped { "stopped" } else { "failed" };
    write_lines(&path, &[format!("part {part}"), format!("why {why}")])
}

/// Whether a part has left before all was done.
pub(super) fn read_ending(names: &Names, run: u64) -> io::Result<Option<PartLeft>> {
    let read = read_lines(&names.ended(run), ["part", "why"])?;
    Ok(read.map(|[part, why]| {
        let ending = if why == "stopped" { Ending::Stopped } else { Ending::Failed };
        PartLeft { part: part.parse().unwrap_or(0), ending }
    }))
}

/// Which file of data is meant.
pub(super) struct Key {
    pub(super) run: u64,
    pub(super) exchange: u64,
    pub(super) from: usize,
    pub(super) parts: usize,
}

impl Key {
    fn head(&self) -> [u8; HEAD as usize] {
        let mut head = [0; HEAD as usize];
        head[..8].copy_from_slice(&MAGIC);
        head[8..16].copy_from_slice(&self.run.to_le_bytes());
        head[16..24].copy_from_slice(&self.exchange.to_le_bytes());
        head[24..28].copy_from_slice(&(self.from as u32).to_le_bytes());
        head[28..].copy_from_slice(&(self.parts as u32).to_le_bytes());
        head
    }
}

/// Writes what a part gives: the head, where the share of each part begins and the last ends, and
/// the shares.
pub(super) fn write_data(names: &Names, key: &Key, to: &[Vec<u8>]) -> io::Result<PathBuf> {
    let path = names.data(key.run, key.exchange, key.from);
    let mut front = key.head().to_vec();
    let mut end = 0_u64;
    front.extend(end.to_le_bytes());
    for bytes in to {
        end += bytes.len() as u64;
        front.extend(end.to_le_bytes());
    }
    write_whole(&path, |file| {
        file.write_all(&front)?;
        to.iter().try_for_each(|bytes| file.write_all(bytes))
    })?;
    Ok(path)
}

/// Reads the share of one part; `None` when the file is not there yet.
pub(super) fn read_data(names: &Names, key: &Key, to: usize) -> io::Result<Option<Vec<u8>>> {
    let path = names.data(key.run, key.exchange, key.from);
    let file = match File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(at(&path)(error)),
    };
    read_share(&file, key, to).map(Some).map_err(|error| {
        let from = key.from;
        io::Error::new(error.kind(), format!("{}, of part {from}: {error}", path.display()))
    })
}

fn read_share(file: &File, key: &Key, to: usize) -> io::Result<Vec<u8>> {
    let strange = |what| io::Error::new(io::ErrorKind::InvalidData, what);
    let length = file.metadata()?.len();
    let mut reader = BufReader::new(file);
    let mut head = [0; HEAD as usize];
    reader.read_exact(&mut head)?;
    if head != key.head() {
        return Err(strange("it is not what this exchange should bring".to_owned()));
    }
    let mut offset = |place: usize| {
        let mut bytes = [0; 8];
        reader.seek(SeekFrom::Start(HEAD + 8 * place as u64))?;
        reader.read_exact(&mut bytes)?;
        io::Result::Ok(u64::from_le_bytes(bytes))
    };
    let (start, end, last) = (offset(to)?, offset(to + 1)?, offset(key.parts)?);
    let front = HEAD + 8 * (key.parts as u64 + 1);
    if length.checked_sub(front) != Some(last) || start > end || end > last {
        let what = format!("{length} bytes, expected {}", front.saturating_add(last));
        return Err(strange(what));
    }
    let size = (end - start) as usize;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size).map_err(|_| {
        io::Error::new(io::ErrorKind::OutOfMemory, format!("no memory for {size} bytes"))
    })?;
    bytes.resize(size, 0);
    reader.seek(SeekFrom::Start(front + start))?;
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}
