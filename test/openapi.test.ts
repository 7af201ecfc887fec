import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { contract } from '../contract/contract.ts';
import { createFiles } from '../scripts/openapi.ts';
import { createDocument } from '../scripts/openapi-document.ts';
import { errorsOf, slugOf } from '../scripts/openapi-responses.ts';
import { sdkCalls } from '../scripts/openapi-snippets.ts';
import { type DescribedFeature, describeContract } from '../scripts/operations.ts';
import { endpoints } from '../src/endpoints.ts';
import { AppError, type ErrorCode, errors } from '../src/errors.ts';
import { depositRequirements } from '../src/features/deposit/statements.ts';
import { sweepRequirements } from '../src/features/ledger/sweep.ts';
import { captureRequirements, releaseRequirements } from '../src/features/transfer/hold-statements.ts';
import { refundRequirements } from '../src/features/transfer/refund-statements.ts';
import { confirmRequirements } from '../src/features/transfer/statements.ts';
import { holdRequirements } from '../src/features/withdrawal/statements.ts';
import { bucketName } from '../src/http/rate-limit.ts';
import { production } from './support/production.ts';
import { routesOf } from './support/routes.ts';

const described = await describeContract(contract);
const operations = described.flatMap((feature) => feature.operations);
const routes = operations.filter(({ isAsset }) => isAsset !== true);
const files = await createFiles();
const document = JSON.parse(files['openapi.json'] ?? '') as ReturnType<typeof createDocument>;

/** Only the account's own pages and forms lead here. docs/pages.md lists it, and no program needs it. */
const behindPages =
  /^\w+ (\/account\/|\/device$|\/developers(\/|$)|\/logos\/|\/admin($|\/)|\/error\/|\/v1\/auth\/(refresh\/continue|logout\/leave)$)/;

describe('the contract', () => {
  it('describes exactly the routes of the service', () => {
    const described = routes.map(({ method, path }) => `${method} ${path}`);
    const served = routesOf(production).map(({ method, pattern }) => `${method} ${pattern}`);
    const missing = served.filter((route) => !described.includes(route) && !behindPages.test(route));
    const invented = described.filter((route) => !served.includes(route));
    const advice = [
      ...missing.map(
        (route) => `${route} is not described: add it to \`operations\` in contract/<its feature>.ts`,
      ),
      ...invented.map((route) => `${route} is described but not served: remove it from contract/`),
    ];
    expect(advice).toEqual([]);
  });

  it('is committed exactly as the code generates it', () => {
    for (const [name, text] of Object.entries(files)) {
      const committed = readFileSync(join(import.meta.dirname, '../public', name), 'utf8');
      expect(committed === text, `public/${name} differs: run \`npm run openapi\``).toBe(true);
    }
  });

  it('has a page for each group, at most 16 kB on the wire and without dead links', () => {
    const pages = Object.entries(files).filter(([name]) => name.endsWith('.html'));
    const idsOf = (text: string) => [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const ids = new Map(pages.map(([name, text]) => [`/${name.replace('.html', '')}`, idsOf(text)]));
    for (const [name, text] of pages) {
      for (const [, path = '', id] of text.matchAll(/href="(\/docs[\w/-]*)?(?:#([\w-]+))?"/g)) {
        const there = ids.get(path || `/${name.replace('.html', '')}`);
        expect(there, `${name} links to ${path}`).toBeDefined();
        if (id) expect(there, `${name} links to ${path}#${id}`).toContain(id);
      }
      expect([name, gzipSync(text).length < 16_000]).toEqual([name, true]);
    }
    const articles = pages.flatMap(([, text]) => [
      ...text.matchAll(/<article class="card" id="(?!schema-)/g),
    ]);
    expect(articles.length).toBe(operations.filter(({ isHosted }) => !isHosted).length);
  });

  it('has operations only for programs, not for pages or their forms', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    );
    const hosted = operations.filter(({ isHosted }) => isHosted).map(({ id }) => id);
    expect(hosted).toEqual(expect.arrayContaining(['showSignIn', 'showPopup', 'showLoginPage', 'getDocs']));
    expect(ids.filter((id) => hosted.includes(id))).toEqual([]);
    const pages = operations.filter(({ answers }) => answers.every(({ isPage }) => isPage));
    expect(pages.filter(({ isHosted }) => !isHosted).map(({ id }) => id)).toEqual([]);
  });

  it('lists the responses of every route to invalid bodies, hosts and forms, and to other sites', () => {
    const statuses = (method: string, path: string) =>
      Object.keys(document.paths[path]?.[method]?.responses ?? {});
    expect(statuses('post', '/v1/auth/passkey/register/options')).toEqual(
      expect.arrayContaining(['400', '413', '415']),
    );
    expect(statuses('post', '/v1/auth/claim/link')).toContain('400');
    expect(statuses('get', '/v1/auth/google')).toContain('403');
    expect(statuses('post', '/v1/credentials/link')).toContain('303');
    expect(statuses('get', '/healthz')).toContain('400');
    const refusal = document.paths['/v1/auth/google']?.['get']?.responses['403'];
    expect(refusal && 'content' in refusal && Object.keys(refusal.content ?? {})).toEqual([
      'application/json',
      'text/html',
    ]);
  });

  it('lists a page alongside the JSON for exactly those errors that occur on navigation routes', () => {
    const all = operations.filter(({ isHosted }) => !isHosted);
    const navigated = all.filter(({ endpoint }) => endpoint.refusesPrefetch || endpoint.takesForms);
    expect(new Set(navigated.map(({ method }) => method))).toEqual(new Set(['GET', 'POST']));
    for (const operation of all) {
      const { method, path } = operation;
      const types = navigated.includes(operation) ? ['application/json', 'text/html'] : ['application/json'];
      const { responses } = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()] ?? {};
      for (const [status, response] of Object.entries(responses ?? {})) {
        if (Number(status) < 400) continue;
        const { content = {} } =
          '$ref' in response
            ? (document.components.responses[response.$ref.split('/').at(-1) ?? ''] ?? {})
            : response;
        expect([method, path, status, ...Object.keys(content)]).toEqual([method, path, status, ...types]);
      }
    }
  });

  it('is a valid OpenAPI 3.1 document', async () => {
    const validator = new Validator();
    expect(await validator.validate({ ...document })).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect((await validator.validate({ ...document, info: undefined })).valid).toBe(false);
  });

  it('resolves every reference', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
    const broken = [...references].filter(([, path = '']) => {
      const found = path
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
      return found === undefined;
    });
    expect(broken).toEqual([]);
  });

  it('uses each id, schema name and example title only once', () => {
    expectDistinct(operations.map(({ id }) => id));
    expectDistinct(contract.flatMap(({ schemas }) => Object.keys(schemas)));
    for (const { examples } of operations) expectDistinct(examples.map(({ title }) => slugOf(title)));
  });

  it('lists every error with its exact message', () => {
    const answered = new Set(routes.flatMap(errorsOf));
    const codes = Object.keys(errors) as ErrorCode[];
    // Only endpoints that apps may call with a scope return these.
    const ofScopes = ['missing_scope', 'grant_revoked', 'grant_expired'];
    const hasScopes = endpoints.some(({ scope }) => scope !== undefined);
    const silent = codes.filter((code) => !answered.has(code) && (hasScopes || !ofScopes.includes(code)));
    expect(silent, 'add these to `errors` of the operation that answers them').toEqual([]);
    const { validation_failed: _, ...shown } = document.components.examples;
    expect(Object.keys(shown).length).toBeGreaterThan(30);
    for (const [code, { value }] of Object.entries(shown))
      expect(value).toEqual(new AppError(code as ErrorCode).body);
  });

  it('lists every reason for rejecting a money movement where it can occur, and docs/errors.md gives its cause', () => {
    const { for_hold, not_fresh, ...ofHold } = confirmRequirements;
    const { not_for_hold, ...ofConfirm } = confirmRequirements;
    const lists: Record<string, object> = {
      sweepApp: sweepRequirements,
      checkout: depositRequirements,
      confirmTransfer: ofConfirm,
      holdTransfer: ofHold,
      captureHold: captureRequirements,
      releaseHold: releaseRequirements,
      refundTransfer: refundRequirements,
      confirmWithdrawal: holdRequirements,
    };
    const codesOf: Record<string, readonly string[]> = {
      caller_refused: ['session_ended', 'grant_expired', 'grant_revoked'],
      limit_exceeded: ['limit_payment', 'limit_day', 'limit_month'],
      // It is retried under the new limits.
      limits_changed: [],
      // These return an earlier result.
      ...{ already_confirmed: [], already_held: [], ended: [] },
    };
    const explained = readFileSync(join(import.meta.dirname, '../docs/errors.md'), 'utf8');
    const missing = Object.entries(lists).flatMap(([id, list]) => {
      const named: readonly string[] = routes.filter((one) => one.id === id).flatMap(errorsOf);
      const given = Object.keys(list).flatMap((reason) => codesOf[reason] ?? [reason]);
      return given
        .filter((code) => !named.includes(code) || !explained.includes(`| \`${code}\` |`))
        .map((code) => `${id}: ${code}`);
    });
    expect(missing).toEqual([]);
  });

  it('states the limit of every served route', () => {
    const named = new Set(routes.flatMap(({ limit }) => limit?.name ?? []));
    const others = endpoints.filter((endpoint) => endpoint.limit).map(bucketName);
    expect(
      others.filter((name) => !named.has(name)),
      'describe these in contract/',
    ).toEqual([]);
    const login = document.paths['/v1/auth/login']?.['post'];
    expect(login?.['x-rate-limit']).toEqual({
      name: 'POST /v1/auth/login',
      requests: 20,
      windowSeconds: 60,
      countedBy: 'address',
    });
    const refresh = document.paths['/v1/auth/refresh']?.['post'];
    expect(refresh?.['x-rate-limit']).toMatchObject({
      requests: 10,
      countedBy: 'session',
      ceiling: { requests: 100, countedBy: 'address' },
    });
  });

  it('lists the cookies as security schemes', () => {
    const schemes = Object.entries(document.components.securitySchemes);
    const cookies = schemes.flatMap(([name, scheme]) =>
      scheme.type === 'apiKey' ? [[name, scheme.in, scheme.name]] : [],
    );
    expect(cookies).toEqual(['pid_access', 'pid_refresh', 'pid_claim'].map((name) => [name, 'cookie', name]));
    expect(document.paths['/v1/auth/session']?.['get']?.security).toEqual([{ pid_access: [] }]);
    expect(document.paths['/v1/auth/logout']?.['post']?.security).toContainEqual({});
  });

  it('shows an example of each successful response, with its body if it has one', () => {
    for (const { id, examples, answers } of routes) {
      for (const { status, schema } of answers) {
        const shown = examples.flatMap(({ answer }) =>
          'status' in answer && answer.status === status ? [answer.body !== undefined] : [],
        );
        expect([...new Set(shown)], `${id} needs an example of its ${status}`).toEqual([
          schema !== undefined,
        ]);
      }
    }
  });

  it('lists every error in its examples', () => {
    for (const operation of routes) {
      const shown = operation.examples.flatMap(({ answer }) => ('error' in answer ? answer.error : []));
      const unsaid = shown.filter((code) => !errorsOf(operation).includes(code));
      expect(unsaid, `add these to \`errors\` of ${operation.id}`).toEqual([]);
    }
  });

  it('describes each path parameter', () => {
    for (const { path, params = {}, id } of operations) {
      const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      expect(Object.keys(params), id).toEqual(inPath);
    }
  });
});

describe('the document generator', () => {
  it('reports a schema without a name', () => {
    const nameless = described.map(
      (feature): DescribedFeature => (feature.tag === 'Session' ? { ...feature, schemas: {} } : feature),
    );
    expect(() => createDocument(nameless, '0')).toThrow(
      'A schema of POST /v1/auth/claim has no name: add it to `schemas` of the feature in contract/.',
    );
  });

  it('rejects one name for two schemas', () => {
    expect(() => createDocument([...described, ...described], '0')).toThrow('Two schemas are called');
  });
});

function expectDistinct(names: readonly string[]): void {
  expect([...names].sort()).toEqual([...new Set(names)].sort());
}

it('each SDK call on the page exists and belongs to an operation', () => {
  const ids = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  const folder = join(import.meta.dirname, '../sdk');
  const names = readdirSync(folder).filter((name) => name.endsWith('-types.ts'));
  const types = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
  for (const [id, call] of Object.entries(sdkCalls)) {
    expect(ids).toContain(id);
    const [, method = ''] = /^pid\.\w+\.(\w+)\(/.exec(call) ?? [];
    expect(types, call).toMatch(new RegExp(`^  ${method}\\(`, 'm'));
  }
});
