//! Lists: put in order, without repeats, and in groups.

use std::collections::BTreeSet;

/// The items in ascending order, each once.
pub(crate) fn ascending<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    items.into_iter().collect::<BTreeSet<T>>().into_iter().collect()
}

/// The items in their order, each where it comes first.
pub(crate) fn each_once<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut found = Vec::new();
    for item in items {
        if !found.contains(&item) {
            found.push(item);
        }
    }
    found
}

/// The items in their order, each once where it stands several times in a row.
pub(crate) fn without_neighbours<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.dedup();
    items
}

/// The items in groups, in the order of their first ones. `fits` says whether an item may join a
/// group.
pub(crate) fn grouped<T>(
    items: impl IntoIterator<Item = T>,
    fits: impl Fn(&[T], &T) -> bool,
) -> Vec<Vec<T>> {
    let mut groups: Vec<Vec<T>> = Vec::new();
    for item in items {
        match groups.iter_mut().find(|group| fits(group, &item)) {
            Some(group) => group.push(item),
            None => groups.push(vec![item]),
        }
    }
    groups
}

/// The list; none if it is empty.
pub(crate) fn filled<T>(list: Vec<T>) -> Option<Vec<T>> {
    Some(list).filter(|list| !list.is_empty())
}

/// A row of a table: cells with these words, and the others behind them.
pub(crate) fn row<const N: usize>(
    words: [&str; N],
    behind: impl IntoIterator<Item = String>,
) -> Vec<String> {
    words.map(str::to_owned).into_iter().chain(behind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_lose_repeats_and_keep_their_order() {
        assert_eq!(ascending([4, 1, 4, 2]), [1, 2, 4]);
        assert_eq!(each_once([4, 1, 4, 2]), [4, 1, 2]);
        assert_eq!(grouped([1, 3, 4, 2], |group, n| group[0] % 2 == n % 2), [[1, 3], [4, 2]]);
    }
}
