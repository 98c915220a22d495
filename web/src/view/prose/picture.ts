// View of a picture in a text. It loads the picture when it is about to come into view, and not
// before; until then, and where the page may not show it, its place holds its alternative text.

import { allowMorePictures, loadPicture, NoPicture } from "../../host/pictures";
import { h } from "../ui/dom";
import { whenNear } from "../ui/near";

export function pictureView(address: string, alternative: string, title: string | undefined): HTMLElement {
  const element = h("span", { class: "picture", role: "img", "aria-label": alternative || "Picture" }, alternative);
  const load = () => {
    loadPicture(address).then(
      ({ url, width, height }) => element.replaceWith(h("img", { src: url, alt: alternative, title, width, height, decoding: "async" })),
      (problem: unknown) => {
        const why = problem instanceof NoPicture ? problem : new NoPicture("it could not be fetched");
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
