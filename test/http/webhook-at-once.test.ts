import { describe, expect, inject, it } from 'vitest';
import { json } from '../support/browser.ts';
import type { Received } from '../support/hook-server.ts';
import { useService } from '../support/service.ts';
import { appSignIn, newRelation, post, type Relation } from '../support/token.ts';

// No test here runs the scheduled jobs.
const target = useService();

async function newReceiver(plan = '200') {
  const relation = await newRelation(target);
  const place = `${inject('hooks')}/${relation.app.id}`;
  await setWebhook(relation, { url: `${place}/${plan}`, events: ['grant.revoked', 'app.secret_rotated'] });
  const types = async () => {
    const received = (await (await fetch(place)).json()) as Received[];
    return received.map(({ body }) => JSON.parse(body).type);
  };
  return { relation, place, types };
}

async function setWebhook({ app, person }: Relation, fields: Record<string, unknown>): Promise<void> {
  const answer = await person.browser.fetch(`/v1/apps/${app.id}/webhook`, json('POST', fields));
  expect(answer.status).toBe(200);
}

const rotate = ({ app, person }: Relation) =>
  person.browser.fetch(`/v1/apps/${app.id}/secret`, json('POST', { overlapSeconds: 600 }));

describe('right after the response, without waiting for a job,', () => {
  it('an app is notified that a person has revoked its grant', async () => {
    const { relation, types } = await newReceiver();
    const { grantId } = await appSignIn(relation);
    const { browser } = relation.person;
    expect((await browser.fetch(`/v1/grants/${grantId}`, { method: 'DELETE' })).status).toBe(204);
    await expect.poll(types).toEqual(['grant.revoked']);
  });

  it('an app is notified that it has revoked a grant itself', async () => {
    const { relation, types } = await newReceiver();
    const { refresh_token: token } = await appSignIn(relation);
    const fields = { token, token_type_hint: 'grant' };
    expect((await post(relation, '/v1/auth/revoke', fields)).status).toBe(200);
    await expect.poll(types).toEqual(['grant.revoked']);
  });

  it('an app is notified that its secret was rotated', async () => {
    const { relation, types } = await newReceiver();
    expect((await rotate(relation)).status).toBe(200);
    await expect.poll(types).toEqual(['app.secret_rotated']);
  });

  it('a disabled endpoint gets its backlog when it is enabled again', async () => {
    const { relation, place, types } = await newReceiver('410');
    expect((await rotate(relation)).status).toBe(200);
    await expect.poll(types).toEqual(['app.secret_rotated']);
    const status = async () =>
      (await target.rows('SELECT status FROM webhooks WHERE app_id = ?', [relation.app.id]))[0];
    await expect.poll(status).toEqual({ status: 'disabled' });
    await setWebhook(relation, { url: `${place}/200`, enabled: true });
    await expect.poll(types).toEqual(['app.secret_rotated', 'app.secret_rotated']);
  });
});
