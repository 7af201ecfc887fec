import { html } from 'hono/html';
import { styleFor } from '../src/ui/style.ts';
import { articleOf } from './openapi-article.ts';
import { errorTable, fieldTable, type Markup, prose, snippet } from './openapi-markup.ts';
import { ownStyle, pageScript } from './openapi-page-files.ts';
import { type Listed, operationsOf, ownErrors, schemasOf, sharedErrors } from './openapi-parts.ts';
import { startSnippets } from './openapi-snippets.ts';
import type { ApiDocument } from './openapi-types.ts';

/** The groups in the order of the pages. A new tag in the contract has to be added to one of them. */
const areas: Readonly<Record<string, readonly string[]>> = {
  'Sign in': [
    'External sign-in',
    'Session',
    'Claim',
    'Popup',
    'Email and password',
    'Passkeys',
    'Credentials',
  ],
  Payments: ['Transfers', 'Wallet', 'Deposits', 'Withdrawals'],
  Apps: ['Apps', 'Webhooks', 'Grants', 'OAuth'],
  People: ['Account', 'Activity', 'Identities'],
  Operation: ['Administration', 'Support', 'Keys', 'Service'],
};

const gem =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M8 3h16l6 8-14 18L2 11z" fill="#6a9f2b"/></svg>';

/** Styles and the script are separate files, because the pages share them and allow no inline code. */
export const pagePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The document as pages to read and to try, one for each group, by file name in `public/`. */
export function createPages(document: ApiDocument): Record<string, string> {
  const tags = document.tags.map(({ name }) => name);
  const listed = Object.values(areas).flat();
  if (tags.toSorted().join() !== listed.toSorted().join())
    throw new Error(`The areas of scripts/openapi-pages.ts differ from the contract's groups: ${tags}`);
  const groups = document.tags.map(({ name }) => [`docs/${fileOf(name)}.html`, groupPage(document, name)]);
  return {
    'docs.html': indexPage(document),
    ...Object.fromEntries(groups),
    'docs/page.css': `${styleFor(null, { extra: 'developer', isWide: true })}${ownStyle}`,
    'docs/page.js': pageScript,
  };
}

const fileOf = (tag: string): string => tag.toLowerCase().replaceAll(' ', '-');
const addressOf = (tag: string, id?: string): string => `/docs/${fileOf(tag)}${id ? `#${id}` : ''}`;

function layout(document: ApiDocument, title: string, nav: Markup | '', content: Markup): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(gem)}">
<link rel="stylesheet" href="/docs/page.css">
<meta name="description" content="Routes, errors, limits and cookies of the ${document.info.title} API, with forms to send requests.">
<title>${title} · ${document.info.title}</title>
</head>
<body class="wide">
<main id="api"${nav === '' ? '' : html` class="beside"`}>
${nav}
<div>${content}</div>
</main>
<script src="/docs/page.js"></script>
</body>
</html>
`.toString();
}

/** An introduction, every operation by group, and the rules that apply to all of them. */
function indexPage(document: ApiDocument): string {
  const [about = '', ...rules] = document.info.description.split('\n\n');
  return layout(
    document,
    'API',
    '',
    html`<h1>${document.info.title} API ${document.info.version}</h1>
${prose(about)}
<p>As a file: <a href="/openapi.json">openapi.json</a> (OpenAPI ${document.openapi}).</p>
<div class="columns start">${startSnippets.map(
      ({ title, href, code }) => html`<div class="card"><h2><a href="${href}">${title}</a></h2>
${snippet(code)}</div>`,
    )}</div>
<div id="filter" hidden><label for="find">Find an operation</label><input type="search" id="find" placeholder="transfer, refresh, handle_taken …"><p class="hint" role="status"></p></div>
${Object.entries(areas).map(
  ([area, tags]) => html`<h2>${area}</h2>
<div class="columns">${tags.map((tag) => groupCard(document, tag))}</div>
`,
)}
<h2>For every request</h2>
${prose(rules.join('\n\n'))}
<p>Every answer under <code>/v1</code> has <code>X-Request-Id</code>, which the log has too; <code>RateLimit-Policy</code> and
<code>RateLimit</code> say what the limit is, and what is left of it.</p>
<h2 id="errors">Errors of most operations</h2>
<p>Their own pages do not repeat these.</p>
${errorTable(sharedErrors(document))}`,
  );
}

function groupCard(document: ApiDocument, tag: string): Markup {
  return html`<section class="card"><h3><a href="${addressOf(tag)}">${tag}</a></h3>
<ul class="operations">${operationsOf(document, tag).map((each) => operationLink(document, tag, each))}</ul></section>`;
}

/** `data-find` contains the text that the filter searches in addition to the visible text. */
function operationLink(document: ApiDocument, tag: string, { method, path, operation }: Listed): Markup {
  const codes = ownErrors(document, operation).map(({ code }) => code);
  const { operationId, summary } = operation;
  return html`<li data-find="${[operationId, ...new Set(codes)].join(' ')}"><a href="${addressOf(tag, operationId)}">${summary}</a><small><b>${method}</b> ${path}</small></li>`;
}

function groupPage(document: ApiDocument, tag: string): string {
  const operations = operationsOf(document, tag);
  const description = document.tags.find(({ name }) => name === tag)?.description ?? '';
  const schemas = schemasOf(document, operations);
  return layout(
    document,
    tag,
    navigation(document, tag, schemas.length > 0),
    html`<p class="quiet"><a href="/docs">API</a></p>
<h1>${tag}</h1>
${prose(description)}
${operations.map((each) => articleOf(document, each))}
${
  schemas.length === 0
    ? ''
    : html`<section id="schemas"><h2>Schemas</h2>
${schemas.map(
  ([
    name,
    fields,
  ]) => html`<article class="card" id="schema-${name}"><h3>${name}</h3>${fieldTable(fields)}</article>
`,
)}</section>`
}`,
  );
}

function navigation(document: ApiDocument, current: string, hasSchemas: boolean): Markup {
  const operations = operationsOf(document, current);
  const inPage = html`<ul>${operations.map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}
${hasSchemas ? html`<li><a href="#schemas">Schemas</a></li>` : ''}</ul>`;
  return html`<nav aria-label="API">${Object.entries(areas).map(
    ([area, tags]) =>
      html`<h2>${area}</h2><ul>${tags.map((tag) =>
        tag === current
          ? html`<li><a href="${addressOf(tag)}" aria-current="page">${tag}</a>${inPage}</li>`
          : html`<li><a href="${addressOf(tag)}">${tag}</a></li>`,
      )}</ul>`,
  )}</nav>`;
}
