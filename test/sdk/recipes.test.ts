import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { freshHandle } from '../support/people.ts';
import { production } from '../support/production.ts';
import { useService } from '../support/service.ts';
import { valueSet } from '../support/set-cookie.ts';
import { claimWith, insertTickets } from '../support/tickets.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const service = 'https://id.example.com';
const page = 'https://app.example.com';

/** The frameworks are replaced by the few functions that the recipes call. */
const modules = {
  'next/headers': join(root, 'test/fixtures/frameworks/next-headers.ts'),
  '@sveltejs/kit': join(root, 'test/fixtures/frameworks/sveltejs-kit.ts'),
  'peridot-sdk/server': join(root, 'sdk/server.ts'),
};

const strictest = {
  compilerOptions: {
    target: 'ES2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    module: 'ESNext',
    moduleResolution: 'bundler',
    paths: Object.fromEntries(Object.entries(modules).map(([name, file]) => [name, [file]])),
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitReturns: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    verbatimModuleSyntax: true,
    // The package itself has declarations instead of these sources.
    allowImportingTsExtensions: true,
    noEmit: true,
  },
  include: ['**/*.ts'],
};

const target = useService(production);
const folder = mkdtempSync(join(tmpdir(), 'peridot-recipes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes the files of a framework's recipe, each following a comment with its path. */
function writeRecipe(heading: string): string {
  const text = readFileSync(join(root, 'docs/back-ends.md'), 'utf8');
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const files = [...section.matchAll(/```ts\n\/\/ (\S+)\n(.*?)```/gs)];
  for (const [, path = '', code = ''] of files) {
    const file = join(folder, heading, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  expect(files.length).toBe(2);
  return join(folder, heading);
}

/** Bundles a recipe with the fakes it imports, and loads it. */
async function load<Exports>(recipe: string, entry: string): Promise<Exports> {
  const file = join(recipe, 'bundle.mjs');
  await build({
    stdin: { contents: entry, resolveDir: recipe, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    alias: modules,
    outfile: file,
  });
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Exports;
}

/** A person who has just claimed a handle. */
async function newMember(): Promise<{ handle: string; token: string | null }> {
  const handle = freshHandle();
  const [ticket = ''] = await insertTickets(target, 1);
  const claimed = await claimWith(target, ticket, { handle });
  return { handle, token: valueSet(claimed, 'pid_access') };
}

type Server = (request: Request) => Promise<Response>;
const servers: Record<string, Server> = {};

beforeAll(async () => {
  const next = await load<{
    POST: Server;
    handleRoute(handler: Server, request: Request): Promise<Response>;
  }>(
    writeRecipe('Next.js'),
    "export { POST } from './app/notes/route'; export { handleRoute } from 'next/headers';",
  );
  servers['Next.js'] = (request) => next.handleRoute(next.POST, request);
  const kit = await load<{
    handle(input: {
      event: { request: Request; locals: { session?: { pid: string } | null } };
      resolve(event: { locals: { session?: { pid: string } | null } }): Response;
    }): Promise<Response>;
  }>(writeRecipe('SvelteKit'), "export { handle } from './hooks.server';");
  servers['SvelteKit'] = (request) =>
    kit.handle({
      event: { request, locals: {} },
      resolve: ({ locals }) =>
        locals.session
          ? Response.json({ owner: locals.session.pid })
          : Response.json({ message: 'Authentication is required' }, { status: 401 }),
    });
});

beforeEach(() => {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input);
    return url.origin === service ? target.request(url.pathname) : fetch(input, init);
  });
});
afterEach(() => vi.unstubAllGlobals());

it('the recipes for Next.js and SvelteKit compile with the strictest settings', async () => {
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(strictest));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const said = await run(process.execPath, [compiler, '-p', folder]).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
  expect(said).toBe('');
});

it('verifySession gives the same results on Bun', async () => {
  const { token, handle } = await newMember();
  const jwks = await (await target.request('/.well-known/jwks.json')).text();
  const program = `import { verifySession } from ${JSON.stringify(modules['peridot-sdk/server'])};
    const options = { baseUrl: '${service}', fetch: async () => new Response(process.env.JWKS) };
    for (const token of [process.env.TOKEN, process.env.TOKEN + 'x']) {
      const request = new Request('${page}', { headers: { Cookie: 'pid_access=' + token } });
      console.log((await verifySession(request, options))?.pid ?? null);
    }`;
  const env = { ...process.env, JWKS: jwks, TOKEN: token ?? '' };
  const { stdout } = await run(join(root, 'node_modules/.bin/bun'), ['-e', program], { env });
  expect(stdout).toBe(`${handle}@pid\nnull\n`);
});

describe.each(['Next.js', 'SvelteKit'])('a back end with the recipe for %s', (framework) => {
  const post = (headers: Record<string, string>) =>
    servers[framework]?.(new Request(`${page}/notes`, { method: 'POST', headers, body: '{}' }));

  it('identifies signed-in people and returns 401 to everyone else', async () => {
    const { token, handle } = await newMember();
    const known = await post({ Cookie: `theme=dark; pid_access=${token}`, Origin: page });
    expect([known?.status, await known?.json()]).toEqual([200, { owner: `${handle}@pid` }]);
    for (const cookie of ['', 'pid_access=x', `pid_access=${token}x`]) {
      const refused = await post({ Cookie: cookie, Origin: page });
      expect([refused?.status, await refused?.json()]).toEqual([
        401,
        { message: 'Authentication is required' },
      ]);
    }
  });

  it('rejects a sibling domain’s page, although it sends the same cookies', async () => {
    const Cookie = `pid_access=${(await newMember()).token}`;
    for (const headers of [{ Origin: 'https://blog.example.com' }, { 'Sec-Fetch-Site': 'same-site' }]) {
      const refused = await post({ Cookie, ...headers });
      expect([refused?.status, await refused?.json()]).toEqual([403, { message: 'Origin is not allowed' }]);
    }
  });
});
