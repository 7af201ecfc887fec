import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkArchitecture, table } from './support/architecture.ts';

const ROOT = join(import.meta.dirname, '..');

/** Remaining exceptions. An entry that is no longer needed fails the test, so the list can only shrink. */
const KNOWN: string[] = [];

it('every file imports only from lower layers', () => {
  const files = globSync('{src,dev,sdk,contract,test,scripts}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: ['test/fixtures/**', '**/node_modules/**'],
  });
  const tree = files.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const);
  const found = checkArchitecture(new Map(tree));
  expect([...found].filter(([name]) => !KNOWN.includes(name)).map(([, message]) => message)).toEqual([]);
  expect(KNOWN.filter((name) => !found.has(name))).toEqual([]);
});

/** Files that each violate one rule; `~` is a line break. */
const BROKEN = table(`
src/new/a.ts                  | layers   | export {};
src/lib/a.ts                  | layers   | import '../deps.ts';
src/http/a.ts                 | layers   | export { a } from '../features/mail/mail.ts';
src/db/a.ts                   | layers   | type A = import('../features/mail/mail.ts').A;
sdk/a.ts                      | layers   | import { a } from '../src/features/mail/schema.ts';
src/app.ts                    | layers   | await import('./platform/d1.ts');
test/http/a.test.ts           | layers   | import '../../src/platform/database/d1.ts';
src/features/mail/a.ts        | features | import type { Session } from '../session/session.ts';
src/features/popup/a.ts       | packages | import { Hono } from 'hono';
src/features/popup/b.tsx      | packages | export const card = <p />;
src/ui/c.ts                   | packages | import 'left-pad';
src/features/claim/a.ts       | globals  | const at = Date.now();
src/features/claim/b.ts       | globals  | const { now } = Date;
src/features/claim/c.ts       | globals  | const at = new Date();
src/features/claim/d.ts       | globals  | crypto.getRandomValues(bytes);
src/features/claim/f.ts       | globals  | const key = process.env['KEY'];
src/features/claim/e.ts       | globals  | const get = () => fetch('/');
src/pages/a.ts                | size     | ${'~'.repeat(301)}
src/pages/b.ts                | size     | function long() {${'~'.repeat(80)}}
src/ui/a.ts                   | folders  | import './style/a.ts';
src/ui/style/a.ts             | none     | import '../b.ts';
dev/a.ts                      | cycles   | import type { B } from './b.ts';
dev/b.ts                      | cycles   | import './a.ts';
`);

it('every rule detects the files that violate it', () => {
  const tree = BROKEN.map(([file = '', , source = '']) => [file, source.replaceAll('~', '\n')] as const);
  const found = [...checkArchitecture(new Map([...tree, ['src/ui/b.ts', '']])).values()];
  const shown = found.map((message) => message.replace(/^(\S+):1 \[(\w+)\] .+: .+$/, '$1 $2'));
  const expected = BROKEN.filter(([, rule]) => rule !== 'none').map(([file, rule]) => `${file} ${rule}`);
  expect(shown.sort()).toEqual(expected.sort());
});
