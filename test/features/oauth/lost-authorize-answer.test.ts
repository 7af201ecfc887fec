import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { newApp } from '../../support/apps.ts';
import { type Fault, type FaultyDatabase, openFaultyTarget } from '../../support/faulty-database.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { answerIn, authorizeUrl, decideOn, ledTo } from '../../support/oauth.ts';
import { type Member, newMember } from '../../support/people.ts';

let target: InProcessTarget;
let database: FaultyDatabase;
let person: Member;
beforeAll(async () => {
  ({ target, database } = await openFaultyTarget({
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
    RATE_LIMITS: 'off',
  }));
  person = await newMember(target);
});
afterAll(() => target.close());

const rowsOf = (id: string) =>
  target.rows<{ grants: number; codes: number; scopes: string }>(
    `SELECT count(DISTINCT g.id) AS grants, count(s.id) AS codes, max(g.scopes) AS scopes
      FROM grants g LEFT JOIN app_sessions s ON s.grant_id = g.id WHERE g.app_id = ?`,
    [id],
  );

describe('a consent', () => {
  it.each<[string, Fault[]]>([
    ['with the response to a read lost', ['lost after', 'none']],
    ['with a change lost before it was applied', ['none', 'lost before']],
    ['with the response to an applied change lost', ['none', 'lost after']],
    ['with both responses lost', ['lost after', 'lost after']],
  ])('%s creates one grant and one code', async (_, faults) => {
    const app = await newApp(person.browser);
    const page = await person.browser.navigate(authorizeUrl(app));
    database.plan(faults);
    const done = await decideOn(target, person.browser, page);
    expect(answerIn(await ledTo(done))).toHaveProperty('code');
    expect(await rowsOf(app.id)).toEqual([{ grants: 1, codes: 1, scopes: '["openid","profile"]' }]);
    const events = "SELECT count(*) AS n FROM webhook_events WHERE app_id = ? AND type = 'grant.created'";
    expect(await target.rows(events, [app.id])).toEqual([{ n: 1 }]);
  });

  it.each<[string, Fault[]]>([
    ['before it was applied', ['none', 'down before']],
    ['after it was applied', ['none', 'down after']],
  ])('can be completed by pressing the button again after the database fails %s', async (_, faults) => {
    const app = await newApp(person.browser);
    const page = await person.browser.navigate(authorizeUrl(app));
    database.plan(faults);
    expect((await decideOn(target, person.browser, page)).status).toBe(503);
    const again = await decideOn(target, person.browser, page);
    expect(answerIn(await ledTo(again))).toHaveProperty('code');
    expect(await rowsOf(app.id)).toMatchObject([{ grants: 1, codes: 1 }]);
  });
});
