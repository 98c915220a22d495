// Permissions of a notebook beyond its sandbox: hosts to fetch from, the camera and the microphone.
// This part of the page is fetched when a cell first asks. Once a worker has had a
// device, it reaches no host any more: what the device saw and heard cannot leave.

import { openCamera, openMicrophone, MOST_SECONDS, whyNot } from "./host/grants/devices";
import type { Camera, Microphone } from "./host/grants/devices";
import { Remote } from "./host/grants/remote";
import type { FileReply, Sample, Want, WorkerMessage } from "./protocol/messages";
import { Asks } from "./state/grants/asks";
import { Hosts, isForeign, parseAddress, parseHost } from "./state/grants/hosts";
import { cellNumber } from "./state/notebook/notebook";
import { browserStore } from "./state/notebook/storage";
import type { Workspace } from "./state/notebook/workspace";
import type { GrantDesk } from "./state/run/session";
import { askForDevice, askForHost, withdraw } from "./view/grants/consent";
import type { AccessRequest } from "./view/grants/consent";
import { DeviceStatus, HostStatus } from "./view/grants/status";
import "./styles/grants.css";

type Message = Parameters<GrantDesk["receive"]>[0];
type Worker = Parameters<GrantDesk["receive"]>[2];
type Ask = Extract<WorkerMessage, { type: "ask" }>;

interface Open {
  readonly device: Camera | Microphone;
  readonly cell: string;
  readonly worker: Worker;
}

/** Devices that are open at a time, and samples that may be awaited. */
const DEVICES = 4;
const AWAITED = 16;

const WITHIN = "this notebook is shown within another page. Open it in Weft to allow that";

export class Grants {
  private readonly asks = new Asks();
  private readonly remote = new Remote();
  private readonly hosts: Hosts;
  private readonly status: HostStatus;
  private readonly devices = new DeviceStatus(() => this.stopDevices("the reader stopped it"));
  private readonly open = new Map<number, Open>();
  private awaited = 0;
  /** Whether this worker has had a device. */
  private sealed = false;
  /** Counts workers, and runs of cells: what was asked for before one of these ends is for
   * nobody. */
  private worker = 0;
  private readonly runs = new Map<string, number>();

  /** `seal` is called when what the worker writes must not be kept from then on. */
  constructor(
    private readonly workspace: Workspace,
    private readonly seal: () => void,
    /** Nothing is asked within another page: what lies over it may ask for the press. */
    private readonly mayAsk: boolean,
  ) {
    this.hosts = new Hosts(workspace, browserStore());
    this.status = new HostStatus(this.hosts);
    this.hosts.events.subscribe((less) => less && this.remote.end());
    workspace.events.subscribe(({ type }) => type === "opened" && this.status.show());
    addEventListener("pagehide", () => this.stopDevices("the page was left"));
  }

  receive(message: Message, cell: string | null, worker: Worker): void {
    if (message.type === "ask") void this.answer(message, cell, worker);
    else if (message.type === "sample") void this.sample(message, worker);
    else this.close(message.source);
  }

  leave(cell: string): void {
    this.runs.set(cell, (this.runs.get(cell) ?? 0) + 1);
    for (const [source, open] of this.open) if (open.cell === cell) this.close(source, "its cell was stopped or run again");
  }

  end(): void {
    this.worker++;
    this.sealed = false;
    this.asks.restart();
    this.remote.end();
    withdraw();
    this.stopDevices("the notebook was restarted");
  }

  /** A file of another host, for a cell. */
  async fetch(address: string): Promise<FileReply> {
    const parsed = parseAddress(address, location.href);
    if (!parsed.ok) return { ok: false, failure: "forbidden", message: parsed.message };
    const forbidden = (why: string): FileReply => ({ ok: false, failure: "forbidden", message: `file(${JSON.stringify(address.slice(0, 200))}): ${why}` });
    if (this.sealed) return forbidden("this notebook has used a camera or a microphone. It reaches no host until it is restarted");
    if (!this.hosts.has(parsed.host)) return forbidden(`this notebook may not reach ${parsed.host}. Ask the reader first: await allow(${JSON.stringify(parsed.host)})`);
    return this.remote.get(address, parsed.href, this.hosts.list);
  }

  private async answer({ request, want, why }: Ask, cell: string | null, worker: Worker): Promise<void> {
    const access: AccessRequest = { cell: cell === null ? 0 : cellNumber(this.workspace.cells, cell), why, foreign: isForeign(this.workspace.origin) };
    const answer = !this.mayAsk ? WITHIN : want.kind === "host" ? await this.allowHost(want.host, access) : await this.allowDevice(want, request, access, cell, worker);
    worker.send({ type: "answer", request, answer: typeof answer === "string" ? { ok: false, message: answer } : { ok: true, rate: answer } });
  }

  /** 0, or why not. */
  private async allowHost(given: string, access: AccessRequest): Promise<0 | string> {
    const parsed = parseHost(given, location.href);
    if (!parsed.ok) return parsed.message;
    const { host } = parsed;
    const refuse = (why: string) => `allow(${JSON.stringify(host)}): ${why}`;
    if (this.sealed) return refuse("this notebook has used a camera or a microphone. It reaches no host until it is restarted");
    const outcome = await this.asks.ask(`host ${host}`, () => (this.hosts.has(host) ? ("known" as const) : null), () => askForHost(host, this.hosts.canKeep, access));
    if ("refused" in outcome) return refuse(outcome.refused);
    if (outcome.given !== "known" && !this.hosts.allow(host, outcome.given)) return refuse("a notebook may reach at most 20 hosts");
    return 0;
  }

  /** The rate of the device's samples, or why it is not open. */
  private async allowDevice(want: Exclude<Want, { kind: "host" }>, source: number, access: AccessRequest, cell: string | null, worker: Worker): Promise<number | string> {
    const { kind } = want;
    const refuse = (why: string) => `${kind}: ${why}`;
    if (cell === null) return refuse("only a cell can ask for it");
    if (!("mediaDevices" in navigator)) return refuse("a page has one only where it is served by https");
    if (this.open.size >= DEVICES || this.open.has(source)) return refuse("too many devices are on");
    const [life, run] = [this.worker, this.runs.get(cell)];
    const current = () => worker.alive && life === this.worker && run === this.runs.get(cell);
    const outcome = await this.asks.ask(kind, () => null, async () => (current() && (await askForDevice(kind, access)) ? true : null));
    if ("refused" in outcome) return refuse(outcome.refused);
    if (!current()) return refuse("its cell was stopped or run again");
    this.sealed = true;
    this.seal();
    this.remote.end();
    const ended = () => this.close(source, "it is gone");
    try {
      const device = want.kind === "camera" ? await openCamera(want, ended) : await openMicrophone(ended);
      if (!current()) {
        device.close();
        return refuse("its cell was stopped or run again");
      }
      this.open.set(source, { device, cell, worker });
      this.showDevices();
      return device.rate;
    } catch (error) {
      return refuse(whyNot(kind, error));
    }
  }

  private async sample({ request, source, seconds, fromNow }: Extract<Message, { type: "sample" }>, worker: Worker): Promise<void> {
    const send = (sample: Sample, moved: Transferable[] = []) => worker.send({ type: "sample", request, sample }, moved);
    const open = this.open.get(source);
    if (!open) return send({ kind: "off", message: "it is off" });
    const { device } = open;
    if (this.awaited >= AWAITED) return send({ kind: "off", message: "too many samples are awaited" });
    this.awaited++;
    try {
      if ("picture" in device) {
        const bitmap = await device.picture();
        if (this.open.get(source) === open) send({ kind: "picture", bitmap }, [bitmap]);
        else (bitmap.close(), send({ kind: "off", message: "it is off" }));
      } else {
        const count = Math.round(Math.max(0, Math.min(MOST_SECONDS, seconds)) * device.rate);
        const samples = await device.sound(Math.max(1, count), fromNow);
        if (this.open.get(source) === open) send({ kind: "sound", samples }, [samples.buffer]);
        else send({ kind: "off", message: "it is off" });
      }
    } catch {
      send({ kind: "off", message: "it gave nothing" });
    } finally {
      this.awaited--;
    }
  }

  private close(source: number, why: string | null = null): void {
    const open = this.open.get(source);
    if (!open) return;
    this.open.delete(source);
    open.device.close();
    if (why !== null) open.worker.send({ type: "released", source, message: why });
    this.showDevices();
  }

  private stopDevices(why: string): void {
    for (const source of [...this.open.keys()]) this.close(source, why);
  }

  private showDevices(): void {
    this.devices.show([...this.open.values()].map(({ device }) => device.kind));
  }
}
