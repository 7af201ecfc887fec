import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Low to high: a feature imports only preceding features. */
export const FEATURES = (
  'activity signing-key identity mail session popup credential sign-in claim idp email passkey ' +
  'app dpop grant webhook oauth ledger transfer gateway deposit withdrawal approval account reconcile admin'
).split(' ');

const BELOW_APP =
  'endpoints dev pages metrics sdk contract endpoint routes features ui http schema tables db deps config brand errors lib';

/** Top to bottom. A file belongs to the first matching row, and imports only the named layers or their types. */
const LAYERS = table(`
entry     | src/{worker,worker-dev,bun}.ts | entry app scheduled scrape metrics platform db deps config errors lib outside | move the shared part down
app       | src/app.ts                     | endpoints dev pages endpoint routes features http deps config errors brand lib | move the shared part down
endpoints | src/endpoints.ts               | endpoint routes features http lib                    | name the endpoint in its feature
endpoint  | src/{features/*,pages/shared}/endpoints.ts | endpoint features http schema lib        | keep rules in the feature
scrape    | src/scrape.ts                  | features deps lib                                    | read it in a feature
metrics   | src/metrics.ts                 | db:types deps errors lib                             | count it in the log, or by deps.metrics
scheduled | src/scheduled.ts               | features db deps config errors lib                   | take the job as an argument
platform  | src/platform/**                | platform db deps config errors lib                   | use the interface in src/deps.ts
dev       | dev/**                         | endpoint dev pages features ui http schema db deps config:types errors brand lib | move it to a feature
pages     | src/pages/**                   | endpoint pages features ui http schema deps errors brand lib | return data that a page can show
sdk       | sdk/**                         | sdk schema:types                                     | move the shared type to a schema.ts
contract  | contract/**                    | endpoint contract features http schema errors lib     | leave the contract to scripts and tests
schema    | src/features/*/schema.ts       | schema lib                                           | take plain values as arguments
tables    | src/{db,features/*}/tables.ts  | tables schema:types                                  | call the feature that owns them
routes    | src/features/**/*routes.ts     | endpoint features http schema config:types deps errors lib    | call a function of the feature
features  | src/features/*/**              | endpoint features http schema tables db deps config:types errors brand lib | take the result as an argument
ui        | src/ui/**                      | ui http deps errors brand lib                        | take the text or element as an argument
http      | src/http/**                    | http deps config errors lib                          | take the value as an argument
db        | src/db/**                      | db tables                                            | call a feature
deps      | src/deps.ts                    | db:types config:types lib:types                      | take what it holds as arguments
config    | src/{config.ts,config/**}      | config brand lib                                     | take the setting as an argument
brand     | src/brand/**                   | brand lib                                            | move what needs it to the caller
errors    | src/errors.ts                  |                                                      | let the caller throw
lib       | src/lib/**                     | lib                                                  | move what needs it to the caller
support   | test/{support,platform}/**     | entry app scheduled platform ${BELOW_APP}            | move it into src
test      | test/**                        | ${BELOW_APP}                                         | move it into src
script    | scripts/**                     | app scheduled platform ${BELOW_APP}                  | move it into src
`);

/** The files in src that may import a package. Keep rows for one runtime last. */
const PACKAGES = table(`
hono{,/**}                    | {dev/**,src/{app.ts,{http,pages,ui}/**,features/**/*{routes,cookies,cookie,require-*}.ts}} | keep HTTP in routes, guards and cookies
@hono/zod-validator           | src/http/**                                                | use the wrapper in src/http
zod/mini                      | {dev,src/config.ts,src/{config,brand,http,lib,features}}{,/**}       | put the shape into a schema.ts
drizzle-orm{,/**}             | src/{db/database.ts,{db,features/*}/tables.ts}             | take sql from src/db/database.ts
{@libsql/client{,/**},nodemailer} | src/platform/**                                        | use deps.db or deps.mail
jose{,/**}                    | {dev,src/{lib,features/{signing-key,idp}}}/**              | call signing-key, idp or src/lib
@oslojs/crypto/**             | src/lib/oslo.ts                                            | use src/lib/oslo.ts
lean-qr{,/**}                 | src/pages/wallet/request.tsx                               | link to the page that shows the code
arctic                        | src/features/idp/**                                        | call idp
@simplewebauthn/server{,/**}  | src/features/passkey/**                                    | call passkey
react                         | sdk/react.ts                                               | render pages with hono/jsx
node:crypto                   | src/{lib/secret.ts,{platform,features/email}/**}           | use a named helper in src/lib
{node:*{,/*},bun{,:*},cloudflare:*,peridot:*,@cloudflare/workers-types} | src/{bun.ts,worker*.ts,platform/**} | put it behind src/deps.ts
`);

/** Globals that `deps` replaces, permitted uses, and the replacement. */
const GLOBALS = table(String.raw`
Date|performance        | ^new Date\([^)]|^Date\.(parse|UTC)\b|instanceof | deps.now()
Math|crypto             | ^Math\.(?!random\b)|^crypto\.subtle\b          | deps.randomBytes(n)
process|Bun|import.meta | ^$                                            | deps.config
fetch|globalThis        | ^$                                            | deps.fetch
`);
const HAS_GLOBALS = '{sdk/**,src/{bun.ts,worker*.ts,platform/**}}';

/** An ESTree node, as far as this file reads it. */
type Syntax = {
  type: string;
  start: number;
  end: number;
  name?: string;
  value?: unknown;
  computed?: boolean;
} & {
  [child in 'id' | 'key' | 'source']?: Syntax | null;
};
type Visit = (node: Syntax, key: string, parent: Syntax) => void;
/** A problem reads `what: what to do instead`. Its first half is its name, unless another name is given. */
type Report = (rule: string, problem: string, name?: string) => void;
type Edge = { from: string; to: string; report: Report };

/** Checks a map from path to source. Returns the full message of every problem, keyed by name. */
export function checkArchitecture(sources: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  const edges: Edge[] = [];
  for (const [file, source] of sources) {
    const inSrc = isSource(file);
    const isPure = inSrc && !posix.matchesGlob(file, HAS_GLOBALS);
    const reportAt = (start: number, rule: string, problem: string, name?: string) =>
      found.set(
        name ?? `${file} ${problem.split(': ')[0]}`,
        `${file}:${linesIn(source.slice(0, start))} [${rule}] ${problem}`,
      );
    if (layerOf(file)[0] === undefined) reportAt(0, 'layers', 'has no layer: move it or add a row to LAYERS');
    if (inSrc && linesIn(source) > 301 && !file.endsWith('.data.ts'))
      reportAt(0, 'size', 'has more than 300 lines: split it by noun or verb');
    walk(parseSync(file, source).program, (node, key, parent) => {
      const report: Report = (...problem) => reportAt(node.start, ...problem);
      const text = source.slice(node.start, node.end);
      const name = node.source?.value;
      if (typeof name === 'string' && name.startsWith('.')) {
        const edge = { from: file, to: posix.join(file, '..', name), report };
        if (inSrc) edges.push(edge);
        if (inSrc || isSource(edge.to)) checkLayer(edge, text);
      } else if (inSrc && typeof name === 'string') checkPackage(file, name, report);
      // JSX compiles to calls of hono/jsx.
      if (inSrc && node.type === 'JSXOpeningElement') checkPackage(file, 'hono/jsx', report);
      if (inSrc && /Function(Declaration|Expression)$/.test(node.type) && linesIn(text) > 80)
        report('size', `${(node.id ?? parent.id ?? parent.key)?.name}() has more than 80 lines: split it`);
      if (isPure) checkGlobal(node, key, parent, source, report);
    });
  }
  checkGraph(edges.filter(({ to }) => sources.has(to)));
  return found;
}

function checkLayer({ from, to, report }: Edge, text: string): void {
  const allowed = layerOf(from)[2]?.split(' ') ?? [];
  const [layer = 'outside', , , instead = 'move it into src'] = layerOf(to);
  const typesOnly = /^(import|export) type\b/.test(text);
  if (!allowed.includes(layer) && !(typesOnly && allowed.includes(`${layer}:types`)))
    report('layers', `imports ${to}: ${allowed.includes(`${layer}:types`) ? 'write import type' : instead}`);
  const [own, used] = [from, to].map((file) => /^src\/features\/([^/]+)/.exec(file)?.[1]);
  if (own && used && own !== used && !FEATURES.slice(0, FEATURES.indexOf(own)).includes(used))
    report('features', `imports ${to}: ${used} is not before ${own} in FEATURES; let it call ${own}`);
}

function checkPackage(file: string, name: string, report: Report): void {
  const row = PACKAGES.find(([packages = '']) => posix.matchesGlob(name, packages));
  const [, files = '', instead = 'say what it saves, then add a row to PACKAGES'] = row ?? [];
  if (!posix.matchesGlob(file, files)) report('packages', `imports ${name}: ${instead}`);
}

function checkGlobal(node: Syntax, key: string, parent: Syntax, source: string, report: Report): void {
  const name = node.type === 'MetaProperty' ? 'import.meta' : node.type === 'Identifier' ? node.name : '';
  const [, pure, instead] = GLOBALS.find(([names]) => names?.split('|').includes(name ?? '')) ?? [];
  const isName = parent.type === 'TSTypeReference' || (/^(key|property)$/.test(key) && !parent.computed);
  if (pure && !isName && !new RegExp(pure).test(source.slice(parent.start, parent.end)))
    report('globals', `uses ${name}: use ${instead}`);
}

/**
 * Files directly under src are treated as separate folders, because entries are next to modules that everything
 * imports.
 */
function checkGraph(edges: Edge[]): void {
  const folderOf = (file: string) => (posix.dirname(file) === 'src' ? file : posix.dirname(file));
  const folders = new Map(edges.map(({ from, to }) => [`${folderOf(from)} ${folderOf(to)}`, from]));
  const next = Map.groupBy(edges, ({ from }) => from);
  for (const { from, to, report } of edges) {
    const [own, other] = [folderOf(from), folderOf(to)];
    const back = folders.get(`${other} ${own}`);
    if (back !== undefined && own < other)
      report('folders', `imports ${to}, and ${back} imports back: move one down`, `${own} <-> ${other}`);
    const reached = new Set([to]);
    for (const at of reached) for (const edge of next.get(at) ?? []) reached.add(edge.to);
    if (reached.has(from)) report('cycles', `imports ${to}, which leads back: move one down`);
  }
}

function walk(value: unknown, visit: Visit, key = '', parent?: Syntax): void {
  if (typeof value !== 'object' || value === null) return;
  const isNode = (object: object): object is Syntax => 'type' in object;
  if (isNode(value)) visit(value, key, parent ?? value);
  for (const [field, child] of Object.entries(value))
    if (isNode(value)) walk(child, visit, field, value);
    else walk(child, visit, key, parent);
}

/** The service, its sandbox and its browser client, without their tests and scripts. */
function isSource(file: string): boolean {
  return /^(src|dev|sdk)\//.test(file);
}

function linesIn(text: string): number {
  return text.split('\n').length;
}

function layerOf(file: string): string[] {
  return LAYERS.find(([, files = '']) => posix.matchesGlob(file, files)) ?? [];
}

/**
 * Reads rows of cells from lines such as `a
 * b`.
 */
export function table(text: string): string[][] {
  const lines = text.trim().split('\n');
  return lines.map((line) => line.split(' |').map((cell) => cell.trim()));
}
