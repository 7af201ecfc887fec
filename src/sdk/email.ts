import type { Core } from './core.ts';
import type { EmailApi, OwnEmailApi } from './email-types.ts';
import type { Result } from './errors.ts';
import type { Send } from './request.ts';
import type { Credential } from './types.ts';

type Done = { ok: true };

/** Posts requests about an address. A refusal with `Retry-After` holds for that address until a reset. */
const poster =
  (send: Send, area: string, resets = () => 0) =>
  <T>(name: string, body: { email: string }) =>
    send<T>(area + name, { method: 'POST', body, about: body.email + resets() });

const sent = (done: Result<Done>): Result<{ sent: true }> => ('ok' in done ? { sent: true } : done);

/** `client.auth.email`. This file imports only types, so it loads in one request. */
export function createEmail(core: Core): EmailApi {
  let resets = 0;
  const post = poster(core.send, '/v1/auth/email/', () => resets);
  const ask = async (name: string, body: { email: string }) => sent(await post<Done>(name, body));

  return {
    register: (input) => ask('register', input),
    resend: (email) => ask('resend', { email }),
    async verify(input) {
      const done = await post<Done | { claim: true }>('verify', input);
      if ('statusCode' in done) return done;
      if ('ok' in done) return core.redeem();
      const preview = await core.claim.preview();
      return 'statusCode' in preview ? preview : { type: 'claim_required', claim: preview };
    },
    async login(input) {
      const done = await post<Done>('login', input);
      return 'ok' in done ? core.redeem() : done;
    },
    forgot: (email) => ask('forgot', { email }),
    async reset(input) {
      const done = await post<Done>('reset', input);
      // A reset clears the limit on wrong passwords.
      if ('ok' in done) resets += 1;
      // The access token outlives its session for a while; a renewal shows that the session has ended.
      if ('ok' in done && core.store.get().session) await core.refresh();
      return done;
    },
  };
}

/** The email methods of `client.credentials`. */
export function createOwnEmail({ call }: Core): OwnEmailApi {
  const path = '/v1/credentials/email';
  const post = poster(call, path);
  return {
    linkEmail: async (input) => sent(await post<Done>('', input)),
    verifyEmail: (input) => post<Credential>('/verify', input),
    changePassword: (password) => call(`${path}/password`, { method: 'PUT', body: { password } }),
  };
}
