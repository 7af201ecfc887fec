import { canonicalEmail } from '../lib/email.ts';
import { isLoopbackHost } from '../lib/origin.ts';

export interface Sender {
  /** May be empty. */
  readonly name: string;
  readonly address: string;
}

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS from the first byte; `starttls`: TLS before anything else; `none`: a server on this machine. */
  readonly tls: 'implicit' | 'starttls' | 'none';
  readonly login: { readonly user: string; readonly password: string } | null;
}

/** Parses `a@example.com` or `Name <a@example.com>`; null for anything else. */
export function parseSender(text: string): Sender | null {
  const [, quoted = '', bracketed] = /^([^<>]*)<([^<>]*)>$/.exec(text.trim()) ?? [];
  const name = quoted.trim().replace(/^"(.*)"$/, '$1');
  const address = canonicalEmail(bracketed ?? text);
  if (address === null || /[\p{Cc}"\\]/u.test(name) || name.length > 64) return null;
  return { name, address };
}

/**
 * Parses `smtps://user:password@host:465` (TLS from the start) or `smtp://user:password@host:587` (STARTTLS required
 * unless the host is this machine); null for anything else.
 */
export function parseSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'smtp:' && url.protocol !== 'smtps:')) return null;
  const bare = (url.pathname === '' || url.pathname === '/') && url.search === '' && url.hash === '';
  const login = readLogin(url);
  if (!bare || url.hostname === '' || login === undefined) return null;
  const implicit = url.protocol === 'smtps:';
  const hostname = url.hostname.toLowerCase();
  const tls = implicit ? 'implicit' : isLoopbackHost(hostname) ? 'none' : 'starttls';
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || (implicit ? 465 : 587),
    tls,
    login,
  };
}

/** Null without a login, undefined if malformed. */
function readLogin({ username, password }: URL): SmtpServer['login'] | undefined {
  if (username === '' && password === '') return null;
  try {
    const login = { user: decodeURIComponent(username), password: decodeURIComponent(password) };
    return login.user === '' || /\p{Cc}/u.test(login.user + login.password) ? undefined : login;
  } catch {
    return undefined;
  }
}

/** The mail transport; `outbox` sends nothing. */
export type MailConfig =
  | { readonly transport: 'outbox' }
  | { readonly transport: 'resend'; readonly from: Sender; readonly baseUrl: string; readonly apiKey: string }
  | { readonly transport: 'smtp'; readonly from: Sender; readonly server: SmtpServer };

interface MailVariables {
  readonly MAIL_TRANSPORT?: 'outbox' | 'resend' | 'smtp' | undefined;
  readonly MAIL_FROM?: string | undefined;
  readonly RESEND_API_KEY?: string | undefined;
  readonly RESEND_BASE_URL: string;
  readonly SMTP_URL?: string | undefined;
}

/** Missing transport settings, each with its problem. */
export function* mailProblems(
  env: MailVariables,
  production: boolean,
): Generator<['MAIL_TRANSPORT' | 'MAIL_FROM' | 'RESEND_API_KEY' | 'SMTP_URL', string]> {
  const { MAIL_TRANSPORT: transport } = env;
  if (transport === undefined && production) {
    yield ['MAIL_TRANSPORT', 'must be set in production: resend, smtp, or outbox, which sends nothing'];
  }
  if (transport !== 'resend' && transport !== 'smtp') return;
  const needed = transport === 'resend' ? 'RESEND_API_KEY' : 'SMTP_URL';
  for (const name of ['MAIL_FROM', needed] as const) {
    if (env[name] === undefined) yield [name, `must be set when MAIL_TRANSPORT is ${transport}`];
  }
}

/** The transport, after `mailProblems` has found no problems. */
export function mailConfig(env: MailVariables): MailConfig {
  const from = parseSender(env.MAIL_FROM ?? '');
  const server = parseSmtpUrl(env.SMTP_URL ?? '');
  if (env.MAIL_TRANSPORT === 'resend' && from && env.RESEND_API_KEY) {
    return { transport: 'resend', from, baseUrl: env.RESEND_BASE_URL, apiKey: env.RESEND_API_KEY };
  }
  if (env.MAIL_TRANSPORT === 'smtp' && from && server) return { transport: 'smtp', from, server };
  return { transport: 'outbox' };
}
