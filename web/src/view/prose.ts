// How is Markdown shown? By markdown-it with raw HTML off: it then emits only its own tags and refuses `javascript:`
// addresses, so there is nothing to sanitise afterwards. A Trusted Types policy names this as the one place where
// text becomes HTML.

import MarkdownIt from "markdown-it";

const renderer = new MarkdownIt({ html: false, linkify: false, typographer: true });

const outside = (href: string) => /^[a-z][a-z0-9+.-]*:/i.test(href);

renderer.renderer.rules.link_open = (tokens, index, options, _environment, self) => {
  const token = tokens[index]!;
  const href = String(token.attrGet("href") ?? "");
  // A link to a notebook's file opens it here; elsewhere leads out, and learns nothing of where it was followed.
  const notebook = /^(?:\.\/)?([\w.-]+)\.md$/.exec(href);
  if (notebook) token.attrSet("href", `?notebook=${notebook[1]!}`);
  if (outside(href)) {
    token.attrSet("rel", "noreferrer noopener");
    token.attrSet("target", "_blank");
  }
  return self.renderToken(tokens, index, options);
};

// A notebook is not a page of its own: its headings begin below the page's.
renderer.renderer.rules.heading_open = (tokens, index) => `<h${level(tokens[index]!.tag)} class="${tokens[index]!.tag}">`;
renderer.renderer.rules.heading_close = (tokens, index) => `</h${level(tokens[index]!.tag)}>\n`;
// Alone, a table scrolls sideways on a narrow screen instead of widening the page.
renderer.renderer.rules.table_open = () => '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>';
renderer.renderer.rules.table_close = () => "</table></div>";

const level = (tag: string) => Math.min(6, Math.max(1, Number(tag.slice(1))));

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string };
}
const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
const policy = trustedTypes?.createPolicy("weft-markdown", { createHTML: (text) => text });

export function renderProse(source: string): DocumentFragment {
  const html = renderer.render(source.replace(/^<!--.*?-->$/gms, ""));
  const template = document.createElement("template");
  template.innerHTML = policy ? policy.createHTML(html) : html;
  return template.content;
}
