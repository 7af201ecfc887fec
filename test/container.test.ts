import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { freePort, type RunningProcess, runProcess } from './support/processes.ts';
import { testSecretKey } from './support/target.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
let folder: string;
let server: RunningProcess | undefined;
afterAll(async () => {
  await server?.stop();
  await run('chmod', ['-R', 'u+w', folder]);
  await rm(folder, { recursive: true, force: true });
});

/** The Dockerfile's steps, each split into words. */
async function readSteps(): Promise<[name: string, rest: string][]> {
  const text = await readFile(join(root, 'Dockerfile'), 'utf8');
  return [...text.matchAll(/^([A-Z]+) (.+)$/gm)].map(([, name = '', rest = '']) => [name, rest]);
}

const textOf = (steps: [string, string][], name: string) =>
  steps.flatMap(([each, rest]) => (each === name ? [rest] : []));

// Containers need a daemon, which a test machine may lack: the steps run in two empty folders instead.
it('the Dockerfile copies and installs everything that the service needs to run', {
  timeout: 300_000,
}, async () => {
  folder = await mkdtemp(join(tmpdir(), 'peridot-container-'));
  const steps = await readSteps();
  const stages = { packages: join(folder, 'packages'), final: join(folder, 'final') };
  const data = join(folder, 'data');
  await mkdir(data);
  let stage: keyof typeof stages = 'final';
  for (const [name, rest] of steps) {
    if (name === 'FROM') stage = rest.endsWith(' AS packages') ? 'packages' : 'final';
    if (name === 'WORKDIR') await mkdir(stages[stage]);
    if (name === 'RUN' && stage === 'packages') {
      await run('sh', ['-c', rest], { cwd: stages.packages });
    }
    if (name !== 'COPY') continue;
    const [target = '', ...sources] = rest.replace('--from=packages ', '').split(' ').reverse();
    for (const source of sources) {
      const from = rest.startsWith('--from')
        ? source.replace('/peridot', stages.packages)
        : join(root, source);
      const to = target === './' ? join(stages[stage], source) : join(stages[stage], target);
      await cp(from, to, { recursive: true });
    }
  }
  const port = await freePort();
  const env = Object.fromEntries(textOf(steps, 'ENV').map((pair) => pair.split('=') as [string, string]));
  for (const [name, value] of Object.entries(env)) env[name] = value.replace('/data', data);
  await run('chmod', ['-R', 'a-w', stages.final]);
  await chmod(data, 0o700);
  const command = JSON.parse(textOf(steps, 'CMD')[0] ?? '[]') as string[];
  const [, check = '[]'] = /CMD (.+)$/.exec(textOf(steps, 'HEALTHCHECK')[0] ?? '') ?? [];
  const [, ...health] = JSON.parse(check) as string[];
  const bun = join(root, 'node_modules/.bin/bun');
  const settings = {
    ...env,
    HOST: '127.0.0.1',
    PORT: `${port}`,
    BASE_URL: `http://localhost:${port}`,
    SECRET_KEY: testSecretKey,
  };
  server = await runProcess([bun, ...command.slice(1)], { cwd: stages.final, env: settings }, async () => {
    await run(bun, health, { env: { ...process.env, PORT: `${port}` } });
    return true;
  });
  expect((await fetch(`http://127.0.0.1:${port}/signin`)).status).toBe(200);
  expect(textOf(steps, 'USER')).toEqual(['bun']);
});
