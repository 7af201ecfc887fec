import { describe, expect, it } from 'vitest';
import { inOneTrip, refusal, seen } from '../support/answers.ts';
import { json } from '../support/browser.ts';
import { freshHandle, newMember } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';

const target = useSharedService();

const notFound = refusal(404, 'Identity does not exist');
const look = (pid: string) => target.request(`/v1/identities/${pid}`);

describe('GET /v1/identities/:pid', () => {
  it('shows only the PID, name and creation time of an identity to the public, in one round trip', async () => {
    const { handle, claims, browser } = await newMember(target);
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const shown = { pid: `${handle}@pid`, displayName: claims.name, createdAt };
    for (const text of [`${handle}@pid`, `${handle}%40pid`, `${handle.toUpperCase()}@PID`]) {
      expect(await seen(await look(text))).toEqual([200, shown]);
    }
    await inOneTrip(target, () => look(`${handle}@pid`));
    await browser.fetch('/v1/me', json('PATCH', { displayName: 'New Name' }));
    expect(await seen(await look(`${handle}@pid`))).toEqual([200, { ...shown, displayName: 'New Name' }]);
    await target.rows(`UPDATE identities SET status = 'suspended' WHERE handle = ?`, [handle]);
    expect((await look(`${handle}@pid`)).status).toBe(200);
  });

  it('returns 404 for an invalid, unknown or closed PID', async () => {
    const { handle, browser } = await newMember(target);
    const texts = [
      handle,
      `${handle}@`,
      `${handle}@pid.com`,
      `x${handle}@pid`,
      `${freshHandle()}x@pid`,
      '@pid',
      '%00',
      '%ff',
      "x' OR '1'='1@pid",
      `${'x'.repeat(500)}@pid`,
    ];
    for (const text of texts) expect(await seen(await look(encodeURI(text))), text).toEqual(notFound);
    expect((await browser.fetch('/v1/me', json('DELETE', { handle }))).status).toBe(204);
    expect(await seen(await look(`${handle}@pid`))).toEqual(notFound);
  });
});
