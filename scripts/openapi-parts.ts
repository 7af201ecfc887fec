import { listFields, type SchemaField } from './openapi-fields.ts';
import type { ApiDocument, OperationObject, Reference, ResponseObject } from './openapi-types.ts';

export interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

export interface Refusal {
  readonly status: string;
  readonly code: string;
  readonly text: string;
}

export function operationsOf(document: ApiDocument, tag: string): Listed[] {
  return allOperations(document).filter(({ operation }) => operation.tags.includes(tag));
}

function allOperations(document: ApiDocument): Listed[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

export function isRefusal(response: ResponseObject | Reference): boolean {
  return '$ref' in response || response.headers?.['X-Error-Code'] !== undefined;
}

/** The errors of an operation, each with its own text. */
function errorsOf(document: ApiDocument, { responses }: OperationObject): Refusal[] {
  return Object.entries(responses)
    .filter(([, response]) => isRefusal(response))
    .flatMap(([status, response]) => {
      const examples = resolve(document, response).content?.['application/json']?.examples ?? {};
      return Object.values(examples).map((example) => {
        const { code, message } = resolve(document, example).value as Record<string, unknown>;
        return { status, code: String(code), text: [message].flat().join(', ') };
      });
    });
}

/** The errors of at least two operations in five, which the pages list once. */
export function sharedErrors(document: ApiDocument): Refusal[] {
  const operations = allOperations(document);
  const counts = new Map<string, { refusal: Refusal; count: number }>();
  for (const { operation } of operations) {
    for (const refusal of errorsOf(document, operation)) {
      const { count = 0 } = counts.get(refusal.code) ?? {};
      counts.set(refusal.code, { refusal, count: count + 1 });
    }
  }
  return [...counts.values()]
    .filter(({ count }) => count >= operations.length * 0.4)
    .map(({ refusal }) => refusal)
    .sort((one, other) => Number(one.status) - Number(other.status));
}

/** An operation's errors without those shared by most operations. */
export function ownErrors(document: ApiDocument, operation: OperationObject): Refusal[] {
  const shared = new Set(sharedErrors(document).map(({ code }) => code));
  return errorsOf(document, operation).filter(({ code }) => !shared.has(code));
}

/** The schemas used by operations, and those used by these schemas, with their fields. */
export function schemasOf(document: ApiDocument, operations: readonly Listed[]): [string, SchemaField[]][] {
  const { schemas } = document.components;
  const found = new Set<string>();
  const collect = (value: unknown) => {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      collect(schemas[name]);
    }
  };
  for (const { operation } of operations) collect(operation);
  return Object.entries(schemas)
    .filter(([name]) => found.has(name))
    .map(([name, schema]) => [name, listFields(schema)]);
}

export function resolve<Value extends object>(document: ApiDocument, value: Value | Reference): Value {
  if (!('$ref' in value)) return value;
  const path = String(value.$ref).slice(2).split('/');
  const found = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], document);
  if (found === undefined) throw new Error(`${value.$ref} leads nowhere.`);
  return found as Value;
}
