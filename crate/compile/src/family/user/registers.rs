//! Registers for arrays: what is known of the indices of a user's kernel, once its loops are
//! written out.
//!
//! - Arrays in memory that are read and written by aligned fours, or twos, become arrays of
//!   vectors, so that one access moves four numbers. Each index is a sum of names times constants;
//!   if all factors are multiples of four, the constant says which of four the element is. Loads of
//!   one four become one load. Stores become one where all four follow each other in a block.
//! - Local arrays of which each access names a constant element become variables.
//!
//! An array that is accessed otherwise anywhere stays as it is.
//!
//! Deferred: few programs have kernels of users.

use crate::lower::builder::KernelBuilder;
use crate::lower::eval::{Binding, Evaluator};
use weft_ir::kernel::{Array, ArrayId, Expr, ExprId, LocalId, Space, Stmt, Type};
use weft_ir::{HashMap, HashSet, Literal};

/// Elements of a vector, the most first.
const WIDTHS: [u8; 2] = [4, 2];
/// Names that are looked through to find out where among four an element is.
const MOST_NAMES: usize = 16;

/// What becomes of an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Vectors of so many lanes.
    Vectors(u8),
    /// A variable for each element.
    Variables,
}

/// An array that might become something else.
#[derive(Clone, Copy)]
struct Changed {
    array: ArrayId,
    form: Form,
    elements: u32,
}

impl Changed {
    /// The next form to try, if there is one.
    fn narrower(&mut self) -> bool {
        let Form::Vectors(lanes) = self.form else { return false };
        let fits = |&&width: &&u8| width < lanes && self.elements.is_multiple_of(u32::from(width));
        WIDTHS.iter().find(fits).is_some_and(|&width| {
            self.form = Form::Vectors(width);
            true
        })
    }
}

/// Changes the arrays of a kernel that is written.
#[inline(never)]
pub(super) fn use_registers(eval: &mut Evaluator<'_>) {
    let all = (0..eval.b.arrays().len() as u32).map(ArrayId);
    let mut changed: Vec<Changed> = all.filter_map(|array| candidate(eval, array)).collect();
    let body = eval.b.replace_body(Vec::new());
    let mut accesses = Vec::new();
    find_accesses(&eval.b, &body, &mut HashSet::default(), &mut accesses);
    let mut survey = Rewriting::new(&mut eval.b, &[], &body);
    changed.retain_mut(|it| survey.fits(*it, &accesses) || (it.narrower() && survey.fits(*it, &accesses)));
    let written = loop {
        if changed.is_empty() {
            break body;
        }
        match Rewriting::of(&mut eval.b, &changed, &body) {
            Ok(written) => break written,
            // It is tried again with shorter vectors, and then without that array.
            Err(array) => changed.retain_mut(|it| it.array != array || it.narrower()),
        }
    };
    eval.b.replace_body(written);
    for it in &changed {
        let Form::Vectors(lanes) = it.form else { continue };
        let Array { ty, space, .. } = eval.b.array_mut(it.array);
        ty.lanes = lanes;
        if let Space::Workgroup(length) = space {
            *length /= u32::from(lanes);
        }
    }
}

/// The form to try first for an array.
fn candidate(eval: &Evaluator<'_>, array: ArrayId) -> Option<Changed> {
    let Array { ty, space, .. } = &eval.b.arrays()[array.index()];
    if ty.lanes > 1 {
        return None;
    }
    let elements = match space {
        Space::Private(elements) => {
            return Some(Changed { array, form: Form::Variables, elements: *elements });
        }
        Space::Workgroup(elements) => *elements,
        Space::Read | Space::ReadWrite => {
            let (_, binding) = eval.bindings.iter().find(|(bound, _)| *bound == array)?;
            let Binding::Node(node) = binding else { return None };
            u32::try_from(eval.program[*node].shape.size()).ok()?
        }
        Space::Atomic | Space::WorkgroupAtomic(_) => return None,
    };
    let mut widest = Changed { array, form: Form::Vectors(u8::MAX), elements };
    widest.narrower().then_some(widest)
}

/// Elements of a vector that are stored one by one.
struct Begun {
    array: ArrayId,
    place: ExprId,
    values: [Option<ExprId>; 4],
}

/// A kernel that is written again.
struct Rewriting<'b> {
    b: &'b mut KernelBuilder,
    changed: &'b [Changed],
    /// Variables.
    assigned: HashSet<LocalId>,
    /// Those that elements of arrays have become, by array and number.
    elements: HashMap<(ArrayId, i64), ExprId>,
    /// Their declarations.
    declared: Vec<Stmt>,
    /// The vectors that open blocks have loaded, by array and place.
    vectors: Vec<HashMap<(ArrayId, ExprId), ExprId>>,
    /// The vectors of each array that are loaded, and the elements that are read of them.
    loads: HashMap<ArrayId, HashSet<ExprId>>,
    reads: HashMap<ArrayId, HashSet<ExprId>>,
    lasting: HashMap<ExprId, bool>,
}

impl Rewriting<'_> {
    /// The body with the arrays changed, or the array that cannot be.
    fn of(b: &mut KernelBuilder, changed: &[Changed], body: &[Stmt]) -> Result<Vec<Stmt>, ArrayId> {
        let mut rewriting = Rewriting::new(b, changed, body);
        let written = rewriting.block(body)?;
        // A vector of which one element is read is no gain.
        for it in changed {
            let count = |all: &HashMap<ArrayId, HashSet<ExprId>>| all.get(&it.array).map_or(0, HashSet::len);
            if count(&rewriting.reads) < 2 * count(&rewriting.loads) {
                return Err(it.array);
            }
        }
        let mut whole = rewriting.declared;
        whole.extend(written);
        Ok(whole)
    }

    fn new<'b>(b: &'b mut KernelBuilder, changed: &'b [Changed], body: &[Stmt]) -> Rewriting<'b> {
        let mut assigned = HashSet::default();
        variables(body, &mut assigned);
        Rewriting {
            b,
            changed,
            assigned,
            elements: HashMap::default(),
            declared: Vec::new(),
            vectors: Vec::new(),
            loads: HashMap::default(),
            reads: HashMap::default(),
            lasting: HashMap::default(),
        }
    }

    /// Whether an array may have another form, by its accesses alone.
    fn fits(&mut self, it: Changed, accesses: &[Access]) -> bool {
        let (mut vectors, mut elements) = (HashSet::default(), HashSet::default());
        for access in accesses.iter().filter(|access| access.array == it.array) {
            match it.form {
                Form::Variables => {
                    let number = self.b.index_value(access.index);
                    if number.is_none_or(|number| !(0..i64::from(it.elements)).contains(&number)) {
                        return false;
                    }
                }
                Form::Vectors(lanes) => {
                    let Some((place, lane)) = self.place(access.index, lanes) else { return false };
                    if access.is_load {
                        vectors.insert(place);
                        elements.insert((place, lane));
                    }
                }
            }
        }
        // A vector of which one element is read is no gain.
        accesses.iter().any(|access| access.array == it.array) && elements.len() >= 2 * vectors.len()
    }

    fn form(&self, array: ArrayId) -> Option<Form> {
        self.changed.iter().find(|it| it.array == array).map(|it| it.form)
    }

    /// The variable that an element of an array has become.
    fn element(&mut self, array: ArrayId, index: ExprId) -> Result<ExprId, ArrayId> {
        let Array { ty, space, name } = &self.b.arrays()[array.index()];
        let (number, name, ty) = (self.b.index_value(index).ok_or(array)?, name.clone(), *ty);
        if let Some(&element) = self.elements.get(&(array, number)) {
            return Ok(element);
        }
        if !matches!(*space, Space::Private(length) if (0..i64::from(length)).contains(&number)) {
            return Err(array);
        }
        let (local, element) = self.b.name_of(&name, ty);
        let zero = self.b.literal(Literal::zero(ty.scalar));
        self.declared.push(Stmt::Var(local, zero));
        self.assigned.insert(local);
        self.elements.insert((array, number), element);
        Ok(element)
    }

    fn block(&mut self, block: &[Stmt]) -> Result<Vec<Stmt>, ArrayId> {
        let (mut out, mut begun) = (Vec::new(), Vec::new());
        self.vectors.push(HashMap::default());
        self.statements(block, &mut out, &mut begun)?;
        self.vectors.pop();
        begun.first().map_or(Ok(out), |begun: &Begun| Err(begun.array))
    }

    fn statements(
        &mut self,
        block: &[Stmt],
        out: &mut Vec<Stmt>,
        begun: &mut Vec<Begun>,
    ) -> Result<(), ArrayId> {
        for stmt in block {
            // What a block that always runs holds, unless it leaves a loop or hides what never
            // runs.
            if let Stmt::If(condition, then, otherwise) = stmt
                && *self.b.get(*condition) == Expr::Literal(Literal::Bool(true))
                && otherwise.is_empty()
                && !matches!(then.last(), Some(Stmt::Break | Stmt::Continue))
            {
                self.statements(then, out, begun)?;
                continue;
            }
            let moves = matches!(stmt, Stmt::Let(..) | Stmt::Var(..) | Stmt::Assign(..) | Stmt::Store(..));
            if let Some(begun) = begun.first().filter(|_| !moves) {
                return Err(begun.array);
            }
            self.statement(stmt, out, begun)?;
        }
        Ok(())
    }

    fn statement(&mut self, stmt: &Stmt, out: &mut Vec<Stmt>, begun: &mut Vec<Begun>) -> Result<(), ArrayId> {
        let written = match stmt {
            Stmt::Let(local, value) => Stmt::Let(*local, self.value(*value, out, begun)?),
            Stmt::Var(local, value) => Stmt::Var(*local, self.value(*value, out, begun)?),
            Stmt::Assign(local, value) => Stmt::Assign(*local, self.value(*value, out, begun)?),
            Stmt::Store(array, index, value) => {
                let value = self.value(*value, out, begun)?;
                match self.form(*array) {
                    Some(Form::Vectors(lanes)) => {
                        return self.store(*array, lanes, *index, value, out, begun);
                    }
                    Some(Form::Variables) => {
                        let element = self.element(*array, *index)?;
                        let Expr::Local(local) = *self.b.get(element) else { return Err(*array) };
                        Stmt::Assign(local, value)
                    }
                    None => Stmt::Store(*array, self.value(*index, out, begun)?, value),
                }
            }
            Stmt::Atomic { op, array, index, value, before } => {
                let (index, value) = (self.value(*index, out, begun)?, self.value(*value, out, begun)?);
                Stmt::Atomic { op: *op, array: *array, index, value, before: *before }
            }
            Stmt::If(condition, then, otherwise) => {
                let condition = self.value(*condition, out, begun)?;
                self.forget_what_changes();
                let (then, otherwise) = (self.block(then)?, self.block(otherwise)?);
                Stmt::If(condition, then, otherwise)
            }
            Stmt::For { counter, from, to, step, body } => {
                let from = self.value(*from, out, begun)?;
                self.forget_what_changes();
                let (to, body) = (self.in_place(*to)?, self.block(body)?);
                Stmt::For { counter: *counter, from, to, step: *step, body }
            }
            Stmt::While(condition, body) => {
                self.forget_what_changes();
                Stmt::While(self.in_place(*condition)?, self.block(body)?)
            }
            Stmt::Barrier => {
                self.forget_what_changes();
                Stmt::Barrier
            }
            Stmt::Break | Stmt::Continue => stmt.clone(),
        };
        out.push(written);
        Ok(())
    }

    /// Forgets the vectors of arrays that may be written.
    fn forget_what_changes(&mut self) {
        let b = &*self.b;
        for scope in &mut self.vectors {
            scope.retain(|(array, _), _| b.array_space(*array) == Space::Read);
        }
    }

    /// Stores an element, once all of its vector are there.
    fn store(
        &mut self,
        array: ArrayId,
        lanes: u8,
        index: ExprId,
        value: ExprId,
        out: &mut Vec<Stmt>,
        begun: &mut Vec<Begun>,
    ) -> Result<(), ArrayId> {
        let (place, lane) = self.place(index, lanes).ok_or(array)?;
        self.vectors.iter_mut().for_each(|scope| scope.retain(|(of, _), _| *of != array));
        // What it is now, whatever is assigned until the others are known.
        let value = self.kept("value", value, out);
        for other in begun.iter().filter(|begun| begun.array == array && begun.place != place) {
            let apart = self.b.index_sub(other.place, place);
            if self.b.index_value(apart).is_none_or(|apart| apart == 0) {
                return Err(array);
            }
        }
        let at = begun.iter().position(|begun| begun.array == array && begun.place == place);
        let at = at.unwrap_or_else(|| {
            begun.push(Begun { array, place, values: [None; 4] });
            begun.len() - 1
        });
        if begun[at].values[usize::from(lane)].replace(value).is_some() {
            return Err(array);
        }
        let values: Vec<ExprId> = begun[at].values.iter().flatten().copied().collect();
        if values.len() == usize::from(lanes) {
            begun.remove(at);
            let vector = self.b.compose(&values);
            out.push(Stmt::Store(array, place, vector));
        }
        Ok(())
    }

    /// A value under a name, unless it cannot change anyway.
    fn kept(&mut self, name: &str, value: ExprId, out: &mut Vec<Stmt>) -> ExprId {
        let is_word = match self.b.get(value) {
            Expr::Literal(_) | Expr::Uniform(_) | Expr::Local(_) => true,
            Expr::Component(vector, _) => matches!(self.b.get(*vector), Expr::Local(_)),
            _ => false,
        };
        if is_word && self.lasts(value) {
            return value;
        }
        let ty = self.b.type_of(value);
        self.named(name, ty, value, out)
    }

    fn named(&mut self, name: &str, ty: Type, value: ExprId, out: &mut Vec<Stmt>) -> ExprId {
        let (local, read) = self.b.name_of(name, ty);
        out.push(Stmt::Let(local, value));
        read
    }

    /// Where an index is: the vector, and the element in it.
    fn place(&mut self, index: ExprId, lanes: u8) -> Option<(ExprId, u8)> {
        let lanes = i64::from(lanes);
        let (mut terms, mut constant) = self.b.index_sum(index);
        for _ in 0..MOST_NAMES {
            let Some(at) = terms.iter().position(|term| term.1 % lanes != 0) else { break };
            let (atom, factor) = terms.swap_remove(at);
            let value = self.b.unnamed(atom);
            if value == atom || !self.lasts(value) {
                return None;
            }
            let (more, offset) = self.b.index_sum(value);
            constant += factor * offset;
            for (atom, times) in more {
                match terms.iter_mut().find(|term| term.0 == atom) {
                    Some(term) => term.1 += factor * times,
                    None => terms.push((atom, factor * times)),
                }
            }
        }
        if terms.iter().any(|term| term.1 % lanes != 0) {
            return None;
        }
        let mut place = self.b.index_const(constant.div_euclid(lanes));
        for (atom, factor) in terms {
            let term = self.b.index_scale(atom, factor / lanes);
            place = self.b.index_add(place, term);
        }
        self.lasts(place).then_some((place, constant.rem_euclid(lanes) as u8))
    }

    /// Whether an expression has the same value wherever it is mentioned.
    fn lasts(&mut self, id: ExprId) -> bool {
        let b = &*self.b;
        let mut open = vec![id];
        while let Some(&id) = open.last() {
            let expr = b.get(id);
            let mut lasts = match expr {
                Expr::Local(local) => !self.assigned.contains(local),
                Expr::Load(..) | Expr::Subgroup(..) => false,
                _ => true,
            };
            let before = open.len();
            expr.for_each_operand(|operand| match self.lasting.get(&operand) {
                Some(&known) => lasts &= known,
                None => open.push(operand),
            });
            if open.len() == before {
                self.lasting.insert(id, lasts);
                open.pop();
            }
        }
        self.lasting[&id]
    }

    /// A value where elements of vectors are read; what it reads may not be among what is being
    /// stored.
    fn value(&mut self, root: ExprId, out: &mut Vec<Stmt>, begun: &[Begun]) -> Result<ExprId, ArrayId> {
        let reached = reached(self.b, root);
        for &id in &reached {
            if let Expr::Load(array, _) = self.b.get(id)
                && let Some(begun) = begun.iter().find(|begun| begun.array == *array)
            {
                return Err(begun.array);
            }
        }
        self.rewrite(root, &reached, Some(out))
    }

    /// A value that is computed again and again where it is.
    fn in_place(&mut self, root: ExprId) -> Result<ExprId, ArrayId> {
        let reached = reached(self.b, root);
        self.rewrite(root, &reached, None)
    }

    fn rewrite(
        &mut self,
        root: ExprId,
        reached: &[ExprId],
        mut out: Option<&mut Vec<Stmt>>,
    ) -> Result<ExprId, ArrayId> {
        let mut instead: HashMap<ExprId, ExprId> = HashMap::default();
        for &id in reached {
            let expr = self.b.get(id).clone();
            if let Expr::Load(array, index) = expr
                && let Some(form) = self.form(array)
            {
                let element = match form {
                    Form::Variables => self.element(array, index)?,
                    Form::Vectors(lanes) => {
                        let (place, lane) = self.place(index, lanes).ok_or(array)?;
                        let vector = self.vector(array, lanes, place, out.as_deref_mut());
                        let element = self.b.expr(Expr::Component(vector, lane));
                        self.reads.entry(array).or_default().insert(element);
                        element
                    }
                };
                instead.insert(id, element);
                continue;
            }
            let mut changes = false;
            expr.for_each_operand(|operand| changes |= instead.contains_key(&operand));
            if changes {
                let of = |operand| instead.get(&operand).copied().unwrap_or(operand);
                let value = self.b.expr(expr.map_operands(of));
                instead.insert(id, value);
            }
        }
        Ok(instead.get(&root).copied().unwrap_or(root))
    }

    /// A vector of an array, under the name that an open block has for it.
    fn vector(&mut self, array: ArrayId, lanes: u8, place: ExprId, out: Option<&mut Vec<Stmt>>) -> ExprId {
        let known = self.vectors.iter().rev().find_map(|scope| scope.get(&(array, place)));
        if let Some(&vector) = known {
            return vector;
        }
        let load = self.b.expr(Expr::Load(array, place));
        let Some(out) = out else {
            self.loads.entry(array).or_default().insert(load);
            return load;
        };
        let ty = Type { lanes, ..self.b.arrays()[array.index()].ty };
        let vector = self.named("four", ty, load, out);
        self.loads.entry(array).or_default().insert(vector);
        self.vectors.last_mut().expect("a block is open").insert((array, place), vector);
        vector
    }
}

/// A load of an element, or a store.
struct Access {
    array: ArrayId,
    index: ExprId,
    is_load: bool,
}

/// The loads and stores of a block.
fn find_accesses(b: &KernelBuilder, block: &[Stmt], seen: &mut HashSet<ExprId>, accesses: &mut Vec<Access>) {
    for stmt in block {
        let mut open = Vec::new();
        match stmt {
            Stmt::Let(_, value) | Stmt::Var(_, value) | Stmt::Assign(_, value) => open.push(*value),
            Stmt::Store(array, index, value) => {
                accesses.push(Access { array: *array, index: *index, is_load: false });
                open.extend([*index, *value]);
            }
            Stmt::Atomic { index, value, .. } => open.extend([*index, *value]),
            Stmt::If(condition, then, otherwise) => {
                open.push(*condition);
                find_accesses(b, then, seen, accesses);
                find_accesses(b, otherwise, seen, accesses);
            }
            Stmt::For { from, to, body, .. } => {
                open.extend([*from, *to]);
                find_accesses(b, body, seen, accesses);
            }
            Stmt::While(condition, body) => {
                open.push(*condition);
                find_accesses(b, body, seen, accesses);
            }
            Stmt::Break | Stmt::Continue | Stmt::Barrier => {}
        }
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            if let Expr::Load(array, index) = *b.get(id) {
                accesses.push(Access { array, index, is_load: true });
            }
            b.get(id).for_each_operand(|operand| open.push(operand));
        }
    }
}

/// What an expression is made of, operands first.
fn reached(b: &KernelBuilder, root: ExprId) -> Vec<ExprId> {
    let mut seen = HashSet::default();
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        if seen.insert(id) {
            b.get(id).for_each_operand(|operand| open.push(operand));
        }
    }
    let mut all: Vec<ExprId> = seen.into_iter().collect();
    weft_ir::order::sort_by_key(&mut all, |id| id.index() as u64);
    all
}

/// The locals that are assigned.
fn variables(block: &[Stmt], all: &mut HashSet<LocalId>) {
    for stmt in block {
        match stmt {
            Stmt::Var(local, _) | Stmt::Assign(local, _) => {
                all.insert(*local);
            }
            Stmt::If(_, then, otherwise) => {
                variables(then, all);
                variables(otherwise, all);
            }
            Stmt::For { body, .. } | Stmt::While(_, body) => variables(body, all),
            _ => {}
        }
    }
}
