import type { NewApp } from '../../src/features/app/schema.ts';
import type { TokenAnswer } from '../../src/features/oauth/schema.ts';
import { newApp } from './apps.ts';
import { authorizeApp, codeVerifier } from './oauth.ts';
import { type Member, newMember } from './people.ts';
import type { Target } from './target.ts';

/** An app with its owner, and a person who uses it. */
export interface Relation {
  readonly target: Target;
  readonly app: NewApp;
  readonly person: Member;
}

export async function newRelation(target: Target, fields: Record<string, unknown> = {}): Promise<Relation> {
  const person = await newMember(target);
  const scopes = ['openid', 'profile', 'email', 'offline_access', 'wallet:read', 'fiat:read'];
  return { target, person, app: await newApp(person.browser, { scopes, ...fields }) };
}

/** A code as an app holds it. */
export interface Code {
  readonly code: string;
  readonly verifier: string;
  readonly redirectUri: string;
  /** The app session. */
  readonly sid: string;
  readonly grantId: string;
}

/** Further parameters of an authorization request. */
interface Asked {
  readonly scope?: string | null;
  readonly resource?: string | null;
  readonly nonce?: string | null;
  readonly dpop_jkt?: string | null;
}

/** Sends the person through the app's authorization. */
export async function newCode(
  { target, app, person }: Relation,
  {
    scope = 'openid profile email offline_access',
    resource = null,
    nonce = null,
    dpop_jkt = null,
  }: Asked = {},
): Promise<Code> {
  const code = await authorizeApp(target, person.browser, app, { scope, resource, nonce, dpop_jkt });
  const [redirectUri = ''] = app.redirectUris;
  const sid = code.split('.')[1] ?? '';
  const [row] = await target.rows<{ grant_id: string }>('SELECT grant_id FROM app_sessions WHERE id = ?', [
    sid,
  ]);
  return { code, verifier: codeVerifier, redirectUri, sid, grantId: row?.grant_id ?? '' };
}

type Fields = Record<string, string>;

/** Returns an app's credentials: its secret by HTTP Basic, or only its id. */
export function credentials({ id, secret }: Pick<NewApp, 'id' | 'secret'>): Record<string, string> {
  return secret === null ? {} : { Authorization: `Basic ${btoa(`${id}:${secret.value}`)}` };
}

/** Posts a form like the app's back end. */
export function post(
  { target, app }: Pick<Relation, 'target' | 'app'>,
  path: string,
  fields: Fields,
  headers: Record<string, string> = credentials(app),
): Promise<Response> {
  const all = headers['Authorization'] === undefined ? { client_id: app.id, ...fields } : fields;
  return target.request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(all).toString(),
  });
}

export function codeFields({ code, verifier, redirectUri }: Code): Fields {
  return { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri };
}

/** Exchanges a code. */
export const exchange = (relation: Relation, code: Code, changes: Fields = {}): Promise<Response> =>
  post(relation, '/v1/auth/token', { ...codeFields(code), ...changes });

/** Uses a refresh token. */
export const refresh = (relation: Relation, token: string, changes: Fields = {}): Promise<Response> =>
  post(relation, '/v1/auth/token', { grant_type: 'refresh_token', refresh_token: token, ...changes });

/** The tokens in a response, which must be a success. */
export async function tokensOf(answer: Response): Promise<TokenAnswer & { refresh_token: string }> {
  if (answer.status !== 200) throw new Error(`no tokens: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as TokenAnswer & { refresh_token: string };
}

/** Signs the person in to the app. */
export async function appSignIn(relation: Relation, asked: Asked = {}) {
  const code = await newCode(relation, asked);
  return { ...code, ...(await tokensOf(await exchange(relation, code))) };
}

export const userinfo = (target: Target, token: string): Promise<Response> =>
  target.request('/v1/auth/userinfo', { headers: { Authorization: `Bearer ${token}` } });
