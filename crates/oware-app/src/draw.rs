//! Numbers drawn from a seed and the game: the same on every machine, and without a state.

/// FNV-1a over the values from a start that the seed decides, then the finaliser of splitmix64.
pub(crate) fn draw(seed: u64, values: impl IntoIterator<Item = u64>) -> u64 {
    let hash = values.into_iter().fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, value| {
        (hash ^ value).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

#[cfg(test)]
mod tests {
    use super::draw;

    /// Games that levels play hang on these numbers.
    #[test]
    fn numbers_do_not_change() {
        assert_eq!(draw(0, []), 0xf52a_15e9_a9b5_e89b);
        assert_eq!(draw(7, [1, 2, 3]), 0xf144_c701_d98b_bd58);
    }
}
