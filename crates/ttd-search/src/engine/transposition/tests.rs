//! Tests of the transposition table.

use super::*;

fn entry(depth: i32) -> Entry {
    Entry { best: "e7e8q".parse().ok(), score: -31_990, depth, bound: Bound::Upper }
}

#[test]
fn keeps_what_it_is_given() {
    let mut table = Table::new(1).expect("one MiB");
    table.clear(2);
    table.store(42, 3, entry(7));
    assert_eq!(table.probe(42, 3), Some(entry(7)));
    assert_eq!(table.probe(43, 3), None);
    for _ in 1..GENERATIONS {
        table.age();
    }
    for (key, bound) in (100..).zip([Bound::Lower, Bound::Exact]) {
        let extreme = Entry { bound, ..entry(255) };
        table.store(key << 32, 3, extreme);
        assert_eq!(table.probe(key << 32, 3), Some(extreme));
    }
    assert_eq!(packed_generation(pack(&entry(255), GENERATIONS - 1, 3)), GENERATIONS - 1);
    assert_eq!(table.probe(42, 5).map(|e| e.score), Some(-31_988), "a mate counts from its node");
}

#[test]
fn deep_entries_stay() {
    let mut table = Table::new(1).expect("one MiB");
    table.clear(1);
    // All of them share a bucket: its index comes from the high bits.
    for key in 0..20_u64 {
        table.store(key, 0, entry(if key == 5 { 30 } else { 1 }));
    }
    assert!(table.probe(5, 0).is_some());
    assert!(table.probe(19, 0).is_some());
    assert!(table.probe(1, 0).is_none());
}

#[test]
fn of_two_in_one_place_the_later_or_the_deeper_stays() {
    for (scheme, deeper_stays) in
        [(TableScheme::Always, false), (TableScheme::DepthPreferred, true)]
    {
        let mut table = Table::new(1).expect("one MiB");
        table.set_scheme(scheme);
        table.clear(1);
        let there = |key| table.probe(key, 0).is_some();
        table.store(4, 0, entry(9));
        table.store(5, 0, entry(1));
        assert!(there(4) && there(5), "another place of the same bucket");
        table.store(8, 0, entry(3));
        assert_eq!((there(4), there(8)), (deeper_stays, !deeper_stays), "{scheme:?}");
        table.store(12, 0, entry(9));
        assert!(there(12) && !there(4), "as deep: {scheme:?}");
        assert!(table.store(12, 0, entry(3)), "it was known better");
        let depth = if deeper_stays { 9 } else { 3 };
        assert_eq!(table.probe(12, 0).map(|known| known.depth), Some(depth), "{scheme:?}");
        table.store(12, 0, Entry { best: None, ..entry(20) });
        assert_eq!(table.probe(12, 0).and_then(|known| known.best), entry(1).best);
    }
}

#[test]
fn without_a_table_nothing_is_kept() {
    let mut table = Table::new(1).expect("one MiB");
    table.set_scheme(TableScheme::None);
    table.clear(1);
    assert!(!table.store(4, 0, entry(9)) && table.probe(4, 0).is_none());
}

#[test]
fn what_is_older_goes_first() {
    let mut table = Table::new(1).expect("one MiB");
    table.clear(3);
    for key in 0..4_u64 {
        table.store(key, 0, entry(5));
        table.age();
    }
    table.store(4, 0, entry(1));
    let there = |key| table.probe(key, 0).is_some();
    assert!(!there(0) && (1..=4).all(there));
}

#[test]
fn a_torn_slot_reads_as_empty() {
    let mut table = Table::new(1).expect("one MiB");
    table.clear(1);
    table.store(9, 0, entry(4));
    table.bucket(9).0[0].data.fetch_xor(1 << 20, Relaxed);
    assert_eq!(table.probe(9, 0), None);
}

#[test]
fn a_position_has_as_many_places_as_there_are_ways() {
    // Keys that differ in their low bits share a bucket of four slots.
    for (scheme, ways) in [
        (TableScheme::AgedOneWay, 1),
        (TableScheme::AgedTwoWays, 2),
        (TableScheme::Aged, 4),
        (TableScheme::AgedEightWays, 8),
    ] {
        let mut table = Table::new(1).expect("one MiB");
        table.set_scheme(scheme);
        table.clear(1);
        let keys: Vec<u64> = (1..=10).map(|n| 4 * n).collect();
        for &key in &keys {
            table.store(key, 0, entry(key as i32));
        }
        let kept: Vec<bool> = keys.iter().map(|key| table.probe(*key, 0).is_some()).collect();
        assert_eq!(kept.iter().filter(|is_kept| **is_kept).count(), ways, "{scheme:?}");
        assert!(kept[10 - ways..].iter().all(|is_kept| *is_kept), "the deepest: {scheme:?}");
        // A position that is there already takes no second place.
        assert!(!table.store(40, 0, entry(50)), "{scheme:?}");
        assert!(table.store(40, 0, entry(49)), "{scheme:?}");
        assert_eq!(keys.iter().filter(|key| table.probe(**key, 0).is_some()).count(), ways);
        // The first and the last bucket of the table have places too.
        for key in [0, u64::MAX] {
            table.store(key, 0, entry(60));
            assert!(table.probe(key, 0).is_some(), "{scheme:?}");
        }
    }
}

/// Two real threads keep and read entries of two positions in one slot, as long as `more` says so.
/// The depth of an entry belongs to its key. Returns the number of entries that were read, and of
/// those that belong to the other position.
fn race(
    table: &Table,
    (keep, read): (
        impl Fn(&Table, u64, Entry) + Sync,
        impl Fn(&Table, u64) -> Option<Entry> + Sync,
    ),
    rounds: u64,
) -> (u64, u64) {
    let (keys, start) = ([4_u64, 8], std::sync::Barrier::new(2));
    let of = |key: u64| entry(key as i32);
    let work = |own: u64| {
        start.wait();
        let (mut found, mut wrong) = (0, 0);
        for round in 0..rounds {
            keep(table, own, of(own));
            let asked = keys[round as usize % 2];
            if let Some(there) = read(table, asked) {
                found += 1;
                wrong += u64::from(there.depth != asked as i32);
            }
        }
        (found, wrong)
    };
    thread::scope(|scope| {
        let other = scope.spawn(|| work(keys[1]));
        let (found, wrong) = work(keys[0]);
        let others = other.join().expect("it does not panic");
        (found + others.0, wrong + others.1)
    })
}

/// `cargo test --release -p ttd-search --lib torn -- --nocapture` prints how many.
#[test]
fn torn_slots_are_found_or_counted() {
    let mut table = Table::new(1).expect("one MiB");
    table.set_scheme(TableScheme::Always);
    table.clear(1);
    let checked = (
        |table: &Table, key, entry| _ = table.store(key, 0, entry),
        |table: &Table, key| table.probe(key, 0),
    );
    let (found, wrong) = race(&table, checked, 5_000_000);
    println!("with the check: {wrong} of {found} entries that were read are another position's");
    assert_eq!(wrong, 0);
    table.clear(1);
    let torn = AtomicU64::new(0);
    let naked = (
        |table: &Table, key, entry| _ = table.store_naked(key, 0, entry, || ()),
        |table: &Table, key| {
            let (entry, of_look) = table.probe_naked(key, 0);
            torn.fetch_add(u64::from(of_look.is_taken), Relaxed);
            entry
        },
    );
    let (found, wrong) = race(&table, naked, 5_000_000);
    println!("naked: {wrong} of {found} entries that were read are another position's");
    // All that is wrong was counted, and nothing else.
    assert_eq!(torn.into_inner(), wrong);
}

/// Between its two words a naked entry has a new key and old data. It is taken for one of the new
/// position. A table with checks has the old entry until the new one is there.
#[test]
fn between_its_words_a_naked_entry_is_torn() {
    let mut table = Table::new(1).expect("one MiB");
    table.set_scheme(TableScheme::Always);
    let meets = |is_taken| Torn { slots: 1, is_taken };
    table.clear(1);
    table.store(4, 0, entry(4));
    table.store_after(8, 0, entry(8), || {
        assert_eq!([table.probe(4, 0), table.probe(8, 0)], [Some(entry(4)), None]);
    });
    assert_eq!(table.probe(8, 0), Some(entry(8)));
    table.clear(1);
    table.store_naked(4, 0, entry(4), || {
        assert_eq!(table.probe_naked(4, 0), (None, meets(false)), "there are no data yet");
    });
    table.store_naked(8, 0, entry(8), || {
        assert_eq!(table.probe_naked(4, 0), (None, meets(false)));
        assert_eq!(table.probe_naked(8, 0), (Some(entry(4)), meets(true)));
    });
    assert_eq!(table.probe_naked(8, 0), (Some(entry(8)), Torn::default()));
    // Two writers whose second words come in the other order leave a torn entry behind.
    table.store_naked(12, 0, entry(12), || {
        table.store_naked(4, 0, entry(4), || ());
    });
    assert_eq!(table.probe_naked(4, 0), (Some(entry(12)), meets(true)));
}
