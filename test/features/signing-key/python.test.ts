import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { newMember } from '../../support/people.ts';
import { compactJwt, decodeJwt, hmacSigner, type ServiceKey, serviceKey } from '../../support/signing.ts';

const script = join(import.meta.dirname, '../../support/verify_access.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;

const provider = () => ({
  IDP_ISSUER: inject('lyingIssuer'),
  IDP_CLIENT_ID: 'peridot',
  IDP_CLIENT_SECRET: 'provider secret',
});

let files: ServiceFiles;
let target: InProcessTarget;
let keySet: string;
beforeAll(async () => {
  files = await makeServiceFiles();
  target = await openFileService(files, provider());
  keySet = join(files.folder, 'jwks.json');
});
afterAll(async () => {
  await target.close();
  await files.remove();
});

/** Returns the verdict on each token by a Python back end that has only the published keys. */
async function judge(tokens: string[]): Promise<(Record<string, unknown> | null)[]> {
  await writeFile(keySet, await (await target.request('/.well-known/jwks.json')).text());
  const { stdout, stderr } = spawnSync('python3', [script, keySet, target.origin], {
    input: tokens.map((token) => `${token}\n`).join(''),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

async function forge(token: string, key: ServiceKey): Promise<Record<string, string>> {
  const { header, payload } = decodeJwt(token);
  const [head = '', body = '', signature = ''] = token.split('.');
  const lie = (changes: Record<string, unknown>) => compactJwt(header, { ...payload, ...changes }, key.sign);
  const seconds = Math.floor(Date.now() / 1000);
  return {
    expired: await lie({ exp: seconds - 1 }),
    'another issuer': await lie({ iss: 'https://id.example.com' }),
    'another audience': await lie({ aud: 'https://api.example.com' }),
    'somebody else, old signature': await compactJwt(
      header,
      { ...payload, sub: 'mallory@pid' },
      () => signature,
    ),
    'no algorithm': await compactJwt({ ...header, alg: 'none' }, payload, () => ''),
    'HS256 under the kid': await compactJwt(
      { ...header, alg: 'HS256' },
      payload,
      await hmacSigner(new TextEncoder().encode(key.kid)),
    ),
    'an unknown key': await compactJwt({ ...header, kid: 'unknown' }, payload, key.sign),
    'an app token': await compactJwt({ ...header, typ: 'at+jwt' }, payload, key.sign),
    'r and s of zero': `${head}.${body}.${'A'.repeat(86)}`,
    'half a signature': `${head}.${body}.${signature.slice(0, 43)}`,
    'two parts': `${head}.${body}`,
    nothing: '',
  };
}

describe.skipIf(!hasPython)('a Python back end with only the published keys', () => {
  it('accepts people’s access tokens and reads their PID', async () => {
    const members = [await newMember(target), await newMember(target)];
    const tokens = await Promise.all(
      members.map(async ({ browser }) => (await browser.cookie('pid_access')) ?? ''),
    );
    const judged = await judge(tokens);
    expect(judged.map((claims) => claims?.['sub'])).toEqual(members.map(({ handle }) => `${handle}@pid`));
  });

  it('accepts tokens signed before and after a rotation', async () => {
    const { browser } = await newMember(target);
    const old = (await browser.cookie('pid_access')) ?? '';
    // The next key is created as if it had been published a day ago.
    await target.rows('UPDATE signing_keys SET signs_until = ?', [target.now() + 86_400_000]);
    await target.request('/dev/scheduled', { method: 'POST' });
    await target.rows('UPDATE signing_keys SET signs_from = ? WHERE signs_from > ?', [
      target.now() - 1,
      target.now(),
    ]);
    await target.restart(provider());
    const young = (await (await newMember(target)).browser.cookie('pid_access')) ?? '';
    expect(decodeJwt(young).header['kid']).not.toBe(decodeJwt(old).header['kid']);
    expect((await judge([old, young])).map((claims) => claims !== null)).toEqual([true, true]);
  });

  it('rejects forged and expired tokens and tokens of other issuers', async () => {
    const { browser } = await newMember(target);
    const token = (await browser.cookie('pid_access')) ?? '';
    const forgeries = await forge(token, await serviceKey(target));
    const judged = await judge([...Object.values(forgeries), token]);
    expect(Object.keys(forgeries).filter((_, index) => judged[index] !== null)).toEqual([]);
    expect(judged.at(-1)).not.toBeNull();
  });
});
