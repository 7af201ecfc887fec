import type { Core } from './context.ts';
import type { EmailApi } from './email-types.ts';
import type { Result } from './errors.ts';

type Done = { ok: true };

const sent = (done: Result<Done>): Result<{ sent: true }> => ('ok' in done ? { sent: true } : done);

/** `client.auth.email`. This file imports only types, so it loads in one request. */
export function createEmail(core: Core): EmailApi {
  let resets = 0;
  /** An error with `Retry-After` applies to the address until a reset. */
  const post = <T>(name: string, body: { email: string }) =>
    core.send<T>(`/v1/auth/email/${name}`, { method: 'POST', body, about: body.email + resets });
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
      // The access token outlives its session for a while; a renewal shows that the session has been revoked.
      if ('ok' in done && core.store.get().session) await core.refresh();
      return done;
    },
  };
}
