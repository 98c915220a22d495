// Every callable of the package: a row for each function, class and method, with its valid
// arguments and the names under which it may refuse others.

import * as weft from "../../src/index.js";
import { canvas, data, nn, optim, random, tensor, tune } from "../../src/index.js";
import { axes, axis, count, dtype, operand, optional, options, place, placesOf, rows, shape, x, type Place } from "./places.js";

/** A function: how it is called, the names in which it may refuse, and its places. */
export interface Subject {
  readonly name: string;
  readonly call: (...args: unknown[]) => unknown;
  readonly ops: readonly string[];
  readonly places: readonly Place[];
}

const rules = "sgd adam adamw adamax lion muon rmsprop adagrad adadelta adabelief amsgrad nadam nadamw radam yogi lamb novograd adamaxw adan lars rprop signSgd fromage optimisticGradientDescent adafactor sm3 lbfgs".split(" ");
const itself = (given: unknown) => given;
export const loss = () => (v: weft.Tensor) => weft.square(v).sum();

/** What takes integers alone. */
const whole = ["gcd", "lcm"];

/** Operators that are called in the same way as one that is not among them: `add`, `exp`. */
const binary = "sub mul div floorDivide remainder pow minimum maximum equal notEqual less lessEqual greater greaterEqual logicalAnd logicalOr logicalXor bitwiseAnd bitwiseOr bitwiseXor shiftLeft shiftRight".split(" ");
const unary = "neg abs sign floor ceil log sqrt rsqrt sin cos tanh sigmoid relu erf erfInv square reciprocal logicalNot bitwiseNot isnan isfinite detach gelu".split(" ");
export const operators = [...binary, ...unary];

/** What the functions of each name take. */
export const everywhere: Record<string, readonly Place[]> = {
  // Rows that name no namespace, and are no exports of the package itself, are losses.
  ...Object.fromEntries(Object.entries(rows).map(([name, row]) => [name in weft || name.includes(".") ? name : `nn.${name}`, placesOf(row)])),
  ...Object.fromEntries([...binary, "add", "matmul", "mseLoss"].map((name) => [name, [operand, operand]])),
  ...Object.fromEntries([...unary, "exp"].map((name) => [name, [operand]])),
  flatten: [operand, optional("axis"), optional("axis")],
  ...Object.fromEntries("sum prod mean max min any all logSumExp variance std".split(" ").map((name) => [name, [operand, axes, options]])),
  ...Object.fromEntries(["argmax", "argmin"].map((name) => [name, [operand, optional("axis"), options]])),
  ...Object.fromEntries(["squeeze", "flip"].map((name) => [name, [operand, axes]])),
  ...Object.fromEntries(["softmax", "logSoftmax"].map((name) => [name, [operand, axes]])),
  ...Object.fromEntries(["cast", "bitcast"].map((name) => [name, [operand, dtype]])),
  ...Object.fromEntries(["concat", "stack"].map((name) => [name, [place("list", () => [[1], [2]]), optional("axis", () => 0)]])),
  ...Object.fromEntries(["zeros", "ones"].map((name) => [name, [shape, options]])),
  ...Object.fromEntries(["zerosLike", "onesLike"].map((name) => [name, [operand, options]])),
  "special.expit": [operand],
  "special.besselJn": [operand, place("count", () => 2)],
  where: [operand, operand, operand],
  clip: [operand, optional("bound"), optional("bound")],
  crossEntropy: [operand, operand, options],
  repeat: [operand, place("index", () => 2), optional("axis"), options],
  indices: [shape, options],
  reshape: [operand, place("reshape", () => [4])],
  broadcastTo: [operand, shape],
  expand: [operand, shape],
  permute: [operand, place("shape", () => [1, 0])],
  transpose: [operand, optional("shape")],
  swapAxes: [operand, axis, axis],
  expandDims: [operand, optional("any", () => 0)],
  slice: [operand, place("range", () => 0), place("range", () => 1)],
  pad: [operand, place("widths", () => 1), optional("number")],
  split: [operand, place("parts", () => 2), optional("axis")],
  take: [operand, place("index", () => [0]), optional("axis"), options],
  ...Object.fromEntries(["segmentSum", "segmentMean", "segmentMax", "segmentMin"].map((name) => [name, [operand, place("index", () => [0, 1]), count]])),
  gradient: [operand, { ...operand, optional: true, right: () => 1 }, optional("axis")],
  kaiser: [count, place("number", () => 1)],
  unpackbits: [place("operand", () => tensor([1, 2], { dtype: "u8" })), optional("axis", () => 0), optional("number", () => 3), optional("flag", () => false)],
  dynamicSlice: [operand, place("list", () => [0, 1]), place("shape", () => [1, 1])],
  dynamicUpdateSlice: [operand, place("operand", () => [[7]]), place("list", () => [0, 1])],
  slidingWindowView: [operand, place("parts", () => [1, 1]), axes],
  resizeImage: [operand, shape, optional("text", () => "cubic"), optional("flag", () => true)],
  clz: [place("operand", () => Int32Array.of(0, 1))],
  reduceXor: [place("operand", () => Int32Array.of(0, 1)), axes, options],
  quantize4: [place("operand", () => weft.ones([8, 2])), optional("count", () => 8)],
  dequantize4: [place("operand", () => tensor([[1, 2]], { dtype: "u32" })), place("operand", () => weft.ones([1, 2]))],
  matmul4: [place("operand", () => weft.ones([3, 8])), place("operand", () => tensor([[1, 2]], { dtype: "u32" })), place("operand", () => weft.ones([1, 2]))],
  bincount: [place("index", () => [0, 1]), place("options", () => ({ length: 2 }))],
  histogram: [operand, options],
  histogramBinEdges: [operand, options],
  histogramdd: [operand, options],
  histogram2d: [operand, operand, options],
  ...Object.fromEntries(["flatNonzero", "argwhere", "nonzero"].map((name) => [name, [operand]])),
  compress: [place("operand", () => [1, 0]), operand, optional("axis")],
  extract: [place("operand", () => [1, 0]), operand],
  takeAlongAxis: [operand, place("index", () => [[0, 1]]), optional("axis"), options],
  ...Object.fromEntries(["union1d", "intersect1d", "setdiff1d", "setxor1d"].flatMap((name) => [[name, [operand, operand]], [`${name}WithSize`, [operand, operand, count, optional("number")]]])),
  intersect1dIndices: [operand, operand],
  "nn.ctcLoss": [place("operand", () => weft.ones([1, 3, 2])), place("operand", () => weft.zeros([1, 3])), place("operand", () => [[1]]), place("operand", () => [[0]]), options],
  "nn.ntxent": [operand, place("operand", () => [0, 0]), optional("finite", () => 1)],
  "nn.smoothLabels": [operand, place("finite", () => 0.1)],
  oneHot: [place("index", () => [0, 1]), count, options],
  at: [operand, place("index", () => 0)],
  tensor: [place("numbers", () => [1, 2]), options],
  full: [shape, place("operand", () => 1), options],
  arange: [place("finite", () => 0), place("stop", () => 5), optional("finite"), options],
  linspace: [place("finite", () => 0), place("finite", () => 5), optional("count"), options],
  eye: [count, optional("count"), options],
  grad: [place("function", loss), options],
  valueAndGrad: [place("function", loss), options],
  valueAndGradAux: [place("function", loss), options],
  vjp: [place("function", loss), place("list", () => [x()]), place("any", () => 1)],
  vjpAux: [place("function", () => (v: weft.Tensor) => [weft.square(v).sum(), v]), place("list", () => [x()]), place("any", () => 1)],
  jvp: [place("function", loss), place("list", () => [x()]), place("any", () => [x()])],
  linearize: [place("function", loss), place("list", () => [x()])],
  "linearize()": [place("any", x)],
  ...Object.fromEntries(["jacfwd", "jacrev", "hessian"].map((name) => [name, [place("function", loss), options]])),
  // Axes are seen when it is called.
  vmap: [place("function", loss), place("any", () => 0), optional("any")],
  "jacrev()": [operand, optional("any")],
  "vmap()": [operand, optional("any")],
  stopGradient: [place("any", x)],
  checkpoint: [place("function", loss)],
  customVjp: [place("function", loss), place("function", loss), place("function", loss)],
  customJvp: [place("function", loss), place("function", loss)],
  "checkpoint()": [operand, optional("any")],
  einsum: [place("text", () => "ij->ji"), operand],
  tensordot: [operand, operand, optional("axesOfBoth", () => 1)],
  conv: [place("operand", () => [[[1, 2, 3]]]), place("operand", () => [[[1, 2]]]), options],
  convTranspose: [place("operand", () => [[[1, 2, 3]]]), place("operand", () => [[[1, 2]]]), options],
  reduceWindow: [operand, place("text", () => "max"), shape, options],
  averageWindow: [operand, shape, options],
  ...Object.fromEntries(
    [1, 2, 3].flatMap((n) => {
      const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
      const sliding = [place("operand", () => nested(n + 2)), place("operand", () => nested(n + 2)), options];
      // Of the extents of a window a number or a list may stand there.
      const pooling = [place("operand", () => nested(n + 2)), place("any", () => 1), options];
      return [
        [`nn.conv${n}d`, sliding],
        [`nn.convTranspose${n}d`, sliding],
        [`nn.maxPool${n}d`, pooling],
        [`nn.avgPool${n}d`, pooling],
      ];
    }),
  ),
  convolve: [place("operand", () => [1, 2]), place("operand", () => [1, 2]), optional("text", () => "same")],
  correlate: [place("operand", () => [1, 2]), place("operand", () => [1, 2]), optional("text", () => "same")],
  topK: [operand, place("count", () => 1), optional("axis")],
  percentile: [operand, place("operand", () => 50), axes, options],
  nanpercentile: [operand, place("operand", () => 50), axes, options],
  uniqueWithSize: [operand, count, options],
  ...Object.fromEntries(["uniqueValues", "uniqueCounts", "uniqueInverse", "uniqueAll"].map((name) => [name, [operand, options]])),
  associativeScan: [place("function", () => (a: weft.Tensor, b: weft.Tensor) => weft.add(a, b)), place("any", x), options],
  meshgrid: [place("any", () => [1, 2]), place("any", () => [1, 2])],
  unstack: [operand, optional("axis")],
  arraySplit: [operand, place("wholes", () => 2), optional("axis")],
  select: [place("list", () => [true]), place("list", () => [1]), optional("operand", () => 0)],
  fromFunction: [place("function", () => () => tensor(1)), shape],
  ...Object.fromEntries("divmod ldexp nextafter floatPower logAddExp2 gcd lcm polyadd polysub polymul polydiv append".split(" ").map((name) => [name, [place("operand", () => (whole.includes(name) ? Int32Array.of(4, 6) : [1, 2])), place("operand", () => (whole.includes(name) ? Int32Array.of(2, 3) : [1, 2])), ...(name === "append" ? [optional("axis")] : [])]])),
  ...Object.fromEntries("modf frexp isposinf isneginf flipud fliplr matrixTranspose atLeast1d atLeast2d atLeast3d".split(" ").map((name) => [name, [operand]])),
  bitwiseCount: [place("operand", () => Int32Array.of(1, 2))],
  polyder: [place("operand", () => [1, 2, 3]), optional("count")],
  polyint: [place("operand", () => [1, 2, 3]), optional("count"), optional("operand")],
  polyfit: [place("operand", () => [0, 1, 2]), place("operand", () => [1, 3, 5]), place("count", () => 1), optional("bound", () => [1, 1, 1])],
  poly: [place("operand", () => [1, 2])],
  insert: [operand, place("any", () => 1), place("operand", () => 9), optional("axis")],
  remove: [operand, place("any", () => 1), optional("axis")],
  ...Object.fromEntries(["hsplit", "vsplit"].map((name) => [name, [operand, place("parts", () => 2)]])),
  dsplit: [place("operand", () => [[[1, 2]]]), place("parts", () => 2)],
  broadcastShapes: [shape, shape],
  broadcastArrays: [operand, operand],
  ediff1d: [operand, options],
  resize: [operand, shape],
  block: [place("list", () => [1, 2])],
  tri: [count, optional("count"), optional("any")],
  diagIndices: [count, optional("count")],
  ...Object.fromEntries(["trilIndices", "triuIndices"].map((name) => [name, [count, optional("any"), optional("count")]])),
  unravelIndex: [place("operand", () => Int32Array.of(0, 1)), shape],
  ravelMultiIndex: [place("list", () => [0, 1]), shape],
  applyAlongAxis: [place("function", () => (line: weft.Tensor) => line.sum()), axis, operand],
  applyOverAxes: [place("function", () => (v: weft.Tensor, along: number) => v.sum(along)), operand, { ...axes, right: () => 0 }],
  average: [operand, axes, options],
  ...Object.fromEntries(["cumulativeSum", "cumulativeProd"].map((name) => [name, [operand, optional("axis"), options]])),
  diff: [operand, optional("count"), optional("axis"), options],
  ...Object.fromEntries(["nancumsum", "nancumprod"].map((name) => [name, [operand, optional("axis")]])),
  digitize: [operand, place("operand", () => [1, 2]), optional("any")],
  putAlongAxis: [operand, place("operand", () => Int32Array.of(0, 1)), operand, optional("axis"), options],
  piecewise: [operand, place("list", () => [true]), place("list", () => [1]), optional("any", () => 0)],
  finfo: [optional("any", () => "f32")],
  iinfo: [place("any", () => "i32")],
  resultType: [place("any", () => "f32"), place("any", () => "i32")],
  promoteTypes: [dtype, dtype],
  canCast: [place("any", () => "f32"), dtype],
  isDType: [dtype, place("any", () => "bool")],
  ...Object.fromEntries("l2Loss l1Loss logCosh".split(" ").map((name) => [`nn.${name}`, [operand, { ...operand, optional: true }]])),
  ...Object.fromEntries("hingeLoss sigmoidCrossEntropy softmaxCrossEntropy safeSoftmaxCrossEntropy klDivergence convexKlDivergence poissonLoss".split(" ").map((name) => [`nn.${name}`, [operand, operand]])),
  ...Object.fromEntries("cosineSimilarity cosineDistance focalLoss".split(" ").map((name) => [`nn.${name}`, [operand, operand, optional("finite")]])),
  "nn.tripletLoss": [operand, operand, operand, optional("finite")],
  ...Object.fromEntries("log1mexp sparsePlus sparseSigmoid".split(" ").map((name) => [`nn.${name}`, [operand]])),
  "random.poisson": [place("any", () => random.key(1)), operand, optional("shape")],
  "random.doubleSidedMaxwell": [place("any", () => random.key(1)), optional("operand"), optional("operand"), optional("shape")],
  explain: [place("function", loss), place("any", x)],
  precompile: [place("function", loss), place("any", x)],
  labelRuns: [count],
  explainRuns: [count],
  jit: [place("function", loss), options],
  "jit()": [operand, operand],
  "grad()": [operand, optional("any")],
  scan: [place("function", () => (state: unknown) => [state, state]), place("any", x), place("any", x), options],
  forLoop: [place("finite", () => 0), place("finite", () => 2), place("function", () => (_: unknown, state: unknown) => state), place("any", x), options],
  whileLoop: [place("function", () => () => tensor(false)), place("function", () => (state: unknown) => state), place("any", x), options],
  cond: [operand, place("function", () => itself), place("function", () => itself), place("any", x)],
  switchCase: [place("operand", () => 0), place("list", () => [itself]), place("any", x)],
  tidy: [place("function", () => () => 1)],
  keep: [place("kept", x)],
  realize: [optional("tensor", x), optional("tensor", x)],
  memory: [],
  stats: [],
  resetPeak: [],
  deviceInfo: [],
  synchronize: [],
  throttle: [],
  preload: [],
  "random.key": [place("seed", () => 1)],
  "random.seed": [place("seed", () => 0)],
  "random.split": [place("tensor", () => random.key(1)), optional("count")],
  "random.foldIn": [place("tensor", () => random.key(1)), place("seed", () => 1)],
  "random.bits": [shape],
  "random.uniform": [shape, options],
  "random.normal": [shape, options],
  "random.randint": [shape, place("finite", () => 0), place("finite", () => 9), optional("dtype")],
  "random.bernoulli": [shape, optional("operand", () => 0.5)],
  ...Object.fromEntries(["idx", "npy", "npz", "safetensors"].map((name) => [`data.${name}`, [place("bytes", () => new Uint8Array(4)), ...(/idx|npz/.test(name) ? [options] : [])]])),
  "data.toNpy": [place("tensor", x)],
  ...Object.fromEntries(["toNpz", "npzStream", "toSafetensors"].map((name) => [`data.${name}`, [place("tree", () => ({ x: x() })), ...(name === "toSafetensors" ? [options] : [])]])),
  gpuDevice: [],
  "data.image": [place("any", () => ({ width: 1, height: 1, data: Uint8Array.of(1, 2, 3, 4) })), options],
  "data.fromGPUBuffer": [place("any", () => ({})), shape, options],
  "data.toGPUBuffer": [place("tensor", x), options],
  "data.csv": [place("table", () => "a\n1"), options],
  "random.permutation": [place("any", () => random.key(1)), operand, options],
  "random.choice": [place("any", () => random.key(1)), operand, optional("shape"), options],
  "data.batches": [place("list", () => [[1, 2]]), options],
  "data.batchCount": [count, options],
  ...Object.fromEntries(rules.map((name) => [`optim.${name}`, [place("parameters", () => new weft.Parameter(1)), options]])),
  treeMap: [place("function", () => (leaf: unknown) => leaf), place("any", x), optional("any")], treeLeaves: [place("any", x)],
  "optim.globalNorm": [place("tree", x)],
  ...Object.fromEntries(["clipByGlobalNorm", "clipByValue"].map((name) => [`optim.${name}`, [place("tree", x), place("finite", () => 1)]])),
  "optim.accumulate": [place("tree", x), place("tree", x)],
  "optim.schedule.constant": [place("finite", () => 1)],
  "optim.schedule.linear": [place("finite", () => 1), place("finite", () => 1), count],
  "optim.schedule.polynomial": [place("finite", () => 1), place("finite", () => 1), count, optional("finite")],
  "optim.schedule.cosine": [place("finite", () => 1), count, options],
  "optim.schedule.exponential": [place("finite", () => 1), place("finite", () => 1), optional("count"), options],
  "optim.schedule.warmup": [place("finite", () => 1), count, optional("function")],
  "optim.schedule.piecewise": [place("finite", () => 1), place("list", () => [2]), place("list", () => [0.5]), options],
  "optim.schedule.oneCycle": [place("finite", () => 1), count, options],
  "optim.schedule.join": [place("list", () => [(step: number) => step]), place("list", () => [])],
  "random.state": [],
  "random.restore": [place("list", () => [0, 1, 2, 3])],
  "canvas.draw": [operand, place("canvas", () => ({ getContext: () => null, width: 1, height: 1 })), options],
  "canvas.release": [place("any", () => ({}))],
  "tune.log": [],
  "tune.race": [],
  "tune.optimising": [],
  "tune.export": [],
  // On the CPU no text is one of winners.
  "tune.import": [place("winners", () => "")],
  "nn.dropout": [place("tensor", x), place("finite", () => 0.5), optional("tensor")],
  "nn.initial.uniformWithin": [shape, place("finite", () => 1)],
  "nn.initial.kaimingUniform": [shape],
  "nn.initial.kaimingNormal": [shape],
  "nn.initial.xavierUniform": [shape],
  "nn.initial.xavierNormal": [shape],
  "nn.scaledDotProductAttention": [place("tensor", x), place("tensor", x), place("tensor", x), options],
  "nn.rotary": [place("tensor", x), options],
  ...Object.fromEntries(["layerNorm", "rmsNorm"].map((name) => [`nn.${name}`, [operand, place("any", () => 2), options]])),
  "nn.groupNorm": [operand, place("count", () => 1), options],
  "nn.batchNorm": [operand, options],
  "nn.sinusoidal": [count, place("count", () => 2)],
  ...Object.fromEntries(["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"].map((name) => [`fft.${name}`, [operand, optional("count"), optional("axis"), optional("text", () => "ortho")]])),
  "fft.stft": [operand, options],
  "fft.istft": [place("any", () => new weft.Complex([[1, 1], [1, 1]])), options],
  "linalg.tensorsolve": [operand, place("operand", () => [1, 2]), axes],
  "linalg.tensorinv": [operand, optional("count", () => 1)],
  mapCoordinates: [operand, place("operand", () => [[0], [1]]), optional("count", () => 1), optional("text", () => "wrap"), optional("number", () => 0)],
  rankData: [operand, optional("text", () => "min"), optional("axis", () => 0)],
  cdist: [operand, operand, optional("number", () => 2)],
  pdist: [operand, optional("number", () => 2)],
  ...Object.fromEntries(["fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2"].map((name) => [`fft.${name}`, [operand, optional("shape"), axes, optional("text", () => "ortho")]])),
};

/** An extent, or several. */
const extents = place("operand", () => [2]);
/** Layers that are made of nothing. */
const activations = ["SiLU", "Mish", "SELU", "ReLU6", "HardSigmoid", "HardSiLU", "HardTanh", "SoftSign", "LogSigmoid", "Softplus", "Identity"] as const;
const functions = ["silu", "mish", "selu", "relu6", "hardSigmoid", "hardSilu", "hardTanh", "softSign", "logSigmoid", "softplus", "Identity"];

/** Classes are called with `new`; a layer's `forward` after it. */
export const classes: Record<string, readonly Place[]> = {
  Parameter: [operand],
  Complex: [operand, { ...operand, optional: true }],
  "nn.Linear": [count, count, options],
  ...Object.fromEntries(
    [1, 2, 3].flatMap((n) => [
      [`nn.Conv${n}d`, [count, count, place("any", () => 1), options]],
      [`nn.ConvTranspose${n}d`, [count, count, place("any", () => 1), options]],
      [`nn.MaxPool${n}d`, [place("any", () => 1), options]],
      [`nn.AvgPool${n}d`, [place("any", () => 1), options]],
    ]),
  ),
  "nn.Dropout": [optional("finite")],
  "nn.Softmax": [optional("axis")],
  "nn.LogSoftmax": [optional("axis")],
  "nn.Sequential": [optional("layer", () => new nn.ReLU()), optional("layer", () => new nn.ReLU())],
  "nn.Buffer": [operand],
  "optim.Average": [place("parameters", () => new weft.Parameter(1)), optional("finite")],
  "nn.LayerNorm": [extents, options],
  "nn.RMSNorm": [extents, options],
  "nn.GroupNorm": [place("count", () => 1), count, options],
  "nn.BatchNorm": [count, options],
  "nn.InstanceNorm": [count, options],
  "nn.Embedding": [count, count],
  ...Object.fromEntries(["RNNCell", "LSTMCell", "GRUCell", "RNN", "LSTM", "GRU"].map((name) => [`nn.${name}`, [count, count, options]])),
  "nn.MultiheadAttention": [count, place("count", () => 1), options],
  "nn.TransformerBlock": [count, place("count", () => 1), options],
  "nn.KeyValueCache": [count, count, count, count],
  ...Object.fromEntries(activations.map((name) => [`nn.${name}`, []])),
  ...Object.fromEntries(["ELU", "CELU", "LeakyReLU"].map((name) => [`nn.${name}`, [optional("finite")]])),
  "nn.GLU": [optional("axis")],
  "nn.PReLU": [optional("count"), optional("finite")],
};

/** What can be called of objects, with the places of the call. */
const members: Record<string, readonly [make: () => object, method: string, places: readonly Place[]]> = {
  "Tensor.explain": [x, "explain", []],
  "Parameter.assign": [() => new weft.Parameter(x()), "assign", [operand]],
  "Optimizer.step": [() => optim.sgd(new weft.Parameter(x())), "step", [place("tree", x), optional("tree")]],
  "Module.train": [() => new nn.ReLU(), "train", [optional("flag")]],
  "At.set": [() => x().at(0), "set", [operand]],
  "At.add": [() => x().at(0), "add", [operand]],
  "At.min": [() => x().at(0), "min", [operand]],
  "At.max": [() => x().at(0), "max", [operand]],
  "At.get": [() => x().at(0), "get", []],
  ...Object.fromEntries(["sub", "mul", "div", "pow"].map((way) => [`At.${way}`, [() => x().at(0), way, [operand]] as const])),
  ...Object.fromEntries(["and", "or", "xor"].map((way) => [`At.${way}`, [() => x().cast("i32").at(0), way, [operand]] as const])),
  "ArrayFile.tensor": [() => data.idx(Uint8Array.of(0, 0, 8, 1, 0, 0, 0, 1, 7)), "tensor", [options]],
  ...Object.fromEntries(
    (["ReLU", "GELU", "Tanh", "Sigmoid", "Softmax", "LogSoftmax", "Flatten", "Dropout", "Sequential"] as const).map((layer) => [
      `${layer}.forward`,
      [() => (layer === "Sequential" ? new nn.Sequential(new nn.Tanh()) : new nn[layer]()), "forward", [place("operand", x)]] as const,
    ]),
  ),
  "Linear.forward": [() => new nn.Linear(2, 3), "forward", [place("operand", x)]],
  ...Object.fromEntries(
    ([...activations, "ELU", "CELU", "LeakyReLU", "GLU", "PReLU"] as const).map((layer) => [`${layer}.forward`, [() => new nn[layer](), "forward", [place("operand", x)]] as const]),
  ),
  "LayerNorm.forward": [() => new nn.LayerNorm(2), "forward", [place("tensor", x)]],
  "RMSNorm.forward": [() => new nn.RMSNorm(2), "forward", [place("tensor", x)]],
  "GroupNorm.forward": [() => new nn.GroupNorm(1, 2), "forward", [place("tensor", x)]],
  "BatchNorm.forward": [() => new nn.BatchNorm(2), "forward", [place("tensor", x)]],
  "Embedding.forward": [() => new nn.Embedding(2, 2), "forward", [place("index", () => 1)]],
  "GRUCell.step": [() => new nn.GRUCell(2, 2), "step", [place("tensor", x), place("tensor", x)]],
  "LSTMCell.forward": [() => new nn.LSTMCell(2, 2), "forward", [place("tensor", x)]],
  "GRU.run": [() => new nn.GRU(2, 2), "run", [place("tensor", x), optional("list", () => undefined)]],
  "LSTM.forward": [() => new nn.LSTM(2, 2), "forward", [place("tensor", x)]],
  "MultiheadAttention.forward": [() => new nn.MultiheadAttention(2, 1), "forward", [place("tensor", () => x().reshape([1, 2, 2])), options]],
  "TransformerBlock.forward": [() => new nn.TransformerBlock(2, 1), "forward", [place("tensor", () => x().reshape([1, 2, 2])), options]],
  "Module.loadStateDict": [() => new nn.BatchNorm(2), "loadStateDict", [place("tree", () => new nn.BatchNorm(2).stateDict()), options]],
  "Conv1d.forward": [() => new nn.Conv1d(2, 3, 1), "forward", [place("operand", x)]],
  "ConvTranspose1d.forward": [() => new nn.ConvTranspose1d(2, 3, 1), "forward", [place("operand", x)]],
  "MaxPool1d.forward": [() => new nn.MaxPool1d(1), "forward", [place("operand", x)]],
  "AvgPool1d.forward": [() => new nn.AvgPool1d(1), "forward", [place("operand", x)]],
};

/** Under which other names a function refuses: it is made of those, or its options are theirs. */
const aliases: Record<string, readonly string[]> = {
  isnan: ["isNan"],
  isfinite: ["isFinite"],
  "special.expit": ["sigmoid"],
  expand: ["broadcastTo"],
  transpose: ["permute"],
  mseLoss: ["sub", "square", "mean"],
  crossEntropy: ["logSoftmax", "mul", "sum", "neg", "mean"],
  repeat: ["searchSorted", "take"],
  correlate: ["flip", "convolve"],
  topK: ["argsort", "slice", "takeAlongAxis"],
  percentile: ["quantile", "mul"],
  nanpercentile: ["nanquantile", "mul"],
  uniqueWithSize: ["unique.values"],
  ...Object.fromEntries(["uniqueValues", "uniqueCounts", "uniqueInverse", "uniqueAll"].map((name) => [name, ["unique"]])),
  bincount: ["segmentSum", "reshape", "broadcastTo"],
  histogram: ["reshape", "broadcastTo", "searchSorted", "segmentSum"],
  ...Object.fromEntries(["histogramBinEdges", "histogramdd", "histogram2d"].map((name) => [name, [name, "histogram", "broadcastTo"]])),
  intersect1dIndices: ["intersect1dIndices", "intersect1d"],
  ...Object.fromEntries(["flatNonzero", "argwhere", "nonzero", "compress", "extract"].map((name) => [name, ["notEqual", "take"]])),
  associativeScan: ["tree", "add", "slice"],
  "random.permutation": ["arange"],
  "random.choice": ["arange"],
  full: ["broadcastTo"],
  meshgrid: ["reshape", "broadcastTo"],
  unstack: ["slice"],
  arraySplit: ["split", "slice"],
  select: ["where"],
  fromFunction: ["tidy", "indices", "slice", "unstack"],
  at: ["at.add"],
  vjp: ["square", "tree"],
  vjpAux: ["square", "tree", "vjp"],
  ...Object.fromEntries(["treeMap", "treeLeaves"].map((name) => [name, [name, "tree"]])), jvp: ["square", "tree", "tensor"],
  linearize: ["square", "tree"],
  "linearize()": ["linearize", "tree", "tensor"],
  "checkpoint()": ["sum", "grad", "tree"],
  "jacrev()": ["sum", "jacrev", "grad", "tree"],
  "vmap()": ["square", "vmap", "tree"],
  stopGradient: ["tree"],
  scan: ["tree"],
  forLoop: ["tree"],
  whileLoop: ["tree"],
  cond: ["tree", "cast"],
  switchCase: ["tree"],
  explain: ["square", "tree", "jit"],
  precompile: ["square", "tree", "jit", "zeros"],
  "jit()": ["square", "tree"],
  "grad()": ["sum", "grad", "tree"],
  "canvas.draw": ["draw"],
  ...Object.fromEntries(["idx", "npy", "npz", "safetensors", "toNpy", "toNpz", "npzStream", "toSafetensors", "csv", "image", "fromGPUBuffer", "toGPUBuffer"].map((name) => [`data.${name}`, [name]])),
  "data.batches": ["batches", "take", "slice"],
  "data.batchCount": ["batchCount"],
  ...Object.fromEntries([...rules, "globalNorm", "clipByGlobalNorm", "clipByValue", "accumulate"].map((name) => [`optim.${name}`, [name, "globalNorm", "square", "mul", "clip", "add", "tree"]])),
  ...Object.fromEntries(["constant", "linear", "polynomial", "cosine", "exponential", "warmup", "join", "piecewise", "oneCycle"].map((name) => [`optim.schedule.${name}`, [`schedule.${name}`, "schedule.polynomial", "schedule.constant", "schedule.join", "schedule.piecewise"]])),
  "nn.dropout": ["dropout", "random.bernoulli"],
  Parameter: ["parameter"],
  "Parameter.assign": ["assign"],
  "Optimizer.step": ["step", "sgd", "tree"],
  "Module.train": ["train"],
  "At.set": ["at.set"],
  "At.add": ["at.add"],
  "At.min": ["at.min"],
  "At.max": ["at.max"],
  "At.get": ["take", "at.get"],
  ...Object.fromEntries("sub mul div pow and or xor".split(" ").map((way) => [`At.${way}`, [`at.${way}`]])),
  "ArrayFile.tensor": ["tensor"],
  "ReLU.forward": ["relu"],
  "GELU.forward": ["gelu"],
  "Tanh.forward": ["tanh"],
  "Sigmoid.forward": ["sigmoid"],
  "Softmax.forward": ["softmax"],
  "LogSoftmax.forward": ["logSoftmax"],
  "Flatten.forward": ["Flatten", "reshape"],
  "Dropout.forward": ["Dropout", "dropout", "random.bernoulli"],
  "Sequential.forward": ["tanh"],
  "Linear.forward": ["Linear"],
};
for (const name of "l2Loss l1Loss logCosh hingeLoss sigmoidCrossEntropy softmaxCrossEntropy safeSoftmaxCrossEntropy smoothLabels ctcLoss ntxent convexKlDivergence klDivergence poissonLoss cosineSimilarity cosineDistance focalLoss tripletLoss log1mexp sparsePlus sparseSigmoid".split(" ")) aliases[`nn.${name}`] = [name];
Object.assign(aliases, { applyAlongAxis: ["vmap", "sum"], applyOverAxes: ["sum"], piecewise: ["select", "where", "tidy"] });
activations.forEach((name, n) => (aliases[`${name}.forward`] = [functions[n] as string]));
for (const name of ["ELU", "CELU", "LeakyReLU", "GLU", "PReLU"]) aliases[`${name}.forward`] = [name, name.toLowerCase(), "leakyRelu", "less"];
for (const name of ["GRUCell.step", "LSTMCell.forward", "GRU.run", "LSTM.forward"]) aliases[name] = [name.split(".")[0] as string, name.startsWith("GRU") ? "GRUCell" : "LSTMCell", "matmul", "split", "add", "scan", "tree"];
for (const name of ["layerNorm", "rmsNorm", "groupNorm", "batchNorm", "rotary", "sinusoidal", "scaledDotProductAttention"]) aliases[`nn.${name}`] = [name];
for (const name of ["BatchNorm", "Embedding", "GRU", "GRUCell", "GroupNorm", "InstanceNorm", "KeyValueCache", "LSTM", "LSTMCell", "LayerNorm", "MultiheadAttention", "RMSNorm", "RNN", "RNNCell", "TransformerBlock", "PReLU", "ELU", "CELU", "LeakyReLU", "GLU"]) {
  aliases[`nn.${name}`] = [name, `${name}Cell`, "Linear", "zeros", "ones", "full", "random.normal", "uniformWithin"];
}
Object.assign(aliases, {
  "nn.Buffer": ["parameter"],
  "optim.Average": ["Average"],
  "Embedding.forward": ["Embedding"],
  "MultiheadAttention.forward": ["MultiheadAttention", "scaledDotProductAttention"],
  "TransformerBlock.forward": ["TransformerBlock", "MultiheadAttention", "LayerNorm"],
  "Module.loadStateDict": ["loadStateDict", "tensor"],
  "LayerNorm.forward": ["LayerNorm"],
  "RMSNorm.forward": ["RMSNorm"],
  "GroupNorm.forward": ["GroupNorm"],
  "BatchNorm.forward": ["BatchNorm"],
});
for (const name of ["uniformWithin", "kaimingUniform", "kaimingNormal", "xavierUniform", "xavierNormal"]) {
  aliases[`nn.initial.${name}`] = [name, "random.uniform", "random.normal"];
}
for (const n of [1, 2, 3]) {
  const made = ["conv", "convTranspose", "add", "reshape", "squeeze", "expandDims"];
  for (const name of [`conv${n}d`, `convTranspose${n}d`]) {
    aliases[`nn.${name}`] = [name, ...made];
    aliases[`${name[0]?.toUpperCase()}${name.slice(1)}.forward`] = [name, ...made];
  }
  for (const name of [`maxPool${n}d`, `avgPool${n}d`]) {
    const made = [name, "reduceWindow", "averageWindow", "squeeze", "expandDims"];
    aliases[`nn.${name}`] = made;
    aliases[`${name[0]?.toUpperCase()}${name.slice(1)}.forward`] = made;
    aliases[`nn.${name[0]?.toUpperCase()}${name.slice(1)}`] = [`${name[0]?.toUpperCase()}${name.slice(1)}`];
  }
}
const convolutions = [1, 2, 3].flatMap((n) => [`Conv${n}d`, `ConvTranspose${n}d`]);
for (const name of [...convolutions, "Linear", "Dropout", "Softmax", "LogSoftmax", "Sequential"]) {
  aliases[`nn.${name}`] = [name, "random.uniform", "uniformWithin", "kaimingUniform"];
}

for (const name of ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2"]) aliases[`fft.${name}`] = ["fft"];
aliases["Complex"] = ["add", "mul"];
export const namespaces: Record<string, object> = { "optim.schedule": optim.schedule, linalg: weft.linalg, special: weft.special, fft: weft.fft, random, data, nn, optim, canvas, tune, "nn.initial": nn.initial };

function find(name: string): (...args: unknown[]) => unknown {
  const dot = name.lastIndexOf(".");
  return ((dot < 0 ? weft : namespaces[name.slice(0, dot)]) as Record<string, Subject["call"]>)[name.slice(dot + 1)] as never;
}
const opsOf = (name: string): string[] => [name, ...(aliases[name] ?? []), "tensor"];

/** What says no more than where something is refuses when that is used. */
const calls: Record<string, Subject["call"]> = {
  // What a tree holds besides tensors is passed on as it is.
  ...Object.fromEntries(["forLoop", "whileLoop", "cond", "switchCase"].map((name) => [name, (...args: unknown[]) => [find(name)(...args)]])),
  "jit()": (...args) => weft.jit((...trees: unknown[]) => trees.map((tree) => weft.square(tree as weft.Operand)))(...args),
  "linearize()": (...args) => weft.linearize((v: weft.Tensor) => v.square(), [x()])[1](...args),
  // It gives back what is no tensor as it is, which the test need not look at.
  stopGradient: (tree) => void weft.stopGradient(tree),
  "checkpoint()": (...args) => weft.grad(weft.checkpoint((...trees: unknown[]) => weft.sum(trees[0] as weft.Operand)))(...args),
  "jacrev()": (...args) => weft.jacrev((...trees: unknown[]) => weft.sum(trees[0] as weft.Operand))(...args),
  "vmap()": (...args) => weft.vmap((...trees: unknown[]) => trees.map((tree) => weft.square(tree as weft.Operand)))(...args),
  "grad()": (...args) => weft.grad((...trees: unknown[]) => weft.sum(trees[0] as weft.Operand))(...args),
  at: (x, indices) => weft.at(x as weft.Tensor, indices as weft.Operand).add(1),
};

export const subjects: Subject[] = [
  ...Object.entries(everywhere).map(([name, places]): Subject => ({ name, call: calls[name] ?? find(name), ops: opsOf(name), places })),
  ...Object.entries(classes).map(([name, places]): Subject => {
    const Class = find(name) as unknown as new (...args: unknown[]) => unknown;
    return { name: `new ${name}`, call: (...args) => new Class(...args), ops: [...opsOf(name), name.slice(name.lastIndexOf(".") + 1)], places };
  }),
  ...Object.entries(members).map(([name, [make, method, places]]): Subject => {
    const call = (...args: unknown[]) => (make() as Record<string, (...args: unknown[]) => unknown>)[method]?.(...args);
    return { name, call, ops: [...opsOf(name), ...name.split(".")], places };
  }),
];

/** As methods: what takes the tensor it acts on first. */
export const asMethods = (): Subject[] =>
  subjects
    .filter(({ name }) => name in everywhere && name in weft.Tensor.prototype && name !== "keep")
    .map(({ name, ops, places }) => {
      const method = (x() as unknown as Record<string, Subject["call"]>)[name]!;
      const call: Subject["call"] = name === "at" ? (i) => x().at(i as weft.Operand).add(1) : (...args) => method.call(x(), ...args);
      return { name: `x.${name}`, call, ops, places: places.slice(1) };
    });
