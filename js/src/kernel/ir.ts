// The IR of users' kernels as TypeScript sees it: the structure of `crate/ir/src/user_kernel`,
// whose documentation says what each part means. Names of operations are positions in the core's
// lists.

/** Dtypes that kernels compute in, by their codes. */
export const KERNEL_DTYPES = ["f32", "i32", "u32", "bool"] as const;
export type KernelDType = (typeof KERNEL_DTYPES)[number];

export const UNARY = ["Neg", "Abs", "Sign", "Floor", "Ceil", "Round", "Exp", "Log", "Sqrt", "Rsqrt", "Sin", "Cos", "Tanh", "Sigmoid", "Relu", "Erf", "ErfInv", "NormalCdf", "Not", "IsNan", "ToHalf", "OfHalf"] as const;
export const BINARY = ["Add", "Sub", "Mul", "Div", "FloorDiv", "Rem", "Pow", "Min", "Max", "And", "Or", "Xor", "Shl", "Shr"] as const;
export const COMPARE = ["Eq", "Ne", "Lt", "Le", "Gt", "Ge"] as const;
export const COMBINE = ["Set", "Add", "Min", "Max", "And", "Or", "Xor"] as const;
export const SUBGROUP = ["Add", "Min", "Max", "AddBefore"] as const;
export const COORDINATE = ["Grid", "Local", "Group"] as const;
export const EDGE = ["Clamp", "Wrap", "Mirror", "Fill"] as const;

export type Unary = (typeof UNARY)[number];
export type Binary = (typeof BINARY)[number];
export type Compare = (typeof COMPARE)[number];
export type Combine = (typeof COMBINE)[number];
export type SubgroupOp = (typeof SUBGROUP)[number];
export type Coordinate = (typeof COORDINATE)[number];

/** An expression: its position in the arena. */
export type ExprId = number;

/** What a load beyond the edge of a tensor yields; a number is the expression of that value. */
export type Edge = "Clamp" | "Wrap" | "Mirror" | { readonly fill: ExprId };

export type Expr =
  | { readonly is: "Literal"; readonly dtype: KernelDType; readonly bits: number }
  | { readonly is: "Local"; readonly local: number }
  | { readonly is: "Scalar"; readonly scalar: number }
  | { readonly is: "Index"; readonly coordinate: Coordinate; readonly axis: number }
  | { readonly is: "GridExtent"; readonly axis: number }
  | { readonly is: "Extent"; readonly tensor: number; readonly axis: number }
  | { readonly is: "OutputExtent"; readonly output: number; readonly axis: number }
  | { readonly is: "Unary"; readonly op: Unary; readonly x: ExprId }
  | { readonly is: "Binary"; readonly op: Binary; readonly a: ExprId; readonly b: ExprId }
  | { readonly is: "Compare"; readonly op: Compare; readonly a: ExprId; readonly b: ExprId }
  | { readonly is: "Select"; readonly condition: ExprId; readonly a: ExprId; readonly b: ExprId }
  | { readonly is: "Cast"; readonly dtype: KernelDType; readonly x: ExprId }
  | { readonly is: "Bitcast"; readonly dtype: KernelDType; readonly x: ExprId }
  | { readonly is: "Load"; readonly tensor: number; readonly indices: readonly ExprId[]; readonly edge: Edge }
  | { readonly is: "Element"; readonly array: number; readonly index: ExprId }
  | { readonly is: "Subgroup"; readonly op: SubgroupOp; readonly x: ExprId }
  | { readonly is: "Shuffle"; readonly x: ExprId; readonly from: ExprId };

export type Stmt =
  | { readonly is: "Let"; readonly local: number; readonly value: ExprId }
  | { readonly is: "SetElement"; readonly array: number; readonly index: ExprId; readonly value: ExprId }
  | { readonly is: "Store"; readonly output: number; readonly indices: readonly ExprId[]; readonly value: ExprId; readonly before: number | null }
  | { readonly is: "If"; readonly condition: ExprId; readonly then: readonly Stmt[]; readonly otherwise: readonly Stmt[] }
  | { readonly is: "For"; readonly counter: number; readonly from: ExprId; readonly to: ExprId; readonly step: number; readonly body: readonly Stmt[] }
  | { readonly is: "While"; readonly condition: ExprId; readonly limit: number; readonly body: readonly Stmt[] }
  | { readonly is: "Break" | "Continue" | "Return" | "Barrier" };

export interface KernelTensor {
  readonly name: string;
  readonly dtype: KernelDType;
  readonly rank: number;
}

export interface KernelScalar {
  readonly name: string;
  readonly dtype: KernelDType;
}

/** What an output holds before the first store: the bits of a value of its dtype, or a tensor, by
 * its position. */
export type Initial = { readonly bits: number } | { readonly tensor: number };

export interface KernelOutput {
  readonly name: string;
  readonly dtype: KernelDType;
  readonly rank: number;
  readonly combine: Combine;
  readonly initial: Initial;
}

export interface KernelLocal {
  readonly name: string;
  readonly dtype: KernelDType;
}

export interface KernelArray {
  readonly name: string;
  readonly dtype: KernelDType;
  readonly length: number;
  readonly shared: boolean;
}

export interface UserKernel {
  readonly name: string;
  readonly rank: number;
  /** Extents of a workgroup along x, y and z, for a kernel that works in groups. */
  readonly workgroup: readonly [number, number, number] | null;
  readonly tensors: readonly KernelTensor[];
  readonly scalars: readonly KernelScalar[];
  readonly outputs: readonly KernelOutput[];
  readonly locals: readonly KernelLocal[];
  readonly arrays: readonly KernelArray[];
  readonly exprs: readonly Expr[];
  readonly body: readonly Stmt[];
}

const word = new DataView(new ArrayBuffer(4));

/** The bits of a value of `dtype`; integers wrap. */
export function bitsOf(dtype: KernelDType, value: number): number {
  if (dtype === "f32") word.setFloat32(0, value);
  else word.setUint32(0, dtype === "bool" ? Number(value !== 0) : value);
  return word.getUint32(0);
}

/** The value of these bits as `dtype`; 0 or 1 of a bool. */
export function valueOf(dtype: KernelDType, bits: number): number {
  word.setUint32(0, bits);
  return dtype === "f32" ? word.getFloat32(0) : dtype === "i32" ? word.getInt32(0) : word.getUint32(0);
}
