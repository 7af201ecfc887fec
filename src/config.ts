import * as z from 'zod';
import { isNetwork } from './lib/address.ts';
import { fromBase64 } from './lib/encoding.ts';
import { cookieDomainsOf, isLoopbackHost, isOrigin } from './lib/origin.ts';
import { type ProviderSettings, partialProviders, providerSettings } from './lib/provider-settings.ts';
import { publicSuffixes } from './lib/public-suffix.data.ts';
import type { SecretKeys } from './lib/secret.ts';

/** A key that appears in examples; a service that used it could be entered by anyone who read them. */
const exampleKeys = new Set(['A'.repeat(43), `${'A'.repeat(43)}=`]);

const secretKey = z
  .string('must be set: base64 of at least 32 random bytes (`openssl rand -base64 32`)')
  .refine((text) => !exampleKeys.has(text), 'must not be the example value')
  .transform((text, context) => {
    const bytes = fromBase64(text);
    if (bytes !== null && bytes.length >= 32) return bytes;
    context.addIssue({ code: 'custom', message: 'must be base64 of at least 32 random bytes' });
    return z.NEVER;
  });

const address = z.string().refine((text) => {
  const url = URL.parse(text);
  return (
    url !== null && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.hostname)))
  );
}, 'must be an https address (http only for loopback ones)');

const databaseAddress = z
  .string()
  .regex(/^(file:|https?:|wss?:|libsql:)/, 'must begin with file:, libsql:, https: or http:');

const seconds = (fallback: number, least: number) =>
  z.coerce.number('must be a whole number of seconds').int().min(least).default(fallback);

const rateLimits = z.string().transform((text, context): 'on' | 'off' | Record<string, number> => {
  if (text === 'on' || text === 'off') return text;
  try {
    return z.record(z.string(), z.number().int().positive()).parse(JSON.parse(text));
  } catch {
    context.addIssue({
      code: 'custom',
      message: 'must be on, off, or JSON such as {"POST /v1/auth/login": 40, "*": 600} (requests a minute)',
    });
    return z.NEVER;
  }
});

const environment = z
  .object({
    ENVIRONMENT: z
      .enum(['development', 'production'], 'must be development or production')
      .default('development'),
    BASE_URL: address.optional(),
    CLIENT_SUCCESS_URL: address.optional(),
    ALLOWED_ORIGINS: z
      .string()
      .default('')
      .transform((text) =>
        text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      )
      .refine(
        (origins) => origins.every(isOrigin),
        'must be exact origins, such as https://app.example.com, comma separated',
      ),
    COOKIE_DOMAIN: z.string().toLowerCase().optional(),
    SECRET_KEY: secretKey,
    SECRET_KEY_PREVIOUS: secretKey.optional(),
    DATABASE_URL: databaseAddress.optional(),
    DATABASE_AUTH_TOKEN: z.string().optional(),
    KV_URL: databaseAddress.optional(),
    RATE_LIMIT_STORE: z
      .enum(
        ['kv', 'memory', 'durable-object', 'database'],
        'must be kv, memory or durable-object on Workers, memory or database on Bun',
      )
      .optional(),
    RATE_LIMITS: rateLimits.default('on'),
    IDP_ISSUER: address.optional(),
    IDP_CLIENT_ID: z.string().optional(),
    IDP_CLIENT_SECRET: z.string().optional(),
    IDP_SCOPES: z.string().default('openid email profile'),
    IDP_NAME: z.string().max(40).optional(),
    GOOGLE_CLIENT_ID: z.string().optional(),
    GOOGLE_CLIENT_SECRET: z.string().optional(),
    GOOGLE_ISSUER: address.optional(),
    GITHUB_CLIENT_ID: z.string().optional(),
    GITHUB_CLIENT_SECRET: z.string().optional(),
    GITHUB_BASE_URL: address.optional(),
    ACCESS_TTL_SECONDS: seconds(900, 1).pipe(z.number().max(86_400, 'must be at most 86400: a day')),
    REFRESH_TTL_SECONDS: seconds(2_592_000, 1),
    CLAIM_TTL_SECONDS: seconds(600, 1),
    REFRESH_GRACE_SECONDS: seconds(10, 0),
    SESSION_MAX_SECONDS: seconds(7_776_000, 1),
    FRESH_SECONDS: seconds(900, 0),
    ACTIVITY_DAYS: z.coerce.number('must be a whole number of days').int().min(1).default(365),
    HINT_COOKIE: z.enum(['on', 'off'], 'must be on or off').default('on'),
    INTERFACE_REVISION: z.enum(['claim', 'direct'], 'must be claim or direct').default('claim'),
    ADMIN_PIDS: z
      .string()
      .default('')
      .transform((text) =>
        text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      )
      .refine(
        (pids) => pids.every((pid) => /^[a-z0-9._-]{3,30}@pid$/.test(pid)),
        'must be PIDs, such as ayu@pid, comma separated',
      ),
    TRUSTED_PROXIES: z
      .string()
      .default('')
      .transform((text) =>
        text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      )
      .refine(
        (networks) => networks.every(isNetwork),
        'must be addresses or networks, such as 10.0.0.0/8, comma separated',
      ),
    PORT: z.coerce.number('must be a port number').int().min(0).max(65_535).default(8787),
    HOST: z.string().default('127.0.0.1'),
    LOG_LEVEL: z
      .enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error')
      .default('info'),
  })
  .superRefine(
    (env, context) => {
      const faulty = new Set(context.issues.map((issue) => issue.path?.[0]));
      for (const [name, message] of crossChecks(env)) {
        if (!faulty.has(name)) context.addIssue({ code: 'custom', message, path: [name] });
      }
    },
    // Also when single values are faulty, so that every problem is reported at once.
    { when: () => true },
  );

type Environment = z.infer<typeof environment>;

/**
 * Rules that need more than one value. Each answers the variable to name and what is wrong with it. A value that
 * is faulty by itself is still the text that was given.
 */
function* crossChecks(env: Environment): Generator<[keyof Environment, string]> {
  const production = env.ENVIRONMENT === 'production';
  const base = URL.parse(baseUrl(env));
  const isPlain = (address: string | undefined) => URL.parse(address ?? '')?.protocol === 'http:';
  if (env.ACTIVITY_DAYS * 86_400 < env.SESSION_MAX_SECONDS) {
    yield [
      'ACTIVITY_DAYS',
      'must cover SESSION_MAX_SECONDS: sessions of the past are found through the activity',
    ];
  }
  yield* partialProviders(env);
  if (base && (env.BASE_URL !== undefined || !production)) yield* baseChecks(env, base, production);
  if (!production) return;
  if (env.BASE_URL === undefined) yield ['BASE_URL', 'must be set in production'];
  if (env.CLIENT_SUCCESS_URL === undefined) yield ['CLIENT_SUCCESS_URL', 'must be set in production'];
  if (isPlain(env.CLIENT_SUCCESS_URL)) yield ['CLIENT_SUCCESS_URL', 'must be https in production'];
  if (env.ALLOWED_ORIGINS.some(isPlain)) yield ['ALLOWED_ORIGINS', 'must be https in production'];
  if (env.RATE_LIMITS === 'off') yield ['RATE_LIMITS', 'must not be off in production'];
  for (const name of ['IDP_ISSUER', 'GOOGLE_ISSUER', 'GITHUB_BASE_URL'] as const) {
    if (isPlain(env[name])) yield [name, 'must be https in production'];
  }
}

function* baseChecks(
  env: Environment,
  base: URL,
  production: boolean,
): Generator<[keyof Environment, string]> {
  if (base.href !== `${base.origin}/`) yield ['BASE_URL', 'must be an origin without a path'];
  // A service that was deployed without ENVIRONMENT=production would let anyone in through its sandbox.
  if (!production && !isLoopbackHost(base.hostname)) {
    yield ['ENVIRONMENT', 'must be production unless BASE_URL is on this machine'];
  }
  if (production && base.protocol !== 'https:') yield ['BASE_URL', 'must be https in production'];
  const domain = env.COOKIE_DOMAIN;
  if (!domain) return;
  if (base.hostname !== domain && !base.hostname.endsWith(`.${domain}`)) {
    yield ['COOKIE_DOMAIN', 'must be the host of BASE_URL or one of its parent domains'];
  } else if (cookieDomainsOf(base.hostname).length === 0) {
    yield [
      'COOKIE_DOMAIN',
      'must not be set when the host of BASE_URL is an address or has no parent domain',
    ];
  } else if (!domain.includes('.') || publicSuffixes.includes(domain)) {
    yield ['COOKIE_DOMAIN', 'must not be a public suffix: anybody may own a site beside yours there'];
  }
}

/** In development the service is where it listens; in production its address must be given. */
function baseUrl(env: Pick<Environment, 'BASE_URL' | 'PORT'>): string {
  return env.BASE_URL ?? `http://localhost:${env.PORT}`;
}

/** The service's settings, read once from the environment. */
export interface Config
  extends Omit<Environment, 'SECRET_KEY' | 'SECRET_KEY_PREVIOUS' | 'CLIENT_SUCCESS_URL'>,
    ProviderSettings {
  readonly production: boolean;
  /** The public origin, without a trailing slash. */
  readonly origin: string;
  readonly CLIENT_SUCCESS_URL: string;
  /** Origins whose pages may send cookies along: our own, the client's and ALLOWED_ORIGINS. */
  readonly firstPartyOrigins: ReadonlySet<string>;
  readonly secretKeys: SecretKeys;
}

/** The settings cannot be used. `problems` name each variable and never hold a value. */
export class ConfigError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads the settings from environment variables; empty ones count as absent.
 * @throws ConfigError with every problem at once
 */
export function parseConfig(variables: Record<string, unknown>): Config {
  const given = Object.entries(variables).filter(([, value]) => typeof value === 'string' && value !== '');
  const parsed = environment.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`));
  }
  const { SECRET_KEY, SECRET_KEY_PREVIOUS, ...env } = parsed.data;
  const origin = new URL(baseUrl(env)).origin;
  const successUrl = env.CLIENT_SUCCESS_URL ?? `${origin}/dev/welcome`;
  return {
    ...env,
    production: env.ENVIRONMENT === 'production',
    origin,
    CLIENT_SUCCESS_URL: successUrl,
    firstPartyOrigins: new Set([origin, new URL(successUrl).origin, ...env.ALLOWED_ORIGINS]),
    secretKeys: SECRET_KEY_PREVIOUS ? [SECRET_KEY, SECRET_KEY_PREVIOUS] : [SECRET_KEY],
    ...providerSettings(env, env.ENVIRONMENT === 'development' ? origin : null),
  };
}
