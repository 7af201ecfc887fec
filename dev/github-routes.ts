import type { Hono } from 'hono';
import type { Deps } from '../src/deps.ts';
import { sendJson } from '../src/http/answer.ts';
import { readForm } from '../src/http/body.ts';
import type { AppEnv } from '../src/http/context.ts';
import { Routes } from '../src/http/routes.ts';
import { fromBase64url } from '../src/lib/encoding.ts';
import { secretHash } from '../src/lib/secret.ts';
import type { SandboxInstance } from './instance.ts';
import { applyFault, type PersonClaims, readPerson, redeemCode } from './provider.ts';

/** The sandbox as GitHub: OAuth 2 and the two API calls that identify the person. */
export function sandboxGithubRoutes(deps: Deps, instance: SandboxInstance): Hono<AppEnv> {
  const routes = new Routes();

  /** Like GitHub, sends errors with status 200. */
  routes.post('/dev/github/login/oauth/access_token', async (c) => {
    const form = await readForm(c);
    const { clientId, clientSecret } = instance;
    if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
      return sendJson(c, { error: 'incorrect_client_credentials' });
    }
    if (await applyFault(deps, instance, form, c.req.raw.signal)) {
      return sendJson(c, { error: 'server_error' }, 500);
    }
    const redeemed = await redeemCode(deps, instance, form);
    if (redeemed === null) return sendJson(c, { error: 'bad_verification_code' });
    const scope = 'read:user,user:email';
    return sendJson(c, { access_token: redeemed.accessToken, scope, token_type: 'bearer' });
  });

  routes.get('/dev/github/api/v3/user', async (c) => {
    const person = await readPerson(deps, instance, c.req.header('Authorization'));
    if (person === null) return sendJson(c, { message: 'Bad credentials' }, 401);
    return sendJson(c, { id: userId(person), login: loginOf(person), name: person.name, email: null });
  });

  routes.get('/dev/github/api/v3/user/emails', async (c) => {
    const person = await readPerson(deps, instance, c.req.header('Authorization'));
    if (person === null) return sendJson(c, { message: 'Bad credentials' }, 401);
    const { email, email_verified: verified } = person;
    const hidden = `${userId(person)}+${loginOf(person)}@users.noreply.github.com`;
    return sendJson(c, [
      { email: hidden, primary: false, verified: true, visibility: null },
      { email, primary: true, verified, visibility: 'private' },
    ]);
  });

  return routes;
}

/** A person's stable numeric id: 40 bits of a digest. */
function userId({ sub }: PersonClaims): number {
  const bytes = [...(fromBase64url(secretHash(sub)) ?? [])].slice(0, 5);
  return bytes.reduce((sum, byte) => sum * 256 + byte, 1);
}

function loginOf({ email = '' }: PersonClaims): string {
  return email.slice(0, email.lastIndexOf('@')).replace(/[^a-z0-9]+/g, '-');
}
