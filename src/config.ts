import * as z from 'zod/mini';
import { brandVariables } from './brand/brand-variables.ts';
import { type AlarmWebhook, alarmProblems, alarmVariables, alarmWebhook } from './config/alarm-settings.ts';
import { databaseAddress, oneToken, relativeFiles, storeAddress } from './config/database-settings.ts';
import { domainProblems } from './config/domain-settings.ts';
import { type GatewaySettings, gatewayProblems, gatewaySettings } from './config/gateway-settings.ts';
import { type WalletLimits, walletLimits } from './config/limit-settings.ts';
import { list, pids } from './config/lists.ts';
import {
  type MailConfig,
  mailConfig,
  mailProblems,
  parseSender,
  parseSmtpUrl,
} from './config/mail-settings.ts';
import { metricsVariables } from './config/metrics-settings.ts';
import { misspelt } from './config/misspelt.ts';
import { moneyVariables } from './config/money-variables.ts';
import { type ProviderSettings, partialProviders, providerSettings } from './config/provider-settings.ts';
import { rateLimits } from './config/rate-limit-settings.ts';
import { secretKey } from './config/secret-key.ts';
import { isNetwork } from './lib/address.ts';
import { listenProblems } from './lib/loopback.ts';
import { isLoopbackHost, isOrigin } from './lib/origin.ts';
import { type SecretKeys, secretHash } from './lib/secret.ts';

const address = z.string().check(
  z.refine((text) => {
    const url = URL.parse(text);
    return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname));
  }, 'must be an https address (http only for loopback ones)'),
);

// Settings of the same kind share a schema, because each schema adds 10 to 20 µs to startup.
const text = z.optional(z.string());
const anyAddress = z.optional(address);
const name = z.optional(z.string().check(z.toLowerCase()));
const apiKey = z.optional(
  z.string().check(z.regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces')),
);

/** The message applies to values that are not numbers and to values out of bounds. */
const wholeNumber = (message: string, least: number) =>
  z.coerce.number(message).check(z.int(), z.minimum(least));

const oneOf = <const Words extends readonly [string, string, ...string[]]>(...words: Words) =>
  z.enum(words, `must be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`);

const seconds = (fallback: number, least: number) =>
  z._default(wholeNumber('must be a whole number of seconds', least), fallback);

/** Optional text that `parse` must accept; the value itself stays text. */
const readable = (parse: (text: string) => unknown, message: string) =>
  z.optional(z.string().check(z.refine((text) => parse(text) !== null, message)));

const gateway = z.optional(oneOf('sandbox', 'midtrans'));
const off = z._default(oneOf('on', 'off'), 'off');

const settings = z.object({
  ENVIRONMENT: z._default(oneOf('development', 'production'), 'development'),
  BASE_URL: anyAddress,
  CLIENT_SUCCESS_URL: anyAddress,
  ALLOWED_ORIGINS: list(isOrigin, 'must be exact origins, such as https://app.example.com, comma separated'),
  EXAMPLE_APPS: list(isOrigin, 'must be exact origins, comma separated'),
  COOKIE_DOMAIN: name,
  REFRESH_COOKIE_SCOPE: z._default(oneOf('host', 'domain'), 'host'),
  PASSKEY_RP_ID: name,
  SECRET_KEY: secretKey,
  SECRET_KEY_PREVIOUS: z.optional(secretKey),
  DATABASE_URL: databaseAddress,
  DATABASE_AUTH_TOKEN: z.optional(z.string().check(z.trim(), z.regex(oneToken, 'must be one token'))),
  KV_URL: storeAddress,
  NEWER_DATABASE: z._default(oneOf('refuse', 'allow'), 'refuse'),
  RATE_LIMIT_STORE: z.optional(
    z.enum(
      ['kv', 'memory', 'durable-object', 'database'],
      'must be kv, memory or durable-object on Workers, memory or database on Bun',
    ),
  ),
  RATE_LIMITS: z._default(rateLimits, 'on'),
  IDP_ISSUER: anyAddress,
  IDP_CLIENT_ID: text,
  IDP_CLIENT_SECRET: text,
  IDP_SCOPES: z._default(z.string(), 'openid email profile'),
  IDP_NAME: z.optional(z.string().check(z.maxLength(40, 'Too big: expected string to have <=40 characters'))),
  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: text,
  GOOGLE_ISSUER: anyAddress,
  GITHUB_CLIENT_ID: text,
  GITHUB_CLIENT_SECRET: text,
  GITHUB_BASE_URL: anyAddress,
  MAIL_TRANSPORT: z.optional(oneOf('outbox', 'resend', 'smtp')),
  MAIL_FROM: readable(parseSender, 'must be an address, such as Peridot <no-reply@example.com>'),
  RESEND_API_KEY: apiKey,
  RESEND_BASE_URL: z._default(address, 'https://api.resend.com'),
  SMTP_URL: readable(
    parseSmtpUrl,
    'must be smtps://user:password@host:465 or smtp://user:password@host:587, percent-encoded',
  ),
  PAYMENT_GATEWAY: gateway,
  PAYOUT_GATEWAY: gateway,
  MIDTRANS_SERVER_KEY: apiKey,
  MIDTRANS_PAYOUT_CREATOR_KEY: apiKey,
  MIDTRANS_PAYOUT_APPROVER_KEY: apiKey,
  MIDTRANS_PAYOUT_MERCHANT_KEY: apiKey,
  MIDTRANS_BASE_URL: anyAddress,
  CARD_CREDIT: z._default(oneOf('capture', 'settlement'), 'settlement'),
  ACCESS_TTL_SECONDS: z.pipe(
    seconds(900, 1),
    z.number().check(z.maximum(86_400, 'must be at most 86400: a day')),
  ),
  REFRESH_TTL_SECONDS: seconds(2_592_000, 1),
  CLAIM_TTL_SECONDS: seconds(600, 1),
  REFRESH_GRACE_SECONDS: seconds(30, 0),
  SESSION_MAX_SECONDS: seconds(7_776_000, 1),
  FRESH_SECONDS: seconds(900, 0),
  ...moneyVariables,
  ...alarmVariables,
  ACTIVITY_DAYS: z._default(wholeNumber('must be a whole number of days', 1), 365),
  HINT_COOKIE: z._default(oneOf('on', 'off'), 'on'),
  SESSION_EMAIL: off,
  INTERFACE_REVISION: z._default(oneOf('claim', 'direct'), 'claim'),
  PASSWORD_MIN_LENGTH: z._default(
    wholeNumber('must be a whole number of characters', 8).check(z.maximum(64, 'must be at most 64')),
    15,
  ),
  BREACH_CHECK_URL: anyAddress,
  APPS_MONEY: z.optional(oneOf('checked', 'anyone')),
  CLIENT_DOCUMENTS: list(
    (text) => isOrigin(`https://${text}`),
    'must be hosts, such as agent.example.com, comma separated',
  ),
  ADMIN_PIDS: pids,
  SUPPORT_PIDS: pids,
  TRUSTED_PROXIES: list(isNetwork, 'must be addresses or networks, such as 10.0.0.0/8, comma separated'),
  PORT: z._default(wholeNumber('must be a port number', 0).check(z.maximum(65_535)), 8787),
  HOST: z._default(z.string(), '127.0.0.1'),
  LOG_LEVEL: z._default(oneOf('debug', 'info', 'warn', 'error'), 'info'),
  ...metricsVariables,
  ...brandVariables,
});

const environment = settings.check(
  z.superRefine(
    (env, context) => {
      const faulty = new Set(context.issues.map((issue) => issue.path?.[0]));
      for (const [name, message] of crossChecks(env)) {
        if (!faulty.has(name)) context.addIssue({ code: 'custom', message, path: [name] });
      }
    },
    // Runs even if single values are invalid, to report all problems together.
    { when: () => true },
  ),
);

type Environment = z.infer<typeof environment>;
/** Problems by variable. */
type Problems = Generator<[keyof Environment, string]>;

/** Rules that combine several values. An invalid value is still text here. */
function* crossChecks(env: Environment): Problems {
  const production = env.ENVIRONMENT === 'production';
  const base = URL.parse(baseUrl(env));
  const isPlain = (address: string | undefined) => URL.parse(address ?? '')?.protocol === 'http:';
  if (env.ACTIVITY_DAYS * 86_400 < env.SESSION_MAX_SECONDS) {
    yield [
      'ACTIVITY_DAYS',
      'must cover SESSION_MAX_SECONDS, because past sessions are found through the activity',
    ];
  }
  yield* partialProviders(env);
  if (base && (env.BASE_URL !== undefined || !production)) yield* baseChecks(env, base, production);
  yield* mailProblems(env, production);
  yield* gatewayProblems(env, production);
  yield* alarmProblems(env, production);
  if (!production) return yield* listenProblems(env);
  yield* relativeFiles(env);
  if (env.BASE_URL === undefined) yield ['BASE_URL', 'must be set in production'];
  if (env.CLIENT_SUCCESS_URL === undefined) yield ['CLIENT_SUCCESS_URL', 'must be set in production'];
  if (isPlain(env.CLIENT_SUCCESS_URL)) yield ['CLIENT_SUCCESS_URL', 'must be https in production'];
  if (env.ALLOWED_ORIGINS.some(isPlain)) yield ['ALLOWED_ORIGINS', 'must be https in production'];
  if (env.RATE_LIMITS === 'off') yield ['RATE_LIMITS', 'must not be off in production'];
  const outside = ['IDP_ISSUER', 'GOOGLE_ISSUER', 'GITHUB_BASE_URL', 'BREACH_CHECK_URL'] as const;
  for (const name of [...outside, 'MIDTRANS_BASE_URL'] as const) {
    if (isPlain(env[name])) yield [name, 'must be https in production'];
  }
}

function* baseChecks(env: Environment, base: URL, production: boolean): Problems {
  if (base.href !== `${base.origin}/`) yield ['BASE_URL', 'must be an origin without a path'];
  // Without ENVIRONMENT=production, the sandbox of a deployed service would let anyone in.
  if (!production && !isLoopbackHost(base.hostname)) {
    yield ['ENVIRONMENT', 'must be production unless BASE_URL is on this machine'];
  }
  if (production && base.protocol !== 'https:') yield ['BASE_URL', 'must be https in production'];
  yield* domainProblems(env, base.hostname);
}

/** In development it defaults to the address on which the service listens. */
function baseUrl(env: Pick<Environment, 'BASE_URL' | 'PORT'>): string {
  return env.BASE_URL ?? `http://localhost:${env.PORT}`;
}

type OpensDoors =
  | `SECRET_KEY${string}`
  | 'RESEND_API_KEY'
  | 'SMTP_URL'
  | `MIDTRANS_${string}_KEY`
  | `ALARM_WEBHOOK_${string}`
  | 'METRICS_TOKEN';

/** The settings, read once from the environment. */
export interface Config extends Omit<Environment, OpensDoors | 'CLIENT_SUCCESS_URL'>, ProviderSettings {
  readonly production: boolean;
  /** The public origin, without a trailing slash. */
  readonly origin: string;
  readonly CLIENT_SUCCESS_URL: string;
  /** ADMIN_PIDS and SUPPORT_PIDS. */
  readonly deskPids: readonly string[];
  /** True if only checked apps get money scopes. */
  readonly moneyNeedsCheck: boolean;
  /** Origins whose requests may carry cookies: our own, the client's and ALLOWED_ORIGINS. */
  readonly firstPartyOrigins: ReadonlySet<string>;
  readonly secretKeys: SecretKeys;
  /** The RP ID of passkeys (WebAuthn). Changing it invalidates them. */
  readonly passkeyRpId: string;
  readonly mail: MailConfig;
  readonly gateways: GatewaySettings;
  readonly alarmWebhook: AlarmWebhook | null;
  /** The digest of METRICS_TOKEN; null if nobody may read the metrics. */
  readonly metricsTokenHash: string | null;
  readonly limits: WalletLimits | null;
}

/** Warnings about variables with names similar to a setting's. */
export function misspeltSettings(variables: Record<string, unknown>): string[] {
  const pairs = misspelt(Object.keys(variables), Object.keys(settings.shape));
  return pairs.map(([name, nearest]) => `${name} is not a setting; did you mean ${nearest}?`);
}

/** The settings are invalid. `problems` contain the names of variables but never their values. */
export class ConfigError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads the settings from environment variables. Empty variables are ignored.
 * @throws ConfigError with all problems together
 */
export function parseConfig(variables: Record<string, unknown>): Config {
  // wrangler.toml may contain numbers and booleans.
  const given = Object.entries(variables)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
    .map(([name, value]) => [name, String(value)] as const);
  const parsed = environment.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`));
  }
  const { SECRET_KEY, SECRET_KEY_PREVIOUS, RESEND_API_KEY, SMTP_URL, MIDTRANS_SERVER_KEY, ...rest } =
    parsed.data;
  const {
    MIDTRANS_PAYOUT_CREATOR_KEY,
    MIDTRANS_PAYOUT_APPROVER_KEY,
    MIDTRANS_PAYOUT_MERCHANT_KEY,
    ...other
  } = rest;
  const { ALARM_WEBHOOK_URL, ALARM_WEBHOOK_SECRET, METRICS_TOKEN, ...env } = other;
  const origin = new URL(baseUrl(env)).origin;
  const successUrl = env.CLIENT_SUCCESS_URL ?? `${origin}/dev/welcome`;
  return {
    ...env,
    production: env.ENVIRONMENT === 'production',
    origin,
    CLIENT_SUCCESS_URL: successUrl,
    deskPids: [...env.ADMIN_PIDS, ...env.SUPPORT_PIDS],
    moneyNeedsCheck: (env.APPS_MONEY ?? (env.ENVIRONMENT === 'production' && 'checked')) === 'checked',
    firstPartyOrigins: new Set([origin, new URL(successUrl).origin, ...env.ALLOWED_ORIGINS]),
    passkeyRpId: env.PASSKEY_RP_ID ?? env.COOKIE_DOMAIN ?? new URL(origin).hostname,
    secretKeys: SECRET_KEY_PREVIOUS ? [SECRET_KEY, SECRET_KEY_PREVIOUS] : [SECRET_KEY],
    ...providerSettings(env, env.ENVIRONMENT === 'development' ? origin : null),
    mail: mailConfig(parsed.data),
    alarmWebhook: alarmWebhook({ ALARM_WEBHOOK_URL, ALARM_WEBHOOK_SECRET }),
    metricsTokenHash: METRICS_TOKEN === undefined ? null : secretHash(METRICS_TOKEN),
    limits: walletLimits(env),
    gateways: gatewaySettings(parsed.data, env.ENVIRONMENT === 'development'),
  };
}
