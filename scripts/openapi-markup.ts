import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { SchemaField } from './openapi-fields.ts';
import type { Refusal } from './openapi-parts.ts';

export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

export function fieldTable(fields: readonly SchemaField[]): Markup {
  return html`<div class="scroll"><table><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Notes</th></tr>
${fields.map(
  ({ name, type, ref, notes }) =>
    html`<tr><td><code>${name}</code></td><td>${ref === undefined ? type : html`<a href="#schema-${ref}">${type}</a>`}</td><td>${inline(notes)}</td></tr>
`,
)}</table></div>`;
}

export function errorTable(refusals: readonly Refusal[]): Markup {
  return html`<div class="scroll"><table><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Message</th></tr>
${refusals.map(
  ({ status, code, text }) => html`<tr><td>${status}</td><td><code>${code}</code></td><td>${text}</td></tr>
`,
)}</table></div>`;
}

/** A command or code sample, with a button that the script makes visible. */
export function snippet(code: string): Markup {
  return html`<div class="snippet"><pre>${code}</pre><button type="button" class="copy" hidden>Copy</button></div>`;
}

/** The Markdown used in descriptions: paragraphs, lists, `code` and **bold**. */
export function prose(text: string): Markup[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      if (!block.startsWith('- ')) return html`<p>${inline(block)}</p>`;
      return html`<ul>${block
        .slice(2)
        .split('\n- ')
        .map((item) => html`<li>${inline(item)}</li>`)}</ul>`;
    });
}

function inline(text: string): Markup[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith('**')) return html`<strong>${part.slice(2, -2)}</strong>`;
    return html`${part}`;
  });
}
