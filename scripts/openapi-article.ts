import { html } from 'hono/html';
import { listFields, type SchemaField } from './openapi-fields.ts';
import { errorTable, fieldTable, type Markup, prose, snippet } from './openapi-markup.ts';
import { isRefusal, type Listed, ownErrors, resolve } from './openapi-parts.ts';
import { curlOf, sdkCalls } from './openapi-snippets.ts';
import type {
  ApiDocument,
  MediaType,
  OperationObject,
  ParameterObject,
  ResponseObject,
} from './openapi-types.ts';

/** Headers of every response under `/v1`, explained on the index page. */
const commonHeaders = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'];

type Answers = readonly (readonly [status: string, response: ResponseObject])[];

/** One operation: its description on the left, and how to call it on the right. */
export function articleOf(document: ApiDocument, each: Listed): Markup {
  const { method, path, operation } = each;
  const { operationId, summary, description = '', parameters = [], requestBody, responses } = operation;
  const body = requestBody?.content['application/json'];
  const answers = Object.entries(responses)
    .filter(([, response]) => !isRefusal(response))
    .map(([status, response]) => [status, resolve(document, response)] as const);
  return html`<article class="card" id="${operationId}">
<div><h2>${summary}</h2>
<p class="mono"><b>${method}</b> ${path}</p>
${prose(description)}
${cookieLine(operation)}
${parameters.length > 0 ? html`<h3>Parameters</h3>${fieldTable(parameters.map(toField))}` : ''}
${body ? html`<h3>Body${requestBody.required ? '' : ' (optional)'}</h3>${fieldTable(listFields(resolve(document, body.schema)))}` : ''}
<h3>Answers</h3>
${answers.map(([status, response]) => answerPart(document, status, response))}
${errorPart(document, operation)}</div>
<div class="calls">${snippets(document, each)}
${examplesOf(document, answers)}
${tryForm(document, each)}</div>
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

/** The name of a schema listed at the end of the page; undefined for an unnamed schema. */
function nameOf({ schema }: MediaType): string | undefined {
  return '$ref' in schema ? String(schema['$ref']).split('/').at(-1) : undefined;
}

function answerPart(document: ApiDocument, status: string, response: ResponseObject): Markup {
  const [first = '', ...rest] = response.description.split('\n\n');
  const headers = Object.entries(response.headers ?? {})
    .filter(([name]) => !commonHeaders.includes(name))
    .map(([name, header]): SchemaField => {
      return { name, type: 'header', notes: resolve(document, header).description };
    });
  const bodies = Object.values(response.content ?? {});
  const names = bodies.flatMap((body) => nameOf(body) ?? []);
  const unnamed = bodies.filter((body) => nameOf(body) === undefined);
  return html`<p><strong>${status}</strong> ${first} ${names.map((name) => html`<a href="#schema-${name}">${name}</a>`)}</p>
${unnamed.map(({ schema }) => fieldTable(listFields(resolve(document, schema))))}
${prose(rest.join('\n\n'))}
${headers.length > 0 ? fieldTable(headers) : ''}`;
}

function errorPart(document: ApiDocument, operation: OperationObject): Markup {
  const errors = ownErrors(document, operation);
  const shared = html`<a href="/docs#errors">errors of most operations</a>`;
  if (errors.length === 0) return html`<p class="quiet">It has only the ${shared}.</p>`;
  return html`<details><summary>Errors: ${[...new Set(errors.map(({ status }) => status))].join(', ')}</summary>
${errorTable(errors)}<p class="quiet">And the ${shared}.</p></details>`;
}

function snippets(document: ApiDocument, { method, path, operation }: Listed): Markup {
  const { operationId, parameters = [], 'x-cookies': cookies = {} } = operation;
  const call = sdkCalls[operationId];
  const body = firstBody(document, operation);
  const curl = curlOf({ method, path, parameters, cookie: cookies.needs?.[0], body });
  return html`${call === undefined ? '' : html`<h3>SDK</h3>${snippet(`await ${call};`)}`}
<h3>curl</h3>${snippet(curl)}`;
}

/** The possible responses. */
function examplesOf(document: ApiDocument, answers: Answers): Markup[] {
  return answers.flatMap(([status, { content = {} }]) => {
    const examples = Object.values(content['application/json']?.examples ?? {});
    return examples.map((example) => {
      const { summary, value } = resolve(document, example);
      return html`<h3>${status}: ${summary}</h3><pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
    });
  });
}

function firstBody(document: ApiDocument, { requestBody }: OperationObject): unknown {
  const [example] = Object.values(requestBody?.content['application/json']?.examples ?? {});
  return example && resolve(document, example).value;
}

function toField({ name, required, description = '', schema, ...where }: ParameterObject): SchemaField {
  const [field] = listFields(schema);
  const notes = [`in ${where.in}`, required ? 'required' : '', description, field?.notes ?? ''];
  return { name, type: field?.type ?? 'string', notes: notes.filter(Boolean).join('; ') };
}

/** A form that sends the request from this page. The script makes it visible. */
function tryForm(document: ApiDocument, { method, path, operation }: Listed): Markup | '' {
  const { operationId, parameters = [], requestBody } = operation;
  if (method === 'GET' && isForBrowsers(document, operation)) {
    return parameters.length > 0 ? '' : html`<p><a class="button" href="${path}">Open</a></p>`;
  }
  // A file cannot be typed into a page.
  if (requestBody && !requestBody.content['application/json']) return '';
  const value = firstBody(document, operation);
  return html`<details hidden><summary>Try it</summary><form data-method="${method}" data-path="${path}">
${parameters.map((parameter) => {
  const id = `${operationId}-${parameter.name}`;
  return html`<div class="field"><label for="${id}">${parameter.name}</label><input type="text" id="${id}" name="${parameter.name}" data-in="${parameter.in}" value="${String(parameter.example ?? '')}"></div>`;
})}
${requestBody ? html`<div class="field"><label for="${operationId}-body">Body</label><textarea id="${operationId}-body" name="body" spellcheck="false">${value === undefined ? '' : JSON.stringify(value, null, 2)}</textarea></div>` : ''}
<button type="submit">Send</button> <span class="hint">with the cookies of this browser</span>
<pre hidden role="status"></pre>
</form></details>
`;
}

/** Returns whether the operation redirects, or answers with something other than JSON. */
function isForBrowsers(document: ApiDocument, { responses }: OperationObject): boolean {
  if ('302' in responses) return true;
  return Object.values(responses).every(
    (response) =>
      resolve(document, response).content?.['application/json'] === undefined || isRefusal(response),
  );
}
