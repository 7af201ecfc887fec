import { describe, expect, inject, it } from 'vitest';
import { freshHandle, newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';
import { valueSet } from '../support/set-cookie.ts';
import { claimWith, insertTickets } from '../support/tickets.ts';

const rounds = inject('raceRounds');
const contenders = 200;
/** Thousands of requests on a busy machine; a hanging race fails here. */
const patienceMs = 240_000;

const target = useService({ LOG_LEVEL: 'warn' });

/** The number of responses with each status. */
function tally(answers: Response[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

const atOnce = <T>(act: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: contenders }, (_, index) => act(index)));

describe(`${contenders} concurrent requests, ${rounds} times over`, () => {
  it(
    'with one refresh token have only one winner, and the session survives [D-11, R-05]',
    async () => {
      const { browser } = await newMember(target);
      let token = (await browser.cookie('pid_refresh')) ?? '';
      const id = token.split('.')[1] ?? '';
      for (let round = 0; round < rounds; round += 1) {
        const headers = { Cookie: `pid_refresh=${token}` };
        const answers = await atOnce(() => target.request('/v1/auth/refresh', { method: 'POST', headers }));
        expect(tally(answers)).toEqual({ 204: 1, 401: contenders - 1 });
        const successors = answers
          .map((answer) => valueSet(answer, 'pid_refresh'))
          .filter((one) => one !== null);
        expect(successors.length).toBe(1);
        expect(answers.filter((answer) => answer.headers.getSetCookie().length > 0).length).toBe(1);
        const live = await target.rows(
          'SELECT id FROM sessions WHERE id = ? AND revoked_at IS NULL AND token_hash <> previous_hash',
          [id],
        );
        expect(live).toEqual([{ id }]);
        token = successors[0] ?? '';
      }
      const headers = { Cookie: `pid_refresh=${token}` };
      expect((await target.request('/v1/auth/refresh', { method: 'POST', headers })).status).toBe(204);
    },
    patienceMs,
  );

  it(
    'with different tickets for one handle create one identity, and the other tickets stay usable [D-40, R-06]',
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const tickets = await insertTickets(target, contenders);
        const handle = freshHandle();
        const answers = await atOnce((index) => claimWith(target, tickets[index] ?? '', { handle }));
        expect(tally(answers)).toEqual({ 200: 1, 409: contenders - 1 });
        const counted = `SELECT (SELECT count(*) FROM identities WHERE handle = ?) AS identities,
        (SELECT count(*) FROM credentials WHERE handle = ?) AS credentials,
        (SELECT count(*) FROM sessions WHERE handle = ?) AS sessions,
        (SELECT count(*) FROM claim_tickets WHERE consumed_by IS NULL) AS unused`;
        const [row] = await target.rows(counted, [handle, handle, handle]);
        expect(row).toEqual({ identities: 1, credentials: 1, sessions: 1, unused: contenders - 1 });
        await target.rows('DELETE FROM claim_tickets WHERE consumed_by IS NULL');
      }
    },
    patienceMs,
  );

  it(
    'with one ticket for different handles create one identity, profile and credential [D-41]',
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const subject = `race-${round}`;
        const [ticket = ''] = await insertTickets(target, 1, { subject });
        const handles = Array.from({ length: contenders }, freshHandle);
        const answers = await atOnce((index) => claimWith(target, ticket, { handle: handles[index] }));
        expect(tally(answers)).toEqual({ 200: 1, 410: contenders - 1 });
        const list = JSON.stringify(handles);
        const within = 'WHERE handle IN (SELECT value FROM json_each(?))';
        const counted = `SELECT (SELECT count(*) FROM identities ${within}) AS identities,
        (SELECT count(*) FROM profiles ${within}) AS profiles,
        (SELECT count(*) FROM credentials WHERE provider_user_id = ?) AS credentials,
        (SELECT count(*) FROM decisions) AS decisions`;
        const [row] = await target.rows(counted, [list, list, subject]);
        expect(row).toEqual({ identities: 1, profiles: 1, credentials: 1, decisions: 0 });
      }
    },
    patienceMs,
  );
});
