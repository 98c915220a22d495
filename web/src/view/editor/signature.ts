// View of a call's signature above the caret, while its arguments are typed.

import { closeCompletion } from "@codemirror/autocomplete";
import { ensureSyntaxTree } from "@codemirror/language";
import { Prec, StateEffect, StateField } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap, showTooltip, ViewPlugin } from "@codemirror/view";
import type { Tooltip, ViewUpdate } from "@codemirror/view";
import type { Code } from "../../editing/infer";
import { signatureAt } from "../../editing/signature";
import type { CallSignature } from "../../editing/signature";
import { docOf, h } from "../ui/dom";
import { vocabulary } from "./proposals";

const setSignature = StateEffect.define<CallSignature | null>();

const shown = StateField.define<CallSignature | null>({
  create: () => null,
  update: (signature, transaction) => {
    for (const effect of transaction.effects) if (effect.is(setSignature)) return effect.value;
    return signature && transaction.docChanged ? { ...signature, from: transaction.changes.mapPos(signature.from) } : signature;
  },
  provide: (field) => showTooltip.from(field, (signature) => signature && tooltip(signature)),
});

function tooltip({ from, name, parameters, at, doc }: CallSignature): Tooltip {
  const list = parameters.flatMap((parameter, n) => [n > 0 ? ", " : "", n === at ? h("b", {}, parameter) : parameter]);
  const dom = h("div", { class: "meaning signature" }, h("code", {}, name, "(", ...list, ")"), docOf(doc));
  return { pos: from, above: true, create: () => ({ dom }) };
}

/** Closes it, and keeps one that is on its way from opening; whether there was one. */
export const hideSignature = (view: EditorView): boolean => {
  const open = Boolean(view.state.field(shown, false));
  view.dispatch({ effects: setSignature.of(null) });
  return open;
};

/** Shown when something is typed in a call, or when it is asked for; gone with the call, with
 * Escape and with the focus. */
export function signatureHelp(others: () => readonly Code[]): Extension {
  let asked = 0;
  const show = (view: EditorView) => {
    const request = ++asked;
    void vocabulary().then((found) => {
      if (request !== asked || !view.hasFocus) return;
      const { head } = view.state.selection.main;
      const tree = ensureSyntaxTree(view.state, head, 30);
      const signature = tree && signatureAt({ text: view.state.doc.toString(), tree }, head, { vocabulary: found, others: others() });
      if (signature || view.state.field(shown)) view.dispatch({ effects: setSignature.of(signature) });
    });
    return true;
  };
  const follow = ViewPlugin.define(() => ({
    update({ docChanged, selectionSet, transactions, state, view }: ViewUpdate): void {
      if (transactions.some(({ effects }) => effects.some((each) => each.is(setSignature)))) asked++;
      const typed = docChanged && transactions.some((each) => each.isUserEvent("input") || each.isUserEvent("delete"));
      if (!typed && !(selectionSet && state.field(shown))) return;
      // Not while the view is being updated.
      queueMicrotask(() => show(view));
    },
  }));
  return [
    shown,
    follow,
    // One Escape closes the list of proposals too.
    Prec.highest(keymap.of([{ key: "Mod-Shift-Space", run: show }, { key: "Escape", run: (view) => hideSignature(view) && (closeCompletion(view), true) }])),
    EditorView.domEventHandlers({ blur: (_, view) => (asked++, void setTimeout(() => hideSignature(view))) }),
  ];
}
