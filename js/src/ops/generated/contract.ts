// Products of vectors, matrices and tensors, also of matrices of four bits.
//
// Written by `cargo xtask generate` from `crate/weft/src/op/table/contract.rs`: change that.

import type { Operand, Tensor } from "../../core/tensor/tensor.js";
import type { Binary, CrossAxes } from "../signatures.js";
import * as kind from "../kinds.js";
import { operation, several } from "../operation.js";

/**
 * Matrix product as NumPy's `matmul`: over the last axis of `a` and the last but one of `b`;
 * axes before them broadcast; a 1-d operand is a row on the left, a column on the right.
 * Throws `ShapeError` when the inner extents differ.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * matmul([[1, 2], [3, 4]], [5, 6]); // [17,39]
 */
export const matmul: Binary = operation("matmul", kind.tensor, kind.tensor);

/**
 * NumPy's `dot`: over the last axis of a and the last but one of b; with a 0-d tensor, its
 * multiple. Throws `ShapeError` when the extents differ.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * dot([1, 2, 3], [4, 5, 6]); // 32
 */
export const dot: Binary = operation("dot", kind.tensor, kind.tensor);

/**
 * Over the last axes of both; with a 0-d tensor, its multiple. Throws `ShapeError` when the
 * extents differ.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * inner([[1, 2], [3, 4]], [5, 6]); // [17,39]
 */
export const inner: Binary = operation("inner", kind.tensor, kind.tensor);

/**
 * Each element of a times each of b, both flattened: a matrix.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * outer([1, 2], [3, 4]); // [[3,4],[6,8]]
 */
export const outer: Binary = operation("outer", kind.tensor, kind.tensor);

/**
 * The sum of the products of all elements, both flattened.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * vdot([[1, 2]], [3, 4]); // 11
 */
export const vdot: Binary = operation("vdot", kind.tensor, kind.tensor);

/**
 * The sum of products along an axis, broadcast otherwise.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * vecdot([[1, 2], [3, 4]], [5, 6]); // [17,39]
 */
export const vecdot: (a: Operand, b: Operand, axis?: number) => Tensor = operation("vecdot", kind.operand, kind.operand, kind.or(kind.axis, -1));

/**
 * The cross product of the three elements along an axis, or along one of each of the two,
 * broadcast otherwise. Two elements lie in a plane: beside three their third is 0, and the
 * product of two each is a number.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * cross([1, 0, 0], [0, 1, 0]); // [0,0,1]
 * cross([1, 2], [3, 4]); // -2
 * cross([[1], [0], [0]], [0, 1, 0], -1, { axisA: 0 }); // [[0,0,1]]
 */
export const cross: (a: Operand, b: Operand, axis?: number, axes?: CrossAxes) => Tensor = operation("cross", kind.operand, kind.operand, kind.or(kind.axis, -1), kind.thirds);

/**
 * Kronecker product: each element of a times the whole of b.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * kron([1, 2], [3, 4]); // [3,4,6,8]
 */
export const kron: Binary = operation("kron", kind.tensor, kind.tensor);

/**
 * A square matrix to a whole power, the identity for 0.
 *
 * Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
 *
 * @example
 * matrixPower([[1, 1], [0, 1]], 3); // [[1,3],[0,1]]
 */
export const matrixPower: (x: Operand, times: number) => Tensor = operation("matrixPower", kind.tensor, kind.count("the times"));

/**
 * A matrix, or a stack of them, with four bits for each element. The rows are taken in groups
 * of `group`, a multiple of 8 that divides their number, and each column of a group has a
 * scale, a seventh of its largest magnitude: an element is a whole number from −7 to 7 of
 * scales, so that it is off by half a scale at most. Eight rows are a row of words, the first
 * in the lowest bits. Throws `ShapeError` where the rows are no whole groups. `matmul4`
 * multiplies by it as it is.
 *
 * Takes any dtype; gives packed u32, scales f32. Without a gradient; `vmap` batches it.
 *
 * @example
 * const [packed, scales] = quantize4(ones([32, 2]).mul(7));
 * scales; // [[1,1]]
 * dequantize4(packed, scales).max(); // 7
 */
export const quantize4: (x: Operand, group?: number) => [packed: Tensor, scales: Tensor] = several("quantize4", "packed, scales", kind.tensor, kind.or(kind.count("the group"), 32));

/**
 * The matrix that `quantize4` packed, unpacked.
 *
 * Takes u32, then f32, f16; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [packed, scales] = quantize4(full([8, 1], -3.5), 8);
 * dequantize4(packed, scales).min(); // -3.5
 */
export const dequantize4: (packed: Operand, scales: Operand) => Tensor = operation("dequantize4", kind.tensor, kind.tensor);

/**
 * `matmul` by a matrix that `quantize4` packed: it is unpacked where it is multiplied, and
 * stays packed in memory. Differentiable by x and the scales.
 *
 * Takes any dtype, then u32, then f32, f16; gives f32. Differentiable; `vmap` batches it.
 *
 * @example
 * const [packed, scales] = quantize4(ones([8, 1]), 8);
 * matmul4(ones([1, 8]), packed, scales); // [[8]]
 */
export const matmul4: (x: Operand, packed: Operand, scales: Operand) => Tensor = operation("matmul4", kind.tensor, kind.tensor, kind.tensor);
