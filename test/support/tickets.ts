import { fromBase64 } from '../../src/lib/encoding.ts';
import { deriveKeys, macOf, secretHash } from '../../src/lib/secret.ts';
import { type Target, testSecretKey } from './target.ts';

/** Values that a test may choose for a ticket; all others are unique. */
export interface TicketValues {
  provider?: string;
  subject?: string;
  email?: string | null;
  credentialName?: string | null;
  expiresAt?: number;
}

let counter = 0;

/** A ticket's secret and its row. */
function makeTicket(target: Target, values: TicketValues): { secret: string; row: unknown[] } {
  counter += 1;
  const unique = `${counter}-${Math.floor(performance.now() * 1000)}`;
  const { provider = 'idp', subject = `ticket-${unique}`, email = null, credentialName = null } = values;
  const secret = `secret-${unique}`;
  const expiresAt = values.expiresAt ?? target.now() + 600_000;
  return { secret, row: [secretHash(secret), provider, subject, email, credentialName, expiresAt] };
}

/** Stores several newcomers' claim tickets in one statement, and returns their secrets. */
export async function insertTickets(
  target: Target,
  count: number,
  values: TicketValues = {},
): Promise<string[]> {
  const tickets = Array.from({ length: count }, () => makeTicket(target, values));
  await target.rows(
    `INSERT INTO claim_tickets (hash, provider, provider_user_id, email, shown_email, credential_name, expires_at)
      SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
        json_extract(value, '$[3]'), json_extract(value, '$[3]'), json_extract(value, '$[4]'),
        json_extract(value, '$[5]')
      FROM json_each(?)`,
    [JSON.stringify(tickets.map(({ row }) => row))],
  );
  return tickets.map(({ secret }) => secret);
}

/** The cookies of the browser that received a ticket, whether or not the service issued the ticket. */
export function ticketCookies({ origin }: Pick<Target, 'origin'>, ticket: string): string {
  const secretKey = fromBase64(testSecretKey);
  if (secretKey === null) throw new Error('the key for tests is not base64');
  const key = macOf(deriveKeys([secretKey], 'claim-key')[0], ticket);
  const prefix = origin.startsWith('https:') ? '__Host-' : '';
  return `pid_claim=${ticket}; ${prefix}pid_claim_key=${key}`;
}

/** Sends a claim with a ticket, from no particular browser. */
export function claimWith(target: Target, ticket: string, body: Record<string, unknown>): Promise<Response> {
  return target.request('/v1/auth/claim', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Cookie: ticketCookies(target, ticket) },
    body: JSON.stringify(body),
  });
}
