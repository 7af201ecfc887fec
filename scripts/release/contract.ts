import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

const folder = join(import.meta.dirname, '../../contract/releases');

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Body {
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Operation {
  readonly parameters?: readonly {
    name: string;
    in: string;
    required?: boolean;
    schema?: Schema;
    $ref?: string;
  }[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Body & { $ref?: string }>>;
}

export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: unknown;
}

/**
 * A contract as sorted lines, each a promise about what a request may contain or what a response contains. A line that
 * starts with `needs` is a requirement for clients instead.
 */
export function promisesOf(contract: Contract): string[] {
  const lines = new Set<string>();
  const resolve = <T extends { $ref?: string }>(given: T): T => {
    const names = given.$ref?.replace('#/', '').split('/');
    return names ? (names.reduce((at: never, name) => at[name], contract as never) as T) : given;
  };
  const walk = (at: string, given: Schema, isRequest: boolean, above: readonly string[] = []) => {
    if (given.$ref && above.includes(given.$ref)) return;
    const below = given.$ref ? [...above, given.$ref] : above;
    const { type, properties = {}, required = [], items, const: only, ...schema } = resolve(given);
    for (const each of [type ?? []].flat()) lines.add(`${at}: ${each}`);
    if (isRequest)
      for (const value of schema.enum ?? [only ?? []].flat()) lines.add(`${at} = ${JSON.stringify(value)}`);
    for (const [name, property] of Object.entries(properties)) {
      const inside = `${at}.${name}`;
      lines.add(inside);
      if (required.includes(name)) lines.add(isRequest ? `needs ${inside}` : `${inside} always`);
      walk(inside, property, isRequest, below);
    }
    if (items) walk(`${at}[]`, items, isRequest, below);
    for (const each of [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => list ?? []))
      walk(at, each, isRequest, below);
  };
  const walkBody = (at: string, body: Body, isRequest: boolean) => {
    for (const [type, { schema = {} }] of Object.entries(body.content ?? {})) {
      lines.add(`${at} ${type}`);
      walk(`${at} ${type} `, schema, isRequest);
    }
  };
  for (const [path, operations] of Object.entries(contract.paths))
    for (const [method, operation] of Object.entries(operations)) {
      const at = `${method.toUpperCase()} ${path}`;
      lines.add(at);
      for (const parameter of (operation.parameters ?? []).map(resolve)) {
        const name = `${at} ${parameter.in} ${parameter.name}`;
        lines.add(name);
        if (parameter.required) lines.add(`needs ${name}`);
        walk(name, parameter.schema ?? {}, true);
      }
      if (operation.requestBody) {
        if (operation.requestBody.required) lines.add(`needs ${at} body`);
        walkBody(`${at} body`, operation.requestBody, true);
      }
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        lines.add(`${at} ${status}`);
        if (status.startsWith('2')) walkBody(`${at} ${status}`, resolve(response), false);
      }
    }
  return [...lines].sort();
}

/** Returns the broken promises, and new requirements on existing operations. */
export function broken(before: readonly string[], now: readonly string[]): string[] {
  const [had, has] = [new Set(before), new Set(now)];
  const removed = before.filter((line) => !line.startsWith('needs ') && !has.has(line));
  const demanded = now.filter(
    (line) => line.startsWith('needs ') && !had.has(line) && had.has(operationOf(line)),
  );
  return [...removed, ...demanded];
}

/** Returns the broken lines whose path is not in the upgrade notes under "Unreleased". */
export function unannounced(lines: readonly string[], changelog: string): string[] {
  const [, unreleased = ''] = changelog.split('\n## Unreleased\n');
  const notes =
    /^### Upgrade notes\n(.*?)(?=^##|$(?![\s\S]))/ms.exec(unreleased.split(/^## /m, 1)[0] ?? '')?.[1] ?? '';
  const named = notes.replace(/:(\w+)/g, '{$1}');
  return lines.filter((line) => !named.includes(`${operationOf(line).split(' ')[1]}\``));
}

function operationOf(line: string): string {
  return line.replace('needs ', '').split(' ', 2).join(' ');
}

export const releasedFile = (version: string): string => join(folder, `${version}.txt.gz`);

/** The promises of the newest release; none before the first release. */
export function readNewest(): { version: string; promises: string[] } | null {
  const versions = readdirSync(folder).flatMap((name) => /^(.+)\.txt\.gz$/.exec(name)?.[1] ?? []);
  const version = versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  if (version === undefined) return null;
  return {
    version,
    promises: gunzipSync(readFileSync(releasedFile(version)))
      .toString()
      .trimEnd()
      .split('\n'),
  };
}
