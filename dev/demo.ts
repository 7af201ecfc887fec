import { first, sql } from '../src/db/database.ts';
import type { Deps } from '../src/deps.ts';
import { AppError } from '../src/errors.ts';
import { restoreIdentity } from '../src/features/admin/give-back.ts';
import { createApp, listApps } from '../src/features/app/app.ts';
import type { AppInput } from '../src/features/app/schema.ts';
import { claim, previewClaim } from '../src/features/claim/claim.ts';
import { listCredentials } from '../src/features/credential/credential.ts';
import { insertAccount } from '../src/features/credential/statements.ts';
import { setProfile } from '../src/features/identity/statements.ts';
import { endSession, type IssuedTokens } from '../src/features/session/session.ts';
import type { SignInContext } from '../src/features/sign-in/context.ts';
import type { ProvenAccount } from '../src/features/sign-in/proven-credential.ts';
import { signIn } from '../src/features/sign-in/sign-in.ts';
import { setWebhook } from '../src/features/webhook/webhook.ts';
import { createId, pidOf } from '../src/lib/id.ts';
import { handleSkeleton } from '../src/lib/look-alike.ts';
import { devReceiverPath } from '../src/lib/page-paths.ts';
import { createSecret } from '../src/lib/secret.ts';
import { seedMoney } from './money.ts';
import { ayu, budi, olu, type SandboxPerson } from './people.ts';

/**
 * Creates any missing demo data: Ayu, who owns a PID, the address for the email conflict option, and an app with a
 * webhook to the sandbox's receiver; and Budi. Both have a wallet with a history. If ADMIN_PIDS includes Olu's PID, Olu
 * owns it.
 * @returns Ayu's PID
 */
export async function seedDemo(deps: Deps, context: SignInContext): Promise<string> {
  const friend = await seedPerson(deps, context, budi);
  await endSession(deps, friend.sessionId);
  if (deps.config.ADMIN_PIDS.includes(pidOf(olu.id))) await seedAdministrator(deps, context);
  const claims = await seedPerson(deps, context, ayu);
  await seedApp(deps, claims);
  await seedMoney(deps, claims, friend.handle);
  await endSession(deps, claims.sessionId);
  return pidOf(claims.handle);
}

/** Signs a demo person in. On the first sign-in, they claim a PID. */
export async function seedPerson(
  deps: Deps,
  context: SignInContext,
  person: SandboxPerson,
): Promise<IssuedTokens['claims']> {
  const outcome = await signIn(deps, accountOf(person), context);
  const { claims } =
    outcome.type === 'signed_in'
      ? outcome.tokens
      : await claimFirstFree(deps, outcome.ticket, context, person);
  return claims;
}

function accountOf({ subject, email, name, locale }: SandboxPerson): ProvenAccount {
  return { provider: 'idp', subject, shownEmail: email, verifiedEmail: email, displayName: name, locale };
}

/** Registers an app with a webhook to the sandbox's receiver, unless the person already has an app. */
async function seedApp(deps: Deps, owner: { sessionId: string; handle: string }): Promise<void> {
  const { sessionId } = owner;
  const { data } = await listApps(deps, sessionId, { limit: 1 });
  if (data.length > 0) return;
  const { id } = await createApp(deps, owner, {
    ...appAt('Toko Demo', 'http://localhost:5173'),
    redirectUris: ['http://localhost:5173/callback'],
  });
  const input = { url: `${deps.config.origin}${devReceiverPath}`, overlapSeconds: 0 };
  await setWebhook(deps, { sessionId, appId: id, input });
}

/** An app with pages on one origin. */
export function appAt(name: string, origin: string): AppInput {
  return {
    ...{
      name,
      type: 'web',
      redirectUris: [],
      postLogoutRedirectUris: [],
      allowedOrigins: [origin],
      scopes: ['openid', 'profile'],
    },
    ...{ homepageUrl: `${origin}/`, privacyUrl: null, logoUrl: null },
    ...{ backchannelLogoutUri: null, idTokenAlg: 'RS256', pkce: 'required', deviceFlow: false },
  };
}

/** A PID in ADMIN_PIDS cannot be claimed on a page, so an operator assigns it to its owner. */
async function seedAdministrator(deps: Deps, context: SignInContext): Promise<void> {
  const outcome = await signIn(deps, accountOf(olu), context);
  if (outcome.type === 'signed_in') return endSession(deps, outcome.tokens.claims.sessionId);
  const { id: handle, name: displayName, email } = olu;
  const skeleton = handleSkeleton(handle);
  await restoreIdentity(deps, { handle, provider: 'idp', email, skeleton, apply: true });
  await first(deps.db, setProfile({ displayName, handle: sql`${handle}`, now: deps.now() }));
}

/** Claims the person's own name, or the suggested handle if the name is taken. */
async function claimFirstFree(
  deps: Deps,
  ticket: string,
  context: SignInContext,
  person: SandboxPerson,
): Promise<IssuedTokens> {
  try {
    return await claim(deps, { ticket, handle: person.id, displayName: person.name }, context);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'handle_taken') throw error;
    const { suggestedHandle } = await previewClaim(deps, ticket);
    return claim(deps, { ticket, handle: suggestedHandle ?? '', displayName: person.name }, context);
  }
}

/**
 * Adds a sandbox credential, which can be unlinked, to the acting session's identity. Its subject is random, so nobody can sign in
 * with it.
 * @throws AppError unauthenticated if the session has been revoked
 */
export async function addDemoCredential(deps: Deps, actor: { sessionId: string; handle: string }) {
  const now = deps.now();
  const id = createId('crd', now, deps.randomBytes);
  const subject = `sandbox-extra-${createSecret(deps.randomBytes)}`;
  const owner = sql`FROM live_sessions WHERE id = ${actor.sessionId} AND expires_at > ${now}`;
  await first(deps.db, insertAccount({ id, provider: 'idp', subject, owner, now }));
  const added = (await listCredentials(deps, actor.handle)).find((credential) => credential.id === id);
  if (!added) throw new AppError('unauthenticated');
  return added;
}
