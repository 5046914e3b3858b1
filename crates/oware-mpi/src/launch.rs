//! Programs started by another MPI than they were built for, which would each be a world of one.

use crate::world::MpiError;

/// Who starts programs, and the variable in which each of them finds how many there are.
const LAUNCHERS: [(&str, &str); 3] = [
    ("OMPI_COMM_WORLD_SIZE", "Open MPI"),
    ("PMI_SIZE", "MPICH, or another by its protocol"),
    ("SLURM_STEP_NUM_TASKS", "Slurm's srun"),
];

/// Holds the number of parts that MPI knows against what the launcher says.
pub(crate) fn check(parts: usize) -> Result<(), MpiError> {
    check_with(parts, |name| std::env::var(name).ok())
}

fn check_with(parts: usize, variable: impl Fn(&str) -> Option<String>) -> Result<(), MpiError> {
    let sizes = LAUNCHERS.map(|(name, who)| {
        let size = variable(name).and_then(|text| text.parse::<usize>().ok());
        size.map(|size| (size, who))
    });
    // Any launcher may run within another, as mpirun does within srun.
    if parts > 1 || sizes.iter().flatten().any(|&(size, _)| size == 1) {
        return Ok(());
    }
    match sizes.iter().flatten().next() {
        None => Ok(()),
        Some(&(started, who)) => {
            let built = mpi::environment::library_version().unwrap_or_default();
            let built = built.lines().next().unwrap_or_default();
            let built = built.split(',').next().unwrap_or_default().replace('\t', " ");
            Err(MpiError::Launcher { started, who, built })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::check_with;

    #[test]
    fn worlds_of_one_are_noticed() {
        let with = |parts, set: &[(&str, &str)]| {
            let find = |name: &str| set.iter().find(|(other, _)| *other == name);
            check_with(parts, |name| find(name).map(|(_, value)| (*value).to_owned()))
        };
        assert!(with(1, &[]).is_ok());
        assert!(with(1, &[("PMI_SIZE", "1")]).is_ok());
        assert!(with(4, &[("PMI_SIZE", "4")]).is_ok());
        assert!(with(1, &[("SLURM_STEP_NUM_TASKS", "2"), ("PMI_SIZE", "1")]).is_ok());
        let error = with(1, &[("PMI_SIZE", "4")]).unwrap_err().to_string();
        assert!(error.contains("4 processes") && error.contains("MPICH"), "{error}");
        assert!(with(1, &[("OMPI_COMM_WORLD_SIZE", "2")]).is_err());
        assert!(with(1, &[("SLURM_STEP_NUM_TASKS", "8")]).is_err());
    }
}
