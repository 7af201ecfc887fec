import { clientInfo } from '../../http/context.ts';
import { routesOf } from '../../http/serve.ts';
import { listCredentials, renamePasskey, unlinkCredential } from './credential.ts';
import { credentialEndpoints } from './endpoints.ts';

/** The credentials for signing in (interface section 2). */
export const credentialRoutes = routesOf(credentialEndpoints, {
  /** All credentials of the signed-in person, oldest first. */
  listCredentials: ({ deps, actor }) => listCredentials(deps, actor.handle),

  /** Names a passkey. 404 unless it is the person's. */
  renamePasskey: ({ deps, actor: { sessionId }, body: { name }, params }) =>
    renamePasskey(deps, { sessionId, credentialId: params.id, name }),

  /** Unlinks a credential. 400 for the last one, 403 without a recent sign-in, 404 unless it is the person's. */
  unlinkCredential: ({ c, deps, actor: { sessionId }, params }) =>
    unlinkCredential(deps, { sessionId, credentialId: params.id, client: clientInfo(c) }),
});
