// Names of other libraries and languages, and how what they mean is written here.

import { BUILTINS, each, saidOfPlain } from "./builtins";
import { assignedIn } from "./undeclared";

/** How weights become a file, and come out of one. */
const WRITTEN = 'download({ "model.safetensors": await data.toSafetensors(model.stateDict()) })';
const READ = 'model.loadStateDict(data.safetensors(await file("model.safetensors")).tensors)';

const OPTIONS = ["padding", "stride", "dilation", "groups", "bias", "lr", "learning_rate", "bins", "dtype", "figsize", "cmap", "kernel_size"];
const AXES = ["axis", "dim", "keepdims"];
const AXIS = "Arguments have no names in JavaScript: t.sum(0) is the sum along the first axis, and options are an object, as in t.sum(0, { keepdims: true }).";

const ELSEWHERE: Readonly<Record<string, string>> = {
  ...BUILTINS,
  ...each(["np", "numpy", "jnp", "jax", "torch", "tf"], (name) => `There is no ${name} here: functions have no prefix, as in zeros([3]) and sin(x). F1 lists them.`),
  plt: "Plots are functions: plot(x, y), scatter(x, y), hist(x), bars(names, values). F1 lists them.",
  pd: 'Drop a CSV on the page, or read one: data.csv(await file("table.csv")).',
  ...each(["F", "nn.functional", "functional"], () => "Functions of layers are in nn itself: nn.relu(x), nn.softmax(x, -1), nn.crossEntropy(logits, labels)."),
  ...each(["cv2", "PIL", "Image", "skimage"], () => 'Pictures are read by data.image(await file("photo.png")), made smaller or larger by resizeImage(x, shape), and shown by image(x).'),
  ...each(["figure", "subplot", "subplots", "legend", "title", "xlabel", "ylabel", "xlim", "ylim", "set_title", "set_xlabel", "set_ylabel", "set_xlim", "set_ylim", "suptitle"], (name) => `A plot takes its ${/^(?:set_)?[xy]/.test(name) ? "axes" : name.startsWith("sub") ? "parts" : "words"} as options: plot(x, { loss: y, other: z }, { title: "Loss", x: "step", y: "loss", domain: [0, 10], range: [0, 1] })${name.startsWith("sub") ? "; facet draws one beside another" : ""}. Names of series are its legend.`),
  ...each(["loglog", "semilogy", "semilogx"], (name) => `A logarithmic axis is an option: plot(x, y, { log: "${name === "loglog" ? "xy" : name.at(-1)!}" }).`),
  colorbar: "heatmap, contour and scatter with { color: z } show their scale by themselves; { label: \"height\" } names that of contour and scatter.",
  ...each(["axhline", "axvline", "hlines", "vlines"], (name) => `A line at a value is another series: plot(x, { y, level: full(x.shape, 0.5) })${/^axv|^v/.test(name) ? "; one upwards is plot([0.5, 0.5], [low, high])" : ""}.`),
  ...each(["errorbar", "fill_between", "fillBetween"], () => "Bounds are series of their own: plot(x, { low: y - s, y, high: y + s })."),
  ...each(["contourf", "tricontourf"], () => "Contours are contour(z, { filled: true }), or contour(f, [0, 1], [0, 1])."),
  ...each(["pcolormesh", "pcolor", "matshow"], () => "A tensor is shown as colours with a scale by heatmap(t)."),
  ...each(["boxplot", "violinplot"], () => "Boxes are box({ before: x, after: y })."),
  ...each(["barh", "countplot", "barplot"], (name) => (name === "barh" ? "Bars are bars(names, values, { horizontal: true })." : "Bars are drawn by bars(names, values).")),
  ...each(["histplot", "hist2d", "kdeplot"], (name) => (name === "hist2d" ? "Points of two tensors are counted where there are many: scatter(x, y)." : "A histogram is hist(x, 40).")),
  ...each(["lineplot", "scatterplot"], (name) => (name === "lineplot" ? "Lines are plot(x, y)." : "Points are scatter(x, y, { color: group }).")),
  ...each(["grid", "tight_layout", "xticks", "yticks", "style", "rcParams"], () => "A plot draws its grid and places its marks by itself: leave the line out."),
  ...each(["plot.scatter", "plot.hist", "plot.bar", "plot.plot", "plot.show"], () => "Plots are functions of their own: plot(x, y), scatter(x, y), hist(x), bars(names, values)."),
  ...each(["sleep", "wait"], () => "Write await new Promise((resolve) => setTimeout(resolve, 100)), or await nextFrame() for the next frame of the screen."),
  ...each(["random.shuffle", "random.sample", "random.choices"], (name) => (name === "random.shuffle" ? "The elements in random order are random.permutation(x): tensors and arrays stay as they are." : "Elements picked at random are random.choice(x, [3]); each at most once with { replace: false } behind the shape.")),
  ...each(["random.integers", "random.randrange", "random.random_integers"], () => "Whole numbers are random.randint([3], 0, 10): a shape, the least, and the number to stay below."),
  ...each(["random.default_rng", "random.RandomState", "random.Generator", "random.manual_seed", "random.set_seed", "random.PRNGKey", "manual_seed", "set_seed", "PRNGKey", "default_rng"], () => "Draws repeat after random.seed(1); a key of its own is random.key(1), and comes first, as in random.normal(key, [3])."),
  ...each(["random.randn", "random.gauss", "random.standard_normal", "random.normalvariate"], () => "Normal numbers are random.normal([3])."),
  ...each(["random.rand", "random.random", "random.random_sample", "random.ranf"], () => "Uniform numbers are random.uniform([3])."),
  ...each(["data.loader", "DataLoader", "data.DataLoader"], () => "Batches are a loop: for (const [x, y] of data.batches([images, labels], { size: 32 })) { … }"),
  randn: "Normal numbers are random.normal([3]).",
  rand: "Uniform numbers are random.uniform([3]).",
  array: "An array is a tensor here: tensor([1, 2, 3]).",
  imshow: "A tensor is shown as a picture by image(t), as colours with a scale by heatmap(t).",
  show: "The last value of a cell is shown by itself; display(x) shows any other, image(t) a tensor as a picture.",
  bar: "Bars are drawn by bars(names, values).",
  len: "Write x.length of a list, t.shape[0] of a tensor.",
  ...each(["document", "window", "alert", "prompt"], (name) => `Cells run apart from the page and have no ${name}. They show what they compute by display, image, plot, markdown and controls such as slider and text.`),
  ...each(["data.mnist", "data.digits", "data.load", "mnist", "MNIST", "digits", "load_digits"], () => 'Handwritten digits of 8 × 8 pixels are on this site: data.idx(await file("data/digits/train-images-idx3-ubyte.gz")).tensor(), and their labels in data/digits/train-labels-idx1-ubyte.gz.'),
  "nn.CrossEntropyLoss": "A loss is a function: nn.crossEntropy(logits, labels).",
  ...each(["nn.crossEntropyLoss", "nn.nllLoss"], () => "A loss is a function: nn.crossEntropy(logits, labels)."),
  ...each(["optim.SGD", "optim.Adam", "optim.AdamW", "optim.RMSprop", "optim.Adagrad", "optim.LBFGS"], (name) => `An optimizer is made by a function: const optimizer = optim.${name.slice(6).toLowerCase()}(model, { lr: 0.01 }); then optimizer.step(gradients).`),
  ...each(["optim.lr_scheduler"], () => "A rate is a function of the step: optim.schedule.cosine(0.003, 1500), and optimizer.lr = rate(step)."),
  ...each(["nn.utils"], () => "Gradients are clipped by optim.clipByGlobalNorm(gradients, 1)."),
  "nn.MSELoss": "A loss is a function: mseLoss(prediction, target).",
  ...each(["concatenate", "cat", "hstack", "vstack"], () => "Tensors are joined by concat([a, b]) along an axis, by stack([a, b]) along a new one."),
  ...each(["mse", "losses", "loss_fn", "nn.mse", "nn.MSE", "nn.l2Loss"], () => "The mean squared error is nn.mseLoss(prediction, target); the other losses are in nn as well."),
  ...each(["fit", "train", "lstsq", "polyfit", "regression", "linearRegression"], (name) => (name === "lstsq" ? "Least squares are linalg.lstsq(a, b)." : "A line or a plane is fitted by linalg.lstsq(a, b); anything else by valueAndGrad and an optimizer, as in the notebook “A line through your own table”.")),
  ...each(["conv2d", "Conv2d", "Conv2D"], () => "A convolution is nn.conv2d(x, weight) of [batch, features, height, width]; a layer of it, new nn.Conv2d(1, 8, 3)."),
  ...each(["blur", "gaussian", "sobel", "canny", "Canny", "Sobel", "GaussianBlur"], () => "A filter is a few operations, such as a mean of moved copies, or a kernel; the notebook “Image filters” of the gallery has some."),
  ...each(OPTIONS, (name) => `Arguments have no names in JavaScript: options are an object behind the others, as in { ${name}: … }.`),
  label: "Lines have the names of an object: plot(x, { sine: y, cosine: z }).",
  ...each(["end", "sep"], () => "print writes a line with spaces between its values; a text is put together as `${a}, ${b}`."),
  ...each(AXES, () => AXIS),
  ...each(["device", "cuda", "is_available", "mps"], () => "All tensors are on one device; the badge at the top chooses it."),
  ...each(["save", "imwrite", "savefig", "imsave", "png"], () => `Files are offered by download("notes.txt", "a text"), a picture by download("picture.png", t), a model by ${WRITTEN}. Pictures and plots have buttons that save them.`),
  load: `Drop the file on the page: ${READ} reads what data.toSafetensors(model.stateDict()) wrote.`,
  ...each(["accuracy", "accuracy_score"], () => "The share of right guesses is model.forward(x).argmax(1).equal(labels).mean()."),
  ...each(["confusion", "confusionMatrix", "confusion_matrix"], () => "A confusion matrix counts pairs: zeros([10, 10]).at(labels, guesses).add(1); heatmap shows it."),
  ...each(["describe", "dropna", "missing"], () => 'A table shows the types of its columns and how many values are missing. const t = table.tensor(["name", …]) has NaN for those: t.nanmean(0) passes over them, and await extract(t.isfinite().all(1), t) has the rows without.'),
  ...each(["typed", "column"], () => 'A column of a table is table.typed("name"), which plots take; table.tensor(["name", …]) computes with columns of numbers.'),
  backward: "Gradients come from a function: const [loss, gradients] = valueAndGrad((m) => lossOf(m))(model); then optimizer.step(gradients).",
  None: "JavaScript writes null.",
  True: "JavaScript writes true.",
  False: "JavaScript writes false.",
  self: "JavaScript writes this.",
};

/** Methods of other libraries' tensors, and what they are called here. */
const METHODS: Readonly<Record<string, string>> = { plus: "add", minus: "sub", times: "mul", multiply: "mul", subtract: "sub", divide: "div", dividedBy: "div" };
/** Those that are functions or other words here. */
const INSTEAD: Readonly<Record<string, string>> = {
  t: "Write x.transpose().",
  map: "Operations act on all elements: x * 2 + 1, sin(x). vmap(f)(x) calls a function for each part, and (await x.array()).map(f) for the numbers.",
  forEach: "A loop goes over the parts, for (const row of x) { … }, and (await x.array()).forEach(f) over the numbers.",
  reduce: "Write x.sum(), x.prod(), x.max() and others, or scan(f, start, x) for a function of your own.",
  filter: "Write await extract(x > 0, x).",
  find: "Write await nonzero(x > 0) for the places, await extract(x > 0, x) for the values.",
  ...each(["long", "int64"], () => 'Write x.cast("i32").'),
  ...each(["double", "float64"], () => 'Write x.cast("f32").'),
  half: 'Write x.cast("f16").',
  ...each(["bool", "byte"], (name) => `Write x.cast("${name === "bool" ? "bool" : "u8"}").`),
  type: 'The dtype is x.dtype, and x.cast("f32") has another.',
  ravel: "Write x.flatten().",
  ...each(["numel", "nelement"], () => "Write x.size, a property."),
  size: "The shape is x.shape, and x.size the number of elements; both are properties, without ().",
  fill: "Write full(x.shape, 0).",
  get: "Write x[i], or x.at(i, j).get().",
  ...each(["toArray", "toList", "to_list"], () => "Write await x.array()."),
  ...each(["push", "append", "extend"], () => "A tensor never changes: concat([x, y]) is a longer one. Of many values make a list first, and tensor(list) at its end."),
  ...each(["clone", "copy"], () => "A tensor never changes, so that it needs no copy: const b = a."),
  resize: "Pictures are made smaller or larger by resizeImage(x, shape); reshape keeps the elements.",
  ...each(["show", "imshow"], () => "A tensor is shown as a picture by image(t), as colours with a scale by heatmap(t)."),
  plot: "A tensor is drawn by plot(t).",
  save: 'Tensors are written as a file by download({ "x.npy": await data.toNpy(t) }). A picture is saved by download("picture.png", t).',
  conv2d: "A convolution is nn.conv2d(x, weight) of [batch, features, height, width].",
  ...each(["gray", "grayscale"], () => "A grey picture is the mean of its colours: t.mean(-1)."),
  ...each(["requires_grad_", "requiresGrad"], () => "Gradients are of functions: grad(f)(x), and const [loss, gradients] = valueAndGrad((m) => lossOf(m))(model)."),
  ...each(["masked_fill", "where"], () => "A choice by a mask is where(mask, a, b)."),
  ...each(["add_", "sub_", "mul_", "div_", "fill_", "zero_", "copy_"], (name) => `A tensor never changes: write t = ${name === "add_" || name === "sub_" || name === "mul_" || name === "div_" ? `t.${name.slice(0, -1)}(other)` : "with the new one"}.`),
};
/** Methods of modules and optimizers of other libraries. */
const OF_MODELS: Readonly<Record<string, string>> = {
  ...each(["zero_grad", "zeroGrad"], () => "Gradients are values here, and nothing adds up between steps: leave it out."),
  ...each(["backward", "minimize"], () => "Gradients come from a function: const [loss, gradients] = valueAndGrad((m) => lossOf(m))(model); then optimizer.step(gradients)."),
  ...each(["cuda", "cpu", "to"], () => "All tensors are on one device; the badge at the top chooses it."),
  ...each(["state_dict", "get_weights"], () => "The parameters by name are model.stateDict()."),
  ...each(["load_state_dict", "set_weights"], () => "Parameters are taken over by model.loadStateDict(state)."),
  save: `Weights are written as a file by ${WRITTEN}.`,
  load: `Weights come from a file that was dropped on the page: ${READ}.`,
  ...each(["fit", "compile"], () => "Training is a loop: const [loss, gradients] = valueAndGrad((m) => lossOf(m))(model); optimizer.step(gradients)."),
  ...each(["predict", "apply", "call", "__call__"], () => "A module is applied by its forward: model.forward(x)."),
};
/** Methods of numbers, which a tensor has only once it is read. */
const OF_NUMBERS = ["toFixed", "toPrecision", "toLocaleString"];

/** What to write in the place of a call of a member that a tensor lacks. */
function methodMeant(name: string): string | undefined {
  if (OF_NUMBERS.includes(name)) return `The number of a tensor is read first: (await t.item()).${name}(). print rounds by itself.`;
  if (["shape", "dtype", "ndim"].includes(name)) return `${name} is a property: write it without ().`;
  if (Object.hasOwn(INSTEAD, name)) return INSTEAD[name];
  return Object.hasOwn(METHODS, name) ? `Write ${METHODS[name]}(other), or the operator.` : undefined;
}

/** What a name of another library is here, for those who search for it. */
export const meaningOf = (name: string): string | undefined => (Object.hasOwn(ELSEWHERE, name) ? ELSEWHERE[name] : undefined);

/** Names of arguments in other libraries that have an answer of their own. */
const NAMES_OF_ARGUMENTS: ReadonlySet<string> = new Set([...OPTIONS, ...AXES, "label", "end", "sep"]);

/** What to write for a name that does not exist. */
function saidOfUnbound(name: string, line: string): string | undefined {
  const assigned = assignedIn(line, name);
  if (assigned?.kind === "variable") return assigned.say;
  const meaning = meaningOf(name);
  return assigned && !NAMES_OF_ARGUMENTS.has(name) ? 'Arguments have no names in JavaScript: they go by position, and options are an object behind them, as in zeros([2, 3], { dtype: "i32" }).' : meaning;
}

/** What to write here for a name that an error says does not exist, or for a call of what is no
 * function; undefined where it is nobody's. `valueOf` gives what a name of a cell stands for, and
 * `line` is where the error arose. */
export function saidElsewhere(message: string, valueOf: (name: string) => unknown = () => undefined, line = ""): string | undefined {
  const text = message.slice(0, 400);
  const called = /^((?:this\.)?([\w$]+)) is not a function$/.exec(text);
  if (called) {
    const [, written = "", name = ""] = called;
    const value = valueOf(name) as { forward?: unknown } | null | undefined;
    // A parameter of a function: its value cannot be seen from here.
    if (written === name && /^(m|net|model|layer|module|network)$/.test(name) && value === undefined) return `A module is applied by its forward: ${name}.forward(x).`;
    if (written === name && typeof value === "object" && value !== null) return typeof value.forward === "function" ? `${name} is a module: apply it by ${name}.forward(x).` : membersOf(name, value);
    if (written !== name) return `A layer is applied by its forward: ${written}.forward(x).`;
  }
  const unbound = /^([\w$]+) is not defined$/.exec(text)?.[1] ?? /^Can't find variable: ([\w$]+)$/.exec(text)?.[1];
  if (unbound !== undefined) return saidOfUnbound(unbound, line);
  const name = /^((?:data|nn|random|plot|optim)\.\w+) is not a (?:function|constructor)/.exec(text)?.[1] ?? "";
  if (name !== "" && (!name.startsWith("optim.") || meaningOf(name) !== undefined)) return meaningOf(name);
  if (text === "Failed to fetch") return 'Cells have no network. After await allow("example.com"), file("https://example.com/a.csv") reads from there; what is on your disk can be dropped on the page.';
  const [, owner = "", member = ""] = /^(.*)\.([\w$]+) is not a function$/s.exec(text) ?? [];
  if (owner.endsWith(".at(...)")) return PLACES;
  if (/^(?:plot|scatter|hist|bars|box|contour|heatmap|image)\(\.\.\.\)$/.test(owner)) return meaningOf(member) ?? meaningOf("title");
  // Of another value than a tensor its own members are meant.
  const value = /^[\w$]+$/.test(owner) ? (valueOf(owner) as { matmul?: unknown; forward?: unknown; step?: unknown; get?: unknown; apply?: unknown } | null | undefined) : undefined;
  if (typeof value === "object" && typeof value?.get === "function" && typeof value.apply === "function") return PLACES;
  if ((typeof value?.forward === "function" || typeof value?.step === "function") && Object.hasOwn(OF_MODELS, member)) return OF_MODELS[member];
  if (typeof value?.matmul === "function") return methodMeant(member);
  const plain = saidOfPlain(owner, member, value);
  // A value that cannot be seen from here may be either.
  return value === undefined && !/^["'`[{]/.test(owner) ? [plain, methodMeant(member)].filter((said) => said !== undefined).join(" ") || undefined : plain;
}

/** For those who take `at` for the one of arrays. */
const PLACES = "x.at(i) names places: x.at(i).get() reads them, and set, add, mul and others give a copy of x with them changed.";

/** A few functions of a namespace that was called itself, as in random(3). */
function membersOf(name: string, value: object): string | undefined {
  const functions = Object.keys(value).filter((key) => typeof (value as Record<string, unknown>)[key] === "function").slice(0, 6);
  return functions.length > 0 ? `${name} has functions: ${functions.map((key) => `${name}.${key}`).join(", ")} and others.` : undefined;
}
