import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { styleFor } from '../src/ui/style.ts';
import { listFields, type SchemaField } from './openapi-fields.ts';
import { pageScript } from './openapi-page-script.ts';
import { curlOf, sdkCalls } from './openapi-snippets.ts';
import type {
  ApiDocument,
  MediaType,
  OperationObject,
  ParameterObject,
  Reference,
  ResponseObject,
} from './openapi-types.ts';

type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

const ownStyle = `${styleFor(null, true)}
body.wide main { max-width: 64rem; padding-top: 2rem; }
h2 { font-size: 1.35rem; margin: 2.25rem 0 .25rem; }
h3 { font-size: 1.05rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
h4 { font-size: .95rem; margin: 1.1rem 0 .35rem; }
.card { margin-top: 1rem; scroll-margin-top: 3.5rem; }
.verb { display: inline-block; min-width: 4.2rem; font: 700 .8rem/1.6 ui-monospace, Menlo, Consolas, monospace; color: var(--deep); }
nav ul { list-style: none; padding: 0; margin: 0; }
nav li { padding: .15rem 0; overflow-wrap: anywhere; font-size: .875rem; }
nav .tag { font-weight: 650; margin-top: .75rem; font-size: 1rem; }
section > h2 { position: sticky; top: 0; z-index: 1; padding: .5rem 0; background: var(--page); }
@media (min-width: 64rem) {
  body.wide main { max-width: 84rem; display: grid; grid-template-columns: 20rem minmax(0, 1fr); gap: 0 2rem; align-items: start; }
  .top { grid-column: 1 / -1; }
  nav { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; padding: .5rem .5rem 2rem 0; }
}
.snippet { position: relative; }
.snippet .copy { position: absolute; top: .35rem; right: .35rem; min-height: 0; padding: .15rem .6rem; font-size: .8rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .925rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line); }
th { color: var(--quiet); font-weight: 600; }
pre { margin: .35rem 0 .75rem; padding: .6rem .75rem; border-radius: 8px; background: var(--page); white-space: pre-wrap; overflow-wrap: anywhere; }
details { border-top: 1px solid var(--line); padding: .35rem 0; }
summary { cursor: pointer; padding: .2rem 0; }
textarea { width: 100%; min-height: 6rem; padding: .5rem .7rem; border: 1px solid var(--edge); border-radius: 10px; background: var(--card); color: var(--text); font: .875rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
form .field { margin: .6rem 0; }
`;

const gem =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M8 3h16l6 8-14 18L2 11z" fill="#6a9f2b"/></svg>';

/** The document as one page to read, to search with the browser, and to try. It fetches nothing. */
export function createPage(document: ApiDocument): { html: string; policy: string } {
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(gem)}">
<meta name="description" content="Every route, error, limit and cookie of the ${document.info.title} API, with a form to send requests.">
<title>API · ${document.info.title}</title>
<style>${raw(ownStyle)}</style>
</head>
<body class="wide">
<main>
<div class="top"><h1>${document.info.title} API ${document.info.version}</h1>
${prose(document.info.description)}
<p>As a file: <a href="/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p></div>
<nav aria-label="Operations">
<div id="filter" hidden><label for="find">Filter</label><input type="search" id="find" placeholder="transfer, refresh, 409 …"><p class="hint" role="status"></p></div>
<ul>${document.tags.map((tag) => html`<li class="tag">${tag.name}</li>${operationsOf(document, tag.name).map(({ method, path, operation }) => html`<li><a href="#${operation.operationId}"><span class="verb">${method}</span>${path}</a></li>`)}`)}
<li class="tag"><a href="#schemas">Schemas</a></li></ul></nav>
<div>
${document.tags.map(
  (tag) => html`<section><h2>${tag.name}</h2>
${prose(tag.description)}
${operationsOf(document, tag.name).map((each) => operationCard(document, each))}</section>
`,
)}
<section id="schemas"><h2>Schemas</h2>
${Object.entries(document.components.schemas).map(
  ([
    name,
    schema,
  ]) => html`<article class="card" id="schema-${name}"><h3>${name}</h3>${fieldTable(listFields(schema))}</article>
`,
)}</section>
</div>
</main>
<script>${raw(pageScript)}</script>
</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    `style-src '${digest(ownStyle)}'`,
    `script-src '${digest(pageScript)}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { html: body.toString(), policy };
}

/** The hash by which a policy allows an inline script (CSP Level 3, section 2.3.1). */
function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

function operationsOf(document: ApiDocument, tag: string): Listed[] {
  return Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    )
    .filter(({ operation }) => operation.tags.includes(tag));
}

function operationCard(document: ApiDocument, { method, path, operation }: Listed): Markup {
  const { operationId, summary, description = '', parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const resolved = Object.entries(responses).map(
    ([status, one]) => [status, resolve(document, one)] as const,
  );
  const refusals = resolved.filter(([, response]) => isRefusal(response));
  const answers = resolved.filter(([, response]) => !isRefusal(response));
  return html`<article class="card" id="${operationId}">
<h3><span class="verb">${method}</span>${path}</h3>
<p><strong>${summary}</strong></p>
${prose(description)}
${cookieLine(operation)}
${parameters.length > 0 ? html`<h4>Parameters</h4>${fieldTable(parameters.map(toField))}` : ''}
${body ? html`<h4>Body${requestBody.required ? '' : ' (optional)'}</h4>${media(document, body)}` : ''}
<h4>Answers</h4>
${answers.map(([status, response]) => responseDetails(document, status, response))}
${errorTable(document, refusals)}
${snippets(document, { method, path, operation })}
${tryForm(document, { method, path, operation })}
</article>
`;
}

function cookieLine({ security, 'x-cookies': cookies = {} }: OperationObject): Markup | '' {
  const needs = cookies.needs ?? [];
  const optional = security.some((choice) => Object.keys(choice).length === 0);
  const parts = [
    ...(needs.length > 0 ? [`${optional ? 'Takes' : 'Needs'} the cookie ${needs.join(' or ')}.`] : []),
    ...(cookies.reads ? [`Also reads ${cookies.reads.join(', ')}.`] : []),
  ];
  return parts.length === 0 ? '' : html`<p>${parts.join(' ')}</p>`;
}

function responseDetails(document: ApiDocument, status: string, response: ResponseObject): Markup {
  const [first = '', ...rest] = response.description.split('\n\n');
  const headers = Object.entries(response.headers ?? {}).map(([name, header]): SchemaField => {
    return { name, type: 'header', notes: resolve(document, header).description };
  });
  return html`<details${status.startsWith('2') ? ' open' : ''}><summary><strong>${status}</strong> ${first}</summary>
${prose(rest.join('\n\n'))}
${Object.entries(response.content ?? {}).map(([type, content]) => html`<p>${type}</p>${media(document, content)}`)}
${headers.length > 0 ? fieldTable(headers) : ''}</details>
`;
}

/** Each refusal with its own text. */
function errorTable(
  document: ApiDocument,
  refusals: readonly (readonly [string, ResponseObject])[],
): Markup | '' {
  const rows = refusals.flatMap(([status, { content }]) =>
    Object.values(content?.['application/json']?.examples ?? {}).map((example) => {
      const { code, message } = resolve(document, example).value as Record<string, unknown>;
      return { status, code, text: [message].flat().join(', ') };
    }),
  );
  if (rows.length === 0) return '';
  return html`<details><summary>Errors: ${[...new Set(rows.map(({ status }) => status))].join(', ')}</summary>
<div class="scroll"><table><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Message</th></tr>
${rows.map(
  ({ status, code, text }) => html`<tr><td>${status}</td><td><code>${code}</code></td><td>${text}</td></tr>
`,
)}</table></div></details>
`;
}

function snippets(document: ApiDocument, { method, path, operation }: Listed): Markup {
  const { operationId, parameters = [], requestBody, 'x-cookies': cookies = {} } = operation;
  const [example] = Object.values(requestBody?.content['application/json']?.examples ?? {});
  const body = example && resolve(document, example).value;
  const call = sdkCalls[operationId];
  const shown = [
    curlOf({ method, path, parameters, cookie: cookies.needs?.[0], body }),
    ...(call === undefined ? [] : [`await ${call};`]),
  ];
  return html`<details><summary>${call === undefined ? 'curl' : 'curl and SDK'}</summary>
${shown.map((text) => html`<div class="snippet"><pre>${text}</pre><button type="button" class="copy" hidden>Copy</button></div>`)}</details>
`;
}

function media(document: ApiDocument, { schema, examples = {} }: MediaType): Markup {
  const shown = Object.values(examples).map((example) => resolve(document, example));
  const link = '$ref' in schema ? String(schema['$ref']).split('/').at(-1) : undefined;
  return html`${link === undefined ? '' : html`<p><a href="#schema-${link}">${link}</a></p>`}
${fieldTable(listFields(resolve(document, schema)))}
${shown.map(({ summary, value }) => html`<p class="hint">${summary}</p><pre>${JSON.stringify(value, null, 2)}</pre>`)}`;
}

function fieldTable(fields: readonly SchemaField[]): Markup {
  return html`<div class="scroll"><table><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Notes</th></tr>
${fields.map(
  ({
    name,
    type,
    ref,
    notes,
  }) => html`<tr><td><code>${name}</code></td><td>${ref === undefined ? type : html`<a href="#schema-${ref}">${type}</a>`}</td><td>${inline(notes)}</td></tr>
`,
)}</table></div>`;
}

function toField({ name, required, description = '', schema, ...where }: ParameterObject): SchemaField {
  const [field] = listFields(schema);
  const notes = [`in ${where.in}`, required ? 'required' : '', description, field?.notes ?? ''];
  return { name, type: field?.type ?? 'string', notes: notes.filter(Boolean).join('; ') };
}

/** A form that sends the request from this page; the script shows it. */
function tryForm(document: ApiDocument, { method, path, operation }: Listed): Markup | '' {
  const { operationId, parameters = [], requestBody } = operation;
  const isNavigation = Object.keys(operation.responses).some((status) => status === '302');
  const isPage = Object.values(operation.responses).every(
    (response) =>
      resolve(document, response).content?.['application/json'] === undefined || isRefusal(response),
  );
  if (method === 'GET' && (isNavigation || isPage)) {
    return parameters.length > 0 ? '' : html`<p><a class="button" href="${path}">Open</a></p>`;
  }
  // A file cannot be typed into a page.
  if (requestBody && !requestBody.content['application/json']) return '';
  const [example] = Object.values(requestBody?.content['application/json']?.examples ?? {});
  const value = example && resolve(document, example).value;
  return html`<form hidden data-method="${method}" data-path="${path}">
${parameters.map((parameter) => {
  const id = `${operationId}-${parameter.name}`;
  return html`<div class="field"><label for="${id}">${parameter.name}</label><input type="text" id="${id}" name="${parameter.name}" data-in="${parameter.in}" value="${String(parameter.example ?? '')}"></div>`;
})}
${requestBody ? html`<div class="field"><label for="${operationId}-body">Body</label><textarea id="${operationId}-body" name="body" spellcheck="false">${value === undefined ? '' : JSON.stringify(value, null, 2)}</textarea></div>` : ''}
<button type="submit">Send</button> <span class="hint">with the cookies of this browser</span>
<pre hidden role="status"></pre>
</form>
`;
}

function isRefusal(response: ResponseObject | Reference): boolean {
  return '$ref' in response || response.headers?.['X-Error-Code'] !== undefined;
}

/** The Markdown that descriptions use: paragraphs, lists, `code` and **bold**. */
function prose(text: string): Markup[] {
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

function resolve<Value extends object>(document: ApiDocument, value: Value | Reference): Value {
  if (!('$ref' in value)) return value;
  const path = String(value.$ref).slice(2).split('/');
  const found = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
  if (found === undefined) throw new Error(`${value.$ref} leads nowhere.`);
  return found as Value;
}
