import type { Schema } from './openapi-types.ts';

/** One line about a schema: a field of an object, or the whole of any other schema. */
export interface SchemaField {
  readonly name: string;
  readonly type: string;
  /** The schema named by the type, if any. */
  readonly ref?: string | undefined;
  readonly notes: string;
}

/** All fields of a schema, one line each; nested fields have dots in their names. */
export function listFields(schema: Schema, prefix = '', required = true): SchemaField[] {
  const properties = schema['properties'] as Record<string, Schema> | undefined;
  const items = schema['items'] as Schema | undefined;
  const inner = (properties ? schema : (items ?? {})) as Schema;
  const innerFields = (inner['properties'] ?? {}) as Record<string, Schema>;
  const needed = (inner['required'] ?? []) as string[];
  const path = properties ? prefix : `${prefix}[]`;
  const own: SchemaField = {
    name: prefix === '' ? '(value)' : prefix,
    type: typeOf(schema),
    ref: refOf(schema) ?? (items && refOf(items)),
    notes: notesOf(schema, required),
  };
  const fields = Object.entries(innerFields).flatMap(([name, field]) =>
    listFields(field, path === '' ? name : `${path}.${name}`, needed.includes(name)),
  );
  return prefix === '' && properties ? fields : [own, ...fields];
}

function typeOf(schema: Schema): string {
  const ref = refOf(schema);
  if (ref !== undefined) return ref;
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
  if (choices) return choices.map(typeOf).join(' or ');
  if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
  if (schema['items']) return `array of ${typeOf(schema['items'] as Schema)}`;
  const type = schema['type'];
  return Array.isArray(type) ? type.join(' or ') : String(type ?? 'any value');
}

function refOf(schema: Schema): string | undefined {
  const ref = schema['$ref'];
  return typeof ref === 'string' ? ref.split('/').at(-1) : undefined;
}

function notesOf(schema: Schema, required: boolean): string {
  const said = (name: string, text: (value: unknown) => string) =>
    schema[name] === undefined ? [] : [text(schema[name])];
  return [
    ...(required ? [] : ['may be absent']),
    ...said('description', String),
    ...said('format', String),
    ...said('enum', (value) => (value as unknown[]).map((each) => JSON.stringify(each)).join(', ')),
    ...said('minLength', (value) => `at least ${value} characters`),
    ...said('maxLength', (value) => `at most ${value} characters`),
    ...said('minimum', (value) => `at least ${value}`),
    ...said('maximum', (value) => `at most ${value}`),
    ...said('pattern', (value) => `matches ${value}`),
    ...said('default', (value) => `${JSON.stringify(value)} unless given`),
  ].join('; ');
}
