//! The program that started the ranks. One of another MPI starts processes of which each believes
//! to be alone.

/// Variables in which launchers say how many ranks they have started: Open MPI, MPICH and its kin,
/// and Slurm.
const PROMISES: [&str; 5] =
    ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_SIZE", "MPI_LOCALNRANKS", "SLURM_NTASKS"];

/// Checks that there are as many ranks as the launcher has promised.
///
/// # Errors
/// The promise that was not kept.
pub(crate) fn check(ranks: usize) -> Result<(), String> {
    check_in(ranks, |name| std::env::var(name).ok())
}

fn check_in(ranks: usize, variable: impl Fn(&str) -> Option<String>) -> Result<(), String> {
    let promise = |name| {
        let promised = variable(name)?.trim().parse::<usize>().ok()?;
        Some((name, promised))
    };
    // The first one decides: an allocation of Slurm may have more tasks than its `mpirun` starts.
    match PROMISES.into_iter().find_map(promise) {
        Some((name, promised)) if promised > ranks => Err(format!(
            "the launcher promises {promised} ranks ({name}), and MPI has {ranks}: the mpirun of \
             the MPI that this program was built with is expected"
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launcher_that_keeps_its_promise_is_right() {
        let of = |set: &'static [(&str, &str)]| {
            move |name: &str| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            }
        };
        assert_eq!(check_in(1, of(&[])), Ok(()));
        assert_eq!(check_in(4, of(&[("OMPI_COMM_WORLD_SIZE", "4"), ("PMI_SIZE", "two")])), Ok(()));
        assert_eq!(check_in(8, of(&[("SLURM_NTASKS", "4")])), Ok(()), "mpirun has more slots");
        let broken = check_in(1, of(&[("PMI_SIZE", "8")])).expect_err("seven are missing");
        assert!(broken.starts_with("the launcher promises 8 ranks (PMI_SIZE), and MPI has 1:"));
    }
}
