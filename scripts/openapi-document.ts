import * as z from 'zod';
import { fillIn, samples } from '../contract/examples/example.ts';
import type { Answer, CookieName } from '../contract/operation.ts';
import { AppError, type ErrorCode, errors, messageByCode } from '../src/errors.ts';
import type { IdentifyingCookie } from '../src/http/endpoint.ts';
import { anonymousLimit, unknownPathLimits } from '../src/http/rate-limit.ts';
import { commonResponses, responsesOf, slugOf } from './openapi-responses.ts';
import type {
  ApiDocument,
  ExampleObject,
  HeaderObject,
  OperationObject,
  ParameterObject,
  RateLimitFacts,
  Reference,
  Schema,
  SecurityScheme,
} from './openapi-types.ts';
import type { CountedPer, DescribedFeature, DescribedOperation } from './operations.ts';

const codes = Object.keys(errors) as ErrorCode[];

const cookies: Record<CookieName, string> = {
  pid_access: 'the access token, a JWT; path `/`, 15 minutes',
  pid_refresh: 'the refresh token, used once; path `/v1/auth`, 30 days',
  pid_refresh_key:
    'proves that this service issued `pid_access` and `pid_refresh` to this browser; without it a browser’s are ignored; path `/`, as long as the session. In production with the prefix `__Host-`',
  'pid_authorize_*':
    'an app’s pending authorization request, encrypted; at most five; path `/`, 10 minutes. In production with the prefix `__Host-`',
  pid_claim: 'the claim ticket, used once; path `/v1/auth`, 10 minutes',
  pid_claim_key:
    'proves that this service issued the ticket to this browser; without it `pid_claim` is ignored; as `pid_email`',
  pid_device:
    'the accounts that have signed in before in this browser, at most five; set by every sign-in of a person who has a password; as `pid_email`, 400 days',
  pid_continue: 'how often `/v1/auth/continue` has just led to one page; as `pid_email`, 10 seconds',
  pid_way: 'the kind of credential last used to sign in in this browser, readable by our pages; a year',
  pid_email:
    'identifies the browser that requested a code; path `/v1/auth`, 10 minutes. In production it has the prefix `__Host-` and path `/`',
  pid_hint:
    'readable by scripts: when the access token expires, and eight characters of a session digest; path `/`, as long as `pid_refresh`',
  pid_oauth: 'the return path, encrypted, until a sign-in starts; path `/v1/auth`, 10 minutes',
  pid_passkey: 'identifies the browser that started a ceremony; as `pid_email`, 5 minutes',
  'pid_oauth_*':
    'a sign-in in progress, encrypted; at most five; as `pid_oauth`. In production both have the prefix `__Host-` and path `/`',
};

const credentials: Record<IdentifyingCookie, string> = {
  pid_access:
    'Set by a sign-in, a claim and each refresh. From a browser it is valid only together with `pid_refresh_key`. HttpOnly; 15 minutes.',
  pid_refresh:
    'Set by a sign-in, a claim and each refresh; sent only to `/v1/auth`. HttpOnly; 30 days, used once.',
  pid_claim:
    'Set by the first sign-in of a newcomer; sent only to `/v1/auth`, and valid only together with `pid_claim_key`. HttpOnly; 10 minutes, used once.',
};

const bearer: SecurityScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'at+jwt (RFC 9068)',
  description: 'The access token of an app. Cookies sent with it are ignored.',
};

const counted: Record<CountedPer, string> = {
  address: 'each address',
  session: 'each session (each address, without one of our refresh tokens)',
  identity: 'each identity',
  popup: 'each popup request (each address, without the id of one)',
  account: 'each email address',
};

const introduction = `Permanent identities, called PIDs (\`<handle>@pid\`), and sessions in HttpOnly cookies.

**Cookies.** A browser needs \`credentials: 'include'\`. All are SameSite=Lax, all but the hint HttpOnly, and Secure in
production. Lifetimes are the defaults.

${Object.entries(cookies)
  .map(([name, text]) => `- \`${name}\`: ${text}`)
  .join('\n')}

**Origins.** A request that changes something must come from an allowed origin, or from outside a browser; otherwise
it is rejected with 403. From outside a browser, \`pid_access\` alone can only read: a change also needs
\`pid_refresh\` of the same session. With \`Origin\` or \`Sec-Fetch-Site\`, \`pid_access\` is valid only
together with \`pid_refresh_key\` of the same session.

**Errors** are \`{ "statusCode", "message", "code" }\`; \`message\` is an array only if validation failed. \`code\`, also
in \`X-Error-Code\`, is stable; the message of an error is not, except where the interface fixes it. OAuth routes add
\`error\` and \`error_description\` (RFC 6749 section 5.2).

**Pages.** A browser that opens an address, or posts a form to it, says that it prefers \`text/html\`. It gets a page with
the same status and \`X-Error-Code\` instead of JSON. Programs that accept anything, or JSON, never get a page.

**Limits** are token buckets: one holds as many requests as its limit and refills evenly over a minute, so a single minute
may see up to twice the limit minus one. All other requests under \`/v1\` share ${unknownPathLimits['GET /v1/*']} reads and
${unknownPathLimits['POST /v1/*']} writes a minute for each address, and requests that need a session but have none share
${anonymousLimit.requests} requests.`;

/** Returns whether the operation redirects, or responds with something other than JSON. */
export function createDocument(described: readonly DescribedFeature[], version: string): ApiDocument {
  const contract = described
    .map((feature) => ({ ...feature, operations: feature.operations.filter(({ isHosted }) => !isHosted) }))
    .filter(({ operations }) => operations.length > 0);
  const { schemas, refOf } = convertSchemas(contract);
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const { tag, operations } of contract) {
    for (const operation of operations) {
      const path = operation.path.replace(/:(\w+)/g, '{$1}');
      const described = describeOperation(operation, tag, refOf);
      paths[path] = { ...paths[path], [operation.method.toLowerCase()]: fillIn(described, samples) };
    }
  }
  return withoutUnused({
    openapi: '3.1.0',
    info: {
      title: 'Peridot',
      version,
      description: introduction,
      contact: { name: 'Peridot maintainers' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: contract.map(({ tag, description }) => ({ name: tag, description })),
    paths,
    components: {
      schemas: { ...schemas, Error: errorSchema, ErrorCode: { type: 'string', enum: codes } },
      responses: commonResponses(contract.flatMap(({ operations }) => operations)),
      headers,
      examples: Object.fromEntries(codes.map((code) => [code, errorExample(code)])),
      securitySchemes: Object.fromEntries(
        Object.entries(credentials)
          .map(([name, description]): [string, SecurityScheme] => [
            name,
            { type: 'apiKey', in: 'cookie', name, description },
          ])
          .concat([['bearer', bearer]]),
      ),
    },
  });
}

/** Omits schemas and examples without references, such as those of hosted pages. */
function withoutUnused(document: ApiDocument): ApiDocument {
  const text = JSON.stringify(document);
  const { schemas, examples } = document.components;
  const used = <Value>(kind: string, parts: Readonly<Record<string, Value>>) =>
    Object.entries(parts).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`));
  const kept = { schemas: used('schemas', schemas), examples: used('examples', examples) };
  const isComplete =
    kept.schemas.length === Object.keys(schemas).length &&
    kept.examples.length === Object.keys(examples).length;
  if (isComplete) return document;
  const components = {
    ...document.components,
    schemas: Object.fromEntries(kept.schemas),
    examples: Object.fromEntries(kept.examples),
  };
  return withoutUnused({ ...document, components });
}

const errorSchema: Schema = {
  type: 'object',
  properties: {
    statusCode: { type: 'integer', description: 'The HTTP status.' },
    message: {
      description: 'One text, or an array of them exactly when validation failed.',
      oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
    },
    code: { $ref: '#/components/schemas/ErrorCode' },
    error: { type: 'string', description: 'Of OAuth routes alone: the code of RFC 6749 or its companions.' },
    error_description: { type: 'string', description: 'Of OAuth routes alone.' },
  },
  required: ['statusCode', 'message', 'code'],
};

const headers: Record<string, HeaderObject> = {
  'X-Error-Code': {
    description: 'What went wrong, as a stable code.',
    schema: { $ref: '#/components/schemas/ErrorCode' },
  },
  'X-Request-Id': {
    description: 'The name of this request, which its log lines carry.',
    schema: { type: 'string', pattern: '^[\\w-]{16}$' },
  },
  'RateLimit-Policy': {
    description: 'The limit (draft-ietf-httpapi-ratelimit-headers), such as `"default";q=20;w=60`',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'What is left of it, such as `"default";r=19;t=3`',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds after which trying again makes sense.',
    schema: { type: 'integer', minimum: 1 },
  },
};

function errorExample(code: ErrorCode): ExampleObject {
  const texts = code === 'validation_failed' ? ['handle must be a string'] : messageByCode[code];
  return { summary: code, value: new AppError(code, texts).body };
}

function describeOperation(
  operation: DescribedOperation,
  tag: string,
  refOf: (schema: z.core.$ZodType) => Reference,
): OperationObject {
  const { id, summary, description, needs, reads, limit, body, bodyOptional = false } = operation;
  const parameters = parametersOf(operation);
  const cookieFacts = { ...(needs ? { needs: needs.anyOf } : {}), ...(reads ? { reads } : {}) };
  const texts = [description, limit && limitSentence(limit)].filter((text) => text !== undefined);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(texts.length > 0 ? { description: texts.join('\n\n') } : {}),
    security: [
      ...(needs?.anyOf ?? []).map((name) => ({ [name]: [] })),
      ...(operation.endpoint.actor?.takesTokens
        ? [{ bearer: operation.endpoint.scope === undefined ? [] : [operation.endpoint.scope] }]
        : []),
      ...(needs === undefined || needs.optional ? [{}] : []),
    ],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: !bodyOptional,
            content: contentOf(operation, refOf(body)),
          },
        }
      : {}),
    ...(operation.fileType
      ? { requestBody: { required: true, content: { [operation.fileType]: { schema: { type: 'string' } } } } }
      : {}),
    responses: responsesOf(operation, refOf),
    ...(Object.keys(cookieFacts).length > 0 ? { 'x-cookies': cookieFacts } : {}),
    ...(limit ? { 'x-rate-limit': limitFacts(limit) } : {}),
  };
}

/** A body's media types: JSON, and a form where OAuth reads one. */
function contentOf({ examples, isForm }: DescribedOperation, schema: Reference) {
  const given = examples.map((example) => ({ ...example, value: isForm ? example.form : example.body }));
  // A request rejected for its body is not an example of the schema.
  const bodies = given.filter(
    ({ value, answer }) =>
      value !== undefined && !('error' in answer && answer.error === 'validation_failed'),
  );
  const shown = bodies.map(({ title, value }) => [slugOf(title), { summary: title, value }] as const);
  const media = { schema, examples: Object.fromEntries(shown) };
  return { ...(isForm && { 'application/x-www-form-urlencoded': media }), 'application/json': media };
}

function limitFacts({
  name,
  requests,
  per,
  ceiling,
}: NonNullable<DescribedOperation['limit']>): RateLimitFacts {
  return {
    name,
    requests,
    windowSeconds: 60,
    countedBy: per,
    ...(per === 'address' ? {} : { ceiling: { requests: ceiling, countedBy: 'address' as const } }),
    ...(per === 'identity'
      ? { withoutSession: { requests: anonymousLimit.requests, countedBy: 'address' } }
      : {}),
  };
}

function limitSentence({ requests, per, ceiling }: NonNullable<DescribedOperation['limit']>): string {
  const together = per === 'address' ? '' : `, and ${ceiling} for each address`;
  return `Limit: ${requests} requests a minute for ${counted[per]}${together}.`;
}

function parametersOf({ params = {}, query }: DescribedOperation): ParameterObject[] {
  const inPath = Object.entries(params).map(([name, { description, example }]): ParameterObject => {
    return { name, in: 'path', required: true, description, schema: { type: 'string' }, example };
  });
  if (!query) return inPath;
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input', override: plainly });
  const inQuery = Object.entries(properties).map(([name, schema]): ParameterObject => {
    return { name, in: 'query', required: required.includes(name), schema: schema as Schema };
  });
  return [...inPath, ...inQuery];
}

interface Converted {
  readonly schemas: Record<string, Schema>;
  /** @throws Error if a schema has no name */
  readonly refOf: (schema: z.core.$ZodType) => Reference;
}

/** Request bodies are described as sent, everything else as returned. */
function convertSchemas(contract: readonly DescribedFeature[]): Converted {
  const operations = contract.flatMap((feature) => feature.operations);
  const bodies = new Set(operations.map(({ body }) => body));
  const input = z.registry<{ id: string }>();
  const output = z.registry<{ id: string }>();
  const names = new Map<z.core.$ZodType, string>();
  for (const [name, schema] of contract.flatMap((feature) => Object.entries(feature.schemas))) {
    if ([...names.values()].includes(name)) throw new Error(`Two schemas are called ${name}.`);
    names.set(schema, name);
    (bodies.has(schema) ? input : output).add(schema, { id: name });
  }
  const uri = (id: string) => `#/components/schemas/${id}`;
  const converted = {
    ...z.toJSONSchema(input, { io: 'input', uri, override: plainly }).schemas,
    ...z.toJSONSchema(output, { io: 'output', uri, override: plainly }).schemas,
  };
  const schemas = Object.entries(converted)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]);
  const refOf = (schema: z.core.$ZodType): Reference => {
    const name = names.get(schema);
    if (name !== undefined) return { $ref: uri(name) };
    const user = operations.find(({ body, answers }) => body === schema || answers.some(answersWith(schema)));
    throw new Error(
      `A schema of ${user?.method} ${user?.path} has no name: add it to \`schemas\` of the feature in contract/.`,
    );
  };
  return { schemas: Object.fromEntries(schemas), refOf };
}

function answersWith(schema: z.core.$ZodType): (answer: Answer) => boolean {
  return (answer) => answer.schema === schema;
}

/** `date-time` implies Zod's pattern; and responses may gain fields, so their objects are not closed. */
function plainly({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}
