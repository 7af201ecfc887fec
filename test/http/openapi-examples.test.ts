import { describe, expect, it } from 'vitest';
import { contract } from '../../contract/contract.ts';
import { type Example, fillIn } from '../../contract/examples/example.ts';
import type { Answer } from '../../contract/operation.ts';
import { describeContract, type DescribedOperation as Operation } from '../../scripts/operations.ts';
import { AppError } from '../../src/errors.ts';
import { anonymousLimit, policyOf } from '../../src/http/rate-limit.ts';
import { exampleSettings, reach } from '../support/example-state.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';
import { setCookies } from '../support/set-cookie.ts';
import type { TargetRequest } from '../support/target.ts';

const target = useService(exampleSettings);

/** The cookies that a response's examples set and clear, by the operation's id and the status. */
const seen = new Map<string, { sets: Set<string>; clears: Set<string> }>();
const described = (await describeContract(contract))
  .flatMap(({ operations }) => operations)
  .filter(({ isAsset }) => isAsset !== true)
  .map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

describe.each(described)('the example of %s', (_, operation) => {
  it.each(operation.examples.map((example) => [example.title, example] as const))(
    '%s',
    async (_, example) => {
      // Full buckets, because reaching a state must not use the limits under which examples run.
      await target.advance(61);
      const answer = await send(operation, example);
      if ('error' in example.answer) await expectRefusal(answer, operation, example);
      else await expectSuccess(answer, operation, example);
      expect(answer.headers.get('X-Request-Id')).toMatch(/^[\w-]{16}$/);
      expectLimit(answer, operation, example);
    },
  );

  it('shows exactly the cookies that the contract lists', () => {
    for (const { status, sets = [], clears = [] } of operation.answers) {
      const shown = seen.get(`${operation.id} ${status}`);
      expect([...(shown?.sets ?? [])].sort()).toEqual([...sets].sort());
      expect([...(shown?.clears ?? [])].sort()).toEqual([...clears].sort());
    }
  });
});

async function send(operation: Operation, example: Example): Promise<Response> {
  const { browser, values } = await reach(target, example.as);
  const { params = {}, query = {}, body, file, form: fields, headers = {} } = example;
  const given = fillIn({ ...params }, values);
  const path = operation.path.replace(/:(\w+)/g, (name, key: string) =>
    encodeURIComponent(given[key] ?? name),
  );
  const search = new URLSearchParams(fillIn({ ...query }, values));
  const filled = fillIn({ ...headers }, values);
  const init: TargetRequest =
    fields !== undefined
      ? withHeaders(form(fillIn({ ...fields }, values), target.origin), filled)
      : body === undefined
        ? { method: operation.method, headers: filled, ...(file === undefined ? {} : { body: file }) }
        : {
            method: operation.method,
            headers: { 'Content-Type': 'application/json', ...filled },
            body: JSON.stringify(fillIn(body, values)),
          };
  return browser.fetch(search.size > 0 ? `${path}?${search}` : path, init);
}

function withHeaders(request: TargetRequest, headers: Record<string, string>): TargetRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

async function expectRefusal(
  answer: Response,
  { endpoint }: Operation,
  { answer: expected }: Example,
): Promise<void> {
  if (!('error' in expected)) throw new Error('this example is no refusal');
  const options = expected.oauth === undefined ? {} : { oauth: expected.oauth };
  const error = new AppError(expected.error, expected.message as string | string[] | undefined, options);
  expect([answer.status, answer.headers.get('X-Error-Code')]).toEqual([error.status, error.code]);
  expect(await answer.json()).toEqual(endpoint.isOauth ? error.oauthBody : error.body);
  expect(cookiesOf(answer).sets).toEqual([]);
}

async function expectSuccess(answer: Response, operation: Operation, example: Example): Promise<void> {
  const said = operation.answers.find(({ status }) => status === answer.status);
  const text = await answer.text();
  expect([answer.status, said === undefined ? text : ''], text).toEqual([
    'status' in example.answer ? example.answer.status : 0,
    '',
  ]);
  if (said === undefined || !('status' in example.answer)) return;
  expect(answer.headers.has('Location')).toBe(said.location !== undefined);
  expect(answer.headers.get('Cache-Control')).toBe(said.cacheControl ?? 'no-store');
  if (said.isPage) expect(answer.headers.get('Content-Type')).toMatch(/^text\/html/);
  else if (said.schema === undefined && said.fileTypes)
    expect(said.fileTypes).toContain(answer.headers.get('Content-Type')?.split(';')[0]);
  else if (said.schema === undefined) expect(text).toBe('');
  else expectBody(JSON.parse(text), said.schema, example.answer.body);
  const { sets, clears } = cookiesOf(answer);
  const key = `${operation.id} ${answer.status}`;
  const known = seen.get(key);
  seen.set(key, {
    sets: new Set([...(known?.sets ?? []), ...sets]),
    clears: new Set([...(known?.clears ?? []), ...clears]),
  });
}

/** Both the response and the documented one have exactly the schema's fields, because parsing drops unknown ones. */
function expectBody(body: unknown, schema: NonNullable<Answer['schema']>, documented: unknown): void {
  expect(schema.parse(body)).toEqual(body);
  expect(schema.parse(documented)).toEqual(documented);
}

/**
 * `pid_oauth_` with its suffix is treated as one name, as is `pid_authorize_`. A cookie that a response sets again is
 * treated as set.
 */
function cookiesOf(answer: Response): { sets: string[]; clears: string[] } {
  const cookies = setCookies(answer).map(({ name, value }) => ({
    name: name.replace(/^(pid_oauth|pid_authorize)_.*/, '$1_*'),
    isSet: value !== '',
  }));
  const names = (isSet: boolean) =>
    cookies.filter((cookie) => cookie.isSet === isSet).map(({ name }) => name);
  return { sets: names(true), clears: names(false).filter((name) => !names(true).includes(name)) };
}

/** A counted response contains its limit; a success is always counted, and a route without a limit never is. */
function expectLimit(answer: Response, { limit, endpoint }: Operation, example: Example): void {
  const policy = answer.headers.get('RateLimit-Policy');
  if (limit === undefined) expect(policy).toBeNull();
  else if (answer.ok || policy !== null) {
    const code = answer.headers.get('X-Error-Code') ?? '';
    const isStranger = limit.per === 'identity' && ['unauthenticated', 'no_session'].includes(code);
    const requests = isStranger ? anonymousLimit.requests : limit.requests;
    // A secret is counted separately, unless a code or a token identifies its family.
    const isSecret = /"Basic |"client_secret"/.test(JSON.stringify(example));
    const allowed = isSecret ? [requests, policyOf(endpoint.limit ?? 0).ceiling] : [requests];
    // A page may lead a stranger to the sign-in.
    if (limit.per === 'identity' && answer.status === 302) allowed.push(anonymousLimit.requests);
    expect(allowed.map((most) => `"default";q=${most};w=60`)).toContain(policy);
    expect(answer.headers.get('RateLimit')).toMatch(/^"default";r=\d+;t=\d+$/);
  }
}
