//! Dispatches that the device runs only where a condition holds, without anyone reading it: a small
//! kernel before them, their gate, writes how many workgroups they have. Those of what was not
//! chosen, or of iterations after a loop's end, have none.
//!
//! A gate always runs, also within what is not chosen itself: it closes then, since the gate around
//! it is closed.
//!
//! Deferred: few programs have loops or branches.

use crate::lower::builder::KernelBuilder;
use weft_ir::kernel::{ArrayId, BinaryOp, Expr, ExprId, Kernel, Space, Stmt};
use weft_ir::{DType, Literal};

/// What a gate lets through.
#[derive(Debug)]
pub struct Gate {
    /// The slot of its words: for each alternative whether it is open, then the numbers of
    /// workgroups.
    pub slot: usize,
    /// How many alternatives there are, of which at most one is open.
    alternatives: usize,
    /// The alternative that dispatches are now added to.
    pub alternative: usize,
    /// Alternatives with workgroups that dispatches of them have.
    counts: Vec<(usize, [u32; 3])>,
}

impl Gate {
    /// A gate whose words are in `slot`.
    pub fn new(slot: usize, alternatives: usize) -> Gate {
        Gate { slot, alternatives, alternative: 0, counts: Vec::new() }
    }

    /// Where a dispatch of the present alternative finds its workgroups: a slot, and a byte of it.
    pub fn counted(&mut self, workgroups: [u32; 3]) -> (usize, u64) {
        let own = (self.alternative, workgroups);
        let place = self.counts.iter().position(|known| *known == own).unwrap_or_else(|| {
            self.counts.push(own);
            self.counts.len() - 1
        });
        (self.slot, 4 * self.word(place) as u64)
    }

    /// The word of the first of three counts.
    fn word(&self, place: usize) -> usize {
        self.alternatives + 3 * place
    }

    /// How long it is, once all dispatches are added.
    pub fn bytes(&self) -> u64 {
        4 * self.word(self.counts.len()) as u64
    }
}

/// A gate's kernel as it is written. Its bindings, in order: what decides, the counts, and what
/// else it needs.
struct Writer<'a> {
    b: KernelBuilder,
    gate: &'a Gate,
    counts: ArrayId,
}

impl<'a> Writer<'a> {
    fn new(b: KernelBuilder, gate: &'a Gate) -> Writer<'a> {
        let mut b = b;
        let counts = b.array("counts", DType::U32, Space::ReadWrite);
        Writer { b, gate, counts }
    }

    fn number(&mut self, number: u32) -> ExprId {
        self.b.literal(Literal::U32(number))
    }

    fn load(&mut self, array: ArrayId, word: usize) -> ExprId {
        let place = self.b.index_const(word as i64);
        self.b.expr(Expr::Load(array, place))
    }

    fn is_set(&mut self, word: ExprId) -> ExprId {
        let zero = self.number(0);
        self.b.binary(BinaryOp::Ne, word, zero)
    }

    fn store(&mut self, array: ArrayId, word: usize, value: ExprId) {
        let place = self.b.index_const(word as i64);
        self.b.push(Stmt::Store(array, place, value));
    }

    /// Writes the counts of an alternative, all of which is open or closed.
    fn open(&mut self, alternative: usize, open: ExprId) {
        let open = self.b.bind("open", open);
        let (one, zero) = (self.number(1), self.number(0));
        for (n, &(of, workgroups)) in self.gate.counts.iter().enumerate() {
            for (axis, &count) in workgroups.iter().enumerate().filter(|_| of == alternative) {
                let count = self.number(count);
                let count = self.b.select(open, count, zero);
                self.store(self.counts, self.gate.word(n) + axis, count);
            }
        }
        let flag = self.b.select(open, one, zero);
        self.store(self.counts, alternative, flag);
    }

    /// Whether the gate around this one lets it through.
    fn around(&mut self, around: Around<'_>) -> Option<ExprId> {
        let around = around?;
        let counts = self.b.array("around", DType::U32, Space::Read);
        let word = self.load(counts, around.alternative);
        Some(self.is_set(word))
    }

    fn finish(self) -> Kernel {
        self.b.finish("gate".to_owned(), [1; 3])
    }
}

/// A gate around another, and the alternative of it within which that is. Of the gates that are
/// open, outermost first, the last.
pub type Around<'a> = Option<&'a Gate>;

/// The kernel that opens one alternative: the one that an i32 names, clamped to those there are.
/// Binds what names it, the counts, and those of the gate around it.
pub fn of_branch(gate: &Gate, around: Around<'_>) -> Kernel {
    let alternatives = gate.alternatives;
    let mut b = KernelBuilder::new();
    let selector = b.array("selector", DType::I32, Space::Read);
    let mut writer = Writer::new(b, gate);
    let outer = writer.around(around);
    let (first, last) = (writer.b.index_const(0), writer.b.index_const(alternatives as i64 - 1));
    let selector = writer.b.expr(Expr::Load(selector, first));
    let selector = writer.b.binary(BinaryOp::Max, selector, first);
    let selector = writer.b.binary(BinaryOp::Min, selector, last);
    let selector = writer.b.bind("chosen", selector);
    for alternative in 0..alternatives {
        let number = writer.b.index_const(alternative as i64);
        let mut open = writer.b.binary(BinaryOp::Eq, selector, number);
        if let Some(outer) = outer {
            open = writer.b.both(open, outer);
        }
        writer.open(alternative, open);
    }
    writer.finish()
}

/// The kernel before a loop: there is a first iteration to be tried, and none was taken. Binds the
/// counts, how many iterations were taken, and the counts of the gate around it.
pub fn before_loop(gate: &Gate, around: Around<'_>) -> Kernel {
    let mut writer = Writer::new(KernelBuilder::new(), gate);
    let taken = writer.b.array("taken", DType::U32, Space::ReadWrite);
    let outer = writer.around(around);
    let open = outer.unwrap_or_else(|| writer.b.literal(Literal::Bool(true)));
    writer.open(0, open);
    let zero = writer.number(0);
    writer.store(taken, 0, zero);
    writer.finish()
}

/// The kernel within each iteration of a loop: it goes on as long as it did so far and the
/// condition holds. Binds the condition's value, the counts, and how many iterations were taken.
pub fn of_iteration(gate: &Gate) -> Kernel {
    let mut b = KernelBuilder::new();
    let holds = b.array("holds", DType::U32, Space::Read);
    let mut writer = Writer::new(b, gate);
    let taken = writer.b.array("taken", DType::U32, Space::ReadWrite);
    let holds = writer.load(holds, 0);
    let holds = writer.is_set(holds);
    let before = writer.load(writer.counts, 0);
    let before = writer.is_set(before);
    let open = writer.b.both(before, holds);
    let open = writer.b.bind("open", open);
    let (one, zero) = (writer.number(1), writer.number(0));
    let more = writer.b.select(open, one, zero);
    let count = writer.load(taken, 0);
    let count = writer.b.binary(BinaryOp::Add, count, more);
    writer.store(taken, 0, count);
    writer.open(0, open);
    writer.finish()
}

/// The kernel that tells whether a loop without a limit goes on: if its condition holds, and the
/// gate around it is open. Binds the condition's value, the word that the host reads, and the
/// counts of that gate.
pub fn before_poll(around: &Gate) -> Kernel {
    let mut b = KernelBuilder::new();
    let holds = b.array("holds", DType::U32, Space::Read);
    let none = Gate::new(around.slot, 0);
    let mut writer = Writer::new(b, &none);
    let outer = writer.around(Some(around));
    let holds = writer.load(holds, 0);
    let mut holds = writer.is_set(holds);
    if let Some(outer) = outer {
        holds = writer.b.both(holds, outer);
    }
    let (one, zero) = (writer.number(1), writer.number(0));
    let word = writer.b.select(holds, one, zero);
    writer.store(writer.counts, 0, word);
    writer.finish()
}
