// \0rolldown/runtime.js
var __defProp = Object.defineProperty;
var __exportAll = (all, no_symbols) => {
	let target = {};
	for (var name in all) __defProp(target, name, {
		get: all[name],
		enumerable: true
	});
	if (!no_symbols) __defProp(target, Symbol.toStringTag, { value: "Module" });
	return target;
};
// src/core/errors.ts
/**
* Any error that Weft raises. `op` is the operation as it was called, and begins the message: `matmul: [64,784] × …`.
*
* @example
* try {
*   tensor([1, 2]).add([1, 2, 3]);
* } catch (error) {
*   if (error instanceof WeftError) console.log(error.op); // add
* }
*/
var WeftError = class extends Error {
	/** The operation that refused, for instance `matmul`. */
	op;
	constructor(op, message) {
		super(`${op}: ${message}`);
		this.op = op;
	}
};
/**
* Shapes that do not fit together; ragged or wrongly sized data.
*
* @example
* matmul(zeros([2, 3]), zeros([2, 3])); // throws ShapeError: matmul: [2,3] × [2,3]: 3 ≠ 2
*/
var ShapeError = class extends WeftError {};
/**
* A dtype that the operation does not take.
*
* @example
* bitwiseAnd([1.5], 1); // throws DTypeError
*/
var DTypeError = class extends WeftError {};
/**
* An axis out of range, or given twice.
*
* @example
* sum([1, 2], 1); // throws AxisError
*/
var AxisError = class extends WeftError {};
/**
* An argument whose value is not allowed.
*
* @example
* nn.dropout(ones([2]), 1.5); // throws ValueError
*/
var ValueError = class extends WeftError {};
/**
* A tensor used after it was disposed, or after its device was lost.
*
* @example
* const x = ones([2]);
* x.dispose();
* x.add(1); // throws DisposedError
*/
var DisposedError = class extends WeftError {};
/**
* A value read where only its shape is known (inside `jit`), or a misused transform.
*
* @example
* tidy(async () => ones([2])); // throws TraceError
*/
var TraceError = class extends WeftError {};
/**
* A file that is corrupt, truncated or of another format.
*
* @example
* data.idx(Uint8Array.of(1, 2, 3)); // throws FormatError
*/
var FormatError = class extends WeftError {};
/**
* No adapter, or one that lacks what is needed.
*
* @example
* try {
*   await init({ device: "webgpu" });
* } catch (error) {
*   if (error instanceof AdapterError) console.log("no GPU here");
* }
*/
var AdapterError = class extends WeftError {};
/**
* The device was lost. `init()` opens a new one; tensors of the old one are gone.
*
* @example
* const { lost } = await init();
* lost.then((error) => error instanceof DeviceLostError); // when the device is lost
*/
var DeviceLostError = class extends WeftError {};
/**
* The device has not enough memory.
*
* @example
* full([2 ** 30], 1).data(); // throws OutOfMemoryError
*/
var OutOfMemoryError = class extends WeftError {};
/**
* A defect in Weft.
*
* @example
* addEventListener("unhandledrejection", ({ reason }) => {
*   if (reason instanceof InternalError) console.log("a defect in Weft:", reason.message);
* });
*/
var InternalError = class extends WeftError {};
const classes = {
	ShapeError,
	DTypeError,
	AxisError,
	ValueError,
	DisposedError,
	TraceError,
	FormatError,
	AdapterError,
	DeviceLostError,
	OutOfMemoryError,
	InternalError
};
for (const [name, type] of Object.entries({
	WeftError,
	...classes
})) {
	Object.defineProperty(type.prototype, "name", {
		value: name,
		configurable: true,
		writable: true
	});
	Object.defineProperty(type, "name", {
		value: name,
		configurable: true
	});
}
/** The error of the class that the core calls `kind`, with a stack that begins where the core was called. */
function weftError(kind, op, message) {
	const type = classes[kind] ?? InternalError;
	const limit = Error.stackTraceLimit;
	if (limit !== void 0) Error.stackTraceLimit = Math.max(limit, 64);
	const error = new type(op, message);
	if (limit !== void 0) Error.stackTraceLimit = limit;
	const frames = error.stack?.split("\n") ?? [];
	const last = frames.findLastIndex((frame) => frame.includes("wasm-function"));
	const head = frames.findIndex((frame) => /^\s*at /.test(frame));
	if (last >= 0) error.stack = [...frames.slice(0, Math.max(head, 0)), ...frames.slice(last + 2)].join("\n");
	return error;
}
// src/core/check/tracing.ts
/** The symbol under which a module or parameter has its switch: whether it is in training, whether it is frozen. */
const switchOf = Symbol("weft.switch");
let current$1 = null;
/** The innermost transform that runs a function on stand-ins. */
let innermost$1 = null;
/** Whether a function is being traced: its tensors have no values. */
function isTracing() {
	return innermost$1 !== null;
}
/** The transform that runs a function on stand-ins: `jit`, `vmap`. */
function tracedBy() {
	return innermost$1 ?? "jit";
}
/**
* Hands `extra` over: now, or at each call of the function that is being captured. Gives the transform that has no way to do so, for its function is run on
* stand-ins of parts of a tensor, or becomes part of a loop; null where it was possible.
*/
function noteExtra(extra) {
	if (innermost$1 === null) extra.take(extra.tensors);
	else if (current$1?.op !== innermost$1) return innermost$1;
	else current$1.extras.push(extra);
	return null;
}
/** Runs `body` as what `op` runs on stand-ins. */
function inside(op, body) {
	const outer = innermost$1;
	innermost$1 = op;
	try {
		return body();
	} finally {
		innermost$1 = outer;
	}
}
/** Notes that an optimizer stepped. */
function noteStep() {
	if (current$1) current$1.stepped = true;
}
/** How often a switch was set: captured functions need not look at theirs while none was. */
let version = 0;
/** How often a switch was set so far. */
function switchVersion() {
	return version;
}
/** Notes that a switch is read. */
function noteRead(owner) {
	if (current$1 && !current$1.set.has(owner) && !current$1.switches.has(owner)) current$1.switches.set(owner, owner[switchOf]);
}
/** Notes that a switch is about to be set. */
function noteSet(owner) {
	version++;
	if (current$1 && !current$1.switches.has(owner)) current$1.set.add(owner);
}
/** Whether switches are as they were when they were read. */
function areUnchanged(switches) {
	for (const [owner, value] of switches) if (owner[switchOf] !== value) return false;
	return true;
}
/** Runs `body` in the name of `op`; it is told what the function it traces has done. Functions are not traced inside one another. */
function whileTracing(op, body) {
	const trace = {
		op,
		extras: [],
		stepped: false,
		switches: /* @__PURE__ */ new Map(),
		set: /* @__PURE__ */ new Set()
	};
	current$1 = trace;
	try {
		return inside(op, () => body(trace));
	} finally {
		current$1 = null;
	}
}
/** The arguments of captured functions that are numbers: each call gives others, so that inside they are tensors, which take the dtype of what they meet,
* as plain numbers do, and cannot stand where the number itself must be known. By the tensor, the position. */
const givenNumbers = /* @__PURE__ */ new WeakMap();
/** Notes that a tensor stands for a number in the argument at `position` of a captured function. */
function noteGiven(tensor, position) {
	givenNumbers.set(tensor, position);
	return tensor;
}
/** Whether a value is a tensor that stands for a number. */
function isGiven$1(value) {
	return typeof value === "object" && value !== null && givenNumbers.has(value);
}
/** What errors call such a tensor where a number that is known is asked for; `undefined` for all else. */
function givenText(value) {
	const position = givenNumbers.get(value);
	if (position === void 0) return void 0;
	return `a number that each call gives anew: jit(fn, { static: ${position} }) makes argument ${position} a number inside`;
}
// src/core/check/check.ts
/** Numbers up to here fit the core. */
const MOST = 2 ** 31 - 1;
/** `value` as a message shows it. Never throws, whatever it is. */
function shown(value) {
	switch (typeof value) {
		case "string": return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
		case "bigint": return `${value}n`;
		case "function": return "a function";
		case "object": return value === null ? "null" : named$1(value);
		default: return String(value);
	}
}
/** What kind of thing `value` is: `a number`, `a Float32Array`, `null`. Never throws, whatever it is. */
function kindOf$1(value) {
	if (value === null || value === void 0) return String(value);
	return typeof value === "object" ? named$1(value) : `a ${typeof value}`;
}
/** What kind of object this is, by the name of its class. */
function named$1(value) {
	const given = givenText(value);
	if (given !== void 0) return given;
	let name;
	try {
		name = value.constructor?.name;
	} catch {}
	if (typeof name !== "string" || name === "" || name === "Object") return "an object";
	return `${/^[AEIOU]/.test(name) ? "an" : "a"} ${name === "Array" ? "array" : name}`;
}
/** Whether `test` holds. A proxy that was revoked throws at every look, and so holds for nothing. */
function holds(test) {
	try {
		return test();
	} catch {
		return false;
	}
}
/** As `Array.isArray`, which throws for a proxy that was revoked. */
function isArray$1(value) {
	try {
		return Array.isArray(value);
	} catch {
		return false;
	}
}
/** `[2,3]`, of any list. */
function listText(list) {
	return `[${Array.from(list, (entry) => typeof entry === "object" ? "…" : typeof entry === "symbol" ? "symbol" : String(entry)).join(",")}]`;
}
function isWhole(value, least) {
	return Number.isInteger(value) && value >= least && value <= MOST;
}
/** Which bound a number that is no such whole number is told of. */
function boundFor(value, least) {
	return typeof value === "number" && value > MOST ? `${MOST} or less` : `${least} or more`;
}
/** A shape whose extents are whole numbers of `least` or more. Throws `ShapeError` for all else. */
function shapeOf$1(op, given, least = 0) {
	const shape = typeof given === "number" ? [given] : given;
	if (!isArray$1(shape)) throw new ShapeError(op, `a shape is a list such as [2, 3], got ${shown(shape)}`);
	const wrong = Array.from(shape).findIndex((extent) => !isWhole(extent, least));
	if (wrong >= 0) {
		const wanted = `a whole number of ${boundFor(shape[wrong], 0)}${least === 0 ? "" : ", or one of them -1"}`;
		throw new ShapeError(op, `${listText(shape)}: an extent is ${wanted}, not ${shown(shape[wrong])}`);
	}
	return shape;
}
/** Extents as the core takes them. Throws `ShapeError` for anything but whole numbers of 0 or more. */
function extentsOf(op, shape) {
	const extents = shapeOf$1(op, shape);
	if (extents.reduce((size, extent) => size * extent, 1) > MOST) throw new ShapeError(op, `${listText(extents)} has more than 2^31 - 1 elements`);
	return Uint32Array.from(extents);
}
/** A count as the core takes it. Throws `ValueError` for anything but a whole number of `least` or more. */
function countOf(op, what, count, least = 0) {
	if (isWhole(count, least)) return count;
	throw new ValueError(op, `${what} must be a whole number of ${boundFor(count, least)}, got ${shown(count)}`);
}
/** Throws `ValueError` for anything but a number; NaN and infinities are numbers. */
function numberOf$1(op, what, value) {
	if (typeof value === "number") return value;
	throw new ValueError(op, `${what} must be a number, got ${shown(value)}`);
}
/** Throws `ValueError` for anything but a finite number. */
function finiteOf(op, what, value) {
	if (Number.isFinite(value)) return value;
	throw new ValueError(op, `${what} must be a finite number, got ${shown(value)}`);
}
/** Throws `ValueError` for anything but true and false. */
function flagOf(op, what, value) {
	if (typeof value === "boolean") return value;
	throw new ValueError(op, `${what} must be true or false, got ${shown(value)}`);
}
/** Throws `ValueError` for anything but a text. */
function textOf(op, what, value) {
	if (typeof value === "string") return value;
	throw new ValueError(op, `${what} must be a string, got ${shown(value)}`);
}
/** Throws `ValueError` for anything but a list. */
function listOf(op, what, list) {
	if (isArray$1(list)) return list;
	const example = what === "a list of tensors" ? `: ${op}([a, b])` : "";
	throw new ValueError(op, `takes ${what}, got ${shown(list)}${example}`);
}
/** An axis as the core takes it: range is for the core to check. Throws `AxisError` for all but whole numbers. */
function axisOf(op, axis) {
	if (isWhole(axis, -MOST)) return axis;
	throw new AxisError(op, `an axis is a whole number, not ${shown(axis)}${misplaced(axis)}`);
}
/** Axes as the core takes them: `undefined` for all. Throws `AxisError` for all but whole numbers, lists of them, and null. */
function axesOf(op, axes) {
	if (axes === null || axes === void 0) return void 0;
	if (isArray$1(axes)) return Int32Array.from(Array.from(axes), (axis) => axisOf(op, axis));
	return Int32Array.of(axisOf(op, axes));
}
/** What to say when options stand where an axis is expected. */
function misplaced(axis) {
	if (!isBag(axis)) return "";
	const named = axis["axis"] ?? axis["dim"] ?? axis["axes"];
	return `; options come after it${typeof named === "number" ? `: (${named}, { … })` : ", and null stands for all axes: (null, { … })"}`;
}
/** Whether `value` is an object that holds options: a plain one, or an instance of a class that has something to read. */
function isBag(value) {
	if (typeof value !== "object" || value === null || isArray$1(value) || ArrayBuffer.isView(value)) return false;
	return holds(() => {
		const prototype = Object.getPrototypeOf(value);
		return prototype === null || Object.getPrototypeOf(prototype) === null || Object.keys(value).length > 0;
	});
}
/**
* The options of a call, each from `options` or else from `defaults`, which names them all. Numbers must be finite, and flags true or
* false, where the default is such. Throws `ValueError` for an option that there is not, and for what cannot hold options.
*/
function optionsOf(op, options, defaults) {
	if (options === void 0) return defaults;
	const known = Object.keys(defaults);
	if (!isBag(options)) throw new ValueError(op, `takes options such as { ${known[0]}: … }, got ${shown(options)}${ofShape(op, options)}`);
	for (const name of Object.keys(options)) {
		if (Object.hasOwn(defaults, name)) continue;
		const hint = meant(name, known);
		throw new ValueError(op, `there is no option ${shown(name)}: ${hint ? `did you mean ${hint}?` : `there ${known.length > 1 ? "are" : "is"} ${known.join(", ")}`}`);
	}
	const read = { ...defaults };
	for (const name of known) {
		const value = options[name];
		if (value === void 0) continue;
		if (typeof read[name] === "number") finiteOf(op, name, value);
		if (typeof read[name] === "boolean") flagOf(op, name, value);
		read[name] = value;
	}
	return read;
}
/** Functions that take a shape, behind which other libraries take more of its extents. */
const SHAPED = /^(zeros|ones|full|reshape|broadcastTo|expand|random\.\w+)$/;
/** What to say when more of a shape stands where it has ended. */
function ofShape(op, value) {
	return typeof value === "number" && SHAPED.test(op) ? ": a shape is an array, as in [2, 3]" : "";
}
/** Throws `ValueError` for more than `count` arguments: `x.flip(0, 1)` would otherwise turn one axis. */
function noMore(op, args, count) {
	if (args.length <= count || isIteration(args, count)) return;
	for (let i = count; i < args.length; i++) if (isBag(args[i])) throw new ValueError(op, `takes no options, got ${shown(args[i])}`);
	const several = ofShape(op, args[count]) || (typeof args[count] === "number" ? "; several numbers in one place are an array: [0, 1]" : "");
	throw new ValueError(op, `takes ${count} ${count === 1 ? "argument" : "arguments"}, got ${args.length}${several}`);
}
/** Whether an array's `map` calls a function of one argument, or its `reduce` one of two: they pass the position and the array besides. */
function isIteration(args, count) {
	const [place, array] = [args[count], args[count + 1]];
	return count <= 2 && args.length === count + 2 && typeof place === "number" && isArray$1(array) && array[place] === args[count - 1];
}
/** What other libraries call our options, in small letters. */
const ELSEWHERE = {
	learningrate: "lr",
	stepsize: "lr",
	alpha: "lr",
	type: "dtype",
	datatype: "dtype",
	ddof: "correction",
	unbiased: "correction",
	mu: "mean",
	loc: "mean",
	sigma: "std",
	stddev: "std",
	stdev: "std",
	scale: "std",
	min: "low",
	minval: "low",
	vmin: "low",
	max: "high",
	maxval: "high",
	vmax: "high",
	batch: "size",
	batchsize: "size",
	seed: "shuffle",
	droplast: "dropLast",
	dropremainder: "dropLast",
	usebias: "bias",
	k: "diagonal",
	offset: "diagonal",
	cmap: "colormap",
	origin: "flip",
	beta: "betas",
	beta1: "betas",
	beta2: "betas",
	decay: "weightDecay",
	l2: "weightDecay",
	staticargnums: "static",
	donateargnums: "donate",
	backend: "device",
	module: "wasm",
	wasmurl: "wasm"
};
/** The option that `name` may have been meant for. */
function meant(name, known) {
	const plain = (text) => text.toLowerCase().replace(/[^a-z0-9]/g, "");
	const wanted = plain(name);
	return known.find((option) => plain(option) === wanted) ?? known.find((option) => option === ELSEWHERE[wanted]) ?? known.find((option) => wanted.length < 40 && edits(plain(option), wanted) <= (option.length > 4 ? 2 : 1));
}
/** How many letters must change, come or go to make `b` of `a` (Levenshtein). */
function edits(a, b) {
	let row = Array.from({ length: b.length + 1 }, (_, j) => j);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			const changed = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
			next.push(Math.min(changed, row[j] + 1, next[j - 1] + 1));
		}
		row = next;
	}
	return row[b.length];
}
// wasm/core.js
function instance$1(guardExports, loadRest) {
	/**
	* Opens a batch. Every call needs a [`batch_end`].
	*
	* Deferred: few programs call `vmap`.
	*/
	function batch_begin() {
		const ret = wasm.batch_begin();
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	/**
	* Ends the batch opened last.
	*/
	function batch_end() {
		wasm.batch_end();
	}
	/**
	* What stands for one member's part of `x`.
	*
	* Deferred: few programs call `vmap`.
	* @param {number} x
	* @param {number} axis
	* @returns {number}
	*/
	function batch_input(x, axis) {
		const ret = wasm.batch_input(x, axis);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* The outputs for all members of the innermost batch.
	*
	* Deferred: few programs call `vmap`.
	* @param {Uint32Array | number[]} outputs
	* @param {Uint32Array | number[]} stand_ins
	* @param {Uint32Array | number[]} xs
	* @param {Int32Array | number[]} axes
	* @param {Int32Array | number[]} out_axes
	* @returns {Uint32Array}
	*/
	function batch_outputs(outputs, stand_ins, xs, axes, out_axes) {
		let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4;
		try {
			ptr0 = passArray32ToWasm0(outputs, wasm.__wbindgen_malloc);
			len0 = WASM_VECTOR_LEN;
			ptr1 = passArray32ToWasm0(stand_ins, wasm.__wbindgen_malloc);
			len1 = WASM_VECTOR_LEN;
			ptr2 = passArray32ToWasm0(xs, wasm.__wbindgen_malloc);
			len2 = WASM_VECTOR_LEN;
			ptr3 = passArray32ToWasm0(axes, wasm.__wbindgen_malloc);
			len3 = WASM_VECTOR_LEN;
			ptr4 = passArray32ToWasm0(out_axes, wasm.__wbindgen_malloc);
			len4 = WASM_VECTOR_LEN;
		} catch (e) {
			if (ptr4) wasm.__wbindgen_free(ptr4, len4 * 4, 4);
			if (ptr3) wasm.__wbindgen_free(ptr3, len3 * 4, 4);
			if (ptr2) wasm.__wbindgen_free(ptr2, len2 * 4, 4);
			if (ptr1) wasm.__wbindgen_free(ptr1, len1 * 4, 4);
			if (ptr0) wasm.__wbindgen_free(ptr0, len0 * 4, 4);
			throw e;
		}
		const ret = wasm.batch_outputs(ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v6 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v6;
	}
	/**
	* Opens a transform. Every call needs an [`end_transform`].
	*/
	function begin_transform() {
		const ret = wasm.begin_transform();
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	/**
	* Closes the innermost region as a branch between `count` lists of results, given one after the other.
	*
	* Deferred: few programs have loops or branches.
	* @param {number} selector
	* @param {Uint32Array | number[]} operands
	* @param {Uint32Array | number[]} lists
	* @param {number} count
	* @returns {Uint32Array}
	*/
	function branch_close(selector, operands, lists, count) {
		const val3 = +selector;
		const val4 = +count;
		let ptr0, len0, ptr1, len1;
		try {
			ptr0 = passArray32ToWasm0(operands, wasm.__wbindgen_malloc);
			len0 = WASM_VECTOR_LEN;
			ptr1 = passArray32ToWasm0(lists, wasm.__wbindgen_malloc);
			len1 = WASM_VECTOR_LEN;
		} catch (e) {
			if (ptr1) wasm.__wbindgen_free(ptr1, len1 * 4, 4);
			if (ptr0) wasm.__wbindgen_free(ptr0, len0 * 4, 4);
			throw e;
		}
		const ret = wasm.branch_close(val3, ptr0, len0, ptr1, len1, val4);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v5 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v5;
	}
	/**
	* A tensor copied from the caller's buffer, from a byte on. Nothing where it must be tried again when the device is idle.
	* @param {number} offset
	* @param {Uint32Array | number[]} shape
	* @param {number} of
	* @returns {number | undefined}
	*/
	function buffer_in(offset, shape, of) {
		const val2 = +offset;
		const val3 = +of;
		const ptr0 = passArray32ToWasm0(shape, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.buffer_in(val2, ptr0, len0, val3);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] === Number.MAX_SAFE_INTEGER ? void 0 : ret[0];
	}
	/**
	* Copies a tensor to the caller's buffer. Says whether it did; if not, it must be tried again when the device is idle.
	* @param {number} x
	* @returns {boolean}
	*/
	function buffer_out(x) {
		const ret = wasm.buffer_out(x);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] !== 0;
	}
	/**
	* Bytes that live tensors take on the device: as `stats` says, for who asks often.
	* @returns {number}
	*/
	function bytes_live() {
		return wasm.bytes_live();
	}
	/**
	* Calls an operation with its arguments as numbers; `weft::op` says how each kind stands there.
	* @param {number} operation
	* @param {Float64Array | number[]} _arguments
	* @returns {number}
	*/
	function call(operation, _arguments) {
		const val2 = +operation;
		const ptr0 = passArrayF64ToWasm0(_arguments, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.call(val2, ptr0, len0);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* Calls an operation that yields several tensors.
	* @param {number} operation
	* @param {Float64Array | number[]} _arguments
	* @returns {Uint32Array}
	*/
	function call_all(operation, _arguments) {
		const val2 = +operation;
		const ptr0 = passArrayF64ToWasm0(_arguments, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.call_all(val2, ptr0, len0);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v3 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v3;
	}
	/**
	* Whether the open device draws on canvases by itself.
	* @returns {boolean}
	*/
	function can_draw() {
		return wasm.can_draw() !== 0;
	}
	/**
	* Draws a tensor over a whole canvas: [height, width], or [height, width, 3 or 4]. Says whether it did; if not, it must be tried again when the
	* device is idle.
	*
	* Deferred: few programs draw on a canvas of their own.
	* @param {number} number
	* @param {number} x
	* @param {number} low
	* @param {number} high
	* @param {string} colormap
	* @param {boolean} flip
	* @returns {boolean}
	*/
	function canvas_draw(number, x, low, high, colormap, flip) {
		const val2 = +number;
		const val3 = +x;
		const val4 = +low;
		const val5 = +high;
		const val6 = +flip;
		const ptr0 = passStringToWasm0(colormap, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.canvas_draw(val2, val3, val4, val5, ptr0, len0, val6);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] !== 0;
	}
	/**
	* Lets go of a canvas.
	*
	* Deferred: few programs draw on a canvas of their own.
	* @param {number} number
	*/
	function canvas_drop(number) {
		wasm.canvas_drop(number);
	}
	/**
	* Makes a canvas drawable and gives its number.
	*
	* Deferred: few programs draw on a canvas of their own.
	* @param {OffscreenCanvas} canvas
	* @returns {number}
	*/
	function canvas_surface(canvas) {
		const ret = wasm.canvas_surface(canvas);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* Calls a captured function; `donate` says which inputs it may overwrite.
	* @param {number} number
	* @param {Uint32Array | number[]} inputs
	* @param {Float64Array | number[]} numbers
	* @param {Uint8Array | number[]} donate
	* @returns {Uint32Array}
	*/
	function captured_call(number, inputs, numbers, donate) {
		const val4 = +number;
		let ptr0, len0, ptr1, len1, ptr2, len2;
		try {
			ptr0 = passArray32ToWasm0(inputs, wasm.__wbindgen_malloc);
			len0 = WASM_VECTOR_LEN;
			ptr1 = passArrayF64ToWasm0(numbers, wasm.__wbindgen_malloc);
			len1 = WASM_VECTOR_LEN;
			ptr2 = passArray8ToWasm0(donate, wasm.__wbindgen_malloc);
			len2 = WASM_VECTOR_LEN;
		} catch (e) {
			if (ptr2) wasm.__wbindgen_free(ptr2, len2 * 1, 1);
			if (ptr1) wasm.__wbindgen_free(ptr1, len1 * 8, 8);
			if (ptr0) wasm.__wbindgen_free(ptr0, len0 * 4, 4);
			throw e;
		}
		const ret = wasm.captured_call(val4, ptr0, len0, ptr1, len1, ptr2, len2);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v5 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v5;
	}
	/**
	* Lets go of a captured function.
	* @param {number} number
	*/
	function captured_drop(number) {
		wasm.captured_drop(number);
	}
	/**
	* Another handle to the same tensor.
	* @param {number} x
	* @returns {number}
	*/
	function clone(x) {
		const ret = wasm.clone(x);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* Gives up the open device and everything on it.
	*/
	function close() {
		wasm.close();
	}
	/**
	* How long texts take to compile here: the nanoseconds of an expression, then a name and nanoseconds for each text.
	* @returns {Float64Array}
	*/
	function compile_times() {
		const ret = wasm.compile_times();
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v1 = getArrayF64FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 8, 8);
		return v1;
	}
	/**
	* Gives up the function begun last.
	*/
	function custom_abort() {
		wasm.custom_abort();
	}
	/**
	* Begins a function with a derivative of its own: what stands for its inputs. Every call needs a [`custom_end`] or [`custom_abort`].
	*
	* Deferred: few programs give derivatives of their own.
	* @param {string} name
	* @param {Uint32Array | number[]} inputs
	* @returns {Uint32Array}
	*/
	function custom_begin(name, inputs) {
		let ptr0, len0, ptr1, len1;
		try {
			ptr0 = passStringToWasm0(name, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
			len0 = WASM_VECTOR_LEN;
			ptr1 = passArray32ToWasm0(inputs, wasm.__wbindgen_malloc);
			len1 = WASM_VECTOR_LEN;
		} catch (e) {
			if (ptr1) wasm.__wbindgen_free(ptr1, len1 * 4, 4);
			if (ptr0) wasm.__wbindgen_free(ptr0, len0 * 1, 1);
			throw e;
		}
		const ret = wasm.custom_begin(ptr0, len0, ptr1, len1);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v3 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v3;
	}
	/**
	* Ends the function begun last, with its results and the derivatives that its rule makes of the seeds; `again` where it called itself.
	*
	* Deferred: few programs give derivatives of their own.
	* @param {string} name
	* @param {Uint32Array | number[]} inputs
	* @param {Uint32Array | number[]} outputs
	* @param {Uint32Array | number[]} seeds
	* @param {Uint32Array | number[]} derived
	* @param {boolean} again
	* @returns {Uint32Array}
	*/
	function custom_end(name, inputs, outputs, seeds, derived, again) {
		const val6 = +again;
		let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4;
		try {
			ptr0 = passStringToWasm0(name, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
			len0 = WASM_VECTOR_LEN;
			ptr1 = passArray32ToWasm0(inputs, wasm.__wbindgen_malloc);
			len1 = WASM_VECTOR_LEN;
			ptr2 = passArray32ToWasm0(outputs, wasm.__wbindgen_malloc);
			len2 = WASM_VECTOR_LEN;
			ptr3 = passArray32ToWasm0(seeds, wasm.__wbindgen_malloc);
			len3 = WASM_VECTOR_LEN;
			ptr4 = passArray32ToWasm0(derived, wasm.__wbindgen_malloc);
			len4 = WASM_VECTOR_LEN;
		} catch (e) {
			if (ptr4) wasm.__wbindgen_free(ptr4, len4 * 4, 4);
			if (ptr3) wasm.__wbindgen_free(ptr3, len3 * 4, 4);
			if (ptr2) wasm.__wbindgen_free(ptr2, len2 * 4, 4);
			if (ptr1) wasm.__wbindgen_free(ptr1, len1 * 4, 4);
			if (ptr0) wasm.__wbindgen_free(ptr0, len0 * 1, 1);
			throw e;
		}
		const ret = wasm.custom_end(ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, ptr4, len4, val6);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v7 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v7;
	}
	/**
	* What stands for a derivative of a tensor like `x`.
	* @param {number} x
	* @returns {number}
	*/
	function custom_seed(x) {
		const ret = wasm.custom_seed(x);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* The numbers of the operations that are in the deferred part of the WebAssembly.
	* @returns {Uint32Array}
	*/
	function deferred_ops() {
		const ret = wasm.deferred_ops();
		var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v1;
	}
	/**
	* Gives a handle back. Harmless for one that names nothing any more.
	* @param {number} handle
	*/
	function dispose(handle) {
		wasm.dispose(handle);
	}
	/**
	* Gives several handles back.
	* @param {Uint32Array | number[]} handles
	*/
	function dispose_all(handles) {
		const ptr0 = passArray32ToWasm0(handles, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		wasm.dispose_all(ptr0, len0);
	}
	/**
	* The code of a tensor's dtype.
	* @param {number} x
	* @returns {number}
	*/
	function dtype(x) {
		const ret = wasm.dtype(x);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* Ends the last transform opened.
	*/
	function end_transform() {
		wasm.end_transform();
	}
	/**
	* Goes over to the device opened last, and ends all handles of the one before: at once, so that no call comes in between.
	*/
	function enter() {
		wasm.enter();
	}
	/**
	* What ran under a label: how often each program did, then what it is.
	*
	* Deferred: an explanation is asked for by hand.
	* @param {number} label
	* @returns {string[]}
	*/
	function explain_runs(label) {
		const ret = wasm.explain_runs(label);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v1 = getArrayJsValueFromWasm0(ret[0], ret[1]);
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v1;
	}
	/**
	* What reading a tensor now would run.
	*
	* Deferred: an explanation is asked for by hand.
	* @param {number} x
	* @returns {string}
	*/
	function explain_tensor(x) {
		let deferred2_0;
		let deferred2_1;
		try {
			const ret = wasm.explain_tensor(x);
			var ptr1 = ret[0];
			var len1 = ret[1];
			if (ret[3]) {
				ptr1 = 0;
				len1 = 0;
				throw takeFromExternrefTable0(ret[2]);
			}
			deferred2_0 = ptr1;
			deferred2_1 = len1;
			return getStringFromWasm0(ptr1, len1);
		} finally {
			wasm.__wbindgen_free(deferred2_0, deferred2_1, 1);
		}
	}
	/**
	* Begins: the next function that is explained is exported.
	*
	* Deferred: an export is asked for by hand.
	*/
	function export_begin() {
		wasm.export_begin();
	}
	/**
	* Ends, and gives the plan, then the WGSL of each kernel.
	*
	* Deferred: an export is asked for by hand.
	* @returns {string[]}
	*/
	function export_take() {
		const ret = wasm.export_take();
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v1 = getArrayJsValueFromWasm0(ret[0], ret[1]);
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v1;
	}
	/**
	* The tensors that the plan taken last calls weights.
	*
	* Deferred: an export is asked for by hand.
	* @returns {Uint32Array}
	*/
	function export_weights() {
		const ret = wasm.export_weights();
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v1;
	}
	/**
	* How many bytes could not be had, if that was not told as an error: 0 unless the instance stopped for want of memory.
	* @returns {number}
	*/
	function failed_allocation() {
		return wasm.failed_allocation();
	}
	/**
	* A tensor of the words that a buffer would hold.
	* @param {Uint32Array} words
	* @param {Uint32Array | number[]} shape
	* @param {number} of
	* @returns {number}
	*/
	function from_words(words, shape, of) {
		const val2 = +of;
		const ptr0 = passArray32ToWasm0(shape, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.from_words(words, ptr0, len0, val2);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* The gradients of a loss by each of `marks`.
	* @param {number} loss
	* @param {Uint32Array | number[]} marks
	* @returns {Uint32Array}
	*/
	function gradients(loss, marks) {
		const val2 = +loss;
		const ptr0 = passArray32ToWasm0(marks, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.gradients(val2, ptr0, len0);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v3 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v3;
	}
	/**
	* Whether a comparison may compute a tensor's value again: then its values do not stand for it.
	* @param {number} x
	* @returns {boolean}
	*/
	function has_recipe(x) {
		return wasm.has_recipe(x) !== 0;
	}
	/**
	* A promise for the moment when everything submitted has run.
	* @returns {Promise<any>}
	*/
	function idle() {
		const ret = wasm.idle();
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return takeFromExternrefTable0(ret[0]);
	}
	/**
	* Inflates raw deflated data until `plain` is full: how many bytes there are, infinite if they are more than that, NaN where the data is corrupt or ends
	* too soon.
	* @param {Uint8Array} packed
	* @param {Uint8Array} plain
	* @returns {number}
	*/
	function inflate_raw(packed, plain) {
		return wasm.inflate_raw(packed, plain);
	}
	/**
	* Answers a question: `record` (what is noted of runs from now on: 0 nothing, 1 which ran and how long each dispatch took, 2 what they
	* were given and whether their results are finite, from the run on whose number is the second), `runs` and `program` of a label, `memory` with the
	* numbers of the nodes of the handles in the text, `finite`, `edited` (the program of a label, its kernel, and another text) and `limits`. A
	* question is a word and its numbers, with spaces between them, then a line break and its text.
	*
	* Deferred: inspectors ask for it by hand.
	* @param {string} question
	* @returns {Promise<any>}
	*/
	function inspect(question) {
		const ptr0 = passStringToWasm0(question, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
		const len0 = WASM_VECTOR_LEN;
		return wasm.inspect(ptr0, len0);
	}
	/**
	* From now on tensors are asked for at the call site of that number.
	*
	* Deferred: inspectors ask for it by hand.
	* @param {number} number
	*/
	function inspect_site(number) {
		wasm.inspect_site(number);
	}
	/**
	* Installs `factory(class, op, message)`, which makes the errors to throw, and reports defects through it.
	* @param {Function} factory
	*/
	function install_errors(factory) {
		wasm.install_errors(factory);
	}
	/**
	* Whether the open device is a GPU that was lost.
	* @returns {boolean}
	*/
	function is_lost() {
		return wasm.is_lost() !== 0;
	}
	/**
	* Whether a transform is open.
	* @returns {boolean}
	*/
	function is_transforming() {
		return wasm.is_transforming() !== 0;
	}
	/**
	* The derivatives of each output by each mark, output by output.
	*
	* Deferred: few programs need whole Jacobians.
	* @param {Uint32Array | number[]} outputs
	* @param {Uint32Array | number[]} marks
	* @param {boolean} reverse
	* @returns {Uint32Array}
	*/
	function jacobians(outputs, marks, reverse) {
		const val3 = +reverse;
		let ptr0, len0, ptr1, len1;
		try {
			ptr0 = passArray32ToWasm0(outputs, wasm.__wbindgen_malloc);
			len0 = WASM_VECTOR_LEN;
			ptr1 = passArray32ToWasm0(marks, wasm.__wbindgen_malloc);
			len1 = WASM_VECTOR_LEN;
		} catch (e) {
			if (ptr1) wasm.__wbindgen_free(ptr1, len1 * 4, 4);
			if (ptr0) wasm.__wbindgen_free(ptr0, len0 * 4, 4);
			throw e;
		}
		const ret = wasm.jacobians(ptr0, len0, ptr1, len1, val3);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v4 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v4;
	}
	/**
	* The derivatives of the outputs along tangents of the marks.
	*
	* Deferred: few programs differentiate forwards.
	* @param {Uint32Array | number[]} outputs
	* @param {Uint32Array | number[]} marks
	* @param {Uint32Array | number[]} tangents
	* @returns {Uint32Array}
	*/
	function jvp(outputs, marks, tangents) {
		let ptr0, len0, ptr1, len1, ptr2, len2;
		try {
			ptr0 = passArray32ToWasm0(outputs, wasm.__wbindgen_malloc);
			len0 = WASM_VECTOR_LEN;
			ptr1 = passArray32ToWasm0(marks, wasm.__wbindgen_malloc);
			len1 = WASM_VECTOR_LEN;
			ptr2 = passArray32ToWasm0(tangents, wasm.__wbindgen_malloc);
			len2 = WASM_VECTOR_LEN;
		} catch (e) {
			if (ptr2) wasm.__wbindgen_free(ptr2, len2 * 4, 4);
			if (ptr1) wasm.__wbindgen_free(ptr1, len1 * 4, 4);
			if (ptr0) wasm.__wbindgen_free(ptr0, len0 * 4, 4);
			throw e;
		}
		const ret = wasm.jvp(ptr0, len0, ptr1, len1, ptr2, len2);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v4 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v4;
	}
	/**
	* Calls a kernel over a grid. `shapes` has the extents of each output, one after the other. Gives the outputs.
	*
	* Deferred: few programs have kernels of users.
	* @param {number} number
	* @param {Uint32Array | number[]} tensors
	* @param {Float64Array | number[]} numbers
	* @param {Uint32Array | number[]} grid
	* @param {Uint32Array | number[]} shapes
	* @returns {Uint32Array}
	*/
	function kernel_call(number, tensors, numbers, grid, shapes) {
		const val5 = +number;
		let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3;
		try {
			ptr0 = passArray32ToWasm0(tensors, wasm.__wbindgen_malloc);
			len0 = WASM_VECTOR_LEN;
			ptr1 = passArrayF64ToWasm0(numbers, wasm.__wbindgen_malloc);
			len1 = WASM_VECTOR_LEN;
			ptr2 = passArray32ToWasm0(grid, wasm.__wbindgen_malloc);
			len2 = WASM_VECTOR_LEN;
			ptr3 = passArray32ToWasm0(shapes, wasm.__wbindgen_malloc);
			len3 = WASM_VECTOR_LEN;
		} catch (e) {
			if (ptr3) wasm.__wbindgen_free(ptr3, len3 * 4, 4);
			if (ptr2) wasm.__wbindgen_free(ptr2, len2 * 4, 4);
			if (ptr1) wasm.__wbindgen_free(ptr1, len1 * 8, 8);
			if (ptr0) wasm.__wbindgen_free(ptr0, len0 * 4, 4);
			throw e;
		}
		const ret = wasm.kernel_call(val5, ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v6 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v6;
	}
	/**
	* Lets go of a kernel.
	*
	* Deferred: few programs have kernels of users.
	* @param {number} number
	*/
	function kernel_drop(number) {
		wasm.kernel_drop(number);
	}
	/**
	* Makes a kernel of words and names, and gives its number. Errors with `Value` when they are no kernel or one that is not
	* well formed.
	*
	* Deferred: few programs have kernels of users.
	* @param {Uint32Array | number[]} words
	* @param {string[]} names
	* @returns {number}
	*/
	function kernel_new(words, names) {
		let ptr0, len0, ptr1, len1;
		try {
			ptr0 = passArray32ToWasm0(words, wasm.__wbindgen_malloc);
			len0 = WASM_VECTOR_LEN;
			ptr1 = passArrayJsValueToWasm0(names, wasm.__wbindgen_malloc);
			len1 = WASM_VECTOR_LEN;
		} catch (e) {
			if (ptr1) {
				wasm.__externref_drop_slice(ptr1, len1);
				wasm.__wbindgen_free(ptr1, len1 * 4, 4);
			}
			if (ptr0) wasm.__wbindgen_free(ptr0, len0 * 4, 4);
			throw e;
		}
		const ret = wasm.kernel_new(ptr0, len0, ptr1, len1);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* Makes a kernel of WGSL; words and names say what it reads and yields. `atomic` says of each output whether its elements are. Errors as
	* `kernel_new`.
	*
	* Deferred: few programs have kernels of users.
	* @param {Uint32Array | number[]} words
	* @param {string[]} names
	* @param {string} text
	* @param {Uint8Array | number[]} atomic
	* @returns {number}
	*/
	function kernel_of_source(words, names, text, atomic) {
		let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3;
		try {
			ptr0 = passArray32ToWasm0(words, wasm.__wbindgen_malloc);
			len0 = WASM_VECTOR_LEN;
			ptr1 = passArrayJsValueToWasm0(names, wasm.__wbindgen_malloc);
			len1 = WASM_VECTOR_LEN;
			ptr2 = passStringToWasm0(text, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
			len2 = WASM_VECTOR_LEN;
			ptr3 = passArray8ToWasm0(atomic, wasm.__wbindgen_malloc);
			len3 = WASM_VECTOR_LEN;
		} catch (e) {
			if (ptr3) wasm.__wbindgen_free(ptr3, len3 * 1, 1);
			if (ptr2) wasm.__wbindgen_free(ptr2, len2 * 1, 1);
			if (ptr1) {
				wasm.__externref_drop_slice(ptr1, len1);
				wasm.__wbindgen_free(ptr1, len1 * 4, 4);
			}
			if (ptr0) wasm.__wbindgen_free(ptr0, len0 * 4, 4);
			throw e;
		}
		const ret = wasm.kernel_of_source(ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* Notes from now on which programs run, under a label other than 0.
	* @param {number} label
	*/
	function label_runs(label) {
		const ret = wasm.label_runs(label);
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	/**
	* Takes what `compile_times` gave on an earlier visit.
	* @param {Float64Array | number[]} times
	*/
	function learn_compile_times(times) {
		const ptr0 = passArrayF64ToWasm0(times, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.learn_compile_times(ptr0, len0);
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	/**
	* Number of tensors and parameters that JavaScript holds.
	* @returns {number}
	*/
	function lives() {
		return wasm.lives() >>> 0;
	}
	/**
	* Closes the innermost region as a loop of `iterations` at most (negative: no end), as long as `condition` holds (0: always). Gives what is
	* carried in the end, then what is stacked.
	*
	* Deferred: few programs have loops or branches.
	* @param {Uint32Array | number[]} state
	* @param {Uint32Array | number[]} xs
	* @param {Uint32Array | number[]} next
	* @param {Uint32Array | number[]} stacks
	* @param {number} condition
	* @param {number} iterations
	* @param {boolean} reverse
	* @returns {Uint32Array}
	*/
	function loop_close(state, xs, next, stacks, condition, iterations, reverse) {
		const val5 = +condition;
		const val6 = +iterations;
		const val7 = +reverse;
		let ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3;
		try {
			ptr0 = passArray32ToWasm0(state, wasm.__wbindgen_malloc);
			len0 = WASM_VECTOR_LEN;
			ptr1 = passArray32ToWasm0(xs, wasm.__wbindgen_malloc);
			len1 = WASM_VECTOR_LEN;
			ptr2 = passArray32ToWasm0(next, wasm.__wbindgen_malloc);
			len2 = WASM_VECTOR_LEN;
			ptr3 = passArray32ToWasm0(stacks, wasm.__wbindgen_malloc);
			len3 = WASM_VECTOR_LEN;
		} catch (e) {
			if (ptr3) wasm.__wbindgen_free(ptr3, len3 * 4, 4);
			if (ptr2) wasm.__wbindgen_free(ptr2, len2 * 4, 4);
			if (ptr1) wasm.__wbindgen_free(ptr1, len1 * 4, 4);
			if (ptr0) wasm.__wbindgen_free(ptr0, len0 * 4, 4);
			throw e;
		}
		const ret = wasm.loop_close(ptr0, len0, ptr1, len1, ptr2, len2, ptr3, len3, val5, val6, val7);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v8 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v8;
	}
	/**
	* The same tensor with an identity of its own, to differentiate by.
	* @param {number} x
	* @returns {number}
	*/
	function mark(x) {
		const ret = wasm.mark(x);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* A 0-d tensor of a number that is no part of what is compiled.
	* @param {number} value
	* @param {number} of
	* @returns {number}
	*/
	function number(value, of) {
		const ret = wasm.number(value, of);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* A plain number that stands as a tensor, as a tensor of a dtype; any other tensor as it is.
	* @param {number} x
	* @param {number} of
	* @returns {number}
	*/
	function number_as(x, of) {
		const ret = wasm.number_as(x, of);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* What stands for a number in the function being captured.
	* @param {number} like
	* @returns {number}
	*/
	function number_placeholder(like) {
		const ret = wasm.number_placeholder(like);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* The names of all operations, in the order of their numbers.
	* @returns {string[]}
	*/
	function op_names() {
		const ret = wasm.op_names();
		var v1 = getArrayJsValueFromWasm0(ret[0], ret[1]);
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v1;
	}
	/**
	* Opens a device without using it yet: the CPU, or WebGPU with what JavaScript found out about the adapter, an object of
	* `vendor`, `architecture`, `description`, `isFallback`, `subgroups`, `lowPower` and `oneTier`. The adapter is asked for before this returns: JavaScript sees to it which one
	* that is.
	* @param {boolean} cpu
	* @param {any} facts
	* @returns {Promise<any>}
	*/
	function open(cpu, facts) {
		return wasm.open(cpu, facts);
	}
	/**
	* Lets go of an optimizer and its state.
	* @param {number} number
	*/
	function optimizer_drop(number) {
		wasm.optimizer_drop(number);
	}
	/**
	* The learning rate.
	* @param {number} number
	* @returns {number}
	*/
	function optimizer_lr(number) {
		const ret = wasm.optimizer_lr(number);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0];
	}
	/**
	* An optimizer of some parameters: by the number of its rule, with the rule's options in order, flags as 0 and 1.
	* @param {number} rule
	* @param {Uint32Array | number[]} parameters
	* @param {Float64Array | number[]} options
	* @returns {number}
	*/
	function optimizer_new(rule, parameters, options) {
		const val3 = +rule;
		let ptr0, len0, ptr1, len1;
		try {
			ptr0 = passArray32ToWasm0(parameters, wasm.__wbindgen_malloc);
			len0 = WASM_VECTOR_LEN;
			ptr1 = passArrayF64ToWasm0(options, wasm.__wbindgen_malloc);
			len1 = WASM_VECTOR_LEN;
		} catch (e) {
			if (ptr1) wasm.__wbindgen_free(ptr1, len1 * 8, 8);
			if (ptr0) wasm.__wbindgen_free(ptr0, len0 * 4, 4);
			throw e;
		}
		const ret = wasm.optimizer_new(val3, ptr0, len0, ptr1, len1);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* Changes the learning rate.
	* @param {number} number
	* @param {number} lr
	*/
	function optimizer_set_lr(number, lr) {
		const ret = wasm.optimizer_set_lr(number, lr);
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	/**
	* Has it go on as if it had made this many steps.
	* @param {number} number
	* @param {number} steps
	*/
	function optimizer_set_steps(number, steps) {
		const ret = wasm.optimizer_set_steps(number, steps);
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	/**
	* Handles of what an optimizer keeps of one of its parameters: they are parameters, to be read and assigned.
	*
	* Deferred: most training uses SGD or Adam.
	* @param {number} number
	* @param {number} parameter
	* @returns {Uint32Array}
	*/
	function optimizer_states(number, parameter) {
		const ret = wasm.optimizer_states(number, parameter);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v1;
	}
	/**
	* One step by these gradients, whose handles are given back, and a flush, unless more optimizers make theirs with it. 0 stands for no gradient.
	* @param {number} number
	* @param {Uint32Array | number[]} gradients
	* @param {boolean} more
	*/
	function optimizer_step(number, gradients, more) {
		const val2 = +number;
		const val3 = +more;
		const ptr0 = passArray32ToWasm0(gradients, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.optimizer_step(val2, ptr0, len0, val3);
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	/**
	* How many steps it made.
	* @param {number} number
	* @returns {number}
	*/
	function optimizer_steps(number) {
		const ret = wasm.optimizer_steps(number);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0];
	}
	/**
	* A parameter that holds the tensor of `x`; its handle serves as a tensor's.
	* @param {number} x
	* @returns {number}
	*/
	function parameter(x) {
		const ret = wasm.parameter(x);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* Puts another tensor in a parameter's place.
	* @param {number} at
	* @param {number} x
	*/
	function parameter_set(at, x) {
		const ret = wasm.parameter_set(at, x);
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	/**
	* What stands for a tensor like `x` in the function being captured.
	* @param {number} x
	* @returns {number}
	*/
	function placeholder(x) {
		const ret = wasm.placeholder(x);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* True with a probability.
	* @param {number} key
	* @param {Uint32Array | number[]} shape
	* @param {number} probability
	* @returns {number}
	*/
	function random_bernoulli(key, shape, probability) {
		const val2 = +key;
		const val3 = +probability;
		const ptr0 = passArray32ToWasm0(shape, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.random_bernoulli(val2, ptr0, len0, val3);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* Uniform u32.
	* @param {number} key
	* @param {Uint32Array | number[]} shape
	* @returns {number}
	*/
	function random_bits(key, shape) {
		const val2 = +key;
		const ptr0 = passArray32ToWasm0(shape, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.random_bits(val2, ptr0, len0);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* A new key from a key and a number.
	* @param {number} key
	* @param {number} number
	* @returns {number}
	*/
	function random_fold_in(key, number) {
		const ret = wasm.random_fold_in(key, number);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* A new key from a key and a 0-d integer.
	* @param {number} key
	* @param {number} number
	* @returns {number}
	*/
	function random_fold_in_tensor(key, number) {
		const ret = wasm.random_fold_in_tensor(key, number);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* The key of a seed.
	* @param {number} high
	* @param {number} low
	* @returns {number}
	*/
	function random_key(high, low) {
		const ret = wasm.random_key(high, low);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* The next key of the stateful generator.
	* @returns {number}
	*/
	function random_next() {
		const ret = wasm.random_next();
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* Normal f32 of a mean and a standard deviation.
	* @param {number} key
	* @param {Uint32Array | number[]} shape
	* @param {number} mean
	* @param {number} deviation
	* @returns {number}
	*/
	function random_normal(key, shape, mean, deviation) {
		const val2 = +key;
		const val3 = +mean;
		const val4 = +deviation;
		const ptr0 = passArray32ToWasm0(shape, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.random_normal(val2, ptr0, len0, val3, val4);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* Whole numbers in [low, high).
	* @param {number} key
	* @param {Uint32Array | number[]} shape
	* @param {number} low
	* @param {number} high
	* @param {number} of
	* @returns {number}
	*/
	function random_randint(key, shape, low, high, of) {
		const val2 = +key;
		const val3 = +low;
		const val4 = +high;
		const val5 = +of;
		const ptr0 = passArray32ToWasm0(shape, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.random_randint(val2, ptr0, len0, val3, val4, val5);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* Has the stateful generator go on from there.
	* @param {number} a
	* @param {number} b
	* @param {number} c
	* @param {number} d
	*/
	function random_restore(a, b, c, d) {
		wasm.random_restore(a, b, c, d);
	}
	/**
	* Restarts the stateful generator.
	* @param {number} high
	* @param {number} low
	*/
	function random_seed(high, low) {
		wasm.random_seed(high, low);
	}
	/**
	* New keys from a key.
	* @param {number} key
	* @param {number} count
	* @returns {number}
	*/
	function random_split(key, count) {
		const ret = wasm.random_split(key, count);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* Where the stateful generator is: four words.
	* @returns {Uint32Array}
	*/
	function random_state() {
		const ret = wasm.random_state();
		var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v1;
	}
	/**
	* Uniform f32 in [low, high).
	* @param {number} key
	* @param {Uint32Array | number[]} shape
	* @param {number} low
	* @param {number} high
	* @returns {number}
	*/
	function random_uniform(key, shape, low, high) {
		const val2 = +key;
		const val3 = +low;
		const val4 = +high;
		const ptr0 = passArray32ToWasm0(shape, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.random_uniform(val2, ptr0, len0, val3, val4);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* The bytes of a tensor: four for each element.
	* @param {number} x
	* @returns {Promise<any>}
	*/
	function read(x) {
		const ret = wasm.read(x);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return takeFromExternrefTable0(ret[0]);
	}
	/**
	* Reads an IDX file, gzipped or not, of at most `max_bytes` bytes when it is unpacked: an array of its extents (an array too) and its elements, in the
	* typed array of their type.
	* @param {Uint8Array} bytes
	* @param {number} max_bytes
	* @returns {Array<any>}
	*/
	function read_idx(bytes, max_bytes) {
		const ret = wasm.read_idx(bytes, max_bytes);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return takeFromExternrefTable0(ret[0]);
	}
	/**
	* Computes tensors without reading them, in one submit.
	* @param {Uint32Array | number[]} tensors
	*/
	function realize(tensors) {
		const ptr0 = passArray32ToWasm0(tensors, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.realize(ptr0, len0);
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	/**
	* Gives up the innermost region.
	*/
	function region_abort() {
		wasm.region_abort();
	}
	/**
	* Begins a region of the operation `name`. Gives what stands for the index of a loop that counts from `from`, for the state, and for slices of
	* `xs`.
	*
	* Deferred: few programs have loops or branches.
	* @param {string} name
	* @param {number} from
	* @param {Uint32Array | number[]} state
	* @param {Uint32Array | number[]} xs
	* @returns {Uint32Array}
	*/
	function region_begin(name, from, state, xs) {
		const val4 = +from;
		let ptr0, len0, ptr1, len1, ptr2, len2;
		try {
			ptr0 = passStringToWasm0(name, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
			len0 = WASM_VECTOR_LEN;
			ptr1 = passArray32ToWasm0(state, wasm.__wbindgen_malloc);
			len1 = WASM_VECTOR_LEN;
			ptr2 = passArray32ToWasm0(xs, wasm.__wbindgen_malloc);
			len2 = WASM_VECTOR_LEN;
		} catch (e) {
			if (ptr2) wasm.__wbindgen_free(ptr2, len2 * 4, 4);
			if (ptr1) wasm.__wbindgen_free(ptr1, len1 * 4, 4);
			if (ptr0) wasm.__wbindgen_free(ptr0, len0 * 1, 1);
			throw e;
		}
		const ret = wasm.region_begin(ptr0, len0, val4, ptr1, len1, ptr2, len2);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v5 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v5;
	}
	/**
	* Counts the peak of memory from now on.
	*/
	function reset_peak() {
		const ret = wasm.reset_peak();
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	/**
	* Extents of a tensor.
	* @param {number} x
	* @returns {Uint32Array}
	*/
	function shape(x) {
		const ret = wasm.shape(x);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v1 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v1;
	}
	/**
	* Consecutive pieces of the given lengths.
	* @param {number} x
	* @param {Uint32Array | number[]} lengths
	* @param {number} axis
	* @returns {Uint32Array}
	*/
	function split(x, lengths, axis) {
		const val2 = +x;
		const val3 = +axis;
		const ptr0 = passArray32ToWasm0(lengths, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.split(val2, ptr0, len0, val3);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v4 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v4;
	}
	/**
	* What stands for a tensor like `x` that is given later.
	* @param {number} x
	* @returns {number}
	*/
	function stand_in(x) {
		const ret = wasm.stand_in(x);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* Puts marks of what parameters hold in its place, and gives their handles. Every call that succeeds needs a [`stand_in_end`].
	* @param {Uint32Array | number[]} parameters
	* @returns {Uint32Array}
	*/
	function stand_in_begin(parameters) {
		const ptr0 = passArray32ToWasm0(parameters, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.stand_in_begin(ptr0, len0);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v2 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v2;
	}
	/**
	* Gives the parameters of the last [`stand_in_begin`] their tensors back, but for those that were assigned since.
	*/
	function stand_in_end() {
		const ret = wasm.stand_in_end();
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	/**
	* The device's counters and memory, as an object with the names that the package documents; of a label's work, if that is given.
	* @param {number | null} [label]
	* @returns {object}
	*/
	function stats(label) {
		const ret = wasm.stats(isLikeNone(label) ? Number.MAX_SAFE_INTEGER : label >>> 0);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return takeFromExternrefTable0(ret[0]);
	}
	/**
	* The outputs with stand-ins exchanged for tensors.
	*
	* Deferred: few programs linearise.
	* @param {Uint32Array | number[]} outputs
	* @param {Uint32Array | number[]} stand_ins
	* @param {Uint32Array | number[]} xs
	* @returns {Uint32Array}
	*/
	function substitute(outputs, stand_ins, xs) {
		let ptr0, len0, ptr1, len1, ptr2, len2;
		try {
			ptr0 = passArray32ToWasm0(outputs, wasm.__wbindgen_malloc);
			len0 = WASM_VECTOR_LEN;
			ptr1 = passArray32ToWasm0(stand_ins, wasm.__wbindgen_malloc);
			len1 = WASM_VECTOR_LEN;
			ptr2 = passArray32ToWasm0(xs, wasm.__wbindgen_malloc);
			len2 = WASM_VECTOR_LEN;
		} catch (e) {
			if (ptr2) wasm.__wbindgen_free(ptr2, len2 * 4, 4);
			if (ptr1) wasm.__wbindgen_free(ptr1, len1 * 4, 4);
			if (ptr0) wasm.__wbindgen_free(ptr0, len0 * 4, 4);
			throw e;
		}
		const ret = wasm.substitute(ptr0, len0, ptr1, len1, ptr2, len2);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v4 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v4;
	}
	/**
	* A promise for the moment when the device has caught up with what was asked of it; nothing where it has.
	* @returns {Promise<any> | undefined}
	*/
	function throttle() {
		const ret = wasm.throttle();
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return takeFromExternrefTable0(ret[0]);
	}
	/**
	* A number that changes with every flush: see `Device::ticks`.
	* @returns {number}
	*/
	function ticks() {
		return wasm.ticks() >>> 0;
	}
	/**
	* Gives up capturing.
	*/
	function trace_abort() {
		wasm.trace_abort();
	}
	/**
	* Begins to capture.
	*/
	function trace_begin() {
		const ret = wasm.trace_begin();
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	/**
	* Ends capturing, and gives the captured function's number. The results of a function that is a training step are written into
	* the ledger where they are single floats: losses.
	* @param {Uint32Array | number[]} outputs
	* @param {Uint32Array | number[]} placeholders
	* @param {boolean} is_step
	* @returns {number}
	*/
	function trace_end(outputs, placeholders, is_step) {
		const val3 = +is_step;
		let ptr0, len0, ptr1, len1;
		try {
			ptr0 = passArray32ToWasm0(outputs, wasm.__wbindgen_malloc);
			len0 = WASM_VECTOR_LEN;
			ptr1 = passArray32ToWasm0(placeholders, wasm.__wbindgen_malloc);
			len1 = WASM_VECTOR_LEN;
		} catch (e) {
			if (ptr1) wasm.__wbindgen_free(ptr1, len1 * 4, 4);
			if (ptr0) wasm.__wbindgen_free(ptr0, len0 * 4, 4);
			throw e;
		}
		const ret = wasm.trace_end(ptr0, len0, ptr1, len1, val3);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* Ends capturing, and tells what a call of the captured function would run.
	*
	* Deferred: an explanation is asked for by hand.
	* @param {Uint32Array | number[]} outputs
	* @returns {string}
	*/
	function trace_explain(outputs) {
		let deferred3_0;
		let deferred3_1;
		try {
			const ptr0 = passArray32ToWasm0(outputs, wasm.__wbindgen_malloc);
			const len0 = WASM_VECTOR_LEN;
			const ret = wasm.trace_explain(ptr0, len0);
			var ptr2 = ret[0];
			var len2 = ret[1];
			if (ret[3]) {
				ptr2 = 0;
				len2 = 0;
				throw takeFromExternrefTable0(ret[2]);
			}
			deferred3_0 = ptr2;
			deferred3_1 = len2;
			return getStringFromWasm0(ptr2, len2);
		} finally {
			wasm.__wbindgen_free(deferred3_0, deferred3_1, 1);
		}
	}
	/**
	* Ends capturing, and compiles what a call of the captured function would run: a promise of its fast kernels.
	*
	* Deferred: programs are compiled ahead by hand.
	* @param {Uint32Array | number[]} outputs
	* @returns {Promise<any>}
	*/
	function trace_precompile(outputs) {
		const ptr0 = passArray32ToWasm0(outputs, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.trace_precompile(ptr0, len0);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return takeFromExternrefTable0(ret[0]);
	}
	/**
	* Has `wake` called when there is something to do in idle moments on the open device and was nothing before; it must not call back.
	* @param {Function} wake
	*/
	function tune_begin(wake) {
		const ret = wasm.tune_begin(wake);
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	/**
	* All winners, as text.
	* @returns {string}
	*/
	function tune_export() {
		let deferred2_0;
		let deferred2_1;
		try {
			const ret = wasm.tune_export();
			var ptr1 = ret[0];
			var len1 = ret[1];
			if (ret[3]) {
				ptr1 = 0;
				len1 = 0;
				throw takeFromExternrefTable0(ret[2]);
			}
			deferred2_0 = ptr1;
			deferred2_1 = len1;
			return getStringFromWasm0(ptr1, len1);
		} finally {
			wasm.__wbindgen_free(deferred2_0, deferred2_1, 1);
		}
	}
	/**
	* Takes winners; how many were new.
	* @param {string} text
	* @returns {number}
	*/
	function tune_import(text) {
		const ptr0 = passStringToWasm0(text, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
		const len0 = WASM_VECTOR_LEN;
		const ret = wasm.tune_import(ptr0, len0);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	/**
	* The races that were held, as text, with an empty line between them.
	* @returns {string}
	*/
	function tune_log() {
		let deferred2_0;
		let deferred2_1;
		try {
			const ret = wasm.tune_log();
			var ptr1 = ret[0];
			var len1 = ret[1];
			if (ret[3]) {
				ptr1 = 0;
				len1 = 0;
				throw takeFromExternrefTable0(ret[2]);
			}
			deferred2_0 = ptr1;
			deferred2_1 = len1;
			return getStringFromWasm0(ptr1, len1);
		} finally {
			wasm.__wbindgen_free(deferred2_0, deferred2_1, 1);
		}
	}
	/**
	* Races for some milliseconds, if nothing is asked of the device: a promise of 1 if there is more to do, and 2, added, if a race has ended.
	* @returns {Promise<any>}
	*/
	function tune_slice() {
		return wasm.tune_slice();
	}
	/**
	* Whether kernels may race on the open device.
	* @param {boolean} is_on
	*/
	function tune_switch(is_on) {
		const ret = wasm.tune_switch(is_on);
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	/**
	* The gradients of Σ outputs · cotangents by each of `marks`.
	* @param {Uint32Array | number[]} outputs
	* @param {Uint32Array | number[]} cotangents
	* @param {Uint32Array | number[]} marks
	* @returns {Uint32Array}
	*/
	function vjp(outputs, cotangents, marks) {
		let ptr0, len0, ptr1, len1, ptr2, len2;
		try {
			ptr0 = passArray32ToWasm0(outputs, wasm.__wbindgen_malloc);
			len0 = WASM_VECTOR_LEN;
			ptr1 = passArray32ToWasm0(cotangents, wasm.__wbindgen_malloc);
			len1 = WASM_VECTOR_LEN;
			ptr2 = passArray32ToWasm0(marks, wasm.__wbindgen_malloc);
			len2 = WASM_VECTOR_LEN;
		} catch (e) {
			if (ptr2) wasm.__wbindgen_free(ptr2, len2 * 4, 4);
			if (ptr1) wasm.__wbindgen_free(ptr1, len1 * 4, 4);
			if (ptr0) wasm.__wbindgen_free(ptr0, len0 * 4, 4);
			throw e;
		}
		const ret = wasm.vjp(ptr0, len0, ptr1, len1, ptr2, len2);
		if (ret[3]) throw takeFromExternrefTable0(ret[2]);
		var v4 = getArrayU32FromWasm0(ret[0], ret[1]).slice();
		wasm.__wbindgen_free(ret[0], ret[1] * 4, 4);
		return v4;
	}
	/**
	* Values that came along with gradients: the next flush is to compute those that are still held, because what they were
	* computed from, the parameters of that moment, is about to be replaced and would be kept alive by them.
	* @param {Uint32Array | number[]} handles
	*/
	function watch(handles) {
		const ptr0 = passArray32ToWasm0(handles, wasm.__wbindgen_malloc);
		const len0 = WASM_VECTOR_LEN;
		wasm.watch(ptr0, len0);
	}
	/**
	* A plain number as a 0-d f32 that takes the dtype of what it meets.
	* @param {number} value
	* @returns {number}
	*/
	function weak_number(value) {
		const ret = wasm.weak_number(value);
		if (ret[2]) throw takeFromExternrefTable0(ret[1]);
		return ret[0] >>> 0;
	}
	function __wbg_get_imports() {
		return {
			__proto__: null,
			"./weft_wasm_bg.js": {
				__weft_load_rest: loadRest,
				__proto__: null,
				__wbg_Window_2805651c516cb7aa: function(arg0) {
					return arg0.Window;
				},
				__wbg_WorkerGlobalScope_174390815d0a4893: function(arg0) {
					return arg0.WorkerGlobalScope;
				},
				__wbg___wbindgen_debug_string_f249a2a76caa9a55: function(arg0, arg1) {
					const ptr1 = passStringToWasm0(debugString(arg1), wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
					const len1 = WASM_VECTOR_LEN;
					getDataViewMemory0().setInt32((arg0 >>> 0) + 4, len1, true);
					getDataViewMemory0().setInt32((arg0 >>> 0) + 0, ptr1, true);
				},
				__wbg___wbindgen_is_falsy_d864b623500ae65d: function(arg0) {
					return !arg0;
				},
				__wbg___wbindgen_is_function_741ff2bb612836f5: function(arg0) {
					return typeof arg0 === "function";
				},
				__wbg___wbindgen_is_null_c22311b1cc228e3a: function(arg0) {
					return arg0 === null;
				},
				__wbg___wbindgen_is_string_fc456fee5d3317de: function(arg0) {
					return typeof arg0 === "string";
				},
				__wbg___wbindgen_is_undefined_be5b34249ff1fc15: function(arg0) {
					return arg0 === void 0;
				},
				__wbg___wbindgen_rethrow_d953c34c2e20677f: function(arg0) {
					throw arg0;
				},
				__wbg___wbindgen_string_get_7ce8eee7fd327545: function(arg0, arg1) {
					const obj = arg1;
					const ret = typeof obj === "string" ? obj : void 0;
					var ptr1 = isLikeNone(ret) ? 0 : passStringToWasm0(ret, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
					var len1 = WASM_VECTOR_LEN;
					getDataViewMemory0().setInt32((arg0 >>> 0) + 4, len1, true);
					getDataViewMemory0().setInt32((arg0 >>> 0) + 0, ptr1, true);
				},
				__wbg___wbindgen_throw_4c88d8bf264fd984: function(arg0, arg1) {
					throw new Error(getStringFromWasm0(arg0, arg1));
				},
				__wbg__wbg_cb_unref_09736879a3f67559: function(arg0) {
					arg0._wbg_cb_unref();
				},
				__wbg_beginComputePass_b9a325184985e6ff: function(arg0, arg1) {
					return arg0.beginComputePass(arg1);
				},
				__wbg_beginRenderPass_597e3973321fd369: function(arg0, arg1) {
					try {
						return arg0.beginRenderPass(arg1);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_buffer_9e12a16e72b0c535: function(arg0) {
					return arg0.buffer;
				},
				__wbg_buffer_aca05a93c046db1a: function(arg0) {
					return arg0.buffer;
				},
				__wbg_byteLength_250b55fbb9fd4b5c: function(arg0) {
					return arg0.byteLength;
				},
				__wbg_byteOffset_3de44b19f5a9e477: function(arg0) {
					return arg0.byteOffset;
				},
				__wbg_call_275b78b3b6520b92: function(arg0, arg1, arg2, arg3, arg4) {
					try {
						return arg0.call(arg1, arg2, arg3, arg4);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_call_40b008ba32f73991: function(arg0, arg1) {
					try {
						return arg0.call(arg1);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_call_7289f81a1b81035d: function(arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8) {
					try {
						arg0.call(arg1 === 16777215 ? void 0 : arg1 !== 0, getStringFromWasm0(arg2, arg3), arg4 >>> 0, arg5 >>> 0, arg6 >>> 0, arg7 !== 0, arg8);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_call_a410eb4b59ed5965: function(arg0, arg1, arg2) {
					try {
						return arg0.call(arg1, arg2);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_configure_8e04ab1a867d31e1: function(arg0, arg1) {
					try {
						arg0.configure(arg1);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_copyBufferToBuffer_0c93ff5b22a585e9: function(arg0, arg1, arg2, arg3, arg4, arg5) {
					try {
						arg0.copyBufferToBuffer(arg1, arg2, arg3, arg4, arg5);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_copyBufferToBuffer_d04fe4341d6e0f6a: function(arg0, arg1, arg2, arg3, arg4) {
					try {
						arg0.copyBufferToBuffer(arg1, arg2, arg3, arg4);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_createBindGroupLayout_5699617270d84042: function(arg0, arg1) {
					try {
						return arg0.createBindGroupLayout(arg1);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_createBindGroup_f539b26ca341308f: function(arg0, arg1) {
					return arg0.createBindGroup(arg1);
				},
				__wbg_createBuffer_b8c5b520d2c822b8: function(arg0, arg1) {
					try {
						return arg0.createBuffer(arg1);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_createCommandEncoder_3352d1ffc36c6fc0: function(arg0, arg1) {
					return arg0.createCommandEncoder(arg1);
				},
				__wbg_createComputePipeline_224fa2618d9948a0: function(arg0, arg1) {
					return arg0.createComputePipeline(arg1);
				},
				__wbg_createPipelineLayout_6eab52c327118937: function(arg0, arg1) {
					return arg0.createPipelineLayout(arg1);
				},
				__wbg_createQuerySet_4a3a1eb942cab7ca: function(arg0, arg1) {
					try {
						return arg0.createQuerySet(arg1);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_createRenderPipeline_58390ba302107691: function(arg0, arg1) {
					try {
						return arg0.createRenderPipeline(arg1);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_createShaderModule_cefa51336cb288ae: function(arg0, arg1) {
					return arg0.createShaderModule(arg1);
				},
				__wbg_createView_96e5e405cc3c01e8: function(arg0, arg1) {
					try {
						return arg0.createView(arg1);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_description_7a568e202a00293f: function(arg0, arg1) {
					const ret = arg1.description;
					const ptr1 = passStringToWasm0(ret, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
					const len1 = WASM_VECTOR_LEN;
					getDataViewMemory0().setInt32((arg0 >>> 0) + 4, len1, true);
					getDataViewMemory0().setInt32((arg0 >>> 0) + 0, ptr1, true);
				},
				__wbg_destroy_275564a0a8b8d071: function(arg0) {
					arg0.destroy();
				},
				__wbg_destroy_637537007d9eaa44: function(arg0) {
					arg0.destroy();
				},
				__wbg_dispatchWorkgroupsIndirect_efe17f2da3a39a3f: function(arg0, arg1, arg2) {
					arg0.dispatchWorkgroupsIndirect(arg1, arg2);
				},
				__wbg_dispatchWorkgroups_56b943172790add0: function(arg0, arg1, arg2, arg3) {
					arg0.dispatchWorkgroups(arg1 >>> 0, arg2 >>> 0, arg3 >>> 0);
				},
				__wbg_document_3b5c3071b43e97ee: function(arg0) {
					const ret = arg0.document;
					return isLikeNone(ret) ? 0 : addToExternrefTable0(ret);
				},
				__wbg_draw_086a9578fc9898c2: function(arg0, arg1, arg2, arg3, arg4) {
					arg0.draw(arg1 >>> 0, arg2 >>> 0, arg3 >>> 0, arg4 >>> 0);
				},
				__wbg_end_82fd0c12ba185009: function(arg0) {
					arg0.end();
				},
				__wbg_end_b57473834b877409: function(arg0) {
					arg0.end();
				},
				__wbg_error_4e2c22b7e3952509: function(arg0) {
					return arg0.error;
				},
				__wbg_features_d5d767fa7757f783: function(arg0) {
					return arg0.features;
				},
				__wbg_finish_09ec094c10f41e7b: function(arg0) {
					return arg0.finish();
				},
				__wbg_finish_ec1c191f66a895b1: function(arg0, arg1) {
					return arg0.finish(arg1);
				},
				__wbg_getContext_1938edb9a972f63d: function(arg0, arg1, arg2) {
					try {
						const ret = arg0.getContext(getStringFromWasm0(arg1, arg2));
						return isLikeNone(ret) ? 0 : addToExternrefTable0(ret);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_getContext_d93f904b714852ae: function(arg0, arg1, arg2) {
					try {
						const ret = arg0.getContext(getStringFromWasm0(arg1, arg2));
						return isLikeNone(ret) ? 0 : addToExternrefTable0(ret);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_getCurrentTexture_c3b1727224d7f6e6: function(arg0) {
					try {
						return arg0.getCurrentTexture();
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_getMappedRange_28e816a763520e01: function(arg0, arg1, arg2) {
					try {
						return arg0.getMappedRange(arg1, arg2);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_getPreferredCanvasFormat_0ef5034c8902201b: function(arg0) {
					const ret = arg0.getPreferredCanvasFormat();
					return (__wbindgen_enum_GpuTextureFormat.indexOf(ret) + 1 || 102) - 1;
				},
				__wbg_get_0c55869fe53c7d14: function(arg0, arg1) {
					const ret = arg0[arg1 >>> 0];
					return isLikeNone(ret) ? 0 : addToExternrefTable0(ret);
				},
				__wbg_get_2080c49015e35254: function(arg0, arg1) {
					try {
						return Reflect.get(arg0, arg1);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_gpu_514705c6dd1f0dab: function(arg0) {
					return arg0.gpu;
				},
				__wbg_has_eafa12e457ea88fb: function(arg0, arg1, arg2) {
					return arg0.has(getStringFromWasm0(arg1, arg2));
				},
				__wbg_height_a6466ebf29036658: function(arg0) {
					return arg0.height;
				},
				__wbg_info_8554cb7af37427b6: function(arg0) {
					return arg0.info;
				},
				__wbg_instanceof_GpuOutOfMemoryError_7126123117d274a4: function(arg0) {
					let result;
					try {
						result = arg0 instanceof GPUOutOfMemoryError;
					} catch (_) {
						result = false;
					}
					return result;
				},
				__wbg_instanceof_GpuValidationError_f18d09609dc737d7: function(arg0) {
					let result;
					try {
						result = arg0 instanceof GPUValidationError;
					} catch (_) {
						result = false;
					}
					return result;
				},
				__wbg_instanceof_Window_5cf453f5639aa1a2: function(arg0) {
					let result;
					try {
						result = arg0 instanceof Window;
					} catch (_) {
						result = false;
					}
					return result;
				},
				__wbg_isFallbackAdapter_6a4fa7356d18310b: function(arg0) {
					return arg0.isFallbackAdapter;
				},
				__wbg_label_fceb40a43a358e62: function(arg0, arg1) {
					const ret = arg1.label;
					const ptr1 = passStringToWasm0(ret, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
					const len1 = WASM_VECTOR_LEN;
					getDataViewMemory0().setInt32((arg0 >>> 0) + 4, len1, true);
					getDataViewMemory0().setInt32((arg0 >>> 0) + 0, ptr1, true);
				},
				__wbg_length_186163212ffe79c3: function(arg0) {
					return arg0.length;
				},
				__wbg_length_c702d06d28b96b72: function(arg0) {
					return arg0.length;
				},
				__wbg_limits_4e444eb8c2e61c45: function(arg0) {
					return arg0.limits;
				},
				__wbg_lost_25273dba897db03c: function(arg0) {
					return arg0.lost;
				},
				__wbg_mapAsync_b0597127f5037286: function(arg0, arg1, arg2, arg3) {
					return arg0.mapAsync(arg1 >>> 0, arg2, arg3);
				},
				__wbg_maxBindGroupsPlusVertexBuffers_1face4afb5363937: function(arg0) {
					return arg0.maxBindGroupsPlusVertexBuffers;
				},
				__wbg_maxBindGroups_a0b7e55762f095b9: function(arg0) {
					return arg0.maxBindGroups;
				},
				__wbg_maxBindingsPerBindGroup_ec9067be38d6ec72: function(arg0) {
					return arg0.maxBindingsPerBindGroup;
				},
				__wbg_maxBufferSize_a9ce15e541c64cd2: function(arg0) {
					return arg0.maxBufferSize;
				},
				__wbg_maxColorAttachmentBytesPerSample_44089e129e1a2a1d: function(arg0) {
					return arg0.maxColorAttachmentBytesPerSample;
				},
				__wbg_maxColorAttachments_6bd8156394ba618c: function(arg0) {
					return arg0.maxColorAttachments;
				},
				__wbg_maxComputeInvocationsPerWorkgroup_7b086f15ef868934: function(arg0) {
					return arg0.maxComputeInvocationsPerWorkgroup;
				},
				__wbg_maxComputeWorkgroupSizeX_8bbe505e0ac8dc18: function(arg0) {
					return arg0.maxComputeWorkgroupSizeX;
				},
				__wbg_maxComputeWorkgroupSizeY_7228ed3935eecc31: function(arg0) {
					return arg0.maxComputeWorkgroupSizeY;
				},
				__wbg_maxComputeWorkgroupSizeZ_6092b56a967f6f8d: function(arg0) {
					return arg0.maxComputeWorkgroupSizeZ;
				},
				__wbg_maxComputeWorkgroupStorageSize_4773e3bd3936df36: function(arg0) {
					return arg0.maxComputeWorkgroupStorageSize;
				},
				__wbg_maxComputeWorkgroupsPerDimension_79222bf8e8a90fbd: function(arg0) {
					return arg0.maxComputeWorkgroupsPerDimension;
				},
				__wbg_maxDynamicStorageBuffersPerPipelineLayout_3ab5762b1b2c7fc2: function(arg0) {
					return arg0.maxDynamicStorageBuffersPerPipelineLayout;
				},
				__wbg_maxDynamicUniformBuffersPerPipelineLayout_722da31d0de1c256: function(arg0) {
					return arg0.maxDynamicUniformBuffersPerPipelineLayout;
				},
				__wbg_maxInterStageShaderVariables_821096d4b3020715: function(arg0) {
					return arg0.maxInterStageShaderVariables;
				},
				__wbg_maxSampledTexturesPerShaderStage_c6aea9e05c0a02ca: function(arg0) {
					return arg0.maxSampledTexturesPerShaderStage;
				},
				__wbg_maxSamplersPerShaderStage_3aa30f6c002d3a99: function(arg0) {
					return arg0.maxSamplersPerShaderStage;
				},
				__wbg_maxStorageBufferBindingSize_84a2c2433627fca2: function(arg0) {
					return arg0.maxStorageBufferBindingSize;
				},
				__wbg_maxStorageBuffersPerShaderStage_25b96748df28dc20: function(arg0) {
					return arg0.maxStorageBuffersPerShaderStage;
				},
				__wbg_maxStorageTexturesPerShaderStage_53ed734f26e6c1ad: function(arg0) {
					return arg0.maxStorageTexturesPerShaderStage;
				},
				__wbg_maxTextureArrayLayers_9ec487f1ce102992: function(arg0) {
					return arg0.maxTextureArrayLayers;
				},
				__wbg_maxTextureDimension1D_faef91b2e9fa6740: function(arg0) {
					return arg0.maxTextureDimension1D;
				},
				__wbg_maxTextureDimension2D_3a923eb2df4d9124: function(arg0) {
					return arg0.maxTextureDimension2D;
				},
				__wbg_maxTextureDimension3D_943321fe5945464e: function(arg0) {
					return arg0.maxTextureDimension3D;
				},
				__wbg_maxUniformBufferBindingSize_21e89ff761d576db: function(arg0) {
					return arg0.maxUniformBufferBindingSize;
				},
				__wbg_maxUniformBuffersPerShaderStage_19a0bfb0189f7254: function(arg0) {
					return arg0.maxUniformBuffersPerShaderStage;
				},
				__wbg_maxVertexAttributes_49aef6c51d07a280: function(arg0) {
					return arg0.maxVertexAttributes;
				},
				__wbg_maxVertexBufferArrayStride_f68c4029e6f047ec: function(arg0) {
					return arg0.maxVertexBufferArrayStride;
				},
				__wbg_maxVertexBuffers_ce9f15a623f9aac7: function(arg0) {
					return arg0.maxVertexBuffers;
				},
				__wbg_message_408f555d03641e84: function(arg0, arg1) {
					const ret = arg1.message;
					const ptr1 = passStringToWasm0(ret, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
					const len1 = WASM_VECTOR_LEN;
					getDataViewMemory0().setInt32((arg0 >>> 0) + 4, len1, true);
					getDataViewMemory0().setInt32((arg0 >>> 0) + 0, ptr1, true);
				},
				__wbg_message_5223ba7df7256eac: function(arg0, arg1) {
					const ret = arg1.message;
					const ptr1 = passStringToWasm0(ret, wasm.__wbindgen_malloc, wasm.__wbindgen_realloc);
					const len1 = WASM_VECTOR_LEN;
					getDataViewMemory0().setInt32((arg0 >>> 0) + 4, len1, true);
					getDataViewMemory0().setInt32((arg0 >>> 0) + 0, ptr1, true);
				},
				__wbg_minStorageBufferOffsetAlignment_529f1f52e61188fc: function(arg0) {
					return arg0.minStorageBufferOffsetAlignment;
				},
				__wbg_minUniformBufferOffsetAlignment_519e26287e1996a3: function(arg0) {
					return arg0.minUniformBufferOffsetAlignment;
				},
				__wbg_navigator_9641ab32fa612dd1: function(arg0) {
					return arg0.navigator;
				},
				__wbg_navigator_c17f443a6fe5d38d: function(arg0) {
					return arg0.navigator;
				},
				__wbg_new_2bfd0f45e60518b1: function(arg0, arg1) {
					try {
						return new OffscreenCanvas(arg0 >>> 0, arg1 >>> 0);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_new_37eb45aaf5eeb820: function() {
					return new Array();
				},
				__wbg_new_787b9fb330d55d78: function(arg0, arg1) {
					return new Error(getStringFromWasm0(arg0, arg1));
				},
				__wbg_new_9809324c6c09ac15: function(arg0) {
					try {
						return new Uint8Array(arg0);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_new_a2eeb1f991f36b47: function(arg0) {
					return new Uint32Array(arg0);
				},
				__wbg_new_cd4348290afae586: function() {
					return /* @__PURE__ */ new Object();
				},
				__wbg_new_from_slice_355c10c5d8f2addb: function(arg0, arg1) {
					return new Float32Array(getArrayF32FromWasm0(arg0, arg1));
				},
				__wbg_new_from_slice_aaf85a9746711968: function(arg0, arg1) {
					return new Float64Array(getArrayF64FromWasm0(arg0, arg1));
				},
				__wbg_new_from_slice_b8daf545a41c6aa0: function(arg0, arg1) {
					return new Uint8Array(getArrayU8FromWasm0(arg0, arg1));
				},
				__wbg_new_from_slice_c8184102bc38811b: function(arg0, arg1) {
					return new Int16Array(getArrayI16FromWasm0(arg0, arg1));
				},
				__wbg_new_from_slice_d9c5662e7fd80ccd: function(arg0, arg1) {
					return new Int8Array(getArrayI8FromWasm0(arg0, arg1));
				},
				__wbg_new_from_slice_e0c60a796e12bb7c: function(arg0, arg1) {
					return new Int32Array(getArrayI32FromWasm0(arg0, arg1));
				},
				__wbg_new_typed_6b60b99917da27d6: function() {
					return /* @__PURE__ */ new Object();
				},
				__wbg_new_typed_e09da9dae6ee5935: function(arg0, arg1) {
					try {
						var state0 = {
							a: arg0,
							b: arg1
						};
						var cb0 = (arg0, arg1) => {
							const a = state0.a;
							state0.a = 0;
							try {
								return wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___js_sys_bae1c2c42e5cd5f9___Function_fn_wasm_bindgen_a110fd5f095e02f6___JsValue_____wasm_bindgen_a110fd5f095e02f6___sys__Undefined___js_sys_bae1c2c42e5cd5f9___Function_fn_wasm_bindgen_a110fd5f095e02f6___JsValue_____wasm_bindgen_a110fd5f095e02f6___sys__Undefined_______true_(a, state0.b, arg0, arg1);
							} finally {
								state0.a = a;
							}
						};
						return new Promise(cb0);
					} finally {
						state0.a = 0;
					}
				},
				__wbg_new_with_byte_offset_and_length_3cd32055a417f095: function(arg0, arg1, arg2) {
					return new Uint8Array(arg0, arg1 >>> 0, arg2 >>> 0);
				},
				__wbg_now_b8e65042dfc3f6f7: function() {
					return performance.now();
				},
				__wbg_of_e7ea0fcd535c1444: function(arg0, arg1) {
					return Array.of(arg0, arg1);
				},
				__wbg_of_length_631a695686621876: function(arg0) {
					try {
						return new Uint8Array(arg0);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_onSubmittedWorkDone_1190213cee1ecf7e: function(arg0) {
					return arg0.onSubmittedWorkDone();
				},
				__wbg_popErrorScope_182b8e03671d81ef: function(arg0) {
					return arg0.popErrorScope();
				},
				__wbg_prototypesetcall_13162965d1fe7aa3: function(arg0, arg1, arg2) {
					Uint8Array.prototype.set.call(getArrayU8FromWasm0(arg0, arg1), arg2);
				},
				__wbg_prototypesetcall_4aea6470234c8414: function(arg0, arg1, arg2) {
					Uint32Array.prototype.set.call(getArrayU32FromWasm0(arg0, arg1), arg2);
				},
				__wbg_pushErrorScope_fa7df784c43bdb51: function(arg0, arg1) {
					arg0.pushErrorScope(__wbindgen_enum_GpuErrorFilter[arg1]);
				},
				__wbg_push_c9f4893fc209f768: function(arg0, arg1) {
					return arg0.push(arg1);
				},
				__wbg_querySelectorAll_6c1bd81d448fb480: function(arg0, arg1, arg2) {
					try {
						return arg0.querySelectorAll(getStringFromWasm0(arg1, arg2));
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_queueMicrotask_1e8503a8a690f0a3: function(arg0) {
					return arg0.queueMicrotask;
				},
				__wbg_queueMicrotask_4a1a4d8dd332373b: function(arg0) {
					queueMicrotask(arg0);
				},
				__wbg_queue_e250e2ebc49b39e0: function(arg0) {
					return arg0.queue;
				},
				__wbg_reason_53e762e714b67b72: function(arg0) {
					const ret = arg0.reason;
					return (__wbindgen_enum_GpuDeviceLostReason.indexOf(ret) + 1 || 3) - 1;
				},
				__wbg_requestAdapter_a539af006419f2e9: function(arg0, arg1) {
					return arg0.requestAdapter(arg1);
				},
				__wbg_requestDevice_5cb8a582e55d08cb: function(arg0, arg1) {
					return arg0.requestDevice(arg1);
				},
				__wbg_resolveQuerySet_770f23fabac49845: function(arg0, arg1, arg2, arg3, arg4, arg5) {
					arg0.resolveQuerySet(arg1, arg2 >>> 0, arg3 >>> 0, arg4, arg5 >>> 0);
				},
				__wbg_resolve_dbf78ab4942478b0: function(arg0) {
					return Promise.resolve(arg0);
				},
				__wbg_setBindGroup_418c3e0eb6943ce0: function(arg0, arg1, arg2) {
					arg0.setBindGroup(arg1 >>> 0, arg2);
				},
				__wbg_setBindGroup_4aa88516c8ab99c4: function(arg0, arg1, arg2, arg3, arg4, arg5, arg6) {
					try {
						arg0.setBindGroup(arg1 >>> 0, arg2, getUint32ArrayMemory0(), (arg3 >>> 2) + arg5, arg6 >>> 0);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_setBindGroup_82d014e8f799f053: function(arg0, arg1, arg2, arg3, arg4, arg5, arg6) {
					try {
						arg0.setBindGroup(arg1 >>> 0, arg2, getUint32ArrayMemory0(), (arg3 >>> 2) + arg5, arg6 >>> 0);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_setBindGroup_c83391351ce68826: function(arg0, arg1, arg2) {
					arg0.setBindGroup(arg1 >>> 0, arg2);
				},
				__wbg_setPipeline_5146f7b8d2b4af5c: function(arg0, arg1) {
					arg0.setPipeline(arg1);
				},
				__wbg_setPipeline_b6f981027e02cd16: function(arg0, arg1) {
					arg0.setPipeline(arg1);
				},
				__wbg_set_118fefd528ab0a79: function(arg0, arg1, arg2) {
					arg0.set(arg1, arg2 >>> 0);
				},
				__wbg_set_2793479888329cb6: function(arg0, arg1, arg2) {
					try {
						return Reflect.set(arg0, arg1, arg2);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_set_8e5ba6e4c8c3625e: function(arg0, arg1, arg2) {
					arg0.set(getArrayU32FromWasm0(arg1, arg2));
				},
				__wbg_set_a_1c94f1413a06c773: function(arg0, arg1) {
					arg0.a = arg1;
				},
				__wbg_set_access_b0a6fbebfbe53242: function(arg0, arg1) {
					arg0.access = __wbindgen_enum_GpuStorageTextureAccess[arg1];
				},
				__wbg_set_alpha_84214d12347c6647: function(arg0, arg1) {
					arg0.alpha = arg1;
				},
				__wbg_set_alpha_mode_278c6649365aff36: function(arg0, arg1) {
					arg0.alphaMode = __wbindgen_enum_GpuCanvasAlphaMode[arg1];
				},
				__wbg_set_alpha_to_coverage_enabled_1e879520cab4bb05: function(arg0, arg1) {
					arg0.alphaToCoverageEnabled = arg1 !== 0;
				},
				__wbg_set_array_layer_count_bd7a074559a0abaa: function(arg0, arg1) {
					arg0.arrayLayerCount = arg1 >>> 0;
				},
				__wbg_set_array_stride_f64_b132c6a79afeae43: function(arg0, arg1) {
					arg0.arrayStride = arg1;
				},
				__wbg_set_aspect_8c866a3891032753: function(arg0, arg1) {
					arg0.aspect = __wbindgen_enum_GpuTextureAspect[arg1];
				},
				__wbg_set_attributes_67bbc44b08e038d6: function(arg0, arg1, arg2) {
					arg0.attributes = getArrayJsValueViewFromWasm0(arg1, arg2);
				},
				__wbg_set_b_a93bcfdd1c29a0bd: function(arg0, arg1) {
					arg0.b = arg1;
				},
				__wbg_set_base_array_layer_e745f84c2e5437e2: function(arg0, arg1) {
					arg0.baseArrayLayer = arg1 >>> 0;
				},
				__wbg_set_base_mip_level_fe08854fab09de85: function(arg0, arg1) {
					arg0.baseMipLevel = arg1 >>> 0;
				},
				__wbg_set_beginning_of_pass_write_index_a13b608f19d6a2f0: function(arg0, arg1) {
					arg0.beginningOfPassWriteIndex = arg1 >>> 0;
				},
				__wbg_set_beginning_of_pass_write_index_c49071ff9c074e31: function(arg0, arg1) {
					arg0.beginningOfPassWriteIndex = arg1 >>> 0;
				},
				__wbg_set_bind_group_layouts_383f681565a30d8a: function(arg0, arg1, arg2) {
					arg0.bindGroupLayouts = getArrayJsValueViewFromWasm0(arg1, arg2);
				},
				__wbg_set_binding_bd7d6b01bb08823a: function(arg0, arg1) {
					arg0.binding = arg1 >>> 0;
				},
				__wbg_set_binding_dbed4a234264971a: function(arg0, arg1) {
					arg0.binding = arg1 >>> 0;
				},
				__wbg_set_blend_1f3e5b36f9c246cb: function(arg0, arg1) {
					arg0.blend = arg1;
				},
				__wbg_set_buffer_76841cdbff393f1d: function(arg0, arg1) {
					arg0.buffer = arg1;
				},
				__wbg_set_buffer_91f4e8e05066c37a: function(arg0, arg1) {
					arg0.buffer = arg1;
				},
				__wbg_set_buffers_47665c552e27672c: function(arg0, arg1, arg2) {
					arg0.buffers = getArrayJsValueViewFromWasm0(arg1, arg2);
				},
				__wbg_set_clear_value_gpu_color_dict_303e0009591e5d26: function(arg0, arg1) {
					arg0.clearValue = arg1;
				},
				__wbg_set_code_130aebc49c4cadd3: function(arg0, arg1, arg2) {
					arg0.code = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_color_6d2de56a2224ec57: function(arg0, arg1) {
					arg0.color = arg1;
				},
				__wbg_set_color_attachments_e83f79badceda8b4: function(arg0, arg1, arg2) {
					arg0.colorAttachments = getArrayJsValueViewFromWasm0(arg1, arg2);
				},
				__wbg_set_compare_159af15eb77dbcd2: function(arg0, arg1) {
					arg0.compare = __wbindgen_enum_GpuCompareFunction[arg1];
				},
				__wbg_set_compute_800b1231f347606b: function(arg0, arg1) {
					arg0.compute = arg1;
				},
				__wbg_set_count_4d1e9559a7f1b993: function(arg0, arg1) {
					arg0.count = arg1 >>> 0;
				},
				__wbg_set_count_dc87e26bec5f6dc3: function(arg0, arg1) {
					arg0.count = arg1 >>> 0;
				},
				__wbg_set_cull_mode_31293d13bc064271: function(arg0, arg1) {
					arg0.cullMode = __wbindgen_enum_GpuCullMode[arg1];
				},
				__wbg_set_depth_bias_b30728f3ab3f643e: function(arg0, arg1) {
					arg0.depthBias = arg1;
				},
				__wbg_set_depth_bias_clamp_5b58fd4819283038: function(arg0, arg1) {
					arg0.depthBiasClamp = arg1;
				},
				__wbg_set_depth_bias_slope_scale_8b8b20db6b43c43b: function(arg0, arg1) {
					arg0.depthBiasSlopeScale = arg1;
				},
				__wbg_set_depth_clear_value_1165941523836019: function(arg0, arg1) {
					arg0.depthClearValue = arg1;
				},
				__wbg_set_depth_compare_81dd71de7e433cc2: function(arg0, arg1) {
					arg0.depthCompare = __wbindgen_enum_GpuCompareFunction[arg1];
				},
				__wbg_set_depth_fail_op_ddf822c573cdf0c1: function(arg0, arg1) {
					arg0.depthFailOp = __wbindgen_enum_GpuStencilOperation[arg1];
				},
				__wbg_set_depth_load_op_ca270acab0c1ca69: function(arg0, arg1) {
					arg0.depthLoadOp = __wbindgen_enum_GpuLoadOp[arg1];
				},
				__wbg_set_depth_read_only_49ca399f98b97955: function(arg0, arg1) {
					arg0.depthReadOnly = arg1 !== 0;
				},
				__wbg_set_depth_stencil_41e94739225cb2c3: function(arg0, arg1) {
					arg0.depthStencil = arg1;
				},
				__wbg_set_depth_stencil_attachment_36ce3695dfcb6b85: function(arg0, arg1) {
					arg0.depthStencilAttachment = arg1;
				},
				__wbg_set_depth_store_op_6cd6bdde49f9050d: function(arg0, arg1) {
					arg0.depthStoreOp = __wbindgen_enum_GpuStoreOp[arg1];
				},
				__wbg_set_depth_write_enabled_4b5da11c77fbdab7: function(arg0, arg1) {
					arg0.depthWriteEnabled = arg1 !== 0;
				},
				__wbg_set_device_1940fd5f9e2a7fee: function(arg0, arg1) {
					arg0.device = arg1;
				},
				__wbg_set_dimension_bab9530fa3e311d8: function(arg0, arg1) {
					arg0.dimension = __wbindgen_enum_GpuTextureViewDimension[arg1];
				},
				__wbg_set_dst_factor_80c13f29a3e117cb: function(arg0, arg1) {
					arg0.dstFactor = __wbindgen_enum_GpuBlendFactor[arg1];
				},
				__wbg_set_end_of_pass_write_index_793fcfe3141dc357: function(arg0, arg1) {
					arg0.endOfPassWriteIndex = arg1 >>> 0;
				},
				__wbg_set_end_of_pass_write_index_891ac71cf6a560c5: function(arg0, arg1) {
					arg0.endOfPassWriteIndex = arg1 >>> 0;
				},
				__wbg_set_entries_552f52b2aa3b346d: function(arg0, arg1, arg2) {
					arg0.entries = getArrayJsValueViewFromWasm0(arg1, arg2);
				},
				__wbg_set_entries_d9929dbfa2aaa9a7: function(arg0, arg1, arg2) {
					arg0.entries = getArrayJsValueViewFromWasm0(arg1, arg2);
				},
				__wbg_set_entry_point_0eacf7b26b3637b0: function(arg0, arg1, arg2) {
					arg0.entryPoint = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_entry_point_6c86140cb6e5243a: function(arg0, arg1, arg2) {
					arg0.entryPoint = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_entry_point_bb3692db4a6065d0: function(arg0, arg1, arg2) {
					arg0.entryPoint = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_external_texture_1bef5ba626275d0a: function(arg0, arg1) {
					arg0.externalTexture = arg1;
				},
				__wbg_set_fail_op_739cc3815d38c95f: function(arg0, arg1) {
					arg0.failOp = __wbindgen_enum_GpuStencilOperation[arg1];
				},
				__wbg_set_feb3714f475485ba: function(arg0, arg1, arg2) {
					arg0.set(getArrayU8FromWasm0(arg1, arg2));
				},
				__wbg_set_format_443ea19e2d25a1e2: function(arg0, arg1) {
					arg0.format = __wbindgen_enum_GpuTextureFormat[arg1];
				},
				__wbg_set_format_459792306baadae5: function(arg0, arg1) {
					arg0.format = __wbindgen_enum_GpuTextureFormat[arg1];
				},
				__wbg_set_format_46b1c6b3acc10b24: function(arg0, arg1) {
					arg0.format = __wbindgen_enum_GpuTextureFormat[arg1];
				},
				__wbg_set_format_5a62f31a4690f935: function(arg0, arg1) {
					arg0.format = __wbindgen_enum_GpuVertexFormat[arg1];
				},
				__wbg_set_format_efec4f7d9471ddbb: function(arg0, arg1) {
					arg0.format = __wbindgen_enum_GpuTextureFormat[arg1];
				},
				__wbg_set_format_fd579d96fa4e468c: function(arg0, arg1) {
					arg0.format = __wbindgen_enum_GpuTextureFormat[arg1];
				},
				__wbg_set_fragment_bea523f8973c326e: function(arg0, arg1) {
					arg0.fragment = arg1;
				},
				__wbg_set_front_face_30951d0404e9e6d4: function(arg0, arg1) {
					arg0.frontFace = __wbindgen_enum_GpuFrontFace[arg1];
				},
				__wbg_set_g_90eacc6608e549f8: function(arg0, arg1) {
					arg0.g = arg1;
				},
				__wbg_set_has_dynamic_offset_6e5f3385eb579529: function(arg0, arg1) {
					arg0.hasDynamicOffset = arg1 !== 0;
				},
				__wbg_set_height_ae0610d318c3428c: function(arg0, arg1) {
					arg0.height = arg1 >>> 0;
				},
				__wbg_set_height_ae24c2f7d580ae0a: function(arg0, arg1) {
					arg0.height = arg1 >>> 0;
				},
				__wbg_set_label_08745022b1ec7b66: function(arg0, arg1, arg2) {
					arg0.label = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_label_11c9eb57693a8459: function(arg0, arg1, arg2) {
					arg0.label = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_label_20c42b4ebeb250d5: function(arg0, arg1, arg2) {
					arg0.label = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_label_22e3966c8d513ba6: function(arg0, arg1, arg2) {
					arg0.label = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_label_5347fc976d15e94c: function(arg0, arg1, arg2) {
					arg0.label = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_label_644bc1b32c7917b0: function(arg0, arg1, arg2) {
					arg0.label = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_label_73c99dab6708c962: function(arg0, arg1, arg2) {
					arg0.label = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_label_85a21b5fdd57fd91: function(arg0, arg1, arg2) {
					arg0.label = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_label_891876dd0e225368: function(arg0, arg1, arg2) {
					arg0.label = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_label_89d2ffaf598df6a4: function(arg0, arg1, arg2) {
					arg0.label = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_label_9e68078b9533426b: function(arg0, arg1, arg2) {
					arg0.label = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_label_a7095396911c5801: function(arg0, arg1, arg2) {
					arg0.label = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_label_cba03ffef7ae90a3: function(arg0, arg1, arg2) {
					arg0.label = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_label_d0d693a97f5be626: function(arg0, arg1, arg2) {
					arg0.label = getStringFromWasm0(arg1, arg2);
				},
				__wbg_set_layout_200fc3b143da0a9e: function(arg0, arg1) {
					arg0.layout = arg1;
				},
				__wbg_set_layout_3f0cb99635c33123: function(arg0, arg1) {
					arg0.layout = arg1;
				},
				__wbg_set_layout_599d761209e4b03f: function(arg0, arg1) {
					arg0.layout = arg1;
				},
				__wbg_set_layout_gpu_auto_layout_mode_2e8a53f8643b4f69: function(arg0, arg1) {
					arg0.layout = __wbindgen_enum_GpuAutoLayoutMode[arg1];
				},
				__wbg_set_layout_gpu_auto_layout_mode_eb40dfd1eca5b9d3: function(arg0, arg1) {
					arg0.layout = __wbindgen_enum_GpuAutoLayoutMode[arg1];
				},
				__wbg_set_load_op_e8c33d4bdd2772aa: function(arg0, arg1) {
					arg0.loadOp = __wbindgen_enum_GpuLoadOp[arg1];
				},
				__wbg_set_mapped_at_creation_8af5b87ccb898bbe: function(arg0, arg1) {
					arg0.mappedAtCreation = arg1 !== 0;
				},
				__wbg_set_mask_0de0e782abec3c25: function(arg0, arg1) {
					arg0.mask = arg1 >>> 0;
				},
				__wbg_set_min_binding_size_f64_c6d68d773b7051d3: function(arg0, arg1) {
					arg0.minBindingSize = arg1;
				},
				__wbg_set_mip_level_count_c0ac46de264d83ec: function(arg0, arg1) {
					arg0.mipLevelCount = arg1 >>> 0;
				},
				__wbg_set_mode_51d2c5a5ac0f7ac9: function(arg0, arg1) {
					arg0.mode = __wbindgen_enum_GpuCanvasToneMappingMode[arg1];
				},
				__wbg_set_module_05c14f520e88acaa: function(arg0, arg1) {
					arg0.module = arg1;
				},
				__wbg_set_module_3dec1a50bca7870a: function(arg0, arg1) {
					arg0.module = arg1;
				},
				__wbg_set_module_b42baf3925e2a94a: function(arg0, arg1) {
					arg0.module = arg1;
				},
				__wbg_set_multisample_6af76792fae6efb1: function(arg0, arg1) {
					arg0.multisample = arg1;
				},
				__wbg_set_multisampled_ae3f9f01a324f57c: function(arg0, arg1) {
					arg0.multisampled = arg1 !== 0;
				},
				__wbg_set_offset_f64_52f728fc5c98a52c: function(arg0, arg1) {
					arg0.offset = arg1;
				},
				__wbg_set_offset_f64_9374d9e912985773: function(arg0, arg1) {
					arg0.offset = arg1;
				},
				__wbg_set_onuncapturederror_19ad0d0daa325d10: function(arg0, arg1) {
					arg0.onuncapturederror = arg1;
				},
				__wbg_set_operation_e103287df7ac9cf6: function(arg0, arg1) {
					arg0.operation = __wbindgen_enum_GpuBlendOperation[arg1];
				},
				__wbg_set_pass_op_4d08c3105f64a17a: function(arg0, arg1) {
					arg0.passOp = __wbindgen_enum_GpuStencilOperation[arg1];
				},
				__wbg_set_power_preference_6bc1d2697a0e7374: function(arg0, arg1) {
					arg0.powerPreference = __wbindgen_enum_GpuPowerPreference[arg1];
				},
				__wbg_set_primitive_ef867d733c4efb1c: function(arg0, arg1) {
					arg0.primitive = arg1;
				},
				__wbg_set_query_set_6acda8912691b8d6: function(arg0, arg1) {
					arg0.querySet = arg1;
				},
				__wbg_set_query_set_765c4c9ab99342cb: function(arg0, arg1) {
					arg0.querySet = arg1;
				},
				__wbg_set_r_1116d6a5f656263d: function(arg0, arg1) {
					arg0.r = arg1;
				},
				__wbg_set_required_features_5bda1420e19461b2: function(arg0, arg1, arg2) {
					arg0.requiredFeatures = getArrayJsValueViewFromWasm0(arg1, arg2);
				},
				__wbg_set_required_limits_e78b923d73f9b596: function(arg0, arg1) {
					arg0.requiredLimits = arg1;
				},
				__wbg_set_resolve_target_gpu_texture_view_a7a97a7c04d84698: function(arg0, arg1) {
					arg0.resolveTarget = arg1;
				},
				__wbg_set_resource_0f960a4279e7e400: function(arg0, arg1) {
					arg0.resource = arg1;
				},
				__wbg_set_resource_gpu_buffer_binding_53a2189a77dd38be: function(arg0, arg1) {
					arg0.resource = arg1;
				},
				__wbg_set_resource_gpu_texture_view_9153a2356b958667: function(arg0, arg1) {
					arg0.resource = arg1;
				},
				__wbg_set_sample_type_563589178fc892fe: function(arg0, arg1) {
					arg0.sampleType = __wbindgen_enum_GpuTextureSampleType[arg1];
				},
				__wbg_set_sampler_ccdca76ef8e642ca: function(arg0, arg1) {
					arg0.sampler = arg1;
				},
				__wbg_set_shader_location_31dc427c303a32aa: function(arg0, arg1) {
					arg0.shaderLocation = arg1 >>> 0;
				},
				__wbg_set_size_f64_3ff72c0d736c42a1: function(arg0, arg1) {
					arg0.size = arg1;
				},
				__wbg_set_size_f64_9b65e4916b2eb111: function(arg0, arg1) {
					arg0.size = arg1;
				},
				__wbg_set_src_factor_7e90d4b7d8227fc5: function(arg0, arg1) {
					arg0.srcFactor = __wbindgen_enum_GpuBlendFactor[arg1];
				},
				__wbg_set_stencil_back_6b5aeefbb90ae3ae: function(arg0, arg1) {
					arg0.stencilBack = arg1;
				},
				__wbg_set_stencil_clear_value_56fa848198a9b430: function(arg0, arg1) {
					arg0.stencilClearValue = arg1 >>> 0;
				},
				__wbg_set_stencil_front_4ffeca9473bca095: function(arg0, arg1) {
					arg0.stencilFront = arg1;
				},
				__wbg_set_stencil_load_op_b7a9fe3ad789b6c6: function(arg0, arg1) {
					arg0.stencilLoadOp = __wbindgen_enum_GpuLoadOp[arg1];
				},
				__wbg_set_stencil_read_mask_7cfe0945679de134: function(arg0, arg1) {
					arg0.stencilReadMask = arg1 >>> 0;
				},
				__wbg_set_stencil_read_only_0dde0c073192b5fa: function(arg0, arg1) {
					arg0.stencilReadOnly = arg1 !== 0;
				},
				__wbg_set_stencil_store_op_d320bcbb72456a4c: function(arg0, arg1) {
					arg0.stencilStoreOp = __wbindgen_enum_GpuStoreOp[arg1];
				},
				__wbg_set_stencil_write_mask_765017d5830ee98a: function(arg0, arg1) {
					arg0.stencilWriteMask = arg1 >>> 0;
				},
				__wbg_set_step_mode_2b1318f00e2ddc02: function(arg0, arg1) {
					arg0.stepMode = __wbindgen_enum_GpuVertexStepMode[arg1];
				},
				__wbg_set_storage_texture_b9e95e260c9d49a3: function(arg0, arg1) {
					arg0.storageTexture = arg1;
				},
				__wbg_set_store_op_e2b740eddfd2713f: function(arg0, arg1) {
					arg0.storeOp = __wbindgen_enum_GpuStoreOp[arg1];
				},
				__wbg_set_strip_index_format_22ddab1b8f352c1d: function(arg0, arg1) {
					arg0.stripIndexFormat = __wbindgen_enum_GpuIndexFormat[arg1];
				},
				__wbg_set_targets_07e15f3cca640faf: function(arg0, arg1, arg2) {
					arg0.targets = getArrayJsValueViewFromWasm0(arg1, arg2);
				},
				__wbg_set_texture_84a5f84f0f451291: function(arg0, arg1) {
					arg0.texture = arg1;
				},
				__wbg_set_timestamp_writes_1d304b9eb09ff227: function(arg0, arg1) {
					arg0.timestampWrites = arg1;
				},
				__wbg_set_timestamp_writes_78a9445dbac5c902: function(arg0, arg1) {
					arg0.timestampWrites = arg1;
				},
				__wbg_set_tone_mapping_23fcd4f846a61048: function(arg0, arg1) {
					arg0.toneMapping = arg1;
				},
				__wbg_set_topology_b29804e5549370f5: function(arg0, arg1) {
					arg0.topology = __wbindgen_enum_GpuPrimitiveTopology[arg1];
				},
				__wbg_set_type_813f0d8c7822259c: function(arg0, arg1) {
					arg0.type = __wbindgen_enum_GpuQueryType[arg1];
				},
				__wbg_set_type_ac87cc570da17000: function(arg0, arg1) {
					arg0.type = __wbindgen_enum_GpuBufferBindingType[arg1];
				},
				__wbg_set_type_f3d1ad35dc7889f9: function(arg0, arg1) {
					arg0.type = __wbindgen_enum_GpuSamplerBindingType[arg1];
				},
				__wbg_set_unclipped_depth_59155eb615f193fe: function(arg0, arg1) {
					arg0.unclippedDepth = arg1 !== 0;
				},
				__wbg_set_usage_5ba672bf81ba9859: function(arg0, arg1) {
					arg0.usage = arg1 >>> 0;
				},
				__wbg_set_usage_b0070c2ce47149a6: function(arg0, arg1) {
					arg0.usage = arg1 >>> 0;
				},
				__wbg_set_usage_bac3cabe90090275: function(arg0, arg1) {
					arg0.usage = arg1 >>> 0;
				},
				__wbg_set_vertex_00b1e17dc3fe7fb3: function(arg0, arg1) {
					arg0.vertex = arg1;
				},
				__wbg_set_view_dimension_e9e9cd07d7ad686d: function(arg0, arg1) {
					arg0.viewDimension = __wbindgen_enum_GpuTextureViewDimension[arg1];
				},
				__wbg_set_view_dimension_eb197c35c45e572c: function(arg0, arg1) {
					arg0.viewDimension = __wbindgen_enum_GpuTextureViewDimension[arg1];
				},
				__wbg_set_view_formats_845b425c1d19e1af: function(arg0, arg1, arg2) {
					arg0.viewFormats = getArrayJsValueViewFromWasm0(arg1, arg2);
				},
				__wbg_set_view_gpu_texture_view_9a3c34ba4d1969b8: function(arg0, arg1) {
					arg0.view = arg1;
				},
				__wbg_set_view_gpu_texture_view_efa644c1ce3c4deb: function(arg0, arg1) {
					arg0.view = arg1;
				},
				__wbg_set_visibility_65413465e7b24eb6: function(arg0, arg1) {
					arg0.visibility = arg1 >>> 0;
				},
				__wbg_set_width_5f89a551b5472887: function(arg0, arg1) {
					arg0.width = arg1 >>> 0;
				},
				__wbg_set_width_eb3001e1dcabb909: function(arg0, arg1) {
					arg0.width = arg1 >>> 0;
				},
				__wbg_set_write_mask_39ce121635fd4296: function(arg0, arg1) {
					arg0.writeMask = arg1 >>> 0;
				},
				__wbg_static_accessor_GLOBAL_THIS_003ee833af9699fc: function() {
					const ret = typeof globalThis === "undefined" ? void 0 : globalThis;
					return isLikeNone(ret) ? 0 : addToExternrefTable0(ret);
				},
				__wbg_static_accessor_GLOBAL_e4293fb22cbe77da: function() {
					const ret = typeof global === "undefined" ? void 0 : global;
					return isLikeNone(ret) ? 0 : addToExternrefTable0(ret);
				},
				__wbg_static_accessor_SELF_53bb20457401453d: function() {
					const ret = typeof self === "undefined" ? void 0 : self;
					return isLikeNone(ret) ? 0 : addToExternrefTable0(ret);
				},
				__wbg_static_accessor_WINDOW_b5e0810bfecb7feb: function() {
					const ret = typeof window === "undefined" ? void 0 : window;
					return isLikeNone(ret) ? 0 : addToExternrefTable0(ret);
				},
				__wbg_subarray_58f388a9247ac0bb: function(arg0, arg1, arg2) {
					return arg0.subarray(arg1 >>> 0, arg2 >>> 0);
				},
				__wbg_subgroupMaxSize_3586e822dc3603f6: function(arg0) {
					return arg0.subgroupMaxSize;
				},
				__wbg_subgroupMinSize_17f758985cdd1dab: function(arg0) {
					return arg0.subgroupMinSize;
				},
				__wbg_submit_077c85cc28e36892: function(arg0, arg1, arg2) {
					arg0.submit(getArrayJsValueViewFromWasm0(arg1, arg2));
				},
				__wbg_then_3a4f899454bcf8c9: function(arg0, arg1) {
					return arg0.then(arg1);
				},
				__wbg_then_656f253a5dd7d8ea: function(arg0, arg1, arg2) {
					return arg0.then(arg1, arg2);
				},
				__wbg_then_e3f7f2d365708be8: function(arg0, arg1) {
					return arg0.then(arg1);
				},
				__wbg_unconfigure_835307f58dc68d80: function(arg0) {
					arg0.unconfigure();
				},
				__wbg_unmap_6a96b14c9ef5f7f5: function(arg0) {
					arg0.unmap();
				},
				__wbg_valueOf_2ad4a09774ac959e: function(arg0) {
					return arg0.valueOf();
				},
				__wbg_width_000813f5f73b7341: function(arg0) {
					return arg0.width;
				},
				__wbg_writeBuffer_4e374d509c96f6f7: function(arg0, arg1, arg2, arg3, arg4, arg5) {
					try {
						arg0.writeBuffer(arg1, arg2, arg3, arg4, arg5);
					} catch (e) {
						handleError(e);
					}
				},
				__wbg_writeBuffer_d7640e64ceb69371: function(arg0, arg1, arg2, arg3, arg4, arg5, arg6) {
					try {
						arg0.writeBuffer(arg1, arg2, getUint8ArrayMemory0(), (arg3 >>> 0) + arg5, arg6);
					} catch (e) {
						handleError(e);
					}
				},
				__wbindgen_generic_0000000000000001: function(arg0, arg1) {
					return makeMutClosure(arg0, arg1, wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wasm_bindgen_a110fd5f095e02f6___JsValue__core_c5930c85a12de822___result__Result_____wasm_bindgen_a110fd5f095e02f6___JsError___true_);
				},
				__wbindgen_generic_0000000000000002: function(arg0, arg1) {
					return makeMutClosure(arg0, arg1, wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wasm_bindgen_a110fd5f095e02f6___sys__JsNullable_wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuError__GpuError___core_c5930c85a12de822___result__Result_____wasm_bindgen_a110fd5f095e02f6___JsError___true_);
				},
				__wbindgen_generic_0000000000000003: function(arg0, arg1) {
					return makeMutClosure(arg0, arg1, wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuDeviceLostInfo__GpuDeviceLostInfo______true_);
				},
				__wbindgen_generic_0000000000000004: function(arg0, arg1) {
					return makeMutClosure(arg0, arg1, wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuDeviceLostInfo__GpuDeviceLostInfo______true__119);
				},
				__wbindgen_generic_0000000000000005: function(arg0, arg1) {
					return makeMutClosure(arg0, arg1, wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wasm_bindgen_a110fd5f095e02f6___sys__JsNullable_wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuError__GpuError___core_c5930c85a12de822___result__Result_____wasm_bindgen_a110fd5f095e02f6___JsError___true__120);
				},
				__wbindgen_generic_0000000000000006: function(arg0, arg1) {
					return makeMutClosure(arg0, arg1, wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wasm_bindgen_a110fd5f095e02f6___sys__JsNullable_wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuError__GpuError___core_c5930c85a12de822___result__Result_____wasm_bindgen_a110fd5f095e02f6___JsError___true__121);
				},
				__wbindgen_generic_0000000000000007: function(arg0, arg1) {
					return makeMutClosure(arg0, arg1, wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke_______true_);
				},
				__wbindgen_generic_0000000000000008: function(arg0) {
					return arg0;
				},
				__wbindgen_generic_0000000000000009: function(arg0, arg1) {
					return getArrayU8FromWasm0(arg0, arg1);
				},
				__wbindgen_generic_000000000000000a: function(arg0, arg1) {
					return getStringFromWasm0(arg0, arg1);
				},
				__wbindgen_init_externref_table: function() {
					const table = wasm.__wbindgen_externrefs;
					table.set(0, void 0);
					table.set(1024, void 0);
					table.set(1025, null);
					table.set(1026, true);
					table.set(1027, false);
				}
			}
		};
	}
	function wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke_______true_(arg0, arg1) {
		wasm.wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke_______true_(arg0, arg1);
	}
	function wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuDeviceLostInfo__GpuDeviceLostInfo______true_(arg0, arg1, arg2) {
		wasm.wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuDeviceLostInfo__GpuDeviceLostInfo______true_(arg0, arg1, arg2);
	}
	function wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuDeviceLostInfo__GpuDeviceLostInfo______true__119(arg0, arg1, arg2) {
		wasm.wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuDeviceLostInfo__GpuDeviceLostInfo______true__119(arg0, arg1, arg2);
	}
	function wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wasm_bindgen_a110fd5f095e02f6___JsValue__core_c5930c85a12de822___result__Result_____wasm_bindgen_a110fd5f095e02f6___JsError___true_(arg0, arg1, arg2) {
		const ret = wasm.wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wasm_bindgen_a110fd5f095e02f6___JsValue__core_c5930c85a12de822___result__Result_____wasm_bindgen_a110fd5f095e02f6___JsError___true_(arg0, arg1, arg2);
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	function wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wasm_bindgen_a110fd5f095e02f6___sys__JsNullable_wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuError__GpuError___core_c5930c85a12de822___result__Result_____wasm_bindgen_a110fd5f095e02f6___JsError___true_(arg0, arg1, arg2) {
		const ret = wasm.wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wasm_bindgen_a110fd5f095e02f6___sys__JsNullable_wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuError__GpuError___core_c5930c85a12de822___result__Result_____wasm_bindgen_a110fd5f095e02f6___JsError___true_(arg0, arg1, arg2);
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	function wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wasm_bindgen_a110fd5f095e02f6___sys__JsNullable_wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuError__GpuError___core_c5930c85a12de822___result__Result_____wasm_bindgen_a110fd5f095e02f6___JsError___true__120(arg0, arg1, arg2) {
		const ret = wasm.wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wasm_bindgen_a110fd5f095e02f6___sys__JsNullable_wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuError__GpuError___core_c5930c85a12de822___result__Result_____wasm_bindgen_a110fd5f095e02f6___JsError___true__120(arg0, arg1, arg2);
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	function wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wasm_bindgen_a110fd5f095e02f6___sys__JsNullable_wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuError__GpuError___core_c5930c85a12de822___result__Result_____wasm_bindgen_a110fd5f095e02f6___JsError___true__121(arg0, arg1, arg2) {
		const ret = wasm.wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wasm_bindgen_a110fd5f095e02f6___sys__JsNullable_wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuError__GpuError___core_c5930c85a12de822___result__Result_____wasm_bindgen_a110fd5f095e02f6___JsError___true__121(arg0, arg1, arg2);
		if (ret[1]) throw takeFromExternrefTable0(ret[0]);
	}
	function wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___js_sys_bae1c2c42e5cd5f9___Function_fn_wasm_bindgen_a110fd5f095e02f6___JsValue_____wasm_bindgen_a110fd5f095e02f6___sys__Undefined___js_sys_bae1c2c42e5cd5f9___Function_fn_wasm_bindgen_a110fd5f095e02f6___JsValue_____wasm_bindgen_a110fd5f095e02f6___sys__Undefined_______true_(arg0, arg1, arg2, arg3) {
		wasm.wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___js_sys_bae1c2c42e5cd5f9___Function_fn_wasm_bindgen_a110fd5f095e02f6___JsValue_____wasm_bindgen_a110fd5f095e02f6___sys__Undefined___js_sys_bae1c2c42e5cd5f9___Function_fn_wasm_bindgen_a110fd5f095e02f6___JsValue_____wasm_bindgen_a110fd5f095e02f6___sys__Undefined_______true_(arg0, arg1, arg2, arg3);
	}
	const __wbindgen_enum_GpuAutoLayoutMode = ["auto"];
	const __wbindgen_enum_GpuBlendFactor = [
		"zero",
		"one",
		"src",
		"one-minus-src",
		"src-alpha",
		"one-minus-src-alpha",
		"dst",
		"one-minus-dst",
		"dst-alpha",
		"one-minus-dst-alpha",
		"src-alpha-saturated",
		"constant",
		"one-minus-constant",
		"src1",
		"one-minus-src1",
		"src1-alpha",
		"one-minus-src1-alpha"
	];
	const __wbindgen_enum_GpuBlendOperation = [
		"add",
		"subtract",
		"reverse-subtract",
		"min",
		"max"
	];
	const __wbindgen_enum_GpuBufferBindingType = [
		"uniform",
		"storage",
		"read-only-storage"
	];
	const __wbindgen_enum_GpuCanvasAlphaMode = ["opaque", "premultiplied"];
	const __wbindgen_enum_GpuCanvasToneMappingMode = ["standard", "extended"];
	const __wbindgen_enum_GpuCompareFunction = [
		"never",
		"less",
		"equal",
		"less-equal",
		"greater",
		"not-equal",
		"greater-equal",
		"always"
	];
	const __wbindgen_enum_GpuCullMode = [
		"none",
		"front",
		"back"
	];
	const __wbindgen_enum_GpuDeviceLostReason = ["unknown", "destroyed"];
	const __wbindgen_enum_GpuErrorFilter = [
		"validation",
		"out-of-memory",
		"internal"
	];
	const __wbindgen_enum_GpuFrontFace = ["ccw", "cw"];
	const __wbindgen_enum_GpuIndexFormat = ["uint16", "uint32"];
	const __wbindgen_enum_GpuLoadOp = ["load", "clear"];
	const __wbindgen_enum_GpuPowerPreference = ["low-power", "high-performance"];
	const __wbindgen_enum_GpuPrimitiveTopology = [
		"point-list",
		"line-list",
		"line-strip",
		"triangle-list",
		"triangle-strip"
	];
	const __wbindgen_enum_GpuQueryType = ["occlusion", "timestamp"];
	const __wbindgen_enum_GpuSamplerBindingType = [
		"filtering",
		"non-filtering",
		"comparison"
	];
	const __wbindgen_enum_GpuStencilOperation = [
		"keep",
		"zero",
		"replace",
		"invert",
		"increment-clamp",
		"decrement-clamp",
		"increment-wrap",
		"decrement-wrap"
	];
	const __wbindgen_enum_GpuStorageTextureAccess = [
		"write-only",
		"read-only",
		"read-write"
	];
	const __wbindgen_enum_GpuStoreOp = ["store", "discard"];
	const __wbindgen_enum_GpuTextureAspect = [
		"all",
		"stencil-only",
		"depth-only"
	];
	const __wbindgen_enum_GpuTextureFormat = [
		"r8unorm",
		"r8snorm",
		"r8uint",
		"r8sint",
		"r16unorm",
		"r16snorm",
		"r16uint",
		"r16sint",
		"r16float",
		"rg8unorm",
		"rg8snorm",
		"rg8uint",
		"rg8sint",
		"r32uint",
		"r32sint",
		"r32float",
		"rg16unorm",
		"rg16snorm",
		"rg16uint",
		"rg16sint",
		"rg16float",
		"rgba8unorm",
		"rgba8unorm-srgb",
		"rgba8snorm",
		"rgba8uint",
		"rgba8sint",
		"bgra8unorm",
		"bgra8unorm-srgb",
		"rgb9e5ufloat",
		"rgb10a2uint",
		"rgb10a2unorm",
		"rg11b10ufloat",
		"rg32uint",
		"rg32sint",
		"rg32float",
		"rgba16unorm",
		"rgba16snorm",
		"rgba16uint",
		"rgba16sint",
		"rgba16float",
		"rgba32uint",
		"rgba32sint",
		"rgba32float",
		"stencil8",
		"depth16unorm",
		"depth24plus",
		"depth24plus-stencil8",
		"depth32float",
		"depth32float-stencil8",
		"bc1-rgba-unorm",
		"bc1-rgba-unorm-srgb",
		"bc2-rgba-unorm",
		"bc2-rgba-unorm-srgb",
		"bc3-rgba-unorm",
		"bc3-rgba-unorm-srgb",
		"bc4-r-unorm",
		"bc4-r-snorm",
		"bc5-rg-unorm",
		"bc5-rg-snorm",
		"bc6h-rgb-ufloat",
		"bc6h-rgb-float",
		"bc7-rgba-unorm",
		"bc7-rgba-unorm-srgb",
		"etc2-rgb8unorm",
		"etc2-rgb8unorm-srgb",
		"etc2-rgb8a1unorm",
		"etc2-rgb8a1unorm-srgb",
		"etc2-rgba8unorm",
		"etc2-rgba8unorm-srgb",
		"eac-r11unorm",
		"eac-r11snorm",
		"eac-rg11unorm",
		"eac-rg11snorm",
		"astc-4x4-unorm",
		"astc-4x4-unorm-srgb",
		"astc-5x4-unorm",
		"astc-5x4-unorm-srgb",
		"astc-5x5-unorm",
		"astc-5x5-unorm-srgb",
		"astc-6x5-unorm",
		"astc-6x5-unorm-srgb",
		"astc-6x6-unorm",
		"astc-6x6-unorm-srgb",
		"astc-8x5-unorm",
		"astc-8x5-unorm-srgb",
		"astc-8x6-unorm",
		"astc-8x6-unorm-srgb",
		"astc-8x8-unorm",
		"astc-8x8-unorm-srgb",
		"astc-10x5-unorm",
		"astc-10x5-unorm-srgb",
		"astc-10x6-unorm",
		"astc-10x6-unorm-srgb",
		"astc-10x8-unorm",
		"astc-10x8-unorm-srgb",
		"astc-10x10-unorm",
		"astc-10x10-unorm-srgb",
		"astc-12x10-unorm",
		"astc-12x10-unorm-srgb",
		"astc-12x12-unorm",
		"astc-12x12-unorm-srgb"
	];
	const __wbindgen_enum_GpuTextureSampleType = [
		"float",
		"unfilterable-float",
		"depth",
		"sint",
		"uint"
	];
	const __wbindgen_enum_GpuTextureViewDimension = [
		"1d",
		"2d",
		"2d-array",
		"cube",
		"cube-array",
		"3d"
	];
	const __wbindgen_enum_GpuVertexFormat = [
		"uint8",
		"uint8x2",
		"uint8x4",
		"sint8",
		"sint8x2",
		"sint8x4",
		"unorm8",
		"unorm8x2",
		"unorm8x4",
		"snorm8",
		"snorm8x2",
		"snorm8x4",
		"uint16",
		"uint16x2",
		"uint16x4",
		"sint16",
		"sint16x2",
		"sint16x4",
		"unorm16",
		"unorm16x2",
		"unorm16x4",
		"snorm16",
		"snorm16x2",
		"snorm16x4",
		"float16",
		"float16x2",
		"float16x4",
		"float32",
		"float32x2",
		"float32x3",
		"float32x4",
		"uint32",
		"uint32x2",
		"uint32x3",
		"uint32x4",
		"sint32",
		"sint32x2",
		"sint32x3",
		"sint32x4",
		"unorm10-10-10-2",
		"unorm8x4-bgra"
	];
	const __wbindgen_enum_GpuVertexStepMode = ["vertex", "instance"];
	function addToExternrefTable0(obj) {
		const idx = wasm.__externref_table_alloc();
		wasm.__wbindgen_externrefs.set(idx, obj);
		return idx;
	}
	const CLOSURE_DTORS = typeof FinalizationRegistry === "undefined" ? {
		register: () => {},
		unregister: () => {}
	} : new FinalizationRegistry((state) => wasm.__wbindgen_destroy_closure(state.a, state.b));
	function debugString(val) {
		switch (typeof val) {
			case "number":
			case "boolean":
			case "undefined": return `${val}`;
			case "string": return JSON.stringify(val);
			case "bigint": return `${val}n`;
			case "symbol": return val.description !== void 0 ? `Symbol(${val.description})` : "Symbol";
			case "function": return typeof val.name === "string" && val.name !== "" ? `Function(${val.name})` : "Function";
			case "object": {
				if (val === null) return "null";
				if (Array.isArray(val)) return "[" + Array.from(val, debugString).join(", ") + "]";
				if (val instanceof Error) return `${val.name}: ${val.message}\n${val.stack}`;
				const toStringOutput = toString.call(val);
				const className = /\[object ([^\]]+)\]/.exec(toStringOutput)?.[1];
				if (className === void 0) return toStringOutput;
				if (className === "Object") try {
					return "Object(" + JSON.stringify(val) + ")";
				} catch (_) {
					return "Object";
				}
				return className;
			}
		}
	}
	function getArrayF32FromWasm0(ptr, len) {
		ptr = ptr >>> 0;
		return getFloat32ArrayMemory0().subarray(ptr / 4, ptr / 4 + len);
	}
	function getArrayF64FromWasm0(ptr, len) {
		ptr = ptr >>> 0;
		return getFloat64ArrayMemory0().subarray(ptr / 8, ptr / 8 + len);
	}
	function getArrayI16FromWasm0(ptr, len) {
		ptr = ptr >>> 0;
		return getInt16ArrayMemory0().subarray(ptr / 2, ptr / 2 + len);
	}
	function getArrayI32FromWasm0(ptr, len) {
		ptr = ptr >>> 0;
		return getInt32ArrayMemory0().subarray(ptr / 4, ptr / 4 + len);
	}
	function getArrayI8FromWasm0(ptr, len) {
		ptr = ptr >>> 0;
		return getInt8ArrayMemory0().subarray(ptr / 1, ptr / 1 + len);
	}
	function getArrayJsValueFromWasm0(ptr, len) {
		ptr = ptr >>> 0;
		const mem = getDataViewMemory0();
		const result = [];
		for (let i = ptr; i < ptr + 4 * len; i += 4) result.push(wasm.__wbindgen_externrefs.get(mem.getUint32(i, true)));
		wasm.__externref_drop_slice(ptr, len);
		return result;
	}
	function getArrayJsValueViewFromWasm0(ptr, len) {
		ptr = ptr >>> 0;
		const mem = getDataViewMemory0();
		const result = [];
		for (let i = ptr; i < ptr + 4 * len; i += 4) result.push(wasm.__wbindgen_externrefs.get(mem.getUint32(i, true)));
		return result;
	}
	function getArrayU32FromWasm0(ptr, len) {
		ptr = ptr >>> 0;
		return getUint32ArrayMemory0().subarray(ptr / 4, ptr / 4 + len);
	}
	function getArrayU8FromWasm0(ptr, len) {
		ptr = ptr >>> 0;
		return getUint8ArrayMemory0().subarray(ptr / 1, ptr / 1 + len);
	}
	let cachedDataViewMemory0 = null;
	function getDataViewMemory0() {
		if (cachedDataViewMemory0 === null || cachedDataViewMemory0.buffer.detached === true || cachedDataViewMemory0.buffer.detached === void 0 && cachedDataViewMemory0.buffer !== wasm.memory.buffer) cachedDataViewMemory0 = new DataView(wasm.memory.buffer);
		return cachedDataViewMemory0;
	}
	let cachedFloat32ArrayMemory0 = null;
	function getFloat32ArrayMemory0() {
		if (cachedFloat32ArrayMemory0 === null || cachedFloat32ArrayMemory0.byteLength === 0) cachedFloat32ArrayMemory0 = new Float32Array(wasm.memory.buffer);
		return cachedFloat32ArrayMemory0;
	}
	let cachedFloat64ArrayMemory0 = null;
	function getFloat64ArrayMemory0() {
		if (cachedFloat64ArrayMemory0 === null || cachedFloat64ArrayMemory0.byteLength === 0) cachedFloat64ArrayMemory0 = new Float64Array(wasm.memory.buffer);
		return cachedFloat64ArrayMemory0;
	}
	let cachedInt16ArrayMemory0 = null;
	function getInt16ArrayMemory0() {
		if (cachedInt16ArrayMemory0 === null || cachedInt16ArrayMemory0.byteLength === 0) cachedInt16ArrayMemory0 = new Int16Array(wasm.memory.buffer);
		return cachedInt16ArrayMemory0;
	}
	let cachedInt32ArrayMemory0 = null;
	function getInt32ArrayMemory0() {
		if (cachedInt32ArrayMemory0 === null || cachedInt32ArrayMemory0.byteLength === 0) cachedInt32ArrayMemory0 = new Int32Array(wasm.memory.buffer);
		return cachedInt32ArrayMemory0;
	}
	let cachedInt8ArrayMemory0 = null;
	function getInt8ArrayMemory0() {
		if (cachedInt8ArrayMemory0 === null || cachedInt8ArrayMemory0.byteLength === 0) cachedInt8ArrayMemory0 = new Int8Array(wasm.memory.buffer);
		return cachedInt8ArrayMemory0;
	}
	function getStringFromWasm0(ptr, len) {
		ptr = ptr >>> 0;
		return decodeText(getUint8ArrayMemory0().subarray(ptr, ptr + len));
	}
	let cachedUint32ArrayMemory0 = null;
	function getUint32ArrayMemory0() {
		if (cachedUint32ArrayMemory0 === null || cachedUint32ArrayMemory0.byteLength === 0) cachedUint32ArrayMemory0 = new Uint32Array(wasm.memory.buffer);
		return cachedUint32ArrayMemory0;
	}
	let cachedUint8ArrayMemory0 = null;
	function getUint8ArrayMemory0() {
		if (cachedUint8ArrayMemory0 === null || cachedUint8ArrayMemory0.byteLength === 0) cachedUint8ArrayMemory0 = new Uint8Array(wasm.memory.buffer);
		return cachedUint8ArrayMemory0;
	}
	function handleError(e) {
		const idx = addToExternrefTable0(e);
		wasm.__wbindgen_exn_store(idx);
	}
	function isLikeNone(x) {
		return x === void 0 || x === null;
	}
	function makeMutClosure(arg0, arg1, f) {
		const state = {
			a: arg0,
			b: arg1,
			cnt: 1
		};
		const real = (arg) => {
			state.cnt++;
			const a = state.a;
			state.a = 0;
			try {
				return f(a, state.b, arg);
			} finally {
				state.a = a;
				real._wbg_cb_unref();
			}
		};
		real._wbg_cb_unref = () => {
			if (--state.cnt === 0) {
				wasm.__wbindgen_destroy_closure(state.a, state.b);
				state.a = 0;
				CLOSURE_DTORS.unregister(state);
			}
		};
		CLOSURE_DTORS.register(real, state, state);
		return real;
	}
	function passArray32ToWasm0(arg, malloc) {
		const ptr = malloc(arg.length * 4, 4) >>> 0;
		getUint32ArrayMemory0().set(arg, ptr / 4);
		WASM_VECTOR_LEN = arg.length;
		return ptr;
	}
	function passArray8ToWasm0(arg, malloc) {
		const ptr = malloc(arg.length * 1, 1) >>> 0;
		getUint8ArrayMemory0().set(arg, ptr / 1);
		WASM_VECTOR_LEN = arg.length;
		return ptr;
	}
	function passArrayF64ToWasm0(arg, malloc) {
		const ptr = malloc(arg.length * 8, 8) >>> 0;
		getFloat64ArrayMemory0().set(arg, ptr / 8);
		WASM_VECTOR_LEN = arg.length;
		return ptr;
	}
	function passArrayJsValueToWasm0(array, malloc) {
		const ptr = malloc(array.length * 4, 4) >>> 0;
		for (let i = 0; i < array.length; i++) {
			const add = addToExternrefTable0(array[i]);
			getDataViewMemory0().setUint32(ptr + 4 * i, add, true);
		}
		WASM_VECTOR_LEN = array.length;
		return ptr;
	}
	function passStringToWasm0(arg, malloc, realloc) {
		if (realloc === void 0) {
			const buf = cachedTextEncoder.encode(arg);
			const ptr = malloc(buf.length, 1) >>> 0;
			getUint8ArrayMemory0().subarray(ptr, ptr + buf.length).set(buf);
			WASM_VECTOR_LEN = buf.length;
			return ptr;
		}
		let len = arg.length;
		let ptr = malloc(len, 1) >>> 0;
		const mem = getUint8ArrayMemory0();
		let offset = 0;
		for (; offset < len; offset++) {
			const code = arg.charCodeAt(offset);
			if (code > 127) break;
			mem[ptr + offset] = code;
		}
		if (offset !== len) {
			if (offset !== 0) arg = arg.slice(offset);
			ptr = realloc(ptr, len, len = offset + arg.length * 3, 1) >>> 0;
			const view = getUint8ArrayMemory0().subarray(ptr + offset, ptr + len);
			const ret = cachedTextEncoder.encodeInto(arg, view);
			offset += ret.written;
			ptr = realloc(ptr, len, offset, 1) >>> 0;
		}
		WASM_VECTOR_LEN = offset;
		return ptr;
	}
	function takeFromExternrefTable0(idx) {
		const value = wasm.__wbindgen_externrefs.get(idx);
		wasm.__externref_table_dealloc(idx);
		return value;
	}
	let cachedTextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
	cachedTextDecoder.decode();
	const MAX_SAFARI_DECODE_BYTES = 2146435072;
	let numBytesDecoded = 0;
	function decodeText(bytes) {
		numBytesDecoded += bytes.length;
		if (numBytesDecoded >= MAX_SAFARI_DECODE_BYTES) {
			cachedTextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
			cachedTextDecoder.decode();
			numBytesDecoded = bytes.length;
		}
		return cachedTextDecoder.decode(bytes);
	}
	const cachedTextEncoder = new TextEncoder();
	if (!("encodeInto" in cachedTextEncoder)) cachedTextEncoder.encodeInto = function(arg, view) {
		const buf = cachedTextEncoder.encode(arg);
		view.set(buf);
		return {
			read: arg.length,
			written: buf.length
		};
	};
	let WASM_VECTOR_LEN = 0, wasm;
	function __wbg_finalize_init(instance, module) {
		wasm = instance.exports;
		wasm = guardExports(wasm, [
			wasm.wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke_______true_,
			wasm.wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuDeviceLostInfo__GpuDeviceLostInfo______true_,
			wasm.wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuDeviceLostInfo__GpuDeviceLostInfo______true__119,
			wasm.wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wasm_bindgen_a110fd5f095e02f6___JsValue__core_c5930c85a12de822___result__Result_____wasm_bindgen_a110fd5f095e02f6___JsError___true_,
			wasm.wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wasm_bindgen_a110fd5f095e02f6___sys__JsNullable_wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuError__GpuError___core_c5930c85a12de822___result__Result_____wasm_bindgen_a110fd5f095e02f6___JsError___true_,
			wasm.wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wasm_bindgen_a110fd5f095e02f6___sys__JsNullable_wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuError__GpuError___core_c5930c85a12de822___result__Result_____wasm_bindgen_a110fd5f095e02f6___JsError___true__120,
			wasm.wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___wasm_bindgen_a110fd5f095e02f6___sys__JsNullable_wgpu_3c10fa4ba9d400d7___backend__webgpu__webgpu_sys__gen_GpuError__GpuError___core_c5930c85a12de822___result__Result_____wasm_bindgen_a110fd5f095e02f6___JsError___true__121,
			wasm.wasm_bindgen_a110fd5f095e02f6___convert__closures_____invoke___js_sys_bae1c2c42e5cd5f9___Function_fn_wasm_bindgen_a110fd5f095e02f6___JsValue_____wasm_bindgen_a110fd5f095e02f6___sys__Undefined___js_sys_bae1c2c42e5cd5f9___Function_fn_wasm_bindgen_a110fd5f095e02f6___JsValue_____wasm_bindgen_a110fd5f095e02f6___sys__Undefined_______true_,
			wasm.__wbindgen_destroy_closure
		], wasm.failed_allocation);
		cachedDataViewMemory0 = null;
		cachedFloat32ArrayMemory0 = null;
		cachedFloat64ArrayMemory0 = null;
		cachedInt16ArrayMemory0 = null;
		cachedInt32ArrayMemory0 = null;
		cachedInt8ArrayMemory0 = null;
		cachedUint32ArrayMemory0 = null;
		cachedUint8ArrayMemory0 = null;
		wasm.__wbindgen_start();
		return wasm;
	}
	async function __wbg_load(module, imports) {
		if (typeof Response === "function" && module instanceof Response) {
			if (!module.ok) throw new Error(`failed to fetch Wasm: ${module.status} ${module.statusText} fetching '${module.url}'`);
			if (typeof WebAssembly.instantiateStreaming === "function") try {
				return await WebAssembly.instantiateStreaming(module, imports);
			} catch (e) {
				if (expectedResponseType(module.type) && module.headers.get("Content-Type") !== "application/wasm") console.warn("`WebAssembly.instantiateStreaming` failed because your server does not serve Wasm with `application/wasm` MIME type. Falling back to `WebAssembly.instantiate` which is slower. Original error:\n", e);
				else throw e;
			}
			const bytes = await module.arrayBuffer();
			return await WebAssembly.instantiate(bytes, imports);
		} else {
			const instance = await WebAssembly.instantiate(module, imports);
			if (instance instanceof WebAssembly.Instance) return {
				instance,
				module
			};
			else return instance;
		}
		function expectedResponseType(type) {
			switch (type) {
				case "basic":
				case "cors":
				case "default": return true;
			}
			return false;
		}
	}
	function initSync(module) {
		if (wasm !== void 0) return wasm;
		if (module !== void 0) {
			if (Object.getPrototypeOf(module) === Object.prototype) ({module} = module);
			else console.warn("using deprecated parameters for `initSync()`; pass a single object instead");
		}
		const imports = __wbg_get_imports();
		if (!(module instanceof WebAssembly.Module)) module = new WebAssembly.Module(module);
		return __wbg_finalize_init(new WebAssembly.Instance(module, imports), module);
	}
	let __wbg_init_promise;
	async function __wbg_init(module_or_path) {
		if (wasm !== void 0) return wasm;
		if (__wbg_init_promise === void 0) {
			__wbg_init_promise = __wbg_init_once(module_or_path);
			__wbg_init_promise.catch(() => {
				__wbg_init_promise = void 0;
			});
		}
		return __wbg_init_promise;
	}
	async function __wbg_init_once(module_or_path) {
		if (module_or_path !== void 0) {
			if (Object.getPrototypeOf(module_or_path) === Object.prototype) ({module_or_path} = module_or_path);
			else console.warn("using deprecated parameters for the initialization function; pass a single object instead");
		}
		const imports = __wbg_get_imports();
		if (typeof module_or_path === "string" || typeof Request === "function" && module_or_path instanceof Request || typeof URL === "function" && module_or_path instanceof URL) module_or_path = fetch(module_or_path);
		const { instance, module } = await __wbg_load(await module_or_path, imports);
		return __wbg_finalize_init(instance, module);
	}
	return {
		default: __wbg_init,
		initSync,
		batch_begin,
		batch_end,
		batch_input,
		batch_outputs,
		begin_transform,
		branch_close,
		buffer_in,
		buffer_out,
		bytes_live,
		call,
		call_all,
		can_draw,
		canvas_draw,
		canvas_drop,
		canvas_surface,
		captured_call,
		captured_drop,
		clone,
		close,
		compile_times,
		custom_abort,
		custom_begin,
		custom_end,
		custom_seed,
		deferred_ops,
		dispose,
		dispose_all,
		dtype,
		end_transform,
		enter,
		explain_runs,
		explain_tensor,
		export_begin,
		export_take,
		export_weights,
		failed_allocation,
		from_words,
		gradients,
		has_recipe,
		idle,
		inflate_raw,
		inspect,
		inspect_site,
		install_errors,
		is_lost,
		is_transforming,
		jacobians,
		jvp,
		kernel_call,
		kernel_drop,
		kernel_new,
		kernel_of_source,
		label_runs,
		learn_compile_times,
		lives,
		loop_close,
		mark,
		number,
		number_as,
		number_placeholder,
		op_names,
		open,
		optimizer_drop,
		optimizer_lr,
		optimizer_new,
		optimizer_set_lr,
		optimizer_set_steps,
		optimizer_states,
		optimizer_step,
		optimizer_steps,
		parameter,
		parameter_set,
		placeholder,
		random_bernoulli,
		random_bits,
		random_fold_in,
		random_fold_in_tensor,
		random_key,
		random_next,
		random_normal,
		random_randint,
		random_restore,
		random_seed,
		random_split,
		random_state,
		random_uniform,
		read,
		read_idx,
		realize,
		region_abort,
		region_begin,
		reset_peak,
		shape,
		split,
		stand_in,
		stand_in_begin,
		stand_in_end,
		stats,
		substitute,
		throttle,
		ticks,
		trace_abort,
		trace_begin,
		trace_end,
		trace_explain,
		trace_precompile,
		tune_begin,
		tune_export,
		tune_import,
		tune_log,
		tune_slice,
		tune_switch,
		vjp,
		watch,
		weak_number
	};
}
// src/core/wasm/source.ts
/** The WebAssembly there. Throws `FormatError` when what is there is none, or is not there, and `ValueError` for what is no place. @internal */
async function compile(found, wanted) {
	if (isA(found, "WebAssembly.Module")) return found;
	if (isBytes(found)) return compileBytes(found, given$2(wanted), wanted);
	if (isA(found, "Response")) return compileResponse(found, wanted);
	const url = addressOf(found, wanted);
	if (url.protocol === "file:") return compileBytes(await readFile(url, wanted), url.href, wanted);
	return compileResponse(await fetch(url).catch((error) => {
		throw wrong(wanted, `${url.href} could not be fetched: ${String(error)}`);
	}), wanted);
}
/** As `compile`, but of anything but a response, and before it returns: a page's thread stands still meanwhile. @internal */
function compileNow(found, wanted) {
	if (isA(found, "WebAssembly.Module")) return found;
	if (isBytes(found)) return compileBytesNow(found, given$2(wanted), wanted);
	const url = addressOf(found, wanted);
	return compileBytesNow(url.protocol === "file:" ? readFileNow(url, wanted) : fetchNow(url, wanted), url.href, wanted);
}
function compileBytesNow(bytes, name, wanted) {
	check$1(bytes, name, wanted);
	try {
		return new WebAssembly.Module(bytes);
	} catch (error) {
		throw doesNotCompile(name, error, wanted);
	}
}
const given$2 = ({ option }) => `what init({ ${option} }) was given`;
/** Whether it is an object of the class called `name`. @internal */
function isA(value, name) {
	return Object.prototype.toString.call(value) === `[object ${name}]`;
}
function isBytes(found) {
	return ArrayBuffer.isView(found) || isA(found, "ArrayBuffer") || isA(found, "SharedArrayBuffer");
}
function wrong({ op, hint }, what, cause) {
	const error = new FormatError(op, what + hint);
	if (cause !== void 0) error.cause = cause;
	return error;
}
function doesNotCompile(name, error, wanted) {
	const policy = /unsafe-eval|content security policy/i.test(String(error)) ? "; the page's Content-Security-Policy must allow it: script-src 'self' 'wasm-unsafe-eval'" : "";
	return wrong(wanted, `${name} does not compile: ${String(error)}${policy}`, error);
}
function addressOf(found, { op, option }) {
	if (typeof found !== "string" && !isA(found, "URL")) throw new ValueError(op, `${option} is an address, a Response, the bytes, or a WebAssembly.Module, not ${found === null ? "null" : typeof found}`);
	try {
		return new URL(found, globalThis.location?.href);
	} catch {
		throw new ValueError(op, `${option}: ${JSON.stringify(found)} is not an address`);
	}
}
async function compileResponse(response, wanted) {
	const name = response.url || `the response of init({ ${wanted.option} })`;
	if (!response.ok) throw wrong(wanted, notFetched(name, response));
	if (response.bodyUsed) throw wrong(wanted, `${name} was read already`);
	const type = response.headers.get("content-type") ?? "";
	if (/^application\/wasm\b/i.test(type)) return WebAssembly.compileStreaming(response).catch((error) => {
		throw doesNotCompile(name, error, wanted);
	});
	return compileBytes(await response.arrayBuffer().catch((error) => {
		throw wrong(wanted, `${name} could not be read: ${String(error)}`);
	}), name, wanted);
}
function notFetched(name, { status, statusText }) {
	return `${name} could not be fetched: ${status} ${statusText}`.trimEnd();
}
async function compileBytes(bytes, name, wanted) {
	check$1(bytes, name, wanted);
	return WebAssembly.compile(bytes).catch((error) => {
		throw doesNotCompile(name, error, wanted);
	});
}
function check$1(bytes, name, wanted) {
	const view = ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
	const start = new TextDecoder("latin1").decode(view.subarray(0, 64));
	if (start.startsWith("\0asm")) return;
	throw wrong(wanted, `${name} is not WebAssembly (no magic word) but ${view.length === 0 ? "empty" : /^\s*</.test(start) ? `a page: ${JSON.stringify(start.trim().slice(0, 40))}` : "something else"}`);
}
/** Node's `fetch` knows no files. The module is asked for in this way because bundlers for pages refuse to see it imported. */
async function readFile(url, wanted) {
	const node = globalThis.process?.getBuiltinModule?.("node:fs/promises");
	if (!node) throw noFiles(url, wanted);
	return node.readFile(url).catch((error) => {
		throw notRead(url, error, wanted);
	});
}
function readFileNow(url, wanted) {
	const node = globalThis.process?.getBuiltinModule?.("node:fs");
	if (!node) throw noFiles(url, wanted);
	try {
		return node.readFileSync(url);
	} catch (error) {
		throw notRead(url, error, wanted);
	}
}
function noFiles(url, { op, option }) {
	return new FormatError(op, `cannot read ${url.href}: pass the WebAssembly's bytes as init({ ${option} })`);
}
function notRead(url, error, wanted) {
	return wrong(wanted, `${url.href} could not be read: ${String(error)}`, error);
}
/** What browsers have for those who cannot wait. Bytes come as characters, for pages may not ask for a buffer in this way; workers may, but one
* road is enough. */
function fetchNow(url, wanted) {
	if (typeof XMLHttpRequest === "undefined") throw wrong(wanted, `${url.href} cannot be fetched at once here: \`await preload()\` before`);
	const request = new XMLHttpRequest();
	try {
		request.open("GET", url, false);
		request.overrideMimeType("text/plain; charset=x-user-defined");
		request.send();
	} catch (error) {
		throw wrong(wanted, `${url.href} could not be fetched: ${String(error)}`, error);
	}
	if (request.status !== 0 && (request.status < 200 || request.status >= 300)) throw wrong(wanted, notFetched(url.href, request));
	const text = request.responseText;
	const bytes = new Uint8Array(text.length);
	for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
	return bytes;
}
// src/core/wasm/parts.ts
/** Told when one of the package's own files is not where it should be. */
const MOVED = "; a build tool moved the script away from weft.wasm and weft-rest.wasm, which belong beside it: for Vite's development server set optimizeDeps: { exclude: [\"weft-gpu\"] }; otherwise pass init({ wasm, rest }), or import \"weft-gpu/inline\"";
/** What was compiled. Starting anew needs neither the file nor its compilation. */
let main = null;
let rest = null;
let coming = null;
let place = beside();
/** What everyone needs, compiled. Later sources than those that it was compiled of are ignored. Throws `FormatError` when what is there is not
* WebAssembly, or is not there, and `ValueError` for what is no place. */
async function mainPart(sources) {
	const compiling = main ??= compileMain(sources());
	try {
		return await compiling;
	} catch (error) {
		if (main === compiling) main = null;
		throw error;
	}
}
/** Has the main part compiled again by the next who asks: what was given is not the core. */
function forgetMain() {
	main = null;
}
async function compileMain(sources) {
	const [wasm, given] = await Promise.all([sources.wasm, sources.rest]);
	const found = given ?? siblingOf(wasm);
	place = found === void 0 ? beside() : {
		found,
		hint: ""
	};
	if (isA(place.found, "Response")) await restSoon("init");
	return compile(wasm ?? new URL("../../../wasm/weft_wasm_bg.wasm", import.meta.url), {
		op: "init",
		option: "wasm",
		hint: wasm === void 0 || wasm === null ? MOVED : ""
	});
}
function beside() {
	return {
		found: new URL("../../../wasm/weft_wasm_rest.wasm", import.meta.url),
		hint: MOVED
	};
}
const isFetcher = (found) => typeof found === "function";
const isAddress = (found) => typeof found === "string" || isA(found, "URL");
/** The rest lies beside the main part wherever that is called as in the package. */
function siblingOf(wasm) {
	const address = isA(wasm, "Response") ? wasm.url : isAddress(wasm) ? String(wasm) : "";
	return /(^|\/)weft\.wasm$/.test(address) ? address.replace(/weft\.wasm$/, "weft-rest.wasm") : void 0;
}
const wanted = (op) => ({
	op,
	option: "rest",
	hint: place.hint
});
/** The rest, without holding the thread. Throws `FormatError` in the name of `op` when it is not to be had, and may be asked again. */
async function restSoon(op) {
	if (rest) return rest;
	const { found } = place;
	coming ??= (isFetcher(found) ? found().then((fetched) => compile(fetched, wanted(op))) : compile(found, wanted(op))).finally(() => {
		coming = null;
	});
	rest = await coming;
	return rest;
}
/** Whether the rest can be had at once: a function that fetches it has done so, or a place is known. */
const restIsNear = () => rest !== null || !isFetcher(place.found);
/** The rest, at once. Throws `FormatError` in the name of `op` when it is not to be had, and may be asked again. */
function restNow(op) {
	if (!rest && isFetcher(place.found)) throw new FormatError(op, "this part of Weft is still to be fetched: `await preload()` before");
	return rest ??= compileNow(place.found, wanted(op));
}
// src/core/wasm/instance.ts
/** How often the rest was fetched because something entered it, not because who called knew that it would be needed. */
let unforeseen = 0;
/** A started core. */
var Instance = class Instance {
	core;
	#failure = null;
	/** What left the core while functions of it were under way, with which the instance is at an end. */
	#thrown = null;
	/** How to end promises that the core has given. */
	#waiting = /* @__PURE__ */ new Set();
	#failedAllocation = null;
	/** What the main part has for the rest, by its place; null once that is there. */
	#shared = [];
	/** Starts an instance of a module. Throws `FormatError` when it is not the core. */
	static async start(module) {
		const started = new Instance();
		try {
			await started.core.default({ module_or_path: module });
		} catch (error) {
			if (error instanceof RangeError) throw new OutOfMemoryError("init", `there is no memory for Weft's core: ${error.message}`);
			throw new FormatError("init", `the WebAssembly is not the one that belongs to this version of weft-gpu: ${String(error)}`);
		}
		return started;
	}
	constructor() {
		const core = instance$1((...exports) => this.#guard(...exports), () => {
			unforeseen++;
			this.needRest("weft");
		});
		this.core = {
			...core,
			open: (...args) => this.#watched(core.open(...args)),
			read: (...args) => this.#watched(core.read(...args)),
			idle: (...args) => this.#watched(core.idle(...args)),
			tune_slice: () => this.#watched(core.tune_slice())
		};
	}
	/** Has the rest of the core at hand, before what is in there is called in the name of `op`. Throws `FormatError` when it is not to be had; nothing
	* is lost then. */
	needRest(op) {
		if (this.#shared) this.#join(op, restNow(op));
	}
	/** As `needRest`, without holding the thread. */
	async fetchRest(op) {
		if (!this.#shared) return;
		const rest = await restSoon(op);
		if (this.#shared) this.#join(op, rest);
	}
	/** Its imports say by number which main part it belongs to, and by place what it takes of it. */
	#join(op, rest) {
		const shared = this.#shared ?? [];
		const number = shared[0].value;
		try {
			new WebAssembly.Instance(rest, { [number]: shared });
		} catch (error) {
			throw new FormatError(op, `the rest of the WebAssembly is not the one that belongs to its main part: ${String(error)}`);
		}
		this.#shared = null;
	}
	/** Why the instance is at an end, or null. */
	get failure() {
		return this.#thrown ? this.#end(this.#thrown.error) : null;
	}
	/** A promise of its end. */
	ended = new Promise((resolve) => this.#waiting.add(resolve));
	/** The exports, each of which watches for exceptions. Nothing enters an instance that is at an end: what it still would call back is
	* of no use any more. */
	#guard(...[exports, callbacks, failedAllocation]) {
		this.#failedAllocation = failedAllocation;
		this.#shared = Object.values(exports);
		const guarded = {};
		for (const [name, value] of Object.entries(exports)) guarded[name] = typeof value === "function" ? this.#enter(value, callbacks.includes(value)) : value;
		return guarded;
	}
	/** What the engine calls back throws nothing: that would be reported as an error of nobody. Its arguments may be devices, and an iterator that somebody has
	* replaced would see what is spread. */
	#enter(inside, isCallback) {
		return (...args) => {
			if (this.#thrown) return nothing;
			try {
				return isCallback ? apply(inside, void 0, args) : inside(...args);
			} catch (error) {
				this.#thrown ??= { error };
				const failure = this.#end(error);
				if (isCallback) return nothing;
				throw failure;
			}
		};
	}
	#end(error) {
		if (this.#failure) return this.#failure;
		const failure = this.#failure = failureOf(error, missingMemory(this.#failedAllocation));
		this.#failedAllocation = null;
		for (const tell of this.#waiting) tell(failure);
		this.#waiting.clear();
		return failure;
	}
	/** A promise that is rejected when the instance ends before it is settled. */
	#watched(promise) {
		return new Promise((resolve, reject) => {
			this.#waiting.add(reject);
			const done = () => this.#waiting.delete(reject);
			promise.then(resolve, reject).finally(done);
		});
	}
};
/** What glue takes for any result. */
const nothing = [];
const { apply } = Reflect;
function failureOf(error, bytes) {
	const gone = "Its tensors are gone; `await init()` starts it anew";
	const because = (made) => Object.defineProperty(made, "cause", {
		value: error,
		configurable: true,
		writable: true
	});
	if (bytes > 0) return because(new OutOfMemoryError("weft", `the core ran out of memory, asking for ${bytes} bytes. ${gone}`));
	if (error instanceof RangeError) return because(new DeviceLostError("weft", `the core ran out of stack: ${error.message}. ${gone}`));
	return because(new InternalError("weft", `the core failed: ${error instanceof WeftError ? error.message.slice(error.op.length + 2) : String(error)}. ${gone}`));
}
/** How much memory could not be had, if that is why the core failed. */
function missingMemory(failedAllocation) {
	try {
		return failedAllocation?.() ?? 0;
	} catch {
		return 0;
	}
}
/** Frames that a call of the core may take: operations take half a frame to six, compiling two. */
const CALL = 10;
/** The same for what only gives back. */
const RETURN$1 = 4;
/** The same for a scope, which must still be able to clean up when something in it ran out of stack. */
const SCOPE = 20;
/** How room is asked for; in one place, where tests can take it away. @internal */
const room = { 
/** Throws the engine's own `RangeError` unless so many frames fit. */
ask(frames) {
	(nested ??= begun$1())(frames);
} };
/** Throws the engine's own `RangeError` unless the core can be called here. */
function ensureStack() {
	room.ask(CALL);
}
/** Throws the engine's own `RangeError` unless a scope can be opened here, and cleaned up whatever happens in it. */
function ensureScope() {
	room.ask(SCOPE);
}
/** Whether the core can be called here to give something back. */
function hasStack() {
	try {
		room.ask(RETURN$1);
		return true;
	} catch {
		return false;
	}
}
/** Calls itself so many times. */
let nested = null;
function begun$1() {
	const { exports } = new WebAssembly.Instance(new WebAssembly.Module(written$2()));
	return exports["f"];
}
/**
* The module, as bytes:
*
*     (module (table 2 funcref) (memory 1) (elem (i32.const 0) $f $last)
*       (func $f (export "f") (param i32)
*         ;; First and always, so that the frame is there before: itself with one less, or, at 0, the end.
*         (call_indirect (i32.sub (local.get 0) (i32.const 1)) (select (i32.const 0) (i32.const 1) (local.get 0)))
*         (br_if 0 (i32.eqz (i32.load (i32.const 0))))       ;; memory is all zeros, which no compiler knows
*         i32.const 0
*         (i64.load offset=0 (i32.const 0)) …                ;; FRAME of them, which all live through the next call
*         (call_indirect (i32.const 0) (i32.const 1))
*         i64.add …  i64.store)                              ;; for what nobody needs lies in no frame
*       (func $last (param i32)))
*/
function written$2() {
	const [i32, zero, one, argument, end] = [
		127,
		[65, 0],
		[65, 1],
		[32, 0],
		11
	];
	const call = [
		17,
		0,
		0
	];
	const first = [
		...argument,
		...one,
		107,
		...zero,
		...one,
		...argument,
		27,
		...call
	];
	const usual = [
		...zero,
		40,
		2,
		0,
		69,
		13,
		0
	];
	const loads = Array.from({ length: 512 }, (_, n) => [
		...zero,
		41,
		3,
		...counted$4(8 * n)
	]);
	const adds = Array.from({ length: 511 }, () => 124);
	const body = [
		0,
		...first,
		...usual,
		...zero,
		...loads.flat(),
		...zero,
		...one,
		...call,
		...adds,
		55,
		3,
		0,
		end
	];
	const section = (number, ...bytes) => [
		number,
		...counted$4(bytes.length),
		...bytes
	];
	return Uint8Array.from([
		...[
			0,
			97,
			115,
			109,
			1,
			0,
			0,
			0
		],
		...section(1, 1, 96, 1, i32, 0),
		...section(3, 2, 0, 0),
		...section(4, 1, 112, 0, 2),
		...section(5, 1, 0, 1),
		...section(7, 1, 1, 102, 0, 0),
		...section(9, 1, 0, ...zero, end, 2, 0, 1),
		...section(10, 2, ...counted$4(body.length), ...body, 2, 0, end)
	]);
}
/** A number, seven bits to a byte. */
function counted$4(number) {
	return number < 128 ? [number] : [number & 127 | 128, ...counted$4(number >> 7)];
}
// src/core/wasm/core.ts
let instance = null;
/** Which device is open: a number that grows with each. */
let session$1 = 0;
/** Whether that device is open: not before `init`, nor between two cores. */
let open = false;
/** The core. Throws when no device was opened yet, and when the core failed since; and a `RangeError` where too little stack is left. */
function core() {
	if (instance?.failure) throw stopped(instance.failure);
	if (!open || !instance) throw new WeftError("weft", "there is no device yet: call `await init()` first");
	ensureStack();
	witness?.(instance.core);
	return instance.core;
}
/** Called with the core whenever code is about to call it. */
let witness = null;
/** From now on `given` is called with the core whenever code is about to call it, to note where in the source that is; null for nothing. */
function setWitness(given) {
	witness = given;
}
/** Whether it is noted where in the source the core is called. */
const isWitnessed = () => witness !== null;
/** Which device is open. What was given out in another session is gone. */
function currentSession() {
	return session$1;
}
/** Whether a device is open and its core works. */
function isServing() {
	return open && instance !== null && !instance.failure && !instance.core.is_lost();
}
/** The core, to give something back that it gave out in `given`; null when it is gone with all it had. For places that saw to it
* before that there is enough stack. */
function coreOf(given) {
	return given === session$1 && instance && !instance.failure ? instance.core : null;
}
function stopped(failure) {
	const error = new DeviceLostError("weft", `the core stopped and must be started anew: call \`await init()\`. It stopped because ${failure.message.replace(/^weft: /, "")}`);
	error.cause = failure;
	return error;
}
/** The error of `op` for what was given out before the device was lost or exchanged. */
function gone(op, what) {
	const failure = instance?.failure;
	return new DisposedError(op, `${what} ${failure ? `went with the core, which stopped: ${failure.message}` : "was disposed, or went with a device that was lost, closed or exchanged"}`);
}
/** A number that the core gave out, for as long as it means something. */
var Claim = class {
	#number;
	#session = session$1;
	constructor(number) {
		this.#number = number;
	}
	/** Whether the core still knows it. */
	get stands() {
		return coreOf(this.#session) !== null;
	}
	/** The number. Throws `DisposedError` in the name of `op` when the core does not know `what` any more. */
	number(op, what) {
		if (!this.stands) throw gone(op, what);
		return this.#number;
	}
	/** Gives it back by `free`, if there is anyone to give it back to. */
	release(free) {
		const known = coreOf(this.#session);
		if (known) free(known, this.#number);
	}
};
/** An instance of the core that works: the one there is, or a new one. `sources` is asked for the WebAssembly when it is needed for the
* first time; later sources are ignored. */
async function startCore(sources) {
	if (instance && !instance.failure) return instance;
	const module = await mainPart(sources);
	try {
		const started = await Instance.start(module);
		started.core.install_errors(weftError);
		learnOperations(started.core);
		instance = started;
		session$1++;
		open = false;
		return started;
	} catch (error) {
		forgetMain();
		throw error;
	}
}
/** Has the deferred part of the core at hand, before something in it is called in the name of `op`. Throws `FormatError` when it cannot be
* had, and as `core`. */
function needRest(op) {
	core();
	instance?.needRest(op);
}
/** The core, with that part at hand. Throws as `needRest`. */
function wholeCore(op) {
	needRest(op);
	return core();
}
/** Fetches that part without holding the thread. Throws as `needRest`. */
async function fetchRest(op) {
	core();
	await instance?.fetchRest(op);
}
/** Under what label runs are noted, on whichever device. */
let label = 0;
/** From now on runs are noted under that label; 0 notes nothing. */
function labelWork(given) {
	core().label_runs(given);
	label = given;
}
/** Goes over to the device that the core opened last. */
function enterSession(started) {
	started.core.enter();
	started.core.label_runs(label);
	session$1++;
	open = true;
}
function learnOperations(core) {
	const [names, deferred] = [core.op_names(), core.deferred_ops()];
	for (const opcode of registered) {
		opcode.code = names.indexOf(opcode.name);
		opcode.deferred = deferred.includes(opcode.code);
		if (opcode.code < 0) throw new InternalError("init", `the core knows no operation ${opcode.name}`);
	}
}
const registered = [];
/** Asks for the number of the operation that the core calls `name`. */
function register(name) {
	const opcode = {
		name,
		code: -1,
		deferred: false
	};
	registered.push(opcode);
	return opcode;
}
// src/core/tensor/collect.ts
/** Bytes on the device by which it must have grown since before a read or `throttle` waits, and which part of what there was then. */
const WORTHWHILE = 256 * 2 ** 20;
const PART = .5;
/** So large that an engine collects before it makes many, and, as nothing touches it, no memory at all. */
const GARBAGE = 2 ** 31 - 1;
/** Milliseconds for it at most: not every engine can be moved. */
const PATIENCE$1 = 250;
/** What the device of this session held after the last collection. */
let held = 0;
let session = 0;
let running = null;
/** Dropped when a collection is wanted, and old by then, so that only a collection of everything finds it. */
let sign$1 = {};
let found$1 = false;
const signs = new FinalizationRegistry(() => found$1 = true);
const turn$1 = () => new Promise((resolve) => setTimeout(resolve));
/** By how many bytes the device holds more than after the last collection. A device that is gone holds nothing. */
function grown$1() {
	const now = currentSession();
	if (session !== now) [session, held] = [now, 0];
	return bytesHeld() - held;
}
function bytesHeld() {
	return coreOf(currentSession())?.bytes_live() ?? 0;
}
/** Waits for a collection, if the device holds so many bytes more than after the last one, and frees what that finds. */
async function collect(worthwhile) {
	if (grown$1() < worthwhile) return;
	running ??= provoke().finally(() => running = null);
	await running;
}
/** As `collect` where much more is held; null where there is nothing to wait for, which is nearly always. */
function relief() {
	const worthwhile = Math.max(WORTHWHILE, held * PART);
	return grown$1() < worthwhile ? null : collect(worthwhile);
}
async function provoke() {
	const end = performance.now() + PATIENCE$1;
	found$1 = false;
	signs.register(sign$1, null);
	sign$1 = {};
	do {
		try {
			new ArrayBuffer(GARBAGE);
		} catch {}
		await turn$1();
	} while (!found$1 && performance.now() < end);
	for (let i = 0; i < 3; i++) await turn$1();
	held = bytesHeld();
}
// src/core/check/elsewhere.ts
const gradients = "gradients are of functions: grad(f)(x)";
const onDevice = "all tensors are on the device that init chose";
/** What to write instead of a member of tensors. */
const members$1 = {
	T: "transpose()",
	length: "shape[0], or size for all elements",
	view: "reshape([rows, columns])",
	unsqueeze: "expandDims(axis)",
	clamp: "clip(low, high)",
	astype: "cast(\"f32\")",
	float: "cast(\"f32\")",
	toFloat: "cast(\"f32\")",
	int: "cast(\"i32\")",
	numpy: "await array(), or await data()",
	tolist: "await array()",
	arraySync: "await array()",
	dataSync: "await data()",
	js: "await array()",
	print: "console.log(x)",
	dim: "ndim",
	argMax: "argmax(axis)",
	eq: "equal(other)",
	ne: "notEqual(other)",
	gt: "greater(other)",
	ge: "greaterEqual(other)",
	lt: "less(other)",
	le: "lessEqual(other)",
	mm: "matmul(other)",
	backward: gradients,
	requiresGrad: gradients,
	requires_grad: gradients,
	cpu: onDevice,
	cuda: onDevice,
	to: `cast("f32") for a dtype; ${onDevice}`
};
/** What stands above the prototype of tensors: it answers reads of members that they have not. */
function aboveTensors() {
	return new Proxy({}, { get(target, name, receiver) {
		if (typeof name === "string") {
			if (/^-?\d+$/.test(name)) throw new ValueError("tensor", `tensors have no [${name}]: write slice(${name})`);
			if (Object.hasOwn(members$1, name)) throw new ValueError("tensor", `tensors have no ${name}: ${members$1[name]}`);
		}
		return Reflect.get(target, name, receiver);
	} });
}
/** What other libraries call dtypes. */
const dtypes$1 = {
	float32: "f32",
	float: "f32",
	float64: "f32",
	double: "f32",
	float16: "f16",
	int32: "i32",
	int: "i32",
	int64: "i32",
	long: "i32",
	int16: "i32",
	int8: "i8",
	uint8: "u8",
	uint32: "u32",
	boolean: "bool"
};
/** The dtype that what others call `name` may be, if there is one. */
function dtypeMeant(name) {
	return typeof name === "string" && Object.hasOwn(dtypes$1, name.toLowerCase()) ? dtypes$1[name.toLowerCase()] : void 0;
}
/** A promise of a value, which JavaScript's operators refuse by saying what is missing. */
function awaited$1(op, promise) {
	const refuse = (hint) => {
		if (hint === "string") return "[object Promise]";
		throw new ValueError(op, `gives a promise, on which operators do not act: write (await x.${op}())`);
	};
	return Object.defineProperty(promise, Symbol.toPrimitive, {
		value: refuse,
		configurable: true
	});
}
// src/core/tensor/half.ts
/** The half nearest to a number, ties to even, as a number. */
function nearestHalf(value) {
	const magnitude = Math.abs(value);
	if (!(magnitude < 65520)) return magnitude >= 65520 ? Math.sign(value) * Infinity : NaN;
	const step = 2 ** (Math.max(Math.floor(Math.log2(magnitude)), -14) - 10);
	const steps = magnitude / step + 2 ** 52 - 2 ** 52;
	return (value < 0 || Object.is(value, -0) ? -1 : 1) * steps * step;
}
/** The bits of a number that is a half. */
function bitsOfHalf(half) {
	const magnitude = Math.abs(half);
	const sign = half < 0 || Object.is(half, -0) ? 32768 : 0;
	if (Number.isNaN(half)) return 32256;
	if (magnitude === Infinity) return sign | 31744;
	const exponent = Math.max(Math.floor(Math.log2(magnitude)), -14);
	return sign | (exponent + 14) * 1024 + magnitude / 2 ** (exponent - 10);
}
/** The number whose bits these are. */
function halfOfBits(bits) {
	const sign = bits & 32768 ? -1 : 1;
	const exponent = bits >> 10 & 31;
	const fraction = bits & 1023;
	if (exponent === 0) return sign * fraction * 2 ** -24;
	if (exponent === 31) return fraction ? NaN : sign * Infinity;
	return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
// src/core/tensor/dtype.ts
/** In the core's order: a dtype's code is its position. */
const dtypes = [
	"f32",
	"i32",
	"u32",
	"bool",
	"f16",
	"i8",
	"u8"
];
/** Whether tensors of this dtype have derivatives. */
function isFloat(dtype) {
	return dtype === "f32" || dtype === "f16";
}
/** How many bytes an element takes in files. */
function bytesPerElement(dtype) {
	return dtype === "f16" ? 2 : dtype === "i8" || dtype === "u8" || dtype === "bool" ? 1 : 4;
}
/** The code of a dtype. Throws `DTypeError` when there is none of that name. */
function dtypeCode(dtype, op) {
	const code = dtypes.indexOf(dtype);
	if (code < 0) {
		const meant = dtypeMeant(dtype);
		throw new DTypeError(op, `no dtype is called ${shown(dtype)}; ${meant ? `write "${meant}"` : `expected ${dtypes.slice(0, -1).join(", ")} or u8`}`);
	}
	return code;
}
/** Whether `value` is a typed array that a tensor can be made from. */
function isTypedArray(value) {
	return ArrayBuffer.isView(value) && !(value instanceof DataView) && !isBigIntArray(value);
}
/** Whether the elements of `array` went elsewhere with its buffer, as happens when that is transferred to a worker. */
function isGone(array) {
	return array.length === 0 && !holds(() => new Uint8Array(array.buffer).length >= 0);
}
function isBigIntArray(value) {
	return value instanceof BigInt64Array || value instanceof BigUint64Array;
}
/** The dtype of a tensor made from `array` when none is asked for. */
function dtypeOf(array) {
	if (array instanceof Int8Array || array instanceof Int16Array || array instanceof Int32Array) return "i32";
	if (array instanceof Uint8Array || array instanceof Uint8ClampedArray || array instanceof Uint16Array || array instanceof Uint32Array) return "u32";
	return array.constructor.name === "Float16Array" ? "f16" : "f32";
}
/** Fills a typed array with these numbers. `from` would ask for an iterator, by which engines take thirty times as long once anybody has touched that of arrays. */
function filled$4(array, values) {
	if (isTypedArray(values)) array.set(values);
	else for (let n = 0; n < array.length; n++) array[n] = values[n];
	return array;
}
/** Fills a typed array with what `f` makes of each of these numbers. */
function mapped$1(array, values, f) {
	for (let n = 0; n < array.length; n++) array[n] = f(values[n]);
	return array;
}
/**
* `values` as elements of `dtype`: fractions are cut towards zero, anything but zero is true, NaN too. Throws `ValueError` in the name of
* `op` for a number that an integer dtype cannot hold.
*/
function elements(values, dtype, op) {
	const { length } = values;
	switch (dtype) {
		case "f32": return values instanceof Float32Array ? values : filled$4(new Float32Array(length), values);
		case "i32": return values instanceof Int32Array ? values : filled$4(new Int32Array(length), fitting$1(values, dtype, -(2 ** 31), 2 ** 31, op));
		case "u32": return values instanceof Uint32Array ? values : filled$4(new Uint32Array(length), fitting$1(values, dtype, 0, 2 ** 32, op));
		case "bool": return mapped$1(new Uint8Array(length), values, (value) => Number(value) === 0 ? 0 : 1);
		case "f16": return mapped$1(new Float32Array(length), values, nearestHalf);
		case "i8": return filled$4(new Int8Array(length), fitting$1(values, dtype, -128, 128, op));
		case "u8": return filled$4(new Uint8Array(length), fitting$1(values, dtype, 0, 256, op));
	}
}
/** `values`, all of which must lie from `least` to below `limit` when their fraction is cut. Integers keep their bits, as with `cast`. */
function fitting$1(values, dtype, least, limit, op) {
	if (isTypedArray(values) && !isFloat(dtypeOf(values)) && bytesPerElement(dtype) === 4) return values;
	for (let i = 0; i < values.length; i++) {
		const whole = Math.trunc(Number(values[i]));
		if (!(whole >= least && whole < limit)) throw new ValueError(op, `${shown(values[i])} does not fit in ${dtype}`);
	}
	return values;
}
/** The `length` elements that a buffer of the core holds. */
function fromBytes(bytes, dtype, length) {
	switch (dtype) {
		case "f32": return new Float32Array(bytes.buffer, bytes.byteOffset, length);
		case "i32": return new Int32Array(bytes.buffer, bytes.byteOffset, length);
		case "u32": return new Uint32Array(bytes.buffer, bytes.byteOffset, length);
		case "bool": return filled$4(new Uint8Array(length), new Uint32Array(bytes.buffer, bytes.byteOffset, length));
		case "f16": return mapped$1(new Float32Array(length), new Uint16Array(bytes.buffer, bytes.byteOffset, length), halfOfBits);
		case "i8": return new Int8Array(bytes.buffer, bytes.byteOffset, length);
		case "u8": return new Uint8Array(bytes.buffer, bytes.byteOffset, length);
	}
}
/** The elements as files and packed words hold them: little-endian, as every machine with WebGPU is. */
function bytesOfData(data, dtype) {
	const { buffer, byteOffset, byteLength } = dtype === "f16" ? mapped$1(new Uint16Array(data.length), data, bitsOfHalf) : data;
	return new Uint8Array(buffer, byteOffset, byteLength);
}
/** The 32-bit words that a buffer of the core holds for these elements. */
function wordsOf(data, dtype) {
	if (dtype === "bool") return filled$4(new Uint32Array(data.length), data);
	if (bytesPerElement(dtype) === 4) return new Uint32Array(data.buffer, data.byteOffset, data.length);
	const bytes = bytesOfData(data, dtype);
	const words = new Uint32Array(Math.ceil(bytes.length / 4));
	new Uint8Array(words.buffer).set(bytes);
	return words;
}
// src/core/tensor/explanation.ts
/** The objects of what the core told. */
function explanationOf(json) {
	const { text, ...stages } = JSON.parse(json);
	return Object.defineProperty(stages, "toString", {
		value: () => text,
		configurable: true
	});
}
// src/core/tensor/shape.ts
/** Number of elements. */
function sizeOf(shape) {
	return shape.reduce((size, extent) => size * extent, 1);
}
/** `[2,3]`. */
function shapeText(shape) {
	return `[${shape.join(",")}]`;
}
/** Arrays nested deeper hold themselves, or are a mistake: the core takes twelve axes. */
const DEEPEST$3 = 64;
/** The shape of nested data and its elements in row-major order. Throws `ShapeError` where it is ragged. */
function flattenNested(data, op) {
	if (typeof data === "number" || typeof data === "boolean") return {
		shape: [],
		values: [data]
	};
	if (isTypedArray(data)) return {
		shape: [data.length],
		values: present(data, op)
	};
	const shape = [];
	let first = data;
	while (isArray(first)) {
		shape.push(first.length);
		if (shape.length > DEEPEST$3) throw new ShapeError(op, "the data has more axes than any tensor: does an array hold itself?");
		first = first[0];
	}
	extentsOf(op, shape);
	const values = [];
	fill(data, 0, "", shape, values, op);
	return {
		shape,
		values
	};
}
function fill(data, axis, path, shape, into, op) {
	if (axis === shape.length) {
		if (typeof data !== "number" && typeof data !== "boolean") throw notElement(data, path, shape, op);
		into.push(data);
		return;
	}
	if (!isArray(data)) {
		const found = data === void 0 ? "missing" : kindOf$1(data);
		throw new ShapeError(op, `ragged: ${path || "the data"} is ${found} where an array of ${shape[axis]} was expected`);
	}
	if (data.length !== shape[axis]) throw new ShapeError(op, `ragged: ${path || "the data"} has length ${data.length} where others have ${shape[axis]}`);
	if (isTypedArray(data)) {
		if (axis + 1 !== shape.length) throw new ShapeError(op, `ragged: ${path} holds numbers where arrays were expected`);
		for (const value of present(data, op)) into.push(value);
		return;
	}
	for (let i = 0; i < data.length; i++) fill(data[i], axis + 1, `${path}[${i}]`, shape, into, op);
}
/** Throws `ValueError` for an array whose buffer was transferred: empty is not what it was meant to be. */
function present(array, op) {
	if (!isGone(array)) return array;
	throw new ValueError(op, `the buffer of ${kindOf$1(array)} was transferred elsewhere, and its elements with it`);
}
function notElement(data, path, shape, op) {
	if (isArray(data)) return new ShapeError(op, `ragged: ${path} is an array where a number was expected (shape ${shapeText(shape)})`);
	return new ValueError(op, `${path || "the data"} is ${kindOf$1(data)}; expected numbers, booleans, or arrays of them`);
}
function isArray(value) {
	return isArray$1(value) || isTypedArray(value);
}
/** Flat elements nested by `shape`. A 0-d tensor yields the element itself. */
function nest(data, shape, dtype) {
	const element = (i) => dtype === "bool" ? data[i] !== 0 : data[i];
	let next = 0;
	const build = (axis) => {
		if (axis === shape.length) return element(next++);
		return Array.from({ length: shape[axis] }, () => build(axis + 1));
	};
	return build(0);
}
// src/core/tensor/print.ts
/** At most so many elements are shown in full. */
const SHOWN_IN_FULL = 200;
/** Otherwise so many from each end of each axis. */
const EDGE = 3;
/** `f32[2,3]`. */
function typeText(dtype, shape) {
	return `${dtype}${shapeText(shape)}`;
}
/** A number as it stands in a table: whole numbers whole, others with five significant digits. */
function numberText(value) {
	if (Number.isInteger(value) && Math.abs(value) < 0x38d7ea4c68000) return Object.is(value, -0) ? "-0" : String(value);
	if (!Number.isFinite(value)) return String(value);
	const rounded = Number(value.toPrecision(5));
	const magnitude = Math.abs(rounded);
	return magnitude >= 1e-4 && magnitude < 1e6 ? String(rounded) : rounded.toExponential().replace("e+", "e");
}
/** The values as nested brackets, elided when there are many. */
function valuesText(data, shape, dtype) {
	const text = (i) => dtype === "bool" ? String(data[i] !== 0) : numberText(data[i]);
	if (shape.length === 0) return text(0);
	const elide = data.length > SHOWN_IN_FULL;
	const indices = shape.map((extent) => shownAlong(extent, elide));
	const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
	let width = 0;
	const measure = (axis, offset) => {
		for (const i of indices[axis]) {
			if (i === null) continue;
			const at = offset + i * strides[axis];
			if (axis === shape.length - 1) width = Math.max(width, text(at).length);
			else measure(axis + 1, at);
		}
	};
	measure(0, 0);
	const build = (axis, offset) => {
		const last = axis === shape.length - 1;
		const parts = indices[axis].map((i) => {
			if (i === null) return "…";
			const at = offset + i * strides[axis];
			return last ? text(at).padStart(width) : build(axis + 1, at);
		});
		const separator = last ? ", " : `,${"\n".repeat(Math.max(1, shape.length - 1 - axis))}${" ".repeat(axis + 1)}`;
		return `[${parts.join(separator)}]`;
	};
	return build(0, 0);
}
function shownAlong(extent, elide) {
	const all = Array.from({ length: extent }, (_, i) => i);
	return elide && extent > 6 ? [
		...all.slice(0, EDGE),
		null,
		...all.slice(-3)
	] : all;
}
// src/core/tensor/scope.ts
let innermost = null;
/** Puts a new tensor into the innermost scope; leaves it to the collector where none is open. */
function enterScope(tensor) {
	if (innermost) innermost.push(tensor);
	else tensor.leave();
}
/**
* Runs `body` in a scope of its own: on return, what was made inside and is not among `escaping(result)` is freed; on an
* exception, everything is. What escapes belongs to the scope around.
*/
function inScope(body, escaping) {
	ensureScope();
	const outer = innermost;
	const made = [];
	innermost = made;
	let saved;
	let result;
	try {
		result = body();
		saved = new Set(escaping(result));
	} catch (error) {
		saved = /* @__PURE__ */ new Set();
		throw error;
	} finally {
		innermost = outer;
		together(() => {
			for (const tensor of made) if (!tensor.kept && !saved?.has(tensor)) tensor.dispose();
			else if (outer && !tensor.kept) outer.push(tensor);
			else tensor.leave();
		});
	}
	return result;
}
/** Owners whose handles wait for the next moment between flushes: the garbage collector found them. */
let abandoned = [];
/** What the number that the core changes with every flush of its own was when something was last given back. */
let seen = 0;
/** Whether tensors were made since the last flush. */
let appended = false;
const registry = new FinalizationRegistry((owner) => {
	if (owner.handle === 0) return;
	abandoned.push(owner);
	if (!appended) releaseAbandoned();
});
/** Gives a handle back: at once, or, where too little stack is left for that, with what the collector finds. Never fails. */
function giveBack(owner) {
	if (owner.handle === 0) return;
	if (owner.registered) registry.unregister(owner);
	if (hasStack()) return release$1(owner);
	abandoned.push({ ...owner });
	owner.handle = 0;
}
function release$1(owner) {
	const { handle } = owner;
	owner.handle = 0;
	if (handle === 0) return;
	if (ending?.session === owner.session) ending.handles.push(handle);
	else coreOf(owner.session)?.dispose(handle);
}
/** Handles of one session that go back together. */
let ending = null;
/** Gives back in one call of the core what `body` gives back: many calls cost more than what they do. */
function together(body) {
	if (ending) return body();
	const { session, handles } = ending = {
		session: currentSession(),
		handles: []
	};
	try {
		body();
	} finally {
		ending = null;
		if (handles.length > 0) coreOf(session)?.dispose_all(handles);
	}
}
/** What else the collector found, waiting likewise. */
let actions = [];
/** Gives something back at the next moment between flushes. */
function releaseLater(action) {
	actions.push(action);
	if (!appended) releaseAbandoned();
}
/** Notes that a tensor is made: what the collector found is given back if a flush came by. */
function noteMade() {
	if ((abandoned.length > 0 || actions.length > 0) && ticks() !== seen) releaseAbandoned();
	appended = true;
}
/** What is to be watched, as tensor and owner in turns. Most of it is given back before JavaScript lets go, when no collector has had its turn; to tell
* one of it and take that back would be a twentieth of a small step. */
let young = [];
/** Entries of `young` after which it is looked through in any case. */
const MANY$1 = 512;
/** Watches a tensor, so that its handle is given back when it is collected. What a scope holds needs no watching, which is dear. */
function watch$1(tensor, owner) {
	if (owner.watched) return;
	owner.watched = true;
	if (young.length === 0) queueMicrotask(registerYoung);
	else if (young.length >= MANY$1) registerYoung();
	young.push(tensor, owner);
}
/** Has the collector tell of what was made since the last time and was not given back. */
function registerYoung() {
	for (let n = 0; n < young.length; n += 2) {
		const owner = young[n + 1];
		if (owner.handle === 0) continue;
		owner.registered = true;
		registry.register(young[n], owner, owner);
	}
	young = [];
}
function ticks() {
	return coreOf(currentSession())?.ticks() ?? 0;
}
/** Gives back what was collected. Called after each flush. */
function releaseAbandoned() {
	appended = false;
	seen = ticks();
	const owners = abandoned;
	abandoned = [];
	for (const owner of owners) release$1(owner);
	const waiting = actions;
	actions = [];
	for (const action of waiting) action();
}
// src/core/tensor/tensor.ts
/** Read values of at most so many elements are remembered, for printing and for reading them again. */
const REMEMBERED = 1024;
const inspect = Symbol.for("nodejs.util.inspect.custom");
/** A tensor of at most so many elements is held here alone once it was read: many small results would be as many buffers. */
const HELD_HERE = 64;
/** How many of the small tensors that a later comparison may compute again keep their buffers: those that were read last. */
const COMPARABLE = 256;
/** Those tensors, in the order in which they were read. */
const comparable = [];
/** Shown to the constructor by those who may call it. @internal */
const making = Symbol("weft.making");
/**
* An array of numbers on the device. Immutable: operations return new tensors at once, and the values are computed when they
* are read, drawn or realized.
*
* Tensors are made by `tensor`, `zeros`, … and by operations, never with `new`.
*
* @example
* const x = tensor([[1, 2], [3, 4]]);
* x.shape; // [2,2]
* await x.sum(0).data(); // [4,6]
*/
var Tensor = class Tensor {
	#owner;
	#shape = null;
	#dtype = null;
	#form = null;
	#known = null;
	#kept = false;
	/** Whether the values are held here alone, and the handle was given back. */
	#here = false;
	constructor(handle, scoped, permit) {
		if (permit !== making) throw new ValueError("Tensor", "tensors are made by tensor(), zeros() and such, and by operations, not with new");
		this.#owner = {
			handle,
			session: currentSession(),
			watched: false,
			registered: false
		};
		noteMade();
		if (scoped) enterScope(this);
		else this.leave();
	}
	/** @internal */
	leave() {
		if (this.#owner.handle !== 0) watch$1(this, this.#owner);
	}
	/** A tensor that owns `handle`, in the innermost scope; of `form`, where the caller knows it. @internal */
	static adopt(handle, form) {
		const tensor = new Tensor(handle, true, making);
		if (form) {
			tensor.#form = form;
			tensor.#shape = form.shape;
			tensor.#dtype = form.dtype;
		}
		return tensor;
	}
	/** What is made here, and no proxy of it: that has nothing the core could know. @internal */
	static [Symbol.hasInstance](value) {
		if (typeof value !== "object" || value === null || !(#owner in value)) return false;
		return this === Tensor || Object.prototype.isPrototypeOf.call(this.prototype, value);
	}
	/** `value`, which must be a tensor. Throws `ValueError` in the name of `op`. @internal */
	static of(op, what, value) {
		if (value instanceof Tensor) return value;
		Tensor.refuseProxy(op, value);
		throw new ValueError(op, `${what} must be a tensor, got ${shown(value)}`);
	}
	/** Throws `ValueError` for a proxy of a tensor. @internal */
	static refuseProxy(op, value) {
		if (!holds(() => Object.prototype.isPrototypeOf.call(Tensor.prototype, value))) return;
		throw new ValueError(op, "this is a proxy of a tensor, as reactive frameworks make them: use the tensor itself (in Vue, toRaw gives it)");
	}
	/** The core's handle. Throws `DisposedError` when it was given back, or the core does not know it any more. @internal */
	get handle() {
		const tensor = Tensor.of("tensor", "this", this);
		if (tensor.#owner.handle === 0) tensor.#return();
		else if (!coreOf(tensor.#owner.session)) throw gone("tensor", "it");
		return tensor.#owner.handle;
	}
	/** See `setWitness`: for inspectors. @internal */
	static witness(given) {
		setWitness(given);
	}
	/** The whole core and its session, for the entry of kernels, which has no core of its own. Throws as `wholeCore`. @internal */
	static openCore(op) {
		return {
			core: wholeCore(op),
			session: currentSession()
		};
	}
	/** As `noteExtra`, for the same. @internal */
	static noteExtra(tensors, take) {
		return noteExtra({
			tensors,
			take
		});
	}
	/** As `coreOf`, for the same. @internal */
	static coreOf(session) {
		return coreOf(session);
	}
	/** Takes a tensor that is held here alone back to the device. */
	#return() {
		if (!this.#here || !this.#known) throw disposed();
		const handle = core().from_words(wordsOf(this.#known, this.dtype), Uint32Array.from(this.shape), dtypeCode(this.dtype, "tensor"));
		this.#owner = {
			handle,
			session: currentSession(),
			watched: false,
			registered: false
		};
		this.#here = false;
		noteMade();
		this.leave();
	}
	/** Extents, outermost first; `[]` for a single value. */
	get shape() {
		const tensor = Tensor.of("tensor", "this", this);
		tensor.#shape ??= Object.freeze(Array.from(core().shape(tensor.handle)));
		return tensor.#shape;
	}
	/** Type of the elements. */
	get dtype() {
		const tensor = Tensor.of("tensor", "this", this);
		tensor.#dtype ??= dtypes[core().dtype(tensor.handle)];
		return tensor.#dtype;
	}
	/** Asked for once. @internal */
	get form() {
		const tensor = Tensor.of("tensor", "this", this);
		return tensor.#form ??= {
			dtype: tensor.dtype,
			shape: tensor.shape,
			text: typeText(tensor.dtype, tensor.shape)
		};
	}
	/** Number of elements. */
	get size() {
		return sizeOf(this.shape);
	}
	/** Number of axes. */
	get ndim() {
		return this.shape.length;
	}
	/** Whether the tensor was freed, by itself or with its device. */
	get disposed() {
		const tensor = Tensor.of("tensor", "this", this);
		return !tensor.#here && (tensor.#owner.handle === 0 || !coreOf(tensor.#owner.session));
	}
	/**
	* The elements in row-major order, as a copy: Float32Array (of f16 too), Int32Array, Uint32Array, Int8Array, Uint8Array, or a Uint8Array of 0
	* and 1 for bool.
	* Throws `TraceError` inside `jit`; the promise is rejected with `DisposedError` or `DeviceLostError`.
	*/
	data() {
		noMore("data", arguments, 0);
		return awaited$1("data", Tensor.of("data", "this", this).#read("data"));
	}
	/** The elements as arrays of arrays; of bool, as booleans. Errors as `data` does. */
	array() {
		noMore("array", arguments, 0);
		return awaited$1("array", Tensor.of("array", "this", this).#read("array").then((data) => nest(data, this.shape, this.dtype)));
	}
	/** The only element as a number; of bool, 1 or 0. Errors as `data` does, and with `ShapeError` when there is not exactly one. */
	item() {
		noMore("item", arguments, 0);
		return awaited$1("item", Tensor.of("item", "this", this).#read("item").then((data) => data[0]));
	}
	/** Reading in a function that is traced is thrown at once: nobody waits for promises there. */
	#read(op) {
		if (isTracing()) throw new TraceError(op, `inside ${tracedBy()} a tensor has no value yet; return it, and read the result`);
		ensureScope();
		return this.#elements(op);
	}
	async #elements(op) {
		const { shape, dtype, size } = this;
		if (op === "item" && size !== 1) throw new ShapeError(op, `${typeText(dtype, shape)} has ${size} elements, not one`);
		if (this.#known) return this.#known.slice();
		const reading = core().read(this.handle);
		releaseAbandoned();
		const data = fromBytes(await reading, dtype, size);
		if (!this.disposed) {
			this.remember(data);
			if (data.length <= HELD_HERE) this.#holdSmall();
		}
		const wait = relief();
		if (wait) await wait;
		return data;
	}
	/**
	* Gives the handle of a small tensor back, as the values are known here; that of one that a comparison may compute again
	* only after `COMPARABLE` others were read. No transform is open: those that were have closed before the reading ended, so nothing can differentiate through
	* these tensors any more.
	*/
	#holdSmall() {
		if (!this.#known || this.#owner.handle === 0) return;
		if (!core().has_recipe(this.#owner.handle)) return this.#hold();
		comparable.push(new WeakRef(this));
		if (comparable.length <= COMPARABLE) return;
		const oldest = comparable.shift()?.deref();
		if (oldest) oldest.#hold();
	}
	#hold() {
		if (!this.#known || this.disposed) return;
		this.#here = true;
		giveBack(this.#owner);
	}
	/**
	* What reading the tensor now would run, stage by stage: everything that is pending and needed, with the parameters that are computed along. Nothing
	* where it has its values. See `explain`.
	*/
	explain() {
		noMore("explain", arguments, 0);
		return explanationOf(wholeCore("explain").explain_tensor(this.handle));
	}
	/** Frees the tensor. What was computed from it stays. Harmless when done twice. */
	dispose() {
		noMore("dispose", arguments, 0);
		const tensor = Tensor.of("dispose", "this", this);
		tensor.#known = null;
		tensor.#here = false;
		giveBack(tensor.#owner);
	}
	/** Exempts the tensor from the scopes it is in: it lives until it is disposed or collected. */
	keep() {
		noMore("keep", arguments, 0);
		Tensor.of("keep", "this", this).#kept = true;
		return this;
	}
	/** Whether `keep()` was called. */
	get kept() {
		return Tensor.of("tensor", "this", this).#kept;
	}
	/** Remembers values that are known, when they are few. @internal */
	remember(data) {
		if (data.length <= REMEMBERED) this.#known = data.slice();
	}
	/** The values if they are known without asking the device: they were given or read, and are few. */
	get known() {
		return Tensor.of("tensor", "this", this).#known;
	}
	/** Dtype and shape, and the values where they are known: few, and given from here or read before. */
	toString() {
		const text = (shape, dtype) => {
			const type = `${this.label} ${typeText(dtype, shape)}`;
			if (this.disposed) return `${type} (disposed)`;
			if (!this.#known) return type;
			const values = valuesText(this.#known, shape, dtype);
			return shape.length > 1 ? `${type}\n${values}` : `${type} ${values}`;
		};
		const isKnown = this.#shape && this.#dtype;
		return this.disposed && !isKnown ? `${this.label} (disposed)` : text(this.shape, this.dtype);
	}
	/** @internal */
	get label() {
		return "Tensor";
	}
	/** What stands for it in JSON: what it prints, for its values may not be known. Await `array()` to write those. */
	toJSON() {
		return this.toString();
	}
	/** What Node prints. */
	[inspect]() {
		return this.toString();
	}
	/** In text a tensor prints itself; arithmetic and comparison operators of JavaScript cannot act on it and throw. */
	[Symbol.toPrimitive](hint) {
		if (hint === "string") return this.toString();
		const given = givenText(this);
		if (given !== void 0) throw new TraceError("jit", `JavaScript's operators cannot act on ${given}; or use methods such as add or mul`);
		const advice = isTracing() ? "use methods such as add, mul or where" : "use methods such as add or mul, or await item()";
		throw new (isTracing() ? TraceError : ValueError)("tensor", `JavaScript's operators cannot act on a tensor: ${advice}`);
	}
	/** The sub-tensors along the first axis. Throws `ShapeError` for a 0-d tensor. */
	*[Symbol.iterator]() {
		if (this.ndim === 0) throw new ShapeError("iterate", "a 0-d tensor has no axis to iterate over");
		const length = this.shape[0];
		for (let i = 0; i < length; i++) yield this.slice(i);
	}
};
function disposed() {
	return new DisposedError("tensor", "it was disposed, by dispose() or at the end of the tidy, grad or jit it was made in; return it from there, or keep() it");
}
Object.setPrototypeOf(Tensor.prototype, aboveTensors());
// src/core/tensor/tree.ts
/** Marks classes whose instances are walked like plain objects. Modules carry it. */
const treeNode = Symbol("weft.treeNode");
/** The method of classes whose instances are values, as complex numbers are: one of the class, of other entries. */
const treeValue = Symbol("weft.treeValue");
/** A value like `value`, of these entries. */
function valueOf(value, entries) {
	const parts = Object.fromEntries(entries);
	return treeValue in value ? value[treeValue](parts) : parts;
}
/** Whether `value` is an array or object that is walked. */
function isNode(value) {
	if (typeof value !== "object" || value === null || value instanceof Tensor) return false;
	try {
		if (Array.isArray(value)) return true;
		const prototype = Object.getPrototypeOf(value);
		return prototype === Object.prototype || prototype === null || treeNode in value || treeValue in value;
	} catch {
		return false;
	}
}
/** Whether `value` is a node with an identity of its own, which a transform passes on as it is: a module. */
function isModule(value) {
	return typeof value === "object" && value !== null && holds(() => treeNode in value);
}
/** Modules whose tensors stand for those of another: transforms look into them as into trees, since no parameter has to keep its identity. */
const copies = /* @__PURE__ */ new WeakSet();
/** Whether `module` is a copy that `copyModule` made. */
function isCopy(module) {
	return copies.has(module);
}
/** A module like `module`, with the same properties but for its tensors, each exchanged by `leaf`, which is given a path; one that stands twice once. */
function copyModule(module, leaf) {
	const made = /* @__PURE__ */ new Map();
	const once = (value, make) => {
		if (!made.has(value)) made.set(value, make());
		return made.get(value);
	};
	const walk = (value, path) => {
		if (value instanceof Tensor) return once(value, () => leaf(value, path));
		if (!isNode(value) || made.has(value)) return made.get(value) ?? value;
		if (treeValue in value) return once(value, () => valueOf(value, entriesOf$1(value).map(([key, child]) => [key, walk(child, [...path, key])])));
		const copy = isArray$1(value) ? [] : Object.create(Object.getPrototypeOf(value));
		made.set(value, copy);
		if (isModule(value)) {
			copies.add(copy);
			if (switchOf in value) noteRead(value);
			for (const symbol of Object.getOwnPropertySymbols(value)) Object.defineProperty(copy, symbol, {
				value: value[symbol],
				writable: true,
				configurable: true
			});
		}
		for (const [key, child] of entriesOf$1(value)) Object.defineProperty(copy, key, {
			value: walk(child, [...path, key]),
			enumerable: true,
			writable: true,
			configurable: true
		});
		return copy;
	};
	return walk(module, []);
}
/** The entries of a node in a fixed order: of arrays by position, holes being undefined, of objects as they were added. */
function entriesOf$1(node) {
	return isArray$1(node) ? Array.from(node, (child, position) => [String(position), child]) : Object.entries(node);
}
/** Every tensor of a tree, in order; one that stands twice comes twice. */
function tensorsOf(tree) {
	const found = [];
	const above = /* @__PURE__ */ new Set();
	const walk = (value) => {
		if (value instanceof Tensor) found.push(value);
		if (!isNode(value) || above.has(value)) return;
		above.add(value);
		if (isArray$1(value)) for (let n = 0; n < value.length; n++) walk(value[n]);
		else for (const key of Object.keys(value)) walk(value[key]);
		above.delete(value);
	};
	walk(tree);
	return found;
}
/** A tree of the same form with each leaf exchanged. `leaf` gets everything that is not a node; `module`, if given, whole modules. */
function mapTree(tree, leaf, module) {
	const above = /* @__PURE__ */ new Set();
	const walk = (value) => {
		if (!isNode(value)) return leaf(value);
		if (module && isModule(value)) return module(value);
		if (above.has(value)) throw cyclic();
		above.add(value);
		let mapped = [];
		if (isArray$1(value)) for (let n = 0; n < value.length; n++) mapped.push(walk(value[n]));
		else mapped = valueOf(value, Object.entries(value).map(([key, child]) => [key, walk(child)]));
		above.delete(value);
		return mapped;
	};
	return walk(tree);
}
/** The tensors of a module for which `leaf` has something, each exchanged by `leaf`, nested as the module is and without what holds none. */
function prune(node, leaf) {
	const above = /* @__PURE__ */ new Set();
	const walk = (value) => {
		if (value instanceof Tensor) return leaf(value);
		if (!isNode(value) || above.has(value)) return void 0;
		above.add(value);
		const entries = Object.entries(value).map(([key, child]) => [key, walk(child)]);
		above.delete(value);
		const kept = entries.filter(([, child]) => child !== void 0);
		if (kept.length === 0) return void 0;
		return Array.isArray(value) ? entries.map(([, child]) => child ?? {}) : Object.fromEntries(kept);
	};
	return walk(node) ?? {};
}
/** The error for an array or object that holds itself: a transform could not give it back. */
function cyclic() {
	return new ValueError("tree", "arrays and objects of tensors must not hold themselves");
}
/** Whether `value` is what an async function returns. */
function isPromise(value) {
	return typeof value === "object" && value !== null && holds(() => typeof value.then === "function");
}
// src/core/tensor/functions.ts
/** Whether `value` is a class, which cannot be called without `new`: what tells it from a function is that its prototype stays. */
function isClass(value) {
	return typeof value === "function" && Object.getOwnPropertyDescriptor(value, "prototype")?.writable === false;
}
/** Throws `ValueError` in the name of `op` unless `fn` is a function. */
function checkFunction(op, fn) {
	if (isClass(fn)) throw new ValueError(op, "takes a function, got a class");
	if (typeof fn !== "function") throw new ValueError(op, `takes a function, got ${fn === null ? "null" : typeof fn}`);
}
/** Throws `TraceError` in the name of `op` when `result` is what an async function returns. */
function checkReturned(op, result) {
	if (!isPromise(result)) return;
	result.then(void 0, () => {});
	throw new TraceError(op, "takes a function that returns at once; this one is async");
}
// src/core/check/constructor.ts
/** Gives each class of a namespace the name that it is exported by, which summaries, errors and consoles show: a bundler may shorten the names of classes. */
function nameClasses(namespace) {
	for (const [name, value] of Object.entries(namespace)) if (isClass(value)) Object.defineProperty(value, "name", {
		value: name,
		configurable: true
	});
}
// src/core/tensor/tidy.ts
/**
* Runs `body` and frees every tensor made in it, except those it returns (in any tree), those that `keep` was called on, and
* parameters. Throws `TraceError` for an async function: its tensors are not made in one go.
*
* @example
* const { tensors } = memory();
* const norm = tidy(() => tensor([3, 4]).square().sum().sqrt()); // all else is freed
* memory().tensors - tensors; // 1
*/
function tidy(body) {
	noMore("tidy", arguments, 1);
	checkFunction("tidy", body);
	return inScope(() => {
		const result = body();
		checkReturned("tidy", result);
		return result;
	}, tensorsOf);
}
/**
* Exempts a tensor from the scopes it is in: it lives until it is disposed or collected.
*
* @example
* const kept: Tensor[] = [];
* tidy(() => void kept.push(keep(ones([2]))));
* kept[0]; // [1,1]
*/
function keep(tensor) {
	noMore("keep", arguments, 1);
	Tensor.of("keep", "the argument", tensor);
	return tensor.keep();
}
// src/ops/operation.ts
/** A call that is being put together. */
var Call = class {
	op;
	numbers = [];
	#made = [];
	/** What is called in the operation's place, by what was given. */
	instead;
	constructor(op) {
		this.op = op;
	}
	/** Adds numbers. */
	put(...numbers) {
		for (let i = 0; i < numbers.length; i++) this.numbers.push(numbers[i]);
		return this;
	}
	/** Adds a list, and before it how long it is. */
	list(numbers) {
		this.numbers.push(numbers.length);
		for (let i = 0; i < numbers.length; i++) this.numbers.push(numbers[i]);
		return this;
	}
	/** Adds a tensor; numbers and arrays are made one for the call. */
	tensor(value, dtype) {
		const tensor = lifted$1(this.op, value, dtype);
		return tensor === value ? this.put(tensor.handle) : this.own(tensor);
	}
	/** Adds a tensor that was made for the call. */
	own(made) {
		this.#made.push(made);
		return this.put(made.handle);
	}
	/** Adds a tensor, or a plain number, which keeps the dtype of what it meets as far as it fits, and is no part of what is compiled. */
	operand(value) {
		return typeof value === "number" ? this.put(0, value) : this.tensor(value);
	}
	/** Frees what was made for the call. */
	end() {
		for (const tensor of this.#made) tensor.dispose();
	}
};
/** Calls an operation with what `fill` puts into the call. */
function invoke(opcode, fill) {
	return enter(opcode, fill, (open, code, numbers) => Tensor.adopt(open.call(code, numbers)));
}
/** Calls an operation that yields several tensors. */
function invokeAll(opcode, fill) {
	return enter(opcode, fill, (open, code, numbers) => Array.from(open.call_all(code, numbers), (handle) => Tensor.adopt(handle)));
}
function enter(opcode, fill, act) {
	const open = core();
	const call = new Call(opcode.name);
	try {
		fill(call);
		const { instead } = call;
		if ((instead ?? opcode).deferred) needRest(opcode.name);
		if (instead) return composed(opcode.name, () => act(open, instead.code, call.numbers));
		return act(open, opcode.code, call.numbers);
	} finally {
		call.end();
	}
}
/** The function of an operation, by what stands in its places. */
function operation(name, ...kinds) {
	return called(name, kinds, invoke);
}
/** The function of an operation that yields several tensors. */
function several(name, ...kinds) {
	return called(name, kinds, (opcode, fill) => invokeAll(opcode, fill));
}
function called(name, kinds, act) {
	const opcode = register(name);
	return (...args) => {
		noMore(name, args, kinds.length);
		return act(opcode, (call) => {
			for (let place = 0; place < kinds.length; place++) kinds[place](call, args[place]);
		});
	};
}
/** The function of an operation that draws: by a key that may come first, or by the next of the generator. */
function drawn$2(name, ...kinds) {
	const opcode = register(name);
	return (...args) => {
		const [first] = args;
		const keyed = first instanceof Tensor && first.dtype === "u32" && first.ndim === 1 && first.shape[0] === 2;
		const given = keyed ? args.slice(1) : args;
		noMore(name, given, kinds.length);
		return invoke(opcode, (call) => {
			if (keyed) call.tensor(first);
			else call.own(Tensor.adopt(core().random_next()));
			kinds.forEach((kind, place) => kind(call, given[place]));
		});
	};
}
// src/ops/create.ts
const [everywhere, counting$1, spaced, spacedIn, diagonalOnes] = [
	register("full"),
	register("arange"),
	register("linspace"),
	register("linspace.spaced"),
	register("eye")
];
const [spreading, casting] = [register("broadcastTo"), register("cast")];
/**
* A tensor of `data`: a number, a truth value, arrays nested to any depth, or a typed array. Throws `ShapeError` for ragged
* arrays and for data that does not fill `shape`.
*
* @example
* tensor([[1, 2], [3, 4]]).shape; // [2,2]
* tensor(Float32Array.of(1, 2, 3, 4), { shape: [2, 2] }); // [[1,2],[3,4]]
*/
function tensor(data, options = {}) {
	noMore("tensor", arguments, 2);
	const { dtype, shape } = optionsOf("tensor", options, anything);
	return build(data, "tensor", dtype, shape);
}
const anything = {
	dtype: void 0,
	shape: void 0
};
/** As `tensor`, for data that stands where a tensor may stand. @internal */
function tensorFrom(data, op, dtype) {
	if (typeof data === "number" && (dtype === void 0 || dtype === "f32")) return Tensor.adopt(core().number(data, 0));
	return build(data, op, dtype);
}
function build(data, op, dtype, wanted) {
	const { shape: nested, values } = flattenNested(numbersOf$1(op, data), op);
	const shape = wanted === void 0 ? nested : shapeOf$1(op, wanted);
	const extents = extentsOf(op, shape);
	if (sizeOf(shape) !== values.length) throw new ShapeError(op, `${values.length} elements do not fill ${shapeText(shape)}, which takes ${sizeOf(shape)}`);
	const made = dtype ?? (isTypedArray(values) ? dtypeOf(values) : areTruthValues(values) ? "bool" : "f32");
	dtypeCode(made, op);
	return upload(elements(values, made, op), extents, made, op);
}
/** Whether there are truth values and nothing else: beside numbers they are 0 and 1. */
function areTruthValues(values) {
	return values.length > 0 && Array.prototype.every.call(values, (value) => typeof value === "boolean");
}
/** `data`, which is to be numbers or arrays of them. Throws `ValueError` for what is neither. @internal */
function numbersOf$1(op, data) {
	if (typeof data === "number" || typeof data === "boolean" || isArray$1(data) || isTypedArray(data)) return data;
	if (data instanceof Tensor) throw new ValueError(op, `${data.form.text} is a tensor already: use it as it is, cast it to another dtype, or stack several`);
	Tensor.refuseProxy(op, data);
	throw new ValueError(op, `expected a tensor, numbers or arrays of them, got ${shown(data)}`);
}
/** A tensor of these elements; `shape` must fit. @internal */
function upload(data, shape, dtype, op) {
	const result = Tensor.adopt(core().from_words(wordsOf(data, dtype), shape, dtypeCode(dtype, op)));
	result.remember(data);
	return result;
}
/**
* Zeros, or false.
*
* Gives `dtype`.
*
* @example
* zeros([2, 2]); // [[0,0],[0,0]]
* zeros(2); // [0,0]
*/
function zeros(shape, options = {}) {
	noMore("zeros", arguments, 2);
	return filled$3("zeros", shape, 0, "f32", options);
}
/**
* Ones, or true.
*
* Gives `dtype`.
*
* @example
* ones([3], { dtype: "i32" }); // [1,1,1]
*/
function ones(shape, options = {}) {
	noMore("ones", arguments, 2);
	return filled$3("ones", shape, 1, "f32", options);
}
/**
* `value` everywhere; by default bool for a truth value, f32 for a number. A tensor or arrays broadcast to the shape, by default of their dtype.
*
* Gives `dtype`.
*
* @example
* full([2], 0.5); // [0.5,0.5]
* full([2, 2], [1, 2]); // [[1,2],[1,2]]
*/
function full(shape, value, options = {}) {
	noMore("full", arguments, 3);
	if (typeof value === "number" || typeof value === "boolean") return filled$3("full", shape, Number(value), typeof value === "boolean" ? "bool" : "f32", options);
	const { dtype } = optionsOf("full", options, { dtype: void 0 });
	const spread = invoke({
		...spreading,
		name: "full"
	}, (call) => call.tensor(value).list(extentsOf("full", shape)));
	if (dtype === void 0) return spread;
	return invoke({
		...casting,
		name: "full"
	}, (call) => call.own(spread).put(dtypeCode(dtype, "full")));
}
/**
* Zeros of the shape and dtype of `x`.
*
* Gives `dtype`.
*
* @example
* zerosLike(tensor([1, 2])); // [0,0]
*/
function zerosLike(x, options = {}) {
	noMore("zerosLike", arguments, 2);
	return like("zerosLike", x, 0, options);
}
/**
* Ones of the shape and dtype of `x`.
*
* Gives `dtype`.
*
* @example
* onesLike(tensor([1, 2])); // [1,1]
*/
function onesLike(x, options = {}) {
	noMore("onesLike", arguments, 2);
	return like("onesLike", x, 1, options);
}
function like(op, x, value, options) {
	const model = x instanceof Tensor ? x : tensorFrom(x, op);
	const { shape, dtype } = model;
	if (model !== x) model.dispose();
	return filled$3(op, shape, value, dtype, options);
}
function filled$3(op, shape, value, usual, options) {
	const { dtype } = optionsOf(op, options, { dtype: usual });
	return invoke(everywhere, (call) => call.list(extentsOf(op, shape)).put(value, dtypeCode(dtype, op)));
}
function arange(first, second, step = 1, options = {}) {
	noMore("arange", arguments, 4);
	if (second === void 0 || typeof second === "object" && step === 1) return counted$3(0, first, 1, second);
	return counted$3(first, second, step, options);
}
function counted$3(start, stop, step, options) {
	const [from, to, by] = [
		finiteOf("arange", "the start", start),
		finiteOf("arange", "the stop", stop),
		finiteOf("arange", "the step", step)
	];
	const { dtype } = optionsOf("arange", options, { dtype: [
		from,
		to,
		by
	].every(Number.isInteger) ? "i32" : "f32" });
	const code = dtypeCode(dtype, "arange");
	if (dtype !== "f32" && !(Number.isInteger(from) && Number.isInteger(by))) throw new ValueError("arange", `counts in ${dtype} from a whole number by whole steps, not from ${from} by ${by}`);
	return invoke(counting$1, (call) => call.put(from, to, by, code));
}
/**
* `count` numbers evenly from `start` to `stop`, both included by default; of integers the floors.
*
* Gives `dtype`.
*
* @example
* linspace(0, 1, 5); // [0,0.25,0.5,0.75,1]
* linspace(0, 10, 4, { dtype: "i32" }); // [0,3,6,10]
*/
function linspace(start, stop, count = 50, options = {}) {
	const op = "linspace";
	noMore(op, arguments, 4);
	const { endpoint, dtype } = optionsOf(op, options, {
		endpoint: true,
		dtype: "f32"
	});
	const [code, from, to] = [
		dtypeCode(dtype, op),
		finiteOf(op, "the start", start),
		finiteOf(op, "the stop", stop)
	];
	const fill = (call) => void call.put(from, to, countOf(op, "the count", count), Number(endpoint));
	if (dtype === "f32") return invoke(spaced, fill);
	return invoke({
		...spacedIn,
		name: op
	}, (call) => {
		fill(call);
		call.put(code);
	});
}
/**
* Ones on a diagonal of a matrix, zeros elsewhere.
*
* Gives `dtype`.
*
* @example
* eye(2); // [[1,0],[0,1]]
*/
function eye(rows, columns = rows, options = {}) {
	noMore("eye", arguments, 3);
	const [height, width] = [countOf("eye", "the number of rows", rows), countOf("eye", "the number of columns", columns)];
	const { diagonal, dtype } = optionsOf("eye", options, {
		diagonal: 0,
		dtype: "f32"
	});
	const offset = countOf("eye", "the diagonal", diagonal, -(2 ** 31));
	return invoke(diagonalOnes, (call) => call.put(height, width, offset, dtypeCode(dtype, "eye")));
}
// src/ops/lift.ts
/** Calls with the operands' handles. Operands that are not tensors live for the call; plain numbers and arrays of them become `dtype`,
* by default f32. */
function lend(op, operands, call, dtype) {
	const made = [];
	try {
		return call(...Array.from(operands, (operand) => {
			const tensor = lifted$1(op, operand, dtype);
			if (tensor !== operand) made.push(tensor);
			return tensor.handle;
		}));
	} finally {
		for (const tensor of made) tensor.dispose();
	}
}
/** `tidy` of several calls that are one operation: errors of its parts are its own, under its name. What one row does is called by that. */
function composed(op, body) {
	try {
		return tidy(body);
	} catch (error) {
		const kind = [
			ShapeError,
			DTypeError,
			AxisError,
			ValueError,
			DisposedError,
			TraceError
		].find((kind) => error instanceof kind);
		if (!kind || error.op === op) throw error;
		const { op: part, message } = error;
		throw new kind(op, message.startsWith(`${part}: `) ? message.slice(part.length + 2) : message);
	}
}
/** A tensor as it is; what is none becomes one, and so does one that stands for a plain number where a dtype is asked for. */
function lifted$1(op, x, dtype) {
	if (!(x instanceof Tensor)) return tensorFrom(x, op, dtype);
	return dtype && isGiven$1(x) ? Tensor.adopt(core().number_as(x.handle, dtypeCode(dtype, op))) : x;
}
/** What an i32 or a u32 can hold. */
const COUNTABLE = {
	least: -(2 ** 31),
	below: 2 ** 32
};
/** The bounds of positions along an axis of `extent`, where negative ones count from the end; of an empty axis the core tells. */
function positions$1(extent) {
	return extent ? {
		what: "index",
		least: -extent,
		below: extent
	} : numbered("index");
}
/** The bounds of numbers that may lie anywhere: those of nothing are left out. */
function numbered(what) {
	return {
		what,
		...COUNTABLE
	};
}
/**
* Throws `ValueError` unless all indices that can be known here are whole numbers within bounds: those in plain numbers and arrays, and
* those of integer tensors whose values are known. Returns what is to be made a tensor of.
*/
function checkIndices(op, indices, bounds) {
	const given = indices instanceof Tensor ? null : flattenNested(numbersOf$1(op, indices), op);
	const values = given ? given.values : integersOf(indices);
	const { what, least } = bounds;
	const below = given ? Math.min(bounds.below, 2 ** 31) : bounds.below;
	for (let i = 0; i < values.length; i++) {
		const value = values[i];
		if (!Number.isInteger(value)) throw new ValueError(op, `${shown(value)} is no ${what}: expected whole numbers`);
		if ((value < least || value >= below) && value !== bounds.also) throw new ValueError(op, `${what} ${shown(value)} is out of range: expected ${least} to ${below - 1}`);
	}
	return given;
}
/** What is known of the elements of an integer tensor; of others the core says that they are no indices. */
function integersOf(tensor) {
	return tensor.dtype === "i32" || tensor.dtype === "u32" ? tensor.known ?? [] : [];
}
/** Puts indices into a call: a tensor, or whole numbers, which become i32. */
function putIndices(call, indices, bounds) {
	const given = checkIndices(call.op, indices, bounds);
	if (!given) return call.tensor(indices, "i32");
	return call.own(upload(Int32Array.from(given.values), extentsOf(call.op, given.shape), "i32", call.op));
}
/** The shape of the operand that stands first in a call. */
function shapeOf(x, call) {
	return x instanceof Tensor ? x.shape : Array.from(core().shape(call.numbers[0]));
}
// src/transforms/parameter.ts
/**
* A tensor that can be assigned: a weight of a model, or any state that a function keeps. Stands wherever a tensor stands and
* means the value it has at that moment. Scopes (`tidy`, `grad`, `jit`) do not free it.
*
* @example
* const weight = new Parameter(zeros([2]));
* weight.assign([1, 2]);
* weight.add(1); // [2,3]
*/
var Parameter = class extends Tensor {
	/** A parameter that begins with the value of `initial`. */
	constructor(initial) {
		noMore("parameter", arguments, 1);
		super(lend("parameter", [initial], (handle) => core().parameter(handle)), false, making);
	}
	/** Gives it the value of `value`, of the same shape and dtype; the old value is freed. Throws `ShapeError`, `DTypeError`. */
	assign(value) {
		noMore("assign", arguments, 1);
		lend("assign", [value], (handle) => core().parameter_set(this.handle, handle));
		return this;
	}
	/** What it was is no help: it may have been assigned since, by any function that was captured. @internal */
	remember() {}
	/** @internal */
	[switchOf] = false;
	/** Whether it was frozen: gradients and optimizers pass over it. */
	get frozen() {
		noteRead(this);
		return this[switchOf];
	}
	/**
	* Has gradients and optimizers pass over it: no memory is taken for its gradient. It keeps its value, and can be assigned.
	*
	* ```js
	* model.embedding.weight.freeze();
	* const gradients = grad(loss)(model); // without embedding.weight
	* ```
	*/
	freeze() {
		noMore("freeze", arguments, 0);
		return this.#setFrozen(true);
	}
	/** Has gradients and optimizers take it again. */
	unfreeze() {
		noMore("unfreeze", arguments, 0);
		return this.#setFrozen(false);
	}
	#setFrozen(frozen) {
		noteSet(this);
		this[switchOf] = frozen;
		return this;
	}
	/** Whether gradients and optimizers are for it: it is not frozen. */
	get learned() {
		return !this.frozen;
	}
	/** Always: only `dispose()` and the garbage collector free a parameter. */
	get kept() {
		return true;
	}
	/** @internal */
	get label() {
		return "Parameter";
	}
};
/**
* State of a model that is not learned, as running means are: assigned by the model itself, saved with it, and passed over by gradients
* of the model and by optimizers.
*
* @example
* class Counter extends nn.Module {
*   readonly calls = new nn.Buffer(0);
*   forward(x: Tensor) {
*     this.calls.assign(this.calls.add(1));
*     return x;
*   }
* }
* const counter = new Counter();
* counter.forward(ones([2]));
* counter.calls.add(0); // 1
* counter.parameters().length; // 0
*/
var Buffer$1 = class extends Parameter {
	/** Never: it is state. */
	get learned() {
		return false;
	}
	/** @internal */
	get label() {
		return "Buffer";
	}
};
function begun(initial, kind = Parameter) {
	return inScope(() => new kind(initial()), () => []);
}
// src/nn/state.ts
/**
* Each of what is `held` with the tensor that `state` has for it. Names may be written as Python writes them. Throws `ValueError` where `strict` and
* names are missing or too many, `ShapeError` and `DTypeError` where something does not fit.
*/
function fitting(op, state, held, strict) {
	if (!(typeof state === "object" && state !== null && !isArray$1(state) && holds(() => Object.keys(state).length >= 0))) throw new ValueError(op, `takes an object of tensors by their names, got ${shown(state)}`);
	const given = new Map(Object.entries(state).map(([name, value]) => [camel(name), value]));
	const known = new Set(held.map(([name]) => camel(name)));
	const missing = held.map(([name]) => name).filter((name) => !given.has(camel(name)));
	const unknown = Object.keys(state).filter((name) => !known.has(camel(name)));
	if (strict && (missing.length > 0 || unknown.length > 0)) {
		const listed = (what, names) => names.length > 0 ? [`${what} ${names.slice(0, 5).join(", ")}${names.length > 5 ? ` and ${names.length - 5} more` : ""}`] : [];
		throw new ValueError(op, [...listed("there is nothing for", missing), ...listed("there is no place for", unknown)].join("; "));
	}
	return held.flatMap(([name, place]) => {
		const value = given.get(camel(name));
		if (value === void 0) return [];
		const made = isArrayFile(value) ? value.tensor({ dtype: place.dtype }) : value instanceof Tensor ? value : tensor(value, { dtype: place.dtype });
		if (made.shape.join() !== place.shape.join()) throw new ShapeError(op, `${name} is [${place.shape.join(",")}], got [${made.shape.join(",")}]`);
		if (made.dtype !== place.dtype) throw new DTypeError(op, `${name} is ${place.dtype}, got ${made.dtype}`);
		return [[place, made]];
	});
}
/** A name as JavaScript writes it. */
function camel(name) {
	return name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}
function isArrayFile(value) {
	return typeof value === "object" && value !== null && !(value instanceof Tensor) && !isArray$1(value) && holds(() => typeof value.tensor === "function");
}
/**
* A part of a model. Subclasses assign parameters, modules, and arrays or plain objects of them, as properties, and define
* `forward`, which takes and gives what they like: `model.forward(x, t)`. A module that only holds others, or has methods of other names, needs none. A module can be an
* argument of `grad` and `valueAndGrad`, and goes to an optimizer whole.
*
* As a type, `nn.Module` is a module with a `forward` of one tensor to one; `nn.Module<[x: Tensor, t: Tensor], [Tensor, Tensor]>` says another form, and may be extended, too;
* `nn.AnyModule` is any.
*
* ```js
* class Residual extends nn.Module {
*   inner = new nn.Linear(64, 64);
*   forward(x) { return x.add(this.inner.forward(x).relu()); }
* }
* ```
*
* @example
* class Residual extends nn.Module {
*   inner = new nn.Linear(4, 4);
*   forward(x: Tensor) {
*     return x.add(this.inner.forward(x).relu());
*   }
* }
* new Residual().forward(ones([2, 4])).shape; // [2,4]
* class Gaussian extends nn.Module<[x: Tensor], [mean: Tensor, spread: Tensor]> {
*   heads = [new nn.Linear(4, 2), new nn.Linear(4, 2)] as const;
*   forward(x: Tensor): [Tensor, Tensor] {
*     return [this.heads[0].forward(x), this.heads[1].forward(x).exp()];
*   }
* }
* const [mean, spread] = new Gaussian().forward(ones([3, 4]));
* spread.shape; // [3,2]
*/
const Module = class ModuleBase {
	/** What takes arguments has a constructor of its own. */
	constructor() {
		noMore(this.constructor.name, arguments, 0);
	}
	/** @internal */
	[switchOf] = true;
	/** Whether layers that act differently in training (dropout) do so. Set it with `train` and `eval`; functions that `jit` captured see it. */
	get training() {
		noteRead(this);
		return this[switchOf];
	}
	set training(training) {
		noteSet(this);
		this[switchOf] = training;
	}
	/** @internal */
	get [treeNode]() {
		return true;
	}
	/** Parameters that can be learned with their places, as `layers.0.weight`; a shared one once, at its first place. */
	namedParameters() {
		noMore("namedParameters", arguments, 0);
		return heldBy(this).filter(([, parameter]) => !(parameter instanceof Buffer$1));
	}
	/** The state that is not learned, as running means are, with its places. */
	namedBuffers() {
		noMore("namedBuffers", arguments, 0);
		return heldBy(this).filter(([, parameter]) => parameter instanceof Buffer$1);
	}
	/** Parameters and buffers by their places: what `data.toSafetensors` saves, and `loadStateDict` takes. They are the model's own, not copies. */
	stateDict() {
		noMore("stateDict", arguments, 0);
		return Object.fromEntries(heldBy(this));
	}
	/**
	* Assigns parameters and buffers by their places. Values are tensors, arrays, or what `data.safetensors` reads; names may be written as Python
	* writes them (`running_mean`). With `strict`, which is usual, throws `ValueError` unless just those are given that there are. Throws `ShapeError` where one does
	* not fit; then nothing has been assigned.
	*/
	loadStateDict(state, options = {}) {
		noMore("loadStateDict", arguments, 2);
		const op = "loadStateDict";
		const strict = flagOf(op, "strict", optionsOf(op, options, { strict: true }).strict);
		inScope(() => {
			for (const [parameter, value] of fitting(op, state, heldBy(this), strict)) parameter.assign(value);
		}, () => []);
	}
	/** The modules within, what they hold and how many numbers that is, as a table. */
	summary() {
		noMore("summary", arguments, 0);
		const rows = [];
		const seen = /* @__PURE__ */ new Set();
		const counted = (n) => n.toLocaleString("en-US");
		walk$1(this, (value, path) => {
			if (!(value instanceof ModuleBase)) return;
			const own = Object.entries(value).filter((entry) => entry[1] instanceof Parameter && !seen.has(entry[1]) && !!seen.add(entry[1]));
			const size = own.reduce((sum, [, parameter]) => sum + parameter.size, 0);
			const shapes = own.map(([name, parameter]) => `${name} [${parameter.shape.join(",")}]${parameter instanceof Buffer$1 ? " (buffer)" : parameter.frozen ? " (frozen)" : ""}`);
			rows.push([
				path.join("."),
				value.constructor.name,
				shapes.join(", "),
				size > 0 ? counted(size) : ""
			]);
		});
		const widths = [
			0,
			1,
			2
		].map((column) => Math.max(...rows.map((row) => row[column].length)));
		const buffers = this.namedBuffers().reduce((sum, [, buffer]) => sum + buffer.size, 0);
		const bytes = 4 * (this.size() + buffers);
		const size = bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
		const total = `${counted(this.size())} parameters${buffers > 0 ? `, ${counted(buffers)} in buffers` : ""}, ${size}`;
		return [...rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()), total].join("\n");
	}
	/** Parameters, in the order of their properties; a shared one once. */
	parameters() {
		noMore("parameters", arguments, 0);
		return this.namedParameters().map(([, parameter]) => parameter);
	}
	/** Modules directly below this one, in arrays and objects too, by their places. */
	children() {
		noMore("children", arguments, 0);
		const found = [];
		walk$1(this, (value, path) => {
			if (!(value instanceof ModuleBase) || path.length === 0) return true;
			found.push([path.join("."), value]);
			return false;
		});
		return found;
	}
	/** Puts this module and all below into training, or out of it. */
	train(training = true) {
		noMore("train", arguments, 1);
		flagOf("train", "whether to train", training);
		walk$1(this, (value) => {
			if (value instanceof ModuleBase) value.training = training;
		});
		return this;
	}
	/** Puts this module and all below out of training. */
	eval() {
		noMore("eval", arguments, 0);
		return this.train(false);
	}
	/** How many numbers the parameters hold. */
	size() {
		noMore("size", arguments, 0);
		return this.parameters().reduce((total, parameter) => total + parameter.size, 0);
	}
	/** Freezes the parameters of this module and of all below: gradients and optimizers pass over them, and no memory is taken for their gradients. */
	freeze() {
		noMore("freeze", arguments, 0);
		for (const [, parameter] of heldBy(this)) parameter.freeze();
		return this;
	}
	/** Has gradients and optimizers take the parameters again. An optimizer that was made meanwhile does not have them: `addGroup` adds them. */
	unfreeze() {
		noMore("unfreeze", arguments, 0);
		for (const [, parameter] of heldBy(this)) parameter.unfreeze();
		return this;
	}
	/** Frees every parameter and buffer. */
	dispose() {
		noMore("dispose", arguments, 0);
		for (const [, parameter] of heldBy(this)) parameter.dispose();
	}
};
/** Visits a tree depth first, each object once; `visit` says with `false` that what is below does not matter. */
function walk$1(root, visit) {
	const seen = /* @__PURE__ */ new Set();
	const step = (value, path) => {
		if (typeof value !== "object" || value === null || seen.has(value)) return;
		seen.add(value);
		if (visit(value, path) === false || !isNode(value)) return;
		for (const [key, child] of entriesOf$1(value)) step(child, [...path, key]);
	};
	step(root, []);
}
/** Parameters and buffers of a module with their places; a shared one once. Not a private method: what stands for a module under `vmap` has none. */
function heldBy(module) {
	const found = /* @__PURE__ */ new Map();
	walk$1(module, (value, path) => {
		if (value instanceof Parameter && !found.has(value)) found.set(value, path.join("."));
	});
	return Array.from(found, ([parameter, name]) => [name, parameter]);
}
// src/ops/kinds.ts
/** A kind whose argument may be left out. */
function or(kind, usual) {
	return Object.assign(((call, value) => kind(call, value === void 0 ? usual : value)), kind);
}
/** A tensor, or what becomes one. */
const tensor$1 = (call, value) => call.tensor(value);
/** A tensor, or what becomes one of i32. */
const integers = (call, value) => call.tensor(value, "i32");
/** A tensor, or a plain number as such. */
const operand = (call, value) => call.operand(value);
/** A tensor, or none. */
const maybe = (call, value) => value === null || value === void 0 ? call.put(0) : call.tensor(value);
/** A list of tensors. */
const tensors = (call, value) => {
	const list = listOf(call.op, "a list of tensors", value);
	call.put(list.length);
	for (let i = 0; i < list.length; i++) call.tensor(list[i]);
};
/** A list of numbers and 0-d tensors. */
const scalars = (call, value) => {
	const list = listOf(call.op, "a list of numbers and tensors", value);
	call.put(list.length);
	for (let i = 0; i < list.length; i++) call.operand(list[i]);
};
/** A number. */
const number = (what) => (call, value) => call.put(numberOf$1(call.op, what, value));
/** A finite number. */
const finite = (what) => (call, value) => call.put(finiteOf(call.op, what, value));
/** A whole number of 0 or more. */
const count = (what) => (call, value) => call.put(countOf(call.op, what, value));
/** A whole number. */
const whole$1 = (what) => (call, value) => call.put(countOf(call.op, what, value, -(2 ** 31)));
/** Whole numbers of `least` or more, one or several. */
const numbers$2 = (what, least) => (call, value) => call.list(Array.from(isArray$1(value) ? value : [value], (number) => countOf(call.op, what, number, least)));
/** A whole number, or several. */
const wholes = (what) => numbers$2(what, -(2 ** 31));
/** A whole number of 0 or more, or several. */
const counts = (what) => numbers$2(what, 0);
/** A truth value. */
const flag = (what) => (call, value) => call.put(Number(flagOf(call.op, what, value)));
/** A number, or none. */
const bound = (what) => (call, value) => value === null || value === void 0 ? call.put(0) : call.put(1, numberOf$1(call.op, what, value));
const ORDERS = ["fro", "nuc"];
/** Which norm of a matrix: a number, or a name; or none. */
const matrixOrder = (call, value) => {
	if (value === void 0 || value === null) call.put(0);
	else if (typeof value === "string" && ORDERS.includes(value)) call.put(2 + ORDERS.indexOf(value));
	else call.put(1, numberOf$1(call.op, `the order, a number or one of ${ORDERS.join(", ")},`, value));
};
/** A text, letter by letter. */
const text = (what) => (call, value) => call.list(Array.from(textOf(call.op, what, value), (letter) => letter.codePointAt(0)));
/** One axis. */
const axis = (call, value) => call.put(axisOf(call.op, value));
/** One axis, several, or all. */
const axes = (call, value) => axesInto(call, axesOf(call.op, value));
/** One axis, or all. */
const position = (call, value) => axesInto(call, value === null || value === void 0 ? void 0 : [axisOf(call.op, value)]);
function axesInto(call, axes) {
	if (axes) call.list(axes);
	else call.put(-1);
}
/** One axis, or several. */
const places$1 = (call, value) => call.list(isArray$1(value) ? axesOf(call.op, value) : [axisOf(call.op, value)]);
/** A list of all axes. */
const order = (call, value) => call.list(axesOf(call.op, listOf(call.op, "a list of axes", value)));
/** A shape. */
const extents$1 = (call, value) => call.list(extentsOf(call.op, value));
/** A shape, or none. */
const outer$1 = (call, value) => {
	if (value === void 0) call.put(-1);
	else call.list(extentsOf(call.op, value));
};
/** A shape, one extent of which may be −1. */
const reshape$1 = (call, value) => call.list(shapeOf$1(call.op, value, -1));
/** A dtype. */
const dtype = (call, value) => call.put(dtypeCode(value, call.op));
const among = register("among");
/** How a reduction is taken: whether axes stay, and a correction where there is one; with what it begins with, which elements count or a dtype another operation does it. */
function reduced$1(defaults) {
	const kind = (call, value) => {
		const { keepdims, correction, initial, where, dtype } = optionsOf(call.op, value, defaults);
		call.put(Number(keepdims));
		if ([
			initial,
			where,
			dtype
		].some((given) => (given ?? null) !== null)) {
			call.instead = among;
			text("")(call, call.op);
			call.put(correction ?? 0);
			bound("the initial")(call, initial);
			maybe(call, where);
			if ((dtype ?? null) === null) call.put(0);
			else call.put(1, dtypeCode(dtype, call.op));
		} else if (correction !== void 0) call.put(correction);
	};
	kind.options = true;
	return kind;
}
/** Whether axes stay, what a reduction begins with, and which elements count. */
const fold = reduced$1({
	keepdims: false,
	initial: null,
	where: null
});
/** The same, and what elements are cast to first. */
const totalled = reduced$1({
	keepdims: false,
	initial: null,
	where: null,
	dtype: null
});
/** Whether axes stay, which elements count, and what they are cast to first. */
const averaged$2 = reduced$1({
	keepdims: false,
	where: null,
	dtype: null
});
/** Whether axes stay, and which elements count. */
const part$1 = reduced$1({
	keepdims: false,
	where: null
});
/** Whether axes stay, how a variance is corrected, and which elements count. */
const spread$1 = reduced$1({
	keepdims: false,
	correction: 0,
	where: null
});
/** Whether axes stay, and what is between two elements. */
const between$1 = (call, value) => {
	const { keepdims, method } = optionsOf(call.op, value, {
		keepdims: false,
		method: "linear"
	});
	text("the method")(call.put(Number(keepdims)), method);
};
between$1.options = true;
/** Whether the end is among numbers that are spaced, and their dtype. */
const spacing = (call, value) => {
	const { endpoint, dtype } = optionsOf(call.op, value, {
		endpoint: true,
		dtype: "f32"
	});
	call.put(Number(endpoint), dtypeCode(dtype, call.op));
};
spacing.options = true;
/** The period of numbers, and what a jump between them is at least. */
const winding = (call, value) => {
	const { period, discont } = optionsOf(call.op, value, {
		period: 2 * Math.PI,
		discont: null
	});
	bound("discont")(call.put(period), discont);
};
winding.options = true;
/** The axes of two operands and of their product; those that are left out are the one axis before. */
const thirds = (call, value) => {
	const { axisA, axisB, axisC } = optionsOf(call.op, value, {
		axisA: null,
		axisB: null,
		axisC: null
	});
	const given = [
		axisA,
		axisB,
		axisC
	];
	const usual = call.numbers.at(-1);
	if (given.every((axis) => axis === null)) call.put(-1);
	else call.list(given.map((axis) => axis === null ? usual : axisOf(call.op, axis)));
};
thirds.options = true;
const HALVES = ["L", "U"];
/** Which half of a symmetric matrix is read: both, the lower or the upper. */
const half = (call, value) => {
	const given = value === void 0 || value === null ? 0 : HALVES.indexOf(value) + 1;
	if (given === 0 && value !== void 0 && value !== null) throw new ValueError(call.op, `the triangle is "L" or "U", got ${shown(value)}`);
	call.put(given);
};
/** Options, numbers and truth values, in this order and with these defaults. */
function options(defaults) {
	const kind = (call, value) => {
		const read = optionsOf(call.op, value, defaults);
		for (const name of Object.keys(defaults)) call.put(Number(read[name]));
	};
	kind.options = true;
	return kind;
}
// src/ops/generated/arithmetic.ts
/**
* a + b.
*
* Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
*
* @example
* add([1, 2], 10); // [11,12]
*/
const add = operation("add", operand, operand);
/**
* a − b.
*
* Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
*
* @example
* sub([1, 2], 10); // [-9,-8]
*/
const sub = operation("sub", operand, operand);
/**
* a · b.
*
* Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
*
* @example
* mul([[1], [2]], [3, 4]); // [[3,4],[6,8]]
*/
const mul = operation("mul", operand, operand);
/**
* a / b. Integers become f32.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* div([1, 2], 4); // [0.25,0.5]
*/
const div = operation("div", operand, operand);
/**
* The floor of a / b.
*
* Takes any dtype; gives the promoted dtype, i32 of bools. No gradient flows through it; `vmap` batches it.
*
* @example
* floorDivide([7, -7], 2); // [3,-4]
*/
const floorDivide = operation("floorDivide", operand, operand);
/**
* What is left of a when divided by b, with the sign of b.
*
* Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
*
* @example
* remainder([7, -7], 3); // [1,2]
*/
const remainder = operation("remainder", operand, operand);
/**
* What is left of a when divided by b, with the sign of a.
*
* Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
*
* @example
* fmod([7, -7], 3); // [1,-1]
*/
const fmod = operation("fmod", operand, operand);
/**
* aᵇ.
*
* Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
*
* @example
* pow([2, 3], 2); // [4,9]
*/
const pow = operation("pow", operand, operand);
/**
* The smaller of a and b; NaN if either is.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* minimum([1, 5], 3); // [1,3]
*/
const minimum = operation("minimum", operand, operand);
/**
* The larger of a and b; NaN if either is.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* maximum([1, 5], 3); // [3,5]
*/
const maximum = operation("maximum", operand, operand);
/**
* The smaller of a and b; of a number and NaN the number.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* fmin([1, NaN], 2); // [1,2]
*/
const fmin = operation("fmin", operand, operand);
/**
* The larger of a and b; of a number and NaN the number.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* fmax([1, NaN], 2); // [2,2]
*/
const fmax = operation("fmax", operand, operand);
/**
* Bitwise and, of integers.
*
* Takes i32, u32, bool; gives the promoted dtype. Without a gradient; `vmap` batches it.
*
* @example
* bitwiseAnd(Int32Array.of(6, 5), 4); // [4,4]
*/
const bitwiseAnd = operation("bitwiseAnd", operand, operand);
/**
* Bitwise or, of integers.
*
* Takes i32, u32, bool; gives the promoted dtype. Without a gradient; `vmap` batches it.
*
* @example
* bitwiseOr(Int32Array.of(1, 2), 4); // [5,6]
*/
const bitwiseOr = operation("bitwiseOr", operand, operand);
/**
* Bitwise exclusive or, of integers.
*
* Takes i32, u32, bool; gives the promoted dtype. Without a gradient; `vmap` batches it.
*
* @example
* bitwiseXor(Int32Array.of(6, 5), 4); // [2,1]
*/
const bitwiseXor = operation("bitwiseXor", operand, operand);
/**
* a · 2ᵇ, of integers; bits shifted out are lost.
*
* Takes i32, u32; gives the promoted dtype. Without a gradient; `vmap` batches it.
*
* @example
* shiftLeft(Int32Array.of(1, 3), 2); // [4,12]
*/
const shiftLeft = operation("shiftLeft", operand, operand);
/**
* The floor of a / 2ᵇ, of integers.
*
* Takes i32, u32; gives the promoted dtype. Without a gradient; `vmap` batches it.
*
* @example
* shiftRight(Int32Array.of(8, -8), 1); // [4,-4]
*/
const shiftRight = operation("shiftRight", operand, operand);
/**
* The angle of the point (x, y), in (−π, π]; 0 at the origin.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* atan2([1, 0], [1, -1]); // [0.7854,3.1416]
*/
const atan2 = operation("atan2", operand, operand);
/**
* √(a² + b²), without overflow.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* hypot([3, 5], [4, 12]); // [5,13]
*/
const hypot = operation("hypot", operand, operand);
/**
* log(eᵃ + eᵇ), without overflow.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* logAddExp([1000, 0], [1000, 0]); // [1000.7,0.69315]
*/
const logAddExp = operation("logAddExp", operand, operand);
/**
* The magnitude of a with the sign of b.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* copysign([1, 2], [-3, 4]); // [-1,2]
*/
const copysign = operation("copysign", operand, operand);
/**
* 0 where x is below 0, 1 above, `zero` at 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* heaviside([-1, 0, 2], 0.5); // [0,0.5,1]
*/
const heaviside = operation("heaviside", operand, operand);
// src/ops/generated/contract.ts
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
const matmul = operation("matmul", tensor$1, tensor$1);
/**
* NumPy's `dot`: over the last axis of a and the last but one of b; with a 0-d tensor, its
* multiple. Throws `ShapeError` when the extents differ.
*
* Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* dot([1, 2, 3], [4, 5, 6]); // 32
*/
const dot = operation("dot", tensor$1, tensor$1);
/**
* Over the last axes of both; with a 0-d tensor, its multiple. Throws `ShapeError` when the
* extents differ.
*
* Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* inner([[1, 2], [3, 4]], [5, 6]); // [17,39]
*/
const inner = operation("inner", tensor$1, tensor$1);
/**
* Each element of a times each of b, both flattened: a matrix.
*
* Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* outer([1, 2], [3, 4]); // [[3,4],[6,8]]
*/
const outer = operation("outer", tensor$1, tensor$1);
/**
* The sum of the products of all elements, both flattened.
*
* Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* vdot([[1, 2]], [3, 4]); // 11
*/
const vdot = operation("vdot", tensor$1, tensor$1);
/**
* The sum of products along an axis, broadcast otherwise.
*
* Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* vecdot([[1, 2], [3, 4]], [5, 6]); // [17,39]
*/
const vecdot = operation("vecdot", operand, operand, or(axis, -1));
/**
* The cross product of the three elements along an axis, or along one of each of the two,
* broadcast otherwise.
*
* Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* cross([1, 0, 0], [0, 1, 0]); // [0,0,1]
* cross([[1], [0], [0]], [0, 1, 0], -1, { axisA: 0 }); // [[0,0,1]]
*/
const cross = operation("cross", operand, operand, or(axis, -1), thirds);
/**
* Kronecker product: each element of a times the whole of b.
*
* Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* kron([1, 2], [3, 4]); // [3,4,6,8]
*/
const kron = operation("kron", tensor$1, tensor$1);
/**
* A square matrix multiplied by itself so many times, the identity for 0.
*
* Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* matrixPower([[1, 1], [0, 1]], 3); // [[1,3],[0,1]]
*/
const matrixPower = operation("matrixPower", tensor$1, count("the times"));
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
const quantize4 = several("quantize4", tensor$1, or(count("the group"), 32));
/**
* What `quantize4` packed, in full.
*
* Takes u32, then f32, f16; gives f32. Differentiable; `vmap` batches it.
*
* @example
* const [packed, scales] = quantize4(full([8, 1], -3.5), 8);
* dequantize4(packed, scales).min(); // -3.5
*/
const dequantize4 = operation("dequantize4", tensor$1, tensor$1);
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
const matmul4 = operation("matmul4", tensor$1, tensor$1, tensor$1);
// src/ops/generated/join.ts
/**
* Joined along an existing axis, or (null) flattened before; the other extents must agree.
* Throws `ShapeError`.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* concat([[1, 2], tensor([3])]); // [1,2,3]
*/
const concat = operation("concat", tensors, or(position, 0));
/**
* Joined along a new axis; the shapes must be equal. Throws `ShapeError`.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* stack([[1, 2], [3, 4]], 1); // [[1,3],[2,4]]
*/
const stack = operation("stack", tensors, or(axis, 0));
/**
* Joined along the second axis, vectors along their only one.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* hstack([[1, 2], [3]]); // [1,2,3]
*/
const hstack = operation("hstack", tensors);
/**
* Joined along the first axis, vectors as rows.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* vstack([[1, 2], [3, 4]]); // [[1,2],[3,4]]
*/
const vstack = operation("vstack", tensors);
/**
* Joined along the third axis.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* dstack([[1, 2], [3, 4]]); // [[[1,3],[2,4]]]
*/
const dstack = operation("dstack", tensors);
/**
* Vectors as the columns of a matrix, and matrices beside them.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* columnStack([[1, 2], [3, 4]]); // [[1,3],[2,4]]
*/
const columnStack = operation("columnStack", tensors);
/**
* `values` behind `x`: both flattened, or joined along an axis.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* append([1, 2], [[3], [4]]); // [1,2,3,4]
*/
const append = operation("append", tensor$1, tensor$1, position);
/**
* `values` put before `positions`, which are those before anything is put in; flattened, or
* along an axis.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* insert([1, 2, 3], 1, 9); // [1,9,2,3]
* insert([[1, 2], [3, 4]], [0, 2], 0, 1); // [[0,1,2,0],[0,3,4,0]]
*/
const insert = operation("insert", tensor$1, wholes("the positions"), tensor$1, position);
/**
* Without what stands at `positions`; flattened, or along an axis. NumPy's `delete`, which is
* a word of the language here.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* remove([1, 2, 3, 4], [0, -1]); // [2,3]
*/
const remove = operation("remove", tensor$1, wholes("the positions"), position);
/**
* The elements in row-major order as often as fills a shape.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* resize([1, 2, 3], [2, 2]); // [[1,2],[3,1]]
*/
const resize = operation("resize", tensor$1, extents$1);
// src/ops/generated/shape.ts
/**
* The same elements in row-major order under another shape; one extent may be −1 and is worked
* out. Throws `ShapeError`.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* reshape([1, 2, 3, 4], [2, -1]); // [[1,2],[3,4]]
*/
const reshape = operation("reshape", tensor$1, reshape$1);
/**
* The axes from `start` to `end`, both among them, as one: all of them by default. Throws
* `AxisError`.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* flatten([[1, 2], [3, 4]]); // [1,2,3,4]
* flatten(zeros([2, 3, 4]), 1).shape; // [2,12]
*/
const flatten = operation("flatten", tensor$1, position, position);
/**
* Output axis i is input axis `axes[i]`. Throws `AxisError` unless `axes` is a permutation.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* permute(zeros([2, 3, 4]), [2, 0, 1]).shape; // [4,2,3]
*/
const permute = operation("permute", tensor$1, order);
/**
* Two axes exchanged.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* swapAxes(zeros([2, 3, 4]), 0, -1).shape; // [4,3,2]
*/
const swapAxes = operation("swapAxes", tensor$1, axis, axis);
/**
* The last two axes exchanged.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* matrixTranspose([[1, 2, 3]]); // [[1],[2],[3]]
*/
const matrixTranspose = operation("matrixTranspose", tensor$1);
/**
* Repeated along axes of extent 1, and along new axes in front, to `shape`. Throws
* `ShapeError` when that does not fit.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* broadcastTo([1, 2], [2, 2]); // [[1,2],[1,2]]
*/
const broadcastTo = operation("broadcastTo", tensor$1, extents$1);
/**
* A new axis of extent 1 at `axis`, or several at the places where they are to stand in the
* end.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* expandDims([1, 2], -1); // [[1],[2]]
*/
const expandDims = operation("expandDims", tensor$1, or(axes, 0));
/**
* Without the given axes of extent 1, or without all such.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* squeeze([[[1, 2]]]); // [1,2]
*/
const squeeze = operation("squeeze", tensor$1, axes);
/**
* With at least one axis.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* atLeast1d(3); // [3]
*/
const atLeast1d = operation("atLeast1d", tensor$1);
/**
* With at least two axes; a vector is a row.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* atLeast2d([1, 2]); // [[1,2]]
*/
const atLeast2d = operation("atLeast2d", tensor$1);
/**
* With at least three axes, as NumPy's: a vector lies along the second, a matrix along the
* first two.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* atLeast3d([1, 2]); // [[[1],[2]]]
*/
const atLeast3d = operation("atLeast3d", tensor$1);
/**
* Reversed along the given axes, or all.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* flip([[1, 2], [3, 4]], 1); // [[2,1],[4,3]]
*/
const flip = operation("flip", tensor$1, axes);
/**
* The rows in the opposite order.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* flipud([[1, 2], [3, 4]]); // [[3,4],[1,2]]
*/
const flipud = operation("flipud", tensor$1);
/**
* The columns in the opposite order.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* fliplr([[1, 2], [3, 4]]); // [[2,1],[4,3]]
*/
const fliplr = operation("fliplr", tensor$1);
/**
* Turned by quarter turns in the plane of two axes, from the first towards the second.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* rot90([[1, 2], [3, 4]]); // [[2,4],[1,3]]
*/
const rot90 = operation("rot90", tensor$1, or(whole$1("the times"), 1), or(axis, 0), or(axis, 1));
/**
* Elements moved along the given axes, or of the flattened tensor; those that leave at one end
* come in at the other. One shift serves all axes, or each has its own. Throws `ShapeError`
* for another number of shifts.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* roll([1, 2, 3], 1); // [3,1,2]
* roll([[1, 2], [3, 4]], -1, 0); // [[3,4],[1,2]]
* roll([[1, 2], [3, 4]], [1, 1], [0, 1]); // [[4,3],[2,1]]
*/
const roll = operation("roll", tensor$1, wholes("the shift"), axes);
/**
* The whole repeated along each axis, or along the last one; where there are more numbers than
* axes, along new axes in front.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* tile([1, 2], 2); // [1,2,1,2]
* tile([1, 2], [2, 1]); // [[1,2],[1,2]]
*/
const tile = operation("tile", tensor$1, counts("the times"));
/**
* An axis moved to another place, or several to as many places, the others in their order.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* moveAxis(zeros([2, 3, 4]), 0, -1).shape; // [3,4,2]
* moveAxis(zeros([2, 3, 4]), [0, 1], [-1, 0]).shape; // [3,4,2]
*/
const moveAxis = operation("moveAxis", tensor$1, places$1, places$1);
/**
* What lies on and below a diagonal of each matrix, 0 elsewhere; `diagonal` moves it to the
* right. Throws `ShapeError` below two axes.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* tril([[1, 2], [3, 4]]); // [[1,0],[3,4]]
*/
const tril = operation("tril", tensor$1, or(whole$1("the diagonal"), 0));
/**
* What lies on and above a diagonal of each matrix, 0 elsewhere; `diagonal` moves it to the
* right. Throws `ShapeError` below two axes.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* triu([[1, 2], [3, 4]]); // [[1,2],[0,4]]
*/
const triu = operation("triu", tensor$1, or(whole$1("the diagonal"), 0));
/**
* The diagonal of the matrices of two axes, as a last axis; `offset` moves it to the right.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* diagonal([[1, 2], [3, 4]]); // [1,4]
*/
const diagonal = operation("diagonal", tensor$1, or(whole$1("the offset"), 0), or(axis, 0), or(axis, 1));
/**
* A vector along the diagonal of a matrix otherwise 0, or the diagonal of a matrix; `offset`
* moves it to the right.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* diag([1, 2]); // [[1,0],[0,2]]
* diag([[1, 2], [3, 4]], 1); // [2]
*/
const diag = operation("diag", tensor$1, or(whole$1("the offset"), 0));
/**
* The sum of the diagonal of the matrices of two axes; `offset` moves it to the right.
*
* Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
*
* @example
* trace([[1, 2], [3, 4]]); // 5
*/
const trace = operation("trace", tensor$1, or(whole$1("the offset"), 0), or(axis, 0), or(axis, 1));
/**
* The windows that slide along axes, or all: their places stand where the axes do, and the
* windows along new last axes, as `numpy.lib.stride_tricks.sliding_window_view`. Throws
* `ShapeError` for a window longer than its axis.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* slidingWindowView([1, 2, 3, 4], 3); // [[1,2,3],[2,3,4]]
*/
const slidingWindowView = operation("slidingWindowView", tensor$1, counts("the window"), axes);
// src/ops/shape.ts
var shape_exports = /* @__PURE__ */ __exportAll({
	diff: () => diff,
	expand: () => expand,
	pad: () => pad,
	repeat: () => repeat,
	slice: () => slice,
	split: () => split,
	transpose: () => transpose
});
const reversed = operation("transpose", tensor$1);
/**
* The axes in reverse order, which transposes a matrix; or permuted by `axes`.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* transpose([[1, 2], [3, 4]]); // [[1,3],[2,4]]
*/
function transpose(x, axes) {
	noMore("transpose", arguments, 2);
	if (axes === void 0) return reversed(x);
	return permute(x, listOf("transpose", "a list of all axes in their new order; swapAxes exchanges two", axes));
}
/**
* PyTorch's name for `broadcastTo`.
*
* @example
* expand([[1], [2]], [2, 2]); // [[1,1],[2,2]]
*/
function expand(x, shape) {
	noMore("expand", arguments, 2);
	return broadcastTo(x, shape);
}
const sliced = register("slice");
/** Kinds of ranges in the core's form, and a stop or start that was left out. */
const ALL = 0;
const INDEX$1 = 1;
const SPAN = 2;
const OPEN = -2147483648;
/**
* A part of a tensor: one range per axis from the first; axes without one are taken whole. Starts are run-time values, so a
* moving slice compiles once. Throws `AxisError` for too many ranges, `ValueError` for a position out of range.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* slice([[1, 2, 3], [4, 5, 6]], 0); // [1,2,3]
* arange(6).slice([1, -1]); // [1,2,3,4]
*/
function slice(x, ...ranges) {
	return invoke(sliced, (call) => call.tensor(x).list(ranges.flatMap(rangeWords)));
}
/** A range in the core's form: kind, start, stop, step. */
function rangeWords(range, axis) {
	if (range === null || range === void 0) return [
		ALL,
		0,
		0,
		1
	];
	if (typeof range === "number") return [
		INDEX$1,
		whole(range, axis),
		0,
		1
	];
	if (!isArray$1(range) || range.length > 3) throw new ValueError("slice", `axis ${axis}: expected null, a number or [start, stop, step], got ${isArray$1(range) ? `a list of ${range.length}` : shown(range)}${range instanceof Tensor ? "; at(…).get() and take choose by indices" : ""}`);
	const [start, stop, step] = range;
	return [
		SPAN,
		whole(start ?? OPEN, axis),
		whole(stop ?? OPEN, axis),
		whole(step ?? 1, axis)
	];
}
function whole(number, axis) {
	if (Number.isInteger(number)) return Math.max(OPEN, Math.min(2147483647, number));
	throw new ValueError("slice", `axis ${axis}: ${shown(number)} is not a whole number`);
}
const differences = register("diff");
/**
* The difference of each element and the one before it along an axis, `times` times; of bools, whether they differ. Throws `AxisError`, and `ShapeError` for
* ends that do not fit.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* diff([1, 4, 9, 16]); // [3,5,7]
* diff([1, 4, 9, 16], 2); // [2,2]
*/
function diff(x, times = 1, axis = -1, options = {}) {
	const op = "diff";
	noMore(op, [...arguments], 4);
	const { prepend, append } = optionsOf(op, options, {
		prepend: null,
		append: null
	});
	const taken = (x) => invoke(differences, (call) => call.tensor(x).put(countOf(op, "the times", times), axisOf(op, axis)));
	if (prepend === null && append === null) return taken(x);
	if (times === 0) return taken(x);
	return composed(op, () => {
		const given = lifted$1(op, x);
		const place = axis < 0 ? axis + given.ndim : axis;
		const edge = (of) => {
			if (of === null) return [];
			const made = lifted$1(op, of, of instanceof Tensor ? void 0 : given.dtype);
			return [made.ndim === 0 ? broadcastTo(made, given.shape.map((extent, n) => n === place ? 1 : extent)) : made];
		};
		return taken(concat([
			...edge(prepend),
			given,
			...edge(append)
		], axis));
	});
}
const [repeated, repeatedBy] = [register("repeat"), register("repeat.by")];
/**
* Each element repeated along an axis, or of the flattened tensor: all as often, or each as often as a list says. A tensor of integers whose values are not `known`
* takes a `length`, for the shape would depend on data. Throws `ShapeError` for a list of another length.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* repeat([1, 2], 2); // [1,1,2,2]
* repeat([1, 2, 3], [2, 0, 1]); // [1,1,3]
*/
function repeat(x, times, axis = null, options = {}) {
	const op = "repeat";
	noMore(op, arguments, 4);
	const { length } = optionsOf(op, options, { length: null });
	if (length !== null) return invoke({
		...repeatedBy,
		name: op
	}, (call) => position(putIndices(call.tensor(x), times, numbered("number")).put(countOf(op, "the length", length)), axis));
	if (times instanceof Tensor && times.dtype !== "i32" && times.dtype !== "u32") throw new DTypeError(op, `the numbers are integers, got ${times.dtype}`);
	if (times instanceof Tensor && times.known === null) throw new ValueError(op, "how often is not known before the device has computed it: give { length }, the number of elements that come of it");
	return invoke(repeated, (call) => {
		call.tensor(x);
		const given = checkIndices(op, times, {
			what: "number of times",
			least: 0,
			below: 2 ** 31
		}) ?? {
			shape: times.shape,
			values: times.known
		};
		if (given.shape.length > 1) throw new ShapeError(op, `numbers of times are a list, got [${given.shape.join(",")}]`);
		position(call.list(Array.from(given.values)), axis);
	});
}
const [padded, continued] = [register("pad"), register("pad.border")];
/**
* Elements added before and after each axis, filled with `value`, or as a border says: a pair of widths for every axis, one pair for all, or one width for all ends. Throws
* `ShapeError` when there are not as many pairs as axes.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* pad([1, 2], 1); // [0,1,2,0]
* pad([[1]], [[0, 0], [1, 2]], 9); // [[9,1,9,9]]
* pad([1, 2], [0, 2]); // [1,2,0,0]
* pad([1, 2, 3], 1, "edge"); // [1,1,2,3,3]
*/
function pad(x, widths, value = 0) {
	noMore("pad", arguments, 3);
	const isBorder = typeof value === "string";
	const filling = isBorder ? 0 : numberOf$1("pad", "the value, a number or the name of a border,", value);
	const list = typeof widths === "number" ? [[widths, widths]] : listOf("pad", "a width or a list of pairs", widths);
	const pairs = (typeof list[0] === "number" ? [list] : list).map(pairOf);
	const fill = (call) => {
		call.tensor(x);
		const rank = x instanceof Tensor ? x.ndim : core().shape(call.numbers[0]).length;
		call.list((pairs.length === 1 ? new Array(rank).fill(pairs[0]) : pairs).flat());
		if (isBorder) text("the mode")(call, value);
		else call.put(filling);
	};
	return isBorder ? composed("pad", () => invoke(continued, fill)) : invoke(padded, fill);
}
function pairOf(pair) {
	if (isArray$1(pair) && pair.length === 2) return pair.map((width) => countOf("pad", "a width", width));
	throw new ValueError("pad", `widths come in pairs [before, after], got ${isArray$1(pair) ? `a list of ${pair.length}` : shown(pair)}`);
}
/**
* Cut along an axis: into as many equal parts as a number says, or into parts of the given lengths.
*
* @example
* const [left, right] = split([1, 2, 3], [1, 2]);
* right; // [2,3]
*/
function split(x, parts, axis = 0) {
	noMore("split", arguments, 3);
	const along = axisOf("split", axis);
	return lend("split", [x], (handle) => {
		const shape = Array.from(core().shape(handle));
		const extent = shape[along < 0 ? along + shape.length : along];
		if (extent === void 0) throw new AxisError("split", `axis ${along} is out of range for [${shape.join(",")}]`);
		const lengths = typeof parts === "number" ? equalParts(extent, parts) : listOf("split", "a number of parts or a list of lengths", parts);
		const words = Uint32Array.from(Array.from(lengths), (length) => countOf("split", "a length", length));
		return Array.from(core().split(handle, words, along), (part) => Tensor.adopt(part));
	});
}
function equalParts(extent, parts) {
	if (Number.isInteger(parts) && parts > 0 && extent % parts === 0) return Array.from({ length: parts }, () => extent / parts);
	throw new ShapeError("split", `an axis of ${extent} does not split into ${parts} equal parts`);
}
// src/ops/generated/elementwise.ts
/**
* −x. Not of bool.
*
* Takes f32, i32, u32; gives the same. Differentiable; `vmap` batches it.
*
* @example
* neg([1, -2]); // [-1,2]
*/
const neg = operation("neg", tensor$1);
/**
* |x|. Not of bool.
*
* Takes f32, i32, u32; gives the same. Differentiable; `vmap` batches it.
*
* @example
* abs([1, -2]); // [1,2]
*/
const abs = operation("abs", tensor$1);
/**
* −1, 0 or 1; NaN stays NaN. Not of bool.
*
* Takes f32, i32, u32; gives the same. No gradient flows through it; `vmap` batches it.
*
* @example
* sign([3, 0, -2]); // [1,0,-1]
*/
const sign = operation("sign", tensor$1);
/**
* The largest whole number not above x. f32; integers stay.
*
* Takes f32, i32, u32; gives the same. No gradient flows through it; `vmap` batches it.
*
* @example
* floor([1.5, -1.5]); // [1,-2]
*/
const floor = operation("floor", tensor$1);
/**
* The smallest whole number not below x. f32; integers stay.
*
* Takes f32, i32, u32; gives the same. No gradient flows through it; `vmap` batches it.
*
* @example
* ceil([1.5, -1.5]); // [2,-1]
*/
const ceil = operation("ceil", tensor$1);
/**
* The nearest whole number, ties to even, or the nearest with so many decimals: below 0 they
* are tens, hundreds and so on. f32; integers stay. Throws `ValueError` for integers to less
* than whole numbers.
*
* Takes f32, i32, u32; gives the same. No gradient flows through it; `vmap` batches it.
*
* @example
* round([0.5, 1.5, 2.6]); // [0,2,3]
* round([1.26, 12.6], 1); // [1.3,12.6]
*/
const round = operation("round", tensor$1, or(whole$1("the decimals"), 0));
/**
* The whole number next to x towards 0. f32; integers stay.
*
* Takes f32, i32, u32; gives the same. No gradient flows through it; `vmap` batches it.
*
* @example
* trunc([1.7, -1.7]); // [1,-1]
*/
const trunc = operation("trunc", tensor$1);
/**
* eˣ. Integers become f32, here and below.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* exp([0, 1]); // [1,2.7183]
*/
const exp = operation("exp", tensor$1);
/**
* 2ˣ.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* exp2([0, 3, -1]); // [1,8,0.5]
*/
const exp2 = operation("exp2", tensor$1);
/**
* eˣ − 1, without the cancellation near 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* expm1([0, 1e-7]); // [0,1e-7]
*/
const expm1 = operation("expm1", tensor$1);
/**
* Natural logarithm: −∞ at 0, NaN below.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* log([1, 0, -1]); // [0,-Infinity,NaN]
*/
const log = operation("log", tensor$1);
/**
* Logarithm to base 2, whole for powers of 2.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* log2([1, 8, 0.5]); // [0,3,-1]
*/
const log2 = operation("log2", tensor$1);
/**
* Logarithm to base 10.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* log10([1, 1000]); // [0,3]
*/
const log10 = operation("log10", tensor$1);
/**
* log(1 + x), without the rounding near 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* log1p([0, 1e-7]); // [0,1e-7]
*/
const log1p = operation("log1p", tensor$1);
/**
* Square root: NaN below 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* sqrt([4, 2]); // [2,1.4142]
*/
const sqrt = operation("sqrt", tensor$1);
/**
* 1/√x.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* rsqrt([4, 1]); // [0.5,1]
*/
const rsqrt = operation("rsqrt", tensor$1);
/**
* Cube root.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* cbrt([8, -27]); // [2,-3]
*/
const cbrt = operation("cbrt", tensor$1);
/**
* x².
*
* Takes any dtype; gives the dtype of x, i32 of bool. Differentiable; `vmap` batches it.
*
* @example
* square([2, -3]); // [4,9]
*/
const square = operation("square", tensor$1);
/**
* 1/x. f32.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* reciprocal([2, 4]); // [0.5,0.25]
*/
const reciprocal = operation("reciprocal", tensor$1);
/**
* Sine of radians.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* sin([0, Math.PI / 2]); // [0,1]
*/
const sin = operation("sin", tensor$1);
/**
* Cosine of radians.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* cos([0, Math.PI]); // [1,-1]
*/
const cos = operation("cos", tensor$1);
/**
* Tangent of radians.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* tan([0, 1]); // [0,1.5574]
*/
const tan = operation("tan", tensor$1);
/**
* The angle in [−π/2, π/2] whose sine is x; NaN beyond ±1.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* asin([0, 1]); // [0,1.5708]
*/
const asin = operation("asin", tensor$1);
/**
* The angle in [0, π] whose cosine is x; NaN beyond ±1.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* acos([1, -1]); // [0,3.1416]
*/
const acos = operation("acos", tensor$1);
/**
* The angle in [−π/2, π/2] whose tangent is x.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* atan([0, 1]); // [0,0.7854]
*/
const atan = operation("atan", tensor$1);
/**
* Hyperbolic sine.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* sinh([0, 1]); // [0,1.1752]
*/
const sinh = operation("sinh", tensor$1);
/**
* Hyperbolic cosine.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* cosh([0, 1]); // [1,1.5431]
*/
const cosh = operation("cosh", tensor$1);
/**
* Hyperbolic tangent.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* tanh([0, 1]); // [0,0.76159]
*/
const tanh = operation("tanh", tensor$1);
/**
* Inverse hyperbolic sine.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* asinh([0, 1, -1]); // [0,0.88137,-0.88137]
*/
const asinh = operation("asinh", tensor$1);
/**
* Inverse hyperbolic cosine; NaN below 1.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* acosh([1, 2]); // [0,1.317]
*/
const acosh = operation("acosh", tensor$1);
/**
* Inverse hyperbolic tangent; infinite at 1 and −1, NaN beyond.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* atanh([0, 0.5, -0.5]); // [0,0.54931,-0.54931]
*/
const atanh = operation("atanh", tensor$1);
/**
* sin(πx)/(πx), 1 at 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* sinc([0, 0.5, 1]); // [1,0.63662,0]
*/
const sinc = operation("sinc", tensor$1);
/**
* Degrees of radians.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* degrees(Math.PI); // 180
*/
const degrees = operation("degrees", tensor$1);
/**
* Radians of degrees.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* radians(180); // 3.1416
*/
const radians = operation("radians", tensor$1);
/**
* Error function.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* erf([0, 1]); // [0,0.8427]
*/
const erf = operation("erf", tensor$1);
/**
* Inverse of the error function, on [−1, 1].
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* erfInv([0, 0.5]); // [0,0.47694]
*/
const erfInv = operation("erfInv", tensor$1);
/**
* Whether x is zero, or false. Yields bool.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* logicalNot([0, 2]); // [true,false]
*/
const logicalNot = operation("logicalNot", tensor$1);
/**
* Each bit flipped. Integers, and bool (not).
*
* Takes i32, u32, bool; gives the same. Without a gradient; `vmap` batches it.
*
* @example
* bitwiseNot(Int32Array.of(0, 1)); // [-1,-2]
*/
const bitwiseNot = operation("bitwiseNot", tensor$1);
/**
* Whether x is NaN. Yields bool.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* isnan([NaN, 1]); // [true,false]
*/
const isnan = operation("isnan", tensor$1);
/**
* Whether x is infinite.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* isinf([1, Infinity, NaN]); // [false,true,false]
*/
const isinf = operation("isinf", tensor$1);
/**
* Whether x is neither NaN nor infinite. Yields bool.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* isfinite([Infinity, 1]); // [false,true]
*/
const isfinite = operation("isfinite", tensor$1);
/**
* NaN and infinities exchanged for numbers; without one for an infinity, the finite number
* next to it.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nanToNum([NaN, 1, Infinity], 0, 9); // [0,1,9]
*/
const nanToNum = operation("nanToNum", tensor$1, or(number("the nan"), 0), bound("the above"), bound("the below"));
/**
* The same values, through which no gradient flows.
*
* Takes any dtype; gives the same. No gradient flows through it; `vmap` batches it.
*
* @example
* grad((x: Tensor) => x.mul(x.detach()))(tensor(3)); // 3
*/
const detach = operation("detach", tensor$1);
/**
* The elements as another dtype. Float to integer truncates towards zero and saturates, NaN
* gives 0; bool is "not zero".
*
* Takes any dtype; gives `dtype`. Differentiable; `vmap` batches it.
*
* @example
* cast([1.9, -1.9], "i32"); // [1,-1]
*/
const cast = operation("cast", tensor$1, dtype);
/**
* The same bits as another dtype. Not of or to bool.
*
* Takes f32, i32, u32; gives `dtype`. Without a gradient; `vmap` batches it.
*
* @example
* bitcast([1], "u32"); // [1065353216]
*/
const bitcast = operation("bitcast", tensor$1, dtype);
// src/ops/rounded.ts
const isOf = (dtype) => (x) => x instanceof Tensor && x.dtype === dtype;
/** A half as a float, and everything else as it is. To be called in a scope. */
const widened = (x) => isOf("f16")(x) ? cast(x, "f32") : x;
/**
* What `body` makes of tensors, of which it sees halves as floats. What it makes in floats is rounded where there were no floats among the tensors. To be
* called in a scope.
*/
function roundedOnce(given, body) {
	if (!given.some(isOf("f16"))) return body(...given);
	const made = body(...given.map(widened));
	if (given.some(isOf("f32"))) return made;
	return mapTree(made, (leaf) => isOf("f32")(leaf) ? cast(leaf, "f16") : leaf);
}
// src/ops/generated/compare.ts
/**
* a = b.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* equal([1, 2], 2); // [false,true]
*/
const equal = operation("equal", operand, operand);
/**
* a ≠ b.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* notEqual([1, 2], 2); // [true,false]
*/
const notEqual = operation("notEqual", operand, operand);
/**
* a < b.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* less([1, 2], 2); // [true,false]
*/
const less = operation("less", operand, operand);
/**
* a ≤ b.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* lessEqual([1, 2], 1); // [true,false]
*/
const lessEqual = operation("lessEqual", operand, operand);
/**
* a > b.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* greater([1, 2], 1); // [false,true]
*/
const greater = operation("greater", operand, operand);
/**
* a ≥ b.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* greaterEqual([1, 2], 2); // [false,true]
*/
const greaterEqual = operation("greaterEqual", operand, operand);
/**
* Both. Numbers count as true unless zero, here and below.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* logicalAnd([true, true], [true, false]); // [true,false]
*/
const logicalAnd = operation("logicalAnd", operand, operand);
/**
* At least one.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* logicalOr([true, false], [false, false]); // [true,false]
*/
const logicalOr = operation("logicalOr", operand, operand);
/**
* Exactly one.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* logicalXor([true, true], [true, false]); // [false,true]
*/
const logicalXor = operation("logicalXor", operand, operand);
/**
* `a` where the condition holds, `b` elsewhere. All three broadcast; the condition is bool.
*
* Takes bool, and any dtypes; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* where([true, false], [1, 2], 0); // [1,0]
*/
const where = operation("where", tensor$1, operand, operand);
/**
* Whether |a − b| ≤ atol + rtol · |b| for each pair.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* isClose([1, 2], [1.000001, 2.1]); // [true,false]
*/
const isClose = operation("isClose", operand, operand, options({
	rtol: 1e-5,
	atol: 1e-8,
	equalNan: false
}));
/**
* Whether all pairs are close, as `isClose` tells: one bool.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* allClose([1, 2], [1, 2.1]); // false
*/
const allClose = operation("allClose", operand, operand, options({
	rtol: 1e-5,
	atol: 1e-8,
	equalNan: false
}));
/**
* Whether both have one shape and equal elements: one bool.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* arrayEqual([1, 2], [1, 2]); // true
* arrayEqual([1, NaN], [1, NaN], { equalNan: true }); // true
*/
const arrayEqual = operation("arrayEqual", tensor$1, tensor$1, options({ equalNan: false }));
// src/random/draws.ts
/**
* The key of a seed: a whole number of at most 64 bits, or an i32 or u32 of a tensor, which `vmap` and `jit` may have.
*
* @example
* random.key(42).shape; // [2]
* vmap(random.key)(arange(3)).shape; // [3,2]
*/
function key(seed) {
	noMore("random.key", arguments, 1);
	if (seed instanceof Tensor) {
		if (seed.ndim !== 0 || !["i32", "u32"].includes(seed.dtype)) throw new ValueError("random.key", `a seed is one whole number, got ${seed.form.text}`);
		return composed("random.key", () => stack([0, seed].map((half) => cast(half, "u32"))));
	}
	return Tensor.adopt(core().random_key(...halves("random.key", seed)));
}
/**
* `count` keys that are independent of each other and of `key`: a tensor [count, 2], which can be destructured into keys.
*
* @example
* const [weights, noise] = random.split(random.key(0));
* weights?.shape; // [2]
*/
function split$1(key, count = 2) {
	noMore("random.split", arguments, 2);
	const { handle } = Tensor.of("random.split", "the key", key);
	return Tensor.adopt(core().random_split(handle, countOf("random.split", "the count", count)));
}
/**
* A key for `number` among those that `key` leads to: for step numbers, layers, and such. In a loop the number may be the index, a 0-d integer
* tensor. Throws `ValueError` for a number that is not whole or does not fit u32, `DTypeError` and `ShapeError` for another tensor.
*
* @example
* random.foldIn(random.key(0), 7).shape; // [2]
* forLoop(0, 3, (i, sum) => sum.add(random.normal(random.foldIn(random.key(0), i))), tensor(0)).shape; // []
*/
function foldIn(key, number) {
	noMore("random.foldIn", arguments, 2);
	const { handle } = Tensor.of("random.foldIn", "the key", key);
	if (number instanceof Tensor) return Tensor.adopt(core().random_fold_in_tensor(handle, Tensor.of("random.foldIn", "the number", number).handle));
	if (!Number.isInteger(number) || number < 0 || number >= 2 ** 32) throw new ValueError("random.foldIn", `takes a whole number below 2^32, got ${shown(number)}`);
	return Tensor.adopt(core().random_fold_in(handle, number));
}
/**
* Restarts the stateful generator. Its first seed is 0: programs without a seed repeat too.
*
* Each draw takes the next key. Inside `jit` each call draws anew, inside a loop each iteration, and under `vmap` each member: the iteration's or
* member's number is folded into the key as `foldIn` does, the outermost first.
*
* @example
* random.seed(1);
* const first = random.uniform([2]);
* random.seed(1);
* random.uniform([2]).equal(first).all(); // true
*/
function seed(number) {
	noMore("random.seed", arguments, 1);
	core().random_seed(...halves("random.seed", number));
}
/**
* Where the stateful generator is: numbers to be saved, from which `restore` has it go on, so that a training that was interrupted draws what
* it would have drawn.
*
* @example
* const state = random.state();
* const first = random.uniform([2]);
* random.restore(state);
* random.uniform([2]).equal(first).all(); // true
*/
function state() {
	return Array.from(core().random_state());
}
/**
* Has the stateful generator go on from where `state` was called. Throws `ValueError` for what `state` cannot have given.
*
* @example
* random.restore(random.state());
* random.restore([1]); // throws ValueError
*/
function restore(state) {
	const op = "random.restore";
	noMore(op, arguments, 1);
	const words = listOf(op, "what state() gave", state);
	if (!(words.length === 4 && words.every((word) => typeof word === "number" && Number.isInteger(word) && word >= 0 && word < 2 ** 32))) throw new ValueError(op, `takes what state() gave, four whole numbers, got ${listText(words)}`);
	core().random_restore(...words);
}
function bits(...args) {
	const [source, shape] = parse("random.bits", args, 1);
	return Tensor.adopt(core().random_bits(source, shape));
}
function uniform(...args) {
	const [source, shape, options] = parse("random.uniform", args, 2);
	const { low, high } = optionsOf("random.uniform", options, {
		low: 0,
		high: 1
	});
	return Tensor.adopt(core().random_uniform(source, shape, low, high));
}
function normal(...args) {
	const [source, shape, options] = parse("random.normal", args, 2);
	const { mean, std } = optionsOf("random.normal", options, {
		mean: 0,
		std: 1
	});
	if (std < 0) throw new ValueError("random.normal", `the standard deviation must be 0 or more, got ${std}`);
	return Tensor.adopt(core().random_normal(source, shape, mean, std));
}
function randint(...args) {
	const op = "random.randint";
	const [source, shape, low, high, dtype] = parse(op, args, 4);
	if (low === void 0 || high === void 0) throw new ValueError(op, "takes a shape, the least number, and the number to stay below");
	finiteOf(op, "the least number", low);
	finiteOf(op, "the number to stay below", high);
	if (high - low > 2 ** 16) needRest(op);
	if (dtype === "u32" && low < 0) throw new ValueError(op, `a u32 is at least 0, and the least number is ${low}`);
	return Tensor.adopt(core().random_randint(source, shape, low, high, dtypeCode(dtype === void 0 ? "i32" : dtype, op)));
}
function bernoulli(...args) {
	const op = "random.bernoulli";
	const [source, shape, probability = .5] = parse(op, args, 2);
	if (typeof probability === "number") return Tensor.adopt(core().random_bernoulli(source, shape, finiteOf(op, "the probability", probability)));
	return composed(op, () => less(Tensor.adopt(core().random_uniform(source, shape, 0, 1)), broadcastTo(probability, Array.from(shape))));
}
/** The handle of the key (0 for the stateful generator), the shape, and what follows: `most` arguments besides the key. */
function parse(op, args, most) {
	const [first] = args;
	noMore(op, args, first instanceof Tensor ? most + 1 : most);
	const [source, shape, ...rest] = first instanceof Tensor ? [first.handle, ...args.slice(1)] : [0, ...args];
	return [
		source,
		extentsOf(op, shape === void 0 && source !== 0 ? [] : shape),
		...rest
	];
}
/** The high and low 32 bits of a seed. */
function halves(op, seed) {
	if (typeof seed === "bigint" && (seed >= 2n ** 64n || seed < -(2n ** 63n))) throw new ValueError(op, `a seed has at most 64 bits, got ${seed}`);
	if (typeof seed === "bigint") return [Number(BigInt.asUintN(32, seed >> 32n)), Number(BigInt.asUintN(32, seed))];
	if (!Number.isSafeInteger(seed)) throw new ValueError(op, `a seed is a whole number, got ${shown(seed)}`);
	return [Math.floor(seed / 2 ** 32) >>> 0, seed >>> 0];
}
// src/nn/dropout.ts
/**
* Each element becomes 0 with probability `rate`; the others are divided by 1 − rate. `key` makes the choice repeatable. Throws
* `ValueError` unless the rate lies in [0, 1).
*
* @example
* nn.dropout(ones([1000]), 0.2, random.key(1)).shape; // [1000]
*/
function dropout(x, rate, key) {
	noMore("dropout", arguments, 3);
	Tensor.of("dropout", "what it acts on", x);
	rateOf("dropout", rate);
	if (key !== void 0) Tensor.of("dropout", "the key", key);
	if (rate === 0) return x;
	return inScope(() => {
		const stays = key ? bernoulli(key, x.shape, 1 - rate) : bernoulli(x.shape, 1 - rate);
		return where(stays, mul(x, 1 / (1 - rate)), 0);
	}, (result) => [result]);
}
/** The probability with which elements are dropped. Throws `ValueError` unless it lies in [0, 1). */
function rateOf(op, rate) {
	if (typeof rate === "number" && rate >= 0 && rate < 1) return rate;
	throw new ValueError(op, `the rate must lie in [0, 1), got ${shown(rate)}`);
}
// src/nn/initial.ts
var initial_exports = /* @__PURE__ */ __exportAll({
	kaimingNormal: () => kaimingNormal,
	kaimingUniform: () => kaimingUniform,
	uniformWithin: () => uniformWithin,
	xavierNormal: () => xavierNormal,
	xavierUniform: () => xavierUniform
});
/**
* Uniform within ±`bound`.
*
* @example
* nn.initial.uniformWithin([100], 0.1).abs().lessEqual(0.1).all(); // true
*/
function uniformWithin(shape, bound) {
	noMore("uniformWithin", arguments, 2);
	finiteOf("uniformWithin", "the bound", bound);
	return uniform(shapeOf$1("uniformWithin", shape), {
		low: -bound,
		high: bound
	});
}
/**
* PyTorch's default for dense layers: uniform within ±1/√(inputs). The inputs are the last axis.
*
* @example
* nn.initial.kaimingUniform([8, 4]).shape; // [8,4]
*/
function kaimingUniform(shape) {
	noMore("kaimingUniform", arguments, 1);
	const { inputs } = fan("kaimingUniform", shape);
	return uniformWithin(shape, 1 / Math.sqrt(inputs));
}
/**
* He initialisation for ReLU networks: normal with deviation √(2/inputs).
*
* @example
* nn.initial.kaimingNormal([8, 4]).shape; // [8,4]
*/
function kaimingNormal(shape) {
	noMore("kaimingNormal", arguments, 1);
	const { inputs } = fan("kaimingNormal", shape);
	return normal(shape, { std: Math.sqrt(2 / inputs) });
}
/**
* Glorot initialisation: uniform within ±√(6/(inputs + outputs)).
*
* @example
* nn.initial.xavierUniform([8, 4]).shape; // [8,4]
*/
function xavierUniform(shape) {
	noMore("xavierUniform", arguments, 1);
	const { inputs, outputs } = fan("xavierUniform", shape);
	return uniformWithin(shape, Math.sqrt(6 / (inputs + outputs)));
}
/**
* Glorot initialisation: normal with deviation √(2/(inputs + outputs)).
*
* @example
* nn.initial.xavierNormal([8, 4]).shape; // [8,4]
*/
function xavierNormal(shape) {
	noMore("xavierNormal", arguments, 1);
	const { inputs, outputs } = fan("xavierNormal", shape);
	return normal(shape, { std: Math.sqrt(2 / (inputs + outputs)) });
}
/** How many numbers go into each output, and how many outputs there are. An empty tensor has numbers for neither; any bound will do. */
function fan(op, shape) {
	const [outputs = 1, ...rest] = shapeOf$1(op, shape);
	return {
		inputs: Math.max(1, rest.reduce((size, extent) => size * extent, 1)),
		outputs
	};
}
// src/nn/layers.ts
/**
* x·Wᵀ + b over the last axis: [..., inputs] to [..., outputs]. `weight` is [outputs, inputs], `bias` [outputs].
*
* @example
* new nn.Linear(3, 2).forward(ones([5, 3])).shape; // [5,2]
*/
var Linear = class extends Module {
	inputs;
	outputs;
	weight;
	bias;
	constructor(inputs, outputs, options = {}) {
		noMore("Linear", arguments, 3);
		super();
		const { bias } = optionsOf("Linear", options, { bias: true });
		this.inputs = countOf("Linear", "the number of inputs", inputs, 1);
		this.outputs = countOf("Linear", "the number of outputs", outputs, 1);
		this.weight = begun(() => kaimingUniform([outputs, inputs]));
		this.bias = bias ? begun(() => uniformWithin([outputs], 1 / Math.sqrt(inputs))) : null;
	}
	forward(x) {
		noMore("Linear", arguments, 1);
		return composed("Linear", () => roundedOnce([
			x,
			this.weight,
			this.bias
		], (x, weight, bias) => {
			const product = matmul(x, transpose(weight));
			return bias ? add(product, bias) : product;
		}));
	}
};
/**
* All axes but the first in one.
*
* @example
* new nn.Flatten().forward(ones([2, 3, 4])).shape; // [2,12]
*/
var Flatten = class extends Module {
	forward(x) {
		noMore("Flatten", arguments, 1);
		const [first = 1, ...rest] = Tensor.of("Flatten", "what it acts on", x).shape;
		return reshape(x, [first, rest.reduce((size, extent) => size * extent, 1)]);
	}
};
/**
* In training, each element becomes 0 with probability `rate`, and the others grow to make up for it.
*
* @example
* new nn.Dropout(0.5).eval().forward(ones([2])); // [1,1]
*/
var Dropout = class extends Module {
	rate;
	constructor(rate = .5) {
		noMore("Dropout", arguments, 1);
		super();
		this.rate = rateOf("Dropout", rate);
	}
	forward(x) {
		noMore("Dropout", arguments, 1);
		Tensor.of("Dropout", "what it acts on", x);
		return this.training ? dropout(x, this.rate) : x;
	}
};
/**
* Modules one after the other. Plain functions may stand among them.
*
* @example
* new nn.Sequential(new nn.Linear(2, 8), new nn.Tanh(), (x) => x.mul(2)).forward(ones([3, 2])).shape; // [3,8]
*/
var Sequential = class extends Module {
	layers;
	constructor(...layers) {
		super();
		const isModule = (layer) => holds(() => layer instanceof Module);
		const fits = (layer) => typeof layer === "function" ? !isClass(layer) : isModule(layer) && "forward" in layer;
		const wrong = layers.findIndex((layer) => !fits(layer));
		if (wrong >= 0) {
			const described = isArray$1(layers[wrong]) ? "an array: layers are arguments, new nn.Sequential(a, b)" : `${shown(layers[wrong])}${isModule(layers[wrong]) ? ", which has no forward" : ""}`;
			throw new ValueError("Sequential", `layer ${wrong} must be a module or a function, got ${isClass(layers[wrong]) ? "a class: make one with new" : described}`);
		}
		this.layers = layers;
	}
	forward(x) {
		noMore("Sequential", arguments, 1);
		return this.layers.reduce((value, layer) => typeof layer === "function" ? layer(value) : layer.forward(value), x);
	}
};
// src/ops/generated/activation.ts
/**
* 1/(1+e⁻ˣ).
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* sigmoid([0, 2]); // [0.5,0.8808]
*/
const sigmoid = operation("sigmoid", tensor$1);
/**
* max(x, 0).
*
* Takes f32, i32, u32; gives the same. Differentiable; `vmap` batches it.
*
* @example
* relu([-1, 2]); // [0,2]
*/
const relu = operation("relu", tensor$1);
/**
* Gaussian error linear unit: x·Φ(x).
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* gelu([-1, 0, 1]); // [-0.15866,0,0.84134]
*/
const gelu = operation("gelu", tensor$1);
/**
* `gelu` by a hyperbolic tangent, within 5e-4 of it: as GPT-2 has it, and `jax.nn.gelu` unless
* told.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* geluTanh([-1, 0, 1]); // [-0.15881,0,0.84119]
*/
const geluTanh = operation("geluTanh", tensor$1);
/**
* x · sigmoid(x).
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* silu([0, 1]); // [0,0.73106]
*/
const silu = operation("silu", tensor$1);
/**
* log(1 + eˣ), without overflow.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* softplus([0, 100]); // [0.69315,100]
*/
const softplus = operation("softplus", tensor$1);
/**
* log(sigmoid(x)), without overflow.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* logSigmoid([0, -100]); // [-0.69315,-100]
*/
const logSigmoid = operation("logSigmoid", tensor$1);
/**
* x above 0, alpha · (eˣ − 1) below.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* elu([-1, 2]); // [-0.63212,2]
*/
const elu = operation("elu", tensor$1, or(number("the alpha"), 1));
/**
* `elu` scaled so that means of 0 and variances of 1 stay.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* selu([-1, 2]); // [-1.1113,2.1014]
*/
const selu = operation("selu", tensor$1);
/**
* x above 0, alpha · (e^(x/alpha) − 1) below.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* celu([-1, 2]); // [-0.63212,2]
*/
const celu = operation("celu", tensor$1, or(number("the alpha"), 1));
/**
* x above 0, slope · x below.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* leakyRelu([-1, 2]); // [-0.01,2]
*/
const leakyRelu = operation("leakyRelu", tensor$1, or(number("the slope"), .01));
/**
* x within 0 and 6.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* relu6([-1, 2, 9]); // [0,2,6]
*/
const relu6 = operation("relu6", tensor$1);
/**
* (x + 3)/6 within 0 and 1.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* hardSigmoid([-4, 0, 4]); // [0,0.5,1]
*/
const hardSigmoid = operation("hardSigmoid", tensor$1);
/**
* x · hardSigmoid(x).
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* hardSilu([-4, 1, 4]); // [0,0.66667,4]
*/
const hardSilu = operation("hardSilu", tensor$1);
/**
* x within −1 and 1.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* hardTanh([-4, 0.5, 4]); // [-1,0.5,1]
*/
const hardTanh = operation("hardTanh", tensor$1);
/**
* x · tanh(softplus(x)).
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* mish([0, 1]); // [0,0.8651]
*/
const mish = operation("mish", tensor$1);
/**
* x / (1 + |x|).
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* softSign([-1, 3]); // [-0.5,0.75]
*/
const softSign = operation("softSign", tensor$1);
/**
* (x + √(x² + b))/2.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* squareplus([0, 1]); // [1,1.618]
*/
const squareplus = operation("squareplus", tensor$1, or(number("the b"), 4));
/**
* The first half of an axis times the sigmoid of the second. Throws `ShapeError` where it has
* no halves.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* glu([2, 0]); // [1]
*/
const glu = operation("glu", tensor$1, or(axis, -1));
/**
* eˣ / Σ eˣ along the last axis or given ones, without overflow, in f32. One kernel.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* softmax([1, 1]); // [0.5,0.5]
*/
const softmax = operation("softmax", tensor$1, or(axes, -1));
/**
* log(softmax(x)) along the last axis or given ones.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* logSoftmax([1, 1]); // [-0.69315,-0.69315]
*/
const logSoftmax = operation("logSoftmax", tensor$1, or(axes, -1));
/**
* Shifted and scaled along the last axis or given ones to mean 0 and variance 1.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* standardize([10, 30]); // [-1,1]
*/
const standardize = operation("standardize", tensor$1, or(axes, -1), or(number("the epsilon"), 1e-5));
// src/nn/activations.ts
/**
* max(x, 0).
*
* @example
* new nn.ReLU().forward(tensor([-1, 2])); // [0,2]
*/
var ReLU = class extends Module {
	forward(x) {
		noMore("ReLU", arguments, 1);
		return relu(x);
	}
};
/**
* x·Φ(x).
*
* @example
* new nn.GELU().forward(tensor([0, 1])); // [0,0.84134]
*/
var GELU = class extends Module {
	forward(x) {
		noMore("GELU", arguments, 1);
		return gelu(x);
	}
};
/**
* Hyperbolic tangent.
*
* @example
* new nn.Tanh().forward(tensor([0, 1])); // [0,0.76159]
*/
var Tanh = class extends Module {
	forward(x) {
		noMore("Tanh", arguments, 1);
		return tanh(x);
	}
};
/**
* 1/(1+e⁻ˣ).
*
* @example
* new nn.Sigmoid().forward(tensor([0])); // [0.5]
*/
var Sigmoid = class extends Module {
	forward(x) {
		noMore("Sigmoid", arguments, 1);
		return sigmoid(x);
	}
};
/**
* softmax along an axis.
*
* @example
* new nn.Softmax().forward(tensor([1, 1])); // [0.5,0.5]
*/
var Softmax = class extends Module {
	axis;
	constructor(axis = -1) {
		noMore("Softmax", arguments, 1);
		super();
		this.axis = axisOf("Softmax", axis);
	}
	forward(x) {
		noMore("Softmax", arguments, 1);
		return softmax(x, this.axis);
	}
};
/**
* log softmax along an axis.
*
* @example
* new nn.LogSoftmax().forward(tensor([1, 1])); // [-0.69315,-0.69315]
*/
var LogSoftmax = class extends Module {
	axis;
	constructor(axis = -1) {
		noMore("LogSoftmax", arguments, 1);
		super();
		this.axis = axisOf("LogSoftmax", axis);
	}
	forward(x) {
		noMore("LogSoftmax", arguments, 1);
		return logSoftmax(x, this.axis);
	}
};
/**
* x · sigmoid(x).
*
* @example
* new nn.SiLU().forward(tensor([0, 1])); // [0,0.73106]
*/
var SiLU = class extends Module {
	forward(x) {
		noMore("SiLU", arguments, 1);
		return silu(x);
	}
};
/**
* x · tanh(softplus(x)).
*
* @example
* new nn.Mish().forward(tensor([0, 1])); // [0,0.8651]
*/
var Mish = class extends Module {
	forward(x) {
		noMore("Mish", arguments, 1);
		return mish(x);
	}
};
/**
* ELU scaled so that means of 0 and variances of 1 stay.
*
* @example
* new nn.SELU().forward(tensor([0, 1])); // [0,1.0507]
*/
var SELU = class extends Module {
	forward(x) {
		noMore("SELU", arguments, 1);
		return selu(x);
	}
};
/**
* x within 0 and 6.
*
* @example
* new nn.ReLU6().forward(tensor([-1, 7])); // [0,6]
*/
var ReLU6 = class extends Module {
	forward(x) {
		noMore("ReLU6", arguments, 1);
		return relu6(x);
	}
};
/**
* (x + 3)/6 within 0 and 1.
*
* @example
* new nn.HardSigmoid().forward(tensor([0, 9])); // [0.5,1]
*/
var HardSigmoid = class extends Module {
	forward(x) {
		noMore("HardSigmoid", arguments, 1);
		return hardSigmoid(x);
	}
};
/**
* x · hardSigmoid(x).
*
* @example
* new nn.HardSiLU().forward(tensor([0, 9])); // [0,9]
*/
var HardSiLU = class extends Module {
	forward(x) {
		noMore("HardSiLU", arguments, 1);
		return hardSilu(x);
	}
};
/**
* x within −1 and 1.
*
* @example
* new nn.HardTanh().forward(tensor([-2, 0.5])); // [-1,0.5]
*/
var HardTanh = class extends Module {
	forward(x) {
		noMore("HardTanh", arguments, 1);
		return hardTanh(x);
	}
};
/**
* x / (1 + |x|).
*
* @example
* new nn.SoftSign().forward(tensor([0, 1])); // [0,0.5]
*/
var SoftSign = class extends Module {
	forward(x) {
		noMore("SoftSign", arguments, 1);
		return softSign(x);
	}
};
/**
* log(sigmoid(x)), without overflow.
*
* @example
* new nn.LogSigmoid().forward(tensor([0])); // [-0.69315]
*/
var LogSigmoid = class extends Module {
	forward(x) {
		noMore("LogSigmoid", arguments, 1);
		return logSigmoid(x);
	}
};
/**
* log(1 + eˣ), without overflow.
*
* @example
* new nn.Softplus().forward(tensor([0, 100])); // [0.69315,100]
*/
var Softplus = class extends Module {
	forward(x) {
		noMore("Softplus", arguments, 1);
		return softplus(x);
	}
};
/**
* x above 0, alpha · (eˣ − 1) below.
*
* @example
* new nn.ELU().forward(tensor([0, 1])); // [0,1]
*/
var ELU = class extends Module {
	alpha;
	constructor(alpha = 1) {
		noMore("ELU", arguments, 1);
		super();
		this.alpha = finiteOf("ELU", "alpha", alpha);
	}
	forward(x) {
		noMore("ELU", arguments, 1);
		return elu(x, this.alpha);
	}
};
/**
* x above 0, alpha · (e^(x/alpha) − 1) below. Throws `ValueError` where alpha is 0.
*
* @example
* new nn.CELU().forward(tensor([0, 1])); // [0,1]
*/
var CELU = class extends Module {
	alpha;
	constructor(alpha = 1) {
		noMore("CELU", arguments, 1);
		super();
		this.alpha = finiteOf("CELU", "alpha", alpha);
	}
	forward(x) {
		noMore("CELU", arguments, 1);
		return celu(x, this.alpha);
	}
};
/**
* x above 0, slope · x below.
*
* @example
* new nn.LeakyReLU().forward(tensor([-1, 2])); // [-0.01,2]
*/
var LeakyReLU = class extends Module {
	slope;
	constructor(slope = .01) {
		noMore("LeakyReLU", arguments, 1);
		super();
		this.slope = finiteOf("LeakyReLU", "the slope", slope);
	}
	forward(x) {
		noMore("LeakyReLU", arguments, 1);
		return leakyRelu(x, this.slope);
	}
};
/**
* The first half of an axis times the sigmoid of the second.
*
* @example
* new nn.GLU().forward(tensor([2, 0])); // [1]
*/
var GLU = class extends Module {
	axis;
	constructor(axis = -1) {
		noMore("GLU", arguments, 1);
		super();
		this.axis = axisOf("GLU", axis);
	}
	forward(x) {
		noMore("GLU", arguments, 1);
		return glu(x, this.axis);
	}
};
/**
* x above 0, weight · x below, with a weight that is learned: one, or one for each channel, which is axis 1.
*
* @example
* new nn.PReLU().forward(tensor([-4, 2])); // [-1,2]
*/
var PReLU = class extends Module {
	weight;
	constructor(channels = 1, initial = .25) {
		noMore("PReLU", arguments, 2);
		super();
		const count = countOf("PReLU", "the number of channels", channels, 1);
		this.weight = begun(() => full([count], finiteOf("PReLU", "the initial weight", initial)));
	}
	forward(x) {
		noMore("PReLU", arguments, 1);
		const rank = Tensor.of("PReLU", "what it acts on", x).shape.length;
		return inScope(() => where(less(x, 0), mul(x, rank > 1 && this.weight.size > 1 ? reshape(this.weight, [-1, ...Array(rank - 2).fill(1)]) : this.weight), x), (result) => [result]);
	}
};
/**
* x itself.
*
* @example
* new nn.Identity().forward(tensor([1, 2])); // [1,2]
*/
var Identity = class extends Module {
	forward(x) {
		noMore("Identity", arguments, 1);
		Tensor.of("Identity", "what it acts on", x).handle;
		return x;
	}
};
// src/ops/generated/reduce.ts
/**
* Sum; bools count as 0 and 1. With a `dtype` elements are cast to it first.
*
* Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
*
* @example
* sum([[1, 2], [3, 4]]); // 10
* sum([[1, 2], [3, 4]], 0); // [4,6]
* sum([1, 2, 3], null, { where: [1, 0, 1], initial: 10 }); // 14
* sum(tensor([200, 100], { dtype: "f16" }), null, { dtype: "f32" }); // 300
*/
const sum = operation("sum", tensor$1, axes, totalled);
/**
* Product.
*
* Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
*
* @example
* prod([2, 3, 4]); // 24
*/
const prod = operation("prod", tensor$1, axes, totalled);
/**
* Mean, in f32.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* mean([[1, 2], [3, 6]], 1); // [1.5,4.5]
*/
const mean = operation("mean", tensor$1, axes, averaged$2);
/**
* The largest; NaN if any is. Throws `ShapeError` over nothing, unless it has something to
* begin with.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* max([[1, 5], [3, 2]], -1); // [5,3]
*/
const max = operation("max", tensor$1, axes, fold);
/**
* The smallest; NaN if any is. Throws `ShapeError` over nothing, unless it has something to
* begin with.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* min([4, 2, 8]); // 2
*/
const min = operation("min", tensor$1, axes, fold);
/**
* The position of the largest, the first among equals, as i32.
*
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* argmax([[1, 5], [3, 2]], 1); // [1,0]
*/
const argmax = operation("argmax", tensor$1, position, options({ keepdims: false }));
/**
* The position of the smallest, the first among equals, as i32.
*
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* argmin([4, 2, 8]); // 1
*/
const argmin = operation("argmin", tensor$1, position, options({ keepdims: false }));
/**
* Whether any element is true, or not zero.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* any([false, true]); // true
*/
const any = operation("any", tensor$1, axes, part$1);
/**
* Whether all elements are true, or not zero.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* all([false, true]); // false
*/
const all = operation("all", tensor$1, axes, part$1);
/**
* log Σ eˣ, without overflow.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* logSumExp([1000, 1000]); // 1000.7
*/
const logSumExp = operation("logSumExp", tensor$1, axes, part$1);
/**
* Variance, in f32.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* variance([1, 2, 3]); // 0.66667
*/
const variance = operation("variance", tensor$1, axes, spread$1);
/**
* Standard deviation, in f32.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* std([[1, 3], [2, 6]], 1); // [1,2]
*/
const std = operation("std", tensor$1, axes, spread$1);
/**
* (Σ |x|ᵖ)^(1/p): of order 2 the length, of `Infinity` the largest magnitude, of 0 how many
* are not zero.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* norm([3, 4]); // 5
* norm([3, -4], Infinity); // 4
*/
const norm = operation("norm", tensor$1, or(number("the order"), 2), axes, options({ keepdims: false }));
/**
* The largest less the smallest. Throws `ShapeError` over nothing.
*
* Takes any dtype; gives the dtype of x, i32 of bool. Differentiable; `vmap` batches it.
*
* @example
* ptp([4, 2, 8]); // 6
*/
const ptp = operation("ptp", tensor$1, axes, options({ keepdims: false }));
/**
* How many elements are not zero, as i32.
*
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* countNonzero([0, 3, 1]); // 2
*/
const countNonzero = operation("countNonzero", tensor$1, axes, options({ keepdims: false }));
/**
* log of the mean of eˣ, without overflow.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* logMeanExp([1000, 1000]); // 1000
*/
const logMeanExp = operation("logMeanExp", tensor$1, axes, options({ keepdims: false }));
/**
* The exclusive or of all elements: of bools whether an odd number of them holds.
*
* Takes bool, i32, u32; gives the same. Without a gradient; `vmap` batches it.
*
* @example
* reduceXor(tensor([5, 3, 1], { dtype: "i32" })); // 7
*/
const reduceXor = operation("reduceXor", tensor$1, axes, options({ keepdims: false }));
/**
* Sum of what is not NaN.
*
* Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
*
* @example
* nansum([1, NaN, 2]); // 3
*/
const nansum = operation("nansum", tensor$1, axes, totalled);
/**
* Product of what is not NaN.
*
* Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
*
* @example
* nanprod([2, NaN, 3]); // 6
*/
const nanprod = operation("nanprod", tensor$1, axes, totalled);
/**
* Mean of what is not NaN; NaN where nothing is.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nanmean([1, NaN, 3]); // 2
*/
const nanmean = operation("nanmean", tensor$1, axes, averaged$2);
/**
* The largest of what is not NaN; NaN where nothing is. Throws `ShapeError` over nothing.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* nanmax([1, NaN, 3]); // 3
*/
const nanmax = operation("nanmax", tensor$1, axes, fold);
/**
* The smallest of what is not NaN; NaN where nothing is. Throws `ShapeError` over nothing.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* nanmin([1, NaN, 3]); // 1
*/
const nanmin = operation("nanmin", tensor$1, axes, fold);
/**
* Variance of what is not NaN.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nanvar([1, NaN, 3]); // 1
*/
const nanvar = operation("nanvar", tensor$1, axes, spread$1);
/**
* Standard deviation of what is not NaN.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nanstd([1, NaN, 5]); // 2
*/
const nanstd = operation("nanstd", tensor$1, axes, spread$1);
/**
* The position of the largest of what is not NaN, the first among equals, as i32.
*
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* nanargmax([1, NaN, 3]); // 2
*/
const nanargmax = operation("nanargmax", tensor$1, position, options({ keepdims: false }));
/**
* The position of the smallest of what is not NaN, the first among equals, as i32.
*
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* nanargmin([1, NaN, 3]); // 0
*/
const nanargmin = operation("nanargmin", tensor$1, position, options({ keepdims: false }));
// src/nn/normalized.ts
const PLAIN$1 = {
	weight: null,
	bias: null
};
/** The axes that the last `count` are. */
const last = (count) => Array.from({ length: count }, (_, n) => n - count);
/** The shape of what is normalised: one extent or several. */
function extents(op, shape) {
	return isArray$1(shape) ? shapeOf$1(op, shape) : [countOf(op, "the extent", shape)];
}
/** A number of 0 or more, which keeps roots from 0. */
function epsilon(op, eps) {
	const value = finiteOf(op, "eps", eps);
	if (value >= 0) return value;
	throw new ValueError(op, `eps must be 0 or more, got ${value}`);
}
/** The channels of `x`, axis 1. */
function channelsOf(op, x) {
	const channels = x.shape[1];
	if (channels !== void 0) return channels;
	throw new ShapeError(op, `takes [batch, channels, …], got [${x.shape.join(",")}]`);
}
/** Calls with the input, the weight, the bias and others as tensors of floats; `shape` is what those must have. Rounds once what is made of halves. */
function normalized(op, x, others, shape, made) {
	return inScope(() => {
		const given = lifted$1(op, x);
		const wanted = shape(given);
		return roundedOnce([given, ...Object.entries(others).map(([name, other]) => {
			if (other === null) return null;
			const part = lifted$1(op, other);
			if (part.shape.join() !== wanted.join()) throw new ShapeError(op, `${name} must be [${wanted.join(",")}], got [${part.shape.join(",")}]`);
			return part;
		})], made);
	}, (result) => [result]);
}
/** `x` times a weight and plus a bias, where there are some, which are reshaped if a shape is given. */
function scaled(x, weight, bias, shape) {
	const placed = (tensor) => shape ? reshape(tensor, shape) : tensor;
	const times = weight ? mul(x, placed(weight)) : x;
	return bias ? add(times, placed(bias)) : times;
}
/** The shape that weights of a norm have, which the last axes of its input must be. */
const lastAxes = (op, shape) => (x) => {
	if (x.shape.slice(x.shape.length - shape.length).join() === shape.join() && x.shape.length >= shape.length) return shape;
	throw new ShapeError(op, `the last axes must be [${shape.join(",")}], got [${x.shape.join(",")}]`);
};
/**
* The last axes shifted and scaled to mean 0 and variance 1, then times a weight and plus a bias, both of the shape of these axes. `shape` says which axes:
* their extents. Throws `ShapeError`.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.layerNorm([[10, 30], [300, 100]], 2); // [[-1,1],[1,-1]]
*/
function layerNorm(x, shape, options = {}) {
	const op = "layerNorm";
	noMore(op, arguments, 3);
	const { weight, bias, eps } = optionsOf(op, options, {
		...PLAIN$1,
		eps: 1e-5
	});
	const [along, least] = [extents(op, shape), epsilon(op, eps)];
	return normalized(op, x, {
		weight,
		bias
	}, lastAxes(op, along), (x, weight, bias) => scaled(standardize(x, last(along.length), least), weight, bias));
}
/**
* The last axes divided by the root of the mean of their squares, then times a weight of the shape of these axes. Throws `ShapeError`.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.rmsNorm([3, -3], 2); // [1,-1]
*/
function rmsNorm(x, shape, options = {}) {
	const op = "rmsNorm";
	noMore(op, arguments, 3);
	const { weight, eps } = optionsOf(op, options, {
		weight: null,
		eps: 2 ** -23
	});
	const [along, least] = [extents(op, shape), epsilon(op, eps)];
	return normalized(op, x, { weight }, lastAxes(op, along), (x, weight) => scaled(mul(x, rsqrt(add(mean(square(x), last(along.length), { keepdims: true }), least))), weight, null));
}
/**
* Channels (axis 1) in groups, each group of each example shifted and scaled to mean 0 and variance 1, then times a weight and plus a bias for each channel.
* Throws `ShapeError`, and `ValueError` where the groups do not divide the channels.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.groupNorm([[10, 30, 300, 100]], 2); // [[-1,1,1,-1]]
*/
function groupNorm(x, groups, options = {}) {
	const op = "groupNorm";
	noMore(op, arguments, 3);
	const { weight, bias, eps } = optionsOf(op, options, {
		...PLAIN$1,
		eps: 1e-5
	});
	const [count, least] = [countOf(op, "the number of groups", groups, 1), epsilon(op, eps)];
	const shape = (x) => {
		const channels = channelsOf(op, x);
		if (channels % count !== 0) throw new ValueError(op, `${count} groups do not divide ${channels} channels`);
		return [channels];
	};
	return normalized(op, x, {
		weight,
		bias
	}, shape, (x, weight, bias) => {
		const [batch, channels, ...rest] = x.shape;
		const grouped = reshape(x, [
			batch,
			count,
			channels / count,
			...rest
		]);
		return scaled(reshape(standardize(grouped, last(rest.length + 1), least), x.shape), weight, bias, [channels, ...rest.map(() => 1)]);
	});
}
/**
* Each channel (axis 1) shifted and scaled by its mean and variance, then times a weight and plus a bias for each: by those of the batch, or by those that are
* given, as after training. [N, channels, …], any number of further axes. Throws `ShapeError`.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.batchNorm([[10, 100], [30, 300]]); // [[-1,-1],[1,1]]
* nn.batchNorm([[2, 20]], { runningMean: [2, 20], runningVar: [1, 1] }); // [[0,0]]
*/
function batchNorm(x, options = {}) {
	const op = "batchNorm";
	noMore(op, arguments, 2);
	const { eps, ...given } = optionsOf(op, options, {
		runningMean: null,
		runningVar: null,
		...PLAIN$1,
		eps: 1e-5
	});
	const least = epsilon(op, eps);
	if (given.runningMean === null !== (given.runningVar === null)) throw new ValueError(op, "takes the running mean and the running variance together, or neither");
	return normalized(op, x, given, (x) => [channelsOf(op, x)], (x, mean, variance, weight, bias) => {
		const column = [x.shape[1], ...x.shape.slice(2).map(() => 1)];
		const along = x.shape.map((_, axis) => axis).filter((axis) => axis !== 1);
		return scaled(mean && variance ? div(sub(x, reshape(mean, column)), sqrt(add(reshape(variance, column), least))) : standardize(x, along, least), weight, bias, column);
	});
}
// src/nn/norms.ts
/** Checks that axis 1 of `x` has `channels`. */
function checkChannels(op, x, channels) {
	const { shape } = Tensor.of(op, "what it acts on", x);
	if (shape.length >= 2 && shape[1] === channels) return shape;
	throw new ShapeError(op, `axis 1 must have ${channels} channels, got [${shape.join(",")}]`);
}
/** What a layer calls its function for: errors are the layer's own. */
function layer(op, x, call) {
	return composed(op, () => call(Tensor.of(op, "what it acts on", x)));
}
/**
* The last axes shifted and scaled to mean 0 and variance 1, then times `weight` and plus `bias`. `shape` says which axes: their extents.
*
* @example
* new nn.LayerNorm(2).forward(tensor([[10, 30], [300, 100]])); // [[-1,1],[1,-1]]
*/
var LayerNorm = class extends Module {
	shape;
	eps;
	weight;
	bias;
	constructor(shape, options = {}) {
		noMore("LayerNorm", arguments, 2);
		super();
		const { eps, affine, bias } = optionsOf("LayerNorm", options, {
			eps: 1e-5,
			affine: true,
			bias: true
		});
		this.shape = extents("LayerNorm", shape);
		this.eps = epsilon("LayerNorm", eps);
		this.weight = affine ? begun(() => ones(this.shape)) : null;
		this.bias = affine && bias ? begun(() => zeros(this.shape)) : null;
	}
	forward(x) {
		noMore("LayerNorm", arguments, 1);
		return layer("LayerNorm", x, (x) => layerNorm(x, this.shape, {
			weight: this.weight,
			bias: this.bias,
			eps: this.eps
		}));
	}
};
/**
* The last axes divided by the root of the mean of their squares, then times `weight`.
*
* @example
* new nn.RMSNorm(2).forward(tensor([3, -3])); // [1,-1]
*/
var RMSNorm = class extends Module {
	shape;
	eps;
	weight;
	constructor(shape, options = {}) {
		noMore("RMSNorm", arguments, 2);
		super();
		const { eps, affine } = optionsOf("RMSNorm", options, {
			eps: 2 ** -23,
			affine: true
		});
		this.shape = extents("RMSNorm", shape);
		this.eps = epsilon("RMSNorm", eps);
		this.weight = affine ? begun(() => ones(this.shape)) : null;
	}
	forward(x) {
		noMore("RMSNorm", arguments, 1);
		return layer("RMSNorm", x, (x) => rmsNorm(x, this.shape, {
			weight: this.weight,
			eps: this.eps
		}));
	}
};
/**
* Channels (axis 1) in groups, each group of each example shifted and scaled to mean 0 and variance 1, then times a weight and plus a bias
* for each channel. Throws `ValueError` where the groups do not divide the channels.
*
* @example
* new nn.GroupNorm(2, 4).forward(ones([3, 4, 5])).shape; // [3,4,5]
*/
var GroupNorm = class extends Module {
	groups;
	channels;
	eps;
	weight;
	bias;
	constructor(groups, channels, options = {}) {
		noMore("GroupNorm", arguments, 3);
		super();
		const { eps, affine, bias } = optionsOf("GroupNorm", options, {
			eps: 1e-5,
			affine: true,
			bias: true
		});
		this.groups = countOf("GroupNorm", "the number of groups", groups, 1);
		this.channels = countOf("GroupNorm", "the number of channels", channels, 1);
		if (this.channels % this.groups !== 0) throw new ValueError("GroupNorm", `${this.groups} groups do not divide ${this.channels} channels`);
		this.eps = epsilon("GroupNorm", eps);
		this.weight = affine ? begun(() => ones([this.channels])) : null;
		this.bias = affine && bias ? begun(() => zeros([this.channels])) : null;
	}
	forward(x) {
		noMore("GroupNorm", arguments, 1);
		checkChannels("GroupNorm", x, this.channels);
		return layer("GroupNorm", x, (x) => groupNorm(x, this.groups, {
			weight: this.weight,
			bias: this.bias,
			eps: this.eps
		}));
	}
};
/**
* Each channel (axis 1) shifted and scaled to mean 0 and variance 1, then times a weight and plus a bias for each. In training by the batch's own mean
* and variance, which go into the running ones; after `eval()` by those. [N, channels, ...], any number of further axes.
*
* @example
* const norm = new nn.BatchNorm(2);
* norm.forward(tensor([[10, 100], [30, 300]])); // [[-1,-1],[1,1]]
* norm.runningMean.add(0); // [2,20]
* norm.eval().forward(tensor([[2, 20]])); // [[0,0]]
*/
var BatchNorm = class extends Module {
	channels;
	eps;
	momentum;
	weight;
	bias;
	runningMean;
	runningVar;
	constructor(channels, options = {}) {
		noMore("BatchNorm", arguments, 2);
		super();
		const { eps, affine, bias, momentum } = optionsOf("BatchNorm", options, {
			eps: 1e-5,
			affine: true,
			bias: true,
			momentum: .1
		});
		this.channels = countOf("BatchNorm", "the number of channels", channels, 1);
		this.eps = epsilon("BatchNorm", eps);
		this.momentum = finiteOf("BatchNorm", "the momentum", momentum);
		this.weight = affine ? begun(() => ones([this.channels])) : null;
		this.bias = affine && bias ? begun(() => zeros([this.channels])) : null;
		this.runningMean = begun(() => zeros([this.channels]), Buffer$1);
		this.runningVar = begun(() => ones([this.channels]), Buffer$1);
	}
	forward(x) {
		noMore("BatchNorm", arguments, 1);
		const shape = checkChannels("BatchNorm", x, this.channels);
		const along = shape.map((_, axis) => axis).filter((axis) => axis !== 1);
		return layer("BatchNorm", x, (x) => {
			if (this.training) learn(this, x, along, shape);
			const { weight, bias, eps, runningMean, runningVar } = this;
			return batchNorm(x, {
				weight,
				bias,
				eps,
				...this.training ? {} : {
					runningMean,
					runningVar
				}
			});
		});
	}
};
/** What the batch shows goes into the running mean and variance; of one element there is no variance. */
function learn({ runningMean, runningVar, momentum }, x, along, shape) {
	if (along.reduce((size, axis) => size * shape[axis], 1) < 2 || !(runningMean instanceof Buffer$1)) return;
	const still = widened(detach(x));
	const towards = (running, shown) => running.assign(cast(add(mul(widened(running), 1 - momentum), mul(shown, momentum)), running.dtype));
	towards(runningMean, mean(still, along));
	towards(runningVar, variance(still, along, { correction: 1 }));
}
/**
* Each channel (axis 1) of each example shifted and scaled to mean 0 and variance 1 over the axes behind it; with `affine` then times a
* weight and plus a bias for each channel.
*
* @example
* new nn.InstanceNorm(1).forward(tensor([[[10, 30]]])); // [[[-1,1]]]
*/
var InstanceNorm = class extends GroupNorm {
	constructor(channels, options = {}) {
		noMore("InstanceNorm", arguments, 2);
		const given = optionsOf("InstanceNorm", options, {
			eps: 1e-5,
			affine: false,
			bias: true
		});
		const count = countOf("InstanceNorm", "the number of channels", channels, 1);
		super(count, count, given);
	}
};
// src/ops/multi_index.ts
const MODES = [
	void 0,
	"clip",
	"wrap",
	"fill",
	"drop"
];
/** Options in the core's form: a mode, and what to fill with. Throws `ValueError`. */
function outsideWords(op, options, x) {
	const { mode, fillValue } = optionsOf(op, options, {
		mode: void 0,
		fillValue: void 0
	});
	const code = MODES.indexOf(mode);
	if (code < 0) throw new ValueError(op, `the mode is one of ${MODES.slice(1).join(", ")}, got ${shown(mode)}`);
	const small = x instanceof Tensor ? {
		i8: -128,
		u8: 255
	}[x.dtype] : void 0;
	const fill = fillValue === void 0 ? small : numberOf$1(op, "fillValue", fillValue);
	return [Math.min(code, 3), ...fill === void 0 ? [0] : [1, fill]];
}
/** Kinds of places in the core's form, as `picks` in `crate/weft/src/ops/index/advanced.rs` says. */
const INDEX = 1;
const RANGE = 2;
const NEW = 3;
const REST = 4;
const MANY = 5;
/** Stands for what is left out, or not known. */
const UNKNOWN = -2147483648;
/** Whether these are truth values in arrays, or in a tensor. */
function isMask(place) {
	if (place instanceof Tensor) return !place.disposed && place.dtype === "bool";
	let first = place;
	for (let depth = 0; depth < 32 && isArray$1(first); depth++) first = first[0];
	return first !== place && typeof first === "boolean";
}
/** Puts places into a call. What it makes for that the scope frees in which it is called. Throws `ValueError` for what is no place. */
function putPlaces(call, places) {
	const { op } = call;
	const [words, tensors] = [[], []];
	const many = (tensor, ...known) => {
		words.push(MANY, ...known);
		tensors.push(tensor);
	};
	const made = (values, shape) => upload(Int32Array.from(values), extentsOf(op, shape), "i32", op);
	for (const place of places) if (typeof place === "string") words.push(...written$1(op, place));
	else if (isMask(place)) {
		if (place instanceof Tensor) {
			many(place, UNKNOWN, 0, -1);
			continue;
		}
		const { shape, values } = flattenNested(numbersOf$1(op, place), op);
		const chosen = Array.from(values, (value, n) => {
			if (typeof value !== "boolean") throw new ValueError(op, "a mask has truth values alone");
			return value ? n : -1;
		}).filter((n) => n >= 0);
		shape.forEach((extent, axis) => {
			const inner = sizeOf(shape.slice(axis + 1));
			many(made(chosen.map((n) => Math.floor(n / inner) % extent), [chosen.length]), UNKNOWN, 0, extent);
		});
	} else {
		const given = checkIndices(op, place, numbered("index"));
		const values = given ? given.values : integersOf(place);
		const sorted = Float64Array.from(values).sort();
		if (typeof place === "number") words.push(INDEX, place, 0, 1);
		else many(given ? made(values, given.shape) : place, sorted[0] ?? UNKNOWN, sorted.at(-1) ?? 0, -1);
	}
	call.list(words).put(tensors.length);
	for (const tensor of tensors) call.tensor(tensor);
}
/** A range as Python writes it, or one of the words. */
function written$1(op, text) {
	if (text === "...") return [
		REST,
		0,
		0,
		1
	];
	if (text === "newaxis") return [
		NEW,
		0,
		0,
		1
	];
	const found = /^\s*(-?\d+)?\s*:\s*(-?\d+)?\s*(?::\s*(-?\d+)?\s*)?$/.exec(text);
	if (!found) throw new ValueError(op, `${shown(text)} is no range such as "1:-1", nor "..." or "newaxis"`);
	const number = (n, usual) => found[n] === void 0 ? usual : Math.max(UNKNOWN, Math.min(2147483647, Number(found[n])));
	return [
		RANGE,
		number(1, UNKNOWN),
		number(2, UNKNOWN),
		number(3, 1)
	];
}
const picking = register("at.pick");
const putting$1 = register("at.put");
/** What stands at the places. */
function pick(op, x, places, outside) {
	return composed(op, () => invoke(picking, (call) => putPlaces(call.tensor(x).put(...outside), places)));
}
/** A copy in which `values` are put there, in the way of this number. */
function put(op, x, places, mode, way, values) {
	return composed(op, () => invoke(putting$1, (call) => {
		putPlaces(call.tensor(x).put(mode, way), places);
		call.operand(values);
	}));
}
// src/ops/indexing.ts
var indexing_exports = /* @__PURE__ */ __exportAll({
	at: () => at,
	oneHot: () => oneHot,
	take: () => take,
	takeAlongAxis: () => takeAlongAxis
});
/**
* The sub-tensors at `indices` along `axis`, as NumPy's `take`: the axis is replaced by the shape of the indices. Without an axis,
* positions in row-major order. Negative indices count from the end, but with `"clip"`, as in NumPy, where they mean the first. Throws `ValueError` for
* an index beyond either end where it can be known without waiting for the device: in numbers, arrays, and integer tensors whose values are `known`;
* others mean the nearest element, or what `options` say.
*
* Takes any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it.
*
* @example
* take([[1, 2], [3, 4]], [1, 0], 0); // [[3,4],[1,2]]
* take([5, 6, 7], -1); // 7
* take([5, 6, 7], [3]); // throws ValueError
* take([5, 6, 7], [3, 4], null, { mode: "wrap" }); // [5,6]
*/
function take(x, indices, axis = null, options) {
	noMore("take", arguments, 4);
	const along = axis === null || axis === void 0 ? void 0 : axisOf("take", axis);
	if (options !== void 0) {
		const [mode, ...fill] = outsideWords("take", options, x);
		return composed("take", () => {
			const given = lifted$1("take", x);
			const place = along === void 0 ? 0 : along < 0 ? along + given.ndim : along;
			const before = new Array(place < 0 ? given.ndim : place).fill(":");
			return pick("take", along === void 0 ? reshape(given, [given.size]) : given, [...before, indices], [mode === CLIP ? FROM_START : mode, ...fill]);
		});
	}
	return invoke(taken, (call) => {
		const shape = shapeOf(x, call.tensor(x));
		const extent = along === void 0 ? sizeOf(shape) : shape[along < 0 ? along + shape.length : along];
		position(putIndices(call, indices, positions$1(extent)), along);
	});
}
/** Modes in the core's form, as `outside` in `crate/weft/src/ops/index/advanced.rs` says. */
const CLIP = 1;
const FROM_START = 4;
const taken = register("take");
/**
* 1 where the new last axis, of extent `classes`, equals the element, 0 elsewhere. Of integers. Throws `ValueError` for a class that there
* is not where it can be known, as with `take`; only zeros stand for others.
*
* Takes i32, u32; gives `dtype`. Without a gradient; `vmap` batches it.
*
* @example
* oneHot([1, 0], 3); // [[0,1,0],[1,0,0]]
*/
function oneHot(x, classes, options = {}) {
	noMore("oneHot", arguments, 3);
	const code = dtypeCode(optionsOf("oneHot", options, { dtype: "f32" }).dtype, "oneHot");
	const below = countOf("oneHot", "the number of classes", classes);
	return invoke(oneOf, (call) => putIndices(call, x, {
		what: "class",
		least: 0,
		below
	}).put(below, code));
}
const oneOf = register("oneHot");
/**
* Along an axis, or (null) of all in row-major order, the elements at indices, which have as many axes and broadcast along the others. Negative indices count from the end; those beyond it mean
* the nearest element, or what `options` say.
*
* Takes any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it.
*
* @example
* takeAlongAxis([[3, 1], [2, 4]], argmax([[3, 1], [2, 4]], 1, { keepdims: true }), 1); // [[3],[4]]
* takeAlongAxis([3, 1], tensor([1, 2], { dtype: "i32" }), 0, { mode: "fill" }); // [1,NaN]
*/
function takeAlongAxis(x, indices, axis = -1, options) {
	noMore("takeAlongAxis", arguments, 4);
	if (axis === null) return composed("takeAlongAxis", () => takeAlongAxis(flatten(x), indices, 0, options));
	const along = axisOf("takeAlongAxis", axis);
	const outside = options === void 0 ? [] : outsideWords("takeAlongAxis", options, x);
	return composed("takeAlongAxis", () => invoke(options === void 0 ? besides : besidesOr, (call) => putIndices(call.tensor(x), indices, numbered("index")).put(along, ...outside)));
}
const besides = register("takeAlongAxis");
const besidesOr = register("along.pick");
/**
* The elements at places: `x.at(i).get()` yields them, and `x.at(i).set(v)`, `add(v)`, `mul(v)` and their like changed copies. One list
* of indices means sub-tensors along the first axis. Several places follow NumPy's rules: each stands for an axis, a mask for as many as it has,
* those that are left out are whole; indices broadcast together, and the axes to which they do take the place of theirs if they stand side by side, and
* come first if not. How much a mask chooses must be known, so that it is an array of truth values; one that is a tensor stands alone, is not read,
* and takes values that broadcast to each of its elements. Negative indices count from the end. Throws `ValueError` for an index beyond either
* end where it can be known, as `take` does; others are left out, where `get` means the nearest; or what the options that come last say.
*
* Takes any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it.
* Takes any dtype, then i32, u32, then any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* at([1, 2, 3], 0).set(9); // [9,2,3]
* tensor([1, 2, 3]).at([1, 1]).add(1); // [1,4,3]
* tensor([1, 2, 3]).at([0, 0, 2]).max([5, 4, 2]); // [5,2,3]
* tensor([1, 2, 3]).at([0, 0, 2]).mul([2, 3, 4]); // [6,2,12]
* tensor([[1, 2, 3], [4, 5, 6]]).at(":", [2, 0]).get(); // [[3,1],[6,4]]
* tensor([[1, 2], [3, 4]]).at([0, 1], [1, 0]).set(0); // [[1,0],[0,4]]
* const x = tensor([-1, 2, -3]);
* x.at(x.less(0)).mul(10); // [-10,2,-30]
* x.at("1:").apply((part) => part.square()); // [-1,4,9]
*/
function at(x, ...places) {
	const last = places.at(-1);
	const options = !(last instanceof Tensor) && isBag(last) ? places.pop() : void 0;
	const [first] = places;
	if (places.length === 0) throw new ValueError("at", "takes a place or more");
	const outside = outsideWords("at", options, x);
	const isSimple = places.length === 1 && options === void 0 && typeof first !== "string" && !isMask(first);
	const indices = first;
	const update = (way, opcode) => (values, ...more) => {
		noMore(`at.${WAYS[way]}`, [values, ...more], 1);
		if (!opcode || !isSimple) return put(`at.${WAYS[way]}`, x, places, outside[0], way, values);
		return invoke(opcode, (call) => {
			call.tensor(x);
			if (typeof indices === "number") call.operand(indices);
			else putIndices(call, indices, positions$1(shapeOf(x, call)[0]));
			call.operand(values);
		});
	};
	const set = update(0, opcodes[0]);
	const get = (...more) => {
		noMore("at.get", more, 0);
		return isSimple ? take(x, indices, 0) : pick("at.get", x, places, outside);
	};
	const apply = (f, ...more) => {
		const op = "at.apply";
		noMore(op, [f, ...more], 1);
		checkFunction(op, f);
		return tidy(() => {
			const isMasked = places.length === 1 && first instanceof Tensor && isMask(first);
			const given = lifted$1(op, x);
			const made = f(isMasked ? reshape(given, given.shape) : get());
			if (!(made instanceof Tensor)) throw new ValueError(op, "takes a function that returns a tensor");
			const same = made.dtype === given.dtype ? made : cast(made, given.dtype);
			if (!isMasked) return set(same);
			if (first.shape.some((extent, n) => given.shape[n] !== extent)) throw new ShapeError(op, `a mask [${first.shape.join(",")}] is not of the first axes of [${given.shape.join(",")}]`);
			return where(reshape(first, [...first.shape, ...given.shape.slice(first.ndim).fill(1)]), broadcastTo(same, given.shape), given);
		});
	};
	return {
		...Object.fromEntries(WAYS.map((name, way) => [name, update(way, opcodes[way] ?? null)])),
		get,
		apply
	};
}
/**
* Ways to update, by their numbers in the core. The first have functions of their own there for one index, as `take` has beside `at.pick`: those are in the part
* that every page downloads, and several places in the one that is fetched when they are first asked for.
*/
const WAYS = [
	"set",
	"add",
	"min",
	"max",
	"sub",
	"mul",
	"div",
	"pow",
	"and",
	"or",
	"xor"
];
const opcodes = WAYS.slice(0, 4).map((name) => register(`at.${name}`));
// src/nn/embedding.ts
/**
* A table of vectors: [...] of i32, u32 or whole numbers to [..., width]. `weight` is [count, width], at first normal.
*
* Throws `ValueError` for a number that has no row, where that can be known without waiting for the device, as `take` does.
*
* @example
* new nn.Embedding(10, 4).forward(tensor([[1, 2, 3]], { dtype: "i32" })).shape; // [1,3,4]
*/
var Embedding = class extends Module {
	count;
	width;
	weight;
	constructor(count, width) {
		noMore("Embedding", arguments, 2);
		super();
		this.count = countOf("Embedding", "the number of rows", count, 1);
		this.width = countOf("Embedding", "the width", width, 1);
		this.weight = begun(() => normal([this.count, this.width]));
	}
	forward(indices) {
		noMore("Embedding", arguments, 1);
		return composed("Embedding", () => take(this.weight, indices, 0));
	}
};
// src/core/tensor/match.ts
/** Stands for a tensor in a form. */
var Place = class {
	#isPlace = true;
	/** Throws for no value, as `instanceof` does for proxies that were revoked. */
	static [Symbol.hasInstance](value) {
		return typeof value === "object" && value !== null && #isPlace in value && value.#isPlace;
	}
};
/** The form alone of a tree, with places for the tensors that `has` names, by default all, and `null` for others, so that nobody has to keep them. */
function formOf$1(tree, has = () => true) {
	return mapTree(tree, (leaf) => leaf instanceof Tensor ? has(leaf) ? new Place() : null : leaf);
}
const isTensor = (value) => value instanceof Tensor;
const isGiven = (value) => value instanceof Tensor || typeof value === "number";
/**
* Calls `visit` with each leaf of the first tree, in its order, what the second tree has in its place (`null` for nothing), and a function that writes the
* place out, as `.layers[0]`. The second may lack names below which the first has no leaf. Throws `ValueError` in the name of `op` for other names that only one of them has, and where one has a leaf and the
* other a list or an object; the error tells what either has there.
*/
function matchTrees(op, first, second, visit, rules = {}) {
	const { leaf = isTensor, fits = isTensor, optional = false, passModules = false } = rules;
	const path = [];
	const above = /* @__PURE__ */ new Set();
	const isLeaf = (value) => leaf(value);
	/** Whether a tree holds what `is` names. Only asked where trees differ. */
	const holds = (tree, is) => {
		if (is(tree)) return true;
		if (!isNode(tree) || above.has(tree) || passModules && isModule(tree)) return false;
		above.add(tree);
		const found = Object.values(tree).some((child) => holds(child, is));
		above.delete(tree);
		return found;
	};
	const place = () => path.map((key) => /^\d+$/.test(key) ? `[${key}]` : `.${key}`).join("");
	const unlike = (a, b) => {
		return new ValueError(op, `trees are matched by name, but ${first.what}${place()} is ${described(a)}, and ${second.what}${place()} is ${described(b)}`);
	};
	const child = (node, key) => node[key];
	const walk = (a, b) => {
		const nothing = optional && (b === null || b === void 0);
		if (leaf(a, b)) {
			if (!nothing && !fits(b)) throw unlike(a, b);
			return visit(a, nothing ? null : b, place);
		}
		if (passModules && isModule(a)) {
			if (!isModule(b) && holds(b, isTensor)) throw unlike(a, b);
			return;
		}
		if (!isNode(a) || above.has(a)) {
			if (!(a instanceof Tensor) && holds(b, isTensor)) throw unlike(a, b);
			return;
		}
		if (!nothing && (!isNode(b) || isArray$1(a) !== isArray$1(b))) {
			if (holds(a, isLeaf) || holds(b, isTensor)) throw unlike(a, b);
			return;
		}
		above.add(a);
		for (const key of Object.keys(a)) if (nothing || Object.hasOwn(b, key)) {
			path.push(key);
			walk(child(a, key), nothing ? null : child(b, key));
			path.pop();
		} else if (holds(child(a, key), isLeaf)) throw unlike(a, b);
		if (!nothing) {
			for (const key of Object.keys(b)) if (!Object.hasOwn(a, key) && holds(child(b, key), isGiven)) throw unlike(a, b);
		}
		above.delete(a);
	};
	walk(first.tree, second.tree);
}
/** What stands in a place of a tree, for errors. */
function described(value) {
	if (value instanceof Tensor || value instanceof Place) return "a tensor";
	if (value === void 0) return "missing";
	if (!isNode(value)) return kindOf$1(value);
	if (isArray$1(value)) return `a list of ${value.length}`;
	const names = Object.keys(value);
	if (names.length === 0) return "{}";
	return `{ ${names.slice(0, 8).join(", ")}${names.length > 8 ? ` and ${names.length - 8} more` : ""} }`;
}
// src/transforms/control.ts
/**
* Goes over slices of `xs` along their first axes with a state: `body(state, x)` gives `[next state, y]`. Gives the last state, and the ys
* stacked along a new first axis. `xs`, states and ys are trees; a state keeps its form, shapes and dtypes. `body` is called once.
*
* Throws `ShapeError`, `DTypeError` or `ValueError` where the state changes, naming what does, and `TraceError` when `body` reads a value,
* assigns a parameter, or is async.
*
* @example
* const [total, sums] = scan((sum: Tensor, x: Tensor) => [sum.add(x), sum.add(x)], tensor(0), tensor([1, 2, 3]));
* total; // 6
* sums; // [1,3,6]
*/
function scan(body, state, xs, options = {}) {
	const op = "scan";
	noMore(op, arguments, 4);
	checkFunction(op, body);
	const given = optionsOf(op, options, {
		length: void 0,
		reverse: false
	});
	const reverse = flagOf(op, "reverse", given.reverse);
	const length = given.length === void 0 ? void 0 : countOf(op, "length", given.length);
	return region(op, 0, state, xs, (places) => {
		const iterations = lengthOf(op, places.slices, length);
		const result = body(places.fill(state), places.fillSlices(xs));
		checkReturned(op, result);
		if (!Array.isArray(result) || result.length !== 2) throw new ValueError(op, "the function must return [state, y]");
		const next = nextOf(op, state, places.state, result[0]);
		const stacks = leavesOf$1(op, result[1]);
		const handles = places.loop(next, stacks.tensors, 0, iterations, reverse);
		return [filled$2(state, handles), filled$2(result[1], handles.slice(next.length))];
	});
}
/**
* `body(i, state)` for i from `from` up to but not including `to`: an i32 tensor that `body` may compute with. Gives the last state, a
* tree that keeps its form, shapes and dtypes. `body` is called once; what it throws leaves nothing behind. The ends may be 0-d integer tensors, whose
* values need not be known: such a loop is a `whileLoop`, and `limit` its limit, which gradients need.
*
* Throws as `scan` does.
*
* @example
* forLoop(1, 6, (i, product) => product.mul(i), 1); // 120
* forLoop(0, tensor([3, 1, 2]).argmax(), (i, x) => x.add(i), 7); // 7
*/
function forLoop(from, to, body, state, options = {}) {
	const op = "forLoop";
	noMore(op, arguments, 5);
	checkFunction(op, body);
	const limit = limitOf(op, options);
	const [first, end] = [endOf(op, "from", from), endOf(op, "to", to)];
	const counted = typeof first === "number" && typeof end === "number" ? Math.max(end - first, 0) : void 0;
	return region(op, typeof first === "number" ? first : 0, state, null, (places) => {
		const i = typeof first === "number" ? places.index() : places.index().add(first);
		const holds = counted === void 0 ? i.less(end).handle : 0;
		const result = body(i, places.fill(state));
		checkReturned(op, result);
		const next = nextOf(op, state, places.state, result);
		const iterations = counted === void 0 ? limit : limit < 0 ? counted : Math.min(counted, limit);
		return filled$2(state, places.loop(next, [], holds, iterations, false));
	});
}
/** An end of a range: a whole number, or a 0-d integer tensor as an i32. */
function endOf(op, what, end) {
	if (!(end instanceof Tensor)) return wholeOf(op, what, end);
	if (isFloat(end.dtype) || end.dtype === "bool") throw new DTypeError(op, `${what} must be a whole number, got ${end.form.text}`);
	if (end.ndim !== 0) throw new ShapeError(op, `${what} must be one number, got ${end.form.text}`);
	return (end.dtype === "u32" ? end.minimum(2 ** 31 - 1) : end).cast("i32");
}
/** The most iterations; −1 for no end. */
function limitOf(op, options) {
	const { limit } = optionsOf(op, options, { limit: void 0 });
	return limit === void 0 ? -1 : countOf(op, "limit", limit);
}
/**
* `body(state)` as long as `condition(state)`, a single bool, holds. Gives the last state, a tree that keeps its form, shapes and dtypes.
* Both functions are called once.
*
* Throws as `scan` does. Without a `limit` a GPU is asked now and then, more and more seldom, whether the loop goes on, while JavaScript is free:
* what comes after the loop waits for its end, and a loop that never ends keeps a promise waiting and the page alive. With a limit of more than 256 it is
* asked too, as most such loops end long before; with less, every iteration up to it is sent there.
*
* @example
* whileLoop((x: Tensor) => x.less(100), (x) => x.mul(2), tensor(3)); // 192
*/
function whileLoop(condition, body, state, options = {}) {
	const op = "whileLoop";
	noMore(op, arguments, 4);
	checkFunction(op, condition);
	checkFunction(op, body);
	const limit = limitOf(op, options);
	return region(op, 0, state, null, (places) => {
		const holds = condition(places.fill(state));
		checkReturned(op, holds);
		const result = body(places.fill(state));
		checkReturned(op, result);
		const next = nextOf(op, state, places.state, result);
		if (!(holds instanceof Tensor)) throw new ValueError(op, `the condition must return a tensor of one bool, not ${shown(holds)}`);
		return filled$2(state, places.loop(next, [], holds.handle, limit, false));
	});
}
/**
* `then(...operands)` where `predicate`, a single value, is true (or not 0), else `otherwise(...operands)`. Both are called once, and give
* trees of one form, with the same shapes and dtypes. Only the one that is taken is computed; a GPU, where nobody can look at the
* predicate meanwhile, computes both and selects where they are cheap.
*
* Throws `ShapeError`, `DTypeError` or `ValueError` where they differ, naming what does, and `TraceError` as `scan` does.
*
* @example
* cond(tensor(true), (x) => x.neg(), (x) => x.mul(2), tensor([1, 2])); // [-1,-2]
*/
function cond(predicate, then, otherwise, ...operands) {
	checkFunction("cond", then);
	checkFunction("cond", otherwise);
	const truth = (x) => x instanceof Tensor ? x.cast("bool") : tensorFrom(x, "cond", "bool");
	return branch("cond", () => truth(predicate), [otherwise, then], operands);
}
/**
* The one of `branches` that `index` names, a single integer, called with the operands: 0 or less is the first, too much the last. Each is
* called once, and all give trees of one form, with the same shapes and dtypes.
*
* Throws as `cond` does.
*
* @example
* const shapes = [(x: Tensor) => x.square(), (x: Tensor) => x.abs(), (x: Tensor) => x.sign()];
* switchCase(tensor(1, { dtype: "i32" }), shapes, tensor([-2, 3])); // [2,3]
*/
function switchCase(index, branches, ...operands) {
	const op = "switchCase";
	if (!isArray$1(branches) || branches.length === 0) throw new ValueError(op, `takes a list of functions, got ${shown(branches)}`);
	for (const one of branches) checkFunction(op, one);
	if (typeof index === "number") wholeOf(op, "the index", index);
	const chosen = () => lend(op, [index], (handle) => Tensor.adopt(core().clone(handle)), "i32");
	return branch(op, chosen, branches, operands);
}
function branch(op, selector, branches, operands) {
	return region(op, 0, operands, null, (places) => {
		const results = branches.map((one) => {
			const result = one(...places.fill(operands));
			checkReturned(op, result);
			return result;
		});
		const found = results.map((result) => foundIn(op, result, "a branch", results[0]));
		const all = found.map((one) => lifted(op, one, found));
		const lists = all.map((one) => same$2(op, "a branch", all[0], one));
		const { handle } = selector();
		return filled$2(results[0], places.choose(handle, lists));
	});
}
function isLeaf(value) {
	return value instanceof Tensor || typeof value === "number";
}
/** The tensors and numbers of a tree, in the order of `form`, which it must be like. Throws `ValueError` where it is not, or holds itself. */
function foundIn(op, tree, what, form = tree) {
	const places = [];
	const tensors = [];
	mapTree(tree, itself$2, itself$2);
	const visit = (_, leaf, place) => {
		places.push(place());
		tensors.push(leaf);
	};
	matchTrees(op, {
		what,
		tree: form
	}, {
		what: "the result",
		tree
	}, visit, {
		leaf: isLeaf,
		fits: isLeaf,
		passModules: true
	});
	return {
		places,
		tensors
	};
}
/** Numbers become tensors: of the dtype of the first tensor that one of `others` has at the same place, else f32. */
function lifted(op, { places, tensors }, others = []) {
	const dtypeAt = (n) => {
		for (const other of others) {
			const one = other.tensors[n];
			if (one instanceof Tensor) return one.dtype;
		}
		return "f32";
	};
	return {
		places,
		tensors: tensors.map((value, n) => value instanceof Tensor ? value : tensorFrom(value, op, dtypeAt(n)))
	};
}
/** The tensors of a tree, whose numbers become such. */
function leavesOf$1(op, tree) {
	return lifted(op, foundIn(op, tree, "a tree"));
}
/** The tensors of the state after an iteration, in the order of those before it. */
function nextOf(op, tree, before, result) {
	return same$2(op, "the state", before, lifted(op, foundIn(op, result, "the state", tree), [before]));
}
/** The tensors of `after`, which must be like those of `before`. */
function same$2(op, what, before, after) {
	before.tensors.forEach((a, n) => {
		const b = after.tensors[n];
		const changed = () => `${what}${before.places[n]} is ${typeText(a.dtype, a.shape)}, then ${typeText(b.dtype, b.shape)}: it must stay as it is`;
		if (a.shape.join() !== b.shape.join()) throw new ShapeError(op, changed());
		if (a.dtype !== b.dtype) throw new DTypeError(op, changed());
	});
	return after.tensors;
}
/** A tree with its tensors and numbers exchanged for `tensors`, in order. */
function filled$2(tree, tensors) {
	const rest = tensors.values();
	return mapTree(tree, (leaf) => isLeaf(leaf) ? rest.next().value : leaf, itself$2);
}
function itself$2(value) {
	return value;
}
function handlesOf$1(tensors) {
	return Uint32Array.from(tensors, (tensor) => tensor.handle);
}
function wholeOf(op, what, value) {
	const number = numberOf$1(op, what, value);
	if ((number | 0) === number) return number;
	throw new ValueError(op, `${what} must be a whole number that an i32 holds, got ${shown(value)}`);
}
function lengthOf(op, slices, length) {
	const lengths = slices.tensors.map((x) => x.shape[0] ?? 0);
	const iterations = lengths[0] ?? length;
	if (iterations === void 0) throw new ValueError(op, "there is nothing to go over: give a length");
	const other = [...lengths, length ?? iterations].find((each) => each !== iterations);
	if (other !== void 0) throw new ShapeError(op, `goes over ${iterations} slices and over ${other} at once`);
	return iterations;
}
/** Runs `trace`, which calls the functions and closes the region. Whatever it throws, nothing is left behind. */
function region(op, from, stateTree, xs, trace) {
	ensureScope();
	return inScope(() => {
		const [state, slices] = [leavesOf$1(op, stateTree), leavesOf$1(op, xs)];
		const [inputs, sliced] = [handlesOf$1(state.tensors), handlesOf$1(slices.tensors)];
		const placeholders = Array.from(wholeCore(op).region_begin(op, from, inputs, sliced), (handle) => Tensor.adopt(handle));
		const session = currentSession();
		const first = placeholders.length - inputs.length - sliced.length;
		const second = first + inputs.length;
		let open = true;
		const closed = (close) => {
			open = false;
			return Array.from(close(), (handle) => Tensor.adopt(handle));
		};
		const places = {
			state,
			slices,
			index: () => placeholders[0],
			fill: (tree) => filled$2(tree, placeholders.slice(first, second)),
			fillSlices: (tree) => filled$2(tree, placeholders.slice(second)),
			loop: (next, stacks, condition, iterations, reverse) => closed(() => core().loop_close(inputs, sliced, handlesOf$1(next), handlesOf$1(stacks), condition, iterations, reverse)),
			choose: (selector, lists) => closed(() => core().branch_close(selector, inputs, handlesOf$1(lists.flat()), lists.length))
		};
		try {
			return inside(op, () => trace(places));
		} finally {
			if (open) coreOf(session)?.region_abort();
		}
	}, tensorsOf);
}
// src/nn/recurrent.ts
/** What errors call a module: its class. Not a private field: what stands for a module under `vmap` has none. */
const nameOf = (module) => module.constructor.name;
/** A product with weights and plus a bias, in f32. */
function times(x, weight, bias) {
	return inScope(() => {
		const product = matmul(widened(x), transpose(widened(weight)));
		return bias ? add(product, bias) : product;
	}, (result) => [result]);
}
/**
* One step of a recurrent network: of `S`, the state.
*
* @example
* const cell: nn.Cell<nn.LSTMState> = new nn.LSTMCell(2, 3);
* cell.step(ones([1, 2]), cell.begin([1])).hidden.shape; // [1,3]
*/
var Cell = class extends Module {
	inputs;
	hidden;
	/** [gates · hidden, inputs] */
	weightIh;
	/** [gates · hidden, hidden] */
	weightHh;
	biasIh;
	biasHh;
	/** @internal */
	constructor(op, gates, inputs, hidden, bias) {
		super();
		this.inputs = countOf(op, "the number of inputs", inputs, 1);
		this.hidden = countOf(op, "the extent of the state", hidden, 1);
		const bound = 1 / Math.sqrt(this.hidden);
		const within = (shape) => begun(() => uniformWithin(shape, bound));
		this.weightIh = within([gates * this.hidden, this.inputs]);
		this.weightHh = within([gates * this.hidden, this.hidden]);
		const biased = flagOf(op, "bias", bias);
		this.biasIh = biased ? within([gates * this.hidden]) : null;
		this.biasHh = biased ? within([gates * this.hidden]) : null;
	}
	/** The next state, given the inputs times their weights (`project`) and the state before: of its dtype. */
	advance(projected, state) {
		noMore(nameOf(this), arguments, 2);
		const like = (next, before) => next.dtype === before.dtype ? next : cast(next, before.dtype);
		return inScope(() => {
			const next = this.next(widened(projected), mapTree(state, widened));
			if (next instanceof Tensor) return like(next, state);
			return {
				hidden: like(next.hidden, state.hidden),
				cell: like(next.cell, state.cell)
			};
		}, tensorsOf);
	}
	/** The inputs of one step, or of all of a sequence, times their weights and plus their bias, in f32: what does not wait for the state. */
	project(x) {
		noMore(nameOf(this), arguments, 1);
		const { shape } = Tensor.of(nameOf(this), "what it acts on", x);
		if (shape.at(-1) !== this.inputs) throw new ShapeError(nameOf(this), `takes [..., ${this.inputs}], got [${shape.join(",")}]`);
		return times(x, this.weightIh, this.biasIh);
	}
	/** The state times its weights and plus its bias. */
	recur(hidden) {
		return times(Tensor.of(nameOf(this), "the state", hidden), this.weightHh, this.biasHh);
	}
	/** The state after `x`, [..., inputs]. */
	step(x, state) {
		noMore(nameOf(this), arguments, 2);
		return inScope(() => this.advance(this.project(x), state), tensorsOf);
	}
	/** What others see of the state after `x`, from a state of zeros. */
	forward(x) {
		noMore(nameOf(this), arguments, 1);
		return inScope(() => this.output(this.step(x, this.begin(Tensor.of(nameOf(this), "what it acts on", x).shape.slice(0, -1)))), (result) => [result]);
	}
};
/**
* h′ = tanh(W·x + b + U·h + c), or with `relu` in place of tanh.
*
* @example
* new nn.RNNCell(2, 3).step(ones([4, 2]), zeros([4, 3])).shape; // [4,3]
*/
var RNNCell = class extends Cell {
	nonlinearity;
	constructor(inputs, hidden, options = {}) {
		noMore("RNNCell", arguments, 3);
		const { bias, nonlinearity } = optionsOf("RNNCell", options, {
			bias: true,
			nonlinearity: "tanh"
		});
		if (nonlinearity !== "tanh" && nonlinearity !== "relu") throw new ValueError("RNNCell", `the nonlinearity is "tanh" or "relu", got ${shown(nonlinearity)}`);
		super("RNNCell", 1, inputs, hidden, bias);
		this.nonlinearity = nonlinearity;
	}
	begin(batch) {
		noMore("RNNCell", arguments, 1);
		return zeros([...batch, this.hidden]);
	}
	output(state) {
		noMore("RNNCell", arguments, 1);
		return state;
	}
	next(projected, state) {
		const sum = add(projected, this.recur(state));
		return this.nonlinearity === "tanh" ? tanh(sum) : relu(sum);
	}
};
/**
* Long short-term memory: gates for input, forgetting, what is new, and output, in this order in the weights.
*
* @example
* const cell = new nn.LSTMCell(2, 3);
* cell.step(ones([4, 2]), cell.begin([4])).cell.shape; // [4,3]
*/
var LSTMCell = class extends Cell {
	constructor(inputs, hidden, options = {}) {
		noMore("LSTMCell", arguments, 3);
		super("LSTMCell", 4, inputs, hidden, optionsOf("LSTMCell", options, { bias: true }).bias);
	}
	begin(batch) {
		noMore("LSTMCell", arguments, 1);
		return {
			hidden: zeros([...batch, this.hidden]),
			cell: zeros([...batch, this.hidden])
		};
	}
	output(state) {
		noMore("LSTMCell", arguments, 1);
		return state.hidden;
	}
	next(projected, { hidden, cell }) {
		const [input, forget, fresh, output] = split(add(projected, this.recur(hidden)), 4, -1);
		const next = add(mul(sigmoid(forget), cell), mul(sigmoid(input), tanh(fresh)));
		return {
			hidden: mul(sigmoid(output), tanh(next)),
			cell: next
		};
	}
};
/**
* Gated recurrent unit: gates for resetting and updating, and what is new, in this order in the weights.
*
* @example
* new nn.GRUCell(2, 3).step(ones([4, 2]), zeros([4, 3])).shape; // [4,3]
*/
var GRUCell = class extends Cell {
	constructor(inputs, hidden, options = {}) {
		noMore("GRUCell", arguments, 3);
		super("GRUCell", 3, inputs, hidden, optionsOf("GRUCell", options, { bias: true }).bias);
	}
	begin(batch) {
		noMore("GRUCell", arguments, 1);
		return zeros([...batch, this.hidden]);
	}
	output(state) {
		noMore("GRUCell", arguments, 1);
		return state;
	}
	next(projected, state) {
		const [resetX, updateX, freshX] = split(projected, 3, -1);
		const [resetH, updateH, freshH] = split(this.recur(state), 3, -1);
		const update = sigmoid(add(updateX, updateH));
		const fresh = tanh(add(freshX, mul(sigmoid(add(resetX, resetH)), freshH)));
		return add(fresh, mul(update, sub(state, fresh)));
	}
};
const usual$2 = {
	bias: true,
	layers: 1,
	bidirectional: false,
	dropout: 0,
	batchFirst: false
};
/** Layers of cells that go over sequences: [steps, ..., inputs] to [steps, ..., hidden]. */
var Recurrent = class extends Module {
	/** The cells: of each layer the one that goes forwards, then, if there is one, the one that goes backwards. */
	cells;
	dropout;
	batchFirst;
	constructor(op, options, inputs, hidden, make) {
		super();
		const layers = countOf(op, "the number of layers", options.layers, 1);
		const directions = flagOf(op, "bidirectional", options.bidirectional) ? 2 : 1;
		this.dropout = rateOf(op, options.dropout);
		this.batchFirst = flagOf(op, "batchFirst", options.batchFirst);
		this.cells = Array.from({ length: layers }, (_, layer) => Array.from({ length: directions }, () => make(layer === 0 ? inputs : hidden * directions)));
	}
	/** What the last layer's cells show at each step, from states of zeros. */
	forward(x) {
		noMore(nameOf(this), arguments, 1);
		return inScope(() => this.run(x)[0], (result) => [result]);
	}
	/**
	* What the last layer's cells show at each step, and all cells' last states: of each layer a list of one for each direction. `states` has that form
	* too, and is what they begin with.
	*/
	run(x, states) {
		noMore(nameOf(this), arguments, 2);
		const rank = Tensor.of(nameOf(this), "what it acts on", x).shape.length;
		if (rank < 2) throw new ShapeError(nameOf(this), `takes [steps, ..., inputs], got [${x.shape.join(",")}]`);
		if (this.batchFirst && rank < 3) throw new ShapeError(nameOf(this), `takes [batch, steps, inputs], got [${x.shape.join(",")}]`);
		checkStates(nameOf(this), this.cells, states);
		return inScope(() => {
			const last = [];
			let value = this.batchFirst ? swapAxes(x, 0, 1) : x;
			this.cells.forEach((cells, layer) => {
				const from = layer > 0 && this.training && this.dropout > 0 ? dropout(value, this.dropout) : value;
				const each = cells.map((cell, direction) => over(cell, from, direction === 1, states?.[layer]?.[direction]));
				last.push(each.map(([state]) => state));
				const outputs = each.map(([, output]) => output);
				value = outputs.length > 1 ? concat(outputs, -1) : outputs[0];
			});
			return [this.batchFirst ? swapAxes(value, 0, 1) : value, last];
		}, ([outputs, last]) => [outputs, ...tensorsOf(last)]);
	}
};
/** What a cell makes of a sequence: its last state, and what it shows at each step. */
function over(cell, x, reverse, state) {
	const begin = state ?? cell.begin(x.shape.slice(1, -1));
	const body = (before, projected) => {
		const next = cell.advance(projected, before);
		return [next, cell.output(next)];
	};
	return scan(body, begin, cell.project(x), { reverse });
}
function checkStates(op, cells, states) {
	if (states === void 0) return;
	const form = (tree) => JSON.stringify(mapTree(tree, () => 0));
	const expected = form(cells.map((cells) => cells.map((cell) => cell.begin([]))));
	if (form(states) === expected) return;
	throw new ValueError(op, `states are a list for each of ${cells.length} layers with one for each of ${cells[0]?.length} directions, got ${shown(states)}`);
}
/**
* A recurrent network of `RNNCell`s.
*
* @example
* new nn.RNN(2, 3).forward(ones([5, 1, 2])).shape; // [5,1,3]
*/
var RNN = class extends Recurrent {
	constructor(inputs, hidden, options = {}) {
		noMore("RNN", arguments, 3);
		const given = optionsOf("RNN", options, {
			...usual$2,
			nonlinearity: "tanh"
		});
		const { bias, nonlinearity } = given;
		super("RNN", given, inputs, hidden, (width) => new RNNCell(width, hidden, {
			bias,
			nonlinearity
		}));
	}
};
/**
* A recurrent network of `LSTMCell`s.
*
* @example
* const lstm = new nn.LSTM(2, 3, { layers: 2 });
* const [outputs, [, last]] = lstm.run(ones([5, 1, 2]));
* outputs.shape; // [5,1,3]
* last?.[0]?.cell.shape; // [1,3]
*/
var LSTM = class extends Recurrent {
	constructor(inputs, hidden, options = {}) {
		noMore("LSTM", arguments, 3);
		const given = optionsOf("LSTM", options, usual$2);
		super("LSTM", given, inputs, hidden, (width) => new LSTMCell(width, hidden, { bias: given.bias }));
	}
};
/**
* A recurrent network of `GRUCell`s.
*
* @example
* new nn.GRU(2, 3, { batchFirst: true }).forward(ones([1, 5, 2])).shape; // [1,5,3]
*/
var GRU = class extends Recurrent {
	constructor(inputs, hidden, options = {}) {
		noMore("GRU", arguments, 3);
		const given = optionsOf("GRU", options, usual$2);
		super("GRU", given, inputs, hidden, (width) => new GRUCell(width, hidden, { bias: given.bias }));
	}
};
// src/transforms/gradients.ts
/**
* The function that computes `fn` and its gradient together. `fn` takes any trees and returns a 0-d f32; the gradient has the form
* of the argument (of several, a list). Everything else made inside `fn` is freed.
*
* Throws `ShapeError` or `DTypeError` when `fn` returns anything but a single float, `TraceError` when it is async.
*
* @example
* const [value, gradient] = valueAndGrad((x: Tensor) => x.square().sum())(tensor([1, 2]));
* value; // 5
* gradient; // [2,4]
*/
function valueAndGrad(fn, options = {}) {
	noMore("valueAndGrad", arguments, 2);
	return named("valueAndGrad", fn, options);
}
/** `valueAndGrad`, whose errors speak in the name of `op`. */
function named(op, fn, options) {
	checkFunction(op, fn);
	const argnums = argnumsOf(op, options);
	return (...args) => inScope(() => {
		const [value, gradients] = underMarks(op, args, listed$1(argnums), (...a) => single(op, fn(...a)), (loss, marks) => core().gradients(loss.handle, marks));
		watch([value]);
		return [value, picked(gradients, argnums)];
	}, tensorsOf);
}
/**
* As `valueAndGrad`, for an `fn` that returns `[value, aux]`: `aux`, any tree, comes along underived.
*
* @example
* const [value, gradient, aux] = valueAndGradAux((x: Tensor) => [x.square().sum(), x.max()] as const)(tensor([1, 2]));
* gradient; // [2,4]
* aux; // 2
*/
function valueAndGradAux(fn, options = {}) {
	const op = "valueAndGradAux";
	noMore(op, arguments, 2);
	const argnums = argnumsOf(op, options);
	const pair = paired(op, "value", fn);
	return (...args) => inScope(() => {
		const one = (...a) => {
			const [value, aux] = pair(...a);
			return [single(op, value), aux];
		};
		const [[value, aux], gradients] = underMarks(op, args, listed$1(argnums), one, ([loss], marks) => core().gradients(loss.handle, marks));
		watch([value, ...tensorsOf(aux)]);
		return [
			value,
			picked(gradients, argnums),
			aux
		];
	}, tensorsOf);
}
/** `fn`, which must return two things. */
function paired(op, what, fn) {
	checkFunction(op, fn);
	return (...args) => {
		const result = fn(...args);
		checkReturned(op, result);
		if (!isArray$1(result) || result.length !== 2) throw new ValueError(op, `the function must return [${what}, aux]`);
		return result;
	};
}
/** Has what comes along with gradients computed by the step that uses them, if it is small: whoever reads it later does not need
* the parameters of now, and they are not kept for that. */
function watch(tensors) {
	if (!isTracing() && !core().is_transforming()) core().watch(handlesOf(tensors));
}
/** By which arguments to differentiate, checked; whether a call has them is seen when it comes. */
function argnumsOf(op, options) {
	const { argnums = 0 } = optionsOf(op, options, { argnums: void 0 });
	const position = (value) => countOf(op, "argnums, the position of an argument,", value);
	return isArray$1(argnums) ? Array.from(argnums, position) : position(argnums);
}
function listed$1(argnums) {
	return Array.isArray(argnums) ? argnums : [argnums];
}
function picked(gradients, argnums) {
	return typeof argnums === "number" ? gradients[0] : gradients;
}
/**
* The function that computes the gradient of `fn`; see `valueAndGrad`.
*
* @example
* grad((x: Tensor) => x.pow(3).sum())(tensor([1, 2])); // [3,12]
*/
function grad(fn, options = {}) {
	noMore("grad", arguments, 2);
	const both = named("grad", fn, options);
	return (...args) => inScope(() => both(...args)[1], tensorsOf);
}
function vjp(fn, args, cotangents) {
	noMore("vjp", arguments, 3);
	return pulled("vjp", fn, args, cotangents, (outputs) => outputs);
}
function vjpAux(fn, args, cotangents) {
	const op = "vjpAux";
	noMore(op, arguments, 3);
	const [[outputs, aux], gradients] = pulled(op, paired(op, "outputs", fn), args, cotangents, ([outputs]) => outputs);
	return [
		outputs,
		gradients,
		aux
	];
}
/** What `fn` gives, and the gradients of Σ outputs · cotangents, where `outputsOf` says which of it the outputs are; or the function to them. */
function pulled(op, fn, args, cotangents, outputsOf) {
	checkFunction(op, fn);
	listOf(op, "a list of arguments", args);
	const everyArgument = args.map((_, position) => position);
	let kept;
	const isCotangent = (value) => value instanceof Tensor || typeof value === "number";
	const seedsFor = (outputs, given) => {
		const seeds = [];
		const [first, second] = [{
			what: "outputs",
			tree: outputs
		}, {
			what: "cotangents",
			tree: given
		}];
		const visit = (_, seed) => seeds.push(seed instanceof Tensor ? seed : tensorFrom(seed, op));
		matchTrees(op, first, second, visit, {
			leaf: (value) => isFloats(value) || value instanceof Place,
			fits: isCotangent
		});
		return seeds;
	};
	const [result, gradients] = inScope(() => withMarks(op, args, everyArgument, fn, (result, marks, shaped) => {
		const outputs = outputsOf(result);
		const ys = tensorsOf(outputs).filter(isFloats);
		const later = cotangents === void 0;
		const inputs = later ? ys.map((y) => Tensor.adopt(wholeCore(op).stand_in(y.handle)).keep()) : seedsFor(outputs, cotangents);
		const gradients = adopted(core().vjp(handlesOf(ys), handlesOf(inputs), handlesOf(marks)));
		if (later) kept = {
			inputs,
			gradients: gradients.map((tensor) => tensor.keep()),
			form: shaped(gradients),
			outputs: formOf$1(outputs, isFloats)
		};
		return [result, later ? void 0 : shaped(gradients)];
	}, true), tensorsOf);
	if (!kept) return [result, gradients];
	const { inputs, gradients: open, form, outputs } = kept;
	const pull = (given) => inScope(() => {
		const seeds = seedsFor(outputs, given);
		const found = adopted(inNameOf(op, () => core().substitute(handlesOf(open), handlesOf(inputs), handlesOf(seeds))));
		return mapTree(form, (leaf) => leaf instanceof Tensor ? found[open.indexOf(leaf)] : leaf);
	}, tensorsOf);
	return [result, pull];
}
/**
* Calls `fn` with stand-ins for the arguments at `positions`, then `derive` with its result and the handles of the marks, which
* yields a gradient for each mark; returns the result and the gradients as trees.
*/
function underMarks(op, args, positions, fn, derive) {
	return withMarks(op, args, positions, fn, (result, marks, shaped) => [result, shaped(adopted(derive(result, handlesOf(marks))))]);
}
/**
* Calls `fn` with stand-ins for the arguments at `positions`, then `derive` with its result, the marks, and a function that shapes a
* tensor for each mark as the arguments are, in the order of `positions`. With `passesOthers` tensors of integers and bools, which have no derivative,
* are passed on, and have `null` in their place; otherwise the core refuses them.
*/
function withMarks(op, args, positions, fn, derive, passesOthers = false) {
	for (const position of positions) {
		if (Number.isInteger(position) && position >= 0 && position < args.length) continue;
		throw new ValueError(op, `there is no argument ${position}: the function is called with ${args.length}`);
	}
	if (new Set(positions).size < positions.length) throw new ValueError(op, `an argument is named twice: ${positions.join(", ")}`);
	ensureScope();
	core().begin_transform();
	const session = currentSession();
	const standIns = new StandIns(op, passesOthers);
	try {
		const replaced = args.map((arg, position) => positions.includes(position) ? standIns.replace(arg) : arg);
		standIns.begin();
		const result = fn(...replaced);
		checkReturned(op, result);
		const shaped = (tensors) => {
			const trees = standIns.trees(tensors);
			const byPosition = args.map((arg, position) => positions.includes(position) ? trees(arg) : void 0);
			return positions.map((position) => byPosition[position]);
		};
		return inNameOf(op, () => derive(result, standIns.marks, shaped));
	} finally {
		standIns.end(coreOf(session));
		coreOf(session)?.end_transform();
	}
}
/** What stands for differentiated arguments while the function runs: a marked tensor for each tensor and number; parameters keep
* their identity and hold a marked value meanwhile, so that functions which close over them are differentiated too. */
var StandIns = class {
	marks = [];
	#op;
	#passesOthers;
	/** The places of parameters among the marks. */
	#parameters = /* @__PURE__ */ new Map();
	#begun = false;
	constructor(op, passesOthers) {
		this.#op = op;
		this.#passesOthers = passesOthers;
	}
	/** `tree` with stand-ins. */
	replace(tree) {
		return mapTree(tree, (leaf) => {
			if (!(leaf instanceof Parameter)) return this.#value(leaf);
			return leaf.frozen ? leaf : this.#parameter(leaf);
		}, (module) => {
			if (isCopy(module)) return copyModule(module, (tensor) => this.#mark(tensor));
			for (const tensor of tensorsOf(module)) if (tensor instanceof Parameter && tensor.learned) this.#parameter(tensor);
			return module;
		});
	}
	#value(leaf) {
		if (leaf instanceof Tensor) return this.#mark(leaf);
		return typeof leaf === "number" ? this.#mark(tensorFrom(leaf, this.#op)) : leaf;
	}
	/** Its mark comes with those of all others, in one call of the core; its place is taken. */
	#parameter(parameter) {
		if (!this.#parameters.has(parameter)) this.#parameters.set(parameter, this.marks.push(parameter) - 1);
		return parameter;
	}
	#mark(tensor) {
		if (this.#passes(tensor)) return tensor;
		const mark = Tensor.adopt(inNameOf(this.#op, () => core().mark(tensor.handle)));
		this.marks.push(mark);
		return mark;
	}
	/** Whether a tensor is passed on as it is. */
	#passes(tensor) {
		return this.#passesOthers && !isFloat(tensor.dtype);
	}
	/** Lets marks stand for the values of parameters. */
	begin() {
		if (this.#parameters.size === 0) return;
		const marks = core().stand_in_begin(handlesOf([...this.#parameters.keys()]));
		this.#begun = true;
		let n = 0;
		for (const place of this.#parameters.values()) this.marks[place] = Tensor.adopt(marks[n++]);
	}
	/** Gives parameters their values back, but for those that were assigned meanwhile. */
	end(core) {
		if (this.#begun) core?.stand_in_end();
	}
	/** A function from argument to gradient tree, to be called for the arguments in the order in which they were replaced. */
	trees(gradients) {
		const ofParameters = new Set(this.#parameters.values());
		const ofValues = gradients.filter((_, index) => !ofParameters.has(index)).values();
		const parameter = (leaf) => gradients[this.#parameters.get(leaf) ?? -1];
		const leaf = (value) => {
			if (value instanceof Parameter) return parameter(value) ?? null;
			if (value instanceof Tensor && this.#passes(value)) return null;
			return value instanceof Tensor || typeof value === "number" ? ofValues.next().value : value;
		};
		const module = (node) => {
			if (!isCopy(node)) return prune(node, (value) => value instanceof Parameter ? parameter(value) : void 0);
			const own = /* @__PURE__ */ new Map();
			const once = (tensor) => {
				if (!own.has(tensor)) own.set(tensor, this.#passes(tensor) ? void 0 : ofValues.next().value);
				return own.get(tensor);
			};
			return prune(node, (value) => value instanceof Tensor ? once(value) : void 0);
		};
		return (argument) => mapTree(argument, leaf, module);
	}
};
/** The names that the core has for its transforms. */
const TRANSFORMS = /* @__PURE__ */ new Set([
	"grad",
	"vjp",
	"jvp",
	"linearize",
	"jacobian",
	"jacfwd",
	"jacrev"
]);
/** What `derive` gives. What the core refuses in the name of a transform of its own is refused in the name of the function that was called. */
function inNameOf(op, derive) {
	try {
		return derive();
	} catch (error) {
		if (!(error instanceof WeftError) || error.op === op || !TRANSFORMS.has(error.op)) throw error;
		const Kind = error.constructor;
		throw new Kind(op, error.message.slice(error.op.length + 2));
	}
}
/** Whether a value is a tensor that has derivatives. */
function isFloats(value) {
	return value instanceof Tensor && isFloat(value.dtype);
}
/** The handles of tensors, for the core. */
function handlesOf(tensors) {
	const handles = new Uint32Array(tensors.length);
	for (let n = 0; n < tensors.length; n++) handles[n] = tensors[n].handle;
	return handles;
}
/** The tensors that the core gave these handles. */
function adopted(handles) {
	const tensors = [];
	for (let n = 0; n < handles.length; n++) tensors.push(Tensor.adopt(handles[n]));
	return tensors;
}
/** The value of a function that must return a tensor at once. Its shape and dtype are the core's to check. */
function single(op, result) {
	if (result instanceof Parameter) return Tensor.adopt(core().clone(result.handle));
	if (result instanceof Tensor) return result;
	checkReturned(op, result);
	throw new ValueError(op, `the function must return a tensor of one float, not ${result === null ? "null" : typeof result}`);
}
// src/transforms/custom.ts
/**
* `fn`, whose values a gradient computes again from the arguments instead of keeping them from the way there to the way back: less memory for more
* work. What `fn` yields is the same.
*
* @example
* const block = checkpoint((x: Tensor) => x.sin().exp());
* grad((x: Tensor) => block(block(x)).sum())(tensor([0])); // [1.2534]
*/
function checkpoint(fn) {
	noMore("checkpoint", arguments, 1);
	checkFunction("checkpoint", fn);
	return own("checkpoint", fn, (replaced) => ({
		outputs: fn(...replaced),
		seeds: [],
		derived: []
	}));
}
/**
* `fn` with a gradient of its own. Where something is differentiated, `forward` runs in its place and yields `[outputs, residuals]`; of the
* residuals, any tree, and cotangents in the form of the outputs `backward` makes a list with the gradient of each argument. One that is `null` is
* zero. As in JAX, the derivative of that gradient goes through `forward` and `backward` as they are written: by this rule again where `forward` calls the
* function itself, and past it where it computes the outputs otherwise.
*
* Throws `ShapeError` or `DTypeError` for gradients unlike their arguments; `TraceError` where what is differentiated by is no argument, and in forward
* mode, which transposes `backward`, unless that is linear in the cotangents.
*
* @example
* const clipped = customVjp(
*   (x: Tensor) => x,
*   (x: Tensor) => [x, null],
*   (_: null, g: Tensor) => [g.clip(-1, 1)],
* );
* grad((x: Tensor) => clipped(x).mul([0.5, 7]).sum())(tensor([1, 1])); // [0.5,1]
*/
function customVjp(fn, forward, backward) {
	const op = "customVjp";
	noMore(op, arguments, 3);
	for (const each of [
		fn,
		forward,
		backward
	]) checkFunction(op, each);
	return own(op, fn, (replaced) => {
		const [outputs, residuals] = pair$2(op, forward(...replaced), "[outputs, residuals]");
		const [cotangents, seeds] = seeded(outputs);
		const gradients = backward(residuals, cotangents);
		checkReturned(op, gradients);
		if (!isArray$1(gradients) || gradients.length !== replaced.length) throw new ValueError(op, `backward must return a list with a gradient for each of the ${replaced.length} arguments`);
		return {
			outputs,
			seeds,
			derived: derivatives(op, {
				what: "args",
				tree: replaced
			}, {
				what: "gradients",
				tree: gradients
			})
		};
	});
}
/**
* `fn` with a derivative of its own along directions. Where something is differentiated, `rule` runs in its place: of the list of arguments and
* a list of tangents in their form it makes `[outputs, derivatives]`, both in the form of the outputs. The tangent of what is not of floats is
* itself. Derivatives of derivatives are as with `customVjp`: by the rule again where `rule` calls the function itself.
*
* Throws as `customVjp`; reverse mode transposes `rule`, which must then be linear in the tangents.
*
* @example
* const log1pexp = customJvp(
*   (x: Tensor) => x.exp().add(1).log(),
*   ([x], [t]) => [x.exp().add(1).log(), t.mul(x.sigmoid())],
* );
* grad(log1pexp)(tensor(100)); // 1
*/
function customJvp(fn, rule) {
	const op = "customJvp";
	noMore(op, arguments, 2);
	for (const each of [fn, rule]) checkFunction(op, each);
	return own(op, fn, (replaced) => {
		const [tangents, seeds] = seeded(replaced);
		const [outputs, found] = pair$2(op, rule(replaced, tangents), "[outputs, derivatives]");
		return {
			outputs,
			seeds,
			derived: derivatives(op, {
				what: "outputs",
				tree: outputs
			}, {
				what: "derivatives",
				tree: found
			})
		};
	});
}
/** `fn` outside of transforms; inside, what `run` makes of stand-ins. */
function own(op, fn, run) {
	const open = [];
	return (...args) => inScope(() => {
		const within = op === "checkpoint" ? void 0 : open.at(-1);
		if (within) within.again = true;
		if (within || !core().is_transforming()) {
			const result = fn(...args);
			checkReturned(op, result);
			return result;
		}
		ensureScope();
		const inputs = leavesOf(args);
		const placeholders = wholeCore(op).custom_begin(op, handlesOf(inputs));
		const session = currentSession();
		let isOpen = true;
		const call = { again: false };
		try {
			const next = adopted(placeholders).values();
			const replaced = mapTree(args, (leaf) => leaf instanceof Tensor ? next.next().value : leaf, itself$1);
			const { outputs, seeds, derived } = inside(op, () => {
				open.push(call);
				try {
					const made = run(replaced);
					checkReturned(op, made.outputs);
					return made;
				} finally {
					open.pop();
				}
			});
			isOpen = false;
			const results = adopted(core().custom_end(op, handlesOf(inputs), handlesOf(leavesOf(outputs)), handlesOf(seeds), handlesOf(derived), call.again)).values();
			return mapTree(outputs, (leaf) => leaf instanceof Tensor ? results.next().value : leaf, itself$1);
		} finally {
			if (isOpen) coreOf(session)?.custom_abort();
		}
	}, tensorsOf);
}
function itself$1(module) {
	return module;
}
/** The tensors of a tree, without those of modules, which are read from outside. */
function leavesOf(tree) {
	const found = [];
	mapTree(tree, (leaf) => leaf instanceof Tensor && found.push(leaf), itself$1);
	return found;
}
/** A tree with what stands for the derivative of each of its float tensors. */
function seeded(tree) {
	const seeds = [];
	const seed = (leaf) => {
		if (!(leaf instanceof Tensor) || !isFloat(leaf.dtype)) return leaf;
		const made = Tensor.adopt(core().custom_seed(leaf.handle));
		seeds.push(made);
		return made;
	};
	return [mapTree(tree, seed, itself$1), seeds];
}
function pair$2(op, result, form) {
	checkReturned(op, result);
	if (!isArray$1(result) || result.length !== 2) throw new ValueError(op, `the function must return ${form}`);
	return result;
}
/** The derivative of each float tensor of a tree, from a tree of its form; zeros where that has `null`. */
function derivatives(op, tree, given) {
	const found = [];
	const fits = (value) => value instanceof Tensor || typeof value === "number" || isArray$1(value) || ArrayBuffer.isView(value);
	const visit = (x, derivative) => {
		if (!isFloat(x.dtype)) return;
		found.push(derivative === null ? zerosLike(x) : derivative instanceof Tensor ? derivative : tensorFrom(derivative, op));
	};
	matchTrees(op, tree, given, visit, {
		fits,
		optional: true,
		passModules: true
	});
	return found;
}
// src/nn/attention.ts
/** What stands where a query must not look: it weighs nothing. */
const UNSEEN = -Infinity;
/** Scores that are computed in one piece, where nobody says how many: 256 MiB, which a gradient holds four times. */
const MOST_SCORES = 2 ** 26;
/**
* softmax(q·kᵀ · scale) · v, as PyTorch's function of this name. `query` is [..., heads, queries, width], `key` and `value` [..., heads, keys, width]; they
* may have fewer heads, a divisor of the query's, which groups of its heads share. A query that sees no key, by masks or by number, gets 0, and so does its
* gradient. Throws `ShapeError`.
*
* @example
* const x = tensor([[1, 0], [0, 1]]);
* nn.scaledDotProductAttention(x, x, x, { causal: true }); // [[1,0],[0.33024,0.66976]]
*/
function scaledDotProductAttention(query, key, value, options = {}) {
	const op = "scaledDotProductAttention";
	noMore(op, arguments, 4);
	const given = optionsOf(op, options, {
		mask: void 0,
		causal: false,
		scale: void 0,
		queryChunk: void 0
	});
	const [q, k, v] = [
		Tensor.of(op, "the query", query),
		Tensor.of(op, "the key", key),
		Tensor.of(op, "the value", value)
	];
	const [queries, width] = lastTwo(op, "the query", q);
	const [keys, keyWidth] = lastTwo(op, "the key", k);
	const [values] = lastTwo(op, "the value", v);
	if (width !== keyWidth) throw new ShapeError(op, `queries are ${width} wide, keys ${keyWidth}`);
	if (keys !== values) throw new ShapeError(op, `there are ${keys} keys, but ${values} values`);
	const scale = given.scale === void 0 ? 1 / Math.sqrt(width) : finiteOf(op, "the scale", given.scale);
	const causal = flagOf(op, "causal", given.causal);
	const scores = q.size / Math.max(1, width) * keys;
	const few = Math.max(1, Math.floor(queries * MOST_SCORES / Math.max(scores, MOST_SCORES)));
	needRest(op);
	const keepsNone = causal && given.mask === void 0 && !core().is_transforming();
	const chunk = given.queryChunk === void 0 ? keepsNone ? queries : few : countOf(op, "the chunk of queries", given.queryChunk, 1);
	return composed(op, () => {
		const masks = given.mask === void 0 ? [] : [Tensor.of(op, "the mask", given.mask)];
		const how = {
			groups: sharing(op, q, k),
			causal,
			scale
		};
		return chunk < queries ? byChunks(q, k, v, masks, how, chunk) : attend(q, k, v, masks, how, 0);
	});
}
/** Some of the positions of [..., positions, width]. */
function rows(x, start, end) {
	return slice(x, ...x.shape.slice(0, -2).map(() => null), [start, end]);
}
/** As `attend`, of so many queries at a time, whose scores a gradient computes again. */
function byChunks(q, k, v, masks, how, chunk) {
	const again = checkpoint(attend);
	const [queries, keys] = [q.shape.at(-2), k.shape.at(-2)];
	const apart = how.causal && masks.length === 0;
	const stretch = apart ? Math.ceil(queries / chunk / 4) * chunk : queries;
	const parts = [];
	for (let start = 0; start < queries; start += stretch) {
		const end = Math.min(queries, start + stretch);
		const [ks, vs] = apart ? [rows(k, 0, Math.min(keys, end)), rows(v, 0, Math.min(keys, end))] : [k, v];
		const count = Math.floor((end - start) / chunk);
		const middle = start + count * chunk;
		const byQuery = masks.filter((mask) => (mask.shape.at(-2) ?? 1) > 1);
		const ofAll = masks.filter((mask) => !byQuery.includes(mask));
		if (count > 0) {
			const inChunks = (x) => {
				const lead = x.shape.slice(0, -2);
				const apart = reshape(rows(x, start, middle), [
					...lead,
					count,
					chunk,
					x.shape.at(-1)
				]);
				return permute(apart, [
					lead.length,
					...lead.keys(),
					lead.length + 1,
					lead.length + 2
				]);
			};
			const [, found] = scan((first, [q, ...byQuery]) => [add(first, chunk), again(q, ks, vs, [...byQuery, ...ofAll], how, first)], tensor(start, { dtype: "i32" }), [q, ...byQuery].map(inChunks));
			const lead = found.shape.slice(1, -2);
			const together = permute(found, [
				...lead.map((_, axis) => axis + 1),
				0,
				lead.length + 1,
				lead.length + 2
			]);
			parts.push(reshape(together, [
				...lead,
				count * chunk,
				found.shape.at(-1)
			]));
		}
		if (middle < end) parts.push(again(rows(q, middle, end), ks, vs, [...byQuery.map((mask) => rows(mask, middle, end)), ...ofAll], how, middle));
	}
	return concat(parts, -2);
}
/** Attention of the queries from number `first` on. */
function attend(q, k, v, masks, how, first) {
	return roundedOnce([
		q,
		k,
		v,
		...masks
	], (q, k, v, ...masks) => weighed(q, k, v, masks, how, first));
}
const weights = register("attentionWeights");
/** `attend` of floats. */
function weighed(q, k, v, masks, { groups, causal, scale }, first) {
	const [queries, keys] = [q.shape.at(-2), k.shape.at(-2)];
	const grouped = (x, heads) => groups === 1 ? x : reshape(x, [
		...x.shape.slice(0, -3),
		heads / groups,
		groups,
		...x.shape.slice(-2)
	]);
	const shared = (x) => groups === 1 ? x : expandDims(x, -3);
	const heads = q.shape.at(-3) ?? 1;
	let scores = mul(matmul(grouped(q, heads), swapAxes(shared(k), -1, -2)), scale);
	for (const mask of masks) {
		const placed = !(groups > 1 && mask.shape.length >= 3) ? mask : mask.shape.at(-3) === 1 ? expandDims(mask, -3) : grouped(mask, heads);
		scores = mask.dtype === "bool" ? where(placed, scores, UNSEEN) : add(scores, placed);
	}
	const numbers = first === 0 ? arange(queries) : add(arange(queries), first);
	if (causal) scores = where(lessEqual(arange(keys), expandDims(numbers, -1)), scores, UNSEEN);
	const seen = matmul(invoke(weights, (call) => call.tensor(scores)), shared(v));
	return groups === 1 ? seen : reshape(seen, [...q.shape.slice(0, -1), v.shape.at(-1)]);
}
function lastTwo(op, what, x) {
	const [rows, width] = x.shape.slice(-2);
	if (rows !== void 0 && width !== void 0) return [rows, width];
	throw new ShapeError(op, `${what} must be [..., positions, width], got [${x.shape.join(",")}]`);
}
/** How many heads of the query share a head of the keys. */
function sharing(op, q, k) {
	const [of, among] = [q.shape.at(-3) ?? 1, k.shape.at(-3) ?? 1];
	if (of === among || q.shape.length < 3 || k.shape.length < 3 || among === 1) return 1;
	if (of % among === 0) return of / among;
	throw new ShapeError(op, `${among} heads of keys cannot be shared by ${of} of queries`);
}
const [turned, waves] = [register("rotary"), register("sinusoidal")];
/**
* Positions by rotation (RoPE, Su et al. 2021): the first half of the last axis with the second, turned by the position times base^(−2i/width).
* `x` is [..., positions, width]; `positions` are 0, 1, … unless given. Throws `ShapeError` where the width is odd.
*
* Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
*
* @example
* nn.rotary(tensor([[1, 0], [1, 0]])); // [[1,0],[0.5403,0.84147]]
*/
function rotary(x, options = {}) {
	const op = "rotary";
	noMore(op, arguments, 2);
	const given = optionsOf(op, options, {
		positions: void 0,
		base: 1e4
	});
	const [acted, positions] = [Tensor.of(op, "what it acts on", x), given.positions && Tensor.of(op, "the positions", given.positions)];
	const base = finiteOf(op, "the base", given.base);
	if (base <= 0) throw new ValueError(op, `the base must be more than 0, got ${base}`);
	return invoke(turned, (call) => {
		maybe(call.tensor(acted), positions);
		call.put(base);
	});
}
/**
* Positions as waves (Vaswani et al. 2017): [count, width], the even columns sines, the odd ones cosines.
*
* Gives f32.
*
* @example
* nn.sinusoidal(2, 2); // [[0,1],[0.84147,0.5403]]
*/
function sinusoidal(count, width) {
	const op = "sinusoidal";
	noMore(op, arguments, 2);
	return invoke(waves, (call) => call.put(countOf(op, "the number of positions", count), countOf(op, "the width", width)));
}
/**
* The keys and values of a sequence that grows, so that each step computes those of its own positions only. Its extents are fixed, so that nothing is
* compiled for another length. Positions beyond the capacity are left out.
*
* @example
* const attention = new nn.MultiheadAttention(8, 2, { causal: true }).eval();
* const cache = attention.cache(16, 1);
* attention.forward(ones([1, 1, 8]), { cache }).shape; // [1,1,8]
* cache.length.add(0); // 1
*/
var KeyValueCache = class extends Module {
	/** [capacity, batch, heads, width] */
	keys;
	/** [capacity, batch, heads, width] */
	values;
	/** How many positions are kept: a 0-d i32. */
	length;
	constructor(capacity, batch, heads, width) {
		noMore("KeyValueCache", arguments, 4);
		super();
		const op = "KeyValueCache";
		const shape = [
			countOf(op, "the capacity", capacity, 1),
			countOf(op, "the batch", batch, 1),
			countOf(op, "the number of heads", heads, 1),
			countOf(op, "the width", width, 1)
		];
		this.keys = begun(() => zeros(shape), Buffer$1);
		this.values = begun(() => zeros(shape), Buffer$1);
		this.length = begun(() => zeros([], { dtype: "i32" }), Buffer$1);
	}
	get capacity() {
		return this.keys.shape[0];
	}
	/** Forgets all positions. */
	reset() {
		noMore("KeyValueCache", arguments, 0);
		this.length.assign(mul(this.length, 0));
		return this;
	}
	/**
	* Adds keys and values, [batch, heads, positions, width], and gives all that are kept, [batch, heads, capacity, width], with a mask
	* [positions, capacity] of which of them each new position may look at: itself and what came before.
	*/
	extend(keys, values) {
		noMore("KeyValueCache", arguments, 2);
		const fresh = Tensor.of("KeyValueCache", "the keys", keys).shape[2];
		const expected = [
			this.keys.shape[1],
			this.keys.shape[2],
			fresh,
			this.keys.shape[3]
		].join();
		for (const tensor of [keys, values]) if (tensor.shape.join() !== expected) throw new ShapeError("KeyValueCache", `takes [${expected}], got [${tensor.shape.join(",")}]`);
		return inScope(() => {
			const places = add(this.length, arange(fresh));
			const put = (buffer, tensor) => buffer.assign(at(buffer, places).set(permute(tensor, [
				2,
				0,
				1,
				3
			])));
			put(this.keys, keys);
			put(this.values, values);
			const mask = lessEqual(arange(this.capacity), expandDims(places, -1));
			this.length.assign(add(this.length, fresh));
			const laid = (buffer) => permute(buffer, [
				1,
				2,
				0,
				3
			]);
			return {
				keys: laid(this.keys),
				values: laid(this.values),
				mask
			};
		}, (result) => Object.values(result));
	}
	/** Of a cache there is nothing to compute: it is `x`. */
	forward(x) {
		noMore("KeyValueCache", arguments, 1);
		return x;
	}
};
/**
* Attention of several heads with projections before and after: [batch, positions, width] to the same.
*
* @example
* new nn.MultiheadAttention(8, 2).forward(ones([1, 3, 8])).shape; // [1,3,8]
*/
var MultiheadAttention = class extends Module {
	width;
	heads;
	keyHeads;
	causal;
	rotary;
	rate;
	query;
	key;
	value;
	output;
	constructor(width, heads, options = {}) {
		noMore("MultiheadAttention", arguments, 3);
		super();
		const op = "MultiheadAttention";
		const given = optionsOf(op, options, {
			keyHeads: void 0,
			bias: true,
			causal: false,
			rotary: false,
			dropout: 0
		});
		this.width = countOf(op, "the width", width, 1);
		this.heads = countOf(op, "the number of heads", heads, 1);
		this.keyHeads = given.keyHeads === void 0 ? this.heads : countOf(op, "the number of heads of keys", given.keyHeads, 1);
		if (this.width % this.heads !== 0) throw new ValueError(op, `${this.heads} heads do not divide a width of ${this.width}`);
		if (this.heads % this.keyHeads !== 0) throw new ValueError(op, `${this.keyHeads} heads of keys do not divide ${this.heads} heads`);
		this.causal = flagOf(op, "causal", given.causal);
		this.rotary = flagOf(op, "rotary", given.rotary);
		this.rate = rateOf(op, given.dropout);
		const bias = flagOf(op, "bias", given.bias);
		const narrow = this.width / this.heads * this.keyHeads;
		if (this.rotary && this.width / this.heads % 2 !== 0) throw new ValueError(op, `heads that are turned must be of even width, got ${this.width / this.heads}`);
		this.query = new Linear(this.width, this.width, { bias });
		this.key = new Linear(this.width, narrow, { bias });
		this.value = new Linear(this.width, narrow, { bias });
		this.output = new Linear(this.width, this.width, { bias });
	}
	/** A cache for a sequence of up to `capacity` positions and a batch of `batch`. */
	cache(capacity, batch = 1) {
		noMore("MultiheadAttention", arguments, 2);
		return new KeyValueCache(capacity, batch, this.keyHeads, this.width / this.heads);
	}
	forward(x, options = {}) {
		const op = "MultiheadAttention";
		noMore(op, arguments, 2);
		const { context, mask, cache } = optionsOf(op, options, {
			context: void 0,
			mask: void 0,
			cache: void 0
		});
		const source = context === void 0 ? Tensor.of(op, "what it acts on", x) : Tensor.of(op, "the context", context);
		for (const tensor of [Tensor.of(op, "what it acts on", x), source]) {
			if (tensor.shape.length === 3 && tensor.shape[2] === this.width) continue;
			throw new ShapeError(op, `takes [batch, positions, ${this.width}], got [${tensor.shape.join(",")}]`);
		}
		if (cache !== void 0 && !(cache instanceof KeyValueCache)) throw new ValueError(op, "the cache must be what cache() gave");
		if (cache && (context || mask !== void 0)) throw new ValueError(op, "with a cache there can be no context and no mask");
		return inScope(() => {
			const [batch, rows] = x.shape;
			const headed = (tensor, heads) => permute(reshape(tensor, [
				batch,
				tensor.shape[1],
				heads,
				-1
			]), [
				0,
				2,
				1,
				3
			]);
			const positions = cache ? add(cache.length, arange(rows)) : void 0;
			const turned = (tensor) => this.rotary ? rotary(tensor, positions ? { positions } : {}) : tensor;
			const query = turned(headed(this.query.forward(x), this.heads));
			const key = turned(headed(this.key.forward(source), this.keyHeads));
			const value = headed(this.value.forward(source), this.keyHeads);
			const kept = cache?.extend(key, value);
			const seen = kept ? scaledDotProductAttention(query, kept.keys, kept.values, { mask: kept.mask }) : scaledDotProductAttention(query, key, value, {
				causal: this.causal,
				...mask === void 0 ? {} : { mask }
			});
			const joined = this.output.forward(reshape(permute(seen, [
				0,
				2,
				1,
				3
			]), [
				batch,
				rows,
				this.width
			]));
			return this.training && this.rate > 0 ? dropout(joined, this.rate) : joined;
		}, (result) => [result]);
	}
};
// src/nn/transformer.ts
/** The activations by name. "swiglu" multiplies by a second dense layer. */
const activations = {
	gelu,
	relu,
	silu,
	swiglu: silu
};
/**
* A block of a transformer: attention, then two dense layers, each added to its input: [batch, positions, width] to the same. Encoders,
* decoders and decoders alone (`causal`) are made of it.
*
* @example
* const blocks = new nn.Sequential(...[1, 2].map(() => new nn.TransformerBlock(8, 2, { causal: true })));
* blocks.forward(ones([1, 3, 8])).shape; // [1,3,8]
*/
var TransformerBlock = class extends Module {
	normFirst;
	activation;
	rate;
	attentionNorm;
	attention;
	crossNorm;
	cross;
	denseNorm;
	up;
	gate;
	down;
	constructor(width, heads, options = {}) {
		noMore("TransformerBlock", arguments, 3);
		super();
		const op = "TransformerBlock";
		const { hidden, activation, norm, normFirst, cross, ...attention } = optionsOf(op, options, {
			keyHeads: void 0,
			bias: true,
			causal: false,
			rotary: false,
			dropout: 0,
			hidden: void 0,
			activation: "gelu",
			norm: "layer",
			normFirst: true,
			cross: false
		});
		const extent = countOf(op, "the width", width, 1);
		const count = countOf(op, "the number of heads", heads, 1);
		if (extent % count !== 0) throw new ValueError(op, `${count} heads do not divide a width of ${extent}`);
		const between = hidden === void 0 ? 4 * extent : countOf(op, "hidden", hidden, 1);
		if (typeof activation !== "string" || !Object.hasOwn(activations, activation)) throw new ValueError(op, `the activation is one of ${Object.keys(activations).join(", ")}, got ${shown(activation)}`);
		if (norm !== "layer" && norm !== "rms") throw new ValueError(op, `the norm is "layer" or "rms", got ${shown(norm)}`);
		const bias = flagOf(op, "bias", attention.bias);
		const even = () => norm === "layer" ? new LayerNorm(extent, { bias }) : new RMSNorm(extent);
		this.normFirst = flagOf(op, "normFirst", normFirst);
		this.activation = activation;
		this.rate = rateOf(op, attention.dropout);
		const { keyHeads, ...rest } = attention;
		const given = keyHeads === void 0 ? rest : attention;
		this.attentionNorm = even();
		this.attention = new MultiheadAttention(extent, count, given);
		this.crossNorm = flagOf(op, "cross", cross) ? even() : null;
		this.cross = cross ? new MultiheadAttention(extent, count, {
			...given,
			causal: false,
			rotary: false
		}) : null;
		this.denseNorm = even();
		this.up = new Linear(extent, between, { bias });
		this.gate = activation === "swiglu" ? new Linear(extent, between, { bias }) : null;
		this.down = new Linear(between, extent, { bias });
	}
	/** A cache for a sequence of up to `capacity` positions and a batch of `batch`. */
	cache(capacity, batch = 1) {
		noMore("TransformerBlock", arguments, 2);
		return this.attention.cache(capacity, batch);
	}
	forward(x, options = {}) {
		const op = "TransformerBlock";
		noMore(op, arguments, 2);
		Tensor.of(op, "what it acts on", x);
		const { context, ...attend } = optionsOf(op, options, {
			context: void 0,
			mask: void 0,
			cache: void 0
		});
		if (!context !== !this.cross) throw new ValueError(op, this.cross ? "with cross attention there must be a context" : "only with cross attention there can be a context");
		return inScope(() => {
			const own = Object.fromEntries(Object.entries(attend).filter(([, value]) => value !== void 0));
			let value = around(this, x, this.attentionNorm, (inner) => this.attention.forward(inner, own));
			const { cross, crossNorm } = this;
			if (cross && crossNorm && context) value = around(this, value, crossNorm, (inner) => cross.forward(inner, { context }));
			return around(this, value, this.denseNorm, (inner) => dense(this, inner));
		}, (result) => [result]);
	}
};
/** A layer with its norm, and its input added. */
function around(block, x, norm, layer) {
	return block.normFirst ? add(x, layer(norm.forward(x))) : norm.forward(add(x, layer(x)));
}
function dense({ activation, gate, up, down, training, rate }, x) {
	const active = activations[activation];
	const between = gate ? mul(active(gate.forward(x)), up.forward(x)) : active(up.forward(x));
	const result = down.forward(between);
	return training && rate > 0 ? dropout(result, rate) : result;
}
// src/ops/conv.ts
const CONV = {
	stride: null,
	padding: "valid",
	dilation: null,
	inputDilation: null,
	groups: 1,
	batchGroups: 1,
	layout: null
};
const TRANSPOSE = {
	stride: null,
	padding: "valid",
	dilation: null,
	groups: 1,
	outputPadding: null,
	layout: null
};
/** A number for each of so many axes, from one for all or a list; without either the least. */
function each$2(op, what, value, count, least) {
	if (!isArray$1(value)) return Array.from({ length: count }, () => countOf(op, what, value ?? least, least));
	if (value.length !== count) throw new ShapeError(op, `${what}: ${value.length} numbers for ${count} axes`);
	return Array.from(value, (one) => countOf(op, what, one, least));
}
const NAMED = [
	"valid",
	"same",
	"sameLower"
];
const ANY = -(2 ** 30);
/** Padding as the core takes it: its number, and where it is a list, before and after each axis. */
function putPadding(call, padding, count) {
	const named = NAMED.indexOf(padding);
	if (named >= 0) {
		call.put(named);
		return;
	}
	if (typeof padding === "string") throw new ValueError(call.op, `padding is a number, a list or one of ${NAMED.join(", ")}, got ${shown(padding)}`);
	const list = isArray$1(padding) ? Array.from(padding) : Array.from({ length: count }, () => padding);
	if (list.length !== count) throw new ShapeError(call.op, `padding: ${list.length} entries for ${count} axes`);
	call.put(3);
	for (const entry of list) {
		const pair = isArray$1(entry) ? Array.from(entry) : [entry, entry];
		if (pair.length !== 2) throw new ShapeError(call.op, `padding of an axis is a number or a pair, got ${pair.length} numbers`);
		call.put(...pair.map((one) => countOf(call.op, "padding", one, ANY)));
	}
}
/** Letters of spatial axes that nobody named. */
const LETTERS = "XYZUVWABDEFG";
/** Where in each of the three tensors the two axes that are not spatial are, and then the spatial ones in the kernel's order, as JAX has it. */
function putLayout(call, layout, count) {
	const op = call.op;
	const spatial = LETTERS.slice(0, count);
	const given = layout === null ? [
		`NC${spatial}`,
		`OI${spatial}`,
		`NC${spatial}`
	] : listOf(op, "a layout: the axes of input, kernel and output", layout);
	if (given.length !== 3) throw new ShapeError(op, `a layout is three texts, got ${given.length}`);
	const texts = Array.from(given, (text) => Array.from(textOf(op, "a layout", text)));
	const along = texts[1].filter((letter) => letter !== "O" && letter !== "I");
	for (const [place, letters] of texts.entries()) {
		const wanted = [...place === 1 ? ["O", "I"] : ["N", "C"], ...along];
		const places = wanted.map((letter) => letters.indexOf(letter));
		if (letters.length !== count + 2 || wanted.length !== count + 2 || places.includes(-1) || new Set(letters).size !== letters.length) throw new ShapeError(op, `the layout ${shown(letters.join(""))} does not name ${count + 2} axes as ${shown(wanted.join(""))} does`);
		call.put(...places);
	}
}
/** Puts what stands in one place of a call as a list: its length is known when all of it is there. */
function listed(call, fill) {
	const start = call.numbers.length;
	call.put(0);
	fill();
	call.numbers[start] = call.numbers.length - start - 1;
}
/** How many spatial axes a tensor has that stands first in a call. */
function spatialOf(call, x) {
	const { length } = shapeOf(x, call);
	if (length < 2) throw new ShapeError(call.op, `the input has ${length} axes: it needs two and those that the kernel slides along`);
	return length - 2;
}
const convolved$1 = register("conv");
/**
* The convolution of `x` with a kernel, which is not flipped, in as many dimensions as `x` has axes besides its batch and its features: [batch, features,
* …] with [features made, features taken, …] to [batch, features made, …], or with axes in the order that `layout` names. Nothing of the
* windows' size is stored. Throws `ShapeError` where axes or features do not fit.
*
* Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* conv([[[1, 2, 3, 4]]], [[[1, 0, -1]]]); // [[[-2,-2]]]
* conv(ones([8, 32, 32, 3]), ones([3, 3, 3, 16]), { padding: "same", layout: ["NHWC", "HWIO", "NHWC"] }).shape; // [8,32,32,16]
*/
function conv(x, kernel, options = {}) {
	noMore("conv", arguments, 3);
	return sliding(convolved$1, x, kernel, optionsOf("conv", options, CONV), null);
}
const transposedConv = register("convTranspose");
/**
* The transposed convolution, as PyTorch has it: the gradient of a convolution with this kernel by its input. [batch, features taken, …] with
* [features taken, features made, …] to [batch, features made, …]. Throws `ShapeError` where axes or features do not fit.
*
* Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* convTranspose([[[1, 2]]], [[[1, 1, 1]]], { stride: 2 }); // [[[1,1,3,2,2]]]
*/
function convTranspose(x, kernel, options = {}) {
	noMore("convTranspose", arguments, 3);
	const { outputPadding, ...rest } = optionsOf("convTranspose", options, TRANSPOSE);
	return sliding(transposedConv, x, kernel, {
		...CONV,
		...rest
	}, outputPadding ?? 0);
}
function sliding(opcode, x, kernel, options, extra) {
	return invoke(opcode, (call) => {
		const count = spatialOf(call.tensor(x), x);
		call.tensor(kernel);
		listed(call, () => {
			call.put(count, countOf(call.op, "groups", options.groups, 1), countOf(call.op, "batchGroups", options.batchGroups, 1));
			for (const what of [
				"stride",
				"inputDilation",
				"dilation"
			]) call.put(...each$2(call.op, what, options[what], count, 1));
			putLayout(call, options.layout, count);
			putPadding(call, options.padding, count);
			if (extra !== null) call.put(...each$2(call.op, "outputPadding", extra, count, 0));
		});
	});
}
const WINDOW = {
	stride: null,
	padding: "valid",
	dilation: null,
	ceil: false
};
const REDUCTIONS = [
	"sum",
	"prod",
	"max",
	"min"
];
const reduced = register("reduceWindow");
/** Puts windows over the last axes: the others have windows of one. */
function putWindows(call, x, window, options) {
	const { length } = shapeOf(x, call);
	const op = call.op;
	const sizes = listOf(op, "the extents of a window", window);
	if (sizes.length > length) throw new ShapeError(op, `a window of ${sizes.length} axes over a tensor of ${length}`);
	const rest = Array.from({ length: length - sizes.length }, () => 1);
	const extents = Array.from(sizes, (size) => countOf(op, "the extent of a window", size, 1));
	const stride = options.stride === null ? extents : each$2(op, "stride", options.stride, sizes.length, 1);
	const dilation = each$2(op, "dilation", options.dilation, sizes.length, 1);
	listed(call, () => {
		call.put(length, ...rest, ...extents, ...rest, ...stride, ...rest, ...dilation, Number(options.ceil));
		const whole = isArray$1(options.padding) || typeof options.padding === "number";
		const list = isArray$1(options.padding) ? options.padding : Array.from(sizes, () => options.padding);
		if (whole && list.length !== sizes.length) throw new ShapeError(op, `padding: ${list.length} entries for ${sizes.length} axes`);
		putPadding(call, whole ? [...rest.map(() => 0), ...list] : options.padding, length);
	});
}
/**
* Windows over the last axes, each reduced to one element: `"sum"`, `"prod"`, `"max"` or `"min"`. Equal elements of a maximum share its gradient.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* reduceWindow([1, 2, 3, 4], "sum", [3], { stride: 1 }); // [6,9]
* reduceWindow([[1, 2], [3, 4]], "max", [2, 2]); // [[4]]
*/
function reduceWindow(x, reduction, window, options = {}) {
	const op = "reduceWindow";
	noMore(op, arguments, 4);
	const code = REDUCTIONS.indexOf(reduction);
	if (code < 0) throw new ValueError(op, `a reduction is one of ${REDUCTIONS.join(", ")}, got ${shown(reduction)}`);
	const read = optionsOf(op, options, WINDOW);
	return invoke(reduced, (call) => putWindows(call.tensor(x).put(code), x, window, read));
}
const averaged$1 = register("averageWindow");
/**
* The mean of each window over the last axes.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* averageWindow([1, 2, 3, 4], [2]); // [1.5,3.5]
*/
function averageWindow(x, window, options = {}) {
	noMore("averageWindow", arguments, 3);
	const { countPadding, ...read } = optionsOf("averageWindow", options, {
		...WINDOW,
		countPadding: true
	});
	return invoke(averaged$1, (call) => putWindows(call.tensor(x).put(Number(countPadding)), x, window, read));
}
// src/nn/convolutions.ts
const PLAIN = {
	stride: null,
	padding: "valid",
	dilation: null,
	groups: 1,
	bias: null
};
const POOL = {
	stride: null,
	padding: "valid",
	dilation: null,
	ceil: false
};
/** `call` on `x` with a batch axis, which is taken off again where it had none. */
function batched(op, x, spatial, call) {
	return inScope(() => {
		const whole = x instanceof Tensor ? x : tensorFrom(x, op);
		const { length } = whole.shape;
		if (length === spatial + 2) return call(whole);
		if (length !== spatial + 1) throw new ShapeError(op, `takes [batch, features, …] with ${spatial + 2} axes, or one without the batch, got ${length} axes`);
		return squeeze(call(expandDims(whole, 0)), 0);
	}, (result) => [result]);
}
/** Without what was left out. */
function given$1(options) {
	return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null));
}
function convolution(op, spatial, call, defaults) {
	return (x, weight, options = {}, ...more) => {
		noMore(op, [
			x,
			weight,
			options,
			...more
		], 3);
		const { bias, ...how } = optionsOf(op, options, defaults);
		return batched(op, x, spatial, (x) => {
			if (bias === null) return call(x, weight, given$1(how));
			return roundedOnce([
				x,
				lifted$1(op, weight),
				lifted$1(op, bias)
			], (x, weight, bias) => {
				return add(call(x, weight, given$1(how)), reshape(bias, [-1, ...Array.from({ length: spatial }, () => 1)]));
			});
		});
	};
}
/**
* The convolution of [batch, features, length] with [features made, features taken, length]. Without the batch axis, of one member.
*
* @example
* nn.conv1d([[[1, 2, 3]]], [[[1, 1]]], { bias: [10] }); // [[[13,15]]]
*/
const conv1d = convolution("conv1d", 1, conv, PLAIN);
/**
* The convolution of [batch, features, height, width] with [features made, features taken, height, width].
*
* @example
* nn.conv2d(ones([1, 3, 8, 8]), ones([4, 3, 3, 3]), { padding: "same" }).shape; // [1,4,8,8]
*/
const conv2d = convolution("conv2d", 2, conv, PLAIN);
/**
* The convolution of [batch, features, depth, height, width] with [features made, features taken, depth, height, width].
*
* @example
* nn.conv3d(ones([1, 2, 4, 4, 4]), ones([3, 2, 2, 2, 2])).shape; // [1,3,3,3,3]
*/
const conv3d = convolution("conv3d", 3, conv, PLAIN);
const TRANSPOSED = {
	...PLAIN,
	outputPadding: null
};
/**
* The transposed convolution of [batch, features, length] with [features taken, features made, length].
*
* @example
* nn.convTranspose1d([[[1, 2]]], [[[1, 1]]], { stride: 2 }); // [[[1,1,2,2]]]
*/
const convTranspose1d = convolution("convTranspose1d", 1, convTranspose, TRANSPOSED);
/**
* The transposed convolution of [batch, features, height, width] with [features taken, features made, height, width].
*
* @example
* nn.convTranspose2d(ones([1, 3, 4, 4]), ones([3, 2, 2, 2]), { stride: 2 }).shape; // [1,2,8,8]
*/
const convTranspose2d = convolution("convTranspose2d", 2, convTranspose, TRANSPOSED);
/**
* The transposed convolution of [batch, features, depth, height, width] with [features taken, features made, depth, height, width].
*
* @example
* nn.convTranspose3d(ones([1, 1, 2, 2, 2]), ones([1, 1, 2, 2, 2])).shape; // [1,1,3,3,3]
*/
const convTranspose3d = convolution("convTranspose3d", 3, convTranspose, TRANSPOSED);
/** The extents of a window over so many axes. */
function windowOf(op, spatial, window) {
	const list = isArray$1(window) ? window : Array.from({ length: spatial }, () => window);
	if (list.length !== spatial) throw new ShapeError(op, `a window has ${spatial} extents, got ${list.length}`);
	return Array.from(list, (extent) => countOf(op, "the extent of a window", extent, 1));
}
function maximum$1(op, spatial) {
	return (x, window, options = {}, ...more) => {
		noMore(op, [
			x,
			window,
			options,
			...more
		], 3);
		const how = given$1(optionsOf(op, options, POOL));
		return batched(op, x, spatial, (x) => reduceWindow(x, "max", windowOf(op, spatial, window), how));
	};
}
function average$1(op, spatial) {
	return (x, window, options = {}, ...more) => {
		noMore(op, [
			x,
			window,
			options,
			...more
		], 3);
		const how = given$1(optionsOf(op, options, {
			...POOL,
			countPadding: true
		}));
		return batched(op, x, spatial, (x) => averageWindow(x, windowOf(op, spatial, window), how));
	};
}
/**
* The largest element of each window over the last axis of [batch, features, length].
*
* @example
* nn.maxPool1d([[[1, 3, 2, 0]]], 2); // [[[3,2]]]
*/
const maxPool1d = maximum$1("maxPool1d", 1);
/**
* The largest element of each window over the last two axes.
*
* @example
* nn.maxPool2d([[[[1, 2], [3, 4]]]], 2); // [[[[4]]]]
*/
const maxPool2d = maximum$1("maxPool2d", 2);
/**
* The largest element of each window over the last three axes.
*
* @example
* nn.maxPool3d(ones([1, 1, 4, 4, 4]), 2).shape; // [1,1,2,2,2]
*/
const maxPool3d = maximum$1("maxPool3d", 3);
/**
* The mean of each window over the last axis of [batch, features, length].
*
* @example
* nn.avgPool1d([[[1, 3, 2, 0]]], 2); // [[[2,1]]]
*/
const avgPool1d = average$1("avgPool1d", 1);
/**
* The mean of each window over the last two axes.
*
* @example
* nn.avgPool2d([[[[1, 2], [3, 4]]]], 2); // [[[[2.5]]]]
*/
const avgPool2d = average$1("avgPool2d", 2);
/**
* The mean of each window over the last three axes.
*
* @example
* nn.avgPool3d(ones([1, 1, 4, 4, 4]), 2).shape; // [1,1,2,2,2]
*/
const avgPool3d = average$1("avgPool3d", 3);
/** A layer with a kernel. */
var Sliding = class extends Module {
	inputs;
	outputs;
	weight;
	bias;
	how;
	constructor(op, spatial, inputs, outputs, window, options, transposed) {
		super();
		const { bias, ...how } = optionsOf(op, options, {
			...transposed ? TRANSPOSED : PLAIN,
			bias: true
		});
		this.inputs = countOf(op, "the number of features taken", inputs, 1);
		this.outputs = countOf(op, "the number of features made", outputs, 1);
		const groups = countOf(op, "groups", how.groups, 1);
		if (inputs % groups !== 0 || outputs % groups !== 0) throw new ShapeError(op, `${inputs} features in and ${outputs} out do not fall into ${groups} groups`);
		const extents = windowOf(op, spatial, window);
		const size = extents.reduce((size, extent) => size * extent, 1);
		const [first, second] = transposed ? [inputs, outputs / groups] : [outputs, inputs / groups];
		const bound = 1 / Math.sqrt(second * size);
		this.how = given$1(how);
		this.weight = drawn$1([
			first,
			second,
			...extents
		], bound);
		this.bias = bias ? drawn$1([outputs], bound) : null;
	}
	/** What the function of the layer is called with besides the input and the kernel. */
	options() {
		return {
			...this.how,
			bias: this.bias
		};
	}
};
/** A parameter whose initial value is not left behind. */
function drawn$1(shape, bound) {
	return inScope(() => new Parameter(uniformWithin(shape, bound)), () => []);
}
/**
* A convolution over one axis, of [batch, inputs, length]. `weight` is [outputs, inputs / groups, window], `bias` [outputs].
*
* @example
* new nn.Conv1d(3, 8, 5, { padding: 2 }).forward(ones([2, 3, 16])).shape; // [2,8,16]
*/
var Conv1d = class extends Sliding {
	constructor(inputs, outputs, window, options = {}) {
		noMore("Conv1d", arguments, 4);
		super("Conv1d", 1, inputs, outputs, window, options, false);
	}
	forward(x) {
		noMore("Conv1d", arguments, 1);
		return conv1d(x, this.weight, this.options());
	}
};
/**
* A convolution over two axes, of [batch, inputs, height, width].
*
* @example
* new nn.Conv2d(3, 8, 3, { stride: 2, padding: 1 }).forward(ones([2, 3, 16, 16])).shape; // [2,8,8,8]
*/
var Conv2d = class extends Sliding {
	constructor(inputs, outputs, window, options = {}) {
		noMore("Conv2d", arguments, 4);
		super("Conv2d", 2, inputs, outputs, window, options, false);
	}
	forward(x) {
		noMore("Conv2d", arguments, 1);
		return conv2d(x, this.weight, this.options());
	}
};
/**
* A convolution over three axes, of [batch, inputs, depth, height, width].
*
* @example
* new nn.Conv3d(1, 4, 3).forward(ones([1, 1, 5, 5, 5])).shape; // [1,4,3,3,3]
*/
var Conv3d = class extends Sliding {
	constructor(inputs, outputs, window, options = {}) {
		noMore("Conv3d", arguments, 4);
		super("Conv3d", 3, inputs, outputs, window, options, false);
	}
	forward(x) {
		noMore("Conv3d", arguments, 1);
		return conv3d(x, this.weight, this.options());
	}
};
/**
* A transposed convolution over one axis. `weight` is [inputs, outputs / groups, window].
*
* @example
* new nn.ConvTranspose1d(3, 2, 4, { stride: 2, padding: 1 }).forward(ones([1, 3, 8])).shape; // [1,2,16]
*/
var ConvTranspose1d = class extends Sliding {
	constructor(inputs, outputs, window, options = {}) {
		noMore("ConvTranspose1d", arguments, 4);
		super("ConvTranspose1d", 1, inputs, outputs, window, options, true);
	}
	forward(x) {
		noMore("ConvTranspose1d", arguments, 1);
		return convTranspose1d(x, this.weight, this.options());
	}
};
/**
* A transposed convolution over two axes.
*
* @example
* new nn.ConvTranspose2d(3, 2, 2, { stride: 2 }).forward(ones([1, 3, 8, 8])).shape; // [1,2,16,16]
*/
var ConvTranspose2d = class extends Sliding {
	constructor(inputs, outputs, window, options = {}) {
		noMore("ConvTranspose2d", arguments, 4);
		super("ConvTranspose2d", 2, inputs, outputs, window, options, true);
	}
	forward(x) {
		noMore("ConvTranspose2d", arguments, 1);
		return convTranspose2d(x, this.weight, this.options());
	}
};
/**
* A transposed convolution over three axes.
*
* @example
* new nn.ConvTranspose3d(1, 2, 2, { stride: 2 }).forward(ones([1, 1, 3, 3, 3])).shape; // [1,2,6,6,6]
*/
var ConvTranspose3d = class extends Sliding {
	constructor(inputs, outputs, window, options = {}) {
		noMore("ConvTranspose3d", arguments, 4);
		super("ConvTranspose3d", 3, inputs, outputs, window, options, true);
	}
	forward(x) {
		noMore("ConvTranspose3d", arguments, 1);
		return convTranspose3d(x, this.weight, this.options());
	}
};
/** A layer that pools. */
var Pooling = class extends Module {
	window;
	how;
	constructor(op, spatial, window, options, counts) {
		super();
		this.window = windowOf(op, spatial, window);
		this.how = given$1(optionsOf(op, options, counts ? {
			...POOL,
			countPadding: true
		} : POOL));
	}
};
/**
* `maxPool1d` as a layer.
*
* @example
* new nn.MaxPool1d(2).forward(ones([1, 3, 8])).shape; // [1,3,4]
*/
var MaxPool1d = class extends Pooling {
	constructor(window, options = {}) {
		noMore("MaxPool1d", arguments, 2);
		super("MaxPool1d", 1, window, options, false);
	}
	forward(x) {
		noMore("MaxPool1d", arguments, 1);
		return maxPool1d(x, this.window, this.how);
	}
};
/**
* `maxPool2d` as a layer.
*
* @example
* new nn.MaxPool2d(3, { stride: 2, padding: 1 }).forward(ones([1, 3, 8, 8])).shape; // [1,3,4,4]
*/
var MaxPool2d = class extends Pooling {
	constructor(window, options = {}) {
		noMore("MaxPool2d", arguments, 2);
		super("MaxPool2d", 2, window, options, false);
	}
	forward(x) {
		noMore("MaxPool2d", arguments, 1);
		return maxPool2d(x, this.window, this.how);
	}
};
/**
* `maxPool3d` as a layer.
*
* @example
* new nn.MaxPool3d(2).forward(ones([1, 1, 4, 4, 4])).shape; // [1,1,2,2,2]
*/
var MaxPool3d = class extends Pooling {
	constructor(window, options = {}) {
		noMore("MaxPool3d", arguments, 2);
		super("MaxPool3d", 3, window, options, false);
	}
	forward(x) {
		noMore("MaxPool3d", arguments, 1);
		return maxPool3d(x, this.window, this.how);
	}
};
/**
* `avgPool1d` as a layer.
*
* @example
* new nn.AvgPool1d(2).forward(tensor([[[1, 3]]])); // [[[2]]]
*/
var AvgPool1d = class extends Pooling {
	constructor(window, options = {}) {
		noMore("AvgPool1d", arguments, 2);
		super("AvgPool1d", 1, window, options, true);
	}
	forward(x) {
		noMore("AvgPool1d", arguments, 1);
		return avgPool1d(x, this.window, this.how);
	}
};
/**
* `avgPool2d` as a layer.
*
* @example
* new nn.AvgPool2d(2).forward(ones([1, 3, 8, 8])).shape; // [1,3,4,4]
*/
var AvgPool2d = class extends Pooling {
	constructor(window, options = {}) {
		noMore("AvgPool2d", arguments, 2);
		super("AvgPool2d", 2, window, options, true);
	}
	forward(x) {
		noMore("AvgPool2d", arguments, 1);
		return avgPool2d(x, this.window, this.how);
	}
};
/**
* `avgPool3d` as a layer.
*
* @example
* new nn.AvgPool3d(2).forward(ones([1, 1, 4, 4, 4])).shape; // [1,1,2,2,2]
*/
var AvgPool3d = class extends Pooling {
	constructor(window, options = {}) {
		noMore("AvgPool3d", arguments, 2);
		super("AvgPool3d", 3, window, options, true);
	}
	forward(x) {
		noMore("AvgPool3d", arguments, 1);
		return avgPool3d(x, this.window, this.how);
	}
};
// src/nn/functional.ts
var functional_exports = /* @__PURE__ */ __exportAll({ crossEntropy: () => crossEntropy });
/**
* The mean of −log softmax(logits)[target]: `logits` [..., classes], `targets` class numbers [...] (i32, u32 or plain numbers),
* or probabilities of the shape of the logits. A 0-d f32; NaN where all rows are ignored.
*
* Throws `ShapeError`, `DTypeError`, and `ValueError` for a class that there is not where it can be known without waiting for the
* device: in numbers, arrays, and integer tensors whose values are `known`. Elsewhere such a class counts as the one with the largest logit.
*
* Takes any dtype, then i32, u32, f32; gives f32 even of f16. Differentiable; `vmap` batches it.
*
* @example
* crossEntropy([[1, 2, 3], [1, 2, 3]], [2, 0]); // 1.4076
* crossEntropy([[1, 2, 3]], [3]); // throws ValueError
* crossEntropy([[1, 2, 3]], [2], { labelSmoothing: 0.1 }); // 0.50761
*/
function crossEntropy(logits, targets, options = {}) {
	const op = "crossEntropy";
	noMore(op, arguments, 3);
	const { ignoreIndex, labelSmoothing } = optionsOf(op, options, {
		ignoreIndex: null,
		labelSmoothing: 0
	});
	if (labelSmoothing < 0 || labelSmoothing > 1) throw new ValueError(op, `labelSmoothing must lie in [0, 1], got ${labelSmoothing}`);
	const ignored = ignoreIndex === null ? null : countOf(op, "ignoreIndex", ignoreIndex, -(2 ** 31));
	const isPlain = ignored === null && labelSmoothing === 0;
	return invoke(isPlain ? entropy : {
		...weighted,
		name: op
	}, (call) => {
		putRows(call, logits, targets, ignored);
		if (isPlain) return;
		call.put(...ignored === null ? [0] : [1, ignored], labelSmoothing);
	});
}
/** Puts logits, and targets where they fit. */
function putRows(call, logits, targets, ignored) {
	const op = call.op;
	call.tensor(logits);
	const shape = logits instanceof Tensor ? logits.shape : Array.from(core().shape(call.numbers[0]));
	const target = targets instanceof Tensor ? targets : flattenNested(numbersOf$1(op, targets), op);
	if (shape.length > 0 && target.shape.join() === shape.join() && !(target instanceof Tensor && !isFloat(target.dtype))) {
		call.tensor(targets, "f32");
		return;
	}
	putIndices(call, targets, {
		what: "class",
		least: 0,
		below: target.shape.join() === shape.slice(0, -1).join() && shape.at(-1) || 2 ** 31,
		...ignored === null ? {} : { also: ignored }
	});
}
const [entropy, weighted] = [register("crossEntropy"), register("crossEntropy.weighted")];
// src/ops/generated/loss.ts
/**
* The mean of (x − target)². A 0-d f32.
*
* Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
*
* @example
* mseLoss([1, 2], [3, 2]); // 2
*/
const mseLoss = operation("mseLoss", tensor$1, operand);
/**
* The mean of |x − target|. A 0-d f32.
*
* Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
*
* @example
* l1Loss([1, 2], [3, 2]); // 1
*/
const l1Loss = operation("l1Loss", tensor$1, operand);
/**
* The mean of a loss that is (x − target)²/2 where that is nearer than `delta`, and grows like
* delta · |x − target| beyond. A 0-d f32.
*
* Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
*
* @example
* huberLoss([0, 3], [0.5, 0]); // 1.3125
*/
const huberLoss = operation("huberLoss", tensor$1, operand, or(number("the delta"), 1));
/**
* The mean cross entropy of truths (0 to 1) and the sigmoid of x, without overflow. A 0-d f32.
*
* Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
*
* @example
* binaryCrossEntropy([0, 0], [0, 1]); // 0.69315
*/
const binaryCrossEntropy = operation("binaryCrossEntropy", tensor$1, operand);
// src/ops/generated/loss_per_element.ts
/**
* ½·(x − target)² of each element.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.l2Loss([1, 3], 1); // [0,2]
*/
const l2Loss = operation("l2Loss", tensor$1, or(operand, 0));
/**
* |x − target| of each element.
*
* Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
*
* @example
* nn.l1Loss([1, 3], 1); // [0,2]
*/
const l1Loss$1 = operation("nn.l1Loss", tensor$1, or(operand, 0));
/**
* log(cosh(x − target)) of each element, without overflow.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.logCosh([0, 100]); // [0,99.307]
*/
const logCosh = operation("logCosh", tensor$1, or(operand, 0));
/**
* max(0, 1 − x·target) of each element, targets −1 and 1.
*
* Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
*
* @example
* nn.hingeLoss([0.5, 2], [1, -1]); // [0.5,3]
*/
const hingeLoss = operation("hingeLoss", tensor$1, operand);
/**
* The binary cross-entropy of each element of logits with labels from 0 to 1, without
* overflow.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.sigmoidCrossEntropy([0, -100], [1, 1]); // [0.69315,100]
*/
const sigmoidCrossEntropy = operation("sigmoidCrossEntropy", tensor$1, tensor$1);
/**
* The cross-entropy of each line of the last axis of logits with probabilities.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.softmaxCrossEntropy([[0, 0]], [[0.5, 0.5]]); // [0.69315]
*/
const softmaxCrossEntropy = operation("softmaxCrossEntropy", tensor$1, tensor$1);
/**
* `nn.softmaxCrossEntropy` where a label of 0 counts nothing, whatever its logit is: also −∞
* and NaN.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.safeSoftmaxCrossEntropy([[0, 0, -Infinity]], [[0.5, 0.5, 0]]); // [0.69315]
*/
const safeSoftmaxCrossEntropy = operation("safeSoftmaxCrossEntropy", tensor$1, tensor$1);
/**
* Probabilities mixed with equal ones: `amount` of each line of the last axis is shared among
* all classes.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.smoothLabels([[1, 0]], 0.2); // [[0.9,0.1]]
*/
const smoothLabels = operation("smoothLabels", tensor$1, finite("the amount"));
/**
* The cosine of the angle between lines of the last axis, whose lengths count as `epsilon` at
* least.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.cosineSimilarity([[1, 0]], [[1, 1]]); // [0.70711]
*/
const cosineSimilarity = operation("cosineSimilarity", tensor$1, tensor$1, or(finite("the epsilon"), 1e-8));
/**
* 1 less `nn.cosineSimilarity`.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.cosineDistance([[1, 0]], [[0, 1]]); // [1]
*/
const cosineDistance = operation("cosineDistance", tensor$1, tensor$1, or(finite("the epsilon"), 1e-8));
/**
* How far distributions are from targets: Σ t·(log t − x) over the last axis, x logarithms of
* probabilities, t probabilities.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.klDivergence(log([[0.5, 0.5]]), [[1, 0]]); // [0.69315]
*/
const klDivergence = operation("klDivergence", tensor$1, tensor$1);
/**
* `nn.klDivergence` of what need not add up to 1: Σ t·(log t − x) − t + eˣ over the last axis.
* Convex in both.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.convexKlDivergence(log([[0.5, 1]]), [[1, 1]]); // [0.19315]
*/
const convexKlDivergence = operation("convexKlDivergence", tensor$1, tensor$1);
/**
* eˣ − target·x of each element: the likelihood of counts, x logarithms of rates.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.poissonLoss([0, 0], [1, 2]); // [1,1]
*/
const poissonLoss = operation("poissonLoss", tensor$1, operand);
/**
* How far, by a margin, lines of the last axis are nearer to the negative than to the positive
* ones: max(0, |a − p| − |a − n| + margin).
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.tripletLoss([[0, 0]], [[3, 4]], [[0, 1]]); // [5]
*/
const tripletLoss = operation("tripletLoss", tensor$1, tensor$1, tensor$1, or(finite("the margin"), 1));
/**
* The binary cross-entropy of each element, in which what is predicted well counts less: times
* (1 − p)ᵞ, p the probability of the label.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.focalLoss([0], [1]); // [0.17329]
*/
const focalLoss = operation("focalLoss", tensor$1, tensor$1, or(finite("the gamma"), 2));
/**
* How far a batch of vectors, `[batch, features]`, is from one in which those of one label
* point the same way and all others elsewhere: the normalised cross-entropy of cosines over a
* temperature (Chen et al. 2020), as `optax.ntxent`. A 0-d f32; NaN where no label stands
* twice.
*
* Takes any dtype, then i32, u32; gives f32 even of f16. Differentiable; `vmap` batches it.
*
* @example
* nn.ntxent([[1, 0], [1, 0], [0, 1]], tensor([0, 0, 1], { dtype: "i32" }), 1); // 0.31326
*/
const ntxent = operation("ntxent", tensor$1, integers, or(finite("the temperature"), .07));
/**
* log(1 − e⁻ˣ) for x above 0, without cancellation.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.log1mexp([1, 50]); // [-0.45868,-1.9287e-22]
*/
const log1mexp = operation("log1mexp", tensor$1);
/**
* 0 below −1, x above 1, and (x + 1)²/4 between.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.sparsePlus([-2, 0, 3]); // [0,0.25,3]
*/
const sparsePlus = operation("sparsePlus", tensor$1);
/**
* 0 below −1, 1 above 1, and (x + 1)/2 between.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nn.sparseSigmoid([-2, 0, 3]); // [0,0.5,1]
*/
const sparseSigmoid = operation("sparseSigmoid", tensor$1);
// src/nn/alignment.ts
const aligned = register("ctcLoss");
/**
* The negative logarithm of the probability that a sequence of logits, `[batch, time, classes]`, says a shorter sequence of labels, `[batch, length]` of whole numbers,
* in whatever rhythm: connectionist temporal classification (Graves et al. 2006), as `optax.ctc_loss`. Paddings, of the shapes `[batch, time]` and
* `[batch, length]`, are 1 where nothing stands, at the end. One number for each sequence. Throws `ShapeError` where shapes do not fit.
*
* Takes any dtype, then any dtype, then i32, u32, then any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* const logits = log([[[0.1, 0.9], [0.8, 0.2]]]);
* nn.ctcLoss(logits, zeros([1, 2]), tensor([[1]], { dtype: "i32" }), zeros([1, 1])).neg().exp(); // [0.92]
*/
function ctcLoss(logits, logitPaddings, labels, labelPaddings, options = {}) {
	const op = "ctcLoss";
	noMore(op, [...arguments], 5);
	const chosen = optionsOf(op, options, {
		blank: 0,
		logEpsilon: -1e5
	});
	return invoke(aligned, (call) => {
		call.tensor(logits).tensor(logitPaddings).tensor(labels, "i32").tensor(labelPaddings);
		call.put(countOf(op, "the blank", chosen.blank), finiteOf(op, "logEpsilon", chosen.logEpsilon));
	});
}
// src/nn/index.ts
var nn_exports = /* @__PURE__ */ __exportAll({
	AvgPool1d: () => AvgPool1d,
	AvgPool2d: () => AvgPool2d,
	AvgPool3d: () => AvgPool3d,
	BatchNorm: () => BatchNorm,
	Buffer: () => Buffer$1,
	CELU: () => CELU,
	Conv1d: () => Conv1d,
	Conv2d: () => Conv2d,
	Conv3d: () => Conv3d,
	ConvTranspose1d: () => ConvTranspose1d,
	ConvTranspose2d: () => ConvTranspose2d,
	ConvTranspose3d: () => ConvTranspose3d,
	Dropout: () => Dropout,
	ELU: () => ELU,
	Embedding: () => Embedding,
	Flatten: () => Flatten,
	GELU: () => GELU,
	GLU: () => GLU,
	GRU: () => GRU,
	GRUCell: () => GRUCell,
	GroupNorm: () => GroupNorm,
	HardSiLU: () => HardSiLU,
	HardSigmoid: () => HardSigmoid,
	HardTanh: () => HardTanh,
	Identity: () => Identity,
	InstanceNorm: () => InstanceNorm,
	KeyValueCache: () => KeyValueCache,
	LSTM: () => LSTM,
	LSTMCell: () => LSTMCell,
	LayerNorm: () => LayerNorm,
	LeakyReLU: () => LeakyReLU,
	Linear: () => Linear,
	LogSigmoid: () => LogSigmoid,
	LogSoftmax: () => LogSoftmax,
	MaxPool1d: () => MaxPool1d,
	MaxPool2d: () => MaxPool2d,
	MaxPool3d: () => MaxPool3d,
	Mish: () => Mish,
	Module: () => Module,
	MultiheadAttention: () => MultiheadAttention,
	PReLU: () => PReLU,
	Parameter: () => Parameter,
	RMSNorm: () => RMSNorm,
	RNN: () => RNN,
	RNNCell: () => RNNCell,
	ReLU: () => ReLU,
	ReLU6: () => ReLU6,
	SELU: () => SELU,
	Sequential: () => Sequential,
	SiLU: () => SiLU,
	Sigmoid: () => Sigmoid,
	SoftSign: () => SoftSign,
	Softmax: () => Softmax,
	Softplus: () => Softplus,
	Tanh: () => Tanh,
	TransformerBlock: () => TransformerBlock,
	avgPool1d: () => avgPool1d,
	avgPool2d: () => avgPool2d,
	avgPool3d: () => avgPool3d,
	batchNorm: () => batchNorm,
	conv1d: () => conv1d,
	conv2d: () => conv2d,
	conv3d: () => conv3d,
	convTranspose1d: () => convTranspose1d,
	convTranspose2d: () => convTranspose2d,
	convTranspose3d: () => convTranspose3d,
	convexKlDivergence: () => convexKlDivergence,
	cosineDistance: () => cosineDistance,
	cosineSimilarity: () => cosineSimilarity,
	crossEntropy: () => crossEntropy,
	ctcLoss: () => ctcLoss,
	dropout: () => dropout,
	focalLoss: () => focalLoss,
	gelu: () => gelu,
	groupNorm: () => groupNorm,
	hingeLoss: () => hingeLoss,
	initial: () => initial_exports,
	klDivergence: () => klDivergence,
	l1Loss: () => l1Loss$1,
	l2Loss: () => l2Loss,
	layerNorm: () => layerNorm,
	log1mexp: () => log1mexp,
	logCosh: () => logCosh,
	logSoftmax: () => logSoftmax,
	maxPool1d: () => maxPool1d,
	maxPool2d: () => maxPool2d,
	maxPool3d: () => maxPool3d,
	mseLoss: () => mseLoss,
	ntxent: () => ntxent,
	oneHot: () => oneHot,
	poissonLoss: () => poissonLoss,
	relu: () => relu,
	rmsNorm: () => rmsNorm,
	rotary: () => rotary,
	safeSoftmaxCrossEntropy: () => safeSoftmaxCrossEntropy,
	scaledDotProductAttention: () => scaledDotProductAttention,
	sigmoid: () => sigmoid,
	sigmoidCrossEntropy: () => sigmoidCrossEntropy,
	sinusoidal: () => sinusoidal,
	smoothLabels: () => smoothLabels,
	softmax: () => softmax,
	softmaxCrossEntropy: () => softmaxCrossEntropy,
	sparsePlus: () => sparsePlus,
	sparseSigmoid: () => sparseSigmoid,
	tanh: () => tanh,
	tripletLoss: () => tripletLoss
});
// src/optim/groups.ts
/** Parameter groups, or `null` for a plain tree. Throws `ValueError` for a list in which only some entries are groups, and for a group that is in no list. */
function groupsOf(op, given) {
	if (isGroup(given) && Object.values(given).some((value) => !(value instanceof Tensor) && !isNode(value))) throw new ValueError(op, "parameter groups come in a list: [{ params, lr }, …]");
	if (!isArray$1(given) || !given.some(isGroup)) return null;
	return given.map((entry, n) => {
		if (!isGroup(entry)) throw new ValueError(op, `entry ${n} is no parameter group, as others are: expected { params, … }, got ${shown(entry)}`);
		const options = Object.entries(entry).filter(([name, value]) => name !== "params" && value !== void 0);
		return {
			params: entry["params"],
			options: Object.fromEntries(options)
		};
	});
}
/** Whether this is an object of options that names `params`, and no module. */
function isGroup(value) {
	return isBag(value) && isNode(value) && !("namedParameters" in value) && Object.hasOwn(value, "params");
}
// src/optim/optimizer.ts
/** The number of the first deferred rule. */
const FIRST_RARE = 2;
const isLearned = (value) => value instanceof Parameter && value.learned;
/** An optimizer that is collected gives its state back. */
const forgotten$1 = new FinalizationRegistry((claims) => releaseLater(() => claims.forEach(drop$1)));
function drop$1(claim) {
	claim.release((known, number) => known.optimizer_drop(number));
}
/**
* Parameters of an optimizer with options of their own, in `optimizer.groups`.
*
* @example
* const optimizer = optim.sgd([{ params: new Parameter(1), lr: 0.1 }, { params: new Parameter(2) }], { lr: 0.01 });
* const [first, second] = optimizer.groups as [optim.Group, optim.Group];
* first.lr; // 0.1
* second.lr; // 0.01
*/
var Group = class {
	/** The parameters, each once. */
	parameters;
	/** The rule with its numbers, in the core. @internal */
	claim;
	#op;
	/** @internal */
	constructor(op, parameters, claim, hasOwn) {
		this.parameters = parameters;
		this.claim = claim;
		this.hasOwn = hasOwn;
		this.#op = op;
	}
	/** Whether it has a learning rate of its own. @internal */
	hasOwn;
	/** The learning rate: the optimizer's, until the group has one of its own. May be set at any time, as the optimizer's. */
	get lr() {
		return core().optimizer_lr(this.number(this.#op));
	}
	set lr(rate) {
		core().optimizer_set_lr(this.number(this.#op), checkRate(this.#op, rate));
		this.hasOwn = true;
	}
	/** How many steps were made since the group was added. */
	get steps() {
		return core().optimizer_steps(this.number(this.#op));
	}
	set steps(steps) {
		core().optimizer_set_steps(this.number(this.#op), countOf(this.#op, "the number of steps", steps));
	}
	/** @internal */
	number(op) {
		return this.claim.number(op, "the optimizer");
	}
};
/**
* Improves parameters by gradients. Made by `sgd`, `adam` and their kin.
*
* @example
* const optimizer: optim.Optimizer = optim.adam(new nn.Linear(2, 1));
* optimizer.lr = 0.01; // at any time
* optimizer.dispose();
*/
var Optimizer = class {
	#op;
	#rule;
	/** The numbers of the rule for a group, whose options these are. */
	#numbers;
	#groups = [];
	#claims = [];
	#parameters = [];
	/** The parameters of what was given, nested as gradients have to be: of groups, a list of such trees. */
	#form;
	#isList;
	/** Where the parameters are in it. */
	#places = /* @__PURE__ */ new Map();
	/** The learning rate of groups that have none of their own. */
	#lr;
	/** @internal */
	constructor(op, parameters, rule, options, numbers) {
		if (typeof numbers !== "function") throw new ValueError("Optimizer", "optimizers are made by sgd, adam and their kin, not with new");
		this.#op = op;
		this.#rule = rule;
		this.#numbers = (own) => Float64Array.from(numbers({
			...options,
			...own
		}), Number);
		this.#lr = Number(numbers(options)[0]);
		const groups = groupsOf(op, parameters);
		this.#isList = groups !== null;
		try {
			if (groups) this.#form = groups.map(({ params, options }, n) => this.#add(op, params, [String(n)], options));
			else this.#form = this.#add(op, parameters, [], {});
		} catch (error) {
			this.#claims.forEach(drop$1);
			throw error;
		}
		forgotten$1.register(this, this.#claims, this);
	}
	/** What it improves, each once: the parameters of all groups, one group after the other. */
	get parameters() {
		return this.#parameters;
	}
	/** The groups of parameters: one, unless it was given several. */
	get groups() {
		return this.#groups;
	}
	/**
	* Adds a group of parameters, as of those that were frozen when the optimizer was made; its steps count from 0. Where they are in the tree that it was made of, gradients keep the form
	* of that; otherwise `step` takes a list with an entry for each group. Throws `ValueError` for a parameter that is in a group already.
	*
	* ```js
	* model.body.freeze();
	* const optimizer = optim.adam(model);
	* // … later
	* model.body.unfreeze();
	* optimizer.addGroup({ params: model.body, lr: 1e-5 });
	* ```
	*/
	addGroup(group) {
		noMore("addGroup", arguments, 1);
		const op = "addGroup";
		const entry = groupsOf(op, [group])?.[0];
		if (!entry) throw new ValueError(op, `takes a parameter group such as { params: model.body, lr: 0.1 }, got ${shown(group)}`);
		const known = new Set(tensorsOf(this.#form));
		const form = this.#add(op, entry.params, [String(this.#groups.length)], entry.options);
		if (tensorsOf(form).every((parameter) => known.has(parameter))) return;
		this.#form = this.#isList ? [...this.#form, form] : [this.#form, form];
		this.#isList = true;
	}
	/**
	* One step by `gradients`, a tree like that of the parameters, as `grad` and `valueAndGrad` return it: a gradient goes to the parameter of its name. Of
	* parameter groups, a list of such trees, one for each group; or the gradients of any tree that has the parameters, as of the whole model, with that tree as
	* `of`. One parameter and its gradient match with or without lists around them. Frozen parameters have none and stay as they are.
	*
	* Assigns the parameters and frees the gradients. A flush point: everything pending that the step needs runs in one submit. Inside `jit` it becomes part of
	* what is captured. Throws `ValueError` where names do not match, and `ShapeError` where gradients do not fit.
	*/
	step(gradients, of) {
		noMore("step", arguments, 2);
		const op = "step";
		const all = tensorsOf(gradients);
		const found = /* @__PURE__ */ new Map();
		try {
			const form = of === void 0 ? this.#form : formOf(op, of);
			const visit = (parameter, gradient) => {
				if (!found.has(parameter)) found.set(parameter, gradient);
			};
			const one = (tree) => isArray$1(tree) && tree.length === 1 ? tree[0] : tree;
			const isOne = isLearned(one(form)) && one(gradients) instanceof Tensor;
			matchTrees(op, {
				what: of === void 0 ? "parameters" : "of",
				tree: isOne ? one(form) : form
			}, {
				what: "gradients",
				tree: isOne ? one(gradients) : gradients
			}, visit, { leaf: isLearned });
			const rows = this.#groups.map((group) => group.parameters.map((parameter) => this.#gradientOf(op, parameter, found)));
			const used = rows.reduce((sum, handles) => sum + handles.filter((handle) => handle !== 0).length, 0);
			if (of === void 0 && used < found.size) this.#refuseUnknown(op, found);
			rows.forEach((handles, n) => core().optimizer_step(this.#groups[n].number(op), Uint32Array.from(handles), n + 1 < rows.length));
		} finally {
			together(() => all.forEach((gradient) => gradient.dispose()));
		}
		noteStep();
		releaseAbandoned();
	}
	/** The handle of the gradient of a parameter; 0 of one that is frozen. */
	#gradientOf(op, parameter, found) {
		const gradient = found.get(parameter);
		if (!gradient && parameter.learned) throw new ValueError(op, `there is no gradient for ${this.#places.get(parameter)?.join(".") || "the parameter"}`);
		if (gradient && this.#groups.length > 1 && gradient.shape.join() !== parameter.shape.join()) throw new ShapeError(op, `${this.#places.get(parameter)?.join(".")} is [${parameter.shape.join(",")}], and its gradient [${gradient.shape.join(",")}]`);
		return gradient?.handle ?? 0;
	}
	/** Throws for gradients of parameters that were frozen when the optimizer was made. */
	#refuseUnknown(op, found) {
		const known = new Set(this.#parameters);
		throw new ValueError(op, `there are gradients for parameters that were frozen when the optimizer was made, of shape ${[...found.keys()].filter((parameter) => !known.has(parameter)).map((parameter) => `[${parameter.shape.join(",")}]`).join(", ")}: add them by addGroup`);
	}
	/** The learning rate of all groups that have none of their own. May be set at any time, also for captured functions: nothing is compiled anew. */
	get lr() {
		this.#first.number(this.#op);
		return this.#lr;
	}
	set lr(rate) {
		this.#lr = checkRate(this.#op, rate);
		for (const group of this.#groups) if (!group.hasOwn) core().optimizer_set_lr(group.number(this.#op), rate);
	}
	/** How many steps were made; calls of captured functions that step count. Set it where training goes on that was interrupted: all groups then have it. */
	get steps() {
		return this.#first.steps;
	}
	set steps(steps) {
		for (const group of this.#groups) group.steps = steps;
	}
	/**
	* What is kept of parameters, by the parameter's place and then one after the other, as `layers.0.weight.1`; with groups the number of the group comes
	* first. This is what `data.toSafetensors` saves. With `steps` and learning rates it is all there is to the optimizer.
	*/
	stateDict() {
		noMore("stateDict", arguments, 0);
		const whole = wholeCore(this.#op);
		const kept = ({ parameters, claim }) => parameters.flatMap((parameter, n) => {
			const place = this.#places.get(parameter) ?? [];
			return Array.from(whole.optimizer_states(claim.number(this.#op, "the optimizer"), n), (handle, k) => [[...place, k].join("."), Tensor.adopt(handle)]);
		});
		return Object.fromEntries(this.#groups.flatMap(kept));
	}
	/** Assigns what `stateDict` gave, or `data.safetensors` read of it, by name. Throws `ValueError` where something is missing, `ShapeError` where it does not
	* fit; then nothing has been assigned. */
	loadStateDict(state) {
		noMore("loadStateDict", arguments, 1);
		const op = "loadStateDict";
		inScope(() => {
			const assigned = fitting(op, state, Object.entries(this.stateDict()), true);
			for (const [held, value] of assigned) core().parameter_set(held.handle, value.handle);
		}, () => []);
	}
	/** Frees the optimizer's state; the parameters stay. */
	dispose() {
		noMore("dispose", arguments, 0);
		forgotten$1.unregister(this);
		this.#claims.forEach(drop$1);
	}
	get #first() {
		return this.#groups[0];
	}
	/** Adds a group, and gives the form of its gradients. */
	#add(op, tree, place, own) {
		const form = formOf(op, tree);
		const places = /* @__PURE__ */ new Map();
		const walk = (value, path) => {
			if (isLearned(value) && !places.has(value)) places.set(value, path);
			else if (isNode(value)) for (const [key, child] of entriesOf$1(value)) walk(child, [...path, key]);
		};
		walk(form, place);
		const parameters = [...places.keys()];
		if (parameters.length === 0) throw new ValueError(op, `there are no parameters${tensorsOf(form).length > 0 ? ": none of those given is to be learned" : ""}`);
		if (parameters.some((parameter) => this.#parameters.includes(parameter))) throw new ValueError(op, "a parameter is in two groups");
		const claim = new Claim((this.#rule < FIRST_RARE ? core() : wholeCore(this.#op)).optimizer_new(this.#rule, handlesOf(parameters), this.#numbers(own)));
		this.#claims.push(claim);
		this.#groups.push(new Group(this.#op, parameters, claim, own.lr !== void 0));
		this.#parameters.push(...parameters);
		for (const [parameter, path] of places) if (!this.#places.has(parameter)) this.#places.set(parameter, path);
		return form;
	}
};
function checkRate(op, rate) {
	const number = finiteOf(op, "the learning rate", rate);
	if (number < 0) throw new ValueError(op, `the learning rate must be 0 or more, got ${number}`);
	return number;
}
/** The parameters of a tree, nested as the gradients of it are. Throws `ValueError` for what is no tree of parameters. */
function formOf(op, tree) {
	if (!(tree instanceof Tensor) && !isNode(tree)) throw new ValueError(op, `takes a module, or parameters in arrays and objects, got ${shown(tree)}`);
	const leaf = (value) => {
		if (!(value instanceof Tensor) || value instanceof Parameter) return value;
		throw new ValueError(op, `can only assign parameters, but got ${value.form.text}: wrap it in nn.Parameter`);
	};
	return mapTree(tree, leaf, (module) => prune(module, (value) => value instanceof Parameter && !(value instanceof Buffer$1) ? value : void 0));
}
// src/optim/rules.ts
/**
* Stochastic gradient descent, as `torch.optim.SGD`. Throws `ValueError` when there are no parameters.
*
* @example
* const model = new nn.Linear(2, 1);
* const optimizer = optim.sgd(model, { lr: 0.1 });
* optimizer.step(grad((m: nn.Linear) => m.forward(ones([4, 2])).sum())(model));
*/
function sgd(parameters, options = {}) {
	noMore("sgd", arguments, 2);
	return new Optimizer("sgd", parameters, 0, options, (options) => {
		const given = optionsOf("sgd", options, {
			lr: .01,
			momentum: 0,
			nesterov: false,
			weightDecay: 0
		});
		return [
			given.lr,
			given.weightDecay,
			given.nesterov,
			given.momentum
		];
	});
}
/**
* Adam, as `torch.optim.Adam`. Throws `ValueError` when there are no parameters.
*
* @example
* const model = new nn.Linear(2, 1);
* const optimizer = optim.adam(model, { lr: 0.01 });
* const [loss, gradients] = valueAndGrad((m: nn.Linear) => nn.mseLoss(m.forward(ones([4, 2])), 1))(model);
* optimizer.step(gradients);
*/
function adam(parameters, options = {}) {
	noMore("adam", arguments, 2);
	return new Optimizer("adam", parameters, 1, options, (options) => {
		const given = optionsOf("adam", options, {
			lr: .001,
			betas: [.9, .999],
			eps: 1e-8,
			weightDecay: 0
		});
		const [first, second] = pair$1("adam", given.betas);
		return [
			given.lr,
			given.weightDecay,
			false,
			first,
			second,
			given.eps
		];
	});
}
/**
* Adam with decoupled weight decay, as `torch.optim.AdamW`. Throws `ValueError` when there are no parameters.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.adamw([weight], { lr: 0.5, weightDecay: 0 }).step([tensor([3, -4])]);
* weight.add(0); // [0.5,2.5]
*/
function adamw(parameters, options = {}) {
	noMore("adamw", arguments, 2);
	return new Optimizer("adamw", parameters, 1, options, (options) => {
		const given = optionsOf("adamw", options, {
			lr: .001,
			betas: [.9, .999],
			eps: 1e-8,
			weightDecay: .01
		});
		const [first, second] = pair$1("adamw", given.betas);
		return [
			given.lr,
			given.weightDecay,
			true,
			first,
			second,
			given.eps
		];
	});
}
/**
* Adam by the largest gradient in place of the second moment, as `torch.optim.Adamax`. Throws `ValueError` when there are no parameters.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.adamax([weight], { lr: 0.5 }).step([tensor([3, -4])]);
* weight.add(0); // [0.5,2.5]
*/
function adamax(parameters, options = {}) {
	noMore("adamax", arguments, 2);
	return new Optimizer("adamax", parameters, 2, options, (options) => {
		const given = optionsOf("adamax", options, {
			lr: .002,
			betas: [.9, .999],
			eps: 1e-8,
			weightDecay: 0
		});
		const [first, second] = pair$1("adamax", given.betas);
		return [
			given.lr,
			given.weightDecay,
			0,
			first,
			second,
			given.eps
		];
	});
}
/**
* Steps of one size along the sign of an average (Chen et al. 2023), as `optax.lion`. Throws `ValueError` when there are no parameters.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.lion([weight], { lr: 0.5 }).step([tensor([3, -4])]);
* weight.add(0); // [0.5,2.5]
*/
function lion(parameters, options = {}) {
	noMore("lion", arguments, 2);
	return new Optimizer("lion", parameters, 3, options, (options) => {
		const given = optionsOf("lion", options, {
			lr: 1e-4,
			betas: [.9, .99],
			weightDecay: 0
		});
		const [first, second] = pair$1("lion", given.betas);
		return [
			given.lr,
			given.weightDecay,
			0,
			first,
			second
		];
	});
}
/**
* Muon (Jordan et al. 2024), as `torch.optim.Muon`: matrices step along the nearest orthogonal matrix to their momentum; what is no matrix as with `adamw`. Throws `ValueError` when there are no parameters.
*
* @example
* const model = new nn.Linear(4, 4);
* const optimizer = optim.muon(model);
* optimizer.step(grad((m: nn.Linear) => m.forward(ones([2, 4])).square().sum())(model));
*/
function muon(parameters, options = {}) {
	noMore("muon", arguments, 2);
	return new Optimizer("muon", parameters, 4, options, (options) => {
		const given = optionsOf("muon", options, {
			lr: .001,
			momentum: .95,
			weightDecay: .1
		});
		return [
			given.lr,
			given.weightDecay,
			0,
			given.momentum
		];
	});
}
/**
* Divides by the root of an average of the gradient's squares, as `torch.optim.RMSprop`. Throws `ValueError` when there are no parameters.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.rmsprop([weight], { lr: 0.1, alpha: 0.75 }).step([tensor([3, -4])]);
* weight.add(0); // [0.8,2.2]
*/
function rmsprop(parameters, options = {}) {
	noMore("rmsprop", arguments, 2);
	return new Optimizer("rmsprop", parameters, 5, options, (options) => {
		const given = optionsOf("rmsprop", options, {
			lr: .01,
			alpha: .99,
			eps: 1e-8,
			weightDecay: 0,
			momentum: 0,
			centered: false
		});
		return [
			given.lr,
			given.weightDecay,
			given.centered,
			given.alpha,
			given.eps,
			given.momentum
		];
	});
}
/**
* Divides by the root of the sum of all squares so far, as `torch.optim.Adagrad`. Throws `ValueError` when there are no parameters.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.adagrad([weight], { lr: 0.5 }).step([tensor([3, -4])]);
* weight.add(0); // [0.5,2.5]
*/
function adagrad(parameters, options = {}) {
	noMore("adagrad", arguments, 2);
	return new Optimizer("adagrad", parameters, 6, options, (options) => {
		const given = optionsOf("adagrad", options, {
			lr: .01,
			lrDecay: 0,
			eps: 1e-10,
			weightDecay: 0
		});
		return [
			given.lr,
			given.weightDecay,
			0,
			given.lrDecay,
			given.eps
		];
	});
}
/**
* Steps of the size of earlier steps, over the size of earlier gradients, as `torch.optim.Adadelta`. Throws `ValueError` when there are no parameters.
*
* @example
* const model = new nn.Linear(2, 1);
* const optimizer = optim.adadelta(model);
* optimizer.step(grad((m: nn.Linear) => m.forward(ones([4, 2])).sum())(model));
*/
function adadelta(parameters, options = {}) {
	noMore("adadelta", arguments, 2);
	return new Optimizer("adadelta", parameters, 7, options, (options) => {
		const given = optionsOf("adadelta", options, {
			lr: 1,
			rho: .9,
			eps: 1e-6,
			weightDecay: 0
		});
		return [
			given.lr,
			given.weightDecay,
			0,
			given.rho,
			given.eps
		];
	});
}
/** The two numbers of an option, where a flag or a list of others was given an error. */
function pair$1(op, betas) {
	if (!isArray$1(betas) || betas.length !== 2) throw new ValueError(op, `betas are two numbers, got ${shown(betas)}`);
	return [finiteOf(op, "a beta", betas[0]), finiteOf(op, "a beta", betas[1])];
}
// src/optim/optax.ts
const usual$1 = {
	lr: .001,
	betas: [.9, .999],
	eps: 1e-8,
	weightDecay: 0
};
const moments = (name, rule, defaults = {}) => (parameters, options = {}, ...more) => {
	noMore(name, [
		parameters,
		options,
		...more
	], 2);
	return new Optimizer(name, parameters, rule, options, (options) => {
		const given = optionsOf(name, options, {
			...usual$1,
			...defaults
		});
		return [
			given.lr,
			given.weightDecay,
			0,
			...pair(name, "betas", given.betas),
			given.eps,
			0
		];
	});
};
/** The two numbers of an option. */
function pair(op, what, given) {
	if (!isArray$1(given) || given.length !== 2) throw new ValueError(op, `${what} are two numbers, got ${shown(given)}`);
	return [finiteOf(op, what, given[0]), finiteOf(op, what, given[1])];
}
/**
* Steps by how far gradients are from what was expected of them (Zhuang et al. 2020), as `optax.adabelief`.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.adabelief(weight, { lr: 0.1 }).step(tensor([3, -4]));
* weight.shape; // [2]
*/
const adabelief = moments("adabelief", 8, { eps: 1e-16 });
/**
* Adam by the largest second moment so far (Reddi et al. 2018), as `optax.amsgrad`.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.amsgrad(weight, { lr: 0.1 }).step(tensor([3, -4]));
* weight.shape; // [2]
*/
const amsgrad = moments("amsgrad", 9);
/**
* Adam with Nesterov's look ahead (Dozat 2016), as `optax.nadam`.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.nadam(weight, { lr: 0.1 }).step(tensor([3, -4]));
* weight.shape; // [2]
*/
const nadam = moments("nadam", 10);
/**
* `optim.nadam` with decoupled weight decay, 1e-4 by default, as `optax.nadamw`.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.nadamw(weight, { lr: 0.1 }).step(tensor([3, -4]));
* weight.shape; // [2]
*/
const nadamw = moments("nadamw", 10, { weightDecay: 1e-4 });
/**
* Adam that follows the average alone until its second moment is worth dividing by (Liu et al. 2019), as `optax.radam`.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.radam(weight, { lr: 0.1 }).step(tensor([3, -4]));
* weight.shape; // [2]
*/
const radam = moments("radam", 11);
/**
* Adam with a second moment that changes by the gradient's size, not in proportion to itself (Zaheer et al. 2018), as `optax.yogi`. `eps` is 1e-3 by default.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.yogi(weight, { lr: 0.1 }).step(tensor([3, -4]));
* weight.shape; // [2]
*/
const yogi = moments("yogi", 12, { eps: .001 });
/**
* Adam's steps in proportion to the length of the parameter, for large batches (You et al. 2020), as `optax.lamb`. `eps` is 1e-6 by default.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.lamb(weight, { lr: 0.1 }).step(tensor([3, -4]));
* weight.shape; // [2]
*/
const lamb = moments("lamb", 14, { eps: 1e-6 });
/**
* One second moment for all of a parameter, and the weight decay part of the gradient (Ginsburg et al. 2019), as `optax.novograd`. Betas are [0.9, 0.25], `eps` 1e-6 by default.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.novograd(weight, { lr: 0.1 }).step(tensor([3, -4]));
* weight.shape; // [2]
*/
const novograd = moments("novograd", 16, {
	betas: [.9, .25],
	eps: 1e-6
});
/**
* `optim.adamax` with decoupled weight decay, 1e-4 by default, as `optax.adamaxw`.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.adamaxw(weight, { lr: 0.1 }).step(tensor([3, -4]));
* weight.shape; // [2]
*/
const adamaxw = moments("adamaxw", 20, { weightDecay: 1e-4 });
/**
* Nesterov's look ahead by the difference of gradients (Xie et al. 2022), as `optax.adan`. Throws `ValueError` when there are no parameters.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.adan(weight, { lr: 0.5 }).step(tensor([3, -4]));
* weight.add(0); // [0.5,2.5]
*/
function adan(parameters, options = {}) {
	noMore("adan", arguments, 2);
	return new Optimizer("adan", parameters, 13, options, (options) => {
		const given = optionsOf("adan", options, {
			...usual$1,
			betas: [.98, .92],
			beta3: .99
		});
		if (!(finiteOf("adan", "beta3", given.beta3) < 1)) throw new ValueError("adan", `beta3 must be below 1, got ${given.beta3}`);
		return [
			given.lr,
			given.weightDecay,
			0,
			...pair("adan", "betas", given.betas),
			given.eps,
			given.beta3
		];
	});
}
/**
* Steps with momentum in proportion to the length of the parameter, for large batches (You et al. 2017), as `optax.lars`. Throws `ValueError` when there are no
* parameters.
*
* @example
* const weight = new Parameter([3, 4]);
* optim.lars(weight, { lr: 1, trust: 0.1 }).step(tensor([0, 2]));
* weight.add(0); // [3,3.5]
*/
function lars(parameters, options = {}) {
	noMore("lars", arguments, 2);
	return new Optimizer("lars", parameters, 15, options, (options) => {
		const given = optionsOf("lars", options, {
			lr: .1,
			trust: .001,
			momentum: .9,
			nesterov: false,
			weightDecay: 0,
			eps: 0
		});
		return [
			given.lr,
			given.weightDecay,
			given.nesterov,
			given.momentum,
			0,
			given.eps,
			given.trust
		];
	});
}
/**
* Steps along the sign that grow while it stays (Riedmiller & Braun 1993), as `torch.optim.Rprop`. Throws `ValueError` when there are no parameters.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.rprop(weight, { lr: 0.5 }).step(tensor([3, -4]));
* weight.add(0); // [0.5,2.5]
*/
function rprop(parameters, options = {}) {
	noMore("rprop", arguments, 2);
	return new Optimizer("rprop", parameters, 17, options, (options) => {
		const given = optionsOf("rprop", options, {
			lr: .01,
			etas: [.5, 1.2],
			stepSizes: [1e-6, 50]
		});
		const [least, most] = pair("rprop", "stepSizes", given.stepSizes);
		return [
			given.lr,
			most,
			0,
			...pair("rprop", "etas", given.etas),
			least,
			0
		];
	});
}
/**
* Steps of one size along the sign of the gradient (Bernstein et al. 2018), as `optax.sign_sgd`. Throws `ValueError` when there are no parameters.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.signSgd(weight, { lr: 0.5 }).step(tensor([3, -4]));
* weight.add(0); // [0.5,2.5]
*/
function signSgd(parameters, options = {}) {
	noMore("signSgd", arguments, 2);
	return new Optimizer("signSgd", parameters, 18, options, (options) => [
		optionsOf("signSgd", options, { lr: .01 }).lr,
		0,
		0,
		0,
		0,
		0,
		0
	]);
}
/**
* Steps in proportion to the length of the parameter, which does not grow by them (Bernstein et al. 2020), as `optax.fromage`. Throws `ValueError` when there are no
* parameters.
*
* @example
* const weight = new Parameter([3, 4]);
* optim.fromage(weight, { lr: 0.75 }).step(tensor([0, 2]));
* weight.add(0); // [2.4,0.2]
*/
function fromage(parameters, options = {}) {
	noMore("fromage", arguments, 2);
	return new Optimizer("fromage", parameters, 19, options, (options) => [
		optionsOf("fromage", options, { lr: .01 }).lr,
		0,
		0,
		0,
		0,
		0,
		0
	]);
}
/**
* The gradient, and how it changed, for games of two sides (Daskalakis et al. 2018), as `optax.optimistic_gradient_descent`. Throws `ValueError` when there are no
* parameters.
*
* @example
* const weight = new Parameter([1, 2]);
* optim.optimisticGradientDescent(weight, { lr: 0.5 }).step(tensor([1, -1]));
* weight.add(0); // [0.5,2.5]
*/
function optimisticGradientDescent(parameters, options = {}) {
	noMore("optimisticGradientDescent", arguments, 2);
	return new Optimizer("optimisticGradientDescent", parameters, 21, options, (options) => {
		const given = optionsOf("optimisticGradientDescent", options, {
			lr: .01,
			alpha: 1,
			beta: 1
		});
		return [
			given.lr,
			0,
			0,
			given.alpha,
			given.beta,
			0,
			0
		];
	});
}
// src/optim/factored.ts
/**
* Adam's second moment in a row and a column for each matrix, which takes little memory, and steps in proportion to the parameter (Shazeer & Stern 2018), as
* `optax.adafactor`. Throws `ValueError` when there are no parameters.
*
* @example
* const weight = new Parameter([3, 4]);
* optim.adafactor(weight, { lr: 0.1, multiplyByParameterScale: false }).step(tensor([2, -1]));
* weight.add(0); // [2.9,4.1]
*/
function adafactor(parameters, options = {}) {
	const op = "adafactor";
	noMore(op, arguments, 2);
	return new Optimizer(op, parameters, 100, options, (options) => {
		const given = optionsOf(op, options, {
			lr: .001,
			minDimSizeToFactor: 128,
			decayRate: .8,
			multiplyByParameterScale: true,
			clippingThreshold: 1,
			momentum: null,
			weightDecay: 0,
			eps: 1e-30
		});
		const { lr, weightDecay, multiplyByParameterScale, eps, decayRate, clippingThreshold, minDimSizeToFactor } = given;
		const momentum = given.momentum === null ? -1 : finiteOf(op, "momentum", given.momentum);
		if (given.momentum !== null && momentum < 0) throw new ValueError(op, `momentum must be 0 or more, got ${momentum}`);
		return [
			lr,
			weightDecay,
			multiplyByParameterScale,
			momentum,
			eps,
			decayRate,
			clippingThreshold,
			minDimSizeToFactor
		];
	});
}
/**
* Adagrad that keeps a vector for each axis of a parameter, the largest along the others (Anil et al. 2019), as `optax.sm3`. Throws `ValueError` when there are no
* parameters.
*
* @example
* const weight = new Parameter([3, 4]);
* optim.sm3(weight, { lr: 0.5, momentum: 0 }).step(tensor([2, -1]));
* weight.add(0); // [2.5,4.5]
*/
function sm3(parameters, options = {}) {
	noMore("sm3", arguments, 2);
	return new Optimizer("sm3", parameters, 101, options, (options) => {
		const given = optionsOf("sm3", options, {
			lr: .01,
			momentum: .9
		});
		return [
			given.lr,
			0,
			0,
			given.momentum
		];
	});
}
// src/optim/zoom.ts
/** The share of the slope by which a value has to fall, and to which the slope itself has to. */
const DECREASE = 1e-4;
const CURVATURE = .9;
/** How much higher, for its size, a value may be where only the slope tells of decrease (W. Hager and H. Zhang 2006): there the values are rounding. */
const ROUNDING = 1e-6;
/** An interval so short is not searched further once there is a step that decreases. */
const SHORTEST = 1e-5;
/** What a number that should be at most 0 exceeds it by; what is NaN by infinity. */
const excess = (error) => Number.isNaN(error) ? Infinity : Math.max(error, 0);
/** The step that is taken from `start`, of those that `at` computes, at most `most`: `start` itself where no other has a finite value. */
async function zoom(at, start, most) {
	const decreaseOf = ({ step, value, slope }) => {
		const exact = value - start.value - DECREASE * step * start.slope;
		const byRounding = Math.max(slope - (2 * DECREASE - 1) * start.slope, value - start.value - ROUNDING * Math.abs(start.value));
		return excess(Math.min(byRounding, exact));
	};
	const errorOf = (point) => Math.max(decreaseOf(point), excess(Math.abs(point.slope) - CURVATURE * Math.abs(start.slope)));
	let safe = start;
	const atLast = (point) => safe.step > 0 || decreaseOf(point) === Infinity ? safe : point;
	let count = 0;
	let [low, high] = [start, start];
	for (let previous = start;;) {
		const next = await at(count === 0 ? 1 : 2 * previous.step);
		count++;
		if (decreaseOf(next) <= 0) safe = next;
		if (errorOf(next) <= 0) return next;
		if (count >= most) return atLast(next);
		if (decreaseOf(next) > 0 || next.value >= previous.value && count > 1) {
			[low, high] = [previous, next];
			break;
		}
		if (next.slope >= 0) {
			[low, high] = [next, previous];
			break;
		}
		previous = next;
	}
	for (let third = low;;) {
		const length = Math.abs(high.step - low.step);
		const inside = (step, edge) => step > Math.min(low.step, high.step) + edge * length && step < Math.max(low.step, high.step) - edge * length;
		const [cubic, parabola] = [leastOfCubic(low, high, third), leastOfParabola(low, high)];
		const next = await at(inside(cubic, .2) ? cubic : inside(parabola, .1) ? parabola : (low.step + high.step) / 2);
		count++;
		const decrease = decreaseOf(next);
		if (decrease <= 0 && next.value < safe.value) safe = next;
		if (errorOf(next) <= 0) return next;
		if (count >= most || length <= SHORTEST && safe.step > 0) return atLast(next);
		if (decrease > 0 || next.value >= low.value) [third, high] = [high, next];
		else if (next.slope * (high.step - low.step) >= 0) [third, high, low] = [
			high,
			low,
			next
		];
		else [third, low] = [low, next];
	}
}
/** Where the cubic through three points with the slope of the first is least; NaN where it is nowhere. */
function leastOfCubic(a, b, c) {
	const [db, dc] = [b.step - a.step, c.step - a.step];
	const [eb, ec] = [b.value - a.value - a.slope * db, c.value - a.value - a.slope * dc];
	const divisor = (db * dc) ** 2 * (db - dc);
	const third = (dc ** 2 * eb - db ** 2 * ec) / divisor;
	const second = (db ** 3 * ec - dc ** 3 * eb) / divisor;
	return a.step + (-second + Math.sqrt(second * second - 3 * third * a.slope)) / (3 * third);
}
/** The same of the parabola through two. */
function leastOfParabola(a, b) {
	const distance = b.step - a.step;
	const second = (b.value - a.value - a.slope * distance) / distance ** 2;
	return a.step - a.slope / (2 * second);
}
// src/optim/lbfgs.ts
const dot$1 = (a, b) => a.map((x, n) => sum(mul(cast(x, "f32"), b[n]))).reduce((x, y) => add(x, y));
/** a + scale · b. */
const moved = (a, scale, b) => a.map((x, n) => add(x, mul(b[n], scale)));
const free$1 = (...lists) => lists.flat().forEach((tensor) => tensor.dispose());
/**
* Improves parameters with a memory of the last steps. Made by `lbfgs`.
*
* @example
* const weight = new Parameter([1, 2]);
* const optimizer: optim.Lbfgs<Parameter> = optim.lbfgs(weight);
* optimizer.dispose();
*/
var Lbfgs = class {
	/** What it improves, each once. */
	parameters;
	#tree;
	#options;
	#changes = [];
	/** Where the last step began. */
	#last = null;
	#busy = false;
	/** @internal */
	constructor(tree, options) {
		const all = tensorsOf(tree);
		this.parameters = [...new Set(all.filter((tensor) => tensor instanceof Parameter && tensor.learned))];
		if (this.parameters.length === 0) throw new ValueError("lbfgs", `there are no parameters in ${shown(tree)}`);
		this.#tree = tree;
		this.#options = options;
	}
	/**
	* One step, and the loss after it. `loss` takes what `lbfgs` was given, and is asked for two to four times in most steps, each of which is read: it must be
	* the same function of the parameters each time, without chance. Rejects with `ValueError` while another step is on its way, and with `TraceError` inside `jit`.
	*/
	async step(loss) {
		noMore("step", arguments, 1);
		checkFunction("step", loss);
		if (this.#busy) throw new ValueError("step", "the step before is on its way: await it");
		this.#busy = true;
		try {
			return await this.#step(valueAndGrad((_) => loss(this.#tree)));
		} finally {
			this.#busy = false;
		}
	}
	async #step(evaluate) {
		const all = [...this.parameters];
		const [start, gradients, direction, read] = inScope(() => {
			const [value, slopes] = evaluate(all);
			const [start, gradients] = [all.map((parameter) => mul(widened(parameter), 1)), slopes.map(widened)];
			this.#remember(start, gradients);
			const direction = this.#descent(gradients);
			return [
				start,
				gradients,
				direction,
				stack([value, dot$1(gradients, direction)])
			];
		}, (made) => made.flat());
		[...start, ...gradients].forEach((tensor) => tensor.keep());
		if (this.#last) free$1(this.#last.parameters, this.#last.gradients);
		this.#last = {
			parameters: start,
			gradients
		};
		const goTo = (step) => inScope(() => all.forEach((parameter, n) => parameter.assign(cast(step === 0 ? start[n] : add(start[n], mul(direction[n], step)), parameter.dtype))), () => []);
		const pointOf = async (step, read) => {
			const [value, slope] = await read.data();
			read.dispose();
			return {
				step,
				value,
				slope
			};
		};
		try {
			const at = (step) => {
				goTo(step);
				const both = () => {
					const [value, gradients] = evaluate(all);
					return stack([value, dot$1(gradients, direction)]);
				};
				return pointOf(step, inScope(both, (made) => [made]));
			};
			const chosen = await zoom(at, await pointOf(0, read), this.#options.maxLinesearchSteps);
			goTo(chosen.step);
			return chosen.value;
		} finally {
			free$1(direction);
		}
	}
	/** Takes what changed since the last step into the memory. */
	#remember(parameters, gradients) {
		if (!this.#last) return;
		const { parameters: before, gradients: slopes } = this.#last;
		const minus = (a, b) => a.map((x, n) => sub(x, b[n]).keep());
		const [changed, turned] = [minus(parameters, before), minus(gradients, slopes)];
		const product = dot$1(changed, turned);
		const none = equal(product, 0);
		const weight = where(none, 0, div(1, where(none, 1, product))).keep();
		this.#changes.push({
			parameters: changed,
			gradients: turned,
			weight
		});
		for (const old of this.#changes.splice(0, this.#changes.length - this.#options.memorySize)) free$1(old.parameters, old.gradients, [old.weight]);
	}
	/** The direction of descent: gradients times the inverse of the curvature as the memory has it, by two loops (J. Nocedal 1980). */
	#descent(gradients) {
		let value = [...gradients];
		const shares = [];
		for (const { parameters, gradients, weight } of [...this.#changes].reverse()) {
			const share = mul(weight, dot$1(parameters, value));
			shares.unshift(share);
			value = moved(value, neg(share), gradients);
		}
		if (this.#options.scaleInitPrecond) {
			const scale = this.#scale(gradients);
			value = value.map((x) => mul(x, scale));
		}
		this.#changes.forEach(({ parameters, gradients, weight }, n) => {
			value = moved(value, sub(shares[n], mul(weight, dot$1(gradients, value))), parameters);
		});
		return value.map((x) => neg(x));
	}
	/** What the identity is multiplied by: the inverse of the curvature along the last step; before there is one, so that the step is no longer than 1. */
	#scale(gradients) {
		const last = this.#changes.at(-1);
		if (!last) return minimum(1, div(1, sqrt(dot$1(gradients, gradients))));
		const square = dot$1(last.gradients, last.gradients);
		const some = greater(square, 0);
		return where(some, div(dot$1(last.parameters, last.gradients), where(some, square, 1)), 1);
	}
	/** Frees the memory of steps; the parameters stay. */
	dispose() {
		noMore("dispose", arguments, 0);
		for (const { parameters, gradients, weight } of this.#changes) free$1(parameters, gradients, [weight]);
		if (this.#last) free$1(this.#last.parameters, this.#last.gradients);
		this.#changes = [];
		this.#last = null;
	}
};
/**
* L-BFGS with a line search (Liu & Nocedal 1989), as `optax.lbfgs`: for losses without chance, of models that are not large. Throws `ValueError` when there are no
* parameters.
*
* @example
* const place = new Parameter([-1, 2]);
* const optimizer = optim.lbfgs(place);
* const rosenbrock = (p: Parameter) => p.slice(0).sub(1).square().add(p.slice(1).sub(p.slice(0).square()).square().mul(100));
* for (let n = 0; n < 40; n++) await optimizer.step(rosenbrock);
* place.add(0).round(); // [1,1]
*/
function lbfgs(parameters, options = {}) {
	const op = "lbfgs";
	noMore(op, arguments, 2);
	const given = optionsOf(op, options, {
		memorySize: 10,
		scaleInitPrecond: true,
		maxLinesearchSteps: 20
	});
	countOf(op, "memorySize", given.memorySize, 1);
	countOf(op, "maxLinesearchSteps", given.maxLinesearchSteps, 1);
	flagOf(op, "scaleInitPrecond", given.scaleInitPrecond);
	return new Lbfgs(parameters, given);
}
// src/optim/schedule.ts
var schedule_exports = /* @__PURE__ */ __exportAll({
	constant: () => constant,
	cosine: () => cosine,
	exponential: () => exponential$1,
	join: () => join,
	linear: () => linear,
	oneCycle: () => oneCycle,
	piecewise: () => piecewise$1,
	polynomial: () => polynomial,
	warmup: () => warmup
});
/**
* The same rate always.
*
* @example
* optim.schedule.constant(0.1)(5); // 0.1
*/
function constant(rate) {
	noMore("schedule.constant", arguments, 1);
	const value = finiteOf("schedule.constant", "the rate", rate);
	return () => value;
}
/**
* In a straight line, over `steps` steps, from one rate to another, which stays.
*
* @example
* optim.schedule.linear(0, 1, 10)(5); // 0.5
*/
function linear(from, to, steps) {
	noMore("schedule.linear", arguments, 3);
	return polynomial(from, to, steps, 1);
}
/**
* Over `steps` steps from one rate to another, which stays, as a power of what is left.
*
* @example
* optim.schedule.polynomial(1, 0, 10, 2)(5); // 0.25
*/
function polynomial(from, to, steps, power = 2) {
	const op = "schedule.polynomial";
	noMore(op, arguments, 4);
	const [first, last, exponent] = [
		finiteOf(op, "the first rate", from),
		finiteOf(op, "the last rate", to),
		finiteOf(op, "the power", power)
	];
	const count = countOf(op, "the number of steps", steps, 1);
	return (step) => last + (first - last) * (1 - within(step, count)) ** exponent;
}
/**
* Along half a wave of a cosine, over `steps` steps, from a rate to `least`, which stays.
*
* @example
* optim.schedule.cosine(1, 10)(5); // 0.5
*/
function cosine(from, steps, options = {}) {
	const op = "schedule.cosine";
	noMore(op, arguments, 3);
	const least = finiteOf(op, "the least rate", optionsOf(op, options, { least: 0 }).least);
	const [first, count] = [finiteOf(op, "the rate", from), countOf(op, "the number of steps", steps, 1)];
	return (step) => least + (first - least) * (1 + Math.cos(Math.PI * within(step, count))) / 2;
}
/**
* Multiplied by `decay` for every `every` steps; with `staircase` all at once.
*
* @example
* optim.schedule.exponential(1, 0.5, 10, { staircase: true })(25); // 0.25
*/
function exponential$1(from, decay, every = 1, options = {}) {
	const op = "schedule.exponential";
	noMore(op, arguments, 4);
	const { staircase } = optionsOf(op, options, { staircase: false });
	const [first, factor] = [finiteOf(op, "the rate", from), finiteOf(op, "the decay", decay)];
	const count = countOf(op, "the number of steps", every, 1);
	return (step) => first * factor ** (staircase ? Math.floor(step / count) : step / count);
}
/**
* Up in a straight line from 0 to a rate over `warmup` steps, then as `then` says, counted from there.
*
* @example
* const rate = optim.schedule.warmup(0.1, 10, optim.schedule.cosine(0.1, 90));
* rate(5); // 0.05
* rate(100); // 0
*/
function warmup(to, steps, then = constant(to)) {
	noMore("schedule.warmup", arguments, 3);
	return join([linear(0, to, steps), then], [steps]);
}
/**
* One schedule after the other: the next begins, counted from 0, at each boundary.
*
* @example
* const rate = optim.schedule.join([optim.schedule.constant(1), optim.schedule.constant(0.1)], [100]);
* rate(99); // 1
* rate(100); // 0.1
*/
function join(schedules, boundaries) {
	const op = "schedule.join";
	noMore(op, arguments, 2);
	const all = listOf(op, "a list of schedules", schedules);
	for (const schedule of all) checkFunction(op, schedule);
	const starts = [0, ...startsOf(op, boundaries)];
	if (starts.length !== all.length) throw new ValueError(op, `${all.length} schedules have ${all.length - 1} boundaries, got ${starts.length - 1}`);
	return (step) => {
		const at = Math.max(0, starts.findLastIndex((start) => step >= start));
		return all[at](step - starts[at]);
	};
}
/**
* A rate that each boundary multiplies by a factor: at once, or, `between` boundaries, in a straight line or along a cosine, so that it is reached there.
*
* @example
* const rate = optim.schedule.piecewise(1, [10, 20], [0.5, 0.1]);
* rate(9); // 1
* rate(25); // 0.05
* optim.schedule.piecewise(1, [10], [0], { between: "linear" })(5); // 0.5
*/
function piecewise$1(from, boundaries, factors, options = {}) {
	const op = "schedule.piecewise";
	noMore(op, arguments, 4);
	const { between } = optionsOf(op, options, { between: "constant" });
	const shape = [
		"constant",
		"linear",
		"cosine"
	].indexOf(between);
	if (shape < 0) throw new ValueError(op, `between boundaries is "constant", "linear" or "cosine", not ${shown(between)}`);
	const starts = [0, ...startsOf(op, boundaries)];
	const rates = [finiteOf(op, "the rate", from)];
	for (const factor of listOf(op, "a list of factors", factors)) rates.push(rates.at(-1) * finiteOf(op, "a factor", factor));
	if (rates.length !== starts.length) throw new ValueError(op, `${starts.length - 1} boundaries have as many factors, got ${rates.length - 1}`);
	return (step) => {
		const at = Math.max(0, starts.findLastIndex((start) => step >= start));
		const [rate, next, start, end] = [
			rates[at],
			rates[at + 1],
			starts[at],
			starts[at + 1]
		];
		if (shape === 0 || next === void 0) return rate;
		const over = within(step - start, end - start);
		return rate + (next - rate) * (shape === 1 ? over : (1 - Math.cos(Math.PI * over)) / 2);
	};
}
/**
* Up from a small rate to a peak, and down to a far smaller one, over `steps` steps: optax's `cosine_onecycle_schedule` and `linear_onecycle_schedule` (Smith and Topin 2017).
*
* @example
* optim.schedule.oneCycle(1, 100)(30); // 1
*/
function oneCycle(peak, steps, options = {}) {
	const op = "schedule.oneCycle";
	noMore(op, arguments, 3);
	const { rising, falling, divisor, finalDivisor, between } = optionsOf(op, options, {
		rising: .3,
		falling: .85,
		divisor: 25,
		finalDivisor: 1e4,
		between: "cosine"
	});
	const [most, count] = [finiteOf(op, "the peak", peak), countOf(op, "the number of steps", steps, 1)];
	const top = Math.trunc(rising * count);
	if (between === "cosine") return piecewise$1(most / divisor, [top, count], [divisor, 1 / (divisor * finalDivisor)], { between });
	return piecewise$1(most / divisor, [
		top,
		Math.trunc(falling * count),
		count
	], [
		divisor,
		1 / divisor,
		1 / finalDivisor
	], { between });
}
/** Boundaries, which must not fall. */
function startsOf(op, boundaries) {
	const starts = listOf(op, "a list of boundaries", boundaries).map((boundary) => countOf(op, "a boundary", boundary));
	if (starts.some((start, n) => n > 0 && start < starts[n - 1])) throw new ValueError(op, "boundaries must not fall");
	return starts;
}
/** How much of `count` steps is over, 0 to 1. */
function within(step, count) {
	return Math.min(Math.max(step, 0), count) / count;
}
// src/ops/clip.ts
var clip_exports = /* @__PURE__ */ __exportAll({ clip: () => clip });
const clipped = register("clip");
/**
* x between `low` and `high`, which broadcast; `null` leaves an end open. `high` wins where they cross.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* clip([-5, 0, 5], -1, 2); // [-1,0,2]
*/
function clip(x, low = null, high = null) {
	noMore("clip", arguments, 3);
	const isBound = (bound) => bound === null || typeof bound === "number";
	if (isBound(low) && isBound(high)) return invoke(clipped, (call) => call.tensor(x).put(...boundOf(low), ...boundOf(high)));
	return composed("clip", () => {
		const raised = low === null ? x : maximum(x, low);
		return high === null ? raised : minimum(raised, high);
	});
}
/** A bound in the core's form: whether there is one, and which. */
function boundOf(bound) {
	return bound === null ? [0] : [1, bound];
}
// src/optim/gradients.ts
/** A tree with each tensor exchanged. Throws `ValueError` for what is no tree of tensors. */
function mapped(op, tree, change) {
	if (!(tree instanceof Tensor) && !isNode(tree)) throw new ValueError(op, `takes gradients in arrays and objects, got ${shown(tree)}`);
	return inScope(() => mapTree(tree, (leaf) => leaf instanceof Tensor ? change(leaf) : leaf), tensorsOf);
}
/**
* The length of all gradients as one vector: a 0-d f32.
*
* @example
* optim.globalNorm({ a: tensor([3]), b: tensor([4]) }); // 5
*/
function globalNorm(gradients) {
	noMore("globalNorm", arguments, 1);
	return inScope(() => {
		const squares = tensorsOf(gradients).map((gradient) => sum(square(widened(gradient))));
		if (squares.length === 0) throw new ValueError("globalNorm", "there are no gradients");
		return sqrt(sum(stack(squares)));
	}, (result) => [result]);
}
/**
* Gradients made shorter where they are longer, as one vector, than `most`.
*
* @example
* optim.clipByGlobalNorm([tensor([3]), tensor([4])], 1)[0]; // [0.6]
*/
function clipByGlobalNorm(gradients, most) {
	const op = "clipByGlobalNorm";
	noMore(op, arguments, 2);
	if (finiteOf(op, "the greatest length", most) < 0) throw new ValueError(op, `the greatest length must be 0 or more, got ${most}`);
	return inScope(() => {
		const length = globalNorm(gradients);
		const scale = minimum(div(most, maximum(length, 1e-30)), 1);
		return mapped(op, gradients, (gradient) => cast(mul(gradient, scale), gradient.dtype));
	}, tensorsOf);
}
/**
* Gradients with each element within ±`most`.
*
* @example
* optim.clipByValue([tensor([3, -0.5])], 1)[0]; // [1,-0.5]
*/
function clipByValue(gradients, most) {
	const op = "clipByValue";
	noMore(op, arguments, 2);
	if (finiteOf(op, "the greatest element", most) < 0) throw new ValueError(op, `the greatest element must be 0 or more, got ${most}`);
	return mapped(op, gradients, (gradient) => clip(gradient, -most, most));
}
/**
* The sum of two trees of gradients, as of two halves of a batch that is too large at once: those of one name are added, whatever the order. Throws
* `ValueError` where names differ, `ShapeError` where shapes do.
*
* @example
* optim.accumulate({ a: tensor([1, 2]), b: tensor([0]) }, { b: tensor([5]), a: tensor([3, 4]) }).a; // [4,6]
*/
function accumulate(gradients, more) {
	const op = "accumulate";
	noMore(op, arguments, 2);
	return inScope(() => {
		const sums = [];
		matchTrees(op, {
			what: "gradients",
			tree: gradients
		}, {
			what: "more",
			tree: more
		}, (gradient, other) => sums.push(add(gradient, other)));
		const next = sums.values();
		return mapped(op, gradients, () => next.next().value);
	}, tensorsOf);
}
/**
* An exponential average of parameters, which often does better than they do. `update` after each step, in `jit` or out of it; within `use` the
* parameters have their averages.
*
* @example
* const model = new nn.Linear(2, 1);
* const average = new optim.Average(model, 0.99);
* average.update();
* average.use(() => model.forward(ones([1, 2])).shape); // [1,1]
*/
var Average = class {
	decay;
	parameters;
	/** The averages, of each parameter one; of f16 in f32, which a small share of a half still changes. */
	averages;
	constructor(parameters, decay = .999) {
		noMore("Average", arguments, 2);
		const op = "Average";
		this.decay = finiteOf(op, "the decay", decay);
		if (this.decay < 0 || this.decay > 1) throw new ValueError(op, `the decay must lie in [0, 1], got ${decay}`);
		this.parameters = [...new Set(tensorsOf(parameters).filter((tensor) => tensor instanceof Parameter && tensor.learned))];
		if (this.parameters.length === 0) throw new ValueError(op, "there are no parameters");
		this.averages = this.parameters.map((parameter) => begun(() => mul(widened(parameter), 1), Buffer$1));
	}
	/** Takes the parameters as they are now into the averages. */
	update() {
		noMore("update", arguments, 0);
		inScope(() => this.averages.forEach((average, n) => average.assign(add(mul(average, this.decay), mul(widened(this.parameters[n]), 1 - this.decay)))), () => []);
		return this;
	}
	/** What `body` gives, run while the parameters have their averages. What it assigns to them is lost. */
	use(body) {
		noMore("use", arguments, 1);
		const own = inScope(() => this.parameters.map((parameter) => mul(parameter, 1)), (values) => values);
		inScope(() => this.parameters.forEach((parameter, n) => parameter.assign(cast(this.averages[n], parameter.dtype))), () => []);
		try {
			return body();
		} finally {
			this.parameters.forEach((parameter, n) => parameter.assign(own[n]));
			own.forEach((tensor) => tensor.dispose());
		}
	}
	/** Frees the averages; the parameters stay. */
	dispose() {
		noMore("dispose", arguments, 0);
		for (const average of this.averages) average.dispose();
	}
};
// src/optim/index.ts
var optim_exports = /* @__PURE__ */ __exportAll({
	Average: () => Average,
	Optimizer: () => Optimizer,
	accumulate: () => accumulate,
	adabelief: () => adabelief,
	adadelta: () => adadelta,
	adafactor: () => adafactor,
	adagrad: () => adagrad,
	adam: () => adam,
	adamax: () => adamax,
	adamaxw: () => adamaxw,
	adamw: () => adamw,
	adan: () => adan,
	amsgrad: () => amsgrad,
	clipByGlobalNorm: () => clipByGlobalNorm,
	clipByValue: () => clipByValue,
	fromage: () => fromage,
	globalNorm: () => globalNorm,
	lamb: () => lamb,
	lars: () => lars,
	lbfgs: () => lbfgs,
	lion: () => lion,
	muon: () => muon,
	nadam: () => nadam,
	nadamw: () => nadamw,
	novograd: () => novograd,
	optimisticGradientDescent: () => optimisticGradientDescent,
	radam: () => radam,
	rmsprop: () => rmsprop,
	rprop: () => rprop,
	schedule: () => schedule_exports,
	sgd: () => sgd,
	signSgd: () => signSgd,
	sm3: () => sm3,
	yogi: () => yogi
});
// src/ops/complex.ts
/**
* Complex numbers as a pair of tensors: their real and their imaginary parts. There is no complex dtype; what takes and yields complex numbers takes and
* yields this. A tree of two tensors, so that transformations go through it.
*
* @example
* const z = new Complex([1, 2], [0, 1]);
* z.mul(z).re; // [1,3]
*/
var Complex = class Complex {
	re;
	im;
	/** What only those made here have. */
	#own = true;
	/** Whether a value is one, which a proxy is not. */
	static [Symbol.hasInstance](value) {
		return typeof value === "object" && value !== null && #own in value;
	}
	constructor(re, im = 0) {
		const parts = re;
		if (holds(() => parts instanceof Parts)) {
			this.re = parts.re;
			this.im = parts.im;
			return;
		}
		noMore("Complex", [...arguments], 2);
		this.re = re instanceof Tensor && im instanceof Tensor && same$1(re, im) ? re : tidy(() => add(re, mul(im, 0)));
		this.im = re instanceof Tensor && im instanceof Tensor && same$1(re, im) ? im : tidy(() => add(im, mul(re, 0)));
	}
	/** @internal */
	[treeValue](parts) {
		return new Complex(new Parts(parts["re"], parts["im"]));
	}
	/** The sum. */
	add(other) {
		noMore("Complex.add", arguments, 1);
		return combined("Complex.add", this, other, (a, b) => [add(a.re, b.re), add(a.im, b.im)]);
	}
	/** The difference. */
	sub(other) {
		noMore("Complex.sub", arguments, 1);
		return combined("Complex.sub", this, other, (a, b) => [sub(a.re, b.re), sub(a.im, b.im)]);
	}
	/** The product. */
	mul(other) {
		noMore("Complex.mul", arguments, 1);
		return combined("Complex.mul", this, other, (a, b) => [sub(mul(a.re, b.re), mul(a.im, b.im)), add(mul(a.re, b.im), mul(a.im, b.re))]);
	}
	/** The quotient. */
	div(other) {
		noMore("Complex.div", arguments, 1);
		return made$1("div", this, other);
	}
	/** The product of matrices, as `matmul`. */
	matmul(other) {
		noMore("Complex.matmul", arguments, 1);
		if (!(other instanceof Complex)) return this.map((part) => matmul(part, other));
		return combined("Complex.matmul", this, other, (a, b) => [sub(matmul(a.re, b.re), matmul(a.im, b.im)), add(matmul(a.re, b.im), matmul(a.im, b.re))]);
	}
	/** To the power of a number or of complex numbers; of 0 it is 0, but 1 to the power of 0. */
	pow(exponent) {
		noMore("Complex.pow", arguments, 1);
		return made$1("pow", this, exponent);
	}
	/** What a function that is linear makes of both parts: `z.map((part) => part.reshape([2, 2]))`. */
	map(linear) {
		noMore("Complex.map", arguments, 1);
		checkFunction("Complex.map", linear);
		const [re, im] = tidy(() => [linear(this.re), linear(this.im)]);
		return new Complex(re, im);
	}
	/** The sum over axes, or all. */
	sum(axis, options) {
		noMore("Complex.sum", arguments, 2);
		return this.map((part) => sum(part, axis, options));
	}
	/** The mean over axes, or all. */
	mean(axis, options) {
		noMore("Complex.mean", arguments, 2);
		return this.map((part) => mean(part, axis, options));
	}
	/** Negated. */
	neg() {
		noMore("Complex.neg", arguments, 0);
		return this.map(neg);
	}
	/** The principal logarithm, with the angle in [−π, π]. */
	log() {
		noMore("Complex.log", arguments, 0);
		return made$1("log", this);
	}
	/** The principal root, with a real part of 0 or more. */
	sqrt() {
		noMore("Complex.sqrt", arguments, 0);
		return made$1("sqrt", this);
	}
	/** With the imaginary parts negated. */
	conj() {
		noMore("Complex.conj", arguments, 0);
		return new Complex(this.re.add(0), neg(this.im));
	}
	/** Distances from 0. */
	abs() {
		noMore("Complex.abs", arguments, 0);
		return hypot(this.re, this.im);
	}
	/** Angles from the real axis, in [−π, π]. */
	angle() {
		noMore("Complex.angle", arguments, 0);
		return atan2(this.im, this.re);
	}
	/** e to the power of each. */
	exp() {
		noMore("Complex.exp", arguments, 0);
		return made$1("exp", this);
	}
	/** Frees both tensors. */
	dispose() {
		noMore("Complex.dispose", arguments, 0);
		this.re.dispose();
		this.im.dispose();
	}
};
function same$1(a, b) {
	return a.dtype === b.dtype && a.shape.join() === b.shape.join();
}
/** What a transformation puts in the places of the parts. */
var Parts = class {
	re;
	im;
	constructor(re, im) {
		this.re = re;
		this.im = im;
	}
};
function combined(op, a, b, f) {
	if (b === void 0 || b === null) throw new ValueError(op, `takes complex numbers or a tensor, got ${shown(b)}`);
	const [re, im] = tidy(() => {
		const other = b instanceof Complex ? b : {
			re: typeof b === "number" ? b : lifted$1(op, b),
			im: 0
		};
		return roundedOnce([
			a.re,
			a.im,
			other.re,
			other.im
		], (...[re, im, otherRe, otherIm]) => f({
			re,
			im
		}, {
			re: otherRe,
			im: otherIm
		}));
	});
	return new Complex(re, im);
}
const functions = register("complex");
const NAMES = [
	"log",
	"sqrt",
	"pow",
	"exp",
	"div"
];
/** A function that the core has, by its place there. */
function made$1(name, z, exponent = 0) {
	const op = `Complex.${name}`;
	return combined(op, z, exponent, (a, b) => {
		const call = (call) => void call.tensor(a.re).tensor(a.im).tensor(b.re).tensor(b.im).put(NAMES.indexOf(name));
		return composed(op, () => invokeAll({
			...functions,
			name: op
		}, call));
	});
}
// src/core/device/current.ts
let current = null;
let currentGpu = null;
/**
* Called by `init`.
*
* @internal
*/
function setDevice(info, gpu) {
	current = info;
	currentGpu = gpu;
}
/**
* The device that is open, or null before `init`.
*
* @example
* deviceInfo()?.kind; // "cpu"
*/
function deviceInfo() {
	return current;
}
/**
* WebGPU's device that Weft uses, for WebGPU code of one's own beside it: tensors go there by `data.toGPUBuffer` and come from there by `data.fromGPUBuffer`. Null on
* the CPU device and before `init`. An error of such code that none of its error scopes takes is told by Weft's next read. The playground hides it from
* cells until the reader allows raw WebGPU.
*
* @example
* const queue = gpuDevice()?.queue;
*/
function gpuDevice() {
	return currentGpu;
}
/**
* Lets the device catch up: resolves at once while little is asked of it, else when most of that has run. Await it in a loop that
* makes work and reads nothing, for JavaScript runs ahead of a GPU without noticing: what it asks for meanwhile waits in a queue.
*
* @example
* let x = ones([64, 64]);
* const turn = jit((x: Tensor) => x.matmul(x).div(64));
* for (let i = 0; i < 100; i++) {
*   x = turn(x);
*   await throttle(); // waits only where the device is behind
* }
*/
async function throttle() {
	await core().throttle();
	await relief();
}
/**
* A promise for the moment when everything asked of the device so far has run. Rejects with `DeviceLostError` when it is lost.
*
* @example
* realize(ones([512, 512]).matmul(ones([512, 512])));
* await synchronize(); // now it has run
*/
async function synchronize() {
	await core().idle();
}
// src/core/device/compiler.ts
/** How many kernels are being compiled while shorter ones serve, and what is called whenever one is compiled. @internal */
const compiles = {
	optimising: 0,
	ended: () => {}
};
/** Of pipelines that were compiled and are not asked for, because what would have run them failed, the first is forgotten when there are more. */
const MOST_KEPT = 256;
/** Has the browser hand on what was asked of a device, by a submit of nothing, instead of at the end of the task: kernels are compiled while others are made. @internal */
function handOn(device) {
	device.queue.submit([]);
}
/** Kernels for which others serve are compiled so many at a time: what somebody waits for should not wait for them. */
const mostBeside = () => Math.max(1, Math.min(4, (globalThis.navigator?.hardwareConcurrency ?? 2) >> 1));
/** What compiles for a device. @internal */
function compiler(device) {
	/** Kernels that somebody waits for, and those that are compiled beside others that serve, or will be. */
	let [awaited, beside] = [0, 0];
	const later = [];
	const codes = /* @__PURE__ */ new WeakMap();
	const made = /* @__PURE__ */ new Map();
	const create = device.createComputePipeline.bind(device);
	const module = device.createShaderModule.bind(device);
	const own = (name, value) => Object.defineProperty(device, name, { value });
	own("createShaderModule", (descriptor) => {
		const shader = made.get(descriptor.code)?.shader;
		if (shader) codes.set(shader, descriptor.code);
		return shader ?? module(descriptor);
	});
	own("createComputePipeline", (descriptor) => {
		const code = codes.get(descriptor.compute.module);
		const pipeline = code === void 0 ? void 0 : made.get(code)?.pipeline;
		if (code !== void 0) made.delete(code);
		return pipeline ?? create(descriptor);
	});
	const compile = (code, storage, written, uniforms) => {
		const visibility = 4;
		const entries = Array.from({ length: storage }, (_, binding) => ({
			binding,
			visibility,
			buffer: { type: written >> binding & 1 ? "storage" : "read-only-storage" }
		}));
		if (uniforms > 0) entries.push({
			binding: storage,
			visibility,
			buffer: {
				type: "uniform",
				hasDynamicOffset: true,
				minBindingSize: uniforms
			}
		});
		device.pushErrorScope("validation");
		try {
			const layout = device.createPipelineLayout({ bindGroupLayouts: [device.createBindGroupLayout({ entries })] });
			const shader = module({ code });
			return device.createComputePipelineAsync({
				layout,
				compute: { module: shader }
			}).then((pipeline) => {
				made.set(code, {
					shader,
					pipeline
				});
				const [first] = made.keys();
				if (made.size > MOST_KEPT && first !== void 0) made.delete(first);
			});
		} finally {
			device.popErrorScope().catch(() => {});
			handOn(device);
		}
	};
	const goOn = () => {
		for (let next; awaited === 0 && beside < mostBeside() && (next = later.shift()); next()) beside++;
	};
	return (code, storage, written, uniforms, served, done) => {
		const end = (by) => {
			by();
			done();
			compiles.ended();
			goOn();
		};
		if (!served) {
			const compiled = compile(code, storage, written, uniforms);
			awaited++;
			compiled.catch(() => {}).finally(() => end(() => awaited--));
			return;
		}
		compiles.optimising++;
		const start = async () => compile(code, storage, written, uniforms);
		later.push(() => {
			start().catch(() => {}).finally(() => end(() => {
				beside--;
				compiles.optimising--;
			}));
		});
		goOn();
	};
}
// src/core/device/adapter.ts
/** The GPU object of this page or worker, or null. @internal */
function ambientGpu() {
	return globalThis.navigator?.gpu ?? null;
}
/**
* Makes `gpu` what the core finds: it looks for a window or worker, then for its `navigator.gpu`. Does nothing where it is that
* already, as in a page.
*
* @internal
*/
function exposeGpu(gpu) {
	if (!("Window" in globalThis) && !("WorkerGlobalScope" in globalThis)) Object.defineProperty(globalThis, "Window", {
		value: class Window {},
		configurable: true,
		writable: true
	});
	if (ambientGpu() === gpu) return;
	const navigator = globalThis.navigator ?? {};
	Object.defineProperty(navigator, "gpu", {
		value: gpu,
		configurable: true,
		writable: true
	});
	if (globalThis.navigator !== navigator) Object.defineProperty(globalThis, "navigator", {
		value: navigator,
		configurable: true
	});
}
/** Where there is a `navigator.gpu`, or what to do where there is none. */
function remedy() {
	if (!globalThis.process?.versions?.node) return "Current Chrome, Edge, Safari and Firefox have it, on pages served from https or localhost";
	return "In Node the npm package webgpu has it: import { create } from \"webgpu\"; await init({ gpu: create([]) })";
}
/** Asks for an adapter, and of that for a device. Throws `AdapterError` when there is no adapter. @internal */
async function findDevice(gpu, power) {
	if (!gpu) throw new AdapterError("init", `there is no WebGPU here: navigator.gpu is missing. ${remedy()}`);
	if (!holds(() => typeof gpu.requestAdapter === "function")) throw new ValueError("init", `gpu must be a GPU object, with requestAdapter, got ${shown(gpu)}`);
	const adapter = await request(gpu, power);
	if (!adapter) throw new AdapterError("init", "WebGPU has no adapter: hardware acceleration may be off, or the GPU blocked");
	if (!holds(() => typeof adapter.info.vendor === "string" && adapter.features.has("subgroups") !== void 0)) throw new AdapterError("init", `requestAdapter gave ${shown(adapter)}, which is no adapter`);
	const device = requestDevice(adapter);
	device.then(wakeCompiler).catch(() => {});
	const { info } = adapter;
	return {
		gpu,
		adapter,
		facts: {
			vendor: info.vendor,
			architecture: info.architecture,
			description: info.description,
			isFallback: info.isFallbackAdapter ?? isSoftware(info),
			subgroups: adapter.features.has("subgroups"),
			lowPower: power === "low-power"
		},
		device
	};
}
/** What `requestAdapter` gives, whoever wrote it. */
async function request(gpu, power) {
	try {
		return await gpu.requestAdapter({ powerPreference: power });
	} catch (error) {
		throw new AdapterError("init", `WebGPU gave no adapter: ${error instanceof Error ? error.message : shown(error)}`);
	}
}
/** A device with all that its adapter offers of what Weft uses. */
async function requestDevice(adapter) {
	const requiredLimits = {};
	for (const name in adapter.limits) {
		const limit = adapter.limits[name];
		if (typeof limit === "number" && !name.includes("Subgroup")) requiredLimits[name] = limit;
	}
	return adapter.requestDevice({
		label: "weft",
		requiredFeatures: ["timestamp-query", "subgroups"].filter((name) => adapter.features.has(name)),
		requiredLimits
	});
}
/** Drivers start their compilers with the first pipeline: here with one that does nothing, while the core makes its first. */
function wakeCompiler(device) {
	const module = device.createShaderModule({ code: "@compute @workgroup_size(1) fn main() {}" });
	const compiled = device.createComputePipelineAsync({
		layout: "auto",
		compute: { module }
	});
	handOn(device);
	return compiled;
}
/** Software adapters of implementations that do not say so. */
function isSoftware(info) {
	return /swiftshader|llvmpipe|lavapipe/i.test(`${info.architecture} ${info.description}`);
}
/**
* Runs `open`, by which the core opens a device: what it asks for before that returns is the adapter found, and what it asks of that is the device, which so has subgroups,
* for which the core cannot ask, and was asked for while the core was not there. `facts.compile` compiles the device's pipelines then.
*
* @internal
*/
async function handOver({ gpu, adapter, facts, device }, open) {
	let compile = null;
	facts.compile = (...kernel) => compile(...kernel);
	const ready = device.then((device) => {
		compile = compiler(device);
		return device;
	});
	ready.catch(() => {});
	let takeBack = () => {};
	try {
		takeBack = answer$2(adapter, "requestDevice", ready);
		await during(gpu, "requestAdapter", Promise.resolve(adapter), open);
		return await device;
	} catch (error) {
		forget(device);
		throw error;
	} finally {
		takeBack();
	}
}
/** Gives up a device that was asked for, if it comes. @internal */
function forget(device) {
	device.then((device) => device.destroy()).catch(() => {});
}
/** What `open` returns, which sees a method answer with a promise until it returns: others that ask for an adapter get one of their own. @internal */
function during(owner, method, promise, open) {
	const takeBack = answer$2(owner, method, promise);
	try {
		return open();
	} finally {
		takeBack();
	}
}
/** Has a method of an object answer with a promise, until what this returns is called. */
function answer$2(owner, method, promise) {
	const own = Object.getOwnPropertyDescriptor(owner, method);
	if (!Reflect.defineProperty(owner, method, {
		value: () => promise,
		configurable: true
	})) throw new AdapterError("init", `${shown(owner)} is frozen: its device cannot be opened`);
	return () => void (own ? Object.defineProperty(owner, method, own) : Reflect.deleteProperty(owner, method));
}
// src/core/tensor/devtools.ts
let installed$1 = false;
/** Adds a formatter for tensors to those of the page or worker, once. */
function installFormatter() {
	if (installed$1) return;
	installed$1 = true;
	const scope = globalThis;
	scope.devtoolsFormatters = [...scope.devtoolsFormatters ?? [], {
		header: (value) => value instanceof Tensor ? [
			"span",
			{ style: "white-space: pre" },
			value.toString()
		] : null,
		hasBody: () => false
	}];
}
// src/ops/sized.ts
/**
* What `find` makes, cut to as many elements as its count says, but for what stands in `whole`. One flush computes the count and all of them, so that
* nothing is sorted twice. What is asked of the arguments is asked before the wait, during which they may be freed.
*/
async function counted$2(op, find, whole = []) {
	const { count, found } = composed(op, find);
	const names = Object.keys(found);
	const all = [count, ...Object.values(found)];
	all.forEach(keep);
	const cut = names.filter((name) => !whole.includes(name));
	try {
		composed(op, () => core().realize(Uint32Array.from(all, (tensor) => tensor.handle)));
		const size = await count.item();
		return {
			...found,
			...Object.fromEntries(cut.map((name) => [name, slice(found[name], [0, size])]))
		};
	} catch (error) {
		for (const name of names) if (!cut.includes(name)) found[name].dispose();
		throw error;
	} finally {
		for (const tensor of [count, ...cut.map((name) => found[name])]) tensor.dispose();
	}
}
// src/ops/generated/sort.ts
/**
* The elements of each line of an axis, or (null) all of them, in ascending order, or
* descending; NaN behind all, in descending order before.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* sort([3, 1, 2]); // [1,2,3]
* sort([3, 1, 2], -1, true); // [3,2,1]
*/
const sort = operation("sort", tensor$1, or(position, -1), or(flag("the descending"), false));
/**
* The positions that put each line of an axis, or (null) all elements in row-major order, in
* order; those of equal elements in ascending order either way.
*
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* argsort([3, 1, 2]); // [1,2,0]
*/
const argsort = operation("argsort", tensor$1, or(position, -1), or(flag("the descending"), false));
/**
* The positions that put lines of several keys in order, of which the last counts most. Throws
* `ShapeError` where shapes differ.
*
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* lexsort([[2, 1, 0], [0, 1, 0]]); // [2,0,1]
*/
const lexsort = operation("lexsort", tensors, or(axis, -1));
/**
* Each line of an axis, or (null) all elements as one, with the element at `kth` where it
* belongs: none greater before it and none smaller behind, which all are sorted too.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* partition([3, 1, 2], 1); // [1,2,3]
*/
const partition = operation("partition", tensor$1, whole$1("the kth"), or(position, -1));
/**
* The positions that `partition` takes elements from.
*
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* argpartition([3, 1, 2], 1); // [1,2,0]
*/
const argpartition = operation("argpartition", tensor$1, whole$1("the kth"), or(position, -1));
/**
* The middle element in order, or the mean of the two in the middle; NaN where any is. Throws
* `ShapeError` over nothing.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* median([3, 1, 2]); // 2
*/
const median = operation("median", tensor$1, axes, options({ keepdims: false }));
/**
* The middle of what is not NaN; NaN where nothing is.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nanmedian([3, NaN, 2]); // 2.5
*/
const nanmedian = operation("nanmedian", tensor$1, axes, options({ keepdims: false }));
/**
* What a share `q` of the elements lies below; NaN where any is. The axes of `q` come first.
* Throws `ValueError` for a number outside 0 to 1.
*
* Takes any dtype, then any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* quantile([1, 2, 3, 4], 0.5); // 2.5
* quantile([1, 2, 3, 4], 0.5, null, { method: "lower" }); // 2
*/
const quantile = operation("quantile", tensor$1, operand, axes, between$1);
/**
* What a share `q` of what is not NaN lies below; NaN where nothing is.
*
* Takes any dtype, then any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nanquantile([1, NaN, 3], 0.5); // 2
*/
const nanquantile = operation("nanquantile", tensor$1, operand, axes, between$1);
/**
* What a percentage of the elements lies below: `quantile` of a hundredth.
*
* Takes any dtype, then any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* percentile([1, 2, 3, 4], 50); // 2.5
*/
const percentile = operation("percentile", tensor$1, operand, axes, between$1);
/**
* `percentile` of what is not NaN.
*
* Takes any dtype, then any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* nanpercentile([1, NaN, 3], 50); // 2
*/
const nanpercentile = operation("nanpercentile", tensor$1, operand, axes, between$1);
/**
* How many different elements there are; all NaN are one.
*
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* uniqueCount([2, 1, 2]); // 2
*/
const uniqueCount = operation("uniqueCount", tensor$1);
/**
* The rank of each element among all, or of a line of an axis, from 1. Equal ones share their
* mean, or by the method "min", "max" or "dense" what SciPy's `rankdata` gives them; by
* "ordinal" they are ranked as they stand. Beside NaN all are NaN.
*
* Takes any dtype; gives f32. Without a gradient; `vmap` batches it.
*
* @example
* rankData([20, 10, 20, 40]); // [2.5,1,2.5,4]
* rankData([20, 10, 20, 40], "dense"); // [2,1,2,3]
*/
const rankData = operation("rankData", tensor$1, or(text("the method"), "average"), position);
/**
* Where each of `values` would have to be inserted into a sorted vector so that it stays
* sorted: before equals, or after them.
*
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* searchSorted([1, 2, 2, 5], [2, 9]); // [1,4]
*/
const searchSorted = operation("searchSorted", tensor$1, operand, or(flag("the after"), false));
/**
* The bin in which each element lies: how many of the ascending edges are not above it (or,
* from the right, below it). Edges may descend, too.
*
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* digitize([0.5, 1, 9], [1, 2, 3]); // [0,1,3]
* digitize([0.5, 1, 9], [1, 2, 3], true); // [0,0,3]
*/
const digitize = operation("digitize", operand, tensor$1, or(flag("the right"), false));
/**
* Whether each element is one of `values`, or, with `invert`, none of them.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* isIn([1, 2, 3], [3, 1]); // [true,false,true]
* isIn([1, 2, 3], [3, 1], { invert: true }); // [false,true,false]
*/
const isIn = operation("isIn", tensor$1, tensor$1, options({ invert: false }));
// src/ops/unique.ts
var unique_exports = /* @__PURE__ */ __exportAll({
	topK: () => topK,
	uniqueAll: () => uniqueAll,
	uniqueCounts: () => uniqueCounts,
	uniqueInverse: () => uniqueInverse,
	uniqueValues: () => uniqueValues,
	uniqueWithSize: () => uniqueWithSize
});
const largest$1 = register("topK");
/**
* The `k` largest elements of each line of an axis, the largest first, and their positions as i32. Of equal ones the first comes first; NaN
* counts as the largest. Throws `ValueError` when there are fewer.
*
* Takes any dtype; gives values same, indices i32. Differentiable; `vmap` batches it.
*
* @example
* const [values, positions] = topK([3, 1, 4, 1, 5], 2);
* values; // [5,4]
* positions; // [4,2]
*/
function topK(x, k, axis = -1) {
	const count = countOf("topK", "the number of elements", k);
	const along = axisOf("topK", axis);
	noMore("topK", arguments, 3);
	return invokeAll(largest$1, (call) => call.tensor(x).put(count, along));
}
const parts = {
	values: register("unique.values"),
	indices: register("unique.indices"),
	inverse: register("unique.inverse"),
	counts: register("unique.counts")
};
function part(opcode, x, size) {
	return invoke(opcode, (call) => call.tensor(x).put(size));
}
/**
* The different elements of the flattened tensor in `size` places, without a read: behind them the first stands again, with a count and an index of 0, and what
* there is no place for is left out. `uniqueAll` waits for how many there are. Throws `ShapeError` where there is nothing to fill places with.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* uniqueWithSize([2, 1, 2], 3).values; // [1,2,1]
*/
function uniqueWithSize(x, size) {
	const places = countOf("uniqueWithSize", "the number of places", size);
	noMore("uniqueWithSize", arguments, 2);
	const of = (opcode) => part(opcode, x, places);
	return {
		values: of(parts.values),
		indices: of(parts.indices),
		inverse: of(parts.inverse),
		counts: of(parts.counts)
	};
}
/** The parts of these names, as long as there are different elements. */
function found(op, x, ...names) {
	const find = () => {
		const all = lifted$1(op, x);
		const entries = names.map((name) => [name, part(parts[name], all, sizeOf(all.shape))]);
		return {
			count: uniqueCount(all),
			found: Object.fromEntries(entries)
		};
	};
	return counted$2(op, find, ["inverse"]);
}
/**
* The different elements of the flattened tensor in ascending order. How many there are is data: asynchronous, and not in `jit`, where `uniqueWithSize` is.
*
* @example
* await uniqueValues([2, 1, 2]); // [1,2]
*/
async function uniqueValues(x) {
	noMore("uniqueValues", arguments, 1);
	return (await found("uniqueValues", x, "values")).values;
}
/**
* The different elements, and how often each stands there.
*
* @example
* (await uniqueCounts([2, 1, 2])).counts; // [1,2]
*/
async function uniqueCounts(x) {
	noMore("uniqueCounts", arguments, 1);
	return found("uniqueCounts", x, "values", "counts");
}
/**
* The different elements, and which of them each element is.
*
* @example
* (await uniqueInverse([2, 1, 2])).inverse; // [1,0,1]
*/
async function uniqueInverse(x) {
	noMore("uniqueInverse", arguments, 1);
	return found("uniqueInverse", x, "values", "inverse");
}
/**
* The different elements, where each first stands, which of them each element is, and how often each stands there.
*
* @example
* (await uniqueAll([2, 1, 2])).indices; // [1,0]
*/
async function uniqueAll(x) {
	noMore("uniqueAll", arguments, 1);
	return found("uniqueAll", x, "values", "indices", "inverse", "counts");
}
// src/ops/generated/number.ts
/**
* Whether the sign of x is set.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* signbit([1, -2]); // [false,true]
*/
const signbit = operation("signbit", tensor$1);
/**
* Whether x is ∞.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* isposinf([Infinity, -Infinity, 1]); // [true,false,false]
*/
const isposinf = operation("isposinf", tensor$1);
/**
* Whether x is −∞.
*
* Takes any dtype; gives bool. Without a gradient; `vmap` batches it.
*
* @example
* isneginf([Infinity, -Infinity, 1]); // [false,true,false]
*/
const isneginf = operation("isneginf", tensor$1);
/**
* x · 2ⁿ for whole n.
*
* Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
*
* @example
* ldexp([0.5, 3], [4, -1]); // [8,1.5]
*/
const ldexp = operation("ldexp", tensor$1, tensor$1);
/**
* The float next to a towards b, which is b where they are equal. Devices may take what is
* below 2⁻¹²⁶ for 0.
*
* Takes any dtype; gives f32, f16 of halves. Without a gradient; `vmap` batches it.
*
* @example
* nextafter(1, 2).sub(1); // 1.1921e-7
*/
const nextafter = operation("nextafter", operand, operand);
/**
* aᵇ in f32, whatever the dtypes.
*
* Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
*
* @example
* floatPower(Int32Array.of(2), -1); // [0.5]
*/
const floatPower = operation("floatPower", operand, operand);
/**
* log₂(2ᵃ + 2ᵇ), without overflow.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* logAddExp2([3, 1000], [3, 1000]); // [4,1001]
*/
const logAddExp2 = operation("logAddExp2", operand, operand);
/**
* `floorDivide` and `remainder`.
*
* Takes any dtype; gives quotient promoted, rest promoted. Differentiable; `vmap` batches it.
*
* @example
* const [quotient, rest] = divmod([7, -7], 3);
* quotient; // [2,-3]
* rest; // [1,2]
*/
const divmod = several("divmod", operand, operand);
/**
* What is left of numbers without their whole parts, and these, both with the sign of the
* number.
*
* Takes any dtype; gives rest f32 even of f16, whole f32 even of f16. Differentiable; `vmap` batches it.
*
* @example
* const [rest, whole] = modf([1.5, -2.25]);
* rest; // [0.5,-0.25]
* whole; // [1,-2]
*/
const modf = several("modf", tensor$1);
/**
* Numbers as m · 2ᵉ: m between ½ and 1 with the sign of the number, and e as i32. What is 0 or
* not finite is its own m, with the exponent 0. The gradient is that of m, with e kept.
*
* Takes any dtype; gives mantissa f32 even of f16, exponent i32. Differentiable; `vmap` batches it.
*
* @example
* const [m, e] = frexp([8, -0.75]);
* m; // [0.5,-0.75]
* e; // [4,0]
*/
const frexp = several("frexp", tensor$1);
/**
* How many bits of integers are set, as i32; of negative ones those of the magnitude.
*
* Takes bool, i32, u32; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* bitwiseCount(Int32Array.of(0, 7, -1)); // [0,3,1]
*/
const bitwiseCount = operation("bitwiseCount", integers);
/**
* How many zeros stand before the first one of each element's 32 bits.
*
* Takes i32, u32; gives the same. Without a gradient; `vmap` batches it.
*
* @example
* clz(tensor([0, 1, -1], { dtype: "i32" })); // [32,31,0]
*/
const clz = operation("clz", tensor$1);
/**
* The greatest common divisor of integers, 0 of zeros.
*
* Takes bool, i32, u32; gives the promoted dtype, i32 of bools. Without a gradient; `vmap` batches it.
*
* @example
* gcd(Int32Array.of(12, -18, 0), 9); // [3,9,9]
*/
const gcd = operation("gcd", integers, integers);
/**
* The least common multiple of integers, 0 where either is.
*
* Takes bool, i32, u32; gives the promoted dtype, i32 of bools. Without a gradient; `vmap` batches it.
*
* @example
* lcm(Int32Array.of(4, 0), 6); // [12,0]
*/
const lcm = operation("lcm", integers, integers);
/**
* Whether elements are not 0, as bits, eight to a byte: along an axis, or of the flattened
* tensor. The first is the highest bit, or the lowest with `little`; zeros fill the last byte.
*
* Takes any dtype; gives u8. Without a gradient; `vmap` batches it.
*
* @example
* packbits([1, 0, 0, 0, 0, 0, 1, 1, 1]); // [131,128]
*/
const packbits = operation("packbits", tensor$1, position, or(flag("the little"), false));
/**
* The bits of bytes as 0 and 1, along an axis, or of the flattened tensor: the first `count`,
* followed by zeros where there are fewer, or all but the last −`count`, where it is given.
* Throws `DTypeError` for other than u8.
*
* Takes u8; gives u8. Without a gradient; `vmap` batches it.
*
* @example
* unpackbits(packbits([1, 0, 1]), null, 4); // [1,0,1,0]
*/
const unpackbits = operation("unpackbits", tensor$1, position, bound("the count"), or(flag("the little"), false));
// src/ops/generated/scan.ts
/**
* The sum of all elements up to each along an axis, or (null) of all in row-major order, or
* from each on; without its own if `exclusive`.
*
* Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
*
* @example
* cumsum([1, 2, 3]); // [1,3,6]
* cumsum([[1, 2], [3, 4]], null); // [1,3,6,10]
*/
const cumsum = operation("cumsum", tensor$1, or(position, -1), or(flag("the reverse"), false), or(flag("the exclusive"), false));
/**
* The product of all elements up to each along an axis, or (null) of all in row-major order,
* or from each on; without its own if `exclusive`.
*
* Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
*
* @example
* cumprod([1, 2, 3]); // [1,2,6]
*/
const cumprod = operation("cumprod", tensor$1, or(position, -1), or(flag("the reverse"), false), or(flag("the exclusive"), false));
/**
* The largest of all elements up to each along an axis, or (null) of all in row-major order,
* or from each on; without its own if `exclusive`. The gradient goes to the first of equal
* ones.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* cummax([1, 3, 2]); // [1,3,3]
*/
const cummax = operation("cummax", tensor$1, or(position, -1), or(flag("the reverse"), false), or(flag("the exclusive"), false));
/**
* The smallest of all elements up to each along an axis, or (null) of all in row-major order,
* or from each on; without its own if `exclusive`. The gradient goes to the first of equal
* ones.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* cummin([3, 1, 2]); // [3,1,1]
*/
const cummin = operation("cummin", tensor$1, or(position, -1), or(flag("the reverse"), false), or(flag("the exclusive"), false));
/**
* log Σ eˣ of all elements up to each along an axis, or (null) of all in row-major order, or
* from each on, without overflow.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* logCumSumExp([0, 0]); // [0,0.69315]
*/
const logCumSumExp = operation("logCumSumExp", tensor$1, or(position, -1), or(flag("the reverse"), false));
/**
* The sum of each element and all before it along an axis; with `includeInitial` after a 0, so
* that there is one more than there are elements.
*
* Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
*
* @example
* cumulativeSum([1, 2, 3]); // [1,3,6]
* cumulativeSum([1, 2, 3], 0, { includeInitial: true }); // [0,1,3,6]
*/
const cumulativeSum = operation("cumulativeSum", tensor$1, or(position, -1), options({ includeInitial: false }));
/**
* The product of each element and all before it along an axis; with `includeInitial` after a
* 1, so that there is one more than there are elements.
*
* Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
*
* @example
* cumulativeProd([2, 3], 0, { includeInitial: true }); // [1,2,6]
*/
const cumulativeProd = operation("cumulativeProd", tensor$1, or(position, -1), options({ includeInitial: false }));
/**
* `cumsum` with 0 for NaN.
*
* Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
*
* @example
* nancumsum([1, NaN, 2]); // [1,1,3]
*/
const nancumsum = operation("nancumsum", tensor$1, or(position, -1));
/**
* `cumprod` with 1 for NaN.
*
* Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
*
* @example
* nancumprod([2, NaN, 3]); // [2,2,6]
*/
const nancumprod = operation("nancumprod", tensor$1, or(position, -1));
// src/ops/generated/signal.ts
/**
* Between the points of a curve the height at each x, by straight lines; beyond them the
* heights of its ends. The places must ascend.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* interp([0.5, 1.5, 9], [0, 1, 2], [0, 10, 40]); // [5,25,40]
*/
const interp = operation("interp", operand, tensor$1, tensor$1);
/**
* The area under a curve of values along an axis, by trapezoids of the given widths: a number,
* or one for each step. As many numbers as there are values are their places instead, as
* NumPy's `x`. A vector lies along the axis, and other tensors broadcast.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* trapezoid([1, 2, 3]); // 4
* trapezoid([1, 2, 3], [0, 1, 3]); // 6.5
*/
const trapezoid = operation("trapezoid", tensor$1, or(operand, 1), or(axis, -1));
/**
* The slope of samples along an axis: central differences inside, one-sided ones at the ends.
* `spacing` is the distance between samples, or a vector of where they are. Throws
* `ShapeError` for fewer than two.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* gradient([1, 2, 4, 7]); // [1,1.5,2.5,3]
* gradient([1, 2, 4], [0, 1, 3]); // [1,1,1]
*/
const gradient = operation("gradient", tensor$1, or(operand, 1), or(axis, -1));
/**
* Angles along an axis without jumps of more than half a turn, or numbers of another period.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* unwrap([3, -3]); // [3,3.2832]
* unwrap([350, 10], -1, { period: 360 }); // [350,370]
*/
const unwrap = operation("unwrap", tensor$1, or(axis, -1), winding);
/**
* Samples, such as those of pictures, with other extents, as `jax.image.resize`: `method` is
* "nearest", "linear", "cubic", "lanczos3" or "lanczos5", and what gets smaller is averaged
* over what it stands for, unless `antialias` is false. Throws `ShapeError` where axes are
* missing.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* resizeImage([[0, 2], [4, 6]], [1, 2]); // [[2,4]]
* resizeImage([1, 2], [4], "nearest"); // [1,1,2,2]
*/
const resizeImage = operation("resizeImage", tensor$1, extents$1, or(text("the method"), "linear"), or(flag("the antialias"), true));
/**
* What lies at coordinates, those along each axis one after the other along the first axis: of
* order 1 between elements by straight lines, of order 0 the nearest. Beyond the ends lies
* `value`, or by the modes "nearest", "wrap", "mirror" and "reflect" what SciPy's
* `map_coordinates` finds there. Throws `ValueError` for other orders.
*
* Takes any dtype, then any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* mapCoordinates([0, 10, 20], [[0.5, 1.25, 9]]); // [5,12.5,0]
* mapCoordinates([0, 10, 20], [[9]], 1, "nearest"); // [20]
*/
const mapCoordinates = operation("mapCoordinates", tensor$1, tensor$1, or(count("the order"), 1), or(text("the mode"), "constant"), or(number("the value"), 0));
// src/ops/generated/polynomials.ts
/**
* A polynomial at each x, by its coefficients, that of the highest power first.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* polyval([1, 0, -2], [0, 3]); // [-2,7]
*/
const polyval = operation("polyval", tensor$1, operand);
/**
* The sum of two polynomials.
*
* Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
*
* @example
* polyadd([1, 2], [3, 4, 5]); // [3,5,7]
*/
const polyadd = operation("polyadd", tensor$1, tensor$1);
/**
* The difference of two polynomials.
*
* Takes any dtype; gives the promoted dtype, i32 of bools. Differentiable; `vmap` batches it.
*
* @example
* polysub([1, 2], [3, 4, 5]); // [-3,-3,-3]
*/
const polysub = operation("polysub", tensor$1, tensor$1);
/**
* The product of two polynomials.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* polymul([1, 2], [1, 3]); // [1,5,6]
*/
const polymul = operation("polymul", tensor$1, tensor$1);
/**
* The quotient of two polynomials and what is left, which has one coefficient less than the
* divisor (at least one). Throws `ShapeError` for an empty divisor.
*
* Takes any dtype; gives quotient f32 even of f16, rest f32 even of f16. Differentiable; `vmap` batches it.
*
* @example
* const [quotient, rest] = polydiv([1, 5, 7], [1, 2]);
* quotient; // [1,3]
* rest; // [1]
*/
const polydiv = several("polydiv", tensor$1, tensor$1);
/**
* The derivative of a polynomial, of order `times`.
*
* Takes any dtype; gives the dtype of x, i32 of bool. Differentiable; `vmap` batches it.
*
* @example
* polyder([1, 2, 3]); // [2,2]
*/
const polyder = operation("polyder", tensor$1, or(count("the times"), 1));
/**
* The integral of a polynomial, `times` over, with 0 (or `constant`) at 0.
*
* Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
*
* @example
* polyint([2, 2]); // [1,2,0]
*/
const polyint = operation("polyint", tensor$1, or(count("the times"), 1), or(operand, 0));
/**
* The polynomial of a degree that lies nearest to points, in the sense of least squares, each
* weighted or not. In f32: of high degrees, or far from 0, digits are lost.
*
* Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
*
* @example
* polyfit([0, 1, 2], [1, 3, 5], 1).round(); // [2,1]
*/
const polyfit = operation("polyfit", tensor$1, tensor$1, count("the degree"), maybe);
/**
* The polynomial with the given roots.
*
* Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
*
* @example
* poly([1, 2]); // [1,-3,2]
*/
const poly = operation("poly", tensor$1);
// src/ops/generated/statistics.ts
/**
* Covariances of the rows of a matrix, each a variable, over its columns, each an observation;
* of a vector its variance. Divided by as many less `correction`. The variables of `y` come
* behind those of `x`.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* cov([[1, 2, 3], [3, 2, 1]]); // [[1,-1],[-1,1]]
* cov([1, 2, 3], [3, 2, 1]); // [[1,-1],[-1,1]]
*/
const cov = operation("cov", tensor$1, maybe, or(number("the correction"), 1));
/**
* Correlations of the rows of a matrix, each a variable, over its columns, each an
* observation. The variables of `y` come behind those of `x`.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* corrcoef([[1, 2, 3], [3, 2, 1]]); // [[1,-1],[-1,1]]
*/
const corrcoef = operation("corrcoef", tensor$1, maybe);
/**
* The distances of all points in rows of `a` from all in rows of `b`, by the norm of an order:
* `Infinity` for the largest difference, 0 for how many differ. Between points in one place
* the slope is 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* cdist([[0, 0]], [[3, 4], [0, 1]]); // [[5,1]]
* cdist([[0, 0]], [[3, 4]], 1); // [[7]]
*/
const cdist = operation("cdist", tensor$1, tensor$1, or(number("the order"), 2));
/**
* The distances of each point in rows of a matrix from those behind it, one after the other.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* pdist([[0, 0], [3, 4], [0, 1]]); // [5,1,4.2426]
*/
const pdist = operation("pdist", tensor$1, or(number("the order"), 2));
// src/ops/generated/methods.ts
var methods_exports = /* @__PURE__ */ __exportAll({
	abs: () => abs,
	acos: () => acos,
	acosh: () => acosh,
	add: () => add,
	all: () => all,
	allClose: () => allClose,
	any: () => any,
	argmax: () => argmax,
	argmin: () => argmin,
	argpartition: () => argpartition,
	argsort: () => argsort,
	arrayEqual: () => arrayEqual,
	asin: () => asin,
	asinh: () => asinh,
	atan: () => atan,
	atan2: () => atan2,
	atanh: () => atanh,
	binaryCrossEntropy: () => binaryCrossEntropy,
	bitcast: () => bitcast,
	bitwiseAnd: () => bitwiseAnd,
	bitwiseNot: () => bitwiseNot,
	bitwiseOr: () => bitwiseOr,
	bitwiseXor: () => bitwiseXor,
	broadcastTo: () => broadcastTo,
	cast: () => cast,
	cbrt: () => cbrt,
	cdist: () => cdist,
	ceil: () => ceil,
	celu: () => celu,
	copysign: () => copysign,
	corrcoef: () => corrcoef,
	cos: () => cos,
	cosh: () => cosh,
	countNonzero: () => countNonzero,
	cov: () => cov,
	cross: () => cross,
	cummax: () => cummax,
	cummin: () => cummin,
	cumprod: () => cumprod,
	cumsum: () => cumsum,
	degrees: () => degrees,
	detach: () => detach,
	diag: () => diag,
	diagonal: () => diagonal,
	div: () => div,
	dot: () => dot,
	elu: () => elu,
	equal: () => equal,
	erf: () => erf,
	erfInv: () => erfInv,
	exp: () => exp,
	exp2: () => exp2,
	expandDims: () => expandDims,
	expm1: () => expm1,
	flatten: () => flatten,
	flip: () => flip,
	floor: () => floor,
	floorDivide: () => floorDivide,
	fmax: () => fmax,
	fmin: () => fmin,
	fmod: () => fmod,
	gelu: () => gelu,
	glu: () => glu,
	greater: () => greater,
	greaterEqual: () => greaterEqual,
	hardSigmoid: () => hardSigmoid,
	hardSilu: () => hardSilu,
	hardTanh: () => hardTanh,
	heaviside: () => heaviside,
	huberLoss: () => huberLoss,
	hypot: () => hypot,
	inner: () => inner,
	interp: () => interp,
	isClose: () => isClose,
	isIn: () => isIn,
	isfinite: () => isfinite,
	isinf: () => isinf,
	isnan: () => isnan,
	kron: () => kron,
	l1Loss: () => l1Loss,
	leakyRelu: () => leakyRelu,
	less: () => less,
	lessEqual: () => lessEqual,
	log: () => log,
	log10: () => log10,
	log1p: () => log1p,
	log2: () => log2,
	logAddExp: () => logAddExp,
	logMeanExp: () => logMeanExp,
	logSigmoid: () => logSigmoid,
	logSoftmax: () => logSoftmax,
	logSumExp: () => logSumExp,
	logicalAnd: () => logicalAnd,
	logicalNot: () => logicalNot,
	logicalOr: () => logicalOr,
	logicalXor: () => logicalXor,
	matmul: () => matmul,
	matrixPower: () => matrixPower,
	max: () => max,
	maximum: () => maximum,
	mean: () => mean,
	median: () => median,
	min: () => min,
	minimum: () => minimum,
	mish: () => mish,
	moveAxis: () => moveAxis,
	mseLoss: () => mseLoss,
	mul: () => mul,
	nanToNum: () => nanToNum,
	nanargmax: () => nanargmax,
	nanargmin: () => nanargmin,
	nanmax: () => nanmax,
	nanmean: () => nanmean,
	nanmedian: () => nanmedian,
	nanmin: () => nanmin,
	nanpercentile: () => nanpercentile,
	nanprod: () => nanprod,
	nanquantile: () => nanquantile,
	nanstd: () => nanstd,
	nansum: () => nansum,
	nanvar: () => nanvar,
	neg: () => neg,
	norm: () => norm,
	notEqual: () => notEqual,
	outer: () => outer,
	partition: () => partition,
	pdist: () => pdist,
	percentile: () => percentile,
	permute: () => permute,
	polyval: () => polyval,
	pow: () => pow,
	prod: () => prod,
	ptp: () => ptp,
	quantile: () => quantile,
	radians: () => radians,
	reciprocal: () => reciprocal,
	relu: () => relu,
	relu6: () => relu6,
	remainder: () => remainder,
	reshape: () => reshape,
	roll: () => roll,
	rot90: () => rot90,
	round: () => round,
	rsqrt: () => rsqrt,
	selu: () => selu,
	shiftLeft: () => shiftLeft,
	shiftRight: () => shiftRight,
	sigmoid: () => sigmoid,
	sign: () => sign,
	signbit: () => signbit,
	silu: () => silu,
	sin: () => sin,
	sinc: () => sinc,
	sinh: () => sinh,
	softSign: () => softSign,
	softmax: () => softmax,
	softplus: () => softplus,
	sort: () => sort,
	sqrt: () => sqrt,
	square: () => square,
	squareplus: () => squareplus,
	squeeze: () => squeeze,
	standardize: () => standardize,
	std: () => std,
	sub: () => sub,
	sum: () => sum,
	swapAxes: () => swapAxes,
	tan: () => tan,
	tanh: () => tanh,
	tile: () => tile,
	trace: () => trace,
	trapezoid: () => trapezoid,
	tril: () => tril,
	triu: () => triu,
	trunc: () => trunc,
	uniqueCount: () => uniqueCount,
	unwrap: () => unwrap,
	variance: () => variance,
	vdot: () => vdot,
	vecdot: () => vecdot,
	where: () => where
});
// src/start/methods.ts
let installed = false;
/** Gives `Tensor` its methods, once. Called by `init`: nobody has a tensor before. */
function installMethods() {
	if (installed) return;
	installed = true;
	const define = (name, value) => Object.defineProperty(Tensor.prototype, name, {
		value,
		configurable: true,
		writable: true
	});
	for (const functions of [
		methods_exports,
		clip_exports,
		unique_exports,
		indexing_exports,
		shape_exports,
		functional_exports
	]) for (const [name, act] of Object.entries(functions)) define(name, function(...rest) {
		return act(this, ...rest);
	});
	if (Symbol.dispose) define(Symbol.dispose, Tensor.prototype.dispose);
}
// src/start/rehearse.ts
/** What has to be an answer. All else that is asked of a device is answered by an object that again does nothing. */
const answers = {
	[Symbol.toPrimitive]: () => 0,
	then: void 0,
	get lost() {
		return new Promise(() => {});
	},
	createComputePipelineAsync: async () => idle(),
	popErrorScope: async () => null,
	onSubmittedWorkDone: async () => void 0,
	mapAsync: async () => void 0,
	getMappedRange: (_, bytes) => new ArrayBuffer(bytes)
};
/** An object of WebGPU, or a function of one, that does nothing. What is defined on it stands. */
function idle() {
	const get = (target, name) => Object.hasOwn(target, name) ? target[name] : name in answers ? answers[name] : idle();
	return new Proxy(() => {}, {
		get,
		set: () => true,
		apply: idle
	});
}
const ALIGNMENT = 256;
/** The limits of a usual adapter. */
const limits = {
	maxBufferSize: 2 ** 28,
	maxStorageBufferBindingSize: 2 ** 27,
	maxStorageBuffersPerShaderStage: 10,
	maxComputeInvocationsPerWorkgroup: 256,
	maxComputeWorkgroupSizeX: 256,
	maxComputeWorkgroupSizeY: 256,
	maxComputeWorkgroupSizeZ: 64,
	maxComputeWorkgroupStorageSize: 2 ** 15,
	maxComputeWorkgroupsPerDimension: 65535,
	minUniformBufferOffsetAlignment: ALIGNMENT,
	minStorageBufferOffsetAlignment: ALIGNMENT
};
/** The module of which the engine has compiled that. */
let rehearsed = null;
/**
* Has the engine compile what a first product, and then a first step of training, call, by an instance of `module`. `isOver` is asked between the parts of that, none of
* which is longer than what it spares. For where the core finds `gpu` by itself.
*
* @internal
*/
async function rehearse(module, gpu, isOver) {
	if (module === rehearsed) return;
	rehearsed = module;
	const device = idle();
	const { core } = await Instance.start(module);
	await turn();
	const facts = {
		vendor: "",
		architecture: "",
		description: "",
		isFallback: false,
		subgroups: true,
		lowPower: false,
		compile: compiler(device)
	};
	const adapter = {
		limits,
		features: /* @__PURE__ */ new Set(["timestamp-query", "subgroups"]),
		requestDevice: async () => device
	};
	await during(gpu, "requestAdapter", Promise.resolve(adapter), () => core.open(false, facts));
	core.enter();
	for (const part of program(core)) {
		await part;
		await turn();
		if (isOver()) break;
	}
	core.close();
}
/** Gives all others a turn, so that it is known whether it is over. */
const turn = () => new Promise((resolve) => setTimeout(resolve));
/** A sum and a product that are read, and a captured step of training. */
function* program(core) {
	const names = core.op_names();
	const call = (name, ...numbers) => core.call(names.indexOf(name), numbers);
	const ones = (dtype, ...shape) => call("full", shape.length, ...shape, 1, dtype);
	const [f32, i32] = [0, 1];
	core.tune_begin(() => {});
	core.tune_export();
	core.tune_switch(true);
	yield;
	yield core.read(call("add", ones(f32, 256), ones(f32, 256)));
	yield core.read(call("matmul", ones(f32, 256, 256), ones(f32, 256, 256)));
	const [x, y] = [ones(f32, 64, 256), ones(i32, 64)];
	const parameters = Uint32Array.of(core.parameter(ones(f32, 256, 64)), core.parameter(ones(f32, 64)));
	const sgd = core.optimizer_new(0, parameters, new Float64Array([
		.01,
		0,
		0,
		0
	]));
	core.trace_begin();
	const given = Uint32Array.of(core.placeholder(x), core.placeholder(y));
	core.begin_transform();
	const marks = core.stand_in_begin(parameters);
	const loss = call("crossEntropy", call("relu", call("add", call("matmul", given[0], marks[0]), marks[1])), given[1]);
	const gradients = core.gradients(loss, marks);
	core.stand_in_end();
	core.end_transform();
	core.optimizer_step(sgd, gradients, false);
	const step = core.trace_end(Uint32Array.of(loss), given, true);
	yield;
	const [value] = core.captured_call(step, Uint32Array.of(x, y), /* @__PURE__ */ new Float64Array(), /* @__PURE__ */ new Uint8Array());
	yield;
	yield core.read(value);
}
// src/tune/store.ts
const DATABASE = "weft-gpu";
const TABLE = "tune";
/** Texts are kept of so many devices, and of so many characters each: whoever fills more is no library. */
const MOST_NAMES = 32;
const MOST_CHARACTERS = 1 << 20;
/** The store of a page, or null where there is none: in Node, in frames of opaque origin. Tabs may store at once: what each adds is kept.
* @internal */
function ambientStore() {
	return globalThis.indexedDB && globalThis.origin !== "null" ? {
		get,
		set
	} : null;
}
function texts(values) {
	return values.filter((value) => typeof value === "string");
}
function answer$1(request) {
	return new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error ?? /* @__PURE__ */ new Error("the database gave no answer"));
	});
}
async function withTable(mode, ask) {
	const opening = indexedDB.open(DATABASE, 1);
	opening.onupgradeneeded = () => opening.result.createObjectStore(TABLE);
	const database = await answer$1(opening);
	try {
		const asked = ask(database.transaction(TABLE, mode).objectStore(TABLE));
		return await (asked instanceof IDBRequest ? answer$1(asked) : asked);
	} finally {
		database.close();
	}
}
async function get(name) {
	return texts([await withTable("readonly", (table) => table.get(name))])[0] ?? null;
}
async function set(name, text) {
	await withTable("readwrite", async (table) => {
		const [before] = texts([await answer$1(table.get(name))]);
		if (before === void 0 && await answer$1(table.count()) >= MOST_NAMES) await answer$1(table.clear());
		const merged = merge(before ?? "", text);
		return answer$1(table.put(merged.length > MOST_CHARACTERS ? text : merged, name));
	});
}
/** The entries of two tables, those of the second in place of such as have the same key; what is none is left out. */
function merge(before, text) {
	const [name, ...entries] = text.split("\n");
	const [other, ...earlier] = before.split("\n");
	const all = [...other === name ? earlier : [], ...entries].filter((line) => /^[^\t]+\t[^\t]+\t\d+$/.test(line));
	return [
		name,
		...new Map(all.map((line) => [line.split("	")[0], line])).values(),
		""
	].join("\n");
}
// src/tune/idle.ts
/** Milliseconds without a flush after which a device counts as idle. */
const QUIET = 100;
/** Milliseconds after which the times of kernels that were compiled meanwhile are stored. */
const LATER = 1e3;
/** Milliseconds in which a store should answer. */
const PATIENCE = 2e3;
/** Of what a slice tells: there is more to race for; a race has ended. */
const MORE = 1;
const ENDED = 2;
/** The races of the open device. */
let races = null;
/** Begins to tune the device that was just opened; what is stored comes later. @internal */
function beginTuning(tuning, store = ambientStore()) {
	const core = coreOf(currentSession());
	if (core) races = new Races(core, tuning, store);
}
/** Tunes the open device so from now on, and keeps winners there, if that is told. @internal */
function changeTuning(tuning, store) {
	races?.change(tuning, store);
}
/** All races that wait, one after the other, and all kernels that are being compiled. @internal */
async function raceAll() {
	await races?.all();
	while (compiles.optimising > 0) await awake(pause(1));
}
var Races = class {
	#session = currentSession();
	/** The line that says for which device winners are: the name they are stored under. */
	#name;
	#tuning = false;
	#store;
	#known = Promise.resolve();
	#current = null;
	#isAwake = false;
	#isStoring = false;
	#stored = "";
	constructor(core, tuning, store) {
		this.#store = store;
		this.#name = core.tune_export().split("\n", 1)[0] ?? "";
		core.tune_begin(() => this.#wake());
		compiles.ended = () => this.#storeLater();
		this.#tuning = tuning;
		core.tune_switch(tuning !== false);
		this.#known = this.#load();
	}
	change(tuning = this.#tuning, store = this.#store) {
		const isNew = tuning !== false && this.#tuning === false || store !== this.#store;
		this.#tuning = tuning;
		this.#store = store;
		this.#core?.tune_switch(tuning !== false);
		if (isNew && tuning !== false) this.#known = this.#load();
	}
	/** The core, while the device is open. */
	get #core() {
		return coreOf(this.#session);
	}
	/** Called from within the core, which must not be called back. */
	#wake() {
		if (this.#isAwake) return;
		this.#isAwake = true;
		this.#run().catch(() => {}).finally(() => {
			this.#isAwake = false;
		});
	}
	async #run() {
		await pause(0);
		await this.#known;
		let [ticks, ready] = [-1, false];
		for (let state = MORE; state & MORE;) {
			const core = this.#core;
			if (!core) return;
			if (this.#tuning !== "now" && core.ticks() !== ticks) {
				ticks = core.ticks();
				await pause(QUIET);
			} else if (!ready) {
				await fetchRest("tune");
				ready = true;
			} else state = await this.#slice(core);
			await this.#idle();
		}
	}
	async all() {
		await awake(this.#known);
		await awake(fetchRest("tune.race"));
		for (let state = MORE; state & MORE;) {
			const core = this.#core;
			if (!core) return;
			state = await awake(this.#slice(core));
		}
	}
	/** One slice; whoever asks meanwhile waits for the same. */
	#slice(core) {
		this.#current ??= core.tune_slice().then(async (state) => {
			if (state & ENDED) await this.#save(true);
			return state;
		}).finally(() => {
			this.#current = null;
		});
		return this.#current;
	}
	#idle() {
		if (this.#tuning === "now" || typeof requestIdleCallback !== "function") return pause(0);
		return new Promise((resolve) => requestIdleCallback(() => resolve()));
	}
	/** Takes what is stored for this device, and gives it: null for nothing, undefined where that is not known. Not for long is it waited for. */
	async #load() {
		return Promise.race([this.#read(), pause(PATIENCE)]);
	}
	async #read() {
		try {
			const text = await this.#store?.get(this.#name) ?? null;
			if (!text) return null;
			this.#core?.learn_compile_times(timesIn(text));
			if (this.#tuning !== false) this.#core?.tune_import(text);
			return text;
		} catch (error) {
			warn("could not be read", error);
			return;
		}
	}
	/** Stores what kernels took to compile, once nobody waits for them. */
	#storeLater() {
		if (this.#isStoring) return;
		this.#isStoring = true;
		pause(LATER).then(() => this.#save(false)).catch(() => {}).finally(() => {
			this.#isStoring = false;
		});
	}
	/** Stores compile times, and winners where a race has ended: others stay as they are stored. What another tab has stored meanwhile stays, too. */
	async #save(hasEnded) {
		if (!this.#store) return;
		const before = await this.#load();
		const core = this.#core;
		if (before === void 0 && !hasEnded) return;
		const known = core?.tune_export() ?? "";
		const lines = before?.startsWith(`${this.#name}\n`) ? before.split("\n") : [this.#name];
		const own = new Set(this.#tuning === false ? lines : known.split("\n"));
		const winners = hasEnded ? known : lines.filter((line) => line !== "" && !line.startsWith("compiled ") && own.has(line)).join("\n") + "\n";
		const text = core && winners && winners + timesText(core.compile_times());
		if (!text || text === this.#stored) return;
		this.#stored = text;
		const writing = this.#store.set(this.#name, text);
		Promise.resolve(writing).catch((error) => warn("could not be stored", error));
	}
};
/** Times of compilation among the lines of a table: the nanoseconds of an expression, then a name and nanoseconds for each text. */
function timesIn(text) {
	let pace = 0;
	const times = [];
	for (const [, name = "", time] of text.matchAll(/^compiled (\w+)\t\w+\t(\d+)$/gm)) if (name === "pace") pace = Number(time);
	else times.push(parseInt(name, 16), Number(time));
	return Float64Array.of(pace, ...times);
}
/** The same as lines. */
function timesText([pace = 0, ...times]) {
	let text = `compiled pace\texpression\t${Math.round(pace)}\n`;
	for (let n = 0; n < times.length; n += 2) text += `compiled ${times[n].toString(16)}\ttext\t${Math.round(times[n + 1])}\n`;
	return text;
}
function warn(what, error) {
	console.warn(`weft-gpu: the winners of races between kernels ${what}: ${String(error)}`);
}
/** Waits, without keeping Node alive. */
function pause(milliseconds) {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, milliseconds);
		if (typeof timer === "object") timer.unref();
	});
}
/** What a promise gives, whatever else is done meanwhile: Node, which does not see whom JavaScript waits for, stays alive. */
async function awake(promise) {
	const timer = setInterval(() => {}, 1e3);
	try {
		const value = await promise;
		await new Promise((resolve) => setTimeout(resolve));
		return value;
	} finally {
		clearInterval(timer);
	}
}
// src/start/init.ts
/** Milliseconds in which an adapter comes where the browser's GPU process runs. */
const SOON = 40;
let pending = null;
/** Whether the open device is deterministic. */
let isPinned = false;
/**
* Loads Weft and opens a device. Calling it again returns what is open, unless another device is asked for, the device was
* lost, or the core failed: then a new one is opened, and tensors of the old one throw `DisposedError`.
*
* Throws `AdapterError` when `device: "webgpu"` finds no adapter, and `FormatError` when the WebAssembly is not where it should be.
*
* @example
* const { kind } = await init(); // "webgpu", or "cpu" where there is no GPU
*/
async function init(options = {}) {
	optionsOf("init", options, {
		device: void 0,
		gpu: void 0,
		wasm: void 0,
		rest: void 0,
		powerPreference: void 0,
		tune: void 0,
		store: void 0,
		deterministic: void 0
	});
	if (options.device !== void 0 && options.device !== "webgpu" && options.device !== "cpu") throw new ValueError("init", `the device is "webgpu" or "cpu", not ${shown(options.device)}`);
	if (options.powerPreference !== void 0 && options.powerPreference !== "high-performance" && options.powerPreference !== "low-power") throw new ValueError("init", `the power preference is "high-performance" or "low-power", not ${shown(options.powerPreference)}`);
	if (options.tune !== void 0 && options.tune !== false && options.tune !== "idle" && options.tune !== "now") throw new ValueError("init", `tune is false, "idle" or "now", not ${shown(options.tune)}`);
	const { store } = options;
	if (store !== void 0 && store !== null && !holds(() => typeof store.get === "function" && typeof store.set === "function")) throw new ValueError("init", `a store has get and set, got ${shown(store)}`);
	if (options.deterministic && options.tune) throw new ValueError("init", `tune is false where results are deterministic, not ${shown(options.tune)}`);
	while (pending) await pending.catch(() => {});
	const open = deviceInfo();
	if (open && isServing() && serves(open, options)) {
		if (!isPinned) changeTuning(options.tune, store);
		return open;
	}
	pending = start(options).finally(() => {
		pending = null;
	});
	return pending;
}
/**
* Fetches the part of Weft that few need: linear algebra, Fourier transforms, sorting, samplers of rarer distributions, loops and branches, transformations
* other than gradients, races of kernels, explanations, and the CPU device. Without it
* that part is fetched when the first of these functions is called, which returns at once and so holds a page's thread until it is there; in
* workers, in Node and with `weft-gpu/inline` nobody notices.
*
* Throws `FormatError` when it is not where it should be.
*
* @example
* await preload();
* linalg.inv([[2, 0], [0, 4]]); // [[0.5,0],[0,0.25]]
*/
async function preload() {
	await fetchRest("preload");
}
function serves(info, options) {
	return (options.device === void 0 || options.device === info.kind) && options.gpu === void 0 && (options.deterministic ?? isPinned) === isPinned;
}
async function start(options) {
	isPinned = options.deterministic ?? false;
	const given = options.gpu ?? ambientGpu();
	const finding = options.device === "cpu" ? null : findDevice(given, options.powerPreference ?? "high-performance");
	finding?.catch(() => {});
	let instance;
	try {
		const starting = startCore(() => options);
		hasStack();
		instance = await starting;
	} catch (error) {
		finding?.then(({ device }) => forget(device)).catch(() => {});
		throw error;
	}
	if (!deviceInfo() && finding && given && given === ambientGpu()) rehearseMeanwhile(await mainPart(() => options), given, finding);
	installMethods();
	installFormatter();
	return finding ? openGpu(instance, options, finding) : openCpu(instance);
}
/** Rehearses while the browser starts its GPU process, if it does: then an adapter takes a quarter of a second to come. */
async function rehearseMeanwhile(module, gpu, finding) {
	let isFound = false;
	const found = finding.finally(() => isFound = true);
	try {
		await Promise.race([found, new Promise((resolve) => setTimeout(resolve, SOON))]);
		if (!isFound) await rehearse(module, gpu, () => isFound);
	} catch {}
}
/** The GPU's device goes to its place by a plain call. No list, promise or object of it is made: whoever changes their prototypes would be given it. */
function opened(info, gpu) {
	setDevice(info, gpu);
	return info;
}
async function openCpu(instance, reason) {
	await instance.fetchRest("init");
	await openCore(instance, true, null);
	return opened({
		kind: "cpu",
		adapter: null,
		lost: instance.ended.then(asLoss),
		...reason === void 0 ? {} : { reason }
	}, null);
}
async function openGpu(instance, options, finding) {
	try {
		const found = await finding;
		const { gpu, facts } = found;
		facts.oneTier = isPinned;
		exposeGpu(gpu);
		const device = await handOver(found, () => openCore(instance, false, facts));
		const { vendor, architecture, description, isFallback } = facts;
		beginTuning(options.tune ?? (isFallback || isPinned ? false : "idle"), isPinned ? null : options.store);
		const ended = instance.ended.then((failure) => {
			device.destroy();
			return asLoss(failure);
		});
		return opened({
			kind: "webgpu",
			adapter: {
				vendor,
				architecture,
				description,
				isFallback
			},
			lost: Promise.race([ended, lossOf(device)])
		}, device);
	} catch (error) {
		if (options.device === "webgpu" || !(error instanceof AdapterError)) throw error;
		return openCpu(instance, error.message.replace(/^init: /, ""));
	}
}
async function lossOf(device) {
	const { message, reason } = await device.lost;
	return new DeviceLostError("weft", `the device was lost: ${message || reason || "unknown reason"}`);
}
function asLoss(failure) {
	if (failure instanceof DeviceLostError) return failure;
	const loss = new DeviceLostError("weft", failure.message.replace(/^weft: /, ""));
	loss.cause = failure;
	return loss;
}
async function openCore(instance, cpu, facts) {
	try {
		await instance.core.open(cpu, facts);
	} catch (error) {
		throw error instanceof WeftError ? error : new AdapterError("init", String(error));
	}
	enterSession(instance);
}
// src/ops/grid.ts
/**
* The coordinates of the points of a grid, a tensor for each vector; several may come in a list. Throws `ShapeError` for what is no vector.
*
* @example
* const [x, y] = meshgrid([1, 2, 3], [4, 5]);
* x; // [[1,2,3],[1,2,3]]
* y; // [[4,4,4],[5,5,5]]
*/
function meshgrid(...given) {
	const op = "meshgrid";
	const [first, ...rest] = given;
	const vectors = isArray$1(first) && !first.every((entry) => typeof entry === "number") ? [...first, ...rest] : given;
	const last = vectors.at(-1);
	const has = typeof last === "object" && last !== null && !(last instanceof Tensor) && !isArray$1(last) && !ArrayBuffer.isView(last);
	const { indexing, sparse } = optionsOf(op, has ? last : void 0, {
		indexing: "xy",
		sparse: false
	});
	if (indexing !== "xy" && indexing !== "ij") throw new ValueError(op, `indexing is "xy" or "ij", got ${shown(indexing)}`);
	const axes = has ? vectors.slice(0, -1) : vectors;
	return lend(op, axes, (...handles) => {
		const lengths = handles.map((handle) => Array.from(core().shape(handle))).map((shape) => {
			if (shape.length > 1) throw new ShapeError(op, `takes vectors, got [${shape.join(",")}]`);
			return shape[0] ?? 1;
		});
		const place = (n) => indexing === "xy" && n < 2 && lengths.length > 1 ? 1 - n : n;
		const whole = lengths.map((_, axis) => lengths[place(axis)]);
		return axes.map((vector, n) => {
			const own = lengths.map((_, axis) => axis === place(n) ? lengths[n] : 1);
			return tidy(() => broadcastTo(reshape(vector, own), sparse ? own : whole));
		});
	});
}
/**
* The slices along an axis, without it.
*
* @example
* const [a, b] = unstack([[1, 2], [3, 4]]);
* b; // [3,4]
*/
function unstack(x, axis = 0) {
	const op = "unstack";
	noMore(op, arguments, 2);
	const along = axisOf(op, axis);
	return lend(op, [x], (handle) => {
		const shape = core().shape(handle);
		const at = along < 0 ? along + shape.length : along;
		const extent = shape[at];
		if (extent === void 0) throw new AxisError(op, `axis ${along} is out of range for [${shape.join(",")}]`);
		const before = new Array(at).fill(null);
		return Array.from({ length: extent }, (_, n) => slice(x, ...before, n));
	});
}
/**
* Cut along an axis into parts as equal as may be: the first ones are longer by one. Or at places that a list names, as NumPy's `split` is given them; negative ones
* count from the end.
*
* @example
* const [head, tail] = arraySplit([1, 2, 3], 2);
* head; // [1,2]
* arraySplit([1, 2, 3, 4], [1, 3]).map((x) => x.shape); // [[1],[2],[1]]
*/
function arraySplit(x, parts, axis = 0) {
	const op = "arraySplit";
	noMore(op, arguments, 3);
	const along = axisOf(op, axis);
	const places = isArray$1(parts) ? Array.from(parts, (place) => countOf(op, "a place", place, -(2 ** 31))) : null;
	const count = places ? 1 : countOf(op, "the number of parts", parts);
	if (count === 0) throw new ValueError(op, "there must be at least one part");
	return lend(op, [x], (handle) => {
		const shape = core().shape(handle);
		const extent = shape[along < 0 ? along + shape.length : along];
		if (extent === void 0) throw new AxisError(op, `axis ${along} is out of range for [${shape.join(",")}]`);
		if (places) {
			const before = new Array(along < 0 ? along + shape.length : along).fill(null);
			return [...places, null].map((stop, n) => slice(x, ...before, [places[n - 1] ?? 0, stop]));
		}
		const longer = extent % count;
		return split(x, Array.from({ length: count }, (_, n) => Math.floor(extent / count) + (n < longer ? 1 : 0)), along);
	});
}
const chosen$2 = register("select");
/**
* At each place the choice whose condition is the first to hold, or what is given for where none does.
*
* Takes bool, then any dtype, then any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* const x = tensor([-2, 0.5, 3]);
* select([x.less(0), x.greater(1)], [-1, 1], 0); // [-1,0,1]
*/
function select(conditions, choices, otherwise = 0) {
	const op = "select";
	noMore(op, arguments, 3);
	return invoke(chosen$2, (call) => {
		tensors(call, listOf(op, "a list of conditions", conditions));
		const values = listOf(op, "a list of choices", choices);
		call.put(values.length);
		for (let n = 0; n < values.length; n++) call.operand(values[n]);
		call.operand(otherwise);
	});
}
const positionsOf = register("indices");
function indices(shape, options = {}) {
	const op = "indices";
	noMore(op, arguments, 2);
	const { dtype, sparse } = optionsOf(op, options, {
		dtype: "i32",
		sparse: false
	});
	const code = dtypeCode(dtype, op);
	const extents = extentsOf(op, shape);
	if (!sparse) return invoke(positionsOf, (call) => call.list(extents).put(code));
	return composed(op, () => Array.from(extents, (extent, n) => reshape(arange(0, extent, 1, { dtype }), Array.from(extents, (_, axis) => axis === n ? extent : 1))));
}
/**
* What a function gives of the positions along each axis: it is called once, with a tensor of i32 for each axis.
*
* @example
* fromFunction((i, j) => i.mul(10).add(j), [2, 3]); // [[0,1,2],[10,11,12]]
*/
function fromFunction(f, shape) {
	const op = "fromFunction";
	noMore(op, arguments, 2);
	checkFunction(op, f);
	const extents = Array.from(extentsOf(op, shape));
	return tidy(() => f(...extents.length ? unstack(indices(extents)) : []));
}
// src/ops/along.ts
const averaged = register("average");
/**
* The mean, of elements that count differently if there are weights. NaN or infinite where the weights add up to 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* average([1, 2, 3], null, { weights: [0, 1, 1] }); // 2.5
*/
function average(x, axis = null, options = {}) {
	const op = "average";
	noMore(op, [...arguments], 3);
	const { keepdims, weights } = optionsOf(op, options, {
		keepdims: false,
		weights: null
	});
	return invoke(averaged, (call) => {
		axes(call.tensor(x), axis);
		maybe(call.put(Number(flagOf(op, "keepdims", keepdims))), weights);
	});
}
const putting = register("along.put");
/**
* With `values` at the positions along an axis, or (null) in row-major order, that `takeAlongAxis` would take. Of positions given twice any may win. Those beyond the axis are left out, or
* mean what `options` say.
*
* Takes any dtype, then i32, u32, then any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* putAlongAxis([[1, 2], [3, 4]], [[1], [0]], 9, 1); // [[1,9],[9,4]]
* putAlongAxis([1, 2, 3], [4], 9, 0, { mode: "wrap" }); // [1,9,3]
*/
function putAlongAxis(x, indices, values, axis = -1, options) {
	const op = "putAlongAxis";
	noMore(op, [...arguments], 5);
	const [mode] = outsideWords(op, options, x);
	return composed(op, () => {
		if (axis === null) return reshape(putAlongAxis(flatten(x), indices, values, 0, options), lifted$1(op, x).shape);
		return invoke(putting, (call) => call.tensor(x).tensor(indices, "i32").tensor(values).put(axisOf(op, axis), mode));
	});
}
/**
* At each place what belongs to the last condition that holds there: a number, or a function's value at x; `otherwise` where none does.
*
* @example
* const x = tensor([-2, 0, 3]);
* piecewise(x, [x.less(0), x.greater(0)], [-1, (v) => v.mul(10)]); // [-1,0,30]
*/
function piecewise(x, conditions, pieces, otherwise = 0) {
	const op = "piecewise";
	noMore(op, [...arguments], 4);
	const tests = listOf(op, "a list of conditions", conditions);
	const given = [...listOf(op, "a list of pieces", pieces)];
	const rest = given.length === tests.length + 1 ? given.pop() : otherwise;
	if (tests.length !== given.length || tests.length === 0) throw new ValueError(op, `takes a piece for each condition, got ${tests.length} conditions and ${given.length} pieces`);
	return tidy(() => {
		const here = lifted$1(op, x);
		const value = (piece) => {
			if (typeof piece === "number") return piece;
			checkFunction(op, piece);
			return piece(here);
		};
		return cast(select([...tests].reverse(), given.map(value).reverse(), value(rest)), here.dtype);
	});
}
// src/ops/histogram.ts
const [numbers$1, spread, counting, jointCounting] = [
	register("bincount"),
	register("histogram.edges"),
	register("histogram.counts"),
	register("histogramdd")
];
/**
* How often each number from 0 to `length` − 1 stands in a tensor of integers, as i32; with weights their sums, in their dtype. The length has to be given,
* for it would depend on data; numbers outside are left out, also negative ones.
*
* Takes i32, u32; gives i32, or the dtype of weights. Differentiable; `vmap` batches it.
*
* @example
* bincount([1, 3, 1, -1, 7], { length: 4 }); // [0,2,0,1]
*/
function bincount(x, options) {
	const { length, weights } = optionsOf("bincount", options, {
		length: void 0,
		weights: void 0
	});
	const count = countOf("bincount", "the length", length);
	noMore("bincount", arguments, 2);
	return invoke(numbers$1, (call) => maybe(putIndices(call, x, numbered("segment")).put(count), weights));
}
/**
* How many elements lie in each bin, and the edges of the bins, as NumPy's `histogram`: a bin has its left edge and not its right one, the last has both. What lies
* outside, and NaN, is left out. Counts are i32, sums of weights in their dtype, densities f32. The range of elements is found on the device; of equal ones it is 1 wide
* around them, of none 0 to 1.
*
* Takes any dtype; gives i32, the dtype of weights, or f32. Differentiable; `vmap` batches it.
*
* @example
* histogram([1, 2, 2, 5], { bins: 4 }).counts; // [1,2,0,1]
* histogram([1, 2, 2, 5], { bins: [0, 2, 5] }).counts; // [1,3]
* histogram([1, 2, 2, 5], { bins: 4 }).edges; // [1,2,3,4,5]
*/
function histogram(x, options = {}) {
	const { bins, range, weights, density } = given("histogram", options);
	noMore("histogram", arguments, 2);
	return composed("histogram", () => {
		const all = lifted$1("histogram", x);
		const edges = edgesFor(all, bins, range);
		return {
			counts: counted$1(counting, [all], [edges], density, weights),
			edges
		};
	});
}
/**
* The edges of the bins that `histogram` would count in.
*
* Takes any dtype; gives f32 even of f16. Differentiable; `vmap` batches it.
*
* @example
* histogramBinEdges([1, 2, 5], { bins: 4 }); // [1,2,3,4,5]
*/
function histogramBinEdges(x, options = {}) {
	const op = "histogramBinEdges";
	const { bins, range } = optionsOf(op, options, {
		bins: void 0,
		range: void 0
	});
	noMore(op, arguments, 2);
	return composed(op, () => edgesFor(lifted$1(op, x), bins, range));
}
/**
* How many points, rows of a matrix, lie in each bin of all coordinates together, and the edges along each, as NumPy's `histogramdd`. Bins are as in
* `histogram`.
*
* Takes any dtype; gives i32, the dtype of weights, or f32. Differentiable; `vmap` batches it.
*
* @example
* histogramdd([[0, 0], [0, 1], [1, 1]], { bins: 2 }).counts; // [[1,1],[0,1]]
*/
function histogramdd(points, options = {}) {
	const op = "histogramdd";
	noMore(op, arguments, 2);
	return composed(op, () => {
		const all = lifted$1(op, points);
		if (all.ndim !== 2) throw new ShapeError(op, `points are rows of a matrix, not of shape [${all.shape.join(",")}]`);
		return jointly(op, Array.from({ length: all.shape[1] }, (_, n) => slice(all, null, n)), options);
	});
}
/**
* `histogramdd` of points whose coordinates are given apart: the first decides the row.
*
* @example
* histogram2d([0, 0, 1], [0, 1, 1], { bins: 2 }).counts; // [[1,1],[0,1]]
*/
function histogram2d(x, y, options = {}) {
	const op = "histogram2d";
	noMore(op, arguments, 3);
	return composed(op, () => {
		return jointly(op, [lifted$1(op, x), lifted$1(op, y)], options);
	});
}
/** Counts of points by all of their coordinates. */
function jointly(op, coordinates, options) {
	const { bins, range, weights, density } = given(op, options);
	const each = (what, of) => {
		if (!isArray$1(of)) return coordinates.map(() => of);
		if (of.length !== coordinates.length) throw new ValueError(op, `${what} are given for ${of.length} of ${coordinates.length} coordinates`);
		return of;
	};
	if (range !== void 0 && !isArray$1(range)) throw new ValueError(op, `takes a range for each coordinate, got ${shown(range)}`);
	const [kinds, ranges] = [each("bins", bins), each("ranges", range)];
	const edges = coordinates.map((x, n) => edgesFor(x, kinds[n], ranges[n]));
	return {
		counts: counted$1(jointCounting, coordinates, edges, density, weights),
		edges
	};
}
/** Calls what counts elements between edges. */
function counted$1(opcode, elements, edges, density, weights) {
	return invoke(opcode, (call) => {
		for (const list of [elements, edges]) {
			if (opcode.code === jointCounting.code) call.put(list.length);
			for (const each of list) call.tensor(each);
		}
		maybe(call.put(Number(flagOf("histogram", "density", density ?? false))), weights);
	});
}
/** Options of histograms. */
function given(op, options) {
	return optionsOf(op, options, {
		bins: void 0,
		range: void 0,
		weights: void 0,
		density: false
	});
}
const edgesFor = (all, bins, range) => bins === void 0 || typeof bins === "number" ? evenly(all, countOf("histogram", "the number of bins", bins ?? 10, 1), range) : edgesOf(bins, range);
/** Edges that are given. */
function edgesOf(bins, range) {
	const own = bins instanceof Tensor ? bins : tensorFrom(bins, "histogram");
	const edges = reshape(own, own.shape);
	if (edges.ndim !== 1 || edges.shape[0] < 2) throw new ShapeError("histogram", `edges are a list of 2 or more, not of shape [${edges.shape.join(",")}]`);
	if (range !== void 0) throw new ValueError("histogram", "bins whose edges are given have no range");
	const known = own.known ?? [];
	for (let i = 1; i < known.length; i++) if (!(known[i - 1] <= known[i])) throw new ValueError("histogram", `edges ascend: ${known[i]} stands behind ${known[i - 1]}`);
	return edges;
}
/** Edges of bins of one width. */
function evenly(all, bins, range) {
	const ends = range === void 0 ? [0, 0] : boundsIn(range).flatMap((end) => [1, end]);
	return invoke(spread, (call) => call.tensor(all).put(bins, ...ends));
}
function boundsIn(range) {
	const list = listOf("histogram", "a range such as [0, 1]", range);
	const [low, high] = [finiteOf("histogram", "where the range begins", list[0]), finiteOf("histogram", "where the range ends", list[1])];
	if (list.length !== 2 || low > high) throw new ValueError("histogram", `a range is two numbers in ascending order, got [${list.map(Number).join(",")}]`);
	return [low, high];
}
// src/ops/blocks.ts
function cut(op, x, parts, axis, least) {
	return composed(op, () => {
		const given = lifted$1(op, x);
		if (given.ndim < least) throw new ShapeError(op, `takes ${least} axes or more, got [${given.shape.join(",")}]`);
		return split(given, parts, axis(given.ndim));
	});
}
/**
* `split` along the second axis, of vectors along their only one.
*
* @example
* const [left, right] = hsplit([[1, 2], [3, 4]], 2);
* right; // [[2],[4]]
*/
function hsplit(x, parts) {
	noMore("hsplit", arguments, 2);
	return cut("hsplit", x, parts, (rank) => rank === 1 ? 0 : 1, 1);
}
/**
* `split` along the first axis.
*
* @example
* const [top, bottom] = vsplit([[1, 2], [3, 4]], 2);
* bottom; // [[3,4]]
*/
function vsplit(x, parts) {
	noMore("vsplit", arguments, 2);
	return cut("vsplit", x, parts, () => 0, 2);
}
/**
* `split` along the third axis.
*
* @example
* const [front, back] = dsplit([[[1, 2]], [[3, 4]]], 2);
* back; // [[[2]],[[4]]]
*/
function dsplit(x, parts) {
	noMore("dsplit", arguments, 2);
	return cut("dsplit", x, parts, () => 2, 3);
}
/**
* The shape to which shapes broadcast. Throws `ShapeError` where they do not.
*
* @example
* broadcastShapes([3, 1], [4]); // [3,4]
*/
function broadcastShapes(...shapes) {
	const op = "broadcastShapes";
	const all = shapes.map((shape) => shapeOf$1(op, shape));
	const rank = Math.max(0, ...all.map((shape) => shape.length));
	return Array.from({ length: rank }, (_, axis) => {
		const extents = all.map((shape) => shape[axis - rank + shape.length] ?? 1).filter((extent) => extent !== 1);
		if (extents.some((extent) => extent !== extents[0])) throw new ShapeError(op, `${all.map((shape) => `[${shape.join(",")}]`).join(" and ")} do not broadcast`);
		return extents[0] ?? 1;
	});
}
/**
* Tensors broadcast to one shape.
*
* @example
* const [a, b] = broadcastArrays([1, 2], [[3], [4]]);
* a; // [[1,2],[1,2]]
*/
function broadcastArrays(...tensors) {
	const op = "broadcastArrays";
	return composed(op, () => {
		const all = tensors.map((tensor) => lifted$1(op, tensor));
		const shape = broadcastShapes(...all.map((tensor) => tensor.shape));
		return all.map((tensor) => broadcastTo(tensor, shape));
	});
}
const between = register("ediff1d");
/**
* The differences of neighbours in the flattened tensor.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* ediff1d([1, 4, 9], { toEnd: [7] }); // [3,5,7]
*/
function ediff1d(x, options = {}) {
	const op = "ediff1d";
	noMore(op, [...arguments], 2);
	const { toBegin, toEnd } = optionsOf(op, options, {
		toBegin: [],
		toEnd: []
	});
	return invoke(between, (call) => call.tensor(x).tensor(toBegin).tensor(toEnd));
}
/** How many lists may stand around a block. */
const DEEPEST$2 = 32;
/**
* Tensors and numbers in nested lists, of which the innermost are joined along the last axis, those around along the one before, and so on.
*
* @example
* block([[ones([1, 1]), 2], [3, 4]]); // [[1,2],[3,4]]
*/
function block(blocks) {
	const op = "block";
	noMore(op, arguments, 1);
	const depthOf = (part, above = 0) => {
		if (above > DEEPEST$2) throw new ValueError(op, "the lists are nested too deep: does one hold itself?");
		return isArray$1(part) ? 1 + Math.max(0, ...Array.from(part, (inner) => depthOf(inner, above + 1))) : 0;
	};
	const depth = depthOf(listOf(op, "a list of blocks", blocks));
	const joined = (part, left) => {
		if (isArray$1(part)) return concat(Array.from(part, (inner) => joined(inner, left - 1)), -left);
		if (left > 0) throw new ShapeError(op, "the lists are not equally deep");
		const leaf = lifted$1(op, part);
		return leaf.ndim < depth ? reshape(leaf, [...new Array(depth - leaf.ndim).fill(1), ...leaf.shape]) : leaf;
	};
	return composed(op, () => joined(blocks, depth));
}
const lower = register("tri");
/**
* A matrix of ones up to a diagonal, and zeros above.
*
* Gives f32.
*
* @example
* tri(2, 3); // [[1,0,0],[1,1,0]]
*/
function tri(rows, columns = rows, diagonal = 0) {
	const op = "tri";
	noMore(op, [...arguments], 3);
	return invoke(lower, (call) => call.put(countOf(op, "rows", rows), countOf(op, "columns", columns), countOf(op, "the diagonal", diagonal, -(2 ** 31))));
}
/**
* The positions along each axis of the diagonal of a cube of n.
*
* @example
* diagIndices(2).length; // 2
*/
function diagIndices(n, axes = 2) {
	const op = "diagIndices";
	noMore(op, [...arguments], 2);
	const extent = countOf(op, "the extent", n);
	return Array.from({ length: countOf(op, "how many axes", axes) }, () => arange(extent));
}
function triangle(op, args, lower) {
	noMore(op, [...args], 3);
	const rows = countOf(op, "rows", args[0]);
	const [shift, columns] = [countOf(op, "the diagonal", args[1] === void 0 ? 0 : args[1], -(2 ** 31)), countOf(op, "columns", args[2] === void 0 ? rows : args[2])];
	const places = [];
	for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) if (lower ? j - i <= shift : j - i >= shift) places.push([i, j]);
	const side = (n) => lifted$1(op, Int32Array.from(places, (place) => place[n]));
	return [side(0), side(1)];
}
/**
* The positions of a lower triangle, rows and columns.
*
* @example
* trilIndices(2)[1]; // [0,0,1]
*/
function trilIndices(rows, diagonal, columns) {
	return triangle("trilIndices", arguments, true);
}
/**
* The positions of an upper triangle, rows and columns.
*
* @example
* triuIndices(2)[1]; // [0,1,1]
*/
function triuIndices(rows, diagonal, columns) {
	return triangle("triuIndices", arguments, false);
}
const raveled = register("ravelMultiIndex");
/**
* The row-major positions of what stands at positions along each axis of a shape.
*
* Takes i32, u32; gives the promoted dtype. Without a gradient; `vmap` batches it.
*
* @example
* ravelMultiIndex([[0, 1], [1, 2]], [2, 3]); // [1,5]
*/
function ravelMultiIndex(positions, shape) {
	const op = "ravelMultiIndex";
	noMore(op, arguments, 2);
	const given = listOf(op, "a list of positions", positions);
	return invoke(raveled, (call) => {
		call.put(given.length);
		for (let n = 0; n < given.length; n++) call.tensor(given[n], "i32");
		call.list(shapeOf$1(op, shape));
	});
}
// src/ops/mask.ts
/**
* What `of` makes, along an axis, of the positions of the elements that are not zero. All that is asked of the
* arguments is asked before the wait, during which they may be freed.
*/
async function chosen$1(op, x, of, axis = 0) {
	const [whole, count] = tidy(() => {
		const given = x instanceof Tensor ? x : tensorFrom(x, op);
		const size = sizeOf(given.shape);
		const mask = reshape(notEqual(given, 0), [size]);
		const numbers = where(mask, sub(cumsum(mask), 1), size);
		return [keep(of(size === 0 ? arange(0) : at(zeros([size], { dtype: "i32" }), numbers).set(arange(size)), given.shape)), keep(sum(mask))];
	});
	try {
		const rows = [0, await count.item()];
		return slice(whole, ...Array.from({ length: axis < 0 ? axis + whole.ndim : axis }, () => null), rows);
	} finally {
		whole.dispose();
		count.dispose();
	}
}
/**
* The positions in the flattened tensor of the elements that are not zero, as i32 in ascending order; NaN is not zero. Asynchronous, for how many there are
* is data.
*
* @example
* await flatNonzero([[0, 5], [6, 0]]); // [1,2]
*/
async function flatNonzero(x) {
	noMore("flatNonzero", arguments, 1);
	return chosen$1("flatNonzero", x, (positions) => positions);
}
/**
* The positions of the elements that are not zero, a row of one along each axis for each element, as i32. Asynchronous, as `flatNonzero`.
*
* @example
* await argwhere([[0, 5], [6, 0]]); // [[0,1],[1,0]]
*/
async function argwhere(x) {
	noMore("argwhere", arguments, 1);
	return chosen$1("argwhere", x, places);
}
/** Positions along each axis of positions in the flattened tensor. */
function places(positions, shape) {
	if (shape.length === 0) return zeros([positions.shape[0], 0], { dtype: "i32" });
	const along = shape.map((extent, axis) => remainder(floorDivide(positions, Math.max(1, sizeOf(shape.slice(axis + 1)))), Math.max(1, extent)));
	return stack(along, 1);
}
/**
* The positions of the elements that are not zero, for each axis a tensor of them, as i32. Asynchronous, as `flatNonzero`.
*
* @example
* const [rows, columns] = await nonzero([[0, 5], [6, 0]]);
* columns; // [1,0]
*/
async function nonzero(x) {
	noMore("nonzero", arguments, 1);
	const found = await chosen$1("nonzero", x, places);
	try {
		return found.shape[1] === 0 ? [] : [...unstack(found, 1)];
	} finally {
		found.dispose();
	}
}
/**
* The sub-tensors along `axis` whose place in `mask`, a list, is not zero; without an axis, of the flattened tensor. Those beyond a shorter mask are left out.
* Throws `ShapeError` for a longer one. Asynchronous, as `flatNonzero`.
*
* @example
* await compress([false, true, true], [[1, 2, 3], [4, 5, 6]], 1); // [[2,3],[5,6]]
*/
async function compress(mask, x, axis = null) {
	const along = axis === null ? null : axisOf("compress", axis);
	noMore("compress", arguments, 3);
	const choose = (positions, shape) => {
		const given = x instanceof Tensor ? x : tensorFrom(x, "compress");
		const extent = along === null ? sizeOf(given.shape) : given.shape.at(along);
		if (shape.length !== 1 || extent !== void 0 && shape[0] > extent) throw new ShapeError("compress", `a mask [${shape.join(",")}] is no list of at most ${extent}`);
		return take(given, positions, along);
	};
	return chosen$1("compress", mask, choose, along ?? 0);
}
/**
* The elements of `x` where `mask` is not zero, NumPy's `x[mask]`: the shape of the mask is that of the first axes of `x`, and one axis takes their place. Throws
* `ShapeError` for other masks. Asynchronous, as `flatNonzero`.
*
* @example
* const x = tensor([[1, 2], [3, 4]]);
* await extract(x.greater(2), x); // [3,4]
* await extract([true, false], x); // [[1,2]]
*/
async function extract(mask, x) {
	noMore("extract", arguments, 2);
	return chosen$1("extract", mask, (positions, shape) => {
		const given = x instanceof Tensor ? x : tensorFrom(x, "extract");
		if (shape.some((extent, i) => given.shape[i] !== extent)) throw new ShapeError("extract", `a mask [${shape.join(",")}] is not of the first axes of [${given.shape.join(",")}]`);
		return take(reshape(given, [sizeOf(shape), ...given.shape.slice(shape.length)]), positions, 0);
	});
}
// src/ops/contract.ts
const summed = register("einsum");
function einsum(...given) {
	const isText = typeof given[0] === "string" || given.length < 2;
	const operands = given.filter((_, n) => isText ? n > 0 : n % 2 === 0 && n + 1 < given.length);
	const text = isText ? textOf("einsum", "the text", given[0]) : written(given);
	return invoke(summed, (call) => {
		call.list(Array.from(text, (letter) => letter.codePointAt(0))).put(operands.length);
		for (const operand of operands) call.tensor(operand);
	});
}
/** Operands with lists of axes as a text: letters in the order of their numbers. */
function written(given) {
	const letter = (axis) => {
		const code = countOf("einsum", "an axis", axis);
		if (code > 51) throw new ValueError("einsum", `axes are numbered from 0 to 51, got ${code}`);
		return String.fromCharCode(code < 26 ? 65 + code : 71 + code);
	};
	const letters = (n) => Array.from(listOf("einsum", "a text, or a list of axes behind each operand", given[n]), letter).join("");
	const parts = Array.from({ length: given.length >> 1 }, (_, n) => letters(2 * n + 1)).join(",");
	return given.length % 2 === 1 ? `${parts}->${letters(given.length - 1)}` : parts;
}
const contracted = register("tensordot");
/**
* The sum of products over some axes of both: over the last of `a` and as many first of `b` where `axes` is a number, or over the axes that
* two lists name, one of `a` with one of `b` each. The other axes of `a` come first. Throws `ShapeError` when extents differ, `AxisError` for axes
* out of range or named twice.
*
* Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* tensordot([[1, 2], [3, 4]], [5, 6], 1); // [17,39]
* tensordot([[1, 2], [3, 4]], [[1, 2], [3, 4]], [[0, 1], [1, 0]]); // 29
*/
function tensordot(a, b, axes = 2) {
	const op = "tensordot";
	noMore(op, arguments, 3);
	const lists = typeof axes === "number" ? counted(countOf(op, "the number of axes", axes)) : axes;
	if (!isArray$1(lists) || lists.length !== 2) throw new ValueError(op, `axes are a number or two lists, got ${shown(axes)}`);
	const named = (list) => axesOf(op, typeof list === "number" ? [list] : listOf(op, "axes", list));
	const [left, right] = [named(lists[0]), named(lists[1])];
	return invoke(contracted, (call) => call.tensor(a).tensor(b).list(left).list(right));
}
function counted(count) {
	if (count > 64) throw new ShapeError("tensordot", `${count} axes are more than a tensor has`);
	const places = Array.from({ length: count }, (_, n) => n);
	return [places.map((n) => n - count), places];
}
// src/ops/convolution.ts
const OVERLAPS = [
	"full",
	"same",
	"valid"
];
const [convolved, correlated] = [register("convolve"), register("correlate")];
function overlapping(opcode, a, b, overlap) {
	const code = OVERLAPS.indexOf(overlap);
	if (code < 0) throw new ValueError(opcode.name, `the part is one of ${OVERLAPS.join(", ")}, got ${shown(overlap)}`);
	return invoke(opcode, (call) => call.tensor(a).tensor(b).put(code));
}
/**
* The convolution of two vectors. Throws `ShapeError` for other ranks.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* convolve([1, 2, 3], [0, 1, 0.5]); // [0,1,2.5,4,1.5]
*/
function convolve(a, b, overlap = "full") {
	noMore("convolve", arguments, 3);
	return overlapping(convolved, a, b, overlap);
}
/**
* The correlation of two vectors: the convolution with the second reversed.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* correlate([1, 2, 3], [0, 1, 0.5]); // [3.5]
*/
function correlate(a, b, overlap = "valid") {
	noMore("correlate", arguments, 3);
	return overlapping(correlated, a, b, overlap);
}
// src/ops/dtypes.ts
function known(op, dtype) {
	if (!dtypes.includes(dtype)) throw new DTypeError(op, `no dtype is called ${shown(dtype)}; expected ${dtypes.join(", ")}`);
	return dtype;
}
const of = (op, what) => what instanceof Tensor ? what.dtype : known(op, what);
/** Bits of the fraction, and the largest exponent. */
const floats = {
	f32: {
		bits: 32,
		fraction: 23,
		exponent: 127
	},
	f16: {
		bits: 16,
		fraction: 10,
		exponent: 15
	}
};
/**
* The limits of a dtype of floats. Throws `DTypeError` for one of integers.
*
* @example
* finfo("f32").eps; // 1.1921e-7
*/
function finfo(dtype = "f32") {
	noMore("finfo", [...arguments], 1);
	const given = of("finfo", dtype);
	const layout = floats[given];
	if (!layout) throw new DTypeError("finfo", `takes a dtype of floats, got ${given}: iinfo knows integers`);
	const { bits, fraction, exponent } = layout;
	const max = (2 - 2 ** -fraction) * 2 ** exponent;
	const tiny = 2 ** (1 - exponent);
	return {
		dtype: given,
		bits,
		eps: 2 ** -fraction,
		epsneg: 2 ** (-fraction - 1),
		max,
		min: -max,
		tiny,
		smallestNormal: tiny
	};
}
/**
* The limits of a dtype of integers. Throws `DTypeError` for one of floats.
*
* @example
* iinfo("u32").max; // 4294967295
*/
function iinfo(dtype) {
	noMore("iinfo", [...arguments], 1);
	const given = of("iinfo", dtype);
	const [kind, bits] = [given.charAt(0), Number(given.slice(1))];
	if (kind === "i") return {
		dtype: given,
		bits,
		max: 2 ** (bits - 1) - 1,
		min: -(2 ** (bits - 1))
	};
	if (kind === "u") return {
		dtype: given,
		bits,
		max: 2 ** bits - 1,
		min: 0
	};
	throw new DTypeError("iinfo", `takes a dtype of integers, got ${given}`);
}
/**
* The dtype in which tensors, numbers and dtypes meet. Plain numbers take the dtype of what they meet where they fit it.
*
* @example
* resultType("i32", "f32"); // "f32"
* resultType(tensor(Int32Array.of(1)), 2.5); // "f32"
*/
function resultType(...operands) {
	const op = "resultType";
	if (operands.length === 0) throw new DTypeError(op, "takes at least one tensor or dtype");
	return composed(op, () => {
		const stands = operands.map((operand) => {
			if (typeof operand === "number") return operand;
			return zeros([], { dtype: typeof operand === "string" ? known(op, operand) : lifted$1(op, operand).dtype });
		});
		const ordered = [...stands.filter((one) => typeof one !== "number"), ...stands.filter((one) => typeof one === "number")];
		return ordered.reduce((met, one) => where(true, met, one), ordered[0]).dtype;
	});
}
/**
* The dtype in which two meet.
*
* @example
* promoteTypes("bool", "i32"); // "i32"
*/
function promoteTypes(a, b) {
	noMore("promoteTypes", arguments, 2);
	return resultType(known("promoteTypes", a), known("promoteTypes", b));
}
/**
* Whether a dtype holds all numbers of another by promotion.
*
* @example
* canCast("i32", "f32"); // true
* canCast("f32", "i32"); // false
*/
function canCast(from, to) {
	noMore("canCast", arguments, 2);
	return resultType(of("canCast", from), known("canCast", to)) === to;
}
const [signed, unsigned, floating] = [
	["i8", "i32"],
	["u8", "u32"],
	["f16", "f32"]
];
const KINDS = /* @__PURE__ */ new Map([
	["bool", ["bool"]],
	["signed integer", signed],
	["unsigned integer", unsigned],
	["integral", [...signed, ...unsigned]],
	["real floating", floating],
	["complex floating", []],
	["numeric", [
		...signed,
		...unsigned,
		...floating
	]]
]);
/**
* Whether a dtype is another one, or of a kind as the array API standard names them, or of any in a list.
*
* @example
* isDType("i32", "integral"); // true
* isDType("f32", ["bool", "i32"]); // false
*/
function isDType(dtype, kind) {
	const op = "isDType";
	noMore(op, arguments, 2);
	const given = known(op, dtype);
	const kinds = typeof kind === "string" ? [kind] : listOf(op, "a kind or a list of kinds", kind);
	return Array.from(kinds).some((one) => (typeof one === "string" && KINDS.get(one) || [known(op, one)]).includes(given));
}
// src/ops/generated/create.ts
/**
* Numbers in equal ratios from `start` to `stop`, both included by default. Throws
* `ValueError` where one is 0 or their signs differ.
*
* Gives `dtype`.
*
* @example
* geomspace(1, 1000, 4); // [1,10,100,1000]
* geomspace(1, 16, 4, { endpoint: false }); // [1,2,4,8]
*/
const geomspace = operation("geomspace", number("the start"), number("the stop"), or(count("the count"), 50), spacing);
/**
* `base` to the power of evenly spaced numbers from `start` to `stop`, both included unless
* told; integers without their fractions.
*
* Gives `dtype`.
*
* @example
* logspace(0, 3, 4); // [1,10,100,1000]
* logspace(0, 4, 4, 2, { endpoint: false, dtype: "i32" }); // [1,2,4,8]
*/
const logspace = operation("logspace", number("the start"), number("the stop"), or(count("the count"), 50), or(number("the base"), 10), spacing);
/**
* The window of Hann: half a cosine up from 0 and down.
*
* Gives f32.
*
* @example
* hann(5); // [0,0.5,1,0.5,0]
*/
const hann = operation("hann", count("the count"));
/**
* The window of Hamming: Hann's raised so that its first side lobe vanishes.
*
* Gives f32.
*
* @example
* hamming(5); // [0.08,0.54,1,0.54,0.08]
*/
const hamming = operation("hamming", count("the count"));
/**
* The window of Blackman, of two cosines.
*
* Gives f32.
*
* @example
* blackman(3).max(); // 1
*/
const blackman = operation("blackman", count("the count"));
/**
* The window of Bartlett: a triangle from 0 to 1 and back.
*
* Gives f32.
*
* @example
* bartlett(5); // [0,0.5,1,0.5,0]
*/
const bartlett = operation("bartlett", count("the count"));
/**
* The window of Kaiser: a Bessel function of the distance from the middle. The larger `beta`,
* the narrower.
*
* Gives f32.
*
* @example
* kaiser(3, 0); // [1,1,1]
*/
const kaiser = operation("kaiser", count("the count"), number("the beta"));
/**
* The powers of a vector's elements as rows, the highest first, or from 0 up. Throws
* `ShapeError` unless it is a vector.
*
* Takes any dtype; gives the same, i32 of bool. Differentiable; `vmap` batches it.
*
* @example
* vander([1, 2, 3], 3); // [[1,1,1],[4,2,1],[9,3,1]]
*/
const vander = operation("vander", tensor$1, count("the columns"), or(flag("the ascending"), false));
// src/ops/generated/indexing.ts
/**
* A part of `sizes` elements along each axis, from `starts` on, which may be computed: numbers
* and 0-d integer tensors. Negative starts count from the end; one from which the part would
* not fit is the last from which it does. Throws `ShapeError` for a part larger than x. As
* `jax.lax.dynamic_slice`.
*
* Takes any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it.
*
* @example
* dynamicSlice([1, 2, 3, 4], [tensor([5, 9, 7]).argmax()], [2]); // [2,3]
*/
const dynamicSlice = operation("dynamicSlice", tensor$1, scalars, extents$1);
/**
* `x` with `update`, which becomes of its dtype, in the place of the part that `dynamicSlice`
* would give. As `jax.lax.dynamic_update_slice`.
*
* Takes any dtype, then any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it.
*
* @example
* dynamicUpdateSlice([1, 2, 3, 4], [8, 9], [tensor([5, 9, 7]).argmax()]); // [1,8,9,4]
*/
const dynamicUpdateSlice = operation("dynamicUpdateSlice", tensor$1, tensor$1, scalars);
/**
* The positions along each axis of a shape of what stands at row-major positions.
*
* Takes i32, u32; gives each the same. Without a gradient; `vmap` batches it.
*
* @example
* const [row, column] = unravelIndex([1, 5], [2, 3]);
* row; // [0,1]
*/
const unravelIndex = several("unravelIndex", integers, extents$1);
// src/ops/segment.ts
/** Calls a reduction of segments. */
function segments$1(opcode, x, ids, count) {
	const most = countOf(opcode.name, "the number of segments", count);
	return invoke(opcode, (call) => putIndices(call.tensor(x), ids, numbered("segment")).put(most));
}
/**
* The sums of the rows, along the first axis, of each of `count` segments; `ids` names the segment of each row, in any order. Rows of segments
* that there are not, as of −1, are left out; the sum of none is 0. Bools count as 0 and 1. Throws `ShapeError` unless there is one id for each row.
*
* Takes any dtype, then i32, u32; gives the same, i32 of bool. Differentiable; `vmap` batches it.
*
* @example
* segmentSum([1, 2, 3, 4], [0, 2, 0, -1], 3); // [4,0,2]
*/
function segmentSum(x, ids, count) {
	noMore("segmentSum", arguments, 3);
	return segments$1(sums, x, ids, count);
}
/**
* The means of the rows of each segment, as `segmentSum` names them; NaN for a segment without rows.
*
* Takes any dtype, then i32, u32; gives f32. Differentiable; `vmap` batches it.
*
* @example
* segmentMean([1, 2, 3, 4], [0, 2, 0, -1], 3); // [2,NaN,2]
*/
function segmentMean(x, ids, count) {
	noMore("segmentMean", arguments, 3);
	return segments$1(means, x, ids, count);
}
/**
* The largest of the rows of each segment, as `segmentSum` names them; −∞, or the least of an integer dtype, for a segment without rows.
*
* Takes any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it.
*
* @example
* segmentMax([1, 2, 3, 4], [0, 1, 0, -1], 3); // [3,2,-Infinity]
*/
function segmentMax(x, ids, count) {
	noMore("segmentMax", arguments, 3);
	return segments$1(largest, x, ids, count);
}
/**
* The smallest of the rows of each segment, as `segmentSum` names them; ∞, or the greatest of an integer dtype, for a segment without rows.
*
* Takes any dtype, then i32, u32; gives the same. Differentiable; `vmap` batches it.
*
* @example
* segmentMin([1, 2, 3, 4], [0, 1, 0, -1], 3); // [1,2,Infinity]
*/
function segmentMin(x, ids, count) {
	noMore("segmentMin", arguments, 3);
	return segments$1(smallest, x, ids, count);
}
const sums = register("segmentSum");
const means = register("segmentMean");
const largest = register("segmentMax");
const smallest = register("segmentMin");
// src/ops/sets.ts
const [valuesOf, countOfThem] = [register("members.values"), register("members.count")];
/** Members of the kind of this number, in as many places as there may be or as are asked for. */
function members(op, which, a, b, size, fillValue = 0) {
	return composed(op, () => {
		const [first, second] = [lifted$1(op, a), lifted$1(op, b)];
		const places = size === void 0 ? sizeOf(first.shape) + sizeOf(second.shape) : size;
		const of = (opcode, ...numbers) => invoke(opcode, (call) => call.tensor(first).tensor(second).put(which, ...numbers));
		return {
			values: of(valuesOf, places, fillValue),
			count: of(countOfThem)
		};
	});
}
const withSize = (op, which) => (a, b, size, fillValue = 0, ...more) => {
	noMore(op, [
		a,
		b,
		size,
		fillValue,
		...more
	], 4);
	return members(op, which, a, b, countOf(op, "the number of places", size), numberOf$1(op, "fillValue", fillValue));
};
/** As many as there are. */
const awaited = (op, which) => async (a, b, ...more) => {
	noMore(op, [
		a,
		b,
		...more
	], 2);
	const find = () => {
		const { values, count } = members(op, which, a, b);
		return {
			count,
			found: { values }
		};
	};
	return (await counted$2(op, find)).values;
};
/**
* The different elements of both tensors, flattened, in ascending order. How many there are is data: asynchronous, and not in `jit`, where `union1dWithSize` is.
*
* @example
* await union1d([2, 1], [3, 2]); // [1,2,3]
*/
const union1d = awaited("union1d", 0);
/**
* The different elements that both tensors have, in ascending order; NaN equals nothing. Asynchronous, as `union1d`.
*
* @example
* await intersect1d([2, 1, 2], [3, 2]); // [2]
*/
const intersect1d = awaited("intersect1d", 1);
/**
* `intersect1d`, and where each of them first stands in the first and in the second tensor, flattened, as i32: what NumPy's `return_indices` gives. Asynchronous,
* as `union1d`.
*
* @example
* const [values, inFirst, inSecond] = await intersect1dIndices([4, 2, 2], [3, 2]);
* inFirst; // [1]
* inSecond; // [1]
*/
async function intersect1dIndices(a, b, ...more) {
	const op = "intersect1dIndices";
	noMore(op, [
		a,
		b,
		...more
	], 2);
	const sorted = composed(op, () => [a, b].map((x) => {
		const flat = flatten(lifted$1(op, x));
		const order = argsort(flat);
		return [take(flat, order), order];
	}));
	for (const each of sorted) each.forEach(keep);
	try {
		const values = await intersect1d(a, b);
		const [inFirst, inSecond] = sorted.map(([elements, order]) => tidy(() => take(order, searchSorted(elements, values))));
		return [
			values,
			inFirst,
			inSecond
		];
	} finally {
		for (const [elements, order] of sorted) {
			elements.dispose();
			order.dispose();
		}
	}
}
/**
* The different elements of the first tensor that the second has not, in ascending order; NaN equals nothing. Asynchronous, as `union1d`.
*
* @example
* await setdiff1d([2, 1, 4], [3, 2]); // [1,4]
*/
const setdiff1d = awaited("setdiff1d", 2);
/**
* The different elements that one tensor has and the other has not, in ascending order; NaN equals nothing. Asynchronous, as `union1d`.
*
* @example
* await setxor1d([2, 1], [3, 2]); // [1,3]
*/
const setxor1d = awaited("setxor1d", 3);
/**
* `union1d` with `size` places, which needs no read and so works in `jit`.
*
* Takes any dtype; gives the promoted dtype. Without a gradient; `vmap` batches it.
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* union1dWithSize([2, 1], [3, 2], 2).values; // [1,2]
*/
const union1dWithSize = withSize("union1dWithSize", 0);
/**
* `intersect1d` with `size` places, which needs no read and so works in `jit`.
*
* Takes any dtype; gives the promoted dtype. Without a gradient; `vmap` batches it.
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* intersect1dWithSize([2, 1], [3, 2], 2, -1).values; // [2,-1]
*/
const intersect1dWithSize = withSize("intersect1dWithSize", 1);
/**
* `setdiff1d` with `size` places, which needs no read and so works in `jit`.
*
* Takes any dtype; gives the promoted dtype. Without a gradient; `vmap` batches it.
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* setdiff1dWithSize([2, 1], [3, 2], 2).count; // 1
*/
const setdiff1dWithSize = withSize("setdiff1dWithSize", 2);
/**
* `setxor1d` with `size` places, which needs no read and so works in `jit`.
*
* Takes any dtype; gives the promoted dtype. Without a gradient; `vmap` batches it.
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* setxor1dWithSize([2, 1], [3, 2], 3).values; // [1,3,0]
*/
const setxor1dWithSize = withSize("setxor1dWithSize", 3);
// src/core/device/memory.ts
/**
* Live tensors and memory.
*
* @example
* const before = memory().tensors;
* const x = ones([4]);
* memory().tensors - before; // 1
*/
function memory() {
	const { bytesLive, bytesPeak, bytesPooled } = stats();
	return {
		tensors: core().lives(),
		bytes: bytesLive,
		peak: bytesPeak,
		pooled: bytesPooled
	};
}
/**
* Counts `memory().peak` from what is held now: for the peak of one step rather than of all that came before.
*
* @example
* resetPeak();
* await ones([1000]).exp().sum().item();
* memory().peak - memory().bytes; // what that took meanwhile
*/
function resetPeak() {
	core().reset_peak();
}
/**
* The device's counters; with a label of `labelRuns` what was asked for under that, though the device may do it later. The memory is everybody's.
*
* @example
* stats().pipelinesCompiled; // grows with each new program on a GPU
*/
function stats(label) {
	noMore("stats", arguments, 1);
	return core().stats(label === void 0 ? void 0 : countOf("stats", "label", label));
}
/**
* Computes tensors now, in one submit, without reading them. They are computed when they are read, drawn or used by a step anyway;
* this says when. The promise lets the device catch up, as `throttle` does: await it in a loop, so that work does not pile up.
*
* @example
* const x = ones([4]).add(1);
* await realize(x); // computed, though nobody has read it
*/
function realize(...tensors) {
	ensureScope();
	core().realize(Uint32Array.from(tensors, (tensor) => Tensor.of("realize", "each argument", tensor).handle));
	releaseAbandoned();
	return throttle();
}
// src/transforms/vmap.ts
/** As the core writes an axis that is `null`. */
const NO_AXIS = -(2 ** 31);
/**
* `fn` for every member of a batch at once: of each tensor with an axis it gets the part at one place along that axis, and what it returns is
* put together along the axes of the results. What it reads from outside is shared, and a module with the axis `null`. A module with axes is one whose
* parameters have the members along them (an ensemble): `fn` gets a copy of it, made of its properties, with the member's tensors for parameters.
*
* A draw from the generator of `random` is a draw for each member, with the keys that `random.split` makes of one. Throws `AxisError` and `ShapeError`
* for axes that are not there or of different lengths, `ValueError` for a result with the axis `null` in which members differ, `TraceError` when `fn` reads a value, assigns what it computed to a parameter, or is async.
*
* @example
* const dot = (a: Tensor, b: Tensor) => a.mul(b).sum();
* vmap(dot)(tensor([[1, 2], [3, 4]]), tensor([[1, 1], [10, 10]])); // [3,70]
* vmap(grad((x: Tensor) => x.pow(3)))(tensor([1, 2])); // [3,12]
* vmap(dot, [1, null])(tensor([[1, 2], [3, 4]]), tensor([1, 10])); // [31,42]
*/
function vmap(fn, options = {}, outAxesOf) {
	const op = "vmap";
	noMore(op, arguments, 3);
	checkFunction(op, fn);
	const { inAxes = 0, outAxes = 0 } = optionsOf(op, isArray$1(options) || typeof options === "number" || options === null ? {
		inAxes: options,
		outAxes: outAxesOf
	} : options, {
		inAxes: void 0,
		outAxes: void 0
	});
	return (...args) => inScope(() => {
		ensureScope();
		wholeCore(op).batch_begin();
		const session = currentSession();
		try {
			const inputs = [];
			const replaced = mapAxes("inAxes", args, inAxes, (leaf, axis) => {
				if (axis === null) return leaf;
				if (typeof leaf === "number") throw new ShapeError(op, "a number has no axis to map over: give inAxes null in its place");
				if (!(leaf instanceof Tensor)) return leaf;
				const standIn = Tensor.adopt(core().batch_input(leaf.handle, axis));
				inputs.push({
					x: leaf,
					standIn,
					axis
				});
				return standIn;
			});
			const result = inside(op, () => fn(...replaced));
			checkReturned(op, result);
			const axes = [];
			mapAxes("outAxes", result, outAxes, (leaf, axis) => {
				if (!(leaf instanceof Tensor)) return leaf;
				return axes.push(axis ?? NO_AXIS);
			});
			const next = adopted(core().batch_outputs(handlesOf(tensorsOf(result)), handlesOf(inputs.map(({ standIn }) => standIn)), handlesOf(inputs.map(({ x }) => x)), Int32Array.from(inputs, ({ axis }) => axis), Int32Array.from(axes))).values();
			return mapTree(result, (leaf) => leaf instanceof Tensor ? next.next().value : leaf);
		} finally {
			coreOf(session)?.batch_end();
		}
	}, tensorsOf);
}
/** The axis of what stands at `path` in a module: that of the innermost of what it is in which has one. What is not named is shared. */
function axisAt(what, axes, path) {
	let found = axes;
	for (const key of path) {
		if (!isNode(found)) break;
		found = new Map(entriesOf$1(found)).get(key) ?? null;
	}
	if (found === null || Number.isInteger(found)) return found;
	throw new ValueError("vmap", `${what} must be whole numbers, null, or a tree of them with the form of what it is for`);
}
const isAxis = (value) => value === null || Number.isInteger(value);
/** A tree of the form of `tree`, made of its leaves and the axis of each. */
function mapAxes(what, tree, axes, visit) {
	const check = (leaf) => {
		if (!isAxis(leaf)) throw new ValueError("vmap", `${what} must be whole numbers, null, or a tree of them with the form of what it is for`);
	};
	mapTree(axes, check);
	const [first, second] = [{
		what,
		tree: axes
	}, {
		what: what === "inAxes" ? "args" : "outputs",
		tree
	}];
	matchTrees("vmap", first, second, () => {}, {
		leaf: (axis, value) => isAxis(axis) || isModule(value),
		fits: () => true
	});
	const walk = (value, axes) => {
		if (isAxis(axes)) {
			const module = (found) => axes === null ? found : copyModule(found, (tensor) => visit(tensor, axes));
			return mapTree(value, (leaf) => visit(leaf, axes), module);
		}
		if (axes === void 0 || !isNode(value)) return value;
		const given = new Map(entriesOf$1(axes));
		if (isModule(value)) {
			const known = new Set(Object.keys(value));
			const wrong = [...given.keys()].find((key) => !known.has(key));
			if (wrong !== void 0) throw new ValueError("vmap", `${what} must name properties of the module it is for, and ${wrong} is none`);
			return copyModule(value, (tensor, path) => visit(tensor, axisAt(what, axes, path)));
		}
		const mapped = entriesOf$1(value).map(([key, child]) => [key, walk(child, given.get(key))]);
		return Array.isArray(value) ? mapped.map(([, child]) => child) : Object.fromEntries(mapped);
	};
	return walk(tree, axes);
}
// src/transforms/apply_along.ts
/** An axis counted from the front. */
function placeOf(op, axis, x) {
	const along = axisOf(op, axis);
	const place = along < 0 ? along + x.ndim : along;
	if (place < 0 || place >= x.ndim) throw new AxisError(op, `axis ${along} is out of range for [${x.shape.join(",")}]`);
	return place;
}
/**
* What a function of a vector gives of each line of an axis, in the place of that axis.
*
* @example
* applyAlongAxis((line) => line.max().sub(line.min()), 1, [[1, 4], [5, 7]]); // [3,2]
*/
function applyAlongAxis(f, axis, x) {
	const op = "applyAlongAxis";
	checkFunction(op, f);
	noMore(op, arguments, 3);
	return tidy(() => {
		const given = lifted$1(op, x);
		const place = placeOf(op, axis, given);
		const lines = moveAxis(given, place, -1);
		const around = lines.shape.slice(0, -1);
		const vector = (line) => {
			const made = f(line);
			checkReturned(op, made);
			if (!(made instanceof Tensor)) throw new ValueError(op, "takes a function that returns a tensor");
			return made;
		};
		const each = vmap(vector)(reshape(lines, [around.reduce((a, b) => a * b, 1), lines.shape.at(-1)]));
		const made = each.shape.slice(1);
		let found = reshape(each, [...around, ...made]);
		for (let n = 0; n < made.length; n++) found = moveAxis(found, around.length + n, place + n);
		return found;
	});
}
/**
* What a function of a tensor and an axis gives, applied to one axis after the other; what has lost the axis gets it back with an extent of 1.
*
* @example
* applyOverAxes((x, axis) => x.sum(axis), [[1, 2], [3, 4]], [0, 1]); // [[10]]
*/
function applyOverAxes(f, x, axes) {
	const op = "applyOverAxes";
	checkFunction(op, f);
	noMore(op, arguments, 3);
	return tidy(() => {
		let found = add(lifted$1(op, x), 0);
		for (const axis of axesOf(op, axes) ?? []) {
			const place = placeOf(op, axis, found);
			const made = f(found, place);
			if (!(made instanceof Tensor)) throw new ValueError(op, "takes a function that returns a tensor");
			if (made.ndim !== found.ndim && made.ndim !== found.ndim - 1) throw new ShapeError(op, `the function made [${made.shape.join(",")}] of [${found.shape.join(",")}]`);
			found = made.ndim === found.ndim ? made : reshape(made, [
				...made.shape.slice(0, place),
				1,
				...made.shape.slice(place)
			]);
		}
		return found;
	});
}
// src/transforms/associative.ts
/**
* For each element along an axis what `join` makes of all up to it. `join(earlier, later)` takes and gives trees of the form of `xs`; it must be associative and
* work element by element on tensors of any extent along that axis. It is called 2·log₂ n times, so that the work of n elements is n joins.
*
* Throws `ShapeError` where extents along the axis differ, or `join` gives other shapes.
*
* @example
* // h[i] = a[i] · h[i − 1] + b[i], as pairs of a and b
* const xs = { a: tensor([1, 0.5, 0.5]), b: tensor([1, 1, 1]) };
* associativeScan((x: typeof xs, y: typeof xs) => ({ a: x.a.mul(y.a), b: y.a.mul(x.b).add(y.b) }), xs).b; // [1,1.5,1.75]
* // sums that start anew where a flag stands, as pairs of a flag and a sum
* const rows = { begins: tensor([true, false, true, false]), sum: tensor([1, 2, 3, 4]) };
* associativeScan((x: typeof rows, y: typeof rows) => ({ begins: x.begins.logicalOr(y.begins), sum: where(y.begins, y.sum, x.sum.add(y.sum)) }), rows).sum; // [1,3,3,7]
*/
function associativeScan(join, xs, options = {}) {
	const op = "associativeScan";
	noMore(op, arguments, 3);
	checkFunction(op, join);
	const given = optionsOf(op, options, {
		axis: 0,
		reverse: false
	});
	const axis = axisOf(op, given.axis);
	const reverse = flagOf(op, "reverse", given.reverse);
	const tensors = tensorsOf(xs);
	const axes = tensors.map((x) => axis < 0 ? axis + x.shape.length : axis);
	const extents = tensors.map((x, n) => x.shape[axes[n]]);
	const extent = extents[0];
	if (tensors.length === 0) throw new ValueError(op, "takes a tensor, or a tree of tensors");
	if (extent === void 0 || extents.some((other) => other !== extent)) throw new ShapeError(op, `extents along axis ${axis} differ: ${extents.map((one) => one ?? "none").join(", ")}`);
	/** A list of tensors in the form of `xs`. */
	const tree = (list) => {
		let next = 0;
		return mapTree(xs, (leaf) => leaf instanceof Tensor ? list[next++] : leaf);
	};
	const joined = (a, b) => {
		const result = join(tree(a), tree(b));
		checkReturned(op, result);
		const found = [];
		matchTrees(op, {
			what: "xs",
			tree: xs
		}, {
			what: "the result",
			tree: result
		}, (_, x) => found.push(x));
		const alike = (x, n) => x.dtype === a[n]?.dtype && String(x.shape) === String(a[n]?.shape);
		if (found.every(alike)) return found;
		const list = (xs) => xs.map((x) => `${x.dtype}[${String(x.shape)}]`).join(", ");
		throw new ShapeError(op, `the function must give what it takes, ${list(a)}, got ${list(found)}`);
	};
	const part = (list, start, stop, step = 1) => list.map((x, n) => slice(x, ...Array.from({ length: axes[n] }, () => null), [
		start,
		stop,
		step
	]));
	const both = (a, b, of) => a.map((x, n) => of(x, b[n], axes[n]));
	const scanned = (list, length) => {
		if (length < 2) return list;
		const pairs = length >> 1;
		const odd = scanned(joined(part(list, 0, 2 * pairs, 2), part(list, 1, length, 2)), pairs);
		let even = part(list, 0, 1);
		if (length > 2) {
			const later = joined(part(odd, 0, (length + 1 >> 1) - 1), part(list, 2, length, 2));
			even = both(even, later, (first, rest, along) => concat([first, rest], along));
		}
		return both(even, odd, (a, b, along) => interleaved(a, b, along));
	};
	return tidy(() => {
		const turned = (list) => reverse ? list.map((x, n) => flip(x, axes[n])) : list;
		return tree(turned(scanned(turned(tensors), extent)).map((x, n) => x === tensors[n] ? slice(x) : x));
	});
}
/** The elements of two tensors in turn; the first has as many as the second or one more. */
function interleaved(even, odd, axis) {
	const [many, few] = [even.shape[axis], odd.shape[axis]];
	const whole = Array.from({ length: axis }, () => null);
	const all = stack([slice(even, ...whole, [0, few]), odd], axis + 1).reshape(even.shape.map((extent, n) => n === axis ? 2 * few : extent));
	return many === few ? all : concat([all, slice(even, ...whole, [few, many])], axis);
}
// src/transforms/capture.ts
/** Runs `fn` on placeholders for the tensors and numbers of its arguments, but for those at `fixed` positions, and gives what `end` makes of it. */
function capture(op, fn, args, fixed, end) {
	ensureScope();
	core().trace_begin();
	const session = currentSession();
	try {
		return whileTracing(op, (done) => inScope(() => {
			const placeholders = [];
			const place = (handle) => {
				const placeholder = Tensor.adopt(handle);
				placeholders.push(placeholder);
				return placeholder;
			};
			const stand = (position) => (leaf) => {
				if (typeof leaf === "number") return noteGiven(place(core().number_placeholder(leaf)), position);
				return leaf instanceof Tensor && !(leaf instanceof Parameter) ? place(core().placeholder(leaf.handle)) : leaf;
			};
			const result = fn(...args.map((arg, position) => fixed.has(position) ? arg : mapTree(arg, stand(position), itself)));
			checkReturned(op, result);
			const made = end({
				result,
				placeholders,
				stepped: done.stepped,
				switches: done.switches,
				extras: done.extras
			});
			for (const { tensors } of done.extras) for (const each of tensors) each.dispose();
			return made;
		}, () => []));
	} catch (error) {
		coreOf(session)?.trace_abort();
		throw error;
	}
}
/** What is found in a tree and is neither tensor nor tree stays what it is. */
function itself(value) {
	return value;
}
// src/transforms/explain.ts
/**
* What `fn` computes of these arguments, stage by stage: the canonical program, the clusters with the reason of each cut, the kernels as
* kernel IR and WGSL, the dispatches and the memory. `fn` is run once, on what stands for the tensors and numbers of its arguments, as `jit` does;
* nothing is computed, and no parameter changes. Arguments and results are trees; loops, branches, gradients and `jit` are explained with the rest.
*
* The CPU device interprets programs: there, they are explained as a GPU with the least that WebGPU guarantees would run them.
*
* Throws `TraceError` when `fn` is async or reads a value, and inside a function that is transformed.
*
* @example
* const explained = explain((x: Tensor) => x.matmul(x).relu().sum(), ones([64, 64]));
* console.log(`${explained}`);
* explained.bytes; // { inputs: 16384, outputs: 4, temporaries: 16384 }
*/
function explain(fn, ...args) {
	const op = "explain";
	checkFunction(op, fn);
	if (isTracing() || core().is_transforming()) throw new TraceError(op, "a function is being transformed: explain the whole function from outside");
	return capture(op, fn, args, /* @__PURE__ */ new Set(), ({ result }) => explanationOf(wholeCore(op).trace_explain(handlesOf(tensorsOf(result)))));
}
/**
* Notes from now on under a label, a whole number, which programs the device runs, for `explainRuns`. 0 notes nothing, as at first.
*
* @example
* labelRuns(1);
* await random.normal([8]).sin().data();
* labelRuns(0);
* explainRuns(1).map(({ times }) => times); // [1]
*/
function labelRuns(label) {
	noMore("labelRuns", arguments, 1);
	labelWork(countOf("labelRuns", "label", label));
}
/**
* What ran under a label of `labelRuns`, in the order in which it first ran: each program once, with how often it did. Of each label the
* first 64 are remembered, of all labels the latest thousand.
*
* @example
* explainRuns(1).forEach(({ times, explanation }) => console.log(`${times} ×\n${explanation}`));
*/
function explainRuns(label) {
	noMore("explainRuns", arguments, 1);
	const listed = wholeCore("explainRuns").explain_runs(countOf("explainRuns", "label", label));
	return Array.from({ length: listed.length / 2 }, (_, n) => ({
		times: Number(listed[2 * n]),
		explanation: explanationOf(listed[2 * n + 1])
	}));
}
// src/transforms/derivatives.ts
/**
* The outputs of `fn` at `args`, and their derivatives along `tangents`: a tree with the form of the arguments, a tensor or number for
* each of theirs. Arguments of integers and bools take no tangent (`null`), and outputs of them have `null` for a derivative. The cost is about that
* of `fn`, whatever the number of outputs.
*
* @example
* const [outputs, derivatives] = jvp((x: Tensor) => x.square(), [tensor([1, 2])], [[1, 10]]);
* derivatives; // [2,40]
*/
function jvp(fn, args, tangents) {
	noMore("jvp", arguments, 3);
	checkFunction("jvp", fn);
	listOf("jvp", "a list of arguments", args);
	const derive = (outputs, marks) => {
		const along = directions("jvp", marksOf(args), tangents);
		return [outputs, filled$1(outputs, adopted(wholeCore("jvp").jvp(handlesOf(tensorsOf(outputs).filter(isFloats)), handlesOf(marks), handlesOf(along))))];
	};
	return inScope(() => withMarks("jvp", args, every(args), fn, derive, true), tensorsOf);
}
/**
* The outputs of `fn` at `args`, and the function that takes tangents, one for each argument, to the derivatives along them. `fn` runs once,
* and its values are kept for as long as that function is.
*
* @example
* const [outputs, push] = linearize((x: Tensor) => x.square(), [tensor([1, 2])]);
* push([1, 10]); // [2,40]
* push([1, 0]); // [2,0]
*/
function linearize(fn, args) {
	noMore("linearize", arguments, 2);
	checkFunction("linearize", fn);
	listOf("linearize", "a list of arguments", args);
	let kept;
	const derive = (result, marks) => {
		const inputs = marks.map((mark) => Tensor.adopt(core().stand_in(mark.handle)).keep());
		kept = {
			inputs,
			pushed: adopted(wholeCore("linearize").jvp(handlesOf(tensorsOf(result).filter(isFloats)), handlesOf(marks), handlesOf(inputs))).map((tensor) => tensor.keep()),
			form: formOf$1(result, isFloats)
		};
		return result;
	};
	const outputs = inScope(() => withMarks("linearize", args, every(args), fn, derive, true), tensorsOf);
	const { inputs, pushed, form } = kept;
	const expected = marksOf(args);
	const push = (...tangents) => inScope(() => {
		const along = directions("linearize", expected, tangents);
		const found = adopted(core().substitute(handlesOf(pushed), handlesOf(inputs), handlesOf(along))).values();
		return mapTree(form, (leaf) => leaf instanceof Place ? found.next().value : leaf);
	}, tensorsOf);
	return [outputs, push];
}
/**
* The Jacobian of `fn`, by forward mode: one pass for each element of the inputs, all of them at once. For functions with more outputs than
* inputs. Throws `DTypeError` when `fn` returns anything but floats.
*
* @example
* jacfwd((x: Tensor) => x.square())(tensor([1, 2])); // [[2,0],[0,4]]
*/
function jacfwd(fn, options = {}) {
	noMore("jacfwd", arguments, 2);
	return jacobian("jacfwd", fn, options, false);
}
/**
* As `jacfwd`, by reverse mode: one pass for each element of the outputs. For functions with more inputs than outputs.
*
* @example
* jacrev((x: Tensor, y: Tensor) => x.mul(y), { argnums: 1 })(tensor([1, 2]), tensor([3, 4])); // [[1,0],[0,2]]
*/
function jacrev(fn, options = {}) {
	noMore("jacrev", arguments, 2);
	return jacobian("jacrev", fn, options, true);
}
/**
* The second derivatives of `fn`: in the place of each tensor of the gradient the gradient of that. Forward mode over reverse mode.
*
* @example
* hessian((x: Tensor) => x.pow(3).sum())(tensor([1, 2])); // [[6,0],[0,12]]
*/
function hessian(fn, options = {}) {
	noMore("hessian", arguments, 2);
	return jacobian("hessian", jacobian("hessian", fn, options, true), options, false);
}
function jacobian(op, fn, options, reverse) {
	checkFunction(op, fn);
	const argnums = argnumsOf(op, options);
	return (...args) => inScope(() => withMarks(op, args, listed$1(argnums), fn, (outputs, marks, shaped) => {
		const all = adopted(wholeCore(op).jacobians(handlesOf(tensorsOf(outputs)), handlesOf(marks), reverse));
		let next = 0;
		const ofOne = () => picked(shaped(all.slice(next, next += marks.length)), argnums);
		return mapTree(outputs, (leaf) => leaf instanceof Tensor ? ofOne() : leaf);
	}), tensorsOf);
}
/**
* A tree of the same values, through which no derivative flows.
*
* @example
* grad((x: Tensor) => x.mul(stopGradient(x)))(tensor(3)); // 3
*/
function stopGradient(tree) {
	noMore("stopGradient", arguments, 1);
	return mapTree(tree, (leaf) => leaf instanceof Tensor ? leaf.detach() : leaf);
}
function every(args) {
	return args.map((_, position) => position);
}
/** The form of arguments, with a place for each mark that they get: a parameter has one, wherever it is. */
function marksOf(args) {
	const places = /* @__PURE__ */ new Map();
	const once = (tensor) => {
		if (!places.has(tensor)) places.set(tensor, new Place());
		return places.get(tensor);
	};
	const leaf = (value) => {
		if (value instanceof Parameter) return value.frozen ? value : once(value);
		return isFloats(value) || typeof value === "number" ? new Place() : value;
	};
	return mapTree(args, leaf, (module) => {
		const isMarked = (value) => isCopy(module) || value instanceof Parameter && value.learned;
		return prune(module, (value) => isMarked(value) ? once(value) : void 0);
	});
}
/** A tensor for each place among the marks, from a tree of their form. */
function directions(op, marks, tangents) {
	const found = /* @__PURE__ */ new Map();
	const [first, second] = [{
		what: "args",
		tree: marks
	}, {
		what: "tangents",
		tree: tangents
	}];
	const isNothing = (value) => value === null || value === void 0;
	const fits = (value) => isNothing(value) || value instanceof Tensor || typeof value === "number" || isArray$1(value) || ArrayBuffer.isView(value);
	const visit = (leaf, tangent, place) => {
		if (leaf instanceof Tensor) {
			if (isNothing(tangent)) return;
			throw new DTypeError(op, `args${place()} is ${leaf.form.text}, which has no derivative: its tangent is null`);
		}
		if (tangent === null || tangent === void 0) throw new ValueError(op, `tangents${place()} is missing`);
		if (!found.has(leaf)) found.set(leaf, tangent instanceof Tensor ? tangent : tensorFrom(tangent, op));
	};
	const isOther = (value) => value instanceof Tensor && !(value instanceof Parameter) && !isFloats(value);
	matchTrees(op, first, second, visit, {
		leaf: (value) => value instanceof Place || isOther(value),
		fits
	});
	return [...found.values()];
}
/** `tree` with its tensors of floats exchanged, and `null` for those of others. */
function filled$1(tree, tensors) {
	const next = tensors.values();
	return mapTree(tree, (leaf) => leaf instanceof Tensor ? isFloats(leaf) ? next.next().value : null : leaf);
}
// src/transforms/inputs.ts
/** Numbers for objects, so that identity can stand in a key. */
var Identities = class {
	#numbers = /* @__PURE__ */ new WeakMap();
	#next = 0;
	of(object) {
		let number = this.#numbers.get(object);
		if (number === void 0) this.#numbers.set(object, number = this.#next++);
		return number;
	}
};
/** Reads the arguments of a call: those at `fixed` positions are part of the key, as modules and parameters are. */
function readInputs(args, fixed, donate, identities) {
	const tensors = [];
	const numbers = [];
	const donated = [];
	const above = /* @__PURE__ */ new Set();
	const constant = (value) => {
		if (typeof value === "object" && value !== null) {
			const identity = `#${identities.of(value)}`;
			if (!isNode(value) || above.has(value)) return identity;
			above.add(value);
			const parts = entriesOf$1(value).map(([name, child]) => `${name}:${constant(child)}`);
			above.delete(value);
			return `${identity}{${parts.join()}}`;
		}
		if (typeof value === "function") return `#${identities.of(value)}`;
		return typeof value === "string" ? JSON.stringify(value) : `${typeof value} ${String(value)}`;
	};
	const variable = (value, donates) => {
		if (value instanceof Tensor && !(value instanceof Parameter)) {
			if (donates) donated.push(tensors.length);
			tensors.push(value);
			const { text } = value.form;
			return donates ? `${text}!` : text;
		}
		if (typeof value === "number") {
			numbers.push(value);
			return Number.isInteger(value) ? "n" : "r";
		}
		if (!isNode(value) || isModule(value)) return constant(value);
		if (above.has(value)) throw cyclic();
		above.add(value);
		const node = value;
		let parts = "";
		if (isArray$1(node)) for (let n = 0; n < node.length; n++) parts += `${variable(node[n], donates)},`;
		else for (const [name, child] of Object.entries(node)) parts += `${JSON.stringify(name)}:${variable(child, donates)},`;
		above.delete(value);
		return isArray$1(node) ? `[${parts}]` : `{${parts}}`;
	};
	let key = "";
	for (let i = 0; i < args.length; i++) key += `${fixed.has(i) ? constant(args[i]) : variable(args[i], donate.has(i))};`;
	return {
		key,
		tensors,
		numbers,
		donated
	};
}
// src/transforms/jit.ts
/** Captures kept per function; the one not used for longest goes first. */
const MOST_CAPTURES = 64;
const NO_NUMBERS = /* @__PURE__ */ new Float64Array(0);
const NONE_DONATED = /* @__PURE__ */ new Uint8Array(0);
var OutputPlace = class {
	index;
	constructor(index) {
		this.index = index;
	}
};
/**
* `fn`, captured: the first call with arguments of some form traces it, later ones only run what was captured. Arguments are
* trees. Their tensors, and numbers, may differ from call to call; everything else in them, the shapes and dtypes, and whether numbers are whole,
* decide which capture is used, and so do the modes of modules (`train` and `eval`) and which parameters are frozen. Whatever else `fn` reads
* when it is traced is fixed by that, except for parameters, optimizers and `random`. To `fn` a number is a 0-d f32 tensor that takes the dtype of what
* it meets, as plain numbers do; where the number itself must be known, as an extent or an axis, its argument has to be `static`.
*
* Throws `TraceError` when `fn` is async, or reads a value. Called in another `jit`, or in `grad`, it is simply `fn`.
*
* @example
* const step = jit((x: Tensor, scale: number) => x.mul(scale).tanh().sum());
* step(tensor([0, 1]), 1); // 0.76159
* step(tensor([0, 1]), 2); // 0.96403
*/
function jit(fn, options = {}) {
	noMore("jit", arguments, 2);
	checkFunction("jit", fn);
	if (fn.constructor?.name === "AsyncFunction") throw new TraceError("jit", "takes a function that returns at once; this one is async");
	const given = optionsOf("jit", options, {
		static: [],
		donate: []
	});
	const fixed = positions("static", given.static);
	const donated = positions("donate", given.donate);
	const captures = new Captures();
	const claims = /* @__PURE__ */ new Set();
	const identities = new Identities();
	let latest;
	const call = (...args) => {
		if (isTracing() || core().is_transforming()) return inline(fn, args, fixed);
		const inputs = readInputs(args, fixed, donated, identities);
		const known = captures.find(inputs.key);
		const used = known?.claim.stands && (known.witnessed || !isWitnessed()) ? known : trace$1(fn, args, fixed, inputs.key);
		if (known && known !== used) {
			captures.remove(known);
			claims.delete(known.claim);
			drop(known.claim);
		}
		if (used !== latest) {
			latest = used;
			claims.add(used.claim);
			const dropped = captures.use(used);
			if (dropped) {
				claims.delete(dropped.claim);
				drop(dropped.claim);
			}
		}
		const handles = core().captured_call(used.claim.number("jit", "the captured function"), handlesOf(inputs.tensors), inputs.numbers.length > 0 ? Float64Array.from(inputs.numbers) : NO_NUMBERS, inputs.donated.length > 0 ? Uint8Array.from(inputs.tensors, (_, index) => Number(inputs.donated.includes(index))) : NONE_DONATED);
		for (const index of inputs.donated) inputs.tensors[index]?.dispose();
		const outputs = [];
		for (let n = 0; n < handles.length; n++) outputs.push(Tensor.adopt(handles[n], used.forms?.[n]));
		used.forms ??= outputs.map((output) => output.form);
		releaseAbandoned();
		let first = used.own;
		for (const { tensors, take } of used.extras) take(outputs.slice(first, first += tensors.length).map((output) => output.keep()));
		const { result } = used;
		if (result instanceof OutputPlace) return outputs[result.index];
		return mapTree(result, (leaf) => leaf instanceof OutputPlace ? outputs[leaf.index] : leaf, itself);
	};
	forgotten.register(call, claims);
	return call;
}
function positions(what, list) {
	return new Set(Array.from(isArray$1(list) ? list : [list], (position) => countOf("jit", `${what}, the position of an argument,`, position)));
}
/** Captures go with the function that made them. */
const forgotten = new FinalizationRegistry((claims) => releaseLater(() => claims.forEach(drop)));
function drop(claim) {
	claim.release((known, number) => known.captured_drop(number));
}
/** The captures of a function, the one used last at the end. */
var Captures = class {
	#all = /* @__PURE__ */ new Set();
	/** By the form of arguments: one for each state of the switches, the one used last at the end. */
	#byKey = /* @__PURE__ */ new Map();
	/** The capture for arguments of this form with the switches as they are. */
	find(key) {
		const now = switchVersion();
		return this.#byKey.get(key)?.findLast((capture) => {
			if (capture.seen !== now && !areUnchanged(capture.switches)) return false;
			capture.seen = now;
			return true;
		});
	}
	/** Puts a capture at the end; gives the one that has to go for it. */
	use(capture) {
		this.remove(capture);
		this.#all.add(capture);
		this.#byKey.set(capture.key, [...this.#byKey.get(capture.key) ?? [], capture]);
		const [oldest] = this.#all;
		if (!oldest || this.#all.size <= MOST_CAPTURES) return void 0;
		this.remove(oldest);
		return oldest;
	}
	remove(capture) {
		this.#all.delete(capture);
		const others = this.#byKey.get(capture.key)?.filter((other) => other !== capture) ?? [];
		if (others.length > 0) this.#byKey.set(capture.key, others);
		else this.#byKey.delete(capture.key);
	}
};
/** Runs `fn` on placeholders and captures what it builds. */
function trace$1(fn, args, fixed, key) {
	return capture("jit", fn, args, fixed, ({ result, placeholders, stepped, switches, extras }) => {
		const outputs = [];
		const form = mapTree(result, (leaf) => leaf instanceof Tensor ? new OutputPlace(outputs.push(leaf) - 1) : leaf, itself);
		const own = outputs.length;
		for (const { tensors } of extras) outputs.push(...tensors);
		return {
			claim: new Claim(core().trace_end(handlesOf(outputs), handlesOf(placeholders), stepped)),
			result: form,
			own,
			extras,
			key,
			switches,
			witnessed: isWitnessed(),
			seen: -1
		};
	});
}
/** In another trace or transform the function is part of that; only its numbers are tensors, as they always are. */
function inline(fn, args, fixed) {
	return fn(...args.map((arg, position) => fixed.has(position) ? arg : mapTree(arg, (leaf) => typeof leaf === "number" ? noteGiven(Tensor.adopt(core().weak_number(leaf)), position) : leaf, itself)));
}
// src/transforms/precompile.ts
/**
* Compiles what `fn` computes of such arguments, and waits until the fastest text of each kernel is compiled: a call with arguments of these
* shapes and dtypes then waits for no compiler, and none of its kernels is exchanged later. Without it the first call runs with kernels
* that compile soon, where there are such, and the fastest take over between calls. `fn` is run once, on what stands for the tensors and
* numbers of its arguments, as `jit` does; nothing is computed, and no parameter changes. On the CPU device there is nothing to wait for.
*
* Throws `TraceError` when `fn` is async or reads a value, and inside a function that is transformed.
*
* @example
* const layer = jit((x: Tensor, w: Tensor) => x.matmul(w).relu());
* await precompile(layer, { shape: [32, 64] }, { shape: [64, 16] });
*/
async function precompile(fn, ...specs) {
	const op = "precompile";
	checkFunction(op, fn);
	if (isTracing() || core().is_transforming()) throw new TraceError(op, "a function is being transformed: precompile the whole function from outside");
	await inScope(() => {
		const args = specs.map((spec) => filled(op, spec));
		return capture(op, fn, args, /* @__PURE__ */ new Set(), ({ result }) => wholeCore(op).trace_precompile(handlesOf(tensorsOf(result))));
	}, () => []);
}
/** Nested deeper, or in itself, nothing is a spec: what captures trees says what is wrong with such. */
const DEEPEST$1 = 100;
/** The tree with a tensor in place of each spec; nobody reads its values. */
function filled(op, tree, above = []) {
	if (above.length > DEEPEST$1 || above.includes(tree)) return tree;
	const inside = [...above, tree];
	if (isArray$1(tree)) return Array.from(tree, (part) => filled(op, part, inside));
	if (!isPlain(tree)) return tree;
	const { shape, dtype, ...rest } = tree;
	if (!isArray$1(shape)) return Object.fromEntries(Object.entries(tree).map(([name, part]) => [name, filled(op, part, inside)]));
	const [unknown] = Object.keys(rest);
	if (unknown !== void 0) throw new ValueError(op, `a spec has a shape and a dtype, not ${shown(unknown)}`);
	return zeros(shapeOf$1(op, shape), dtype === void 0 ? {} : { dtype });
}
/** Whether it is an object of no class whose properties can be read. */
function isPlain(value) {
	return holds(() => {
		const above = typeof value === "object" && value !== null && Object.values(value) && Object.getPrototypeOf(value);
		return above === null || above === Object.prototype;
	});
}
// src/ops/generated/fft.ts
/**
* The frequencies of n numbers that are `spacing` apart, in the order of `fft.fft`.
*
* Gives f32.
*
* @example
* fft.fftfreq(4); // [0,0.25,-0.5,-0.25]
*/
const fftfreq = operation("fft.fftfreq", count("the n"), or(number("the spacing"), 1));
/**
* The frequencies of n real numbers that are `spacing` apart, in the order of `fft.rfft`.
*
* Gives f32.
*
* @example
* fft.rfftfreq(4); // [0,0.25,0.5]
*/
const rfftfreq = operation("fft.rfftfreq", count("the n"), or(number("the spacing"), 1));
/**
* Rolled by half of each axis, so that the frequency 0 comes to the middle.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* fft.fftshift([0, 1, 2, -2, -1]); // [-2,-1,0,1,2]
*/
const fftshift = operation("fft.fftshift", tensor$1, axes);
/**
* The inverse of `fft.fftshift`.
*
* Takes any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* fft.ifftshift([-2, -1, 0, 1, 2]); // [0,1,2,-2,-1]
*/
const ifftshift = operation("fft.ifftshift", tensor$1, axes);
// src/fft/index.ts
var fft_exports = /* @__PURE__ */ __exportAll({
	fft: () => fft,
	fft2: () => fft2,
	fftfreq: () => fftfreq,
	fftn: () => fftn,
	fftshift: () => fftshift,
	hfft: () => hfft,
	ifft: () => ifft,
	ifft2: () => ifft2,
	ifftn: () => ifftn,
	ifftshift: () => ifftshift,
	ihfft: () => ihfft,
	irfft: () => irfft,
	irfft2: () => irfft2,
	irfftn: () => irfftn,
	istft: () => istft,
	rfft: () => rfft,
	rfft2: () => rfft2,
	rfftfreq: () => rfftfreq,
	rfftn: () => rfftn,
	stft: () => stft
});
const NORMS = [
	"backward",
	"ortho",
	"forward"
];
const transform = register("fft");
const [FORWARD, INVERSE, REAL, REAL_INVERSE] = [
	0,
	1,
	2,
	3
];
function run(op, x, kind, norm, places) {
	const code = NORMS.indexOf(norm);
	if (code < 0) throw new ValueError(op, `the norm is one of ${NORMS.join(", ")}, got ${shown(norm)}`);
	return composed(op, () => {
		const [re, im] = invokeAll({
			...transform,
			name: op
		}, (call) => {
			if (x instanceof Complex) call.tensor(x.re).tensor(x.im);
			else call.tensor(x).put(0);
			places(call);
			call.put(kind, code);
		});
		return new Complex(re, im);
	});
}
/** Along one axis, of a length or its own. */
const one = (n, axis) => (call) => {
	call.list([axisOf(call.op, axis)]);
	if (n === void 0 || n === null) call.put(-1);
	else call.list([countOf(call.op, "the length", n)]);
};
/** Along several axes, or all. */
const many = (shape, axes) => (call) => {
	const along = axesOf(call.op, axes);
	if (along) call.list(along);
	else call.put(-1);
	outer$1(call, shape);
};
function real(op, x, norm, places) {
	const made = run(op, x, REAL_INVERSE, norm, places);
	made.im.dispose();
	return made.re;
}
/**
* The Fourier transform along an axis, cut or continued with zeros to n numbers. Throws `AxisError`, and `ValueError` for no numbers.
*
* Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
*
* @example
* fft.fft([1, 0, 0, 0]).re; // [1,1,1,1]
*/
function fft(x, n, axis = -1, norm = "backward") {
	noMore("fft.fft", [...arguments], 4);
	return run("fft.fft", x, FORWARD, norm, one(n, axis));
}
/**
* The inverse of `fft.fft`.
*
* Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
*
* @example
* fft.ifft(fft.fft([1, 2, 3])).re.round(); // [1,2,3]
*/
function ifft(x, n, axis = -1, norm = "backward") {
	noMore("fft.ifft", [...arguments], 4);
	return run("fft.ifft", x, INVERSE, norm, one(n, axis));
}
/**
* The first half of the frequencies of real numbers, ⌊n/2⌋ + 1 of them; the others are their conjugates.
*
* Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
*
* @example
* fft.rfft([1, 1, 1, 1]).re.round(); // [4,0,0]
*/
function rfft(x, n, axis = -1, norm = "backward") {
	noMore("fft.rfft", [...arguments], 4);
	return run("fft.rfft", x, REAL, norm, one(n, axis));
}
/**
* The inverse of `fft.rfft`: n real numbers, 2(m − 1) for m frequencies by default.
*
* Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
*
* @example
* fft.irfft(fft.rfft([1, 2, 3, 4])).round(); // [1,2,3,4]
*/
function irfft(x, n, axis = -1, norm = "backward") {
	noMore("fft.irfft", [...arguments], 4);
	return real("fft.irfft", x, norm, one(n, axis));
}
/**
* The Fourier transform along several axes, or all, cut or continued with zeros to `shape`.
*
* Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
*
* @example
* fft.fftn([[1, 0], [0, 0]]).re; // [[1,1],[1,1]]
*/
function fftn(x, shape, axes, norm = "backward") {
	noMore("fft.fftn", [...arguments], 4);
	return run("fft.fftn", x, FORWARD, norm, many(shape, axes));
}
/**
* The inverse of `fft.fftn`.
*
* Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
*
* @example
* fft.ifftn(fft.fftn([[1, 2], [3, 4]])).re.round(); // [[1,2],[3,4]]
*/
function ifftn(x, shape, axes, norm = "backward") {
	noMore("fft.ifftn", [...arguments], 4);
	return run("fft.ifftn", x, INVERSE, norm, many(shape, axes));
}
/**
* The frequencies of real numbers along several axes, or all, of the last of them the first half.
*
* Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
*
* @example
* fft.rfftn([[1, 0], [0, 0]]).re; // [[1,1],[1,1]]
*/
function rfftn(x, shape, axes, norm = "backward") {
	noMore("fft.rfftn", [...arguments], 4);
	return run("fft.rfftn", x, REAL, norm, many(shape, axes));
}
/**
* The inverse of `fft.rfftn`.
*
* Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
*
* @example
* fft.irfftn(fft.rfftn([[1, 2], [3, 4]])).round(); // [[1,2],[3,4]]
*/
function irfftn(x, shape, axes, norm = "backward") {
	noMore("fft.irfftn", [...arguments], 4);
	return real("fft.irfftn", x, norm, many(shape, axes));
}
/**
* `fft.fftn` along the last two axes.
*
* @example
* fft.fft2([[1, 0], [0, 0]]).re; // [[1,1],[1,1]]
*/
function fft2(x, shape, axes = [-2, -1], norm = "backward") {
	noMore("fft.fft2", [...arguments], 4);
	return run("fft.fft2", x, FORWARD, norm, many(shape, axes));
}
/**
* The inverse of `fft.fft2`.
*
* @example
* fft.ifft2(fft.fft2([[1, 2], [3, 4]])).re.round(); // [[1,2],[3,4]]
*/
function ifft2(x, shape, axes = [-2, -1], norm = "backward") {
	noMore("fft.ifft2", [...arguments], 4);
	return run("fft.ifft2", x, INVERSE, norm, many(shape, axes));
}
/**
* `fft.rfftn` along the last two axes.
*
* @example
* fft.rfft2([[1, 0], [0, 0]]).re; // [[1,1],[1,1]]
*/
function rfft2(x, shape, axes = [-2, -1], norm = "backward") {
	noMore("fft.rfft2", [...arguments], 4);
	return run("fft.rfft2", x, REAL, norm, many(shape, axes));
}
/**
* The inverse of `fft.rfft2`.
*
* @example
* fft.irfft2(fft.rfft2([[1, 2], [3, 4]])).round(); // [[1,2],[3,4]]
*/
function irfft2(x, shape, axes = [-2, -1], norm = "backward") {
	noMore("fft.irfft2", [...arguments], 4);
	return real("fft.irfft2", x, norm, many(shape, axes));
}
/**
* The transform of a sequence that is real in frequency: of the first half of a sequence that equals its own conjugate reversed, n real numbers.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* fft.hfft([1, 2, 3]).round(); // [8,-2,0,-2]
*/
function hfft(x, n, axis = -1, norm = "backward") {
	noMore("fft.hfft", [...arguments], 4);
	const conjugate = x instanceof Complex ? x.conj() : x;
	try {
		return real("fft.hfft", conjugate, opposite(norm), one(n, axis));
	} finally {
		if (conjugate instanceof Complex) conjugate.dispose();
	}
}
/**
* The inverse of `fft.hfft`: of real numbers the first half of a sequence that equals its own conjugate reversed.
*
* Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
*
* @example
* fft.ihfft([8, -2, 0, -2]).re; // [1,2,3]
*/
function ihfft(x, n, axis = -1, norm = "backward") {
	noMore("fft.ihfft", [...arguments], 4);
	const found = run("fft.ihfft", x, REAL, opposite(norm), one(n, axis));
	try {
		return found.conj();
	} finally {
		found.dispose();
	}
}
/** Where the transform in the other direction is divided. */
function opposite(norm) {
	return norm === "backward" ? "forward" : norm === "forward" ? "backward" : norm;
}
const [segmented, joined] = [register("stft"), register("istft")];
/** The options as the core takes them; 0 is what is not told. */
function segments(call, options) {
	const { window, centred, scaled, ...counts } = optionsOf(call.op, options, {
		length: 0,
		hop: 0,
		points: 0,
		window: null,
		centred: true,
		scaled: true
	});
	maybe(call, window);
	for (const [name, count] of Object.entries(counts)) call.put(countOf(call.op, `the ${name}`, count));
	call.put(Number(centred), Number(scaled));
}
/**
* Spectra of the segments of a real signal along the last axis, as SciPy's `stft` scales and cuts them: frequencies along the last axis but one, of `fft.rfftfreq`, and moments along the last.
* Zeros fill the last segment. Throws `ShapeError` for a signal shorter than a segment.
*
* Takes any dtype; gives re f32, im f32. Differentiable; `vmap` batches it.
*
* @example
* const wave = arange(64).mul(Math.PI / 4).cos();
* fft.stft(wave, { length: 16 }).abs().slice(2, 4); // 0.5
*/
function stft(x, options = {}) {
	const op = "fft.stft";
	noMore(op, [...arguments], 2);
	return composed(op, () => {
		const [re, im] = invokeAll({
			...segmented,
			name: op
		}, (call) => segments(call.tensor(x), options));
		return new Complex(re, im);
	});
}
/**
* The signal of which `stft` with the same options gives these spectra, with what filled its last segment; of others the nearest that there is.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* const x = arange(32).sin();
* fft.istft(fft.stft(x, { length: 8 }), { length: 8 }).sub(x).abs().less(1e-5).all(); // true
*/
function istft(spectra, options = {}) {
	const op = "fft.istft";
	noMore(op, [...arguments], 2);
	if (!(spectra instanceof Complex)) throw new ValueError(op, `takes what stft gave, got ${shown(spectra)}`);
	return composed(op, () => invoke({
		...joined,
		name: op
	}, (call) => segments(call.tensor(spectra.re).tensor(spectra.im), options)));
}
// src/ops/generated/linalg.ts
/**
* The X of A·X = B for a square matrix A, and B a matrix or a vector. NaN or infinities where
* A is singular. Throws `ShapeError` where they do not fit.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* linalg.solve([[2, 0], [0, 4]], [2, 2]); // [1,0.5]
*/
const solve = operation("linalg.solve", tensor$1, tensor$1);
/**
* The X of A·X = B for a triangle A, the lower one by default, and B a matrix or a vector;
* what lies in the other triangle is not read.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* linalg.triangularSolve([[2, 0], [1, 3]], [4, 5]); // [2,1]
*/
const triangularSolve = operation("linalg.triangularSolve", tensor$1, tensor$1, options({
	lower: true,
	transposed: false,
	unitDiagonal: false
}));
/**
* The inverse of a square matrix. NaN or infinities where it is singular.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* linalg.inv([[2, 0], [0, 4]]); // [[0.5,0],[0,0.25]]
*/
const inv = operation("linalg.inv", tensor$1);
/**
* The determinant of a square matrix.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* linalg.det([[1, 2], [3, 4]]); // -2
*/
const det = operation("linalg.det", tensor$1);
/**
* The sign of the determinant of a square matrix and the logarithm of its magnitude; −∞ for a
* singular one.
*
* Takes any dtype; gives sign f32, log f32. Differentiable; `vmap` batches it.
*
* @example
* const [sign, log] = linalg.slogdet([[1, 2], [3, 4]]);
* sign; // -1
*/
const slogdet = several("linalg.slogdet", tensor$1);
/**
* The lower triangle L of a symmetric positive definite matrix L·Lᵀ, or the upper one of Uᵀ·U.
* The symmetric part of x is taken; NaN where it is not positive definite.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* linalg.cholesky([[4, 2], [2, 5]]); // [[2,0],[1,2]]
*/
const cholesky = operation("linalg.cholesky", tensor$1, or(flag("the upper"), false));
/**
* A = Q·R with orthonormal columns Q and an upper triangle R: as many columns as the smaller
* side, or all where it is to be complete.
*
* Takes any dtype; gives q f32, r f32. Differentiable; `vmap` batches it.
*
* @example
* const [q, r] = linalg.qr([[3, 0], [4, 5]]);
* q.matmul(r).round(); // [[3,0],[4,5]]
*/
const qr = several("linalg.qr", tensor$1, or(flag("the complete"), false));
/**
* P·A = L·U with rows exchanged for the largest pivots: L below the diagonal (without its
* ones) and U on and above it, in one matrix; the row that each was exchanged with; and the
* rows of A in their new order.
*
* Takes any dtype; gives lu f32, pivots i32, permutation i32. Differentiable; `vmap` batches it.
*
* @example
* const [lu, pivots, permutation] = linalg.lu([[4, 3], [8, 3]]);
* lu; // [[8,3],[0.5,1.5]]
* permutation; // [1,0]
*/
const lu = several("linalg.lu", tensor$1);
/**
* Eigenvalues in ascending order, and eigenvectors as columns, of a symmetric matrix. The
* symmetric part of x is taken, or of "L" and "U" what lies below or above the diagonal.
*
* Takes any dtype; gives values f32, vectors f32. Differentiable; `vmap` batches it.
*
* @example
* const [values, vectors] = linalg.eigh([[2, 0], [0, 1]]);
* values; // [1,2]
*/
const eigh = several("linalg.eigh", tensor$1, half);
/**
* The eigenvalues of a symmetric matrix in ascending order. The symmetric part of x is taken,
* or of "L" and "U" what lies below or above the diagonal.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* linalg.eigvalsh([[2, 1], [1, 2]]).round(); // [1,3]
*/
const eigvalsh = operation("linalg.eigvalsh", tensor$1, half);
/**
* A = U·diag(s)·Vᵀ: left vectors as columns, singular values in descending order, right
* vectors as rows. As many as the smaller side; all where they are to be full, and through
* those beyond flows no gradient.
*
* Takes any dtype; gives u f32, s f32, vt f32. Differentiable; `vmap` batches it.
*
* @example
* const [u, s, vt] = linalg.svd([[3, 0], [0, -4]]);
* s; // [4,3]
*/
const svd = several("linalg.svd", tensor$1, or(flag("the full"), false));
/**
* The singular values of a matrix in descending order.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* linalg.svdvals([[3, 0], [0, -4]]); // [4,3]
*/
const svdvals = operation("linalg.svdvals", tensor$1);
/**
* The pseudo-inverse of a matrix: singular values of at most `rtol` times the largest count as
* 0; 10 ε times the larger side by default.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* linalg.pinv([[2], [0]]); // [[0.5,0]]
*/
const pinv = operation("linalg.pinv", tensor$1, bound("the rtol"));
/**
* The shortest X that makes the squares of A·X − B least, their sums, the rank of A, and its
* singular values. B is a matrix, or a vector. Singular values of at most `rtol` times the
* largest count as 0; ε times the larger side by default. Throws `ShapeError` where they do
* not fit.
*
* Takes any dtype; gives x f32, residuals f32, rank i32, s f32. Differentiable; `vmap` batches it.
*
* @example
* const [x, residuals, rank, s] = linalg.lstsq([[1], [1]], [1, 3]);
* x.round(); // [2]
*/
const lstsq = several("linalg.lstsq", tensor$1, tensor$1, bound("the rtol"));
/**
* How many singular values are above `rtol` times the largest; ε times the larger side unless
* told.
*
* Takes any dtype; gives i32. Without a gradient; `vmap` batches it.
*
* @example
* linalg.matrixRank([[1, 2], [2, 4]]); // 1
*/
const matrixRank = operation("linalg.matrixRank", tensor$1, bound("the rtol"));
/**
* A square matrix multiplied by itself `times` times; its inverse below 0. NaN or infinities
* where it is singular and has to be inverted.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* linalg.matrixPower([[2, 0], [0, 4]], -1); // [[0.5,0],[0,0.25]]
*/
const matrixPower$1 = operation("linalg.matrixPower", tensor$1, whole$1("the times"));
/**
* The exponential of a square matrix.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* linalg.expm([[0, 1], [0, 0]]); // [[1,1],[0,1]]
*/
const expm = operation("linalg.expm", tensor$1);
/**
* The norm of the matrices of the last two axes: `"fro"`, `"nuc"` (the sum of singular
* values), 2 and −2 (the largest and smallest of them), 1 and −1 (of columns the largest and
* smallest sum of magnitudes), ±Infinity (of rows). Frobenius' by default. Throws
* `ValueError` for another.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* linalg.matrixNorm([[1, -2], [3, 4]], 1); // 6
*/
const matrixNorm = operation("linalg.matrixNorm", tensor$1, matrixOrder, options({ keepdims: false }));
/**
* The norm of vectors along axes, of order 2 by default.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* linalg.vectorNorm([3, 4]); // 5
*/
const vectorNorm = operation("linalg.vectorNorm", tensor$1, or(number("the order"), 2), axes, options({ keepdims: false }));
/**
* The norm of all elements, or along axes: with an order of vectors along one axis, of
* matrices along two. Throws `ValueError` for an order that there is not.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* linalg.norm([[1, -2], [3, 4]], Infinity); // 7
*/
const norm$1 = operation("linalg.norm", tensor$1, matrixOrder, axes, options({ keepdims: false }));
/**
* How much a matrix enlarges errors: the quotient of its largest and smallest singular value,
* or for another order its norm times that of its inverse.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* linalg.cond([[1, 0], [0, 4]]); // 4
*/
const cond$1 = operation("linalg.cond", tensor$1, matrixOrder);
/**
* The product of several matrices in the order that takes the fewest multiplications; the
* first and the last may be vectors. Throws `ShapeError` where they do not fit.
*
* Takes f32, i32, u32; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* linalg.multiDot([[1, 2], [[1, 0], [0, 1]], [3, 4]]); // 11
*/
const multiDot = operation("linalg.multiDot", tensors);
/**
* The matrix with constant diagonals, of a first column and a first row, or the column again.
* What stands before the last axis is a batch.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* linalg.toeplitz([1, 2, 3], [1, 8, 9]); // [[1,8,9],[2,1,8],[3,2,1]]
*/
const toeplitz = operation("linalg.toeplitz", tensor$1, maybe);
/**
* Matrices along the diagonal of one, with zeros elsewhere; vectors and numbers are rows.
* Throws `ShapeError` for more axes.
*
* Takes any dtype; gives the promoted dtype. Differentiable; `vmap` batches it.
*
* @example
* linalg.blockDiag([[[1, 2], [3, 4]], [5]]); // [[1,2,0],[3,4,0],[0,0,5]]
*/
const blockDiag = operation("linalg.blockDiag", tensors);
/**
* The x for which `tensordot(a, x, x.ndim)` is b; axes of a that are named stand last first.
* Throws `ShapeError` where that is no square system.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* linalg.tensorsolve(eye(4).reshape([2, 2, 2, 2]), [[1, 2], [3, 4]]); // [[1,2],[3,4]]
*/
const tensorsolve = operation("linalg.tensorsolve", tensor$1, tensor$1, axes);
/**
* The inverse of a tensor as a matrix, whose rows are the first so many axes. Throws
* `ShapeError` where it is not square.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* linalg.tensorinv(eye(6).reshape([2, 3, 6]), 2).shape; // [6,2,3]
*/
const tensorinv = operation("linalg.tensorinv", tensor$1, or(count("the axes"), 2));
// src/linalg/index.ts
var linalg_exports = /* @__PURE__ */ __exportAll({
	blockDiag: () => blockDiag,
	cholesky: () => cholesky,
	cond: () => cond$1,
	cross: () => cross,
	det: () => det,
	diagonal: () => diagonal,
	eigh: () => eigh,
	eigvalsh: () => eigvalsh,
	expm: () => expm,
	inv: () => inv,
	lstsq: () => lstsq,
	lu: () => lu,
	matmul: () => matmul,
	matrixNorm: () => matrixNorm,
	matrixPower: () => matrixPower$1,
	matrixRank: () => matrixRank,
	multiDot: () => multiDot,
	norm: () => norm$1,
	outer: () => outer,
	pinv: () => pinv,
	qr: () => qr,
	slogdet: () => slogdet,
	solve: () => solve,
	svd: () => svd,
	svdvals: () => svdvals,
	tensordot: () => tensordot,
	tensorinv: () => tensorinv,
	tensorsolve: () => tensorsolve,
	toeplitz: () => toeplitz,
	trace: () => trace,
	triangularSolve: () => triangularSolve,
	vecdot: () => vecdot,
	vectorNorm: () => vectorNorm
});
// src/ops/generated/special.ts
/**
* log |Γ(x)|, within 1e-6 of max(1, |log Γ|); ∞ at 0 and the negative whole numbers.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.gammaln([1, 5, 0.5]); // [0,3.1781,0.57236]
*/
const gammaln = operation("special.gammaln", tensor$1);
/**
* Γ(x), within 4e-6 of itself; NaN at the negative whole numbers.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.gamma([1, 5, 0.5]); // [1,24,1.7725]
*/
const gamma$1 = operation("special.gamma", tensor$1);
/**
* The sign of Γ(x): 1 or −1.
*
* Takes any dtype; gives f32. No gradient flows through it; `vmap` batches it.
*
* @example
* special.gammasgn([1, -0.5, -1.5]); // [1,-1,1]
*/
const gammasgn = operation("special.gammasgn", tensor$1);
/**
* ψ(x), the derivative of log Γ, within 1e-6 of max(1, |ψ|) for x above 0; NaN at the negative
* whole numbers.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.digamma([1, 2]); // [-0.57722,0.42278]
*/
const digamma = operation("special.digamma", tensor$1);
/**
* The derivative of order `order` of ψ, within 4e-6 of itself. Of orders above 1 only above 0,
* else NaN; ∞ at poles there.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.polygamma(1, 1); // 1.6449
*/
const polygamma = operation("special.polygamma", count("the order"), tensor$1);
/**
* Hurwitz' zeta function, the sum of (q + k)⁻ˢ over k from 0; with q = 1 that of Riemann. NaN
* for s below 1 and for negative q, but ∞ where q is whole. Within 4e-6 of itself.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.zeta([2, 4]); // [1.6449,1.0823]
*/
const zeta = operation("special.zeta", operand, or(operand, 1));
/**
* log |B(a, b)|, B the beta function, within 2e-6 of max(1, |log B|) for positive a and b.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.betaln(2, 3); // -2.4849
*/
const betaln = operation("special.betaln", operand, operand);
/**
* The beta function, Γ(a)·Γ(b)/Γ(a + b).
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.beta(2, [3, 1]); // [0.083333,0.5]
*/
const beta$1 = operation("special.beta", operand, operand);
/**
* log of the gamma function of matrices of `dimension` rows.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.multigammaln(3, 1); // 0.69315
*/
const multigammaln = operation("special.multigammaln", tensor$1, count("the dimension"));
/**
* P(a, x), the regularised lower incomplete gamma function, within 2e-6 of 1: the share of a
* gamma distribution below x. NaN for a ≤ 0 or x < 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.gammainc(1, [0, 1]); // [0,0.63212]
*/
const gammainc = operation("special.gammainc", operand, operand);
/**
* Q(a, x) = 1 − P(a, x), the regularised upper incomplete gamma function; where it is small
* its digits are its own.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.gammaincc(1, [0, 1]); // [1,0.36788]
*/
const gammaincc = operation("special.gammaincc", operand, operand);
/**
* The regularised incomplete beta function, for a and b up to 1000 within 4e-6 of 1: the share
* of a beta distribution below x. NaN outside 0 to 1.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.betainc(2, 3, [0, 0.5, 1]); // [0,0.6875,1]
*/
const betainc = operation("special.betainc", operand, operand, operand);
/**
* 1 − erf(x), within 1e-6 of itself.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.erfc([0, 1, 5]); // [1,0.1573,1.5375e-12]
*/
const erfc = operation("special.erfc", tensor$1);
/**
* eˣ²·erfc(x), within 1e-6 of itself for x above 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.erfcx([0, 100]); // [1,0.0056416]
*/
const erfcx = operation("special.erfcx", tensor$1);
/**
* The share of a standard normal distribution that lies below x, within 2e-6 of itself.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.ndtr([0, 1, -10]); // [0.5,0.84134,7.6199e-24]
*/
const ndtr = operation("special.ndtr", tensor$1);
/**
* The logarithm of `special.ndtr`, of any x.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.logNdtr([0, -100]); // [-0.69315,-5005.5]
*/
const logNdtr = operation("special.logNdtr", tensor$1);
/**
* The inverse of `special.ndtr`: below what a share p lies. NaN outside 0 to 1.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.ndtri([0.5, 0.975]).round(); // [0,2]
*/
const ndtri = operation("special.ndtri", tensor$1);
/**
* I₀(x), the modified Bessel function of order 0, within 2e-6 of itself.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.i0([0, 1]); // [1,1.2661]
*/
const i0 = operation("special.i0", tensor$1);
/**
* I₀(x) divided by e to the power |x|, within 1e-6 of itself.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.i0e([0, 1]); // [1,0.46576]
*/
const i0e = operation("special.i0e", tensor$1);
/**
* I₁(x), the modified Bessel function of order 1, within 2e-6 of itself.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.i1([0, 1]); // [0,0.56516]
*/
const i1 = operation("special.i1", tensor$1);
/**
* I₁(x) divided by e to the power |x|, within 1e-6 of itself.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.i1e([0, 1]); // [0,0.20791]
*/
const i1e = operation("special.i1e", tensor$1);
/**
* E₁(x), the integral of e⁻ᵗ/t from x to ∞, within 1e-6 of max(1, E₁); NaN below 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.exp1([1, 2]); // [0.21938,0.048901]
*/
const exp1 = operation("special.exp1", tensor$1);
/**
* Ei(x), the integral of eᵗ/t from −∞ to x, within 2e-6 of max(1, |Ei|).
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.expi([1, -1]); // [1.8951,-0.21938]
*/
const expi = operation("special.expi", tensor$1);
/**
* x·log y, 0 where x is 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.xlogy([0, 2], [0, 1]); // [0,0]
*/
const xlogy = operation("special.xlogy", operand, operand);
/**
* x·log(1 + y), 0 where x is 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.xlog1py([0, 1], [-1, 0]); // [0,0]
*/
const xlog1py = operation("special.xlog1py", operand, operand);
/**
* −x·log x, a share of an entropy: 0 at 0, −∞ below.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.entr([0, 0.5, 1]); // [0,0.34657,0]
*/
const entr = operation("special.entr", tensor$1);
/**
* x·log(x/y): 0 where x is 0, ∞ where only y is or either is negative.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.relEntr([0, 1], [1, 0.5]); // [0,0.69315]
*/
const relEntr = operation("special.relEntr", operand, operand);
/**
* x·log(x/y) − x + y, each share of how far one distribution is from another.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.klDiv([0, 1], [1, 1]); // [1,0]
*/
const klDiv = operation("special.klDiv", operand, operand);
/**
* log(p/(1 − p)), the inverse of `sigmoid`; ±∞ at 1 and 0, NaN beyond.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.logit([0.5, 1]); // [0,Infinity]
*/
const logit = operation("special.logit", tensor$1);
/**
* J₀(x), the Bessel function of the first kind, within 1e-6.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.j0([0, 1]); // [1,0.7652]
*/
const j0 = operation("special.j0", tensor$1);
/**
* J₁(x), within 1e-6.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.j1([0, 1]); // [0,0.44005]
*/
const j1 = operation("special.j1", tensor$1);
/**
* The Bessel functions of the first kind, J₀(x) to that of `order`, along a new first axis;
* within 1e-6, and within 1e-5 of themselves where x is below the order. Throws `ValueError`
* for orders above 100.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.besselJn([0, 1], 2); // [[1,0.7652],[0,0.44005],[0,0.1149]]
*/
const besselJn = operation("special.besselJn", tensor$1, count("the order"));
/**
* Eₙ(x), the integral of e⁻ˣᵗ/tⁿ over t above 1, within 4e-6 of itself; NaN below 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.expn(2, [0, 1]); // [1,0.1485]
*/
const expn = operation("special.expn", count("the order"), tensor$1);
/**
* The integral of log t/(1 − t) from 1 to x, within 2e-6 of itself: the dilogarithm of 1 − x.
* NaN below 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.spence([0, 1, 2]); // [1.6449,0,-0.82247]
*/
const spence = operation("special.spence", tensor$1);
/**
* n!, which is Γ(n + 1), within 6e-6 of itself; 0 below 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.factorial([0, 4, 5]); // [1,24,120]
*/
const factorial = operation("special.factorial", tensor$1);
/**
* Γ(x + n)/Γ(x), for whole n the product of n numbers from x on: within 4e-6 of itself times
* what its logarithm exceeds 1. NaN unless x and x + n are above 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.poch(3, [0, 1, 2]); // [1,3,12]
*/
const poch = operation("special.poch", operand, operand);
/**
* How many choices there are of k things of n: within 4e-6 of itself times what its logarithm
* exceeds 1. 0 where k is below 0 or above n.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.comb(5, [0, 2, 6]); // [1,10,0]
*/
const comb = operation("special.comb", operand, operand);
/**
* The function of Box and Cox: (xᵖ − 1)/p, which for p = 0 is log x. NaN below 0.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.boxcox([1, 2], 2); // [0,1.5]
*/
const boxcox = operation("special.boxcox", operand, operand);
/**
* `special.boxcox` of 1 + x, without cancellation.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.boxcox1p([0, 1], 2); // [0,1.5]
*/
const boxcox1p = operation("special.boxcox1p", operand, operand);
/**
* Si(x), the integral of sin(t)/t from 0, and Ci(|x|), that of cos(t)/t from ∞: within 2e-6 of
* max(1, |Ci|).
*
* Takes any dtype; gives si f32, ci f32. Differentiable; `vmap` batches it.
*
* @example
* const [si, ci] = special.sici([1, 2]);
* si; // [0.94608,1.6054]
* ci; // [0.3374,0.42298]
*/
const sici = several("special.sici", tensor$1);
/**
* Fresnel's integrals S(x) and C(x), of sin(πt²/2) and cos(πt²/2) from 0, within 1e-6.
*
* Takes any dtype; gives s f32, c f32. Differentiable; `vmap` batches it.
*
* @example
* const [s, c] = special.fresnel([0, 1]);
* s; // [0,0.43826]
* c; // [0,0.77989]
*/
const fresnel = several("special.fresnel", tensor$1);
// src/special/index.ts
var special_exports = /* @__PURE__ */ __exportAll({
	besselJn: () => besselJn,
	beta: () => beta$1,
	betainc: () => betainc,
	betaln: () => betaln,
	boxcox: () => boxcox,
	boxcox1p: () => boxcox1p,
	comb: () => comb,
	digamma: () => digamma,
	entr: () => entr,
	erf: () => erf,
	erfInv: () => erfInv,
	erfc: () => erfc,
	erfcx: () => erfcx,
	exp1: () => exp1,
	expi: () => expi,
	expit: () => expit,
	expn: () => expn,
	factorial: () => factorial,
	fresnel: () => fresnel,
	gamma: () => gamma$1,
	gammainc: () => gammainc,
	gammaincc: () => gammaincc,
	gammaln: () => gammaln,
	gammasgn: () => gammasgn,
	i0: () => i0,
	i0e: () => i0e,
	i1: () => i1,
	i1e: () => i1e,
	j0: () => j0,
	j1: () => j1,
	klDiv: () => klDiv,
	logNdtr: () => logNdtr,
	logSoftmax: () => logSoftmax,
	logSumExp: () => logSumExp,
	logit: () => logit,
	multigammaln: () => multigammaln,
	ndtr: () => ndtr,
	ndtri: () => ndtri,
	poch: () => poch,
	polygamma: () => polygamma,
	relEntr: () => relEntr,
	sici: () => sici,
	sinc: () => sinc,
	softmax: () => softmax,
	spence: () => spence,
	xlog1py: () => xlog1py,
	xlogy: () => xlogy,
	zeta: () => zeta
});
/**
* 1 / (1 + e⁻ˣ), which is `sigmoid`.
*
* Takes any dtype; gives f32. Differentiable; `vmap` batches it.
*
* @example
* special.expit([0, 100]); // [0.5,1]
*/
const expit = sigmoid;
// src/ops/generated/random.ts
/**
* The standard Gumbel distribution: −log(−log u).
*
* Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.gumbel(random.key(0), [2, 3]).shape; // [2,3]
*/
const gumbel = drawn$2("random.gumbel", extents$1);
/**
* The standard exponential distribution: −log(1 − u).
*
* Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.exponential(random.key(0), [2, 3]).shape; // [2,3]
*/
const exponential = drawn$2("random.exponential", extents$1);
/**
* The standard Laplace distribution.
*
* Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.laplace(random.key(0), [2, 3]).shape; // [2,3]
*/
const laplace = drawn$2("random.laplace", extents$1);
/**
* The standard logistic distribution: log(u/(1 − u)).
*
* Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.logistic(random.key(0), [2, 3]).shape; // [2,3]
*/
const logistic = drawn$2("random.logistic", extents$1);
/**
* The standard Cauchy distribution.
*
* Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.cauchy(random.key(0), [2, 3]).shape; // [2,3]
*/
const cauchy = drawn$2("random.cauchy", extents$1);
/**
* The lengths of three standard normals: Maxwell's distribution.
*
* Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.maxwell(random.key(0), [2, 3]).shape; // [2,3]
*/
const maxwell = drawn$2("random.maxwell", extents$1);
/**
* −1 or 1.
*
* Gives i32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.rademacher(random.key(0), [9]).abs().all(); // true
*/
const rademacher = drawn$2("random.rademacher", extents$1);
/**
* Normal numbers between two bounds, as they come where others are dropped.
*
* Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.truncatedNormal(random.key(0), -2, 2, [100]).abs().less(2).all(); // true
*/
const truncatedNormal = drawn$2("random.truncatedNormal", number("the lower"), number("the upper"), extents$1);
/**
* Positions along an axis, with probabilities in proportion to eˣ of the logits there. The
* shape ends with that of the logits without the axis, which it is by default. Those drawn
* for the same logits are of different positions if `distinct`: without replacement. Throws
* `ShapeError` where the shape does not fit.
*
* Takes any dtype; gives i32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.categorical(random.key(0), [-Infinity, 0, -Infinity]); // 1
* random.categorical(random.key(0), [0, 0], -1, [5]).shape; // [5]
* random.categorical(random.key(0), [0, 0, 0], -1, [3], true).sort(); // [0,1,2]
*/
const categorical = drawn$2("random.categorical", tensor$1, or(axis, -1), outer$1, or(flag("the distinct"), false));
/**
* How many tries it takes until one succeeds, each with a probability. Parameters broadcast to
* the shape, or with each other by default.
*
* Takes any dtype; gives i32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.geometric(random.key(0), 0.5, [100]).shape; // [100]
*/
const geometric = drawn$2("random.geometric", operand, outer$1);
/**
* Pareto's distribution, of numbers above 1. Parameters broadcast to the shape, or with each
* other by default.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.pareto(random.key(0), 3, [100]).shape; // [100]
*/
const pareto = drawn$2("random.pareto", operand, outer$1);
/**
* The lengths of two normals of a scale: Rayleigh's distribution. Parameters broadcast to the
* shape, or with each other by default.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.rayleigh(random.key(0), 2, [100]).shape; // [100]
*/
const rayleigh = drawn$2("random.rayleigh", operand, outer$1);
/**
* What has a normal logarithm, of a standard deviation. Parameters broadcast to the shape, or
* with each other by default.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.lognormal(random.key(0), 0.5, [100]).shape; // [100]
*/
const lognormal = drawn$2("random.lognormal", operand, outer$1);
/**
* Weibull's distribution. Parameters broadcast to the shape, or with each other by default.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.weibull(random.key(0), 1, 2, [100]).shape; // [100]
*/
const weibull = drawn$2("random.weibull", operand, operand, outer$1);
/**
* The triangular distribution from a left end over a mode to a right end. Parameters broadcast
* to the shape, or with each other by default.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.triangular(random.key(0), 0, 1, 3, [100]).shape; // [100]
*/
const triangular = drawn$2("random.triangular", operand, operand, operand, outer$1);
/**
* The gamma distribution of a shape parameter and scale 1. Another stream than JAX's.
* Parameters broadcast to the shape, or with each other by default.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.gamma(random.key(0), 2.5, [100]).shape; // [100]
*/
const gamma = drawn$2("random.gamma", operand, outer$1);
/**
* The beta distribution on [0, 1]. Another stream than JAX's. Parameters broadcast to the
* shape, or with each other by default.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.beta(random.key(0), 2, 3, [100]).shape; // [100]
*/
const beta = drawn$2("random.beta", operand, operand, outer$1);
/**
* The distribution of a sum of squares of so many normals. Another stream than JAX's.
* Parameters broadcast to the shape, or with each other by default.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.chisquare(random.key(0), 4, [100]).shape; // [100]
*/
const chisquare = drawn$2("random.chisquare", operand, outer$1);
/**
* Student's distribution of so many degrees of freedom. Another stream than JAX's. Parameters
* broadcast to the shape, or with each other by default.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.t(random.key(0), 5, [100]).shape; // [100]
*/
const t = drawn$2("random.t", operand, outer$1);
/**
* How many of so many tries succeed, each with a probability, as f32; NaN for what is no
* probability. Of counts up to 10⁵; another stream than JAX's. Parameters broadcast to the
* shape, or with each other by default.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.binomial(random.key(0), 10, 0.5, [100]).lessEqual(10).all(); // true
*/
const binomial = drawn$2("random.binomial", operand, operand, outer$1);
/**
* How many of so many tries end in each of several ways, of probabilities along the last axis
* that add up to 1, as f32. The shape is what comes before them. Another stream than JAX's.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.multinomial(random.key(0), 10, [0.2, 0.3, 0.5]).sum(); // 10
*/
const multinomial = drawn$2("random.multinomial", tensor$1, tensor$1, outer$1);
/**
* The quotient of two means of squares of normals, so many above and so many below. Another
* stream than JAX's. Parameters broadcast to the shape, or with each other by default.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.f(random.key(0), 5, 8, [100]).shape; // [100]
*/
const f = drawn$2("random.f", operand, operand, outer$1);
/**
* Numbers whose density falls with e to the power of −|x|ᵖ. Another stream than JAX's.
* Parameters broadcast to the shape, or with each other by default.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.generalizedNormal(random.key(0), 4, [100]).shape; // [100]
*/
const generalizedNormal = drawn$2("random.generalizedNormal", operand, outer$1);
/**
* Logarithms of numbers of the gamma distribution, of which a small parameter makes numbers
* too small for an f32. Another stream than JAX's. Parameters broadcast to the shape, or with
* each other by default.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.loggamma(random.key(0), 0.01, [100]).isfinite().all(); // true
*/
const loggamma = drawn$2("random.loggamma", operand, outer$1);
/**
* The distribution of Wald, or inverse Gaussian, of a mean and the scale 1. Parameters
* broadcast to the shape, or with each other by default.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.wald(random.key(0), 2, [100]).greater(0).all(); // true
*/
const wald = drawn$2("random.wald", operand, outer$1);
/**
* Shares along the last axis that add up to 1, of parameters along it; the shape is what comes
* before. Another stream than JAX's.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.dirichlet(random.key(0), [1, 2, 3], [5]).shape; // [5,3]
*/
const dirichlet = drawn$2("random.dirichlet", tensor$1, outer$1);
/**
* Normal vectors of a mean and a covariance; the shape is what comes before them.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.multivariateNormal(random.key(0), [0, 1], [[2, 1], [1, 2]], [5]).shape; // [5,2]
*/
const multivariateNormal = drawn$2("random.multivariateNormal", tensor$1, tensor$1, outer$1);
/**
* Points in the ball of so many dimensions and radius 1, uniformly; the shape is what comes
* before them.
*
* Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* linalg.vectorNorm(random.ball(random.key(0), 3, [50]), 2, -1).less(1).all(); // true
*/
const ball = drawn$2("random.ball", count("the dimension"), outer$1);
/**
* Matrices of so many rows that turn or reflect, uniformly; the shape is what comes before
* them.
*
* Gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.orthogonal(random.key(0), 3, [2]).shape; // [2,3,3]
*/
const orthogonal = drawn$2("random.orthogonal", count("the rows"), outer$1);
/**
* Counts of what happens `rate` times on average. Of rates up to 10⁵; the numbers are not
* JAX's. Of the shape of the rates, or of a shape to which they broadcast.
*
* Counts of up to 10 on average are those of arrivals; others are drawn by W. Hörmann's
* transformed rejection (Insurance: Mathematics and Economics 12, 1993).
*
* Takes any dtype; gives i32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.poisson(random.key(0), [1, 50]).shape; // [2]
*/
const poisson = drawn$2("random.poisson", tensor$1, outer$1);
/**
* Numbers of Maxwell's distribution on both sides of `loc`, `scale` times as far.
*
* Takes any dtype; gives f32. Without a gradient; under `vmap` each member draws by a key of its own.
*
* @example
* random.doubleSidedMaxwell(random.key(0), 0, 1, [3]).shape; // [3]
*/
const doubleSidedMaxwell = drawn$2("random.doubleSidedMaxwell", or(operand, 0), or(operand, 1), outer$1);
// src/random/picks.ts
const permuted = register("random.permutation");
const chosen = register("random.choice");
/** The key, or one of the stateful generator. */
function source(call, op, key) {
	if (key === null) return call.own(Tensor.adopt(core().random_bits(0, Uint32Array.of(2))));
	if (typeof key === "number") throw new ValueError(op, `the first argument is a key, or null to draw from the stateful generator: ${op}(null, ${shown(key)})`);
	return call.put(Tensor.of(op, "the key", key).handle);
}
/** What is picked from: a tensor, or the numbers below one. */
function from(call, x) {
	return typeof x === "number" ? call.own(arange(x, { dtype: "i32" })) : call.tensor(x);
}
/**
* The elements of `x` along an axis in random order, or, for a number, those of `arange(x)`. With `null` for a key the stateful generator is drawn from.
*
* Takes u32, then any dtype; gives the same. Differentiable; `vmap` batches it.
*
* @example
* random.permutation(random.key(0), 5).sum(); // 10
*/
function permutation$1(key, x, options = {}) {
	const op = "random.permutation";
	noMore(op, arguments, 3);
	const { axis, independent } = optionsOf(op, options, {
		axis: 0,
		independent: false
	});
	const along = axisOf(op, axis);
	return invoke(permuted, (call) => from(source(call, op, key), x).put(along, Number(flagOf(op, "independent", independent))));
}
/**
* Elements of `x` along an axis, or, for a number, of `arange(x)`, picked at random into `shape`, which takes the axis's place. With `null` for a key the
* stateful generator is drawn from. Throws `ValueError` where more are picked than there are without replacement.
*
* Takes u32, then any dtype, then f32; gives the same. Differentiable; `vmap` batches it.
*
* @example
* random.choice(random.key(0), ["heads", "tails"].length, [4]).less(2).all(); // true
*/
function choice(key, x, shape = [], options = {}) {
	const op = "random.choice";
	noMore(op, arguments, 4);
	const given = optionsOf(op, options, {
		replace: true,
		p: void 0,
		axis: 0
	});
	const along = axisOf(op, given.axis);
	const once = Number(!flagOf(op, "replace", given.replace));
	const extents = extentsOf(op, shape);
	return invoke(chosen, (call) => {
		from(source(call, op, key), x).list(extents).put(once);
		if (given.p === void 0 || given.p === null) call.put(0);
		else call.put(1).tensor(given.p);
		call.put(along);
	});
}
// src/random/index.ts
var random_exports = /* @__PURE__ */ __exportAll({
	ball: () => ball,
	bernoulli: () => bernoulli,
	beta: () => beta,
	binomial: () => binomial,
	bits: () => bits,
	categorical: () => categorical,
	cauchy: () => cauchy,
	chisquare: () => chisquare,
	choice: () => choice,
	dirichlet: () => dirichlet,
	doubleSidedMaxwell: () => doubleSidedMaxwell,
	exponential: () => exponential,
	f: () => f,
	foldIn: () => foldIn,
	gamma: () => gamma,
	generalizedNormal: () => generalizedNormal,
	geometric: () => geometric,
	gumbel: () => gumbel,
	key: () => key,
	laplace: () => laplace,
	loggamma: () => loggamma,
	logistic: () => logistic,
	lognormal: () => lognormal,
	maxwell: () => maxwell,
	multinomial: () => multinomial,
	multivariateNormal: () => multivariateNormal,
	normal: () => normal,
	orthogonal: () => orthogonal,
	pareto: () => pareto,
	permutation: () => permutation$1,
	poisson: () => poisson,
	rademacher: () => rademacher,
	randint: () => randint,
	rayleigh: () => rayleigh,
	restore: () => restore,
	seed: () => seed,
	split: () => split$1,
	state: () => state,
	t: () => t,
	triangular: () => triangular,
	truncatedNormal: () => truncatedNormal,
	uniform: () => uniform,
	wald: () => wald,
	weibull: () => weibull
});
// src/data/elements.ts
/** A kind whose bits are those of a typed array. */
function same(bytes, array, unsigned = false) {
	return {
		bytes,
		unsigned,
		convert: (bits) => new array(bits.buffer, bits.byteOffset, bits.length)
	};
}
/** A kind whose elements are made of their bits, one by one. */
function each$1(bytes, value) {
	return {
		bytes,
		convert: (bits) => mapped$1(new Float32Array(bits.length), bits, value)
	};
}
/** A kind of 64-bit integers, of which those are read that fit into 32. */
function wide(signed) {
	const convert = (bits, count, refuse) => {
		const halves = new Int32Array(bits.buffer, bits.byteOffset, 2 * count);
		const values = signed ? new Int32Array(count) : new Uint32Array(count);
		for (let n = 0; n < count; n++) {
			const low = halves[2 * n];
			if (halves[2 * n + 1] !== (signed ? low >> 31 : 0)) {
				const whole = BigInt[signed ? "asIntN" : "asUintN"](64, bits[n]);
				refuse(`element ${n} is ${whole}, which does not fit into 32 bits; \`bits\` has all 64`);
			}
			values[n] = low;
		}
		return values;
	};
	return {
		bytes: 8,
		unsigned: !signed,
		convert
	};
}
/** Floats of a byte or less: a sign, an exponent with a bias, and a mantissa. `isNaN` says which magnitudes are none; where only the sign of 0 is none, that is NaN. */
function small(width, mantissa, bias, isNaN) {
	return (bits) => {
		if (isNaN(bits)) return NaN;
		const exponent = (bits & 2 ** (width - 1) - 1) >> mantissa;
		const fraction = (bits & 2 ** mantissa - 1) / 2 ** mantissa;
		const magnitude = exponent === 0 ? fraction * 2 ** (1 - bias) : (1 + fraction) * 2 ** (exponent - bias);
		return bits >> width - 1 ? -magnitude : magnitude;
	};
}
const word = /* @__PURE__ */ new DataView(/* @__PURE__ */ new ArrayBuffer(4));
/** The value of the bits of a bfloat16: the upper half of a float's. */
function brain(bits) {
	word.setUint32(0, bits * 65536);
	return word.getFloat32(0);
}
const nibble = small(4, 1, 1, () => false);
const kinds = {
	bool: {
		bytes: 1,
		convert: (bits) => mapped$1(new Uint8Array(bits.length), bits, (byte) => Number(byte !== 0))
	},
	u8: same(1, Uint8Array),
	i8: same(1, Int8Array),
	u16: same(2, Uint16Array),
	i16: same(2, Int16Array),
	u32: same(4, Uint32Array, true),
	i32: same(4, Int32Array),
	u64: wide(false),
	i64: wide(true),
	f16: each$1(2, halfOfBits),
	bf16: each$1(2, brain),
	f32: same(4, Float32Array),
	f64: same(8, Float64Array),
	f8_e4m3: each$1(1, small(8, 3, 7, (bits) => (bits & 127) === 127)),
	f8_e5m2: each$1(1, (bits) => halfOfBits(bits << 8)),
	f8_e4m3fnuz: each$1(1, small(8, 3, 8, (bits) => bits === 128)),
	f8_e5m2fnuz: each$1(1, small(8, 2, 16, (bits) => bits === 128)),
	f8_e8m0: each$1(1, (bits) => bits === 255 ? NaN : 2 ** (bits - 127)),
	f4: {
		bytes: .5,
		convert: (bits, count) => {
			const values = new Float32Array(count);
			for (let n = 0; n < count; n++) values[n] = nibble(Number(bits[n >> 1]) >> 4 * (n & 1) & 15);
			return values;
		}
	}
};
/** Whether there is a type of elements of this name. */
function isKind(dtype) {
	return Object.hasOwn(kinds, dtype);
}
/** The type of elements of this name, which there is. */
function kindOf(dtype) {
	return kinds[dtype];
}
/** The bits of the elements that fill `bytes`: copied, unless they are the caller's `own` and can be used where they are. */
function bitsOf(dtype, bytes, { little = true, own = false } = {}) {
	const width = Math.ceil(kindOf(dtype).bytes);
	const mine = own && little && bytes.byteOffset % width === 0 ? bytes : bytes.slice();
	for (let at = 0; !little && at < mine.length; at += width) for (let n = 0; n < width >> 1; n++) [mine[at + n], mine[at + width - 1 - n]] = [mine[at + width - 1 - n], mine[at + n]];
	return new (width === 1 ? Uint8Array : width === 2 ? Uint16Array : width === 4 ? Uint32Array : BigUint64Array)(mine.buffer, mine.byteOffset, mine.length / width);
}
// src/data/array.ts
/** An array of a file. `op` and `where` begin the errors of its elements. */
function arrayFile(op, where, shape, dtype, bits) {
	const { unsigned, convert } = kindOf(dtype);
	const usual = /f/.test(dtype) ? "f32" : dtype === "bool" ? dtype : unsigned ? "u32" : "i32";
	const own = dtypes.includes(dtype) ? dtype : usual;
	let read;
	const data = () => read ??= convert(bits(), shape.reduce((size, extent) => size * extent, 1), (what) => {
		throw new FormatError(op, where + what);
	});
	return {
		shape,
		dtype,
		get data() {
			return data();
		},
		get bits() {
			return bits();
		},
		tensor(options) {
			noMore("tensor", arguments, 1);
			const asked = optionsOf("tensor", options, { dtype: usual }).dtype;
			return tensor(data(), {
				shape,
				dtype: asked === "file" ? own : asked
			});
		}
	};
}
/** An array that is opened, once, when something of it is asked for; what `open` throws, that throws. */
function lazyFile(open) {
	let opened;
	let failure;
	const file = () => {
		if (failure) throw failure;
		try {
			return opened ??= open();
		} catch (error) {
			if (error instanceof FormatError) failure = error;
			throw error;
		}
	};
	return {
		get shape() {
			return file().shape;
		},
		get dtype() {
			return file().dtype;
		},
		get data() {
			return file().data;
		},
		get bits() {
			return file().bits;
		},
		tensor: (options) => file().tensor(options)
	};
}
/** The bytes of a file. Throws `FormatError` for anything else, and for none. */
function bytesOf(op, bytes) {
	const isView = ArrayBuffer.isView(bytes);
	if (!isView && !isBuffer(bytes)) throw new FormatError(op, `takes the bytes of a file, got ${shown(bytes)}`);
	if (bytes.byteLength === 0) throw new FormatError(op, "there are no bytes");
	return isView ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);
}
function isBuffer(value) {
	return holds(() => value instanceof ArrayBuffer);
}
/** How many bytes a file may take when it is unpacked. */
function mostBytes(op, file, options) {
	return optionsOf(op, options, { maxBytes: Math.max(512 * 2 ** 20, 4 * file.length) }).maxBytes;
}
// src/data/idx.ts
const names = {
	Uint8Array: "u8",
	Int8Array: "i8",
	Int16Array: "i16",
	Int32Array: "i32",
	Float32Array: "f32",
	Float64Array: "f64"
};
/**
* Reads an IDX file, gzipped or not, in one member of gzip or several. Throws `FormatError` when it is corrupt, cut short, or something else, and where it would
* take more than `maxBytes` unpacked.
*
* @example
* const file = data.idx(Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 2, 7, 9));
* file.shape; // [2]
* file.tensor({ dtype: "f32" }).div(10); // [0.7,0.9]
*/
function idx(bytes, options = {}) {
	noMore("idx", arguments, 2);
	const file = bytesOf("idx", bytes);
	const [shape, data] = wholeCore("idx").read_idx(file, mostBytes("idx", file, options));
	const dtype = names[data.constructor.name] ?? "";
	return arrayFile("idx", "", shape, dtype, () => bitsOf(dtype, new Uint8Array(data.buffer, data.byteOffset, data.byteLength), { own: true }));
}
// src/data/safetensors.ts
/** The format's names of types that are read: those of elements in capitals. */
const types$1 = "BOOL U8 I8 U16 I16 U32 I32 U64 I64 F16 BF16 F32 F64 F8_E4M3 F8_E5M2 F8_E4M3FNUZ F8_E5M2FNUZ F8_E8M0 F4".split(" ");
/** Bits of an element of those types that are not. */
const unread = {
	C64: 64,
	F6_E2M3: 6,
	F6_E3M2: 6
};
/** What a header may take: more is an attack, not a model. */
const MOST_HEADER = 1e8;
/**
* Reads a safetensors file. Elements are converted when they are asked for. Throws `FormatError` where Hugging Face's own reader refuses the file: when it is
* corrupt, cut short, or something else; where tensors overlap, or bytes are left between them or at the end; and where two have one name.
*
* @example
* const bytes = await data.toSafetensors({ weight: tensor([1, 2]) });
* data.safetensors(bytes).tensors["weight"]?.tensor(); // [1,2]
*/
function safetensors(bytes) {
	const op = "safetensors";
	noMore(op, arguments, 1);
	const file = bytesOf(op, bytes);
	const refuse = (what) => {
		throw new FormatError(op, what);
	};
	if (file.length < 8) refuse("the file is too short");
	const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
	const length = view.getUint32(0, true) + view.getUint32(4, true) * 2 ** 32;
	if (length > MOST_HEADER || 8 + length > file.length) refuse(`the header is said to take ${length} bytes of ${file.length}`);
	let header;
	try {
		const text = new TextDecoder("utf-8", {
			fatal: true,
			ignoreBOM: true
		}).decode(file.subarray(8, 8 + length));
		refuseDoubled(text, refuse);
		header = JSON.parse(text);
	} catch (error) {
		if (error instanceof FormatError) throw error;
		refuse("the header is not JSON");
	}
	if (typeof header !== "object" || header === null || isArray$1(header)) return refuse("the header is not an object");
	const { __metadata__: metadata, ...named } = header;
	if (metadata !== void 0 && metadata !== null && !isRecordOfText(metadata)) refuse("the metadata is not an object of texts");
	const body = file.subarray(8 + length);
	const entries = Object.entries(named).map(([name, value]) => entry(op, name, value, body));
	let end = 0;
	for (const { name, from, to } of [...entries].sort((a, b) => a.from - b.from || a.to - b.to)) {
		if (from !== end) refuse(`${quoted(name)}: it begins at byte ${from}, and the tensors before it end at ${end}`);
		end = to;
	}
	if (end !== body.length) refuse(`the tensors end at byte ${end} of ${body.length}`);
	return {
		tensors: Object.fromEntries(entries.map(({ name, file }) => [name, file])),
		metadata: { ...metadata }
	};
}
function quoted(name) {
	return JSON.stringify(name.slice(0, 100));
}
/** How deep a header may be nested; Hugging Face's reader goes as far. */
const DEEPEST = 128;
/** Throws where the header has a tensor, or something of one, twice, of which `JSON.parse` keeps the last; and where it is nested deep. */
function refuseDoubled(text, refuse) {
	const open = [];
	for (let at = 0; at < text.length; at++) {
		const letter = text[at];
		if (letter === "{" || letter === "[") {
			if (open.push(void 0) > DEEPEST) refuse("the header is nested too deep");
		} else if (letter === "}" || letter === "]") open.pop();
		else if (letter === "\"") {
			const start = at;
			for (let slashes = 1; slashes % 2 === 1;) {
				at = text.indexOf("\"", at + 1);
				if (at < 0) refuse("the header is not JSON");
				for (slashes = 0; text[at - 1 - slashes] === "\\";) slashes++;
			}
			let next = at + 1;
			while (" 	\r\n".includes(text[next] ?? "-")) next++;
			if (text[next] !== ":" || open.length === 0 || open.length > 2) continue;
			const name = JSON.parse(text.slice(start, at + 1));
			if (open.length === 2 && ![
				"dtype",
				"shape",
				"data_offsets"
			].includes(name)) continue;
			const names = open[open.length - 1] ??= /* @__PURE__ */ new Set();
			if (names.has(name)) refuse(`${quoted(name)} is in the header twice`);
			names.add(name);
		}
	}
}
function entry(op, name, value, body) {
	const refuse = (what) => {
		throw new FormatError(op, `${quoted(name)}: ${what}`);
	};
	const { dtype, shape, data_offsets: offsets } = value ?? {};
	if (typeof dtype !== "string" || !(types$1.includes(dtype) || Object.hasOwn(unread, dtype))) return refuse(`there is no type ${shown(dtype)}`);
	const whole = (n) => typeof n === "number" && Number.isSafeInteger(n) && n >= 0;
	if (!isArray$1(shape) || !shape.every(whole)) return refuse("the shape is not a list of extents");
	if (!isArray$1(offsets) || offsets.length !== 2 || !offsets.every(whole)) return refuse("the offsets are not two positions");
	const [from, to] = offsets;
	let count = 1;
	for (const extent of shape) if ((count *= extent) > Number.MAX_SAFE_INTEGER) refuse(`[${shape.join(",")}] are more elements than can be counted`);
	const type = dtype.toLowerCase();
	const bytes = count * (unread[dtype] ?? 8 * kindOf(type).bytes) / 8;
	if (from > to || to > body.length || to - from !== bytes) refuse(`${count} elements of ${dtype} cannot lie from ${from} to ${to} of ${body.length} bytes`);
	if (!isKind(type)) return {
		name,
		from,
		to,
		file: lazyFile(() => refuse(`tensors have no elements of type ${dtype}`))
	};
	return {
		name,
		from,
		to,
		file: arrayFile(op, `${quoted(name)}: `, shape, type, () => bitsOf(type, body.subarray(from, to)))
	};
}
/**
* Writes tensors by their names as a safetensors file, read from the device. `metadata` goes with them. Throws `ValueError` for what is no tensor.
*
* @example
* const model = new nn.Linear(2, 1);
* const bytes = await data.toSafetensors(model.stateDict());
* new nn.Linear(2, 1).loadStateDict(data.safetensors(bytes).tensors);
*/
async function toSafetensors(tensors, options = {}) {
	const op = "toSafetensors";
	noMore(op, arguments, 2);
	const { metadata } = optionsOf(op, options, { metadata: {} });
	if (!isRecordOfText(metadata)) throw new ValueError(op, `the metadata is an object of texts, got ${shown(metadata)}`);
	const named = namedTensors(op, tensors);
	const codes = {
		f32: "F32",
		i32: "I32",
		u32: "U32",
		bool: "BOOL",
		f16: "F16",
		i8: "I8",
		u8: "U8"
	};
	const order = [...named].sort(([, a], [, b]) => bytesPerElement(b.dtype) - bytesPerElement(a.dtype));
	const parts = await Promise.all(order.map(async ([name, tensor]) => ({
		name,
		tensor,
		bytes: bytesOfData(await tensor.data(), tensor.dtype)
	})));
	const header = Object.keys(metadata).length > 0 ? { __metadata__: metadata } : {};
	let end = 0;
	for (const { name, tensor, bytes } of parts) header[name] = {
		dtype: codes[tensor.dtype],
		shape: tensor.shape,
		data_offsets: [end, end += bytes.length]
	};
	const text = new TextEncoder().encode(JSON.stringify(header));
	const length = Math.ceil(text.length / 8) * 8;
	const file = new Uint8Array(8 + length + end).fill(32, 8, 8 + length);
	new DataView(file.buffer).setUint32(0, length, true);
	file.set(text, 8);
	let at = 8 + length;
	for (const { bytes } of parts) {
		file.set(bytes, at);
		at += bytes.length;
	}
	return file;
}
/** Tensors by their names, checked. */
function namedTensors(op, tensors) {
	if (!isNode(tensors) || isArray$1(tensors)) throw new ValueError(op, `takes an object of tensors by their names, got ${shown(tensors)}`);
	return Object.entries(tensors).map(([name, value]) => {
		if (name === "__metadata__") throw new ValueError(op, "a tensor cannot be named __metadata__");
		return [name, Tensor.of(op, name, value)];
	});
}
function isRecordOfText(value) {
	return typeof value === "object" && value !== null && !isArray$1(value) && holds(() => Object.values(value).every((text) => typeof text === "string"));
}
// src/data/crc.ts
let tables;
/** What each byte adds to the checksum, with none to seven bytes behind it. */
function made() {
	const table = /* @__PURE__ */ new Int32Array(2048);
	for (let n = 0; n < 2048; n++) {
		let sum = n < 256 ? n : table[n - 256];
		if (n >= 256) sum = sum >>> 8 ^ table[sum & 255];
		else for (let bit = 0; bit < 8; bit++) sum = sum >>> 1 ^ (sum & 1 ? 3988292384 : 0);
		table[n] = sum;
	}
	return table;
}
/** The checksum of these bytes. */
function crc32(bytes) {
	const t = tables ??= made();
	const at = (n) => bytes[n];
	let sum = -1;
	let n = 0;
	for (; n + 8 <= bytes.length; n += 8) {
		sum ^= at(n) | at(n + 1) << 8 | at(n + 2) << 16 | at(n + 3) << 24;
		sum = t[1792 + (sum & 255)] ^ t[1536 + (sum >>> 8 & 255)] ^ t[1280 + (sum >>> 16 & 255)] ^ t[1024 + (sum >>> 24)] ^ t[768 + at(n + 4)] ^ t[512 + at(n + 5)] ^ t[256 + at(n + 6)] ^ t[at(n + 7)];
	}
	for (; n < bytes.length; n++) sum = sum >>> 8 ^ t[(sum ^ at(n)) & 255];
	return ~sum >>> 0;
}
// src/data/zip.ts
/** Signatures of the records (PKWARE's APPNOTE, 4.3). The end of the list is searched from the end of the file, before a comment. */
const END = 101010256;
const END64 = 101075792;
const LOCATOR64 = 117853008;
const ENTRY = 33639248;
const LOCAL = 67324752;
/** In the place of a number that needs more than 32 bits, which is in the extra field then. */
const BEYOND = 4294967295;
/** Deflate packs at most 1032 bytes into one. */
const RATIO = 1032;
/** The files in a zip, of which together `most` bytes may be unpacked. Throws `FormatError` where the list of them is corrupt. */
function entriesOf(op, bytes, most) {
	const refuse = (what) => {
		throw new FormatError(op, what);
	};
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	const wide = (at) => Number(view.getBigUint64(at, true));
	let end = bytes.length - 22;
	while (end >= 0 && end > bytes.length - 22 - 65536 && view.getUint32(end, true) !== END) end--;
	if (end < 0 || view.getUint32(end, true) !== END) refuse("this is no zip");
	let [count, size, offset] = [
		view.getUint16(end + 10, true),
		view.getUint32(end + 12, true),
		view.getUint32(end + 16, true)
	];
	const locator = end - 20;
	if (locator >= 0 && view.getUint32(locator, true) === LOCATOR64) {
		const at = [wide(locator + 8), locator - 56].find((at) => at + 56 <= locator && at >= 0 && view.getUint32(at, true) === END64) ?? refuse("the end of the list of files is not where it should be");
		[count, size, offset, end] = [
			wide(at + 32),
			wide(at + 40),
			wide(at + 48),
			at
		];
	}
	const before = end - size - offset;
	if (before < 0) refuse("the list of files is cut short");
	const used = { bytes: 0 };
	const decoder = new TextDecoder();
	const entries = [];
	for (let at = end - size; at < end;) {
		if (at + 46 > end || view.getUint32(at, true) !== ENTRY) refuse("the list of files is cut short");
		const [flags, method] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true)];
		const sum = view.getUint32(at + 16, true);
		let [packed, size, local] = [
			view.getUint32(at + 20, true),
			view.getUint32(at + 24, true),
			view.getUint32(at + 42, true)
		];
		const [nameLength, extraLength, commentLength] = [
			view.getUint16(at + 28, true),
			view.getUint16(at + 30, true),
			view.getUint16(at + 32, true)
		];
		const name = decoder.decode(bytes.subarray(at + 46, at + 46 + nameLength));
		let extra = at + 46 + nameLength;
		const extraEnd = Math.min(extra + extraLength, end);
		while (extra + 4 <= extraEnd) {
			const length = view.getUint16(extra + 2, true);
			if (view.getUint16(extra, true) === 1 && extra + 4 + length <= extraEnd) {
				let next = extra + 4;
				const widened = (value) => value === BEYOND && next + 8 <= extra + 4 + length ? wide((next += 8) - 8) : value;
				size = widened(size);
				packed = widened(packed);
				local = widened(local);
			}
			extra += 4 + length;
		}
		at += 46 + nameLength + extraLength + commentLength;
		entries.push({
			name,
			size,
			deflated: method === 8,
			read: () => unpacked({
				op,
				bytes,
				view,
				name,
				flags,
				method,
				sum,
				packed,
				size,
				local: local + before,
				most,
				used
			})
		});
	}
	if (entries.length !== count && entries.length % 65536 !== count) refuse(`the list has ${entries.length} files, and ${count} are announced`);
	return entries;
}
function unpacked({ op, bytes, view, name, flags, method, sum, packed, size, local, most, used }) {
	const refuse = (what) => {
		throw new FormatError(op, `${name}: ${what}`);
	};
	if (flags & 1) refuse("it is encrypted");
	if (method !== 0 && method !== 8) refuse(`it is packed by method ${method}; stored and deflated files are read`);
	if (local + 30 > bytes.length || view.getUint32(local, true) !== LOCAL) refuse("it is not where it should be");
	const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
	if (from + packed > bytes.length) refuse("it is cut short");
	if (method === 0 ? size !== packed : size / RATIO > packed) refuse(`${packed} bytes cannot hold the ${size} announced`);
	if (used.bytes + size > most) {
		const total = used.bytes + size;
		refuse(`unpacked it has ${size} bytes, and what is unpacked of this file ${total}, more than ${most}: if you trust it, give { maxBytes: ${total} }`);
	}
	used.bytes += size;
	const content = bytes.subarray(from, from + packed);
	const file = method === 0 ? content : inflated(op, name, content, size);
	const found = crc32(file);
	if (found !== sum) refuse(`its checksum is ${found.toString(16)}, not ${sum.toString(16)}: it is corrupt`);
	return file;
}
function inflated(op, name, packed, size) {
	const refuse = (what) => {
		throw new FormatError(op, `${name}: ${what}`);
	};
	const core = wholeCore(op);
	let file;
	try {
		file = new Uint8Array(size);
	} catch {
		throw new OutOfMemoryError(op, `${name}: there is no memory left for its ${size} bytes`);
	}
	const written = core.inflate_raw(packed, file);
	if (Number.isNaN(written)) refuse("it cannot be unpacked: it is corrupt");
	if (written !== size) refuse(`it has ${written < size ? written : "more"} bytes, not ${size}`);
	return file;
}
/** The pieces of a zip of files, stored, as they come. */
async function* zipped(files) {
	const list = [];
	let at = 0;
	for await (const [name, file] of files) {
		const text = new TextEncoder().encode(name);
		const [sum, size] = [crc32(file), file.length];
		const common = [
			[2, 2048],
			[2, 0],
			[2, 0],
			[2, 33],
			[4, sum],
			[4, Math.min(size, BEYOND)],
			[4, Math.min(size, BEYOND)],
			[2, text.length]
		];
		const inLocal = extra(size >= BEYOND ? [size, size] : []);
		const local = record([
			[4, LOCAL],
			[2, 45],
			...common,
			[2, inLocal.length]
		], text, inLocal);
		const inList = extra([...size >= BEYOND ? [size, size] : [], ...at >= BEYOND ? [at] : []]);
		list.push(record([
			[4, ENTRY],
			[2, 45],
			[2, 45],
			...common,
			[2, inList.length],
			[2, 0],
			[2, 0],
			[2, 0],
			[4, 0],
			[4, Math.min(at, BEYOND)]
		], text, inList));
		yield local;
		yield file;
		at += local.length + size;
	}
	yield* list;
	const [count, size] = [list.length, list.reduce((sum, part) => sum + part.length, 0)];
	if (count >= 65535 || at >= BEYOND || size >= BEYOND) yield record([
		[4, END64],
		[8, 44],
		[2, 45],
		[2, 45],
		[4, 0],
		[4, 0],
		[8, count],
		[8, count],
		[8, size],
		[8, at],
		[4, LOCATOR64],
		[4, 0],
		[8, at + size],
		[4, 1]
	]);
	const short = Math.min(count, 65535);
	yield record([
		[4, END],
		[2, 0],
		[2, 0],
		[2, short],
		[2, short],
		[4, Math.min(size, BEYOND)],
		[4, Math.min(at, BEYOND)],
		[2, 0]
	]);
}
/** The field of numbers of 64 bits, where there are any. */
function extra(numbers) {
	return numbers.length === 0 ? /* @__PURE__ */ new Uint8Array() : record([
		[2, 1],
		[2, 8 * numbers.length],
		...numbers.map((value) => [8, value])
	]);
}
/** Numbers of two, four or eight bytes, then texts. */
function record(fields, ...texts) {
	const bytes = new Uint8Array(fields.reduce((sum, [length]) => sum + length, 0) + texts.reduce((sum, text) => sum + text.length, 0));
	const view = new DataView(bytes.buffer);
	let at = 0;
	for (const [length, value] of fields) {
		if (length === 2) view.setUint16(at, value, true);
		else if (length === 4) view.setUint32(at, value, true);
		else view.setBigUint64(at, BigInt(value), true);
		at += length;
	}
	for (const text of texts) {
		bytes.set(text, at);
		at += text.length;
	}
	return bytes;
}
// src/data/npy.ts
/** The type that NumPy's letter and width name. */
const types = {
	b1: "bool",
	u1: "u8",
	i1: "i8",
	u2: "u16",
	i2: "i16",
	u4: "u32",
	i4: "i32",
	u8: "u64",
	i8: "i64",
	f2: "f16",
	f4: "f32",
	f8: "f64",
	"?": "bool"
};
/** What NumPy's letters mean of which there are no tensors. */
const others = {
	c: "complex numbers",
	S: "texts",
	a: "texts",
	U: "texts",
	O: "Python objects",
	M: "dates",
	m: "durations",
	V: "records, or of a type that NumPy does not know",
	f: "long doubles",
	g: "long doubles"
};
const MAGIC = "NUMPY";
/**
* Reads a .npy file as any NumPy wrote it: an array in either order of axes and of bytes. Throws `FormatError` when it is corrupt, cut short, or something else,
* and for arrays of complex numbers, texts, dates, records or objects.
*
* @example
* data.npy(await data.toNpy(tensor([[1, 2], [3, 4]]))).tensor(); // [[1,2],[3,4]]
*/
function npy(bytes) {
	noMore("npy", arguments, 1);
	return read$2("npy", "", bytesOf("npy", bytes));
}
/** An array. Errors begin with `where`. `own` are bytes that nobody else has. */
function read$2(op, where, file, own = false) {
	const refuse = (what) => {
		throw new FormatError(op, where + what);
	};
	const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
	if (file.length < 12 || String.fromCharCode(...file.subarray(0, 6)) !== MAGIC) refuse("this is no .npy file");
	const major = view.getUint8(6);
	if (major < 1 || major > 3) refuse(`there is no version ${major} of the format`);
	const start = major === 1 ? 10 : 12;
	const length = major === 1 ? view.getUint16(8, true) : view.getUint32(8, true);
	if (start + length > file.length) refuse("the header is cut short");
	const { descr, fortran, shape } = headerOf(new TextDecoder(major === 3 ? "utf-8" : "latin1").decode(file.subarray(start, start + length)), refuse);
	const [, order = "", kind = ""] = /^([<>|=]?)(.*)$/s.exec(descr) ?? [];
	const type = Object.hasOwn(types, kind) && types[kind] || refuse(`tensors have no elements of type ${shown(descr)}${others[kind[0] ?? ""] ? `: these are ${others[kind[0]]}` : ""}`);
	const count = shape.reduce((size, extent) => size * extent, 1);
	const size = count * kindOf(type).bytes;
	if (!Number.isSafeInteger(size) || start + length + size > file.length) refuse(`the file ends before its ${count} elements`);
	const body = file.subarray(start + length, start + length + size);
	return arrayFile(op, where, shape, type, () => {
		const bits = bitsOf(type, body, {
			little: order !== ">",
			own
		});
		return fortran && shape.length > 1 ? rowMajor(bits, shape) : bits;
	});
}
/** An item of the header, which Python evaluates: quotes are of either kind, and Python 2 wrote `(3L, 4L)`. Other types are a list. */
const ITEM = /\s*(?:(["'])descr\1\s*:\s*(?:(["'])([^"'\\]*)\2|(\[.*\]))|(["'])fortran_order\5\s*:\s*(True|False)|(["'])shape\7\s*:\s*\(([\dL,\s]*)\))\s*(,|$)/sy;
function headerOf(text, refuse) {
	const inside = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1] ?? refuse(`the header is no dictionary: ${shown(text)}`);
	let descr;
	let fortran;
	let shape;
	const trimmed = inside.trimEnd();
	ITEM.lastIndex = 0;
	while (ITEM.lastIndex < trimmed.length) {
		const [, , , name, list, , order, , extents] = ITEM.exec(trimmed) ?? refuse(`the header cannot be read: ${shown(trimmed)}`);
		if (list !== void 0) refuse(`tensors have no elements of several fields: ${shown(list)}`);
		descr = name ?? descr;
		fortran = order === void 0 ? fortran : order === "True";
		if (extents === void 0) continue;
		shape = (/^\s*(?:\d+L?\s*,\s*)*(?:\d+L?\s*)?$/.test(extents) && (extents.trim() === "" || extents.includes(",")) ? extents.split(",") : refuse(`the shape is no list of extents: (${extents})`)).flatMap((extent) => extent.trim() === "" ? [] : [Number(extent.replace("L", ""))]);
	}
	if (descr === void 0 || fortran === void 0 || shape === void 0) return refuse(`the header does not tell type, order and shape: ${shown(text)}`);
	return {
		descr,
		fortran,
		shape
	};
}
/** Elements whose first axis changes fastest, with the last changing fastest. */
function rowMajor(bits, shape) {
	const result = bits.slice();
	const place = shape.map(() => 0);
	const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((size, extent) => size * extent, 1));
	for (let n = 0, from = 0; n < bits.length; n++) {
		result[n] = bits[from];
		for (let axis = shape.length - 1; axis >= 0; axis--) {
			place[axis] = place[axis] + 1;
			from += strides[axis];
			if (place[axis] < shape[axis]) break;
			from -= strides[axis] * shape[axis];
			place[axis] = 0;
		}
	}
	return result;
}
/**
* Writes a tensor, read from the device, as a .npy file.
*
* @example
* const bytes = await data.toNpy(arange(3));
* data.npy(bytes).dtype; // "i32"
*/
async function toNpy(x) {
	noMore("toNpy", arguments, 1);
	const { shape, dtype } = Tensor.of("toNpy", "what is written", x);
	const codes = {
		f32: "<f4",
		i32: "<i4",
		u32: "<u4",
		bool: "|b1",
		f16: "<f2",
		i8: "|i1",
		u8: "|u1"
	};
	const extents = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
	const header = `{'descr': '${codes[dtype]}', 'fortran_order': False, 'shape': (${extents}), }`;
	const length = Math.ceil((10 + header.length + 1) / 64) * 64 - 10;
	const values = bytesOfData(await x.data(), dtype);
	const file = new Uint8Array(10 + length + values.length).fill(32, 10, 10 + length);
	file.set(Array.from(MAGIC, (letter) => letter.charCodeAt(0)));
	file.set([
		1,
		0,
		length & 255,
		length >> 8
	], 6);
	file.set(new TextEncoder().encode(header), 10);
	file[9 + length] = 10;
	file.set(values, 10 + length);
	return file;
}
/**
* Reads a .npz file: arrays by their names. Each is unpacked, and its checksum compared, when something of it is asked for, so that one which cannot be read
* is in nobody's way: its `FormatError` names it and says why. Where the arrays asked for would take more than `maxBytes`, that is such an error too, before they
* take it. Throws `FormatError` when the list of the files is corrupt.
*
* @example
* const bytes = await data.toNpz({ x: tensor([1, 2]), y: tensor(3) });
* const { x } = await data.npz(bytes);
* x?.tensor(); // [1,2]
*/
async function npz(bytes, options = {}) {
	const op = "npz";
	noMore(op, arguments, 2);
	const file = bytesOf(op, bytes);
	const entries = entriesOf(op, file, mostBytes(op, file, options)).filter(({ name }) => name.endsWith(".npy"));
	if (isServing() && entries.some(({ deflated }) => deflated)) await fetchRest(op);
	return Object.fromEntries(entries.map((entry) => [entry.name.slice(0, -4), lazyFile(() => read$2(op, `${entry.name}: `, entry.read(), entry.deflated))]));
}
/**
* Writes tensors by their names, read from the device, as a .npz file; `numpy.load` reads it.
*
* @example
* const bytes = await data.toNpz({ x: tensor([1, 2]) });
* Object.keys(await data.npz(bytes)).join(); // "x"
*/
async function toNpz(tensors) {
	noMore("toNpz", arguments, 1);
	const files = await Promise.all(namedTensors("toNpz", tensors).map(async ([name, tensor]) => [`${name}.npy`, await toNpy(tensor)]));
	const parts = [];
	for await (const part of zipped(files)) parts.push(part);
	const file = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
	let at = 0;
	for (const part of parts) {
		file.set(part, at);
		at += part.length;
	}
	return file;
}
/**
* A .npz file as a stream, for one that is too large for memory: each tensor is read from the device when the stream comes to it. Pipe it to a file, or make a
* `Response` of it.
*
* @example
* const stream = data.npzStream({ x: tensor([1, 2]) });
* const { x } = await data.npz(await new Response(stream).arrayBuffer());
* x?.tensor(); // [1,2]
*/
function npzStream(tensors) {
	noMore("npzStream", arguments, 1);
	const named = namedTensors("npzStream", tensors);
	const parts = zipped((async function* () {
		for (const [name, tensor] of named) yield [`${name}.npy`, await toNpy(tensor)];
	})());
	return new ReadableStream({
		async pull(controller) {
			const { done, value } = await parts.next();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		async cancel() {
			await parts.return();
		}
	}, { highWaterMark: 0 });
}
// src/data/column.ts
const columnTypes = [
	"i32",
	"f64",
	"f32",
	"bool",
	"text"
];
/** What pandas, R and spreadsheets write in place of a number. */
const MISSING = /* @__PURE__ */ new Set([
	"",
	"#N/A",
	"#N/A N/A",
	"#NA",
	"-1.#IND",
	"-1.#QNAN",
	"-NaN",
	"-nan",
	"1.#IND",
	"1.#QNAN",
	"<NA>",
	"N/A",
	"NA",
	"NULL",
	"NaN",
	"None",
	"n/a",
	"nan",
	"null"
]);
const WHOLE = /^[+-]?\d+$/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;
const TRUTH = {
	True: 1,
	TRUE: 1,
	true: 1,
	False: 0,
	FALSE: 0,
	false: 0
};
/** Whether a field is a number, and not one that is missing. */
function isNumber(field) {
	return !Number.isNaN(numberOf(field));
}
/** The number that a field is; NaN if it is none. */
function numberOf(field) {
	const text = field.trim();
	return NUMBER.test(text) ? Number(text) : INFINITE.test(text) ? text.startsWith("-") ? -Infinity : Infinity : NaN;
}
/** The column of these fields, of which `given` are missing besides the usual ones. Throws `FormatError`, with the line of a row, where one is not of the type asked for. */
function columnOf(op, name, cells, given, asked) {
	const isMissing = (text) => given.has(text) || MISSING.has(text.trim());
	const refuse = (row, what) => {
		throw new FormatError(op, `line ${cells.line(row)} of column ${shown(name)} is ${what}: ${shown(cells.text(row))}`);
	};
	const read = asked === "text" || asked === "bool" ? null : numbersIn(cells, given, isMissing, asked !== void 0);
	const dtype = asked ?? typeOf(cells, read, isMissing);
	const { data, missing } = dtype === "text" ? textsIn(cells, given) : dtype === "bool" ? truthIn(cells, isMissing, refuse) : valuesIn(read, dtype, refuse);
	const column = {
		name,
		dtype,
		data,
		missing,
		tensor: (options) => tensor(numbersOf(column), optionsOf("tensor", options, { dtype: dtype === "i32" || dtype === "bool" ? dtype : "f32" }))
	};
	numbers.set(column, () => dtype === "text" ? valuesIn(numbersIn(cells, given, isMissing, true), "f32", refuse).data : data);
	return column;
}
/** How the numbers of a column are had. */
const numbers = /* @__PURE__ */ new WeakMap();
/** The numbers of a column, NaN for missing ones. Throws `FormatError` where a text is no number. */
function numbersOf(column) {
	return numbers.get(column)();
}
/** The fields as numbers: up to the first that is none, or all of them. */
function numbersIn(cells, given, isMissing, toTheEnd) {
	const { length } = cells;
	const values = new Float64Array(length);
	const missing = [];
	const suspects = new Set([...given].map(numberOf).filter((value) => !Number.isNaN(value)));
	let end = length;
	let whole = true;
	let small = true;
	let safe = true;
	for (let row = 0; row < length; row++) {
		let value = cells.number(row);
		let isWhole = cells.isWhole();
		if (Number.isNaN(value)) {
			const text = cells.text(row);
			value = numberOf(text);
			isWhole = WHOLE.test(text.trim());
		}
		if (Number.isNaN(value) || suspects.size > 0 && suspects.has(value)) {
			if (isMissing(cells.text(row))) {
				missing.push(row);
				values[row] = NaN;
				continue;
			}
			if (Number.isNaN(value)) {
				end = Math.min(end, row);
				if (!toTheEnd) break;
			}
		}
		values[row] = value;
		whole &&= isWhole;
		small &&= isWhole && value === (value | 0);
		safe &&= Number.isSafeInteger(value);
	}
	return {
		values,
		missing,
		end,
		whole,
		small,
		safe
	};
}
/** The numbers of fields, of a type. */
function valuesIn({ values, missing, end }, dtype, refuse) {
	if (dtype === "i32" && missing[0] !== void 0) refuse(missing[0], "missing, which no i32 can be");
	for (let row = 0; dtype === "i32" && row < end; row++) {
		const value = values[row];
		if (value !== (value | 0)) refuse(row, "no whole number of 32 bits");
	}
	if (end < values.length) refuse(end, "no number");
	return {
		data: dtype === "i32" ? new Int32Array(values) : dtype === "f32" ? new Float32Array(values) : values,
		missing
	};
}
/** The truth values of fields. */
function truthIn(cells, isMissing, refuse) {
	const texts = Array.from({ length: cells.length }, (_, row) => cells.text(row));
	const absent = texts.findIndex(isMissing);
	if (absent >= 0) refuse(absent, "missing, which no bool can be");
	const data = new Uint8Array(texts.length);
	for (const [row, written] of texts.entries()) {
		const text = written.trim();
		data[row] = TRUTH[text] ?? (text === "0" || text === "1" ? Number(text) : refuse(row, "neither true nor false"));
	}
	return {
		data,
		missing: []
	};
}
/** The texts of fields, null where one is missing. */
function textsIn(cells, given) {
	const missing = [];
	return {
		data: Array.from({ length: cells.length }, (_, row) => {
			const text = cells.text(row);
			if (text !== "" && !given.has(text)) return text;
			missing.push(row);
			return null;
		}),
		missing
	};
}
/** The type that all fields have which are not missing. */
function typeOf(cells, { end, missing, whole, small, safe }, isMissing) {
	const { length } = cells;
	if (end === length && small && missing.length === 0 && length > 0) return "i32";
	if (end === length && (!whole || safe)) return "f64";
	for (let row = 0; row < length; row++) {
		const text = cells.text(row);
		if (isMissing(text) || !Object.hasOwn(TRUTH, text.trim())) return "text";
	}
	return "bool";
}
// src/data/rows.ts
/** Separators that are looked for where none is given, in this order. */
const usual = Array.from(",	;|", (separator) => separator.charCodeAt(0));
const [TAB, NEWLINE, RETURN, SPACE, QUOTE, PLUS, MINUS, POINT, ZERO, UPPER_E, LOWER_E] = [
	9,
	10,
	13,
	32,
	34,
	43,
	45,
	46,
	48,
	69,
	101
];
/** A code that no text has. */
const NONE = -1;
/** Where a field begins that the file does not have: rows may be filled up. No text is so long. */
const ABSENT = 2 ** 32 - 1;
/** Powers of ten that are doubles. */
const POWERS = Array.from({ length: 23 }, (_, n) => 10 ** n);
const isEnd = (code) => code === NEWLINE || code === RETURN || code === NONE;
const isBlank = (code) => code === SPACE || code === TAB;
const isDigit = (code) => code >= ZERO && code < ZERO + 10;
const isNumeric = (code) => isDigit(code) || code === PLUS || code === MINUS || code === POINT || code === UPPER_E || code === LOWER_E;
/** How fields are found in a text, and what they are. */
var Fields = class {
	op;
	text;
	/** Whether the number that was read last was written without point and exponent. */
	isWhole = false;
	#comment;
	/** What ends a field beside a line's end; of blanks there are two. */
	#one;
	#other;
	/** The first code of a comment. */
	#letter;
	/** Whether nothing that ends a field can be in a number. */
	#isPlain;
	constructor(op, text, separator, comment) {
		this.op = op;
		this.text = text;
		const code = separator === void 0 ? NONE : separator.charCodeAt(0);
		this.#one = separator === "whitespace" ? SPACE : code;
		this.#other = separator === "whitespace" ? TAB : code;
		this.#comment = comment;
		this.#letter = comment === void 0 ? NONE : comment.charCodeAt(0);
	}
	/** The rows between two lines, without blank lines and comments: where each field begins, and how many fields there are up to the end of each row. Throws `FormatError`
	* for a quote that is not closed. */
	scan({ first, last }) {
		const { text } = this;
		const { length } = text;
		let starts = /* @__PURE__ */ new Uint32Array(1024);
		let ends = /* @__PURE__ */ new Uint32Array(1024);
		let fields = 0;
		let rows = 0;
		let at = text.startsWith("﻿") ? 1 : 0;
		let line = 1;
		for (; at < length && line < first; line++) at = this.#nextLine(at);
		for (; at < length && line <= last; line++) {
			const begins = text.charCodeAt(at);
			const start = begins > SPACE ? at : this.#pastBlanks(at);
			if (begins <= SPACE && isEnd(this.#code(start)) || this.#isComment(start)) {
				at = this.#nextLine(start);
				continue;
			}
			if (this.#one === NONE) this.#one = this.#other = separatorOf(text, at);
			const one = this.#one;
			const other = this.#other;
			const blanks = one !== other;
			if (blanks) at = start;
			for (;;) {
				if (fields === starts.length) starts = grown(starts);
				starts[fields++] = at;
				const end = this.#end(at);
				if (this.#code(at) === QUOTE) line += lineEnds(text, at, end);
				at = end;
				const code = this.#code(at);
				const separated = code !== NONE && (code === one || code === other);
				if (separated) at++;
				if (blanks) while (isBlank(this.#code(at))) at++;
				if (!separated || blanks && (isEnd(this.#code(at)) || this.#isComment(at))) break;
			}
			if (rows === ends.length) ends = grown(ends);
			ends[rows++] = fields;
			at = at < length && text.charCodeAt(at) === NEWLINE ? at + 1 : this.#nextLine(at);
		}
		return {
			starts: starts.subarray(0, fields),
			ends: ends.subarray(0, rows)
		};
	}
	/** The text of the field that begins at `start`. */
	textAt(start) {
		if (start === ABSENT) return "";
		const end = this.#end(start);
		if (this.#code(start) !== QUOTE) return this.text.slice(start, end);
		const closed = this.#closed(start);
		return this.text.slice(start + 1, closed - 1).replaceAll("\"\"", "\"") + this.text.slice(closed, end);
	}
	/** The number that begins at `start`, where it is a decimal of so few digits that two doubles make it, rounded once (Clinger, "How to Read Floating Point Numbers
	* Accurately", 1990); NaN for all else, which may be a number too. `isWhole` tells how it is written. */
	numberAt(start) {
		if (!(this.#isPlain ??= ![
			this.#one,
			this.#other,
			this.#letter
		].some(isNumeric))) return NaN;
		const { text } = this;
		const { length } = text;
		const one = this.#one;
		const other = this.#other;
		let at = start;
		const next = () => ++at < length ? text.charCodeAt(at) : NONE;
		let code = at < length ? text.charCodeAt(at) : NONE;
		const isQuoted = code === QUOTE;
		if (isQuoted) code = next();
		while (isBlank(code) && code !== one && code !== other) code = next();
		const isNegative = code === MINUS;
		if (isNegative || code === PLUS) code = next();
		let whole = 0;
		let digits = 0;
		let exponent = 0;
		for (; isDigit(code); code = next()) {
			whole = whole * 10 + (code - ZERO);
			digits++;
		}
		this.isWhole = code !== POINT && code !== UPPER_E && code !== LOWER_E;
		if (code === POINT) for (code = next(); isDigit(code); code = next()) {
			whole = whole * 10 + (code - ZERO);
			digits++;
			exponent--;
		}
		if (digits === 0 || whole > Number.MAX_SAFE_INTEGER) return NaN;
		if (code === UPPER_E || code === LOWER_E) {
			code = next();
			const sign = code === MINUS ? -1 : 1;
			if (code === MINUS || code === PLUS) code = next();
			if (!isDigit(code)) return NaN;
			let power = 0;
			for (; isDigit(code); code = next()) power = Math.min(power * 10 + (code - ZERO), 1e3);
			exponent += sign * power;
		}
		while (isBlank(code) && code !== one && code !== other) code = next();
		if (isQuoted) {
			if (code !== QUOTE) return NaN;
			code = next();
		}
		if (!isEnd(code) && code !== one && code !== other && !this.#isComment(at)) return NaN;
		if (exponent < -22 || exponent > 22) return NaN;
		const value = exponent < 0 ? whole / POWERS[-exponent] : whole * POWERS[exponent];
		return isNegative ? -value : value;
	}
	/** The line of the file that is at `place`, from 1. */
	lineOf(place) {
		return 1 + lineEnds(this.text, 0, place);
	}
	#code(at) {
		return at < this.text.length ? this.text.charCodeAt(at) : NONE;
	}
	#isComment(at) {
		return this.#letter !== NONE && this.#code(at) === this.#letter && this.text.startsWith(this.#comment, at);
	}
	/** Where blanks end that do not separate fields. */
	#pastBlanks(at) {
		const one = this.#one;
		const other = this.#other;
		while (isBlank(this.#code(at)) && (one !== other || this.#code(at) !== one)) at++;
		return at;
	}
	/** Where the next line begins. */
	#nextLine(at) {
		while (!isEnd(this.#code(at))) at++;
		return at + (this.#code(at) === RETURN && this.#code(at + 1) === NEWLINE ? 2 : 1);
	}
	/** Where the field ends that begins at `at`. */
	#end(at) {
		const { text } = this;
		const { length } = text;
		const one = this.#one;
		const other = this.#other;
		const letter = this.#letter;
		const most = Math.max(RETURN, one, other, letter);
		if (this.#code(at) === QUOTE) at = this.#closed(at);
		for (; at < length; at++) {
			const code = text.charCodeAt(at);
			if (code > most) continue;
			if (code === one || code === other || code === NEWLINE || code === RETURN || code === letter && this.#isComment(at)) break;
		}
		return at;
	}
	/** Where the quote that begins at `at` is closed, behind it. A quote within is written twice. */
	#closed(at) {
		for (;;) {
			const end = this.text.indexOf("\"", at + 1);
			if (end < 0) throw new FormatError(this.op, `a quote in line ${this.lineOf(at)} is not closed`);
			at = end + 1;
			if (this.#code(at) !== QUOTE) return at;
		}
	}
};
/** How many lines end between two places. */
function lineEnds(text, from, to) {
	let count = 0;
	for (let at = from; at < to; at++) {
		const code = text.charCodeAt(at);
		if (code === NEWLINE || code === RETURN && !(at + 1 < text.length && text.charCodeAt(at + 1) === NEWLINE)) count++;
	}
	return count;
}
function grown(numbers) {
	const more = new Uint32Array(2 * numbers.length);
	more.set(numbers);
	return more;
}
/** The code of the separator that is in the line at `at`. */
function separatorOf(text, at) {
	const found = usual.map(() => false);
	let quoted = false;
	for (; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (!quoted && isEnd(code)) break;
		if (code === QUOTE) quoted = !quoted;
		const place = usual.indexOf(code);
		if (!quoted && place >= 0) found[place] = true;
	}
	return usual[Math.max(found.indexOf(true), 0)];
}
// src/data/csv.ts
/** How many fields are filled up beside one for each letter of the file: a small file whose first row is long could ask for billions. */
const MOST_FILLED = 1e6;
/** The text of a file, whose first bytes may say that it is UTF-16, as spreadsheets export it. */
function textFrom(op, text) {
	if (typeof text === "string") return text;
	if (!ArrayBuffer.isView(text) && !holds(() => text instanceof ArrayBuffer)) return textOf(op, "the table", text);
	const bytes = bytesOf(op, text);
	const mark = bytes[0] * 256 + (bytes[1] ?? 0);
	return new TextDecoder(mark === 65534 ? "utf-16le" : mark === 65279 ? "utf-16be" : "utf-8").decode(bytes);
}
/**
* Reads a table of separated fields, from a text or from the bytes of a file (UTF-8, or UTF-16 that says so). Fields may be quoted; blank lines are passed over. Where all rows have one field more than the header, their first are the names of rows,
* as R writes them, and a column without a name. Texts and numbers are made when they are asked for; a column of ten million numbers takes about a second, so that files of more than
* ten megabytes are better read in a worker. Throws `FormatError`, with the line, where a row has more or fewer fields than the first, and where a quote is not closed.
*
* @example
* const table = data.csv("height,weight\n1.8,75\n1.6,52");
* table.tensor(["weight"]); // [[75],[52]]
*/
function csv(text, options = {}) {
	const op = "csv";
	noMore(op, arguments, 2);
	const given = optionsOf(op, options, {
		header: void 0,
		separator: void 0,
		comment: void 0,
		lines: void 0,
		fill: false,
		missing: [],
		dtypes: {}
	});
	const { separator, comment } = given;
	if (separator !== void 0) textOf(op, "the separator", separator);
	if (separator !== void 0 && separator !== "whitespace" && (separator.length !== 1 || /["\r\n]/.test(separator))) throw new ValueError(op, `the separator must be "whitespace", or one character and no quote or line's end, got ${shown(separator)}`);
	if (comment !== void 0 && (textOf(op, "the comment", comment) === "" || /["\r\n]/.test(comment) || comment === separator)) throw new ValueError(op, `a comment begins with a text without quotes and lines' ends that is not the separator, got ${shown(comment)}`);
	const missing = new Set(listOf(op, "a list of texts that are missing values", given.missing).map((entry) => textOf(op, "a missing value", entry)));
	const [from, to] = given.lines === void 0 ? [1, void 0] : listOf(op, "the first and the last line", given.lines);
	const range = {
		first: countOf(op, "the first line", from, 1),
		last: to === void 0 ? Infinity : countOf(op, "the last line", to, 1)
	};
	const fields = new Fields(op, textFrom(op, text), separator, comment);
	const { starts, ends } = fields.scan(range);
	const first = Array.from(starts.subarray(0, ends[0] ?? 0), (start) => fields.textAt(start));
	const header = given.header === void 0 ? !(first.length > 0 && first.every(isNumber)) : flagOf(op, "header", given.header);
	if (header && haveNames(fields, starts, ends)) first.unshift("");
	const names = header ? distinct(first) : first.map((_, column) => String(column));
	return table(fields, names, header, bodyOf(fields, starts, ends, first, header, given.fill), missing, dtypesOf(op, given.dtypes, names));
}
/** Whether the rows have names, for which the header has none: all have one field more, of which the last is not just the separator at the end of the line. */
function haveNames(fields, starts, ends) {
	const count = (ends[0] ?? 0) + 1;
	for (let row = 1; row < ends.length; row++) if (ends[row] - ends[row - 1] !== count) return false;
	for (let row = 1; row < ends.length; row++) if (fields.textAt(starts[ends[row] - 1]) !== "") return true;
	return false;
}
/** Where the fields begin of all rows that are not the header, of which each has as many as the first. Throws `FormatError` where one has others. */
function bodyOf(fields, starts, ends, first, header, fill) {
	const { op, text } = fields;
	const width = first.length;
	let filled = 0;
	for (let row = 1; row < ends.length; row++) {
		const from = ends[row - 1];
		const count = ends[row] - from;
		const missing = width - count;
		if (missing === 0) continue;
		const what = () => `line ${fields.lineOf(starts[from])} has ${count} fields, the first row ${width}`;
		if (!(missing > 0 && (fill || missing === 1 && first.at(-1) === ""))) throw new FormatError(op, `${what()}${missing > 0 ? "; { fill: true } fills it up" : ""}`);
		filled += missing;
		if (filled > MOST_FILLED + text.length) throw new FormatError(op, `${what()}; more would be filled up than is in the file`);
	}
	const skipped = header ? 1 : 0;
	if (filled === 0) return starts.subarray(header ? ends[0] : 0);
	const body = new Uint32Array(width * (ends.length - skipped)).fill(ABSENT);
	for (let row = skipped; row < ends.length; row++) body.set(starts.subarray(row === 0 ? 0 : ends[row - 1], ends[row]), width * (row - skipped));
	return body;
}
/** The types that were asked for, checked. */
function dtypesOf(op, dtypes, names) {
	if (typeof dtypes !== "object" || dtypes === null) throw new ValueError(op, `dtypes is an object of types by columns, got ${shown(dtypes)}`);
	for (const [name, dtype] of Object.entries(dtypes)) {
		if (!names.includes(name)) throw new ValueError(op, `dtypes: ${noColumn(name, names)}`);
		if (!columnTypes.includes(dtype)) throw new ValueError(op, `dtypes: a column is of type ${columnTypes.join(", ")}, got ${shown(dtype)}`);
	}
	return new Map(Object.entries(dtypes));
}
function noColumn(name, names) {
	return `there is no column ${shown(name)}; there are ${names.slice(0, 20).join(", ")}`;
}
/** Names of columns, no two the same. */
function distinct(fields) {
	const taken = new Set(fields);
	const counts = /* @__PURE__ */ new Map();
	return fields.map((field, column) => {
		let count = counts.get(field);
		const base = field === "" ? `Unnamed: ${column}` : field;
		let name = base;
		if (field === "" || count !== void 0) for (count ??= 0; taken.has(name);) name = `${base}_${++count}`;
		if (field !== "") counts.set(field, count ?? 0);
		if (name !== field) taken.add(name);
		return name;
	});
}
/** The table whose rows begin, field by field, where `body` says. */
function table(fields, names, header, body, missing, dtypes) {
	const { op } = fields;
	const width = names.length;
	const count = width === 0 ? 0 : body.length / width;
	let positions;
	const position = (name) => {
		const column = (positions ??= new Map(names.map((name, column) => [name, column]))).get(name);
		if (column === void 0) throw new ValueError(op, noColumn(name, names));
		return column;
	};
	const cellsOf = (column) => ({
		length: count,
		text: (row) => fields.textAt(body[row * width + column]),
		number: (row) => fields.numberAt(body[row * width + column]),
		isWhole: () => fields.isWhole,
		line: (row) => fields.lineOf(body[row * width])
	});
	const columns = /* @__PURE__ */ new Map();
	const typed = (name) => {
		let column = columns.get(name);
		if (!column) columns.set(name, column = columnOf(op, name, cellsOf(position(name)), missing, dtypes.get(name)));
		return column;
	};
	const rowsTo = (end) => Array.from({ length: end }, (_, row) => names.map((_, column) => fields.textAt(body[row * width + column])));
	let rows;
	return {
		names,
		header,
		get rows() {
			return rows ??= rowsTo(count);
		},
		length: count,
		head: (most = 5) => rowsTo(Math.min(count, countOf(op, "the number of rows", most))),
		column(name) {
			const at = position(name);
			return Array.from({ length: count }, (_, row) => fields.textAt(body[row * width + at]));
		},
		typed,
		tensor: (chosen = names) => {
			const read = listOf(op, "a list of names", chosen).map((name) => typed(name));
			const values = new Float32Array(count * read.length);
			for (const [at, column] of read.entries()) {
				const numbers = numbersOf(column);
				for (let row = 0; row < count; row++) values[row * read.length + at] = numbers[row];
			}
			return tensor(values, { shape: [count, read.length] });
		}
	};
}
// src/data/image.ts
/**
* A picture as a tensor of [height, width, channels], the first row on top: of pixels, a file (its bytes, or a `Blob`, such as fetched ones and
* those of an `<input>`), an `ImageBitmap`, a canvas, an image or video element as it shows now, or a `VideoFrame`. Colours are sRGB; those of pixels that
* one can see through may be rounded, as a canvas keeps them. `createImageBitmap` scales and cuts pictures before.
*
* Throws `FormatError` for a file that is no picture; `ValueError` for what has no pixels (an image or video that is not loaded yet, a frame or
* bitmap that was closed), and for what the page may not look into: pictures of another site without CORS, and canvases on which such were drawn.
*
* @example
* const picture = await data.image({ width: 2, height: 1, data: Uint8Array.of(255, 0, 0, 255, 9, 9, 9, 255) });
* picture; // [[[255,0,0],[9,9,9]]]
*/
async function image(source, options = {}) {
	const op = "image";
	noMore(op, arguments, 2);
	const { channels, dtype } = optionsOf(op, options, {
		channels: 3,
		dtype: "u8"
	});
	if (![
		1,
		3,
		4
	].includes(channels) || dtype !== "u8" && dtype !== "f32") throw new ValueError(op, `makes 1, 3 or 4 channels of "u8" or "f32", not ${shown(channels)} of ${shown(dtype)}`);
	const { width, height, data } = await pixelsOf$1(op, source);
	if (!(width > 0 && height > 0 && data.length === width * height * 4)) throw new ValueError(op, `there are ${data.length} bytes for ${shown(width)} × ${shown(height)} pixels of four`);
	const bytes = new Uint8Array(width * height * channels);
	const at = (place) => data[place];
	for (let from = 0, to = 0; to < bytes.length; from += 4) if (channels === 1) bytes[to++] = Math.round((at(from) * 299 + at(from + 1) * 587 + at(from + 2) * 114) / 1e3);
	else for (let channel = 0; channel < channels; channel++) bytes[to++] = at(from + channel);
	const whole = tensor(bytes, {
		shape: [
			height,
			width,
			channels
		],
		dtype: "u8"
	});
	if (dtype === "u8") return whole;
	const scaled = whole.cast("f32").div(255);
	whole.dispose();
	return scaled;
}
/** The pixels of a source, whatever it is. */
async function pixelsOf$1(op, source) {
	const data = property(source, "data");
	if (data instanceof Uint8ClampedArray || data instanceof Uint8Array) return source;
	const isBytes = holds(() => source instanceof Uint8Array || source instanceof ArrayBuffer);
	if (!isBytes && !holds(() => source instanceof Blob)) return drawn(op, source);
	let decoded;
	try {
		decoded = await createImageBitmap(isBytes ? new Blob([source]) : source);
	} catch (error) {
		throw new FormatError(op, `no picture that can be read here: ${String(error)}`);
	}
	try {
		return drawn(op, decoded);
	} finally {
		decoded.close();
	}
}
/** A property of what may be anything. */
function property(value, name) {
	try {
		return value?.[name];
	} catch {
		return;
	}
}
/** What a source shows now, drawn on a canvas of its size. */
function drawn(op, source) {
	const extent = (name) => [
		`natural${name}`,
		`video${name}`,
		`display${name}`,
		name.toLowerCase()
	].map((name) => property(source, name)).find(Number.isInteger);
	const [across, down] = [extent("Width"), extent("Height")];
	if (across === void 0 || down === void 0) throw new ValueError(op, `takes a picture, got ${shown(source)}`);
	if (across === 0 || down === 0 || holds(() => source.readyState < 2)) throw new ValueError(op, `${shown(source)} has no pixels: it is not loaded, is empty, or was closed`);
	try {
		const context = new OffscreenCanvas(across, down).getContext("2d", { willReadFrequently: true });
		context.drawImage(source, 0, 0, across, down);
		return context.getImageData(0, 0, across, down);
	} catch (error) {
		throw new ValueError(op, `the pixels of ${shown(source)} cannot be read: ${String(error)}`);
	}
}
// src/data/buffer.ts
/** STORAGE, COPY_SRC and COPY_DST of `GPUBufferUsage`, which is no global in Node. */
const USUAL = 140;
/** What the core calls the caller's buffer. */
const CALLERS = "weft:caller";
/**
* A tensor of what a buffer of Weft's device (see `gpuDevice`) holds now, copied on the device: what was submitted before the call is in it. Elements lie
* in row-major order; those of f16, i8 and u8 as many to 32 bits as fit, and those of bool 32 bits each.
*
* Throws `ValueError` for a buffer that is mapped, destroyed, too short, of another device, or without the usage `COPY_SRC`, and on the CPU device.
*
* @example
* const device = gpuDevice();
* // 4 is GPUBufferUsage.COPY_SRC.
* if (device) await data.fromGPUBuffer(device.createBuffer({ size: 64, usage: 4 }), [4, 4]);
*/
async function fromGPUBuffer(buffer, shape, options = {}) {
	const op = "fromGPUBuffer";
	noMore(op, arguments, 3);
	const { dtype, offset } = optionsOf(op, options, {
		dtype: "f32",
		offset: 0
	});
	const extents = extentsOf(op, shape);
	const read = dtype === "bool" ? "u32" : dtype;
	const code = dtypeCode(read, op);
	if (countOf(op, "the offset", offset) % 4 !== 0) throw new ValueError(op, `the offset must be a multiple of 4, got ${offset}`);
	const device = deviceOf(op);
	const bytes = bytesOnDevice(sizeOf(Array.from(extents)), dtype);
	check(op, device, buffer, offset + bytes);
	if (bytes === 0) return zeros(shape, { dtype });
	const made = await copied(op, device, () => buffer, () => {
		const handle = wholeCore(op).buffer_in(offset, extents, code);
		return handle === void 0 ? null : Tensor.adopt(handle);
	});
	if (read === dtype) return made;
	const truth = made.notEqual(0);
	made.dispose();
	return truth;
}
/**
* A buffer of Weft's device (see `gpuDevice`) with the elements of a tensor, copied on the device and laid out as `fromGPUBuffer` reads them. It is the caller's:
* to use once the promise is fulfilled, and to destroy.
*
* Throws `ValueError` for a given buffer that is mapped, destroyed, too short, of another device, or without the usage `COPY_DST`, and on the CPU device;
* `OutOfMemoryError` where there is no memory for a new one.
*
* @example
* if (gpuDevice()) {
*   const buffer = await data.toGPUBuffer(tensor([1, 2, 3]));
*   console.log(buffer.size); // 12
* }
*/
async function toGPUBuffer(x, options = {}) {
	const op = "toGPUBuffer";
	noMore(op, arguments, 2);
	const { usage, buffer: given } = optionsOf(op, options, {
		usage: 0,
		buffer: void 0
	});
	const { size, dtype, ndim } = Tensor.of(op, "what is copied", x);
	countOf(op, "the usage", usage);
	const device = deviceOf(op);
	const bytes = bytesOnDevice(size, dtype);
	if (given !== void 0) check(op, device, given, bytes);
	let buffer = given;
	const own = () => buffer ??= device.createBuffer({
		size: Math.max(bytes, 4),
		usage: usage | USUAL
	});
	const stored = ndim === 0 ? x.reshape([1]) : x;
	try {
		await copied(op, device, own, () => bytes === 0 || wholeCore(op).buffer_out(stored.handle) || null);
	} finally {
		if (stored !== x) stored.dispose();
	}
	releaseAbandoned();
	return own();
}
function deviceOf(op) {
	core();
	const device = gpuDevice();
	if (!device) throw new ValueError(op, "the CPU device has no GPU buffers");
	return device;
}
/** How many bytes elements take in a buffer. */
function bytesOnDevice(size, dtype) {
	return Math.ceil(size * (dtype === "bool" ? 4 : bytesPerElement(dtype)) / 4) * 4;
}
/** Throws for what the core could not bear; the device itself tells of all else. */
function check(op, device, buffer, bytes) {
	if (!holds(() => (device.createCommandEncoder().copyBufferToBuffer(buffer, 0, buffer, 0, 0), buffer.size >= 0))) throw new ValueError(op, `takes a GPUBuffer, got ${shown(buffer)}`);
	if (buffer.size < bytes) throw new ValueError(op, `the buffer has ${buffer.size} bytes, and ${bytes} are needed`);
}
/** What the innermost error scope has caught. A device that is lost may not answer; whatever comes next tells of that. */
function answer(device) {
	return device.popErrorScope().catch(() => null);
}
/** What `copy` gives, which has the core copy from the buffer or to it. It gives null behind a loop of which the device has to say first when it ends. */
async function copied(op, device, buffer, copy) {
	for (;;) {
		let made = null;
		let answers = [];
		device.pushErrorScope("validation");
		device.pushErrorScope("out-of-memory");
		try {
			made = answering(device, buffer(), copy);
		} finally {
			answers = [answer(device), answer(device)];
		}
		const [exhausted, refused] = await Promise.all(answers);
		if ((exhausted || refused) && made instanceof Tensor) made.dispose();
		if (exhausted) throw new OutOfMemoryError(op, exhausted.message);
		if (refused) throw new ValueError(op, `the device refused it: ${refused.message}`);
		if (made !== null) return made;
		await core().idle();
	}
}
/** Calls `f` while the device answers with this buffer where the core asks for the caller's. */
function answering(device, buffer, f) {
	const name = "createBuffer";
	const before = Object.getOwnPropertyDescriptor(device, name);
	const make = device[name];
	const value = (descriptor) => descriptor.label === CALLERS ? buffer : make.call(device, descriptor);
	Object.defineProperty(device, name, {
		value,
		configurable: true
	});
	try {
		return f();
	} finally {
		Reflect.deleteProperty(device, name);
		if (before) Object.defineProperty(device, name, before);
	}
}
// src/data/batches.ts
/**
* Walks arrays with a common first extent in batches: `for (const [x, y] of data.batches([images, labels], { size: 128 }))`.
* The tensors of a batch are freed when the next one comes, and at the end; `keep()` those that should live on. With `for await` the
* device may catch up before each batch, as with `throttle`.
*
* Throws `ShapeError` when the first extents differ, `ValueError` for a size below 1.
*
* @example
* const sums = [];
* for (const [x, y] of data.batches([arange(4), [5, 6, 7, 8]], { size: 2 })) sums.push(await x.add(y).sum().item());
* sums; // [12,20]
*/
function batches(arrays, options = {}) {
	noMore("batches", arguments, 2);
	listOf("batches", "a list of arrays", arrays);
	for (const array of arrays) if (!(array instanceof Tensor)) numbersOf$1("batches", array);
	const walked = walk(arrays, read$1("batches", options));
	async function* paced() {
		for (const batch of walked) {
			await throttle();
			yield batch;
		}
	}
	return Object.defineProperty(walked, Symbol.asyncIterator, { value: paced });
}
/** The options of a call, checked. */
function read$1(op, options) {
	const { size, shuffle = false, dropLast } = optionsOf(op, options, {
		size: 32,
		shuffle: void 0,
		dropLast: false
	});
	countOf(op, "the size", size, 1);
	return {
		size,
		shuffle: typeof shuffle === "number" ? finiteOf(op, "shuffle", shuffle) : flagOf(op, "shuffle", shuffle),
		dropLast
	};
}
function* walk(arrays, { size, shuffle, dropLast }) {
	const made = [];
	const own = (array) => {
		const tensor = tensorFrom(array, "batches").keep();
		made.push(tensor);
		return tensor;
	};
	let batch = [];
	try {
		const sources = arrays.map((array) => array instanceof Tensor ? array : own(array));
		const count = commonLength(sources);
		const order = shuffle === false ? null : own(permutation(count, shuffle));
		for (let start = 0; start < count; start += size) {
			const stop = Math.min(start + size, count);
			if (dropLast && stop - start < size) break;
			free(batch);
			const positions = order ? slice(order, [start, stop]) : null;
			batch = sources.map((source) => positions ? take(source, positions, 0) : slice(source, [start, stop]));
			positions?.dispose();
			yield batch;
		}
	} finally {
		free(batch);
		for (const tensor of made) tensor.dispose();
	}
}
/**
* How many batches there are of `count` examples.
*
* @example
* data.batchCount(100, { size: 32 }); // 4
* data.batchCount(100, { size: 32, dropLast: true }); // 3
*/
function batchCount(count, options = {}) {
	noMore("batchCount", arguments, 2);
	const { size, dropLast } = read$1("batchCount", options);
	const batches = countOf("batchCount", "the count", count) / size;
	return dropLast ? Math.floor(batches) : Math.ceil(batches);
}
function free(batch) {
	for (const tensor of batch) if (!tensor.kept) tensor.dispose();
}
function commonLength(sources) {
	const shapes = sources.map((source) => `[${source.shape.join(",")}]`);
	const [first, ...rest] = sources.map((source) => source.shape[0]);
	if (first === void 0) throw new ShapeError("batches", "takes arrays with at least one axis");
	if (rest.some((length) => length !== first)) throw new ShapeError("batches", `the first extents differ: ${shapes.join(", ")}`);
	return first;
}
/** The numbers below `count` in random order (Fisher and Yates). */
function permutation(count, seed) {
	const random = seed === true ? Math.random : mulberry32(seed);
	const order = Int32Array.from({ length: count }, (_, i) => i);
	for (let i = count - 1; i > 0; i--) {
		const j = Math.floor(random() * (i + 1));
		[order[i], order[j]] = [order[j], order[i]];
	}
	return order;
}
/** A small generator for shuffling on the host (Tommy Ettinger's Mulberry32): numbers in [0, 1). */
function mulberry32(seed) {
	let state = seed | 0;
	return () => {
		state = state + 1831565813 | 0;
		let mixed = Math.imul(state ^ state >>> 15, 1 | state);
		mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed;
		return ((mixed ^ mixed >>> 14) >>> 0) / 2 ** 32;
	};
}
// src/data/index.ts
var data_exports = /* @__PURE__ */ __exportAll({
	batchCount: () => batchCount,
	batches: () => batches,
	csv: () => csv,
	fromGPUBuffer: () => fromGPUBuffer,
	idx: () => idx,
	image: () => image,
	npy: () => npy,
	npz: () => npz,
	npzStream: () => npzStream,
	safetensors: () => safetensors,
	toGPUBuffer: () => toGPUBuffer,
	toNpy: () => toNpy,
	toNpz: () => toNpz,
	toSafetensors: () => toSafetensors
});
// src/tune/winners.ts
/**
* The races that were held on the open device, the oldest first.
*
* @example
* tune.log().length; // 0
*/
function log$1() {
	return core().tune_log().split("\n\n").filter((text) => text !== "").map(read);
}
function read(text) {
	const [key = "", ...lines] = text.split("\n");
	const [, winner = "", spread] = /^Fastest: (.*) ±(.*)%$/.exec(lines.pop() ?? "") ?? [];
	const candidates = lines.map((line) => {
		const [choice = "", time = ""] = line.split(" => ");
		return {
			choice,
			milliseconds: time.endsWith("ms") ? parseFloat(time) : null
		};
	});
	return Object.defineProperty({
		key,
		candidates,
		winner,
		spread: Number(spread)
	}, "toString", { value: () => text });
}
/**
* How many kernels are being compiled in the background: shorter ones serve until they are there.
*
* @example
* await tune.race();
* tune.optimising(); // 0
*/
function optimising() {
	return compiles.optimising;
}
/**
* Holds all races that wait, now, and waits for kernels that are being compiled: a promise of their end. Computations are waited for
* where there are any. Where tuning is off there are no races.
*
* @example
* await ones([256, 256]).sum(1).data();
* await tune.race(); // what runs from now on uses the winners
*/
async function race() {
	core();
	await raceAll();
}
/**
* All winners on the open device, as text for `tune.import`; empty on the CPU.
*
* @example
* const winners = tune.export();
*/
function exportWinners() {
	return core().tune_export();
}
/**
* Takes winners that were exported on the same kind of device with the same version of the package, and tells how many were new. What is
* known already stays; entries that cannot be read are left out. Throws `FormatError` for what is no such text, or of another
* device or version.
*
* @example
* tune.import("nonsense"); // throws FormatError
*/
function importWinners(winners) {
	if (typeof winners !== "string") throw new ValueError("tune.import", `winners are text, as tune.export gives them, not ${shown(winners)}`);
	return core().tune_import(winners);
}
// src/tune/index.ts
var tune_exports = /* @__PURE__ */ __exportAll({
	export: () => exportWinners,
	import: () => importWinners,
	log: () => log$1,
	optimising: () => optimising,
	race: () => race
});
// src/canvas/colormap.ts
/** Their names. */
const colormaps = [
	"gray",
	"viridis",
	"diverging"
];
/** Matt Zucker's polynomial fit to matplotlib's viridis, by rising powers. */
const VIRIDIS = [
	[
		.2777273,
		.0054073,
		.3340998
	],
	[
		.105093,
		1.4046135,
		1.3845902
	],
	[
		-.3308618,
		.2148476,
		.0950952
	],
	[
		-4.6342305,
		-5.799101,
		-19.332441
	],
	[
		6.2282699,
		14.1799334,
		56.6905526
	],
	[
		4.776385,
		-13.745145,
		-65.3530326
	],
	[
		-5.4354559,
		4.6458526,
		26.3124352
	]
];
/** Ends and middle of Moreland's "cool to warm". */
const COOL = [
	.23,
	.299,
	.754
];
const MIDDLE = [
	.865,
	.865,
	.865
];
const WARM = [
	.706,
	.016,
	.15
];
/** The colour, each part in [0, 1], of `t` in [0, 1]. */
function colour(colormap, t) {
	switch (colormap) {
		case "gray": return [
			t,
			t,
			t
		];
		case "viridis": return each((channel) => VIRIDIS.reduceRight((sum, power) => sum * t + power[channel], 0));
		case "diverging": return t < .5 ? mix(COOL, MIDDLE, 2 * t) : mix(MIDDLE, WARM, 2 * t - 1);
	}
}
function mix(a, b, t) {
	return each((channel) => a[channel] + (b[channel] - a[channel]) * t);
}
function each(part) {
	return [
		part(0),
		part(1),
		part(2)
	];
}
// src/canvas/pixels.ts
const NAN = [
	255,
	0,
	255,
	255
];
/** Red, green, blue and opacity, a byte each, of `width` × `height` pixels. */
function pixelsOf(picture, width, height) {
	const { data, rows, columns, channels, low, high, colormap, flip } = picture;
	const pixels = new Uint8ClampedArray(width * height * 4);
	const scaled = (i) => high === low ? .5 : Math.min(1, Math.max(0, (data[i] - low) / (high - low)));
	for (let y = 0; y < height; y++) {
		const fromTop = Math.min(Math.floor((y + .5) / height * rows), rows - 1);
		const row = flip ? rows - 1 - fromTop : fromTop;
		for (let x = 0; x < width; x++) {
			const column = Math.min(Math.floor((x + .5) / width * columns), columns - 1);
			const first = (row * columns + column) * channels;
			const places = Array.from({ length: channels }, (_, channel) => first + channel);
			const into = (y * width + x) * 4;
			if (places.some((place) => Number.isNaN(data[place]))) {
				pixels.set(NAN, into);
				continue;
			}
			const parts = channels === 1 ? colour(colormap, scaled(first)) : places.map(scaled);
			pixels.set([...parts.slice(0, 3), parts[3] ?? 1].map((part) => part * 255), into);
		}
	}
	return pixels;
}
// src/canvas/index.ts
var canvas_exports = /* @__PURE__ */ __exportAll({
	draw: () => draw,
	release: () => release
});
/**
* Draws a tensor over the whole of a canvas, at the size the canvas has: [height, width], or [height, width, channels] with 1, 3
* (red, green, blue) or 4 channels (and opacity). Each pixel shows the element it falls into; NaN is magenta. On a GPU the
* canvas has the picture when the call returns; on the CPU device when the promise is fulfilled.
*
* Throws `ShapeError` for other shapes, `ValueError` for a canvas that is in use otherwise.
*
* @example
* const element = document.querySelector("canvas");
* if (element) await canvas.draw(linspace(0, 1, 256).expand([64, 256]), element, { colormap: "viridis" });
*/
async function draw(x, canvas, options = {}) {
	noMore("draw", arguments, 3);
	const style = optionsOf("draw", options, {
		low: 0,
		high: 1,
		colormap: "gray",
		flip: false
	});
	if (!colormaps.includes(style.colormap)) throw new ValueError("draw", `there is no colormap ${shown(style.colormap)}: there are ${colormaps.join(", ")}`);
	if (!isCanvas(canvas)) throw new ValueError("draw", `takes a canvas to draw on, got ${shown(canvas)}`);
	const given = x instanceof Tensor ? x : tensorFrom(x, "draw");
	const tensor = /^(?:f16|i8|u8)$/.test(given.dtype) ? given.cast("f32") : given;
	try {
		if (!core().can_draw() || isFlat(canvas)) await drawOnCpu(tensor, canvas, style);
		else {
			needRest("draw");
			const once = isElement(canvas) ? drawBehind : drawOnGpu;
			while (!once(tensor, canvas, style)) await core().idle();
		}
	} finally {
		for (const made of /* @__PURE__ */ new Set([given, tensor])) if (made !== x) made.dispose();
	}
}
/**
* Lets go of what drawing on a canvas needs. The canvas itself stays as it is.
*
* @example
* const surface = new OffscreenCanvas(64, 64);
* await canvas.draw(eye(8), surface);
* canvas.release(surface);
*/
function release(canvas) {
	noMore("canvas.release", arguments, 1);
	const behind = isElement(canvas) ? stages.get(canvas) : canvas;
	const surface = behind && surfaces.get(behind);
	if (surface === void 0 || !behind) return;
	surface.release((known, number) => known.canvas_drop(number));
	surfaces.delete(behind);
}
/** Whether this is a canvas, of this window or another. */
function isCanvas(value) {
	return holds(() => typeof value?.getContext === "function");
}
/** The core's numbers of canvases. */
const surfaces = /* @__PURE__ */ new WeakMap();
/** What is drawn on behind a canvas element, which stays free for drawing in 2d. */
const stages = /* @__PURE__ */ new WeakMap();
function isElement(canvas) {
	return typeof HTMLCanvasElement !== "undefined" && canvas instanceof HTMLCanvasElement;
}
function drawOnGpu(tensor, canvas, { low, high, colormap, flip }) {
	let surface = surfaces.get(canvas);
	if (!surface?.stands) surfaces.set(canvas, surface = new Claim(core().canvas_surface(canvas)));
	const drawn = core().canvas_draw(surface.number("draw", "the canvas"), tensor.handle, low, high, colormap, flip);
	releaseAbandoned();
	return drawn;
}
function drawBehind(tensor, canvas, style) {
	let stage = stages.get(canvas);
	if (!stage) stages.set(canvas, stage = new OffscreenCanvas(canvas.width, canvas.height));
	if (stage.width !== canvas.width) stage.width = canvas.width;
	if (stage.height !== canvas.height) stage.height = canvas.height;
	if (!drawOnGpu(tensor, stage, style)) return false;
	const context = flatContext(canvas);
	context.clearRect(0, 0, canvas.width, canvas.height);
	context.drawImage(stage, 0, 0);
	return true;
}
/** Canvases that were first drawn on while the code that draws on the GPU was still to be fetched: they keep their context. */
const flat = /* @__PURE__ */ new WeakSet();
function isFlat(canvas) {
	if (!restIsNear() && !surfaces.has(canvas)) flat.add(canvas);
	return flat.has(canvas);
}
async function drawOnCpu(tensor, canvas, style) {
	const { shape } = tensor;
	const [rows = 0, columns = 0, channels = 1] = shape;
	if (![2, 3].includes(shape.length) || ![
		1,
		3,
		4
	].includes(channels) || rows * columns === 0) throw new ShapeError("draw", `${shapeText(shape)} is not [height,width] or [height,width,1, 3 or 4]`);
	const pixels = pixelsOf({
		data: await tensor.data(),
		rows,
		columns,
		channels,
		...style
	}, canvas.width, canvas.height);
	const context = flatContext(canvas);
	const image = context.createImageData(canvas.width, canvas.height);
	image.data.set(pixels);
	context.putImageData(image, 0, 0);
}
function flatContext(canvas) {
	const context = canvas.getContext("2d");
	if (context) return context;
	throw new ValueError("draw", "the canvas has a context of another kind already");
}
// src/index.ts
for (const namespace of [
	nn_exports,
	optim_exports,
	{
		Tensor,
		Complex
	}
]) nameClasses(namespace);
export { AdapterError, AxisError, Complex, DTypeError, DeviceLostError, DisposedError, FormatError, InternalError, OutOfMemoryError, Parameter, ShapeError, Tensor, TraceError, ValueError, WeftError, abs, acos, acosh, add, all, allClose, any, append, applyAlongAxis, applyOverAxes, arange, argmax, argmin, argpartition, argsort, argwhere, arrayEqual, arraySplit, asin, asinh, associativeScan, at, atLeast1d, atLeast2d, atLeast3d, atan, atan2, atanh, average, averageWindow, bartlett, binaryCrossEntropy, bincount, bitcast, bitwiseAnd, bitwiseCount, bitwiseNot, bitwiseOr, bitwiseXor, blackman, block, broadcastArrays, broadcastShapes, broadcastTo, canCast, canvas_exports as canvas, cast, cbrt, cdist, ceil, celu, checkpoint, clip, clz, columnStack, compress, concat, cond, conv, convTranspose, convolve, copysign, corrcoef, correlate, cos, cosh, countNonzero, cov, cross, crossEntropy, cummax, cummin, cumprod, cumsum, cumulativeProd, cumulativeSum, customJvp, customVjp, data_exports as data, degrees, dequantize4, detach, deviceInfo, diag, diagIndices, diagonal, diff, digitize, div, divmod, dot, dsplit, dstack, dynamicSlice, dynamicUpdateSlice, ediff1d, einsum, elu, equal, erf, erfInv, exp, exp2, expand, expandDims, explain, explainRuns, expm1, extract, eye, fft_exports as fft, finfo, flatNonzero, flatten, flip, fliplr, flipud, floatPower, floor, floorDivide, fmax, fmin, fmod, forLoop, frexp, fromFunction, full, gcd, gelu, geluTanh, geomspace, glu, gpuDevice, grad, gradient, greater, greaterEqual, hamming, hann, hardSigmoid, hardSilu, hardTanh, heaviside, hessian, histogram, histogram2d, histogramBinEdges, histogramdd, hsplit, hstack, huberLoss, hypot, iinfo, indices, init, inner, insert, interp, intersect1d, intersect1dIndices, intersect1dWithSize, isClose, isDType, isIn, isfinite, isinf, isnan, isneginf, isposinf, jacfwd, jacrev, jit, jvp, kaiser, keep, kron, l1Loss, labelRuns, lcm, ldexp, leakyRelu, less, lessEqual, lexsort, linalg_exports as linalg, linearize, linspace, log, log10, log1p, log2, logAddExp, logAddExp2, logCumSumExp, logMeanExp, logSigmoid, logSoftmax, logSumExp, logicalAnd, logicalNot, logicalOr, logicalXor, logspace, mapCoordinates, matmul, matmul4, matrixPower, matrixTranspose, max, maximum, mean, median, memory, meshgrid, min, minimum, mish, modf, moveAxis, mseLoss, mul, nanToNum, nanargmax, nanargmin, nancumprod, nancumsum, nanmax, nanmean, nanmedian, nanmin, nanpercentile, nanprod, nanquantile, nanstd, nansum, nanvar, neg, nextafter, nn_exports as nn, nonzero, norm, notEqual, oneHot, ones, onesLike, optim_exports as optim, outer, packbits, pad, partition, pdist, percentile, permute, piecewise, poly, polyadd, polyder, polydiv, polyfit, polyint, polymul, polysub, polyval, pow, precompile, preload, prod, promoteTypes, ptp, putAlongAxis, quantile, quantize4, radians, random_exports as random, rankData, ravelMultiIndex, realize, reciprocal, reduceWindow, reduceXor, relu, relu6, remainder, remove, repeat, resetPeak, reshape, resize, resizeImage, resultType, roll, rot90, round, rsqrt, scan, searchSorted, segmentMax, segmentMean, segmentMin, segmentSum, select, selu, setdiff1d, setdiff1dWithSize, setxor1d, setxor1dWithSize, shiftLeft, shiftRight, sigmoid, sign, signbit, silu, sin, sinc, sinh, slice, slidingWindowView, softSign, softmax, softplus, sort, special_exports as special, split, sqrt, square, squareplus, squeeze, stack, standardize, stats, std, stopGradient, sub, sum, swapAxes, switchCase, synchronize, take, takeAlongAxis, tan, tanh, tensor, tensordot, throttle, tidy, tile, topK, trace, transpose, trapezoid, tri, tril, trilIndices, triu, triuIndices, trunc, tune_exports as tune, union1d, union1dWithSize, uniqueAll, uniqueCount, uniqueCounts, uniqueInverse, uniqueValues, uniqueWithSize, unpackbits, unravelIndex, unstack, unwrap, valueAndGrad, valueAndGradAux, vander, variance, vdot, vecdot, vjp, vjpAux, vmap, vsplit, vstack, where, whileLoop, zeros, zerosLike };
