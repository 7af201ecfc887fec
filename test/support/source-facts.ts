import { parseSync } from 'oxc-parser';
import {
  type AstNode,
  asNode,
  childNodes,
  isLocal,
  isNode,
  isReference,
  lineFinder,
  literalText,
  nameOf,
  type Place,
  propertyName,
  walk,
} from './syntax-walk.ts';

export interface ImportFact {
  specifier: string;
  line: number;
  /** The whole statement disappears at run time: `import type`, `export type ... from`, `import('x').T`. */
  typesOnly: boolean;
  /** Names taken from the module; `*` and `default` for namespace and default imports. */
  names: string[];
}

export interface SourceFacts {
  imports: ImportFact[];
  computedImports: number[];
  exportAlls: number[];
  defaultExports: number[];
  transactionCalls: number[];
  /** Uses of time, randomness, environment and network that come from the runtime itself. */
  ambient: { name: string; line: number }[];
  reexportsOnly: boolean;
  syntaxErrors: string[];
}

const MODULE_SYNTAX = /^(Import(Declaration|Expression)|Export(Named|All|Default)Declaration|TSImportType)$/;
const TRANSPARENT = /^(ChainExpression|ParenthesizedExpression|TS(As|Satisfies|NonNull)Expression)$/;
const GLOBAL_OBJECTS = new Set(['globalThis', 'global', 'self', 'window']);
const AMBIENT_ROOTS = new Set(['process', 'Bun', 'fetch']);
const AMBIENT_MEMBERS = new Set([
  'Date.now',
  'performance.now',
  'Math.random',
  'crypto.randomUUID',
  'crypto.getRandomValues',
]);

/** Parses one TypeScript file and lists what the architecture rules ask about. Reads nothing but its arguments. */
export function readFacts(file: string, source: string): SourceFacts {
  const parsed = parseSync(file, source);
  const program = asNode(parsed.program);
  const lineOf = lineFinder(source);
  const facts: SourceFacts = {
    imports: [],
    computedImports: [],
    exportAlls: [],
    defaultExports: [],
    transactionCalls: [],
    ambient: [],
    reexportsOnly: isReexportsOnly(program),
    syntaxErrors: parsed.errors.map((error) => error.message),
  };
  const identifiers: Place[] = [];
  walk(
    { node: program, key: '', parent: null, scope: { names: new Set(), outer: null }, inType: false },
    (place) => {
      const { node } = place;
      if (MODULE_SYNTAX.test(node.type)) readModuleSyntax(node, lineOf(node.start), facts);
      if (isTransactionCall(node)) facts.transactionCalls.push(lineOf(node.start));
      if (isEnvironmentOfModule(node))
        facts.ambient.push({ name: 'import.meta.env', line: lineOf(node.start) });
      if (node.type === 'Identifier' && isReference(place)) identifiers.push(place);
    },
  );
  // Scopes are complete only after the walk, so names used before their declaration are judged here.
  for (const place of identifiers) {
    if (isLocal(String(place.node.name), place.scope)) continue;
    const line = lineOf(place.node.start);
    for (const name of ambientUses(place)) facts.ambient.push({ name, line });
  }
  return facts;
}

function readModuleSyntax(node: AstNode, line: number, facts: SourceFacts): void {
  if (node.type === 'ExportDefaultDeclaration') facts.defaultExports.push(line);
  else if (node.type !== 'ImportExpression' && node.type !== 'TSImportType') readStatement(node, line, facts);
  else {
    const specifier = literalText(asNode(node.source));
    if (specifier === null) facts.computedImports.push(line);
    else facts.imports.push({ specifier, line, typesOnly: node.type === 'TSImportType', names: ['*'] });
  }
}

function readStatement(node: AstNode, line: number, facts: SourceFacts): void {
  const specifiers = childNodes(node.specifiers);
  if (node.type === 'ExportAllDeclaration') facts.exportAlls.push(line);
  const exported = specifiers.map((specifier) => nameOf(specifier.exported));
  if (exported.includes('default')) facts.defaultExports.push(line);
  if (!isNode(node.source)) return;
  facts.imports.push({
    specifier: String(node.source.value),
    line,
    typesOnly: node.importKind === 'type' || node.exportKind === 'type',
    names: node.type === 'ExportAllDeclaration' ? ['*'] : specifiers.map(importedName),
  });
}

function importedName(specifier: AstNode): string {
  if (specifier.type === 'ImportDefaultSpecifier') return 'default';
  if (specifier.type === 'ImportNamespaceSpecifier') return '*';
  return nameOf(specifier.imported ?? specifier.local);
}

function isReexportsOnly(program: AstNode): boolean {
  const statements = childNodes(program.body);
  const reexports = statements.filter(
    (node) =>
      node.type === 'ExportAllDeclaration' ||
      (node.type === 'ExportNamedDeclaration' && childNodes(node.specifiers).length > 0),
  );
  const imports = statements.filter((node) => node.type === 'ImportDeclaration');
  return reexports.length > 0 && reexports.length + imports.length === statements.length;
}

function isTransactionCall(node: AstNode): boolean {
  if (node.type !== 'CallExpression') return false;
  const callee = asNode(node.callee);
  return callee.type === 'MemberExpression' && propertyName(callee) === 'transaction';
}

function isEnvironmentOfModule(node: AstNode): boolean {
  if (node.type !== 'MemberExpression') return false;
  return asNode(node.object).type === 'MetaProperty' && propertyName(node) === 'env';
}

/** Tells which ambient source a global identifier reaches, following `globalThis.crypto.randomUUID` to its end. */
function ambientUses(start: Place): string[] {
  const path = [String(start.node.name)];
  let top = start;
  for (let parent = top.parent; parent !== null; parent = top.parent) {
    if (parent.node.type === 'MemberExpression' && top.key === 'object') path.push(propertyName(parent.node));
    else if (!TRANSPARENT.test(parent.node.type)) break;
    top = parent;
  }
  return destructuredNames(top)
    .map((name) => ambientName(name === null ? path : [...path, name], top))
    .filter((name) => name !== null);
}

function ambientName(path: string[], top: Place): string | null {
  const [root = '', member] = GLOBAL_OBJECTS.has(path[0] ?? '') ? path.slice(1) : path;
  if (AMBIENT_ROOTS.has(root)) return root;
  if (AMBIENT_MEMBERS.has(`${root}.${member}`)) return `${root}.${member}`;
  if (root !== 'Date' || member !== undefined || top.key !== 'callee') return null;
  const call = top.parent?.node;
  if (call?.type === 'CallExpression') return 'Date()';
  return call?.type === 'NewExpression' && childNodes(call.arguments).length === 0 ? 'new Date()' : null;
}

/** `const { now } = Date` takes the member `now`; any other use takes the object itself, shown as null. */
function destructuredNames(top: Place): (string | null)[] {
  const declarator = top.parent?.node;
  if (declarator?.type !== 'VariableDeclarator' || top.key !== 'init') return [null];
  const pattern = asNode(declarator.id);
  if (pattern.type !== 'ObjectPattern') return [null];
  return [null, ...childNodes(pattern.properties).map((property) => nameOf(property.key))];
}
