// View of a sound: the browser's own player. The address holds the sound itself, so that it goes
// when the player goes.

import type { Content } from "../../protocol/messages";
import { base64, soundText } from "../../state/outputs/sound";
import { wavOf } from "../../state/outputs/wav";
import { h } from "../ui/dom";

export function soundView(content: Content<"sound">): HTMLElement {
  const { title } = content;
  const facts = soundText({ ...content, title: "" });
  const player = h("audio", { controls: true, preload: "metadata", src: `data:audio/wav;base64,${base64(wavOf(content))}`, "aria-label": title === "" ? `Sound, ${facts}` : `${title}, ${facts}` });
  return h("figure", { class: "sound" }, title !== "" && h("figcaption", { class: "caption", dir: "auto" }, title), player, h("p", { class: "note" }, facts));
}
