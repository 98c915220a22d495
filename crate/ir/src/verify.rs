//! The rules of well-formed tensor programs. Every pass may rely on them, and every pass is checked
//! against them in tests and debug builds.

use crate::error::{Error, ErrorKind, Result};
use crate::op::{self, Op, region};
use crate::program::TensorProgram;

/// Checks that inputs stand before their readers, that [`op::infer::infer`] agrees with each node's
/// shape and dtype, that shapes are within what index arithmetic can hold, that no node is a `Mark`
/// or `Detach`, that only parts read regions and are what those yield, and that outputs exist, have
/// values and are distinct. Programs within are held to the same, but for `Detach`, which means
/// something there. Errors with `Internal`: an ill-formed program is a defect in Weft. The message
/// names the node and the rule.
pub fn verify(program: &TensorProgram) -> Result<()> {
    check(program, false)
}

fn check(program: &TensorProgram, within: bool) -> Result<()> {
    let refuse = |number: usize, what: String| {
        let name = program.nodes.get(number).map_or(String::new(), |node| format!(" ({})", node.op.name()));
        Err(Error::new(ErrorKind::Internal, "verify", format!("%{number}{name}: {what}")))
    };
    for (number, node) in program.nodes.iter().enumerate() {
        if let Some(input) = node.inputs.iter().find(|i| i.index() >= number) {
            return refuse(number, format!("reads %{}, which does not come before it", input.0));
        }
        if matches!(node.op, Op::Mark(_)) || (matches!(node.op, Op::Detach) && !within) {
            return refuse(number, "is stripped when a program is made".into());
        }
        let facts: Vec<_> = node.inputs.iter().map(|&i| (&program[i].shape, program[i].dtype)).collect();
        let (shape, dtype) = match op::infer::infer(&node.op, &facts) {
            Ok(inferred) => inferred,
            Err(error) => return refuse(number, error.to_string()),
        };
        if (&shape, dtype) != (&node.shape, node.dtype) {
            return refuse(number, format!("is {}{}, but yields {dtype}{shape}", node.dtype, node.shape));
        }
        if let Err(error) = crate::Shape::checked("shape", &shape) {
            return refuse(number, error.to_string());
        }
        let reads_region = node.inputs.iter().any(|&i| region::is_region(&program[i].op));
        if let Op::Part { index, shape, dtype } = &node.op {
            if let Err(error) = region::check_part(&program[node.inputs[0]].op, *index, shape, *dtype) {
                return refuse(number, error.to_string());
            }
        } else if reads_region {
            return refuse(number, "reads a region, whose parts alone have values".into());
        }
        for (inner, leaves) in region::leaves(&node.op) {
            for (leaf, input) in inner.leaves().skip(leaves.bound).zip(&node.inputs[leaves.first..]) {
                let is_scalar = |op: &Op| matches!(op, Op::Scalar(_));
                if is_scalar(&inner[leaf].op) && !is_scalar(&program[*input].op) {
                    return refuse(number, format!("takes %{} for a scalar", input.0));
                }
            }
            if let Err(error) = check(inner, true) {
                return refuse(number, error.message.clone());
            }
        }
    }
    if let Some(output) = program
        .outputs
        .iter()
        .find(|o| program.nodes.get(o.index()).is_some_and(|node| region::is_region(&node.op)))
    {
        return refuse(output.index(), "is returned, but has no value".into());
    }
    let mut wanted = vec![false; program.nodes.len()];
    for output in &program.outputs {
        match wanted.get_mut(output.index()) {
            None => return refuse(output.index(), "is returned, but does not exist".into()),
            Some(true) => return refuse(output.index(), "is returned twice".into()),
            Some(slot) => *slot = true,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtype::DType;
    use crate::op::Unary;
    use crate::program::{ProgramId, ProgramNode};

    fn program() -> TensorProgram {
        let node = |op: Op, inputs: Vec<ProgramId>| ProgramNode {
            op,
            inputs,
            shape: [2, 3].into(),
            dtype: DType::F32,
            site: 0,
        };
        let leaf = node(Op::Buffer([2, 3].into(), DType::F32), Vec::new());
        let exp = node(Op::Unary(Unary::Exp), vec![ProgramId(0)]);
        TensorProgram { nodes: vec![leaf, exp], outputs: vec![ProgramId(1), ProgramId(0)] }
    }

    fn refused(change: impl FnOnce(&mut TensorProgram)) -> String {
        let mut changed = program();
        change(&mut changed);
        verify(&changed).unwrap_err().message.clone()
    }

    #[test]
    fn a_well_formed_program_passes() {
        assert_eq!(verify(&program()), Ok(()));
    }

    #[test]
    fn each_rule_is_named_when_broken() {
        let later = refused(|p| p.nodes[1].inputs[0] = ProgramId(1));
        assert_eq!(later, "%1 (exp): reads %1, which does not come before it");
        assert!(refused(|p| p.nodes[1].op = Op::Mark(0)).contains("stripped"));
        assert!(refused(|p| p.nodes[1].op = Op::Detach).contains("stripped"));
        assert!(refused(|p| p.nodes[1].inputs.clear()).contains("takes 1 inputs, got 0"));
        let shape = refused(|p| p.nodes[1].shape = [6].into());
        assert_eq!(shape, "%1 (exp): is f32[6], but yields f32[2,3]");
        assert!(refused(|p| p.nodes[1].dtype = DType::I32).contains("but yields f32[2,3]"));
        assert!(refused(|p| p.outputs[0] = ProgramId(2)).contains("does not exist"));
        assert!(refused(|p| p.outputs[0] = ProgramId(0)).contains("returned twice"));
    }
}
