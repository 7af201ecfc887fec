import { zValidator } from '@hono/zod-validator';
import type { MiddlewareHandler } from 'hono';
import type * as z from 'zod/mini';
import { AppError } from '../errors.ts';
import { memoize } from '../lib/memoize.ts';
import { strictJsonProblem } from '../lib/strict-json.ts';
import type { AppContext, AppEnv } from './context.ts';
import type { LazySchema } from './endpoint.ts';

/** The maximum size of a body that any request needs; nothing beyond it is read. */
const maxBodyBytes = 16 * 1024;
/** The maximum number of fields in a form. Each field costs time before a limit counts the request. */
const maxFields = 100;
const formType = 'application/x-www-form-urlencoded';
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a JSON body within its bounds: size, content type, UTF-8, nesting and duplicate keys. A missing body is treated
 * as `{}`, so that a route with optional fields can be called without a body.
 */
export function jsonBody(): MiddlewareHandler<AppEnv> {
  return async function bodyRead(c, next) {
    // A limit that is counted by a value in the body has already read it.
    if (c.req.bodyCache.text !== undefined) return next();
    const text = decode(await readBody(c));
    const absent = text.trim() === '';
    if (!absent) {
      requireJson(c);
      requireStrict(text);
    }
    // Hono's own `json()` reads this cache instead of the consumed stream; the cache contains promises, whatever its
    // type says.
    c.req.bodyCache.text = Promise.resolve(absent ? '{}' : text) as unknown as string;
    await next();
  };
}

/**
 * Validates the JSON body against a schema, after `jsonBody`.
 * @throws AppError validation_failed with one text per problem
 */
export function validBody<Schema extends z.ZodMiniType>(schema: Schema) {
  return zValidator('json', schema, requireValid, { validationFunction: check as never });
}

/** Validates the query against a schema. */
export function validQuery<Schema extends z.ZodMiniType>(schema: Schema) {
  return zValidator('query', schema, requireValid, { validationFunction: check as never });
}

/** Validates the parameters of an OAuth request. @throws AppError validation_failed, including for a query */
export function validForm(load: LazySchema): MiddlewareHandler<AppEnv> {
  const schema = memoize(load);
  return async function validated(c, next) {
    if (new URL(c.req.url).search !== '') throw new AppError('validation_failed', ['query must be empty']);
    const parsed = check(await schema(), await readFields(c));
    requireValid(parsed);
    c.set('form', parsed.data);
    return next();
  };
}

/**
 * The parameters of a form or JSON object, which a limit may already have read. A parameter without a value is treated
 * as omitted, and none may occur twice (RFC 6749 section 3.2).
 */
export async function readFields(c: AppContext): Promise<Readonly<Record<string, unknown>>> {
  const known = c.get('fields');
  if (known) return known;
  // Hono's cache contains promises, whatever its type says.
  c.req.bodyCache.text ??= readBody(c).then(decode) as unknown as string;
  const text = await c.req.bodyCache.text;
  if (text === '') return {};
  const fields = mediaType(c) === 'application/json' ? readJson(text) : readPairs(c, text);
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  c.set('fields', given);
  return given;
}

function readJson(text: string): object {
  requireStrict(text);
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null)
    throw new AppError('validation_failed', ['body must be an object']);
  return value;
}

function readPairs(c: AppContext, text: string): Record<string, string> {
  if (mediaType(c) !== formType) {
    throw new AppError('unsupported_media_type', `The request body must be ${formType} or application/json`);
  }
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (fields.has(name)) throw new AppError('validation_failed', [`${name} must not be given twice`]);
    if (fields.set(name, value).size > maxFields)
      throw new AppError('validation_failed', [`body must have at most ${maxFields} fields`]);
  }
  return Object.fromEntries(fields);
}

/** Zod's own check, with our texts; the types of the validator require a result for both Zod 3 and 4. */
function check(schema: z.ZodMiniType, value: unknown) {
  return schema.safeParse(value, { error: problemText });
}

function requireValid(result: { success: boolean; error?: { issues: readonly z.core.$ZodIssue[] } }): void {
  if (!result.success) throw validationError(result.error?.issues ?? []);
}

/** Returns the text for a schema without one. */
function problemText(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'must be given' : `must be ${article(issue.expected)}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unit(issue.origin)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unit(issue.origin)}`;
    case 'invalid_value':
      return `must be one of: ${issue.values.join(', ')}`;
    case 'unrecognized_keys':
      return `must not have ${issue.keys.join(', ')}`;
    default:
      return 'must be valid';
  }
}

function article(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function unit(origin: string): string {
  return origin === 'string' ? ' characters long' : '';
}

/** The interface's format for validation problems: one text each, `<path> must be …`. */
export function validationError(issues: readonly z.core.$ZodIssue[]): AppError {
  const texts = issues.map((issue) => {
    const path = issue.path.join('.') || 'body';
    return issue.message.startsWith(path) ? issue.message : `${path} ${issue.message}`;
  });
  return new AppError('validation_failed', texts);
}

/** Reads a form posted by one of our pages, within the same bounds. */
export async function readForm(c: AppContext): Promise<URLSearchParams> {
  return new URLSearchParams(decode(await readBody(c)));
}

/** The maximum size of a provider notification. */
export const maxNotificationBytes = 64 * 1024;

/**
 * The raw body.
 * @throws AppError body_too_large; malformed_body if the client went away before the end
 */
export async function readBody(c: AppContext, maxBytes: number = maxBodyBytes): Promise<Uint8Array> {
  const announced = c.req.header('Content-Length');
  if (Number(announced ?? 0) > maxBytes) throw new AppError('body_too_large');
  try {
    return await readBytes(c, announced, maxBytes);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('malformed_body', 'The request body ended early', {
      cause,
      reason: 'client went away',
    });
  }
}

async function readBytes(
  c: AppContext,
  announced: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  // HTTP ends a body at its declared length. Streaming costs several times as much, and is needed only for bodies
  // without a length or with two lengths, which Bun joins into an invalid number.
  if (announced !== undefined && /^\d+$/.test(announced))
    return new Uint8Array(await c.req.raw.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Not cancelled if it is too large, because the entry handles the rest.
  for await (const chunk of c.req.raw.body?.values({ preventCancel: true }) ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new AppError('body_too_large');
    chunks.push(chunk);
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}

function decode(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes);
  } catch (cause) {
    throw new AppError('malformed_body', 'The request body is not valid UTF-8', { cause });
  }
}

function requireJson(c: AppContext): void {
  if (mediaType(c) !== 'application/json') throw new AppError('unsupported_media_type');
}

function mediaType(c: AppContext): string | undefined {
  return c.req.header('Content-Type')?.split(';', 1)[0]?.trim().toLowerCase();
}

function requireStrict(text: string): void {
  try {
    JSON.parse(text);
  } catch (cause) {
    throw new AppError('malformed_body', null, { cause });
  }
  const problem = strictJsonProblem(text);
  if (problem !== null) throw new AppError('malformed_body', `The request body ${problem}`);
}
