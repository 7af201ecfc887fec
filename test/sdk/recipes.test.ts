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

/** The frameworks are replaced with the few functions that the recipes call. */
const modules = {
  'next/headers': join(root, 'test/fixtures/frameworks/next-headers.ts'),
  'next/server': join(root, 'test/fixtures/frameworks/next-server.ts'),
  '@sveltejs/kit': join(root, 'test/fixtures/frameworks/sveltejs-kit.ts'),
  h3: join(root, 'test/fixtures/frameworks/h3.ts'),
  astro: join(root, 'test/fixtures/frameworks/astro.ts'),
  'astro:middleware': join(root, 'test/fixtures/frameworks/astro.ts'),
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
    paths: {
      ...Object.fromEntries(Object.entries(modules).map(([name, file]) => [name, [file]])),
      'react/jsx-runtime': [join(root, 'node_modules/@types/react/jsx-runtime.d.ts')],
    },
    jsx: 'react-jsx',
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
  include: ['**/*.ts', '**/*.tsx'],
};

const target = useService(production);
const folder = mkdtempSync(join(tmpdir(), 'peridot-recipes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const guide = readFileSync(join(root, 'docs/back-ends.md'), 'utf8');

/** The files printed under a heading, by the path in the comment at the top of each. */
function filesOf(heading: string): [path: string, code: string][] {
  const section = guide.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/```tsx?\n\/\/ (\S+)\n(.*?)```/gs)].map(([, path = '', code = '']) => [
    path,
    code,
  ]);
}

/** Writes a framework's recipe, with the shared file in the folder that the recipe expects. */
function writeRecipe(heading: string, shared: string): string {
  const [[name = '', renewal = ''] = []] = filesOf('Pages that a server renders');
  const files = [...filesOf(heading), [join(shared, name), renewal] as const];
  for (const [path, code] of files) {
    const file = join(folder, heading, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, code);
  }
  expect(files.length).toBeGreaterThan(2);
  return join(folder, heading);
}

/** Bundles a recipe with its imported fakes, and loads it. */
async function load<Exports>(recipe: string, entry: string): Promise<Exports> {
  const file = join(recipe, 'bundle.mjs');
  await build({
    stdin: { contents: entry, resolveDir: recipe, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    plugins: [
      {
        name: 'frameworks',
        setup: ({ onResolve }) =>
          onResolve({ filter: /./ }, ({ path }) =>
            path in modules ? { path: modules[path as keyof typeof modules] } : undefined,
          ),
      },
    ],
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

/** The handler of a POST, and the handler of a page request. */
const servers: Record<string, { api: Server; page: Server }> = {};

async function loadNext(): Promise<void> {
  const entry = `export { POST } from './app/notes/route';
    export { proxy } from './proxy';
    export { handleRoute } from 'next/headers';
    export { NextRequest } from 'next/server';`;
  const next = await load<{
    POST: Server;
    proxy: Server;
    NextRequest: new (request: Request) => Request;
    handleRoute(handler: Server, request: Request): Promise<Response>;
  }>(writeRecipe('Next.js', 'lib'), entry);
  servers['Next.js'] = {
    api: (request) => next.handleRoute(next.POST, request),
    page: (request) => next.proxy(new next.NextRequest(request)),
  };
}

interface KitEvent {
  request: Request;
  url: URL;
  locals: { session?: { pid: string } | null };
  setHeaders(headers: object): void;
}

async function loadSvelteKit(): Promise<void> {
  const entry =
    "export { handle } from './hooks.server'; export { load } from './routes/notes/+page.server';";
  const kit = await load<{
    handle(input: { event: KitEvent; resolve(event: KitEvent): Promise<Response> }): Promise<Response>;
    load(event: KitEvent): object;
  }>(writeRecipe('SvelteKit', 'lib'), entry);
  const eventOf = (request: Request): KitEvent => {
    return { request, url: new URL(request.url), locals: {}, setHeaders: () => {} };
  };
  servers['SvelteKit'] = {
    api: (request) =>
      kit.handle({
        event: eventOf(request),
        resolve: async ({ locals }) =>
          locals.session
            ? Response.json({ owner: locals.session.pid })
            : Response.json({ message: 'Authentication is required' }, { status: 401 }),
      }),
    page: (request) =>
      kit.handle({
        event: eventOf(request),
        resolve: async (event) => {
          try {
            return Response.json(kit.load(event));
          } catch (redirect) {
            return redirect as Response;
          }
        },
      }),
  };
}

async function loadNuxt(): Promise<void> {
  const entry = `import middleware from './server/middleware/session';
    import route from './server/api/notes.post';
    export { handleEvent } from 'h3';
    export { middleware, route };`;
  type Handler = (event: object) => unknown;
  const nuxt = await load<{
    middleware: Handler;
    route: Handler;
    handleEvent(request: Request, ...handlers: Handler[]): Promise<Response>;
  }>(writeRecipe('Nuxt', 'server/utils'), entry);
  servers['Nuxt'] = {
    api: (request) => nuxt.handleEvent(request, nuxt.middleware, nuxt.route),
    page: (request) => nuxt.handleEvent(request, nuxt.middleware),
  };
}

async function loadAstro(): Promise<void> {
  const entry = `export { onRequest } from './src/middleware';
    export { POST } from './src/pages/notes.json';
    export { handleRequest } from 'astro';`;
  const astro = await load<{
    onRequest: object;
    POST: object;
    handleRequest(request: Request, middleware: object, route: object): Promise<Response>;
  }>(writeRecipe('Astro', 'src'), entry);
  servers['Astro'] = {
    api: (request) => astro.handleRequest(request, astro.onRequest, astro.POST),
    page: (request) => astro.handleRequest(request, astro.onRequest, () => new Response('page')),
  };
}

beforeAll(async () => {
  await Promise.all([loadNext(), loadSvelteKit(), loadNuxt(), loadAstro()]);
});

beforeEach(() => {
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
    const url = new URL(input instanceof Request ? input.url : input);
    return url.origin === service ? target.request(url.pathname) : fetch(input, init);
  });
});
afterEach(() => vi.unstubAllGlobals());

it('the recipes compile with the strictest settings', async () => {
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

describe.each(['Next.js', 'SvelteKit', 'Nuxt', 'Astro'])('a back end with the recipe for %s', (framework) => {
  const post = (headers: Record<string, string>) =>
    servers[framework]?.api(new Request(`${page}/notes`, { method: 'POST', headers, body: '{}' }));

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

  it('rejects a page of a sibling domain, although it sends the same cookies', async () => {
    const Cookie = `pid_access=${(await newMember()).token}`;
    for (const headers of [{ Origin: 'https://blog.example.com' }, { 'Sec-Fetch-Site': 'same-site' }]) {
      const refused = await post({ Cookie, ...headers });
      expect([refused?.status, await refused?.json()]).toEqual([403, { message: 'Origin is not allowed' }]);
    }
  });

  it('sends a visitor with an expired token to renew it once, and then renders the page for a signed-out visitor', async () => {
    const visit = async (path: string, Cookie = '', mode = 'navigate') => {
      const headers = { Cookie, 'Sec-Fetch-Mode': mode };
      const answer = await servers[framework]?.page(new Request(page + path, { headers }));
      return answer?.headers.get('Location') ?? answer?.status;
    };
    const back = (path: string) => new URLSearchParams({ returnTo: page + path });
    expect(await visit('/notes?item=7')).toBe(`${service}/v1/auth/continue?${back('/notes?item=7')}`);
    expect(await visit('/notes?claim=1')).toBe(`${service}/claim?${back('/notes')}`);
    expect(await visit('/notes?signed_out=1')).toBe(200);
    expect(await visit('/notes', '', 'cors')).toBe(200);
    expect(await visit('/notes', `pid_access=${(await newMember()).token}`)).toBe(200);
  });
});
