// The reader's camera and microphone, once allowed. The page opens a device, and gives out single
// pictures and pieces of sound as a notebook asks for them. Nothing is recorded.

import type { Want } from "../../protocol/messages";
import { site } from "../fetch";

export interface Device {
  readonly kind: "camera" | "microphone";
  /** Samples a second; 0 of a camera. */
  readonly rate: number;
  close(): void;
}

export interface Camera extends Device {
  /** The next picture. */
  picture(): Promise<ImageBitmap>;
}

export interface Microphone extends Device {
  /** So many samples: the latest, or where `fromNow`, those that come from now on. */
  sound(count: number, fromNow: boolean): Promise<Float32Array<ArrayBuffer>>;
}

/** Seconds of sound that are at hand. */
export const MOST_SECONDS = 60;
/** Milliseconds after which what shows now is a picture, whether it is new or not. */
const PATIENCE = 500;

const isLike = (error: unknown, ...names: string[]) => error instanceof DOMException && names.includes(error.name);

/** Why a device does not open, for the reader. */
export function whyNot(kind: Device["kind"], error: unknown): string {
  if (isLike(error, "NotAllowedError", "SecurityError")) return `the browser refused the ${kind}`;
  if (isLike(error, "NotFoundError", "OverconstrainedError")) return `there is no ${kind}`;
  if (isLike(error, "NotReadableError", "AbortError")) return `another program uses the ${kind}`;
  return `the ${kind} could not be opened`;
}

/** `ended` is called where the device goes by itself. */
function watch(stream: MediaStream, ended: () => void): () => void {
  for (const track of stream.getTracks()) track.addEventListener("ended", ended);
  return () => {
    for (const track of stream.getTracks()) track.stop();
  };
}

export async function openCamera({ width, height, facing }: Extract<Want, { kind: "camera" }>, ended: () => void): Promise<Camera> {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { width: { ideal: width }, height: { ideal: height }, facingMode: facing } });
  const stop = watch(stream, ended);
  const video = document.createElement("video");
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream;
  try {
    await video.play();
  } catch (error) {
    stop();
    throw error;
  }
  const next = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PATIENCE);
      video.requestVideoFrameCallback(() => (clearTimeout(timer), resolve()));
    });
  return {
    kind: "camera",
    rate: 0,
    async picture() {
      await next();
      // The middle of the picture, as much of it as has the proportions that were asked for.
      const scale = Math.min(video.videoWidth / width, video.videoHeight / height);
      const [w, h] = [Math.max(1, Math.floor(width * scale)), Math.max(1, Math.floor(height * scale))];
      return createImageBitmap(video, (video.videoWidth - w) >> 1, (video.videoHeight - h) >> 1, w, h, { resizeWidth: width, resizeHeight: height, resizeQuality: "medium" });
    },
    close() {
      stop();
      video.srcObject = null;
    },
  };
}

export async function openMicrophone(ended: () => void): Promise<Microphone> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, echoCancellation: false, noiseSuppression: false, autoGainControl: false } });
  const stop = watch(stream, ended);
  const context = new AudioContext();
  try {
    await context.audioWorklet.addModule(`${site}microphone.js`);
    await context.resume();
  } catch (error) {
    stop();
    void context.close();
    throw error;
  }
  const rate = context.sampleRate;
  const ring = new Float32Array(MOST_SECONDS * rate);
  let written = 0;
  let waiting: { readonly until: number; readonly done: () => void }[] = [];
  const tap = new AudioWorkletNode(context, "weft-tap", { numberOfOutputs: 0, channelCount: 1, channelCountMode: "explicit" });
  tap.port.onmessage = ({ data }: MessageEvent<Float32Array>) => {
    for (const sample of data) ring[written++ % ring.length] = sample;
    if (!waiting.some(({ until }) => until <= written)) return;
    const due = waiting.filter(({ until }) => until <= written);
    waiting = waiting.filter(({ until }) => until > written);
    for (const { done } of due) done();
  };
  context.createMediaStreamSource(stream).connect(tap);
  return {
    kind: "microphone",
    rate,
    async sound(count, fromNow) {
      const until = fromNow ? written + count : Math.max(written, count);
      if (until > written) await new Promise<void>((done) => waiting.push({ until, done }));
      return Float32Array.from({ length: count }, (_, at) => ring[(until - count + at) % ring.length]!);
    },
    close() {
      stop();
      tap.port.onmessage = null;
      for (const { done } of waiting) done();
      void context.close();
    },
  };
}
