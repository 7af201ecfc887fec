import { inject } from 'vitest';
import { run } from '../../src/db/database.ts';
import { type AppClaims, ownAudience, signAppToken } from '../../src/features/grant/app-token.ts';
import { upsertGrant } from '../../src/features/grant/statements.ts';
import { requireSigner } from '../../src/features/signing-key/signing-key.ts';
import { createId } from '../../src/lib/id.ts';
import { sessionIdOf } from './answers.ts';
import { newApp } from './apps.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from './file-service.ts';
import type { InProcessTarget } from './in-process.ts';
import { type Member, newMember } from './people.ts';

/** A service in this process with one person's app, which another person may allow. */
export interface GrantStage {
  readonly files: ServiceFiles;
  readonly service: InProcessTarget;
  readonly owner: Member;
  readonly person: Member;
  readonly app: string;
  readonly secret: { readonly id: string; readonly value: string } | null;
  close(): Promise<void>;
}

export const openGrantService = (files: ServiceFiles): Promise<InProcessTarget> =>
  openFileService(files, {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: '{"*":1000000}',
  });

export async function startGrantStage(fields: Record<string, unknown> = {}): Promise<GrantStage> {
  const files = await makeServiceFiles();
  const service = await openGrantService(files);
  const [owner, person] = [await newMember(service), await newMember(service)];
  const { id: app, secret } = await newApp(owner.browser, { name: 'Shop.example', ...fields });
  async function close() {
    await service.close();
    await files.remove();
  }
  return { files, service, owner, person, app, secret, close };
}

/** Returns the statements of a person's consent. */
export async function consentStatements(
  { service: { deps }, person, app }: GrantStage,
  scopes: readonly string[],
) {
  const now = deps.now();
  return upsertGrant(deps, {
    id: createId('grt', now, deps.randomBytes),
    app: { id: app, name: 'Shop.example' },
    sessionId: await sessionIdOf(person),
    scopes,
    resource: null,
    host: 'app.example.com',
    client: { address: '192.0.2.1', userAgent: null, country: null, requestId: '' },
    now,
  });
}

export async function consent(stage: GrantStage, ...scopes: string[]): Promise<void> {
  await run(stage.service.deps.db, { change: await consentStatements(stage, scopes) });
}

/** Signs the person in to the app, like the redemption of a code. @returns the id of the sign-in */
export async function signInToApp(stage: GrantStage): Promise<string> {
  const { service, person, app } = stage;
  const now = service.now();
  const id = createId('aps', now, service.deps.randomBytes);
  await service.rows(
    `INSERT INTO app_sessions (id, grant_id, app_id, handle, session_id, scopes, provider, authenticated_at, used_by,
        created_at, expires_at)
      SELECT ?, id, app_id, handle, ?, scopes, 'idp', ?, 'exchange', ?, ? FROM grants
      WHERE app_id = ? AND handle = ? AND revoked_at IS NULL`,
    [id, await sessionIdOf(person), now, now, now + 2_592_000_000, app, person.handle],
  );
  return id;
}

/** The app's access token for the person, as issued by the token endpoint. */
export async function appToken(stage: GrantStage, changes: Partial<AppClaims> = {}): Promise<string> {
  const { service, person, app } = stage;
  const [grant] = await service.rows<{ id: string; scopes: string }>(
    'SELECT id, scopes FROM grants WHERE app_id = ? ORDER BY id DESC LIMIT 1',
    [app],
  );
  const now = service.now();
  return signAppToken(service.deps, await requireSigner(service.deps, now), {
    appId: app,
    handle: person.handle,
    scopes: JSON.parse(grant?.scopes ?? '[]'),
    grantId: grant?.id ?? null,
    sessionId: null,
    audience: ownAudience(service.deps.config),
    actor: null,
    jkt: null,
    authenticatedAt: null,
    tokenId: createId('evt', now, service.deps.randomBytes),
    issuedAt: now,
    expiresAt: now + 900_000,
    ...changes,
  });
}
