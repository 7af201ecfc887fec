import { handleSkeleton } from '../../src/lib/look-alike.ts';

/**
 * The tested service's lifetimes, in milliseconds: short, so that a run reaches every expiry, and all different, so
 * that it reaches them one by one.
 */
export const lifetimes = {
  access: 900_000,
  refresh: 3_600_000,
  session: 7_200_000,
  ticket: 600_000,
  grace: 10_000,
  fresh: 300_000,
};

export interface ModelSession {
  readonly handle: string;
  readonly credentialId: string;
  readonly authenticatedAt: number;
  readonly expiresAt: number;
  /** Refresh tokens in order of issue, the live one last; null if no browser ever saw the token. */
  readonly tokens: (string | null)[];
  tokenExpiresAt: number;
  rotatedAt: number | null;
  ended: string | null;
}

export interface ModelCredential {
  readonly handle: string;
  readonly subject: string;
  email: string | null;
}

export interface ModelTicket {
  readonly subject: string;
  readonly email: string | null;
  readonly expiresAt: number;
  used: boolean;
}

/** Everything that the service must know at any time, in the simplest form. */
export interface Model {
  readonly status: Map<string, 'active' | 'suspended'>;
  readonly credentials: Map<string, ModelCredential>;
  readonly emails: Map<string, string>;
  readonly sessions: Map<string, ModelSession>;
  /** By the ticket's text; discarded tickets are absent, and those that no browser ever saw are counted. */
  readonly tickets: Map<string, ModelTicket>;
  unseenTickets: number;
  /** Every issued access token, and its session. */
  readonly access: Map<string, { sessionId: string; expiresAt: number }>;
  /** The session of every refresh token. */
  readonly refresh: Map<string, string>;
}

export function createModel(): Model {
  return {
    status: new Map(),
    credentials: new Map(),
    emails: new Map(),
    sessions: new Map(),
    tickets: new Map(),
    unseenTickets: 0,
    access: new Map(),
    refresh: new Map(),
  };
}

export function credentialOf(model: Model, subject: string): [string, ModelCredential] | undefined {
  return [...model.credentials].find(([, credential]) => credential.subject === subject);
}

export type SignInVerdict = 'signed_in' | 'claim_required' | 'email_conflict' | 'suspended';

export function judgeSignIn(model: Model, subject: string, email: string | null): SignInVerdict {
  const [, known] = credentialOf(model, subject) ?? [];
  if (known) return model.status.get(known.handle) === 'active' ? 'signed_in' : 'suspended';
  return email !== null && model.emails.has(email) ? 'email_conflict' : 'claim_required';
}

/** A returning person's address changes to one that is unused or already theirs; otherwise it stays. */
export function presentEmail(model: Model, credential: ModelCredential, email: string | null): void {
  if (email === null) return;
  if (!model.emails.has(email)) model.emails.set(email, credential.handle);
  if (model.emails.get(email) !== credential.handle) return;
  const old = credential.email;
  credential.email = email;
  freeEmail(model, old);
}

function freeEmail(model: Model, email: string | null): void {
  const used = [...model.credentials.values()].some((credential) => credential.email === email);
  if (email !== null && !used) model.emails.delete(email);
}

export function beginSession(
  model: Model,
  started: { id: string; credentialId: string; token: string | null; now: number },
): void {
  const { id, credentialId, token, now } = started;
  const handle = model.credentials.get(credentialId)?.handle ?? '';
  model.sessions.set(id, {
    ...{ handle, credentialId, authenticatedAt: now, expiresAt: now + lifetimes.session },
    ...{ tokens: [token], tokenExpiresAt: now + lifetimes.refresh, rotatedAt: null, ended: null },
  });
}

export function endSession(model: Model, id: string | null | undefined, reason: string): void {
  const session = model.sessions.get(id ?? '');
  if (session) session.ended ??= reason;
}

/** Returns whether a session may act now. */
export function isLive(model: Model, id: string, now: number): boolean {
  const session = model.sessions.get(id);
  if (!session || session.ended !== null || session.expiresAt <= now) return false;
  return model.status.get(session.handle) === 'active';
}

/** Returns whether a refresh token is the live one of a session that may continue. */
export function canRotate(model: Model, token: string, now: number): boolean {
  const session = model.sessions.get(model.refresh.get(token) ?? '');
  if (!session || session.ended !== null || session.tokens.at(-1) !== token) return false;
  return session.tokenExpiresAt > now && model.status.get(session.handle) === 'active';
}

export function rotate(model: Model, token: string, successor: string | null, now: number): void {
  const session = model.sessions.get(model.refresh.get(token) ?? '');
  if (!session) return;
  session.tokens.push(successor);
  session.rotatedAt = now;
  session.tokenExpiresAt = Math.min(now + lifetimes.refresh, session.expiresAt);
}

/**
 * Applies a rejected refresh token to its session: nothing if it lost a race or its identity is suspended, a revocation
 * if it is late or a replay.
 * @returns true if the response clears the cookies
 */
export function refuse(model: Model, token: string, now: number): boolean {
  const session = model.sessions.get(model.refresh.get(token) ?? '');
  if (!session) return false;
  const { tokens, rotatedAt } = session;
  const isRace = token === tokens.at(-2) && rotatedAt !== null && rotatedAt > now - lifetimes.grace;
  if (token === tokens.at(-1)) {
    if (session.tokenExpiresAt <= now) session.ended ??= 'expired';
  } else if (!isRace) {
    session.ended ??= 'replay';
  }
  return session.ended !== null || model.status.get(session.handle) !== 'active';
}

export type ClaimVerdict = 'claimed' | 'gone' | 'taken' | 'email_conflict';

export function judgeClaim(
  model: Model,
  ticketText: string | null,
  handle: string,
  now: number,
): ClaimVerdict {
  const ticket = model.tickets.get(ticketText ?? '');
  if (!ticket || ticket.used || ticket.expiresAt <= now || credentialOf(model, ticket.subject)) return 'gone';
  const skeletons = [...model.status.keys()].map(handleSkeleton);
  if (skeletons.includes(handleSkeleton(handle))) return 'taken';
  return ticket.email !== null && model.emails.has(ticket.email) ? 'email_conflict' : 'claimed';
}

export function makeIdentity(
  model: Model,
  made: { ticket: string; handle: string; credentialId: string },
): void {
  const ticket = model.tickets.get(made.ticket);
  if (!ticket) return;
  ticket.used = true;
  const { subject, email } = ticket;
  model.status.set(made.handle, 'active');
  model.credentials.set(made.credentialId, { handle: made.handle, subject, email });
  if (email !== null) model.emails.set(email, made.handle);
}

export type UnlinkVerdict = 'unlinked' | 'unauthenticated' | 'not_fresh' | 'not_found' | 'last';

export function judgeUnlink(model: Model, actor: string | null, id: string, now: number): UnlinkVerdict {
  const session = model.sessions.get(actor ?? '');
  if (!session || !isLive(model, actor ?? '', now)) return 'unauthenticated';
  if (now - session.authenticatedAt >= lifetimes.fresh) return 'not_fresh';
  if (model.credentials.get(id)?.handle !== session.handle) return 'not_found';
  const own = [...model.credentials.values()].filter(({ handle }) => handle === session.handle);
  return own.length > 1 ? 'unlinked' : 'last';
}

export function unlink(model: Model, actor: string, id: string): void {
  const credential = model.credentials.get(id);
  model.credentials.delete(id);
  freeEmail(model, credential?.email ?? null);
  for (const [sessionId, session] of model.sessions) {
    if (session.credentialId === id && sessionId !== actor) endSession(model, sessionId, 'unlinked');
  }
}
