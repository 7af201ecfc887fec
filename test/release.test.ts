import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { broken, promisesOf, unannounced } from '../scripts/release/contract.ts';
import { listName, problemOf, signedList, textOf } from '../scripts/release/list.ts';
import { buildService } from '../scripts/release/service.ts';
import { problemWith, withVersion } from '../scripts/release/version.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'peridot-release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newKey = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return { pem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(), text: textOf(publicKey) };
};
const key = newKey();
const keyFile = join(folder, 'key.pem');
writeFileSync(keyFile, key.pem);

/** `npm run release` with these arguments. */
function release(...args: string[]) {
  const env = { ...process.env, RELEASE_KEY: keyFile };
  return spawnSync(process.execPath, ['scripts/release.ts', ...args], { cwd: root, env, encoding: 'utf8' });
}

describe('a version', () => {
  const files = {
    'CHANGELOG.md':
      '# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.9.0 (2026-01-01)\n\n- Old.\n',
    'package.json': '{\n  "name": "peridot",\n  "version": "0.9.0"\n}\n',
    'package-lock.json': '{\n  "version": "0.9.0",\n    "version": "0.9.0",\n      "version": "1.1.1"\n}\n',
  };

  it('needs a clean tree, a higher number and a changelog entry, and prints the next steps', () => {
    expect(problemWith('0.10.0', files, '')).toBeNull();
    expect(problemWith('0.10.0', files, ' M src/app.ts\n')).toMatch(/^Commit or stash.*\n M src\/app.ts$/);
    for (const version of ['0.9.0', '0.8.9', '0.1.99'])
      expect(problemWith(version, files, '')).toBe(
        `${version} is not greater than 0.9.0: give a greater version`,
      );
    const raised = { ...files, 'package.json': files['package.json'].replace('0.9.0', '0.10.0') };
    expect(problemWith('0.10.0', raised, '')).toBeNull();
    expect(problemWith('0.9.1', raised, '')).toBe(
      '0.9.1 is less than 0.10.0 in package.json: give a greater version',
    );
    for (const version of ['1', '1.0.0-rc.1', 'v1.0.0'])
      expect(problemWith(version, files, '')).toMatch(/is no version/);
    for (const changelog of ['# Changelog\n', files['CHANGELOG.md'].replace('- A thing.\n', '')])
      expect(problemWith('0.10.0', { ...files, 'CHANGELOG.md': changelog }, '')).toMatch(
        /^CHANGELOG.md has no entry/,
      );
  });

  it('moves the unreleased entries to the new version, with its date', () => {
    const raised = withVersion('0.10.0', files, '2026-11-27');
    expect(raised['CHANGELOG.md']).toContain('## Unreleased\n\n## 0.10.0 (2026-11-27)\n\n### Added\n');
    expect(JSON.parse(raised['package.json']).version).toBe('0.10.0');
    expect(raised['package-lock.json'].match(/"\d.*"/g)).toEqual(['"0.10.0"', '"0.10.0"', '"1.1.1"']);
  });

  it('makes the command exit with code 2 if it is invalid', () => {
    const before = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    expect(release('0.0.1')).toMatchObject({ status: 2, stdout: '' });
    expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toBe(before);
    expect(release('next').status).toBe(2);
  });
});

describe('a downloaded file', () => {
  const file = join(folder, 'peridot.tar.gz');
  const content = Buffer.from('the service');
  const put = (bytes: Uint8Array) => writeFileSync(file, bytes);
  put(content);
  const list = signedList(new Map([['peridot.tar.gz', content]]), key.pem);
  const putList = (text: string) => writeFileSync(join(folder, listName), text);

  it('is accepted if unchanged', () => {
    putList(list);
    expect(problemOf(file, key.text)).toBeNull();
    expect(release('verify', file)).toMatchObject({ status: 0 });
    // Other tools read the list, too.
    execFileSync('sha256sum', ['--check', '--strict', listName], { cwd: folder });
  });

  it('is rejected by name if it was changed, truncated or not part of the release', () => {
    for (const bytes of [Buffer.from('the servicf'), content.subarray(0, 5), Buffer.alloc(0)]) {
      put(bytes);
      expect(problemOf(file)).toBe('peridot.tar.gz: differs from the released file');
    }
    expect(release('verify', file)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^peridot.tar.gz:/),
    });
    put(content);
    expect(problemOf(keyFile)).toBe('key.pem: not a file of this release');
    expect(problemOf(join(root, 'LICENSE'))).toMatch(/^LICENSE: there is no SHA256SUMS/);
  });

  it('is rejected if the list is not signed with the pinned key, or was changed after signing', () => {
    putList(list);
    expect(problemOf(file, newKey().text)).toMatch(/^SHA256SUMS: not signed with the key/);
    const forged = [
      list.replace(/^# key .{43}/, `# key ${newKey().text}`),
      list.replace('peridot.tar.gz', 'key.pem'),
      list.replace('# signature', `${'0'.repeat(64)}  key.pem\n# signature`),
      `${list}${'0'.repeat(64)}  key.pem\n`,
      list.split('# signature')[0] ?? '',
    ];
    for (const text of forged) {
      putList(text);
      expect(problemOf(keyFile)).toBe('SHA256SUMS: its signature does not match');
    }
  });
});

describe('the commands of docs/deploying.md that verify a signature', () => {
  const guide = readFileSync(join(root, 'docs/deploying.md'), 'utf8');
  const [, commands = ''] = /^### The signature\n.*?^```sh\n(.*?)^```/ms.exec(guide) ?? [];
  const list = signedList(new Map([['peridot.tar.gz', Buffer.from('the service')]]), key.pem);
  const verify = (text: string, pinned: string) => {
    writeFileSync(join(folder, listName), text);
    const filled = commands.replace(/^KEY=.*/, pinned === '' ? '$&' : `KEY=${pinned}`);
    return spawnSync('bash', ['-c', filled], { cwd: folder, encoding: 'utf8' });
  };

  it('accept a list as it was signed', () => {
    const verified = { status: 0, stdout: 'Signature Verified Successfully\n' };
    expect(verify(list, '')).toMatchObject(verified);
    expect(verify(list, key.text)).toMatchObject(verified);
  });

  it('reject another key, and a list that was changed', () => {
    const other = newKey();
    expect(verify(list, other.text).status).toBe(1);
    expect(verify(signedList(new Map(), other.pem), key.text).status).toBe(1);
    for (const text of [
      list.replace('peridot.tar.gz', 'key.pem'),
      list.replace('# signature', `${'0'.repeat(64)}  key.pem\n# signature`),
      `${list}${'0'.repeat(64)}  key.pem\n`,
    ])
      expect(verify(text, key.text).status, text).toBe(1);
  });
});

it('a release contains everything to which its pages link', async () => {
  const { files } = await buildService();
  const pages = [...files].filter(([name]) => name.endsWith('.md'));
  const links = pages.flatMap(([page, text]) =>
    [...text.toString().matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, link = '']) =>
      join(dirname(page), link),
    ),
  );
  expect(links).toContain('docs/images/signin.png');
  expect(links.filter((link) => !files.has(link))).toEqual([]);
});

it('docs/deploying.md lists exactly the files of a release', () => {
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  const [, table = ''] = read('docs/deploying.md').split('| file | contains |\n|---|---|\n');
  const listed = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| ([^|]+)/gm)].flatMap(
    ([, names = '']) => names.match(/(?<=`)[\w.-]+(?=`)/g) ?? [],
  );
  const built = [...read('scripts/release/build.ts').matchAll(/^ {4}\[['`]([^'`]+)['`], /gm)].map(
    ([, name = '']) => name.replace(/\$\{\w+\}/, '0.2.0'),
  );
  expect(listed.sort()).toEqual([...built, listName].sort());
});

describe('the contract of a release', () => {
  const make = (fields: string[], required: string[], answer: object) => ({
    paths: {
      '/v1/things': {
        post: {
          requestBody: {
            content: {
              'application/json': {
                schema: {
                  properties: Object.fromEntries(fields.map((name) => [name, { type: 'string' }])),
                  required,
                },
              },
            },
          },
          responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/Thing' } } } } },
        },
      },
    },
    components: {
      Thing: { properties: { id: answer, child: { $ref: '#/components/Thing' } }, required: ['id'] },
    },
  });
  const id = { type: 'string' };
  const before = promisesOf(make(['name', 'note'], ['name'], id));
  const changes = (after: Parameters<typeof promisesOf>[0]) => broken(before, promisesOf(after));

  it('may add fields and make fields optional', () => {
    expect(changes(make(['name', 'note', 'more'], [], id))).toEqual([]);
    expect(
      changes({
        paths: { ...make(['name', 'note'], ['name'], id).paths, '/v1/new': {} },
        components: { Thing: { properties: { id, child: {}, more: id }, required: ['id'] } },
      }),
    ).toEqual([]);
  });

  it('is narrowed by a removed field or response, a changed type or a newly required field', () => {
    const body = 'POST /v1/things body application/json ';
    expect(changes(make(['name'], ['name'], id))).toEqual([`${body}.note`, `${body}.note: string`]);
    expect(changes(make(['name', 'note'], ['name', 'note'], id))).toEqual([`needs ${body}.note`]);
    expect(changes(make(['name', 'note'], ['name'], { type: 'integer' }))).toEqual([
      'POST /v1/things 200 application/json .id: string',
    ]);
    expect(changes({ paths: {} })).toContain('POST /v1/things');
  });

  it('needs an upgrade note with the path of each narrowed part', () => {
    const log = (notes: string) =>
      `# Changelog\n\n## Unreleased\n\n### Upgrade notes\n\n${notes}\n\n### Added\n\n- \`/v1/things\`\n\n## 0.1.0\n`;
    const lines = ['needs POST /v1/things body', 'POST /v1/things 200'];
    expect(unannounced(lines, log('- `POST /v1/things` needs a body.'))).toEqual([]);
    expect(unannounced(lines, log('- `/v1/things/:id` is gone.'))).toEqual(lines);
    expect(unannounced(lines, '# Changelog\n\n## Unreleased\n')).toEqual(lines);
  });
});

it('the service builds to the same bytes in another folder', { timeout: 120_000 }, () => {
  const copy = join(folder, 'a', 'longer', 'path');
  mkdirSync(copy, { recursive: true });
  const names = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root });
  const input = execFileSync('tar', ['c', '--ignore-failed-read', '--null', '--files-from', '-'], {
    cwd: root,
    input: names,
    maxBuffer: 1e9,
  });
  execFileSync('tar', ['x'], { cwd: copy, input });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const hashes = [root, copy].map((cwd) => {
    const code = `import { createHash } from 'node:crypto';
      import { buildService } from './scripts/release/service.ts';
      const { files } = await buildService();
      for (const [name, content] of files) console.log(createHash('sha256').update(content).digest('hex'), name);`;
    return execFileSync(process.execPath, ['--input-type=module', '--eval', code], { cwd, encoding: 'utf8' });
  });
  expect(hashes[0]).toContain(' src/bun.js\n');
  expect(hashes[1]).toBe(hashes[0]);
});

it('a production installation has no native package except Bun', () => {
  const { packages }: { packages: Record<string, { dev?: boolean; devOptional?: boolean; os?: string[] }> } =
    JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const native = Object.entries(packages).filter(([, each]) => each.os && !each.dev && !each.devOptional);
  expect(native.length).toBeGreaterThan(0);
  expect(native.filter(([name]) => !/^node_modules\/(bun$|@oven\/)/.test(name))).toEqual([]);
});
