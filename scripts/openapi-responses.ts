import type { Example } from '../contract/examples/example.ts';
import type { Answer } from '../contract/operation.ts';
import { AppError, type ErrorCode, messageByCode } from '../src/errors.ts';
import type { ExampleObject, HeaderObject, MediaType, Reference, ResponseObject } from './openapi-types.ts';
import type { DescribedOperation } from './operations.ts';

type Headers = Record<string, HeaderObject | Reference>;

const unsafe = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const reasons: Record<number, string> = {
  400: 'The request is not valid.',
  401: 'Nobody is signed in, or the session has ended.',
  403: 'Not allowed.',
  404: 'Does not exist.',
  409: 'Conflicts with the current state.',
  410: 'Gone.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  429: 'Too many requests.',
  500: 'The service failed.',
  502: 'An external service failed.',
  503: 'Unavailable.',
};

/** Every error code that an operation may return: listed ones, and those that follow from its properties. */
export function errorsOf(operation: DescribedOperation): ErrorCode[] {
  if (operation.isAsset) return [];
  const { endpoint, method, needs, reads = [], limit, query, body, readsBody, errors = [] } = operation;
  // A duplicate cookie is rejected.
  const readsRefresh = [...(needs?.anyOf ?? []), ...reads].includes('pid_refresh');
  const needsAccess = needs?.anyOf.includes('pid_access') === true && needs.optional !== true;
  const { openToApps, scope } = endpoint;
  const refusesUnmarkedApps =
    openToApps === 'first_party' || (scope !== undefined && openToApps === undefined);
  const codes: ErrorCode[] = [
    ...(query || body ? (['validation_failed'] as const) : []),
    ...(readsBody ? (['malformed_body', 'body_too_large', 'unsupported_media_type'] as const) : []),
    ...(needsAccess || readsRefresh ? (['unauthenticated'] as const) : []),
    ...(unsafe.has(method) || endpoint.actor?.takesTokens ? (['origin_not_allowed'] as const) : []),
    ...(refusesUnmarkedApps ? (['origin_not_first_party'] as const) : []),
    ...(endpoint.scope === undefined ? [] : (['missing_scope'] as const)),
    ...(endpoint.scope !== undefined && unsafe.has(method)
      ? (['grant_revoked', 'grant_expired'] as const)
      : []),
    ...errors,
    ...(limit ? (['rate_limited', 'unavailable'] as const) : []),
    'host_invalid',
    'internal',
  ];
  return [...new Set(codes)];
}

/** A name for an example: its title in lower case, with hyphens. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** The responses to a hosted page's form. */
const toForm: Record<200 | 303, ResponseObject> = {
  200: {
    description: 'For the form of a hosted page: a page.',
    headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
    content: { 'text/html': { schema: { type: 'string' } } },
  },
  303: {
    description: 'For the form of a hosted page: a redirect to the next page.',
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      Location: header('Leads to the next page.'),
    },
  },
};

export function responsesOf(
  operation: DescribedOperation,
  refOf: (schema: NonNullable<Answer['schema']>) => Reference,
): Record<string, ResponseObject | Reference> {
  const responses: Record<string, ResponseObject | Reference> = {};
  for (const answer of operation.answers) responses[answer.status] = successOf(operation, answer, refOf);
  const { formStatus } = operation;
  if (formStatus !== undefined) responses[formStatus] ??= toForm[formStatus];
  const byStatus = Map.groupBy(errorsOf(operation), (code) => new AppError(code).status);
  for (const status of [...byStatus.keys()].sort((a, b) => a - b)) {
    const codes = byStatus.get(status) ?? [];
    const own = ownTexts(operation, codes);
    const [only, ...others] = codes;
    const isCommon =
      only !== undefined && others.length === 0 && Object.keys(own).length === 0 && !isForPeople(operation);
    const refusal = isCommon ? { $ref: `#/components/responses/${only}` } : refusalOf(status, codes, own);
    responses[status] = isForPeople(operation) && !('$ref' in refusal) ? asPageToo(refusal) : refusal;
  }
  return responses;
}

/** Responses with a single error, to which operations refer. */
export function commonResponses(operations: readonly DescribedOperation[]): Record<string, ResponseObject> {
  const used = new Set(
    operations.flatMap((operation) => {
      const responses = Object.values(responsesOf(operation, () => ({ $ref: '' })));
      return responses.flatMap((response) => ('$ref' in response ? response.$ref.split('/').at(-1) : []));
    }),
  );
  const codes = [...used].filter((code) => code !== undefined) as ErrorCode[];
  const described = codes.sort().map((code) => [code, refusalOf(new AppError(code).status, [code], {})]);
  return Object.fromEntries(described);
}

function successOf(
  operation: DescribedOperation,
  answer: Answer,
  refOf: (schema: NonNullable<Answer['schema']>) => Reference,
): ResponseObject {
  const { description, schema, fileTypes = [], isPage, sets, clears, location, cacheControl } = answer;
  const content: Record<string, MediaType> = {};
  if (schema)
    content['application/json'] = { schema: refOf(schema), ...examplesOf(operation, answer.status) };
  if (operation.path === '/openapi.json') content['application/json'] = { schema: { type: 'object' } };
  for (const type of fileTypes) content[type] = { schema: { type: 'string' } };
  if (isPage) content['text/html'] = { schema: { type: 'string' } };
  const headers: Headers = {
    ...commonHeaders(operation),
    ...(location ? { Location: header(`Leads to ${location}.`) } : {}),
    ...(cacheControl ? { 'Cache-Control': header(`\`${cacheControl}\``) } : {}),
    ...(sets || clears ? { 'Set-Cookie': header(cookieSentence(answer)) } : {}),
  };
  return {
    description,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(Object.keys(content).length > 0 ? { content } : {}),
    ...(sets || clears ? { 'x-cookies': { ...(sets ? { sets } : {}), ...(clears ? { clears } : {}) } } : {}),
  };
}

/** The errors in an operation's examples whose texts differ from the codes' defaults. */
function ownTexts(
  { examples }: DescribedOperation,
  codes: readonly ErrorCode[],
): Record<string, ExampleObject> {
  const own: Record<string, ExampleObject> = {};
  for (const { title, answer } of examples) {
    if (!('error' in answer) || answer.message === undefined || !codes.includes(answer.error)) continue;
    const value = { ...new AppError(answer.error).body, message: answer.message };
    own[slugOf(title)] = { summary: title, value };
  }
  return own;
}

function refusalOf(
  status: number,
  codes: readonly ErrorCode[],
  own: Record<string, ExampleObject>,
): ResponseObject {
  const examples = codes.map((code) => [code, { $ref: `#/components/examples/${code}` }] as const);
  const texts = codes.map((code) => `- \`${code}\`: ${textOf(code)}`);
  const extra = [
    'X-Error-Code',
    'X-Request-Id',
    ...(status === 429 ? ['RateLimit-Policy', 'RateLimit'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
  ];
  return {
    description: [reasons[status] ?? 'Refused.', '', ...texts].join('\n'),
    headers: Object.fromEntries(extra.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: { ...Object.fromEntries(examples), ...own },
      },
    },
  };
}

/**
 * Returns whether only browsers call it. Responses to programs stay JSON, so that generated clients know their type.
 */
function isForPeople({ answers, endpoint, isHosted = endpoint.takesForms }: DescribedOperation): boolean {
  return isHosted === true || answers.every(({ status, isPage }) => status === 302 || isPage === true);
}

/** A rejected navigation gets a page, unless a program sent it. */
function asPageToo(refusal: ResponseObject): ResponseObject {
  return { ...refusal, content: { ...refusal.content, 'text/html': { schema: { type: 'string' } } } };
}

function textOf(code: ErrorCode): string {
  return code === 'validation_failed' ? 'an array with one text for each problem' : messageByCode[code];
}

function commonHeaders({ limit, isAsset }: DescribedOperation): Headers {
  const names = [...(isAsset ? [] : ['X-Request-Id']), ...(limit ? ['RateLimit-Policy', 'RateLimit'] : [])];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function header(description: string): HeaderObject {
  return { description, schema: { type: 'string' } };
}

function cookieSentence({ sets = [], clears = [] }: Answer): string {
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');
  return [
    ...(sets.length > 0 ? [`Sets ${list(sets)}.`] : []),
    ...(clears.length > 0 ? [`Clears ${list(clears)}.`] : []),
  ].join(' ');
}

function examplesOf({ examples }: DescribedOperation, status: number): Pick<MediaType, 'examples'> {
  const answered = examples.filter(hasBody(status));
  if (answered.length === 0) return {};
  return {
    examples: Object.fromEntries(
      answered.map(({ title, answer }) => [slugOf(title), { summary: title, value: answer.body }]),
    ),
  };
}

function hasBody(status: number) {
  return (example: Example): example is Example & { answer: { status: 200; body: unknown } } =>
    'status' in example.answer && example.answer.status === status && example.answer.body !== undefined;
}
