import { describe, expect, it } from 'vitest';
import { anotherBrowser } from '../support/answers.ts';
import { json } from '../support/browser.ts';
import { mailsTo } from '../support/mailbox.ts';
import { type Member, newMember } from '../support/people.ts';
import { useService } from '../support/service.ts';

const target = useService();
const chrome = (version: string) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Safari/537.36`;

async function kindsTo({ claims }: Member): Promise<string[]> {
  return (await mailsTo(target, claims.email)).map(({ kind }) => kind);
}

describe('the email about a sign-in on a new device', () => {
  it('is sent only once per browser and system, regardless of their versions', async () => {
    const member = await newMember(target);
    await anotherBrowser(target, member, chrome('141.0.0.0'));
    expect(await kindsTo(member)).toEqual(['sign_in_new_device']);
    await anotherBrowser(target, member, chrome('141.0.0.0'));
    await anotherBrowser(target, member, chrome('142.0.7.11'));
    expect(await kindsTo(member)).toEqual(['sign_in_new_device']);
    await anotherBrowser(target, member, `${chrome('142.0.0.0')} Edg/142.0.0.0`);
    const [mail] = await mailsTo(target, member.claims.email);
    expect(await kindsTo(member)).toEqual(['sign_in_new_device', 'sign_in_new_device']);
    expect(mail?.content?.text).toContain('Edge di Windows');
  });

  it('is not sent for a device from a revoked session, but is sent for one that only other people have used', async () => {
    const [ada, ben] = [await newMember(target), await newMember(target)];
    await anotherBrowser(target, ada, chrome('141.0.0.0'));
    await ada.browser.fetch('/v1/sessions', { method: 'DELETE' });
    await anotherBrowser(target, ada, chrome('143.0.0.0'));
    expect(await kindsTo(ada)).toEqual(['sign_in_new_device']);
    await anotherBrowser(target, ben, chrome('141.0.0.0'));
    expect(await kindsTo(ben)).toEqual(['sign_in_new_device']);
  });

  it('is not sent for the first session of an identity, or for the device of that session', async () => {
    const member = await newMember(target);
    await anotherBrowser(target, member);
    expect(await kindsTo(member)).toEqual([]);
  });
});

describe('the last email to an account', () => {
  it('confirms the deletion to the former address', async () => {
    const member = await newMember(target);
    await target.rows(`UPDATE profiles SET locale = 'id' WHERE handle = ?`, [member.handle]);
    const wrong = await member.browser.fetch('/v1/me', json('DELETE', { handle: 'somebody.else' }));
    expect([wrong.status, await kindsTo(member)]).toEqual([400, []]);
    const answer = await member.browser.fetch('/v1/me', json('DELETE', { handle: member.handle }));
    expect(answer.status).toBe(204);
    const [mail, ...more] = await mailsTo(target, member.claims.email);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ kind: 'account_closed', locale: 'id' });
    expect(mail?.content?.text).toContain(`${member.handle}@pid`);
    expect(mail?.content?.links).toEqual([]);
  });
});
