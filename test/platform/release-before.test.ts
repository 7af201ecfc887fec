import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasLibsqlServer } from '../support/libsql-server.ts';

const root = join(import.meta.dirname, '../..');
const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout ?? '';

/** The tag of the previous release; before the first release, the commit that wrote its database. */
const release =
  git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^').trim() ||
  git('log', '-1', '--format=%H', '--', 'test/fixtures/releases').trim();

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

function pinned(manifest: string): Record<string, string> {
  const { dependencies, devDependencies }: Manifest = JSON.parse(manifest);
  return { ...dependencies, ...devDependencies };
}

/** Returns why its tests cannot run here, or null. */
function obstacle(): string | null {
  const manifest = release === '' ? '' : git('show', `${release}:package.json`);
  if (manifest === '') return 'the history is not here: git fetch --unshallow --tags';
  const now = pinned(readFileSync(join(root, 'package.json'), 'utf8'));
  // Packages that are no longer installed are not needed below, or the test reports the missing one.
  const other = Object.entries(pinned(manifest)).filter(
    ([name, version]) => name in now && now[name] !== version,
  );
  return other.length === 0 ? null : `it needs other versions of ${other.map(([name]) => name).join(', ')}`;
}

/** The previous release's tests of the most common requests. */
const mainJob = ['main-job', 'refresh', 'claim', 'email-login', 'token', 'apps', 'webhooks'];
const money = ['wallet', 'transfers', 'deposits', 'withdrawals', 'holds'];

const reason = obstacle();
const title = 'does its main job on the database of this version, as during a rolling restart';

describe(`the previous release (${release.slice(0, 12)})`, () => {
  it.skipIf(reason !== null)(reason === null ? title : `${title}: ${reason}`, { timeout: 600_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), 'peridot-before-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const archive = execFileSync('git', ['archive', release], { cwd: root, maxBuffer: 1e9 });
    execFileSync('tar', ['x', '--directory', folder], { input: archive });
    rmSync(join(folder, 'migrations'), { recursive: true });
    cpSync(join(root, 'migrations'), join(folder, 'migrations'), { recursive: true });
    const server = 'test/fixtures/libsql-server/node_modules';
    for (const name of ['node_modules', ...(hasLibsqlServer ? [server] : [])])
      symlinkSync(join(root, name), join(folder, name));
    const files = [...mainJob, ...money].map((name) => `test/http/${name}.test.ts`);
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const report = join(folder, 'report.json');
    const { PATH = '', HOME = '', TMPDIR = tmpdir() } = process.env;
    const { status, stderr } = spawnSync(
      process.execPath,
      [vitest, 'run', '--project', 'libsql', '--reporter=json', `--outputFile=${report}`, ...files],
      { cwd: folder, env: { PATH, HOME, TMPDIR }, encoding: 'utf8', maxBuffer: 1e9 },
    );
    expect(existsSync(report), stderr).toBe(true);
    const { testResults }: Results = JSON.parse(readFileSync(report, 'utf8'));
    const failed = testResults.flatMap(({ assertionResults }) =>
      assertionResults
        .filter((each) => each.status === 'failed')
        .map((each) => `${each.fullName}: ${each.failureMessages[0]}`),
    );
    expect(failed).toEqual([]);
    expect(testResults).toHaveLength(files.length);
    expect(status).toBe(0);
  });
});

interface Results {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}
