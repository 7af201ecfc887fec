import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { dbCommands } from '../scripts/cli/db.ts';
import { deskCommands } from '../scripts/cli/desk.ts';
import { doctorCommands } from '../scripts/cli/doctor.ts';
import { keyCommands } from '../scripts/cli/keys.ts';
import { ledgerCommands } from '../scripts/cli/ledger.ts';
import { peopleCommands } from '../scripts/cli/people.ts';
import { reconcileCommands } from '../scripts/cli/reconcile.ts';
import { storesOf } from '../src/config/database-settings.ts';
import { parseConfig } from '../src/config.ts';
import { endpoints } from '../src/endpoints.ts';
import { errors } from '../src/errors.ts';
import { eventTypes } from '../src/features/webhook/schema.ts';
import { bucketName, policyOf } from '../src/http/rate-limit.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFile(join(root, path), 'utf8');

it('docs/rate-limits.md lists every non-default limit with its number', async () => {
  const rows = (await read('docs/rate-limits.md')).match(/^\| `[A-Z]+ \/.*$/gm) ?? [];
  const documented = rows.flatMap((row) => {
    const [, names = '', limit] = row.split('|');
    return [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => [name, Number(limit)]);
  });
  const limited = endpoints.flatMap((endpoint) =>
    endpoint.limit ? [[bucketName(endpoint), policyOf(endpoint.limit)] as const] : [],
  );
  const own = [...new Map(limited)]
    .filter(
      ([name, { requests, by }]) => requests !== (name.startsWith('GET ') ? 60 : 20) || by?.per === 'popup',
    )
    .map(([name, { requests }]) => [name, requests]);
  const common = [
    ...['logout', 'login', 'token', 'exchange', 'revoke'].map((name) => [`POST /v1/auth/${name}`, 20]),
    ['GET /v1/auth/userinfo', 60],
  ];
  expect(documented.sort()).toEqual([...own, ...common].sort());
});

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`),
  'bench/README.md',
].filter((name) => name.endsWith('.md'));

/** A benchmark run leaves these files behind. */
const generated = ['bench/results.json', 'bench/node_modules', 'src/cli.js'];

/** Returns the anchor that GitHub generates for a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

describe.each(pages)('%s', (page) => {
  it('links only to existing pages and headings', async () => {
    const links = [...(await read(page)).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
    for (const [, target = '', anchor] of links) {
      const path = target === '' ? page : join(dirname(page), target);
      expect(existsSync(join(root, path)), path).toBe(true);
      if (anchor) expect(anchorsOf(await read(path)), `${path}#${anchor}`).toContain(anchor);
    }
  });

  it('mentions only existing files, folders and scripts', async () => {
    // The files of a recipe are the reader's own.
    const text = (await read(page)).replace(/^```tsx?\n\/\/ \S+$/gm, '');
    const named =
      text.match(/(?<![\w/.])(src|test|scripts|docs|bench|migrations|public|examples)\/[\w./-]*[\w/]/g) ?? [];
    expect(named.filter((path) => !generated.includes(path) && !existsSync(join(root, path)))).toEqual([]);
    const scripts = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
    expect(scripts.filter((name) => !(name in packageJson.scripts))).toEqual([]);
  });
});

it('docs/oauth.md names the versions of the clients that the tests run', async () => {
  const folders = ['', 'test/clients/', 'examples/mcp-server/'];
  const packages = await Promise.all(
    folders.map(async (folder) => JSON.parse(await read(`${folder}package.json`))),
  );
  const installed = packages.flatMap((each) =>
    Object.entries({ ...each.dependencies, ...each.devDependencies }).map(
      ([name, version]) => `${name}@${version}`,
    ),
  );
  const runner = /'(@modelcontextprotocol\/conformance@.+)'/.exec(
    await read('test/clients/mcp-conformance.test.ts'),
  );
  const documented = [...(await read('docs/oauth.md')).matchAll(/`(@?[\w/-]+@\d[\w.-]*)`/g)].map(
    ([, name]) => name,
  );
  expect(documented).not.toEqual([]);
  expect(documented.filter((name) => ![...installed, runner?.[1]].includes(name))).toEqual([]);
});

it('docs/design.md shows every folder of src and every feature', async () => {
  const picture = /^```mermaid\n(.*?)^```/ms.exec(await read('docs/design.md'))?.[1] ?? '';
  const foldersOf = (path: string) =>
    readdirSync(join(root, path), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const shown = new Set(picture.match(/[\w-]+/g));
  const folders = [...foldersOf('src'), ...foldersOf('src/features')].map(({ name }) => name);
  expect(folders.filter((name) => !shown.has(name))).toEqual([]);
});

async function settingNames(): Promise<Set<string>> {
  const parts = [
    'brand/brand-variables',
    'config/money-variables',
    'config/alarm-settings',
    'config/limit-settings',
    'config/metrics-settings',
  ];
  const files = ['src/config.ts', ...parts.map((name) => `src/${name}.ts`)];
  const source = (await Promise.all(files.map(read))).join('\n');
  return new Set([...source.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name = '']) => name));
}

it('docs/configuration.md lists exactly the existing settings', async () => {
  const settings = await settingNames();
  const rows = (await read('docs/configuration.md')).matchAll(/^\| (`[A-Z][^|]+)/gm);
  const documented = [...rows].flatMap(([, names = '']) => names.match(/[A-Z][A-Z_]+/g) ?? []);
  expect(documented.filter((name) => name !== 'SPA_PORT').sort()).toEqual([...settings].sort());
});

it('docs/apps.md lists exactly the existing webhook events', async () => {
  const [, table = ''] = (await read('docs/apps.md')).split('| `type` | `data` |');
  const rows = table.split('\n\n')[0]?.matchAll(/^\| ([^|]+)/gm) ?? [];
  const documented = [...rows].flatMap(([, names = '']) => names.match(/(?<=`)[a-z_]+\.[a-z_]+(?=`)/g) ?? []);
  expect(documented.filter((name) => name !== 'ping').sort()).toEqual([...eventTypes].sort());
});

it('docs/errors.md lists every error with its status, text and cause', async () => {
  const groups = (await read('docs/errors.md')).split(/^## /m).slice(1);
  const documented = groups.flatMap((group) => {
    const statuses = group.split('\n')[0]?.split(', ').map(Number) ?? [];
    const rows = [...group.matchAll(/^\| `(\w+)` \| (.+?) \| .+ \|$/gm)];
    return rows.map(([, code = '', text]) => {
      const [status, own] = errors[code as keyof typeof errors] ?? [];
      expect(statuses, code).toContain(status);
      expect(text, code).toBe(own);
      return code;
    });
  });
  expect(documented.sort()).toEqual(Object.keys(errors).sort());
});

const commands = {
  ...keyCommands,
  ...dbCommands,
  ...ledgerCommands,
  ...deskCommands,
  ...peopleCommands,
  ...doctorCommands,
  ...reconcileCommands,
};

it('each runbook has an existing alert and a drill that a test runs, and each alert has a runbook', async () => {
  const [, runbooks = ''] = (await read('docs/operations.md')).split('\n## Runbooks\n');
  const sections = runbooks.split('\n## ')[0]?.split('\n### ').slice(1) ?? [];
  expect(sections.length).toBeGreaterThan(11);
  const rules = await read('docs/ops/alerts.yml');
  const alerts = [...rules.matchAll(/- alert: (\w+)[\s\S]*?runbook: ([\w-]+)/g)];
  const headings = sections.map((section) => anchorOf(section.split('\n')[0] ?? ''));
  const led = alerts.map(([, alert = '', runbook = '']) => {
    const section = sections[headings.indexOf(runbook)];
    return section?.includes(`\`${alert}\``) ? '' : `${alert} ${runbook}`;
  });
  expect(led.filter(Boolean)).toEqual([]);
  for (const section of sections) {
    const [name = ''] = section.split('\n');
    const named = section.match(/(?<=`)Peridot[A-Z]\w+(?=`)/g) ?? [];
    expect(named, name).not.toEqual([]);
    for (const alert of named) expect(rules, name).toContain(`- alert: ${alert}\n`);
    const drills = [...section.matchAll(/`(test\/[\w./-]+)`: "([^"]+)"/g)];
    expect(drills, name).not.toEqual([]);
    for (const [, file = '', title = ''] of drills) expect(await read(file), name).toContain(`'${title}`);
    // At most one screen of text.
    expect(section.split('\n').length, name).toBeLessThan(22);
  }
});

it('docs/operations.md lists exactly the existing commands', async () => {
  const rows = (await read('docs/operations.md')).split('| command | does |')[1]?.split('\n\n')[0] ?? '';
  const documented = [...rows.matchAll(/^\| (`.+?) \| /gm)].flatMap(([, names = '']) =>
    [...names.replaceAll('\\|', '|').matchAll(/`([^`]+)`/g)].map(([, usage]) => usage),
  );
  expect(documented.sort()).toEqual(
    Object.values(commands)
      .map(({ usage }) => usage)
      .sort(),
  );
});

it('CHANGELOG.md begins its upgrade notes with at most ten actions, each with its notes', async () => {
  const [, unreleased = ''] = (await read('CHANGELOG.md')).split('### Upgrade notes\n');
  const [actions = '', notes = ''] = (unreleased.split('\n### ')[0] ?? '').split('**All notes**');
  const lines = actions.match(/^\d+\. .*$/gm) ?? [];
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBeLessThanOrEqual(10);
  for (const line of lines) {
    const quoted = [...line.matchAll(/"([^"]+)"/g)].map(([, title]) => title);
    expect(quoted, line).not.toEqual([]);
    for (const title of quoted) expect(notes).toContain(`\n- **${title}`);
  }
});

/** Variables of other programs' commands. */
const otherVariables =
  /^(APP|CLIENT)_(ID|SECRET)$|^WEBHOOK_SECRET$|^ROUNDS$|^SECONDS$|^STARTS$|^TOKEN$|^COOKIES$|^BASE$|^SYNC_US$|^LD_PRELOAD$|^TMPDIR$|^PERIDOT_VERSION$|^KEY$/;

it.each(pages)(
  'the shell commands in %s use only existing programs, settings and addresses',
  async (page) => {
    const blocks = [...(await read(page)).matchAll(/^ *```(?:sh|toml)\n(.*?)^ *```/gms)].map(
      ([, text]) => text,
    );
    const text = blocks.join('\n');
    const settings = await settingNames();
    const variables = [...text.matchAll(/\b([A-Z][A-Z_]+)(?:=| = )/g)].map(([, name = '']) => name);
    expect(variables.filter((name) => !settings.has(name) && !otherVariables.test(name))).toEqual([]);
    for (const [, name = ''] of text.matchAll(/npm run cli -- ([a-z-]+(?: [a-z-]+)?)/g)) {
      const [first = ''] = name.split(' ');
      expect(name in commands || first in commands, name).toBe(true);
    }
    const known = endpoints.map(({ path }) => path.replace(/:\w+/g, ''));
    const addresses = [...text.matchAll(/(?:\$BASE|id\.example\.com)(\/v1\/[\w/]+)/g)].map(
      ([, path = '']) => path,
    );
    expect(addresses.filter((path) => !known.includes(path))).toEqual([]);
  },
);

it.each(['docs/quick-start.md', 'docs/deploying.md'])(
  '%s sets every setting that production requires',
  async (page) => {
    const blocks = [...(await read(page)).matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, text = '']) => text);
    const deployments = blocks.filter((text) => text.includes('ENVIRONMENT=production'));
    expect(deployments).not.toEqual([]);
    for (const text of deployments) {
      const pairs = [...text.matchAll(/\b([A-Z][A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]);
      const variables = Object.fromEntries(pairs);
      const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');
      expect(() => parseConfig({ ...variables, ...storesOf(variables), SECRET_KEY })).not.toThrow();
    }
  },
);
