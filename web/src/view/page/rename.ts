// Dialog that asks for a notebook's title.

import { h } from "../ui/dom";
import { openDialog } from "../ui/menu";

/** Null where the reader leaves it as it is. */
export async function askForTitle(title: string): Promise<string | null> {
  const field = h("input", { class: "link-field title-field", value: title, maxlength: 200, "aria-label": "Title", autocomplete: "off" });
  const form = h("form", { method: "dialog" }, field);
  const answer = openDialog("Rename this notebook", [form, h("p", { class: "note" }, "The title is the notebook's first heading.")], [{ label: "Rename", value: "rename", primary: true }, { label: "Cancel", value: "" }]);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    form.closest("dialog")?.close("rename");
  });
  field.focus();
  field.select();
  return (await answer) === "rename" && field.value.trim() !== "" ? field.value.trim() : null;
}
