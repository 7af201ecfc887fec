import { posix } from 'node:path';
import { type ImportFact, readFacts, type SourceFacts } from './source-facts.ts';

export interface Layer {
  called: string;
  files: string[];
  imports: string;
  instead: string;
  highestFeature?: string;
}

export interface PackageRow {
  in: string;
  otherwise: string;
}

interface Tables {
  features: string[];
  layers: Record<string, Layer>;
  packages: Record<string, PackageRow>;
  mayUseRuntime: string[];
  maxLines: number;
}

/** Everything the checker can refuse; every name has a broken example in test/fixtures/architecture. */
export const RULES = [
  ...([
    'place',
    'feature',
    'language',
    'syntax',
    'length',
    'barrel',
    'export-star',
    'default-export',
  ] as const),
  ...(['layer', 'types-only', 'feature-order', 'outside', 'extension', 'computed-import'] as const),
  ...(['package', 'runtime', 'transaction', 'cycle'] as const),
];

export interface Violation {
  rule: (typeof RULES)[number];
  message: string;
}

interface SourceFile {
  path: string;
  source: string;
  layer: string | null;
  feature: string | null;
  facts: SourceFacts;
}

/** Line 0 stands for the file as a whole. */
type Report = (rule: Violation['rule'], line: number, message: string) => void;

const HOME = 'test/support/architecture.ts';
const KNOWN_EXTENSION = /\.(tsx?|json|css)$/;
const OPAQUE_NODE_CRYPTO = ['*', 'default', 'webcrypto'];
const RANDOM_OF_NODE_CRYPTO = /^(random(Bytes|UUID|Int|Fill|FillSync)|getRandomValues)$/;
const INSTEAD_OF_RUNTIME: [RegExp, string][] = [
  [/^(process|Bun|import\.meta\.env)$/, 'only entries read the runtime; take the setting from deps.config'],
  [/^fetch$/, 'the outside world is reached through deps; call deps.fetch'],
  [/^(Date|new Date|performance)/, 'tests move the clock by hand; take the time from deps.now()'],
  [/./, 'tests repeat random bytes; take them from deps.randomBytes(n)'],
];

/** Judges every file of a tree by the tables; a pure function, so that tests can hand it broken trees. */
export function checkTree(sources: ReadonlyMap<string, string>, tables: Tables): Violation[] {
  const violations: Violation[] = [];
  const graph = new Map<string, string[]>();
  for (const [path, source] of [...sources].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const file = describeFile(path, source, tables);
    const report: Report = (rule, line, message) =>
      violations.push({ rule, message: `${path}${line > 0 ? `:${line}` : ''} ${message}` });
    if (isInSrc(path)) {
      checkFile(file, tables, report);
      checkExports(file, report);
      checkRuntimeUse(file, tables, report);
    }
    for (const fact of file.facts.imports) checkImport(file, fact, tables, report);
    const targets = file.facts.imports.filter(isRelative).map((fact) => targetOf(path, fact));
    if (isInSrc(path)) graph.set(path, targets.filter(isInSrc));
  }
  for (const cycle of findCycles(graph)) {
    const message = `${cycle.join(' -> ')}: imports run in a circle; move what both need to a lower file`;
    violations.push({ rule: 'cycle', message });
  }
  return violations;
}

function describeFile(path: string, source: string, { layers }: Tables): SourceFile {
  const facts = readFacts(path, source);
  // JSX compiles to calls of hono/jsx, so a .tsx file imports it without saying so.
  if (isInSrc(path) && path.endsWith('.tsx')) {
    facts.imports.push({ specifier: 'hono/jsx', line: 0, typesOnly: false, names: [] });
  }
  return { path, source, layer: layerOf(path, layers), feature: featureOf(path), facts };
}

function checkFile(
  { path, source, layer, feature, facts }: SourceFile,
  tables: Tables,
  report: Report,
): void {
  const lines = source.replace(/\n$/, '').split('\n').length;
  if (layer === null)
    report('place', 0, `has no place in LAYERS of ${HOME}; move it to a folder named there`);
  if (feature !== null && !tables.features.includes(feature)) {
    report(
      'feature',
      0,
      `has no place in FEATURES of ${HOME}; add ${feature} after all the features it uses`,
    );
  }
  if (!/\.tsx?$/.test(path)) report('language', 0, 'is not TypeScript; rename it to .ts or .tsx');
  if (facts.syntaxErrors[0] !== undefined) report('syntax', 0, `does not parse: ${facts.syntaxErrors[0]}`);
  if (lines > tables.maxLines && !path.endsWith('.data.ts')) {
    const advice = 'split it by noun or verb; a plain list may be a .data.ts';
    report('length', 0, `has ${lines} lines where ${tables.maxLines} are allowed; ${advice}`);
  }
}

function checkExports({ layer, path, facts }: SourceFile, report: Report): void {
  if (facts.reexportsOnly) {
    report('barrel', 0, 'only re-exports; delete it and import each name from the file that defines it');
  }
  for (const line of facts.exportAlls) report('export-star', line, 'exports *; write out the names');
  const mayDefault = isEntry(layer) || path.endsWith('.d.ts');
  for (const line of mayDefault ? [] : facts.defaultExports) {
    report('default-export', line, 'has a default export; only entries do, so export it by name');
  }
  for (const line of facts.computedImports) {
    report(
      'computed-import',
      line,
      'imports a computed path; write it as a literal so that it can be checked',
    );
  }
  for (const line of facts.transactionCalls) {
    report('transaction', line, 'calls .transaction(), which D1 lacks; put the statements in one db.batch');
  }
}

function checkRuntimeUse({ layer, facts }: SourceFile, tables: Tables, report: Report): void {
  if (layer !== null && tables.mayUseRuntime.includes(layer)) return;
  const ambient = [...facts.ambient];
  for (const { specifier, typesOnly, names, line } of facts.imports) {
    if (specifier !== 'node:crypto' || typesOnly) continue;
    for (const name of names) {
      if (OPAQUE_NODE_CRYPTO.includes(name)) {
        report('runtime', line, 'imports node:crypto as a whole; import each function by name');
      } else if (RANDOM_OF_NODE_CRYPTO.test(name)) ambient.push({ name, line });
    }
  }
  for (const { name, line } of ambient) {
    const advice = INSTEAD_OF_RUNTIME.find(([pattern]) => pattern.test(name))?.[1];
    report('runtime', line, `uses ${name}: ${advice}`);
  }
}

function isEntry(layer: string | null): boolean {
  return layer === 'entry' || layer === 'dev-entry';
}

/** The Worker's entry bundles files of `public/` as text in development. */
function isBundledText(file: SourceFile, specifier: string): boolean {
  return isEntry(file.layer) && specifier.startsWith('../public/');
}

function checkImport(file: SourceFile, fact: ImportFact, tables: Tables, report: Report): void {
  const { specifier, line } = fact;
  if (!isRelative(fact)) {
    if (isInSrc(file.path)) checkPackage(file, fact, tables, report);
    return;
  }
  if (!KNOWN_EXTENSION.test(specifier) && !isBundledText(file, specifier)) {
    const example = specifier.replace(/\.[cm]?jsx?$/, '');
    report(
      'extension',
      line,
      `imports ${specifier}: write the file's own extension, for instance ${example}.ts`,
    );
    return;
  }
  const target = targetOf(file.path, fact);
  const targetLayer = layerOf(target, tables.layers);
  if (targetLayer !== null) checkLayer(file, { target, targetLayer, fact }, tables, report);
  else if (isInSrc(file.path) && !isInSrc(target) && !isEntry(file.layer)) {
    report('outside', line, `imports ${target}: only entries reach outside src; move it into src`);
  }
}

interface Edge {
  target: string;
  targetLayer: string;
  fact: ImportFact;
}

function checkLayer(
  file: SourceFile,
  { target, targetLayer, fact }: Edge,
  tables: Tables,
  report: Report,
): void {
  const layer = tables.layers[file.layer ?? ''];
  if (layer === undefined) return;
  const allowed = layer.imports.split(' ');
  const feature = featureOf(target);
  const isOwn = feature !== null && feature === file.feature;
  const prefix = `imports ${target}: `;
  if (allowed.includes(targetLayer) || (isOwn && allowed.includes(`${targetLayer}:own`))) {
    const advice = featureOrderAdvice(file, feature, layer, tables.features);
    if (advice !== null) report('feature-order', fact.line, prefix + advice);
  } else if (!allowed.includes(`${targetLayer}:types`)) {
    report('layer', fact.line, prefix + (tables.layers[targetLayer]?.instead ?? ''));
  } else if (!fact.typesOnly) {
    report(
      'types-only',
      fact.line,
      `${prefix}${layer.called} may take only types from it; write import type`,
    );
  }
}

function featureOrderAdvice(
  file: SourceFile,
  used: string | null,
  layer: Layer,
  order: string[],
): string | null {
  if (used === null || used === file.feature) return null;
  const limit = layer.highestFeature;
  if (limit !== undefined && order.indexOf(used) > order.indexOf(limit)) {
    return `${layer.called} use features up to ${limit}; let routes.ts pass the value as an argument`;
  }
  if (file.feature === null || order.indexOf(used) < order.indexOf(file.feature)) return null;
  return `${used} stands above ${file.feature} in FEATURES; let ${used} call ${file.feature}, or take a function as an argument`;
}

function checkPackage(
  file: SourceFile,
  { specifier, line }: ImportFact,
  { packages, layers }: Tables,
  report: Report,
) {
  const name = /^(\w+:.*|@[^/]+\/[^/]+|[^/]+)/.exec(specifier)?.[0] ?? specifier;
  const row = packages[name] ?? packages[name.replace(/(?<=^@[^/]+\/|^\w+:).*$/, '*')];
  if (row === undefined) {
    const advice = `say what it saves, then give it a row in PACKAGES of ${HOME}`;
    report('package', line, `imports ${specifier}: no file may import it yet; ${advice}`);
    return;
  }
  const places = [file.path, file.layer, `${file.layer}:${file.feature}`];
  if (file.layer === null || row.in.split(' ').some((place) => places.includes(place))) return;
  const called = layers[file.layer]?.called ?? file.path;
  report('package', line, `imports ${specifier}: ${row.otherwise.replace('{files}', called)}`);
}

function findCycles(graph: ReadonlyMap<string, string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path]);
    if (trail.includes(path) || done.has(path)) return;
    trail.push(path);
    for (const target of new Set(graph.get(path))) visit(target);
    trail.pop();
    done.add(path);
  };
  for (const path of graph.keys()) visit(path);
  return cycles;
}

function layerOf(path: string, layers: Tables['layers']): string | null {
  const rows = Object.entries(layers);
  return rows.find(([, { files }]) => files.some((glob) => posix.matchesGlob(path, glob)))?.[0] ?? null;
}

function featureOf(path: string): string | null {
  return /^src\/features\/([^/]+)\//.exec(path)?.[1] ?? null;
}

function targetOf(path: string, { specifier }: ImportFact): string {
  return posix.join(posix.dirname(path), specifier);
}

function isRelative({ specifier }: ImportFact): boolean {
  return /^\.{1,2}(\/|$)/.test(specifier);
}

function isInSrc(path: string): boolean {
  return path.startsWith('src/');
}
