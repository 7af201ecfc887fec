import { beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { dumpDatabase } from '../support/database-dump.ts';
import { freshHandle, signIn } from '../support/people.ts';
import { useService } from '../support/service.ts';
import type { TargetRequest } from '../support/target.ts';

const limit = 16 * 1024;
const routes = ['/v1/auth/login', '/v1/auth/claim'];

/** A person who could claim, so that an accepted body would have an effect. */
let ticket = '';
const target = useService();
beforeAll(async () => {
  const browser = openBrowser(target);
  await signIn(target, browser);
  ticket = await browser.cookies('/v1/auth/claim');
});

interface Attack {
  readonly name: string;
  readonly status: number;
  readonly message: string;
  body(): TargetRequest['body'];
  readonly headers?: Record<string, string>;
}

const tooLarge = { status: 413, message: 'Request body is too large' };
const malformed = { status: 400, message: 'The request body is not valid JSON' };
const handle = freshHandle();
const valid = JSON.stringify({ handle });
const padded = (size: number) => valid.padEnd(size, ' ');
const bytes = (...parts: (string | number[])[]) =>
  Uint8Array.from(
    parts.flatMap((part) => (typeof part === 'string' ? [...new TextEncoder().encode(part)] : part)),
  );

const attacks: Attack[] = [
  { name: 'one byte over the limit', ...tooLarge, body: () => padded(limit + 1) },
  { name: 'ten megabytes', ...tooLarge, body: () => padded(10 * 1024 * 1024) },
  {
    name: 'nesting of 5,000',
    status: 400,
    message: 'The request body is nested too deeply',
    body: () => `{"handle":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
  },
  {
    name: 'nesting of 33',
    status: 400,
    message: 'The request body is nested too deeply',
    body: () => `{"handle":"${handle}","more":${'['.repeat(32)}${']'.repeat(32)}}`,
  },
  {
    name: 'bytes that are not UTF-8',
    status: 400,
    message: 'The request body is not valid UTF-8',
    body: () => bytes('{"handle":"', [0x61, 0xff, 0x62], '"}'),
  },
  {
    name: 'an overlong UTF-8 form',
    status: 400,
    message: 'The request body is not valid UTF-8',
    body: () => bytes('{"handle":"', [0xc0, 0xaf], '"}'),
  },
  {
    name: 'half a surrogate pair as bytes',
    status: 400,
    message: 'The request body is not valid UTF-8',
    body: () => bytes('{"handle":"', [0xed, 0xa0, 0x80], '"}'),
  },
  { name: 'trailing garbage', ...malformed, body: () => `${valid}x` },
  { name: 'two documents', ...malformed, body: () => `${valid}${valid}` },
  { name: 'an unfinished document', ...malformed, body: () => valid.slice(0, -1) },
  { name: 'a form', ...malformed, body: () => `handle=${handle}` },
  {
    name: 'a duplicate key',
    status: 400,
    message: 'The request body holds one key twice',
    body: () => `{"handle":"${handle}","handle":"other"}`,
  },
  {
    name: 'a duplicate key, spelled differently',
    status: 400,
    message: 'The request body holds one key twice',
    body: () => `{"handle":"${handle}","h\\u0061ndle":"other"}`,
  },
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  ].map((type) => ({
    name: `the content type "${type}"`,
    status: 415,
    message: 'The request body must be application/json',
    body: () => valid,
    headers: { 'Content-Type': type },
  })),
];

const post = (attack: Pick<Attack, 'body' | 'headers'>): TargetRequest => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Cookie: ticket, ...attack.headers },
  body: attack.body() ?? '',
});

describe.each(routes)('the body of POST %s', (path) => {
  it.each(attacks)('is rejected without effect if it is $name [D-61]', async (attack) => {
    const before = await dumpDatabase(target);
    const init = post(attack);
    const answer = await target.request(path, init);
    expect([answer.status, await answer.json()]).toEqual([
      attack.status,
      { statusCode: attack.status, message: attack.message, code: expect.any(String) },
    ]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await dumpDatabase(target)).toBe(before);
  });

  it('is rejected as too large while it is being read, even without a declared length [D-61]', async () => {
    for (const size of [limit + 1, 10 * 1024 * 1024]) {
      const answer = await target.request(path, { ...post({ body: () => padded(size) }), chunked: true });
      expect([answer.status, await answer.json()]).toEqual([
        413,
        { statusCode: 413, message: tooLarge.message, code: 'body_too_large' },
      ]);
    }
  });

  it('is rejected with a list of problems if it is not an object [D-61]', async () => {
    for (const body of ['null', '[]', '"text"', '1']) {
      const answer = await target.request(path, post({ body: () => body }));
      const { statusCode, message } = (await answer.json()) as { statusCode: number; message: unknown };
      expect([answer.status, statusCode, Array.isArray(message)]).toEqual([400, 400, true]);
    }
  });
});

describe('a request body', () => {
  it('may be exactly as long as the limit, chunked or not [D-61]', async () => {
    const body = '{"provider":"idp"}'.padEnd(limit, ' ');
    for (const chunked of [false, true]) {
      const answer = await target.request('/v1/auth/login', { ...post({ body: () => body }), chunked });
      expect(answer.status).toBe(200);
    }
  });

  it('may be nested up to the limit, declare a character set, or be missing [D-61]', async () => {
    const deep = `{"provider":"idp","more":${'['.repeat(31)}${']'.repeat(31)}}`;
    const type = { 'Content-Type': 'Application/JSON; charset=utf-8' };
    const answers = [
      await target.request('/v1/auth/login', post({ body: () => deep })),
      await target.request('/v1/auth/login', post({ body: () => '{}', headers: type })),
      await target.request('/v1/auth/login', post({ body: () => '' })),
      await target.request('/v1/auth/login', { method: 'POST' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('cannot change an object’s prototype [D-61]', async () => {
    const body = '{"__proto__":{"returnTo":"//evil.example"},"constructor":{"prototype":{"provider":"x"}}}';
    const answer = await target.request('/v1/auth/login', post({ body: () => body }));
    expect([answer.status, await answer.json()]).toEqual([200, { url: '/v1/auth/idp' }]);
  });

  it('is still accepted after a flood of oversized bodies [D-61]', async () => {
    const flood = Array.from({ length: 20 }, () =>
      target.request('/v1/auth/claim', { ...post({ body: () => padded(1024 * 1024) }), chunked: true }),
    );
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(statuses).toEqual(Array(20).fill(413));
    const claimed = await target.request('/v1/auth/claim', post({ body: () => valid }));
    expect(claimed.status).toBe(200);
  });
});
