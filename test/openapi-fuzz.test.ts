import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { contract } from '../contract/contract.ts';
import { type ExampleState, fillIn, samples } from '../contract/examples/example.ts';
import { createFiles } from '../scripts/openapi.ts';
import { errorsOf } from '../scripts/openapi-responses.ts';
import type { Schema } from '../scripts/openapi-types.ts';
import { describeContract, type DescribedOperation as Operation } from '../scripts/operations.ts';
import { endpoints } from '../src/endpoints.ts';
import { AppError, type ErrorCode } from '../src/errors.ts';
import { exampleSettings, reach, type Situation } from './support/example-state.ts';
import { useService } from './support/service.ts';
import type { TargetRequest } from './support/target.ts';

/** Other seeds create other requests; the service's own secrets are random in each run. */
const seed = 2026;
const rounds = 10;
const requestsInRound = 500;
const target = useService({ ...exampleSettings, RATE_LIMITS: '{"*":1000000}' });

const described = (await describeContract(contract)).flatMap(({ operations }) => operations);
const operations = described.filter(({ isHosted, isAsset }) => !isHosted && !isAsset);
const oauthOperations = new Set(
  endpoints.filter(({ isOauth }) => isOauth).map(({ method, path }) => `${method} ${path}`),
);
const document = JSON.parse((await createFiles())['openapi.json'] ?? '');

/** The callers, set up again in each round, because some requests revoke a session or close an identity. */
const states = [
  'nobody',
  'member with two credentials',
  'member with a password',
  'member with an app',
  'member with an event',
  'member with an app that takes fees',
  'app with tokens',
  'member who allowed an app',
  'member with an inquiry',
  'member who has paid',
  'member who was paid',
  'member with a quote',
  'member with a deposit',
  'member with a passkey',
  'member with a ticket',
  'newcomer with a ticket',
  'newcomer who waits for a code',
  'member who forgot the password',
  'app whose popup is open',
  'administrator',
] as const satisfies readonly ExampleState[];

/** Repeatable random choices (mulberry32). */
function createDice(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    chance: (probability: number): boolean => next() < probability,
    pick: <T>(from: readonly [T, ...T[]] | readonly T[]): T => from[Math.floor(next() * from.length)] as T,
  };
}

type Dice = ReturnType<typeof createDice>;
type Values = Situation['values'];

const junk = [
  ...[null, true, 0, -1, 1e308, '', ' ', 'x', '\u0000', '%00', '../..', '{{7*7}}', "' OR 1=1 --", '\ud800'],
  ...['ṁ'.repeat(70), 'a'.repeat(5000), 'https://evil.example/', '//evil.example', 'ayu@pid', 'a@b.example'],
  ...[[], {}, [[]], [null], { toString: 1 }, { $ref: '#' }],
] as const;
const texts = junk.map(asText);

/** A value that matches a schema, or nearly does. */
function madeOf(schema: Schema, dice: Dice, values: Values): unknown {
  if (dice.chance(0.06)) return dice.pick(junk);
  const {
    $ref,
    enum: words,
    const: only,
    type,
    properties,
    items,
    required,
  } = schema as Record<string, never>;
  if ($ref !== undefined) return madeOf(resolve($ref), dice, values);
  if (only !== undefined) return only;
  if (words !== undefined) return dice.pick(words);
  const choices = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as Schema[] | undefined;
  if (choices !== undefined) return madeOf(dice.pick(choices), dice, values);
  if (properties !== undefined) {
    const names = Object.keys(properties).filter((name) =>
      dice.chance((required as string[] | undefined)?.includes(name) ? 0.96 : 0.5),
    );
    const given = names.map((name) => [name, madeOf(properties[name], dice, values)]);
    return Object.fromEntries(dice.chance(0.05) ? [...given, ['unknown', 1]] : given);
  }
  if (type === 'array')
    return Array.from({ length: dice.pick([0, 1, 3]) }, () => madeOf(items ?? {}, dice, values));
  if (type === 'boolean') return dice.chance(0.5);
  if (type === 'integer' || type === 'number') return dice.pick([0, 1, 7, 100, 101, -1, 1.5, 2 ** 53]);
  return textOf(dice, values);
}

/** A string, usually one with a meaning to the service. */
function textOf(dice: Dice, values: Values): string {
  const known = Object.values(values).filter((value) => value !== '');
  if (known.length > 0 && dice.chance(0.5)) return dice.pick(known);
  return dice.chance(0.6)
    ? dice.pick([
        ...Object.values(samples),
        '123456',
        'correct horse battery staple',
        'idp',
        'google',
        '/settings',
      ])
    : dice.pick(texts);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function resolve(reference: string): Schema {
  return reference
    .slice(2)
    .split('/')
    .reduce((at, key) => at[key], document) as Schema;
}

interface Shot {
  readonly path: string;
  readonly init: TargetRequest;
  /** True if the request is for a page. */
  readonly wantsPage: boolean;
}

/** A request for an operation: an example with some parts changed, or one generated from its schemas. */
async function shotAt(operation: Operation, { browser, values }: Situation, dice: Dice): Promise<Shot> {
  const described = document.paths[operation.path.replace(/:(\w+)/g, '{$1}')][operation.method.toLowerCase()];
  const example =
    operation.examples.length > 0 && dice.chance(0.4) ? dice.pick(operation.examples) : undefined;
  const params = fillIn({ ...example?.params }, values);
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) =>
    encode(params[name] !== undefined && dice.chance(0.8) ? params[name] : textOf(dice, values), dice),
  );
  const query = new URLSearchParams(fillIn({ ...example?.query }, values));
  for (const { in: place, name, schema } of described.parameters ?? [])
    if (place === 'query' && dice.chance(0.4)) query.append(name, asText(madeOf(schema, dice, values)));
  if (dice.chance(0.05)) query.append('popup', textOf(dice, values));
  const wantsPage = dice.chance(0.2);
  const headers: Record<string, string> = { ...headersFrom(dice, wantsPage) };
  const cookies = await cookiesFrom(browser.cookies(path), dice);
  if (cookies !== '') headers['Cookie'] = cookies;
  const init: TargetRequest = { method: operation.method, headers };
  if (operation.method === 'GET') return { path: `${path}?${query}`, init, wantsPage };
  const schema = Object.values<{ schema?: Schema }>(described.requestBody?.content ?? {})[0]?.schema ?? {};
  const made = example?.body !== undefined ? fillIn(example.body, values) : madeOf(schema, dice, values);
  const body = bodyFrom(made, dice, wantsPage);
  return {
    path: query.size > 0 ? `${path}?${query}` : path,
    init: body === null ? init : { ...init, body },
    wantsPage,
  };
}

function encode(text: string, dice: Dice): string {
  return dice.chance(0.05)
    ? dice.pick(['%', '%zz', '%E0%A4%A', '%2F', '..%2f'])
    : encodeURIComponent(text.toWellFormed() || 'x');
}

function headersFrom(dice: Dice, wantsPage: boolean): Record<string, string> {
  const types = wantsPage
    ? ['application/x-www-form-urlencoded']
    : ['text/plain', 'application/json; charset=utf-16', 'application/x-www-form-urlencoded', ''];
  return {
    'Content-Type': dice.chance(wantsPage ? 0.1 : 0.93) ? 'application/json' : dice.pick(types),
    Accept: wantsPage
      ? 'text/html,*/*'
      : dice.pick(['*/*', 'application/json', 'image/png', 'application/json, text/html']),
    ...(dice.chance(0.3)
      ? { Origin: dice.pick([target.origin, target.origin, 'null', 'https://evil.example']) }
      : {}),
    ...(dice.chance(0.2)
      ? { 'Sec-Fetch-Site': dice.pick(['same-origin', 'same-site', 'cross-site', 'none']) }
      : {}),
    ...(dice.chance(0.1)
      ? { 'Sec-Fetch-Mode': wantsPage ? 'navigate' : dice.pick(['cors', 'no-cors']) }
      : {}),
    ...(dice.chance(0.03) ? { 'Sec-Purpose': 'prefetch' } : {}),
    ...(dice.chance(0.05) ? { 'Accept-Language': dice.pick(['id', 'x;q=y', '*', ',,;;']) } : {}),
  };
}

async function cookiesFrom(kept: Promise<string>, dice: Dice): Promise<string> {
  const cookies = await kept;
  if (dice.chance(0.75)) return cookies;
  if (dice.chance(0.4)) return '';
  if (dice.chance(0.4)) return `${cookies}; ${cookies}`;
  return dice.pick([
    'pid_access=x',
    'pid_refresh=%00',
    'pid_claim=; pid_claim_key==',
    `pid_oauth=${'x'.repeat(3000)}`,
    ';;=',
  ]);
}

/** A body, sometimes malformed; null for none. */
function bodyFrom(value: unknown, dice: Dice, wantsPage: boolean): string | null {
  if (wantsPage && typeof value === 'object' && value !== null)
    return new URLSearchParams(Object.entries(value).map(([name, part]) => [name, asText(part)])).toString();
  if (dice.chance(0.9)) return JSON.stringify(value) ?? null;
  const broken = [
    '{',
    '1',
    '"x"',
    'null',
    '[]',
    `{"a":"${'x'.repeat(20_000)}"}`,
    '{"a":1,"a":2}',
    '\ufeff{}',
  ];
  return dice.chance(0.2) ? null : dice.pick([...broken, `${'['.repeat(40)}${']'.repeat(40)}`]);
}

/** The first columns of the statement, the journal and the audit log. */
const tables = /^(time,id|seq,at|at,actor),/;

/** Returns the undocumented part of a response; null if everything is documented. */
function deviation(operation: Operation, answer: Response, text: string, wantsPage: boolean): string | null {
  const { status, headers } = answer;
  const described = document.paths[operation.path.replace(/:(\w+)/g, '{$1}')][operation.method.toLowerCase()];
  const type = headers.get('Content-Type')?.split(';')[0] ?? '';
  // Every page responds like this if requested in a popup that does not exist.
  const isOfPopup = type === 'text/html' && headers.get('X-Error-Code') === 'popup_not_found';
  if (described.responses[status] === undefined && !isOfPopup) return 'unnamed status';
  // An administrator or a provider stopped it, which is not a failure.
  const isStopped = /^(ledger|gateway)_/.test(headers.get('X-Error-Code') ?? '');
  if (status >= 500 && !isStopped) return 'a failure';
  if (type === 'text/html') return wantsPage ? null : 'a page for a program';
  if (status >= 400) return refusalDeviation(operation, answer, text);
  if (status >= 300) return headers.has('Location') && text === '' ? null : 'no redirect';
  if (type === 'text/csv') return tables.test(text) ? null : 'another table';
  const { schema } = operation.answers.find((each) => each.status === status) ?? {};
  if (schema === undefined) return text === '' ? null : 'a body';
  const parsed = schema.safeParse(JSON.parse(text));
  return parsed.success && isDeepStrictEqual(parsed.data, JSON.parse(text)) ? null : 'another body';
}

function refusalDeviation(operation: Operation, answer: Response, text: string): string | null {
  const code = (answer.headers.get('X-Error-Code') ?? '') as ErrorCode;
  if (!errorsOf(operation).includes(code)) return `unnamed code ${code}`;
  const body = JSON.parse(text) as Record<string, unknown>;
  const { message } = body;
  const isText = (value: unknown) => typeof value === 'string';
  const isShaped =
    code === 'validation_failed' ? Array.isArray(message) && message.every(isText) : isText(message);
  const expected = { ...new AppError(code).body, message };
  // OAuth's format accompanies ours (RFC 6749 section 5.2), except where a request is rejected before its route is
  // known.
  const { error, error_description, ...ours } = body;
  const isOauth = oauthOperations.has(`${operation.method} ${operation.path}`);
  const isBoth = isText(error) && isText(error_description);
  if (code !== 'origin_not_allowed' && isBoth !== isOauth) return 'another error';
  return isShaped && JSON.stringify(ours) === JSON.stringify(expected) ? null : 'another error';
}

describe('5,000 requests generated from the contract', () => {
  it('get only documented responses and no failures', { timeout: 240_000 }, async () => {
    const dice = createDice(seed);
    const found = new Map<string, string>();
    const reached = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      const people: Situation[] = [];
      // The previous round's administrator may have frozen it.
      await target.rows("UPDATE ledger SET mode = 'open', reason = NULL WHERE id = 1");
      for (const state of states) people.push(await reach(target, state));
      for (let count = 0; count < requestsInRound; count += 1) {
        const operation = dice.pick(operations);
        const { path, init, wantsPage } = await shotAt(operation, dice.pick(people), dice);
        const answer = await target.request(path, init);
        const text = await answer.text();
        const problem = deviation(operation, answer, text, wantsPage);
        const name = `${operation.method} ${operation.path}`;
        reached.add(`${name} ${answer.status}`);
        if (problem === null) continue;
        const id = answer.headers.get('X-Request-Id') ?? '';
        const log = target.log().filter((line) => line.includes(id));
        found.set(
          `${name} ${answer.status} ${problem}`,
          JSON.stringify({ path, ...init, text: text.slice(0, 300), log }),
        );
      }
    }
    expect(Object.fromEntries(found)).toEqual({});
    // Enough of them pass the guards.
    const succeeded = new Set(
      [...reached].filter((line) => / [23]\d\d$/.test(line)).map((line) => line.slice(0, -4)),
    );
    expect(succeeded.size).toBeGreaterThan(operations.length * 0.4);
  });
});
