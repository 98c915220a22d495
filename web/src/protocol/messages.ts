// Message protocol between the page and the notebook's worker, both ways. The worker runs code that
// the reader may not have written, so `fromWorker` checks its messages; the page's messages are
// only typed.

import { plotFields } from "./plots";
import { array, boolean, finite, floats, instance, integer, matching, nullable, number, object, oneOf, optional, record, samples, text, tuple, union } from "./schema";
import type { Infer } from "./schema";

/** `webgpu` and `low-power` take a software adapter too, the latter the adapter that needs less
 * power where there are two; where there is no adapter at all, every choice is the CPU. */
export type DeviceChoice = "auto" | "webgpu" | "low-power" | "cpu";

export const DEVICE_CHOICES: readonly DeviceChoice[] = ["auto", "webgpu", "low-power", "cpu"];

const id = integer(0, Number.MAX_SAFE_INTEGER);
const label = text(400);
/** What stands beside a control: a word or a few. */
const word = text(120);
/** Characters of a field for text. */
export const MAX_TEXT = 10_000;
/** What a drawing may be taken for. */
export const MAX_LABELS = 40;

/** Numbers one execution of one cell; `cell-<run>.js` is its name in stack traces. */
export type RunId = number;
/** Numbers one output for as long as the worker lives. */
export type OutputId = number;

const frame = { run: id, line: id, column: id, name: label };
/** `members`: what the value has whose member is missing, where that is what is wrong; `hint`: what
 * to write for a name of another library. */
const error = object({ name: label, message: text(20_000), frames: array(object(frame), 100), members: optional(array(label, 200)), hint: optional(text(400)) });
export type ErrorReport = Infer<typeof error>;
export type StackFrame = ErrorReport["frames"][number];

const adapter = object({ vendor: label, architecture: label, description: label, isFallback: boolean });
const device = object({ kind: oneOf("webgpu", "cpu"), adapter: nullable(adapter), reason: nullable(text(2_000)) });
/** The device that tensors live on; where it is not a GPU, why, and the software adapter that was
 * passed over for it. */
export type DeviceReport = Infer<typeof device>;

/** A name that the library or the notebook binds, for errors that miss one; `members` of a tensor
 * are its methods. */
const name = object({ label, kind: oneOf("function", "class", "namespace", "constant"), members: array(label, 2_000) });
export type LibraryName = Infer<typeof name>;

const tensor = object({
  dtype: label,
  shape: array(id, 64),
  statistics: nullable(object({ min: number, max: number, mean: number, nan: id, infinite: id })),
  /** The corner, as text: rows of cells; both are shorter than the tensor where `cut` says so. */
  corner: array(array(label, 64), 64),
  cut: object({ rows: boolean, columns: boolean }),
  /** Which slice of the leading axes the corner shows, as `[0, 0, …]`; empty for two axes or
   * fewer. */
  lead: label,
});
export type TensorSummary = Infer<typeof tensor>;

/** `y` names the vertical axis. */
const panel = object({ title: label, y: label, series: array(label, 24), log: boolean, range: nullable(array(number, 2)) });
export type ChartPanel = Infer<typeof panel>;
const point = object({ x: number, values: record(number, 24) });
export type ChartPoint = Infer<typeof point>;

/** `ends` are those of the axes, across and from the bottom to the top, beside a picture that has
 * axes. */
const legend = object({ low: number, high: number, stops: array(label, 64), ends: optional(object({ x: tuple(finite, finite), y: tuple(finite, finite), names: tuple(label, label) })) });
/** Values of a picture that are sent with it, to be read out: as many as it has pixels. */
export const MAX_VALUES = 1 << 16;

/** What a control lets the reader choose from; `initial` is what its cell says, `value` what it is
 * now. */
const choice = union("type", {
  slider: { min: finite, max: finite, step: finite, initial: finite, value: finite },
  number: { min: nullable(finite), max: nullable(finite), step: nullable(finite), initial: finite, value: finite },
  select: { options: array(word, 200), initial: word, value: word },
  checkbox: { initial: boolean, value: boolean },
  color: { initial: text(20), value: text(20) },
  text: { lines: integer(1, 20), hint: word, initial: text(MAX_TEXT), value: text(MAX_TEXT) },
  /** The two ends of what is chosen. */
  range: { min: finite, max: finite, step: finite, initial: tuple(finite, finite), value: tuple(finite, finite) },
  /** A point of the plane: across and up. */
  point: { x: tuple(finite, finite), y: tuple(finite, finite), initial: tuple(finite, finite), value: tuple(finite, finite) },
  /** A number that moves on by itself: steps a second, and whether it begins anew at the end. */
  play: { min: finite, max: finite, step: finite, rate: finite, loop: boolean, initial: finite, value: finite },
  /** The name of one of the notebook's files; "" where none is chosen. Its cell waits for one
   * unless it has something to read `otherwise`. */
  upload: { accept: word, otherwise: boolean, initial: word, value: label },
});
export type Choice = Infer<typeof choice>;
export type ControlValue = Choice["value"];

/** How a picture stands, its pixels apart. */
export const imageFacts = {
  title: label,
  /** Tiles in reading order, `columns` to a row, without gaps. */
  tile: object({ width: integer(1, 8_192), height: integer(1, 8_192) }),
  columns: integer(1, 8_192),
  /** The cell asked for that many: tiles shrink where they have no room. */
  fixed: optional(boolean),
  /** The pictures' own sizes, in the corners of their tiles, where they differ. */
  sizes: optional(array(tuple(integer(1, 8_192), integer(1, 8_192)), 4_096)),
  count: integer(1, 4_096),
  /** Tiles of the batch that are not among them. */
  omitted: id,
  scale: number,
  /** Enlarged softly rather than as squares. */
  smooth: boolean,
  labels: array(label, 4_096),
  legend: nullable(legend),
} as const;

/** Characters of a download, in base64. */
export const DOWNLOAD = 1_900_000;
/** Names that a download may have: those of files that hold data, and that no system runs, nor a
 * browser as a page. */
export const SAVED_AS = /^[\w-][\w.-]{0,60}\.(?:zip|png|jpe?g|webp|gif|txt|md|csv|tsv|json|npy|npz|safetensors|wav|bin|wgsl)$/i;

/** Samples of a sound that is played on the page, of all channels together: what one message
 * holds. */
export const MAX_SAMPLES = 1_900_000;
/** Samples a second that browsers play. */
export const PLAYED_RATES = [3_000, 384_000] as const;

/** A member of a value, on a line of its own. What follows it one level deeper are its members;
 * `open` where they are shown at once. */
const branch = object({ key: text(200), text: text(5_000), depth: integer(0, 12), open: boolean });
export type Branch = Infer<typeof branch>;
export const MAX_BRANCHES = 2_000;

const outputs = {
  /** `tree` where a line does not say all of it. */
  value: { text: text(200_000), tree: optional(array(branch, MAX_BRANCHES)) },
  markdown: { source: text(200_000) },
  /** `types` of the columns, where they are known. */
  table: { title: optional(label), columns: array(label, 100), types: optional(array(label, 100)), rows: array(array(text(2_000), 100), 1_000), omitted: id },
  tensor: { title: label, summary: tensor },
  /** `touch`: it takes the reader's pointer. */
  image: { ...imageFacts, bitmap: instance(() => ImageBitmap), touch: boolean, values: optional(floats(MAX_VALUES)) },
  chart: { title: label, x: label, panels: array(panel, 12) },
  plot: plotFields,
  progress: { label, done: number, total: number, text: text(2_000), elapsed: number, ended: boolean },
  /** `key` tells the controls of a cell apart, in each of its runs; `name` is what the cell calls
   * it, where it has a name. */
  control: { label: word, key: label, name: nullable(label), choice },
  /** The controls of what is drawn frame by frame; `rate` is frames a second, `resets` whether it
   * can begin anew by itself. */
  animation: { title: label, state: oneOf("playing", "paused", "ended"), frame: id, rate: finite, resets: boolean },
  button: { label, name: nullable(label) },
  /** Samples as 16-bit PCM, channel after channel at each moment, which the page makes a WAV file
   * of. `seconds`: of the whole sound, of which these may be the beginning. */
  sound: { title: label, rate: integer(...PLAYED_RATES), channels: integer(1, 2), samples: samples(MAX_SAMPLES), seconds: finite },
  /** A file in base64. */
  download: { name: matching(SAVED_AS), data: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, DOWNLOAD) },
  /** `reading` is what the drawing is taken for: a share from 0 to 1 for each label; no shares
   * while nothing is drawn. */
  pad: { name: nullable(label), reading: nullable(object({ labels: array(word, MAX_LABELS), shares: nullable(array(finite, MAX_LABELS)) })), size: integer(4, 256), margin: tuple(integer(0, 128), integer(0, 128)), fit: oneOf("mass", "box"), ink: nullable(number), label },
} as const;
const content = union("kind", outputs);
/** What an output shows. Sent again under the same id, it replaces what was there. */
export type OutputContent = Infer<typeof content>;
export type Content<K extends OutputContent["kind"]> = Extract<OutputContent, { kind: K }>;

export type TextStream = "print" | "log" | "warn" | "error";

const side = integer(16, 1_920);
const want = union("kind", {
  host: { host: text(300) },
  camera: { width: side, height: side, facing: oneOf("user", "environment") },
  microphone: {},
});
export type Want = Infer<typeof want>;

const workerMessage = union("type", {
  ready: { device, names: array(name, 2_000) },
  /** A cell opened another device. */
  device: { device },
  /** The library could not start at all. */
  unusable: { error },
  finished: { run: id, status: oneOf("done", "stopped", "failed"), error: nullable(error) },
  output: { run: id, output: id, content },
  /** Lines for a text output; `omitted` lines before them were dropped because they came too fast
   * to read. */
  text: { run: id, output: id, stream: oneOf("print", "log", "warn", "error"), text: text(400_000), omitted: id },
  points: { run: id, output: id, points: array(point, 20_000) },
  /** So many outputs of a run were made and not sent, because it made more than anyone looks at. */
  omitted: { run: id, count: id },
  /** An error that no running cell waited for: a rejected promise, a callback. */
  stray: { run: nullable(id), error },
  /** Nothing more can be computed: the device is gone, or the library's core, which has failed. */
  "device-lost": { cause: oneOf("device", "core") },
  /** Bytes that live tensors take, the most that they took, and what waits to be used again; how
   * many kernels are compiled while shorter ones serve. */
  memory: { live: number, peak: number, pooled: number, optimising: integer(0, 100_000) },
  /** Bytes that arrays of cells take in JavaScript: enough to warn the reader, or more than a
   * notebook may take. */
  heap: { bytes: finite, over: boolean },
  file: { request: id, path: text(4_000) },
  /** A cell asks for something that the reader must allow: a host, or a device. `why` is what the
   * cell says. */
  ask: { request: id, run: nullable(id), want, why: text(300) },
  /** The next picture of a camera, or samples of a microphone: `seconds` of them, the latest or
   * those to come. `source` is the request that opened it. */
  sample: { request: id, source: id, seconds: finite, fromNow: boolean },
  /** A sound to be decoded, at `rate` samples a second. The frame answers: the page never sees
   * it. */
  audio: { request: id, bytes: instance(() => Uint8Array), rate: integer(3_000, 384_000) },
  /** A cell needs a device no more. */
  release: { source: id },
  /** A cell needs the entry of kernels. */
  kernels: {},
  /** The deferred part of the library is needed. */
  rest: {},
  /** The winners of races between kernels are asked for, or to be kept where there is a `text`. */
  winners: { request: id, name: text(1_000), text: nullable(text(1 << 20)) },
  /** What a run computed, as text. */
  explanation: { run: id, text: text(400_000) },
  /** A part of what the inspector asked for, as JSON, or why there is no answer;
   * `protocol/inspection.ts` says what the whole is. */
  inspected: { request: id, part: integer(0, 9), parts: integer(1, 10), text: text(1_500_000), failed: boolean },
  /** The worker heard a request to stop; the cell will end at its next pause. */
  stopping: { run: id },
});
export type WorkerMessage = Infer<typeof workerMessage>;
export type MemoryReport = Omit<Extract<WorkerMessage, { type: "memory" }>, "type">;
export const fromWorker = workerMessage;

export type FileFailure = "not-found" | "forbidden" | "failed";
export type FileReply = { ok: true; bytes: Uint8Array<ArrayBuffer> } | { ok: false; failure: FileFailure; message: string };

/** What was asked for is there, or why it is not. `rate` is that of a microphone, in samples a
 * second. */
export type Answer = { readonly ok: true; readonly rate: number } | { readonly ok: false; readonly message: string };
export type Sample = { readonly kind: "picture"; readonly bitmap: ImageBitmap } | { readonly kind: "sound"; readonly samples: Float32Array<ArrayBuffer> } | { readonly kind: "off"; readonly message: string };

/** A sound that was decoded: its channels, or why there are none. */
export type Sound = { readonly ok: true; readonly channels: readonly Float32Array<ArrayBuffer>[] } | { readonly ok: false; readonly message: string };
/** Bytes of a sound that is decoded. */
export const SOUND = 32_000_000;

export type AnimationRequest = "play" | "pause" | "step" | "reset" | "seen" | "unseen";

/** What the inspector asks of the worker. */
export type InspectorQuestion =
  /** What is noted of runs from now on: 0 nothing, 1 which ran and when, 2 what they were given,
   * from run `keepFrom` on. */
  | { readonly ask: "record"; readonly what: 0 | 1 | 2; readonly keepFrom: number }
  | { readonly ask: "runs"; readonly run: RunId }
  | { readonly ask: "program"; readonly run: RunId; readonly number: number }
  | { readonly ask: "edited"; readonly run: RunId; readonly number: number; readonly kernel: number; readonly text: string }
  | { readonly ask: "memory" | "finite" | "limits" | "races" };

/** A cell's source, and where its functions are in it and in the code that runs, from and to. */
export interface FunctionTexts {
  readonly source: string;
  readonly functions: readonly { readonly source: readonly [number, number]; readonly code: readonly [number, number] }[];
}

export type PageMessage =
  /** `rawGpu`: cells may use WebGPU themselves. `tuning`: whether kernels may race, where the
   * reader has said so. */
  | { type: "start"; device: DeviceChoice; rawGpu: boolean; tuning: boolean | null }
  /** The next bytes of the library's WebAssembly, without its deferred part; null at their end.
   * They are compiled as they come. */
  | { type: "wasm"; bytes: Uint8Array<ArrayBuffer> | null }
  /**
   * Run a transformed cell. Names are unbound first: `redeclared` ones, which the cell declares
   * anew, and those `gone` from it since its last run, which was `replaces` (0: none) and whose
   * callbacks are over. `chosen` is what the reader chose of its controls, by key; `still`, that
   * the reader wants nothing to move unasked; `kernels`, that the cell needs the entry of kernels;
   * `early`, that it does without the library's deferred part, which every other cell waits for;
   * `operators`, that they act on tensors. Of functions whose text was changed, `texts` says what
   * their author wrote.
   */
  | { type: "run"; run: RunId; code: string; redeclared: readonly string[]; gone: readonly string[]; replaces: RunId; chosen: Readonly<Record<string, ControlValue>>; still: boolean; kernels: boolean; early: boolean; operators: boolean; texts: FunctionTexts }
  | { type: "stop"; run: RunId }
  /** The reader asks what a run computed. */
  | { type: "explain"; run: RunId }
  /** The inspector asks; its module comes along until it has been answered once. */
  | { type: "inspect"; request: number; question: InspectorQuestion; source: string | null }
  | { type: "file"; request: number; reply: FileReply }
  | { type: "answer"; request: number; answer: Answer }
  | { type: "sample"; request: number; sample: Sample }
  /** From the frame. */
  | { type: "audio"; request: number; sound: Sound }
  /** A device is off: the reader stopped it, or it is gone. */
  | { type: "released"; source: number; message: string }
  /** The text of the entry of kernels; null where it could not be fetched. */
  | { type: "kernels"; source: string | null }
  /** The deferred part of the library; null where it could not be fetched. */
  | { type: "rest"; bytes: ArrayBuffer | null }
  /** What was asked for of winners, if there is any. */
  | { type: "winners"; request: number; text: string | null }
  /** Whether kernels may race has changed, or the reader has brought `winners`. */
  | { type: "tune"; allowed: boolean | null; winners: readonly string[] }
  /** The reader changed a control; its name, where it is `bound`, is to stand for the new value. */
  | { type: "control"; output: OutputId; value: ControlValue; bound: boolean }
  /** What the reader, or the place of an animation on the page, asks of it. */
  | { type: "animation"; output: OutputId; does: AnimationRequest }
  /** Where on a picture the pointer is, from 0 to 1 across and down, and whether it is pressed. */
  | { type: "pointer"; output: OutputId; x: number; y: number; down: boolean }
  | { type: "click"; output: OutputId }
  | { type: "drawing"; output: OutputId; pixels: Float32Array<ArrayBuffer> }
  /** An image was shown: the next frame of that output may come. */
  | { type: "shown"; output: OutputId };

/** What of a message moves rather than being copied. */
export function movedToWorker(message: PageMessage): Transferable[] {
  switch (message.type) {
    case "wasm":
      return message.bytes ? [message.bytes.buffer] : [];
    case "rest":
      return message.bytes ? [message.bytes] : [];
    case "file":
      return message.reply.ok ? [message.reply.bytes.buffer] : [];
    case "drawing":
      return [message.pixels.buffer];
    case "sample":
      return message.sample.kind === "picture" ? [message.sample.bitmap] : message.sample.kind === "sound" ? [message.sample.samples.buffer] : [];
    default:
      return [];
  }
}

/** What the page hands the frame, with the worker's ends of two channels: for messages, and for its
 * heart's answers. */
export interface FrameMessage {
  type: "weft-worker";
  source: string;
}
/**
 * What the frame tells the page: it is there; or, in words of its own, that the worker could not be
 * made, died before it could speak, or was ended because it spoke too much.
 */
export type FrameNotice = { type: "weft-frame-ready" } | { type: "weft-worker-failed"; reason: "start" | "flood" };
