//! The blocks of a kernel, and which of its expressions are functions of coordinates alone: of the
//! invocation's, of the counters of loops around, and of what never changes.

use crate::transform::kernel::arena::{Arena, reach};
use weft_ir::functions::{self, Element};
use weft_ir::op::{Binary, Unary};
use weft_ir::user_kernel::{ArrayId, Coordinate, Expr, ExprId, LocalId, OutputId, Stmt, UserKernel};
use weft_ir::{HashMap, HashSet, Literal, Shape};

/// A block, numbered in the order in which they begin.
pub(super) struct Block {
    /// The block around, and the number of the statement in it whose block this is.
    pub parent: Option<(usize, u32)>,
    pub what: What,
    locals: HashSet<LocalId>,
    arrays: HashSet<ArrayId>,
}

#[derive(Clone, Copy)]
pub(super) enum What {
    Body,
    Loop { counter: LocalId, from: ExprId, to: ExprId, step: i32 },
    Branch { condition: ExprId, taken: bool },
    While,
}

/// A place between statements: before one, in its block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub block: usize,
    pub statement: u32,
}

/// The only assignment of a local.
#[derive(Clone, Copy)]
struct Definition {
    place: Place,
    value: ExprId,
}

/// A store into an output.
#[derive(Clone, Copy)]
pub(super) struct Site<'k> {
    pub output: OutputId,
    pub indices: &'k [ExprId],
    pub value: ExprId,
    pub place: Place,
}

/// A kernel without jumps, and the extents that are known of it.
pub(super) struct Structure<'k> {
    pub kernel: &'k UserKernel,
    pub blocks: Vec<Block>,
    pub sites: Vec<Site<'k>>,
    definitions: HashMap<LocalId, Option<Definition>>,
    counters: HashMap<LocalId, Option<usize>>,
    pub grid: &'k Shape,
    /// Extents of tensors, where they are known.
    pub tensors: Vec<Option<Shape>>,
}

/// An expression that is a function of coordinates, at a place.
#[derive(Clone)]
pub(super) struct Pure {
    pub root: ExprId,
    /// Values of locals that it is made from, in the order of their assignment.
    locals: Vec<LocalId>,
    /// Axes of the grid that it depends on.
    pub axes: HashSet<u32>,
    /// Loops whose counters it depends on.
    pub loops: HashSet<usize>,
    /// About how many operations it takes, and how many loads are among them.
    pub operations: usize,
    pub loads: usize,
}

impl<'k> Structure<'k> {
    pub fn new(kernel: &'k UserKernel, grid: &'k Shape, tensors: Vec<Option<Shape>>) -> Structure<'k> {
        let mut structure = Structure {
            kernel,
            blocks: Vec::new(),
            sites: Vec::new(),
            definitions: HashMap::default(),
            counters: HashMap::default(),
            grid,
            tensors,
        };
        structure.block(&kernel.body, None, What::Body, &mut 0);
        for number in (0..structure.blocks.len()).rev() {
            if let Some((parent, _)) = structure.blocks[number].parent {
                let locals: Vec<LocalId> = structure.blocks[number].locals.iter().copied().collect();
                let arrays: Vec<ArrayId> = structure.blocks[number].arrays.iter().copied().collect();
                structure.blocks[parent].locals.extend(locals);
                structure.blocks[parent].arrays.extend(arrays);
            }
        }
        structure
    }

    fn block(&mut self, block: &'k [Stmt], parent: Option<(usize, u32)>, what: What, next: &mut u32) {
        let number = self.blocks.len();
        let (locals, arrays) = (HashSet::default(), HashSet::default());
        self.blocks.push(Block { parent, what, locals, arrays });
        if let What::Loop { counter, .. } = what {
            self.blocks[number].locals.insert(counter);
            self.counters.entry(counter).and_modify(|it| *it = None).or_insert(Some(number));
        }
        for stmt in block {
            let place = Place { block: number, statement: *next };
            let inside = Some((number, *next));
            *next += 1;
            match stmt {
                Stmt::Let(local, value) => {
                    self.blocks[number].locals.insert(*local);
                    let one = Some(Definition { place, value: *value });
                    self.definitions.entry(*local).and_modify(|it| *it = None).or_insert(one);
                }
                Stmt::SetElement(array, ..) => {
                    self.blocks[number].arrays.insert(*array);
                }
                Stmt::Store { output, indices, value, before } => {
                    if let Some(local) = before {
                        self.blocks[number].locals.insert(*local);
                        self.definitions.insert(*local, None);
                    }
                    self.sites.push(Site { output: *output, indices, value: *value, place });
                }
                Stmt::If(condition, then, otherwise) => {
                    let branch = |taken| What::Branch { condition: *condition, taken };
                    self.block(then, inside, branch(true), next);
                    self.block(otherwise, inside, branch(false), next);
                }
                Stmt::For { counter, from, to, step, body } => {
                    let what = What::Loop { counter: *counter, from: *from, to: *to, step: *step };
                    self.block(body, inside, what, next);
                }
                Stmt::While { body, .. } => self.block(body, inside, What::While, next),
                Stmt::Break | Stmt::Continue | Stmt::Return | Stmt::Barrier => {
                    unreachable!("derivatives have no jumps and do not work in groups")
                }
            }
        }
    }

    /// The blocks around a place, the outermost first.
    pub fn path(&self, block: usize) -> Vec<usize> {
        let mut path = vec![block];
        while let Some((parent, _)) = self.blocks[*path.last().expect("not empty")].parent {
            path.push(parent);
        }
        path.reverse();
        path
    }

    fn is_within(&self, mut block: usize, outer: usize) -> bool {
        while block != outer {
            match self.blocks[block].parent {
                Some((parent, _)) => block = parent,
                None => return false,
            }
        }
        true
    }

    /// Whether a block changes what an expression reads; its counter counts.
    pub fn changes(&self, block: usize, root: ExprId) -> bool {
        let it = &self.blocks[block];
        reach(&self.kernel.exprs, root).into_iter().any(|x| match self.kernel.exprs[x.index()] {
            Expr::Local(local) => it.locals.contains(&local),
            Expr::Element(array, _) => it.arrays.contains(&array),
            _ => false,
        })
    }

    /// The only value that a local may have at a place, if it is assigned once and before.
    fn definition(&self, local: LocalId, place: Place) -> Option<Definition> {
        let it = self.definitions.get(&local).copied().flatten()?;
        let before = it.place.statement < place.statement && self.has_run(it.place.block, place.block);
        (before && !self.counters.contains_key(&local)).then_some(it)
    }

    /// Whether a block before another has run when that does: it is around it, or its condition is
    /// the same.
    fn has_run(&self, before: usize, block: usize) -> bool {
        if self.is_within(block, before) {
            return true;
        }
        let (earlier, later) = (self.path(before), self.path(block));
        let same = |a: usize, b: usize| match (self.blocks[a].what, self.blocks[b].what) {
            _ if a == b => true,
            (What::Branch { condition: a, taken: one }, What::Branch { condition: b, taken: other }) => {
                (a, one) == (b, other) && self.is_fixed(a)
            }
            _ => false,
        };
        earlier.len() <= later.len() && earlier.iter().zip(&later).all(|(&a, &b)| same(a, b))
    }

    /// Whether a condition is the same wherever it is evaluated, in an iteration of what is around.
    fn is_fixed(&self, condition: ExprId) -> bool {
        match self.kernel.exprs[condition.index()] {
            Expr::Local(local) => matches!(self.definitions.get(&local), Some(Some(_))),
            _ => false,
        }
    }

    /// The loop around a place that a local counts.
    pub fn counts(&self, local: LocalId, place: Place) -> Option<usize> {
        let block = self.counters.get(&local).copied().flatten()?;
        (self.is_within(place.block, block) && !self.definitions.contains_key(&local)).then_some(block)
    }

    /// An expression by its meaning: what a local that is assigned once stands for.
    pub fn resolved(&self, mut x: ExprId, mut place: Place) -> (ExprId, Place) {
        while let Expr::Local(local) = self.kernel.exprs[x.index()]
            && let Some(it) = self.definition(local, place)
        {
            (x, place) = (it.value, it.place);
        }
        (x, place)
    }

    /// What is known of an expression if it is a function of coordinates alone.
    pub fn pure(&self, root: ExprId, place: Place) -> Option<Pure> {
        let mut found = Pure {
            root,
            locals: Vec::new(),
            axes: HashSet::default(),
            loops: HashSet::default(),
            operations: 0,
            loads: 0,
        };
        let mut order: Vec<(u32, LocalId)> = Vec::new();
        let mut seen: HashSet<LocalId> = HashSet::default();
        let mut open = vec![(root, place)];
        while let Some((root, place)) = open.pop() {
            for x in reach(&self.kernel.exprs, root) {
                match self.kernel.exprs[x.index()] {
                    Expr::Local(local) => {
                        if let Some(block) = self.counts(local, place) {
                            found.loops.insert(block);
                            continue;
                        }
                        let it = self.definition(local, place)?;
                        if seen.insert(local) {
                            order.push((it.place.statement, local));
                            open.push((it.value, it.place));
                        }
                    }
                    Expr::Index(Coordinate::Grid, axis) => {
                        found.axes.insert(axis);
                    }
                    Expr::Index(..)
                    | Expr::Element(..)
                    | Expr::OutputExtent(..)
                    | Expr::Subgroup(..)
                    | Expr::Shuffle(..) => return None,
                    Expr::Literal(_) | Expr::Scalar(_) | Expr::GridExtent(_) | Expr::Extent(..) => {}
                    Expr::Load(..) => {
                        found.loads += 1;
                        found.operations += 4;
                    }
                    Expr::Unary(op, _) => found.operations += if op == Unary::Neg { 1 } else { 8 },
                    Expr::Binary(Binary::Pow, ..) => found.operations += 16,
                    _ => found.operations += 1,
                }
            }
        }
        order.sort_unstable();
        found.locals = order.into_iter().map(|(_, local)| local).collect();
        Some(found)
    }

    /// The expressions that a pure one is made from, operands first; itself last.
    fn steps(&self, it: &Pure) -> Vec<ExprId> {
        let values = it.locals.iter().map(|local| self.value_of(*local));
        values.chain([it.root]).flat_map(|root| reach(&self.kernel.exprs, root)).collect()
    }

    fn value_of(&self, local: LocalId) -> ExprId {
        self.definitions[&local].expect("pure expressions are made from locals with one value").value
    }

    /// Writes a pure expression into another kernel; `leaf` says what coordinates, counters and
    /// extents are there.
    pub fn written(
        &self,
        it: &Pure,
        arena: &mut Arena,
        leaf: &dyn Fn(&mut Arena, &Expr) -> Option<ExprId>,
    ) -> ExprId {
        let mut made: HashMap<ExprId, ExprId> = HashMap::default();
        for x in self.steps(it) {
            if made.contains_key(&x) {
                continue;
            }
            let expr = &self.kernel.exprs[x.index()];
            let copy = match (leaf(arena, expr), expr) {
                (Some(copy), _) => copy,
                (None, Expr::Local(local)) => made[&self.value_of(*local)],
                (None, _) => {
                    let copy = expr.map_operands(|y| made[&y]);
                    arena.push(copy)
                }
            };
            made.insert(x, copy);
        }
        made[&it.root]
    }

    /// The whole number that an expression is, where that is known now.
    pub fn number(&self, root: ExprId, place: Place) -> Option<i64> {
        let it = self.pure(root, place)?;
        let mut known: HashMap<ExprId, Element<f32>> = HashMap::default();
        for x in self.steps(&it) {
            let expr = &self.kernel.exprs[x.index()];
            let of = |y: &ExprId| known.get(y).copied();
            let extent = |extent: usize| Element::I32(extent as i32);
            let value = match expr {
                Expr::Literal(literal) => Some(Element::from_literal(*literal)),
                Expr::GridExtent(axis) => Some(extent(self.grid[*axis as usize])),
                Expr::Extent(tensor, axis) => {
                    self.tensors[tensor.index()].as_ref().map(|shape| extent(shape[*axis as usize]))
                }
                Expr::Local(local) if it.locals.contains(local) => of(&self.value_of(*local)),
                Expr::Unary(op, x) => of(x).map(|x| functions::unary(*op, x)),
                Expr::Binary(op, a, b) => of(a).zip(of(b)).map(|(a, b)| functions::binary(*op, a, b)),
                Expr::Compare(op, a, b) => {
                    of(a).zip(of(b)).map(|(a, b)| Element::Bool(functions::compare(*op, a, b)))
                }
                Expr::Select(condition, a, b) => match of(condition) {
                    Some(Element::Bool(true)) => of(a),
                    Some(Element::Bool(false)) => of(b),
                    _ => None,
                },
                Expr::Cast(to, x) => of(x).map(|x| functions::cast(*to, x)),
                Expr::Bitcast(to, x) => of(x).map(|x| functions::bitcast(*to, x)),
                _ => None,
            };
            if let Some(value) = value {
                known.insert(x, value);
            }
        }
        match known.get(&root)?.to_literal() {
            Literal::I32(x) => Some(i64::from(x)),
            _ => None,
        }
    }

    /// How often a loop runs, where that is known now.
    pub fn trips(&self, block: usize) -> Option<i64> {
        let What::Loop { from, to, step, .. } = self.blocks[block].what else { return None };
        let (parent, statement) = self.blocks[block].parent?;
        let place = Place { block: parent, statement };
        let (from, to) = (self.number(from, place)?, self.number(to, place)?);
        let step = i64::from(step);
        let distance = if step > 0 { to - from } else { from - to };
        Some((distance + step.abs() - 1).div_euclid(step.abs()).max(0))
    }

    /// The place of the statement whose block this is.
    pub fn around(&self, block: usize) -> Option<Place> {
        self.blocks[block].parent.map(|(block, statement)| Place { block, statement })
    }
}
