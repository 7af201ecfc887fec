import { checkTree, type Layer, type PackageRow, type Violation } from './layer-checker.ts';

/** Low to high. A feature uses the features before it and never one after it. */
const FEATURES = (
  'activity signing-key identity mail session popup credential claim idp email passkey ' +
  'app grant oauth ledger payment account admin sandbox'
).split(' ');

const BELOW_PAGES = 'domain schema tables db deps config errors lib';

/**
 * The layers from top to bottom. A file belongs to the first row whose `files` match, and imports only the rows that
 * `imports` names: `x:own` is row x within the same feature, `x:types` is `import type` alone. `instead` advises
 * whoever imported this row from where it is not allowed.
 */
const LAYERS: Record<string, Layer> = {
  'dev-entry': {
    called: 'the entry of wrangler dev',
    files: ['src/worker-dev.ts'],
    imports: 'entry platform',
    instead: 'nobody imports an entry; move the shared part to the layer it belongs to',
  },
  entry: {
    called: 'entries',
    files: ['src/worker.ts', 'src/bun.ts'],
    imports: `app scheduled routes pages middleware platform ${BELOW_PAGES}`,
    instead: 'nobody imports an entry; move the shared part to the layer it belongs to',
  },
  app: {
    called: 'the app',
    files: ['src/app.ts'],
    imports: 'routes pages middleware domain schema deps config:types errors lib',
    instead:
      'only entries, scripts and test/support mount the app; move the shared part to a feature or src/lib',
  },
  scheduled: {
    called: 'src/scheduled.ts',
    files: ['src/scheduled.ts'],
    imports: 'domain db deps config:types errors lib',
    instead: 'only entries, scripts and test/support run the jobs; take a function as an argument',
  },
  routes: {
    called: 'routes',
    files: ['src/features/*/{routes,*-routes}.{ts,tsx}'],
    imports: 'routes:own tables:own pages middleware domain schema deps config:types errors lib',
    instead: "only src/app.ts mounts routes; move the shared function to the feature's domain file",
  },
  pages: {
    called: 'pages',
    files: ['src/pages/**'],
    imports: 'pages middleware domain schema deps config:types errors lib',
    instead: 'only routes and src/app.ts render pages; return the data and let routes.ts render it',
  },
  middleware: {
    called: 'middleware files',
    files: ['src/middleware/**'],
    imports: 'middleware domain schema deps config errors lib',
    highestFeature: 'session',
    instead: 'only routes and src/app.ts use middleware; let routes.ts pass the value as an argument',
  },
  platform: {
    called: 'adapters',
    files: ['src/platform/**'],
    imports: 'platform db deps config:types errors lib',
    instead: 'only entries, scripts and test/support choose an adapter; use the interface in src/deps.ts',
  },
  sdk: {
    called: 'SDK files',
    files: ['src/sdk/**'],
    imports: 'sdk schema:types',
    instead: 'the SDK is for browsers and the service does not use it; move the shared part to a schema.ts',
  },
  api: {
    called: 'descriptions',
    files: ['src/api/**', 'src/features/*/api.ts'],
    imports: 'api schema middleware:types errors:types',
    instead: 'descriptions are for the contract and never run; move the shared shape to schema.ts',
  },
  schema: {
    called: 'schema files',
    files: ['src/features/*/schema.ts'],
    imports: 'schema lib',
    instead: 'shapes of requests belong to features; take plain values as arguments',
  },
  tables: {
    called: 'table files',
    files: ['src/features/*/tables.ts'],
    imports: 'tables',
    instead: "only domain files, the feature's own routes and src/db know tables; call a domain function",
  },
  domain: {
    called: 'domain files',
    files: ['src/features/*/**'],
    imports: 'domain schema tables db deps config:types errors lib',
    instead: 'rules sit above this file; take their result as an argument or move the pure part to src/lib',
  },
  deps: {
    called: 'src/deps.ts',
    files: ['src/deps.ts'],
    imports: 'db:types config:types lib:types',
    instead: 'this file takes the values it needs as arguments, not deps',
  },
  db: {
    called: 'database files',
    files: ['src/db/**'],
    imports: 'db tables',
    instead: 'only domain files and adapters touch the database; call a domain function',
  },
  config: {
    called: 'src/config.ts',
    files: ['src/config.ts'],
    imports: 'lib',
    instead: 'this file knows no configuration; take the setting as an argument',
  },
  errors: {
    called: 'src/errors.ts',
    files: ['src/errors.ts'],
    imports: '',
    instead: 'answer null or false here and let the domain file that calls this throw AppError',
  },
  lib: {
    called: 'lib files',
    files: ['src/lib/**'],
    imports: 'lib',
    instead: 'this file stands alone; move what needs the helper to the caller',
  },
  testSupport: {
    called: 'test support',
    files: ['test/support/**'],
    imports: `testSupport api sdk app scheduled routes pages middleware platform ${BELOW_PAGES}`,
    instead: 'only tests import test/support; move the shared part into src',
  },
  adapterTest: {
    called: 'tests of adapters',
    files: ['test/platform/**'],
    imports: `adapterTest test testSupport platform ${BELOW_PAGES}`,
    instead: 'nothing imports tests; move the shared part to test/support or src',
  },
  test: {
    called: 'tests',
    files: ['test/**'],
    imports: `test testSupport script api sdk routes pages middleware ${BELOW_PAGES}`,
    instead: 'nothing imports tests; move the shared part to test/support or src',
  },
  script: {
    called: 'scripts',
    files: ['scripts/**'],
    imports: `script api sdk app scheduled routes pages middleware platform ${BELOW_PAGES}`,
    instead: 'src never imports scripts; move the shared part into src',
  },
};

const EVERY_RUNTIME =
  '{files} run on every runtime; put it behind src/deps.ts with an adapter in src/platform';

/** External packages and the rows, files, or `domain:<feature>` that may import them. `@x/*` and `x:*` come last. */
const PACKAGES: Record<string, PackageRow> = {
  hono: {
    in: 'entry app routes pages middleware',
    otherwise: '{files} do not know HTTP; move it to routes.ts',
  },
  '@hono/zod-validator': {
    in: 'middleware',
    otherwise: 'validation is wrapped once; use the wrapper in src/middleware',
  },
  zod: {
    in: 'routes middleware api schema domain config lib',
    otherwise: '{files} do not validate; put the shape in a schema.ts',
  },
  'drizzle-orm': {
    in: 'platform tables domain db',
    otherwise: '{files} do not speak SQL; call a domain function',
  },
  '@libsql/client': { in: 'platform', otherwise: '{files} do not open databases; use deps.db' },
  libsql: { in: 'platform', otherwise: '{files} do not open databases; use deps.db' },
  jose: {
    in: 'domain:signing-key domain:idp domain:sandbox lib',
    otherwise: 'JWTs are handled by signing-key, idp, sandbox and src/lib; call a function of theirs',
  },
  arctic: {
    in: 'domain:idp',
    otherwise: 'only domain files of idp talk to providers; call a function of theirs',
  },
  '@simplewebauthn/server': {
    in: 'domain:passkey',
    otherwise: 'only domain files of passkey run ceremonies; call a function of theirs',
  },
  nodemailer: { in: 'platform', otherwise: '{files} do not send mail; call deps.mail' },
  '@oslojs/*': {
    in: 'lib',
    otherwise: '{files} do not choose primitives; call or add a named helper in src/lib',
  },
  'node:crypto': {
    in: 'entry platform domain lib',
    otherwise: '{files} hold no crypto; call a domain function',
  },
  'node:*': { in: 'src/bun.ts platform', otherwise: EVERY_RUNTIME },
  'bun:*': { in: 'src/bun.ts platform', otherwise: EVERY_RUNTIME },
  bun: { in: 'src/bun.ts platform', otherwise: EVERY_RUNTIME },
  'cloudflare:*': { in: 'src/worker.ts platform', otherwise: EVERY_RUNTIME },
  react: {
    in: 'src/sdk/react.ts',
    otherwise: "only the SDK's hooks know React; pages are rendered by hono/jsx",
  },
  '@cloudflare/workers-types': { in: 'src/worker.ts src/worker-dev.ts platform', otherwise: EVERY_RUNTIME },
};

/** Time, randomness, settings and network reach the code as `deps`; these rows make `deps` or run without them. */
const MAY_USE_RUNTIME = ['entry', 'platform', 'sdk'];

/** Lines a file of src may have; lists of data in `*.data.ts` may have more. */
const MAX_LINES = 320;

/** Checks a tree given as path to source text; answers one message for every place that breaks the tables above. */
export function checkArchitecture(sources: ReadonlyMap<string, string>): Violation[] {
  return checkTree(sources, {
    features: FEATURES,
    layers: LAYERS,
    packages: PACKAGES,
    mayUseRuntime: MAY_USE_RUNTIME,
    maxLines: MAX_LINES,
  });
}
