//! The cut between the two downloads: the functions that move, and where the parts meet.

use super::whole::Whole;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use wasm_encoder::ExportKind;

/// Where the two meet.
pub struct Cut {
    /// The functions of the rest.
    pub moved: BTreeSet<u32>,
    /// What only the rest refers to in memory: ranges of addresses.
    pub data: Vec<Range<u32>>,
    /// The functions of the rest that the main part enters, in the order of their slots.
    pub entered: Vec<u32>,
    /// The first of those slots, which come after the table's own.
    pub base: u64,
    /// The functions of the main part that the rest calls, and their slots: the table's own, or
    /// behind those of the rest.
    pub called: BTreeMap<u32, u32>,
    /// Those that have no slot of the table's own.
    pub added: Vec<u32>,
    /// The table's own slots that only the rest refers to, and its functions in them.
    pub filled: BTreeMap<u32, u32>,
    /// The table's own slots of which the main part has no function.
    pub empty: BTreeSet<u32>,
}

impl Cut {
    pub fn new(whole: &Whole<'_>, deferred: &HashSet<u32>) -> Cut {
        let main = whole.reach(whole.exported.iter().copied(), |f| !deferred.contains(&f), |_| true);
        // What is never called at all is in neither: wasm-opt drops it.
        let rest = whole.reach(
            deferred.iter().copied(),
            |function| !main.functions.contains(&function),
            |datum| !main.data.contains(&datum),
        );
        let moved = rest.functions;
        let in_slots = main.slots.iter().filter_map(|slot| whole.slots.get(slot));
        let outside = whole.exported.iter().chain(in_slots).copied();
        let mut entered: BTreeSet<u32> = outside.filter(|function| moved.contains(function)).collect();
        for &caller in &main.functions {
            entered.extend(whole.calls(caller).iter().filter(|called| moved.contains(called)));
        }
        let (mut filled, mut empty) = (BTreeMap::new(), BTreeSet::new());
        for (&slot, &function) in &whole.slots {
            let of_main = main.functions.contains(&function) || function < whole.imported;
            if of_main || main.slots.contains(&slot) {
                continue;
            }
            empty.insert(slot);
            if moved.contains(&function) {
                filled.insert(slot, function);
            }
        }
        let base = whole.tables.first().map_or(0, |table| table.initial);
        let calls = moved.iter().flat_map(|&caller| whole.calls(caller)).copied();
        let calls: BTreeSet<u32> = calls.filter(|called| !moved.contains(called)).collect();
        let kept = whole.slots.iter().filter(|(slot, _)| !empty.contains(slot));
        let own: HashMap<u32, u32> = kept.map(|(&slot, &function)| (function, slot)).collect();
        let mut called = BTreeMap::new();
        let mut added = Vec::new();
        for function in calls {
            let slot = own.get(&function).copied().unwrap_or_else(|| {
                added.push(function);
                base as u32 + (entered.len() + added.len() - 1) as u32
            });
            called.insert(function, slot);
        }
        Cut {
            data: rest.data.iter().map(|&datum| whole.data[datum].range.clone()).collect(),
            moved,
            entered: entered.into_iter().collect(),
            base,
            called,
            added,
            filled,
            empty,
        }
    }

    pub fn slot(&self, function: u32) -> Option<i32> {
        self.entered.binary_search(&function).ok().map(|at| (self.base as usize + at) as i32)
    }

    /// How many slots the table has.
    pub fn slots(&self) -> u64 {
        self.base + (self.entered.len() + self.added.len()) as u64
    }

    /// What the main part exports for the rest: its number, tables, memories and globals, in this
    /// order.
    pub fn shared(whole: &Whole<'_>) -> Vec<(ExportKind, u32)> {
        let all = |kind, count: usize| (0..count as u32).map(move |index| (kind, index));
        let id = (ExportKind::Global, whole.globals.len() as u32);
        let mut shared = vec![id];
        shared.extend(all(ExportKind::Table, whole.tables.len()));
        shared.extend(all(ExportKind::Memory, whole.memories.len()));
        shared.extend(all(ExportKind::Global, whole.globals.len()));
        shared
    }
}
