import { describe, expect, it } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { runMailJob, writeMessage } from '../support/mail-writer.ts';
import { codeTo, mailsTo } from '../support/mailbox.ts';
import { sandboxProvider, useSharedService } from '../support/service.ts';

const target = useSharedService(sandboxProvider);

const page = async (path: string): Promise<string> => {
  const answer = await openBrowser(target).navigate(path);
  expect(answer.status, path).toBe(200);
  return answer.text();
};

describe('the mailbox', () => {
  it('shows that there is no mail yet', async () => {
    expect(await page('/dev/mail')).toContain('No mail yet');
    expect(await page('/dev')).toContain('<a href="/dev/mail">');
  });

  it('lists queued and sent emails, with their codes, for one address or for all', async () => {
    await writeMessage(target, { recipient: 'ada@example.com', params: { code: '100001', minutes: '10' } });
    await writeMessage(target, { recipient: 'ben@example.com', kind: 'register_known', params: {} });
    expect(await codeTo(target, 'Ada@Example.com')).toBe('100001');
    await expect(codeTo(target, 'ben@example.com')).rejects.toThrow('no mail to ben@example.com');
    await runMailJob(target);
    const list = await page('/dev/mail');
    for (const text of ['your code for a new Peridot password', '100001', 'ben@example.com'])
      expect(list).toContain(text);
    const one = await page('/dev/mail?to=ben%40example.com');
    expect(one).toContain('You already have an account');
    expect(one).not.toContain('100001');
  });

  it('shows a single email: its text, its link, and its HTML in a fully sandboxed frame', async () => {
    const [mail] = await mailsTo(target, 'ben@example.com');
    const answer = await openBrowser(target).navigate(`/dev/mail/${mail?.id}`);
    expect(answer.headers.get('Content-Security-Policy')).toContain("frame-src 'self'");
    const shown = await answer.text();
    expect(shown).toContain(`<a class="button" href="${target.origin}/signin">`);
    expect(shown).toContain(`<iframe sandbox="" title="The mail as HTML" src="/dev/mail/${mail?.id}/html"`);
    const html = await openBrowser(target).navigate(`/dev/mail/${mail?.id}/html`);
    expect(html.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'",
    );
    expect(html.headers.get('X-Frame-Options')).toBeNull();
    expect(await html.text()).toBe(mail?.content?.html);
  });

  it('no longer shows an expired email, and returns 404 for an unknown one', async () => {
    const [mail] = await mailsTo(target, 'ada@example.com');
    await target.advance(601);
    await runMailJob(target);
    expect(await page(`/dev/mail/${mail?.id}`)).toContain('Its text is gone');
    expect((await target.request(`/dev/mail/${mail?.id}/html`)).status).toBe(404);
    expect((await target.request('/dev/mail/mai_unknown')).status).toBe(404);
  });
});
