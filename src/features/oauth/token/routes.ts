import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import { sendJson } from '../../../http/answer.ts';
import { challenge, challengeClient } from '../../../http/bearer.ts';
import { type AppContext, clientInfo } from '../../../http/context.ts';
import { routesOf } from '../../../http/serve.ts';
import { memoize } from '../../../lib/memoize.ts';
import type { ProvenKey } from '../../dpop/require-proof.ts';
import { readClient } from '../client.ts';
import { describeResource, describeServer } from '../discovery.ts';
import { oauthEndpoints } from '../endpoints.ts';
import { refuse } from '../refuse.ts';
import { requireOpenid } from '../require-openid.ts';
import type { ResourceMetadata, ServerMetadata } from '../schema.ts';
import { exchangeToken } from './exchange.ts';
import type { TokenRequest } from './request.ts';
import { introspectToken, revokeToken } from './revoke.ts';
import { startDevice } from './start-device.ts';
import { requestToken } from './token.ts';
import { getUserinfo } from './userinfo.ts';

interface Call<Input> {
  readonly c: AppContext;
  readonly deps: Deps;
  readonly form: Input;
}

/** Requests from an app with its own credentials or a token, rather than from a browser with cookies. */
export const oauthRoutes = routesOf(oauthEndpoints, {
  /** Tokens for a code, a refresh token, the app itself or another token. */
  requestToken: (call) => withKey(call, requestToken, call.form.grant_type === 'refresh_token'),

  /** Token exchange (RFC 8693), regardless of the grant type. */
  exchangeToken: (call) => withKey(call, exchangeToken, false),

  /** Starts a sign-in on a device without a browser (RFC 8628). */
  startDevice: (call) =>
    asClient(call, (deps, request) => startDevice(deps, request, clientInfo(call.c).country)),

  /** Revokes a token's session (RFC 7009). Other clients' tokens also get a 200. */
  revokeToken: async (call) => {
    await asClient(call, revokeToken);
    return call.c.body(null, 200);
  },

  /** Returns the claims of the client's token while it is valid (RFC 7662). */
  introspectToken: (call) => asClient(call, introspectToken),

  /** Claims about the person identified by the token in the header. */
  getUserinfo: ({ c, deps }) => answerUserinfo(c, deps),

  /** The same, with the token in the header or the form. */
  postUserinfo: ({ c, deps, form }) => answerUserinfo(c, deps, form.access_token),

  /** OpenID Connect Discovery. */
  getProviderMetadata: ({ c, deps }) => sendMetadata(c, describeServer(deps.config)),

  /** The same document for OAuth clients (RFC 8414). */
  getServerMetadata: ({ c, deps }) => sendMetadata(c, describeServer(deps.config)),

  /** The metadata of this service as a protected resource (RFC 9728). */
  getResourceMetadata: ({ c, deps }) => sendMetadata(c, describeResource(deps.config)),

  /** The same document, at the address that clients derive from the resource. */
  getResourceMetadataByPath: ({ c, deps }) => sendMetadata(c, describeResource(deps.config)),
});

/**
 * Handles a client's request. After failed authentication, the response names the method to use (RFC 6749 section 5.2).
 */
async function asClient<Input extends object, Answer>(
  { c, deps, form: input }: Call<Input>,
  act: (deps: Deps, request: TokenRequest<Input>) => Promise<Answer>,
  key: ProvenKey | null = null,
): Promise<Answer> {
  try {
    const client = readClient(c, deps, input);
    if (client === null) throw refuse('invalid_client', 'no client id');
    return await act(deps, { client, input, key, requestId: c.get('requestId') });
  } catch (error) {
    if (error instanceof AppError && error.code === 'invalid_client') challengeClient(c);
    throw error;
  }
}

/** Loaded by the first client that sends a proof. */
const proving = memoize(() => import('../../dpop/require-proof.ts'));

/**
 * Handles a client's request for tokens, which are bound to the key whose DPoP proof it carries (RFC 9449 section 5). A
 * refresh token lives long, so its proof needs a nonce: otherwise anyone who once controlled the client could have
 * created proofs for years in advance.
 */
async function withKey<Input extends object, Answer>(
  call: Call<Input>,
  act: (deps: Deps, request: TokenRequest<Input>) => Promise<Answer>,
  needsNonce: boolean,
): Promise<Answer> {
  const { c, deps } = call;
  if (c.req.header('DPoP') === undefined) return asClient(call, act);
  const { requireProof } = await proving();
  return asClient(call, act, await requireProof(c, deps, needsNonce));
}

async function answerUserinfo(c: AppContext, deps: Deps, posted?: string) {
  const claims = await requireOpenid(c, deps, posted);
  const found = await getUserinfo(deps, claims, deps.now());
  if (found !== null) return found;
  challenge(c, deps, { error: 'invalid_token', scope: 'openid' });
  throw refuse('invalid_token', 'the app session has ended');
}

function sendMetadata(c: AppContext, metadata: ServerMetadata | ResourceMetadata): Response {
  c.header('Cache-Control', 'public, max-age=3600');
  c.header('Cross-Origin-Resource-Policy', 'cross-origin');
  return sendJson(c, metadata);
}
