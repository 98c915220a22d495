// How does a picture in a text come to be seen? When it is about to come into view, and not before; until then, and where
// it may not be shown, its place holds the words that stand for it.

import { allowMorePictures, loadPicture, NoPicture } from "../host/pictures";
import { h } from "./dom";
import { whenNear } from "./near";

export function pictureView(address: string, alternative: string, title: string | undefined): HTMLElement {
  const element = h("span", { class: "picture", role: "img", "aria-label": alternative || "Picture" }, alternative);
  const load = () => {
    loadPicture(address).then(
      ({ url, width, height }) => element.replaceWith(h("img", { src: url, alt: alternative, title, width, height, decoding: "async" })),
      (problem: unknown) => {
        const why = problem instanceof NoPicture ? problem : new NoPicture("it did not arrive");
        const more = why.couldBe && h("button", { class: "plain-button small", type: "button", onclick: () => (allowMorePictures(), load()) }, "Show it");
        element.removeAttribute("role");
        element.removeAttribute("aria-label");
        element.replaceChildren(h("span", { class: "note" }, ...(alternative === "" ? ["A picture"] : ["“", h("bdi", {}, alternative), "”"]), ` is not shown: ${why.message}. `), ...(more ? [more] : []));
      },
    );
  };
  whenNear(element, load);
  return element;
}
