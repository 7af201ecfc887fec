import type { Core } from './context.ts';
import type { CredentialsApi } from './credentials-types.ts';
import type { Result } from './errors.ts';
import type { PasskeysApi } from './passkey-types.ts';

/** The `client.credentials` methods that need no window, and `client.passkeys.rename`. */
export type OwnCredentials = Omit<CredentialsApi, 'linkWithPopup' | 'linkWithRedirect'> &
  Pick<PasskeysApi, 'rename'>;

const path = '/v1/credentials';
const emailPath = `${path}/email`;

/** This file imports only types, so it loads in one request. */
export function createOwnCredentials({ call, store }: Core): OwnCredentials {
  const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`;
  /** Announces a change, unless it was rejected. */
  async function changed<T extends object>(asked: Promise<Result<T>>): Promise<Result<T>> {
    const answer = await asked;
    if (!('statusCode' in answer)) store.emit('credentials_changed', undefined);
    return answer;
  }

  return {
    list: (options) => call(path, options),
    unlink: (id) => changed(call<{ ok: true }>(pathOf(id), { method: 'DELETE' })),
    rename: (id, name) => changed(call(pathOf(id), { method: 'PATCH', body: { name } })),
    async linkEmail(input) {
      const done = await call<{ ok: true }>(emailPath, { method: 'POST', body: input, about: input.email });
      return 'ok' in done ? { sent: true } : done;
    },
    verifyEmail: (input) =>
      changed(call(`${emailPath}/verify`, { method: 'POST', body: input, about: input.email })),
    changePassword: (password) => call(`${emailPath}/password`, { method: 'PUT', body: { password } }),
  };
}
