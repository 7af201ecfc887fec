import { expect } from 'vitest';
import { secretHash } from '../../src/lib/secret.ts';
import type { Target } from '../support/target.ts';
import type { Model } from './session-model.ts';

/** Queries whose counts must be zero after every request, whatever happened during the request. */
const invariants: Record<string, string> = {
  'identity without a profile':
    'SELECT 1 FROM identities i WHERE NOT EXISTS (SELECT 1 FROM profiles WHERE handle = i.handle)',
  'open identity without a credential': `SELECT 1 FROM identities i
    WHERE status <> 'closed' AND NOT EXISTS (SELECT 1 FROM credentials WHERE handle = i.handle)`,
  'credential without an identity':
    'SELECT 1 FROM credentials c WHERE NOT EXISTS (SELECT 1 FROM identities WHERE handle = c.handle)',
  'address that no credential uses':
    'SELECT 1 FROM emails e WHERE NOT EXISTS (SELECT 1 FROM credentials WHERE email = e.email)',
  'credential with the address of another': `SELECT 1 FROM credentials c LEFT JOIN emails e ON e.email = c.email
    WHERE c.email IS NOT NULL AND e.handle IS NOT c.handle`,
  'session of nobody':
    'SELECT 1 FROM sessions s WHERE NOT EXISTS (SELECT 1 FROM identities WHERE handle = s.handle)',
  'two sessions with one live token': 'SELECT 1 FROM sessions GROUP BY token_hash HAVING count(*) > 1',
  'token that is its own predecessor': 'SELECT 1 FROM sessions WHERE token_hash = previous_hash',
  'used ticket without its identity': `SELECT 1 FROM claim_tickets t WHERE consumed_by IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM identities WHERE ticket = t.hash)`,
  'identity whose ticket is not used by its first session': `SELECT 1 FROM identities i WHERE NOT EXISTS
    (SELECT 1 FROM claim_tickets t JOIN sessions s ON s.id = t.consumed_by AND s.handle = i.handle WHERE t.hash = i.ticket)`,
  'identity that is not in the journal once': `SELECT 1 FROM identities i
    WHERE (SELECT count(*) FROM pid_journal WHERE handle = i.handle AND event = 'issued') <> 1`,
  'session whose start is not recorded exactly once': `SELECT 1 FROM sessions s
    WHERE (SELECT count(*) FROM activity WHERE session_id = s.id AND type = 'session.started') <> 1`,
  'session whose end is not recorded exactly once': `SELECT 1 FROM sessions s WHERE (s.revoked_at IS NOT NULL)
    <> (SELECT count(*) FROM activity WHERE session_id = s.id AND type = 'session.ended')`,
  'unlinking that is recorded twice, or did not happen': `SELECT 1 FROM activity a WHERE type = 'credential.unlinked'
    GROUP BY credential_id HAVING count(*) > 1 OR EXISTS (SELECT 1 FROM credentials WHERE id = a.credential_id)`,
  'verdict that outlived its batch': 'SELECT 1 FROM decisions',
  'broken assertion': 'SELECT 1 FROM tripwire WHERE ok <> 1',
};

const countAll = `SELECT ${Object.entries(invariants)
  .map(([name, question]) => `(SELECT count(*) FROM (${question})) AS "${name}"`)
  .join(', ')}`;

/** The database violates none of its rules, and matches the model row by row. */
export async function expectAgreement(model: Model, target: Target): Promise<void> {
  const [counts = {}] = await target.rows<Record<string, number>>(countAll);
  expect(Object.entries(counts).filter(([, count]) => count !== 0)).toEqual([]);

  const identities = await target.rows('SELECT handle, status FROM identities ORDER BY handle');
  expect(identities).toEqual(sorted(model.status, ([handle, status]) => ({ handle, status })));
  const credentials = await target.rows(
    'SELECT id, handle, provider_user_id AS subject, email FROM credentials ORDER BY id',
  );
  expect(credentials).toEqual(sorted(model.credentials, ([id, credential]) => ({ id, ...credential })));
  const emails = await target.rows('SELECT email, handle FROM emails ORDER BY email');
  expect(emails).toEqual(sorted(model.emails, ([email, handle]) => ({ email, handle })));
  await expectTickets(model, target);
  await expectSessions(model, target);
}

async function expectTickets(model: Model, target: Target): Promise<void> {
  const rows = await target.rows<{ hash: string; used: number }>(
    'SELECT hash, consumed_by IS NOT NULL AS used FROM claim_tickets',
  );
  expect(rows.length).toBe(model.tickets.size + model.unseenTickets);
  const used = new Map(rows.map((row) => [row.hash, row.used === 1]));
  for (const [text, ticket] of model.tickets) expect(used.get(secretHash(text))).toBe(ticket.used);
}

interface SessionRow {
  id: string;
  handle: string;
  credential_id: string;
  token_hash: string;
  previous_hash: string | null;
  token_expires_at: number;
  expires_at: number;
  revoked_reason: string | null;
}

async function expectSessions(model: Model, target: Target): Promise<void> {
  const rows = await target.rows<SessionRow>('SELECT * FROM sessions');
  expect(rows.length).toBe(model.sessions.size);
  for (const row of rows) {
    const session = model.sessions.get(row.id);
    const { handle, credentialId, ended, tokenExpiresAt, expiresAt } = session ?? {};
    expect([row.handle, row.credential_id, row.revoked_reason]).toEqual([handle, credentialId, ended]);
    expect([row.token_expires_at, row.expires_at]).toEqual([tokenExpiresAt, expiresAt]);
    const [live, previous] = [session?.tokens.at(-1), session?.tokens.at(-2)];
    if (live) expect(row.token_hash).toBe(hashOf(live));
    if (previous) expect(row.previous_hash).toBe(hashOf(previous));
    else if (previous === undefined) expect(row.previous_hash).toBe(null);
  }
}

function hashOf(token: string): string {
  return secretHash(token.split('.')[0] ?? '');
}

function sorted<Value, Row>(map: Map<string, Value>, row: (entry: [string, Value]) => Row): Row[] {
  return [...map].sort(([one], [two]) => (one < two ? -1 : 1)).map(row);
}
