import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { integrityOf } from './sdk-bundle.ts';

const root = join(import.meta.dirname, '..');
const heading = '\n## Exports\n';
const note =
  'Generated from the doc comments of `sdk` by `npm run build:sdk`; the types of the package contain the same text.';

export const sdkGuideFile = join(root, 'docs/sdk.md');
export const sdkReferenceFile = join(root, 'docs/sdk-reference.md');

/** The parts of a parsed statement used here. */
interface Statement {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly declaration?: Declaration | null;
  readonly source?: { readonly value: string } | null;
  readonly specifiers?: readonly { readonly local: { readonly name?: string } }[];
}

interface Declaration {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly id?: { readonly name: string } | null;
  readonly body?: { readonly start: number } | null;
  readonly superTypeArguments?: { readonly start: number; readonly end: number } | null;
}

/** The guide with the current version and the hash of its script. */
export function sdkGuide(current: string, script: string, version: string): string {
  return current
    .replace(/sha384-[A-Za-z0-9+/=]+/g, integrityOf(script))
    .replace(/\/sdk\/\d[\w.-]*\//g, `/sdk/${version}/`);
}

/** The reference with regenerated exports. */
export function sdkReference(current: string): string {
  const [text = ''] = current.split(heading);
  const parts = ['messages', 'react', 'server'].map(
    (name) => `\n### peridot-sdk/${name}\n\n${reference(`${name}.ts`)}`,
  );
  return `${text}${heading}\n${note}\n\n${reference('index.ts')}${parts.join('')}`;
}

/** Everything that an entry exports: its own declarations, then its re-exports. */
function reference(entry: string): string {
  const { body, source } = parse(entry);
  const own = body.flatMap((statement) => describe(source, statement));
  const passedOn = body.flatMap(({ type, source: from, specifiers = [] }) => {
    if (type !== 'ExportNamedDeclaration' || !from || specifiers.length === 0) return [];
    const names = specifiers.flatMap(({ local }) => local.name ?? []);
    const file = parse(from.value.slice(2));
    return file.body.flatMap((each) => describe(file.source, each, names));
  });
  return `${[...own, ...passedOn].join('\n')}`;
}

function parse(name: string): { body: readonly Statement[]; source: string } {
  const source = readFileSync(join(root, 'sdk', name), 'utf8');
  return { body: parseSync(name, source).program.body as unknown as Statement[], source };
}

/** All exports of an entry: its own declarations, then its re-exports. */
function describe(source: string, statement: Statement, names?: readonly string[]): string[] {
  const { declaration } = statement;
  const name = declaration?.id?.name;
  if (statement.type !== 'ExportNamedDeclaration' || !declaration || !name) return [];
  if (names && !names.includes(name)) return [];
  const text = docBefore(source, statement.start);
  return [`#### ${name}\n\n${text}\n\n\`\`\`ts\n${codeOf(source, declaration, name)}\n\`\`\`\n`];
}

/** The doc comment directly before a position, as Markdown. */
function docBefore(source: string, at: number): string {
  const before = source.slice(0, at).trimEnd();
  const from = before.lastIndexOf('/**');
  if (!before.endsWith('*/') || from < 0)
    throw new Error(`no doc comment before: ${source.slice(at, at + 60)}`);
  const lines = before
    .slice(from + 3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd());
  return lines
    .join('\n')
    .trim()
    .replace(/^@(\w+) /gm, '\n**$1:** ')
    .trim();
}

/** A declaration without code: function signatures, and the members that an error class adds to Error. */
function codeOf(source: string, declaration: Declaration, name: string): string {
  const { type, start, end, body, superTypeArguments } = declaration;
  if (type === 'FunctionDeclaration' && body) return source.slice(start, body.start).trim();
  if (type === 'ClassDeclaration' && superTypeArguments) {
    const [code, reason] = source
      .slice(superTypeArguments.start + 1, superTypeArguments.end - 1)
      .split(/,(.*)/s)
      .map((part) => part.trim());
    return `class ${name} extends Error {\n  readonly code: ${code};\n  readonly reason: ${reason};\n}`;
  }
  return source.slice(start, end);
}
