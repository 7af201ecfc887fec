import { beforeAll, describe, expect, it } from 'vitest';
import type { FoundPeople, Person } from '../../src/features/admin/person-schema.ts';
import { dumpRecords, refusal, seen, sessionIdOf } from '../support/answers.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { balanceOf, fundedWallet, newHolder, pay } from '../support/money.ts';
import { newPasskeyMember } from '../support/passkeys.ts';
import { goodPassword, newPasswordMember } from '../support/passwords.ts';
import { type Member, newAdmin, newMember, signIn } from '../support/people.ts';
import { form } from '../support/sandbox.ts';
import { useService } from '../support/service.ts';

let boss: Member;
let helper: Member;
const target = useService({ ADMIN_PIDS: 'the-boss@pid', SUPPORT_PIDS: 'the-helper@pid' });
beforeAll(async () => {
  boss = await newAdmin(target, 'the-boss');
  helper = await newAdmin(target, 'the-helper');
});

const reason = 'asked by phone';
const adminOnly = refusal(403, 'Admin only');
const auditOf = (action: string) =>
  target.rows<{ actor: string; target: string; detail: string }>(
    'SELECT actor, target, detail FROM audit_log WHERE action = ? ORDER BY seq DESC',
    [action],
  );
const find = (q: string, by: Browser = helper.browser) =>
  by.fetch(`/v1/admin/identities?${new URLSearchParams({ q })}`);
const found = async (q: string) =>
  ((await (await find(q)).json()) as FoundPeople).data.map(({ pid, foundBy }) => [pid, foundBy]);
const lookAt = async (handle: string, by: Browser = helper.browser) =>
  (await (await by.fetch(`/v1/admin/identities/${handle}`)).json()) as Person;

describe('the search on the admin desk', () => {
  it('lists everyone whose name begins with the text, in pages', async () => {
    const members = await Promise.all(Array.from({ length: 45 }, () => newMember(target)));
    const names = (nth: number) =>
      nth % 3 === 0 ? 'Qasim' : `${nth % 2 === 0 ? 'QASIM' : 'qasim'} ${nth % 10}`;
    for (const [nth, { browser }] of members.entries())
      await browser.fetch('/v1/me', json('PATCH', { displayName: names(nth) }));
    const [exact] = members;
    await target.rows(
      `INSERT INTO credentials (id, handle, provider, provider_user_id, linked_at, last_login_at)
        VALUES ('crd_qasim', ?, 'github', 'qasim', 1, 1)`,
      [exact?.handle ?? ''],
    );
    for (const limit of [1, 20]) {
      const pages: FoundPeople[] = [];
      let cursor = '';
      do {
        const query = new URLSearchParams({ q: 'qasim', limit: String(limit), ...(cursor && { cursor }) });
        const page = (await (
          await helper.browser.fetch(`/v1/admin/identities?${query}`)
        ).json()) as FoundPeople;
        pages.push(page);
        cursor = page.nextCursor ?? '';
      } while (cursor !== '' && pages.length < 60);
      const all = pages.flatMap(({ data }) => data);
      expect(pages[0]?.data).toHaveLength(limit + 1);
      expect(all[0]).toMatchObject({ pid: `${exact?.handle}@pid`, foundBy: 'subject' });
      expect(all.map(({ pid }) => pid).sort()).toEqual(members.map(({ handle }) => `${handle}@pid`).sort());
      const sorted = all.slice(1).map(({ displayName }) => displayName?.toLowerCase());
      expect(sorted).toEqual(sorted.toSorted());
    }
    const [line] = await auditOf('people.searched');
    expect(JSON.parse(line?.detail ?? '').found.split(',')).toHaveLength(4);
    const first = await (await helper.browser.navigate('/admin/people?q=qasim')).text();
    const more =
      /href="(\/admin\/people\?[^"]*cursor=[^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const second = await (await helper.browser.navigate(more)).text();
    expect([first, second].map((page) => page.match(/class="item"/g)?.length)).toEqual([21, 20]);
    expect(second).toContain('href="/admin/people?q=qasim"');
    expect((await helper.browser.navigate('/admin/people?q=qasim&cursor=x')).status).toBe(400);
  });

  it('finds a person by each kind of identifier, and records who was found', async () => {
    const [member, payee] = [await newHolder(target, 900), await newHolder(target)];
    const { handle, claims } = member;
    const { id } = await pay(member, payee, 100);
    const session = await sessionIdOf(member);
    const [credential] = await target.rows<{ id: string; provider_user_id: string }>(
      'SELECT id, provider_user_id FROM credentials WHERE handle = ?',
      [handle],
    );
    await member.browser.fetch('/v1/me', json('PATCH', { displayName: `Zul ${handle}` }));
    const pid = `${handle}@pid`;
    for (const [q, foundBy] of [
      [handle, 'handle'],
      [` ${pid.toUpperCase()} `, 'handle'],
      [claims.email.toUpperCase(), 'email'],
      [`zul ${handle}`.slice(0, -1), 'name'],
      [session, 'session'],
      [credential?.id ?? '', 'credential'],
      [credential?.provider_user_id ?? '', 'subject'],
    ] as const)
      expect([q, await found(q)]).toEqual([q, expect.arrayContaining([[pid, foundBy]])]);
    for (const q of [id, id.replace('trf', 'inq')])
      expect((await found(q)).sort()).toEqual(
        [
          [pid, 'transaction'],
          [`${payee.handle}@pid`, 'transaction'],
        ].sort(),
      );
    expect(await found('nobody-here')).toEqual([]);
    const lines = await auditOf('people.searched');
    expect(lines.slice(0, 2).map(({ actor, detail }) => [actor, JSON.parse(detail).found])).toEqual([
      ['the-helper', ''],
      ['the-helper', expect.stringContaining(handle)],
    ]);
  });

  it('rejects wildcards, partial addresses and inputs of 128 characters, in the search field too', async () => {
    const before = await dumpRecords(target);
    for (const [q, message, shown] of [
      ['ad*', 'q must not contain * or %', 'There are no wildcards'],
      ['%', 'q must not contain * or %', 'There are no wildcards'],
      ['ada@', 'q must be a whole PID or email address', 'Type the whole email address'],
      ['@example.com', 'q must be a whole PID or email address', 'Type the whole email address'],
      ['ada@exam', 'q must be a whole PID or email address', 'Type the whole email address'],
      ['x'.repeat(200), 'q must be shorter than or equal to 128 characters', 'At most 128 characters'],
      [' ', 'q must not be empty', 'Type what to search for'],
    ] as const) {
      expect([q, await seen(await find(q))]).toEqual([q, refusal(400, [message])]);
      const page = await helper.browser.navigate(`/admin/people?${new URLSearchParams({ q })}`);
      const html = await page.text();
      expect([q, page.status, html]).toEqual([q, 400, expect.stringContaining(shown)]);
      expect(html).toContain(`value="${q}"`);
    }
    expect(await dumpRecords(target)).toEqual(before);
  });

  it('ignores characters added by copying, and suggests handles with one typo', async () => {
    const { handle, claims } = await newMember(target);
    const pid = `${handle}@pid`;
    for (const q of [
      `@${handle}`,
      `“${pid}”`,
      `${handle} @ pid`,
      `Ada <${claims.email.toUpperCase()}>`,
      `<${pid}>`,
    ])
      expect([q, (await found(q)).map(([one]) => one)]).toEqual([q, [pid]]);
    const link = `href="/admin/people/${handle}"`;
    const swapped = `${handle.slice(0, -2)}${handle.at(-1)}${handle.at(-2)}`;
    for (const q of [`${handle}x`, swapped]) {
      const page = await (
        await helper.browser.navigate(`/admin/people?${new URLSearchParams({ q })}`)
      ).text();
      expect([q, page.includes('Did you mean:'), page.includes(link)]).toEqual([q, true, true]);
    }
    const unknown = await helper.browser.navigate(`/admin/people/${handle}x`);
    expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining(link)]);
  });

  it('shows the emails to an address that nobody has, only for the whole address, and whether its limit is reached', async () => {
    const email = 'not.yet@example.org';
    const ask = () =>
      openBrowser(target).fetch('/v1/auth/email/register', json('POST', { email, password: goodPassword }));
    for (let nth = 0; nth < 5; nth += 1) await ask();
    const show = async (q: string) =>
      (await helper.browser.navigate(`/admin/people?${new URLSearchParams({ q })}`)).text();
    const page = await show(email);
    expect(page).toContain('Nobody has the email address not.yet@example.org.');
    expect(page.match(/>register_code</g)).toHaveLength(5);
    expect(page).toContain('… is your code to sign up at');
    expect(page).toContain('has received all of its codes for this hour');
    expect(await show('not.yes@example.org')).toContain('No email to this address was written');
    expect((await auditOf('mails.viewed')).map(({ target: of, detail }) => [of, detail])).toEqual([
      ['mails', '{"address":"n…@example.org"}'],
      ['mails', '{"address":"n…@example.org"}'],
    ]);
  });

  it('lists everybody who matches, and opens a page only if nobody else does', async () => {
    const [budi, other, late] = [
      await newMember(target, 'bagus'),
      await newMember(target, 'bagus.h'),
      await newMember(target, 'h.bagaskara'),
    ];
    await other.browser.fetch('/v1/me', json('PATCH', { displayName: 'Bagus Hartono' }));
    await late.browser.fetch('/v1/me', json('PATCH', { displayName: 'Herman Putra Bagus' }));
    const search = (q: string) => helper.browser.navigate(`/admin/people?${new URLSearchParams({ q })}`);
    const before = await auditOf('person.viewed');
    const listed = await search('bagus');
    const html = await listed.text();
    expect(listed.status).toBe(200);
    for (const { handle, claims } of [budi, other, late]) {
      expect(html).toContain(`href="/admin/people/${handle}"`);
      expect(html).toContain(`${claims.email[0]}…@${claims.email.split('@')[1]}`);
      expect(html).not.toContain(claims.email);
    }
    expect(html).toMatch(/since <time datetime="/);
    expect(await auditOf('person.viewed')).toEqual(before);
    const led = await search('bagus@pid');
    expect([led.status, led.headers.get('Location')]).toEqual([303, '/admin/people/bagus']);
  });

  it('finds a handle whatever its separators, with up to two typos, and any word of a name', async () => {
    const { handle, browser } = await newMember(target, 'indra-w');
    await browser.fetch('/v1/me', json('PATCH', { displayName: 'Indra Kus Wiratama' }));
    const search = async (q: string) => {
      const page = await helper.browser.navigate(`/admin/people?${new URLSearchParams({ q })}`);
      return `${page.headers.get('Location')} ${await page.text()}`;
    };
    for (const q of ['indra_w', 'indraw', 'Indra W', 'in', 'wiratama', 'WIRA', 'kus', 'kus wira'])
      expect([q, await found(q)]).toEqual([
        q,
        expect.arrayContaining([[`${handle}@pid`, expect.anything()]]),
      ]);
    for (const q of ['indrw', 'Indra_y', 'indrayx', 'yndra w', 'indra.ww']) {
      expect([q, await found(q)]).toEqual([q, []]);
      const page = await search(q);
      expect([q, page.includes('Did you mean:'), page.includes(`/admin/people/${handle}"`)]).toEqual([
        ...[q, true, true],
      ]);
    }
    expect((await auditOf('people.searched'))[0]?.detail).toBe(`{"found":"${handle}"}`);
    for (const q of ['w', 'wiratima', 'indrxyz']) expect([q, await found(q)]).toEqual([q, []]);
  });

  it('says where a request ID is looked up', async () => {
    const refused = await helper.browser.fetch('/v1/admin/identities/nobody-here');
    const id = refused.headers.get('X-Request-Id') ?? '';
    const page = await helper.browser.navigate(`/admin/people?${new URLSearchParams({ q: id })}`);
    expect(await page.text()).toContain(`as requestId ${id}.`);
  });

  it('focuses the search field while nothing is found', async () => {
    const { handle } = await newMember(target);
    const focused = /<input[^>]* id="q"[^>]* autofocus=""/;
    expect(await (await helper.browser.navigate('/admin/people')).text()).toMatch(focused);
    expect(await (await helper.browser.navigate(`/admin/people/${handle}`)).text()).not.toMatch(focused);
  });

  it('reports an unknown handle and keeps it in the field, and opens the page of the only match', async () => {
    const { handle } = await newMember(target);
    const mistyped = await helper.browser.navigate('/admin/people?q=nobody-here');
    const html = await mistyped.text();
    expect(html).toContain('Nobody found for “nobody-here”');
    expect(html).toContain('value="nobody-here"');
    const unknown = await helper.browser.navigate('/admin/people/nobody-here');
    expect([unknown.status, await unknown.text()]).toEqual([
      404,
      expect.stringContaining('value="nobody-here"'),
    ]);
    const led = await helper.browser.navigate(`/admin/people?q=${handle}`);
    expect([led.status, led.headers.get('Location')]).toEqual([303, `/admin/people/${handle}`]);
  });
});

describe('viewing a person', () => {
  it('shows all their records, and writes a line to the audit log and to their activity [D-112]', async () => {
    const member = await newHolder(target, 900);
    const { handle, claims, browser } = member;
    const shown = await lookAt(handle);
    expect(shown).toMatchObject({
      ...{ pid: `${handle}@pid`, status: 'active', emails: [claims.email] },
      credentials: [{ provider: 'idp', email: claims.email }],
      sessions: [{ id: await sessionIdOf(member) }],
      wallet: { balances: [{ balance: 900 }] },
      audit: [{ actor: 'the-helper', action: 'person.viewed' }],
    });
    const activity = (await (await browser.fetch('/v1/me/activity')).json()) as { data: { type: string }[] };
    expect(activity.data[0]).toMatchObject({ type: 'support.viewed' });
    expect(await (await browser.navigate('/account/activity')).text()).toContain(
      'Support looked at your account',
    );
    expect(await seen(await helper.browser.fetch('/v1/admin/identities/nobody-here'))).toEqual(
      refusal(404, 'Identity does not exist'),
    );
    expect(await target.rows(`SELECT seq FROM audit_log WHERE target = 'nobody-here'`)).toEqual([]);
  });

  it('writes one line an hour for each administrator, and the page links to older ones', async () => {
    const { handle, browser } = await newMember(target);
    const looks = async () => {
      const { data } = (await (await browser.fetch('/v1/me/activity')).json()) as {
        data: { type: string }[];
      };
      const lines = (await auditOf('person.viewed')).filter(({ target: of }) => of === handle);
      return [lines.length, data.filter(({ type }) => type === 'support.viewed').length];
    };
    for (let nth = 0; nth < 3; nth += 1) await Promise.all([lookAt(handle), lookAt(handle)]);
    expect(await looks()).toEqual([1, 1]);
    await lookAt(handle, boss.browser);
    expect(await looks()).toEqual([2, 2]);
    for (let nth = 0; nth < 12; nth += 1)
      await target.rows('INSERT INTO audit_log (at, actor, action, target, detail) VALUES (1, ?, ?, ?, ?)', [
        ...['the-boss', 'wallet.status', handle],
        '{"status":"frozen"}',
      ]);
    const page = await (await helper.browser.navigate(`/admin/people/${handle}`)).text();
    expect(page).toContain(`href="/admin/people/${handle}/audit">Show older`);
    const older = await helper.browser.navigate(`/admin/people/${handle}/audit`);
    const html = await older.text();
    expect([older.status, html.includes('Froze the wallet'), html.includes('new state: frozen')]).toEqual([
      ...[200, true, true],
    ]);
  });

  it('explains how a person without a passkey can regain access, and offers a recovery email only where it helps', async () => {
    const withPassword = await newPasswordMember(target);
    const other = await newMember(target);
    const show = async (handle: string) => (await helper.browser.navigate(`/admin/people/${handle}`)).text();
    const mailed = await show(withPassword.handle);
    expect(mailed).toContain('name="act" value="recovery"');
    expect(mailed).toContain('With their password. If it is forgotten, send a recovery email.');
    const led = await show(other.handle);
    expect(led).not.toContain('name="act" value="recovery"');
    expect(led).toContain(`(${other.claims.email}). Then they remove a lost passkey`);
    expect(led).toContain('A recovery email cannot help: it replaces a password, and they have none.');
    const { handle } = await newPasskeyMember(target);
    const lost = await show(handle);
    expect(lost).toContain('With a passkey (1 registered).');
    expect(lost).toContain('If none of this helps, nobody can let them in');
    await target.rows("UPDATE identities SET status = 'suspended' WHERE handle = ?", [withPassword.handle]);
    const suspended = await show(withPassword.handle);
    expect(suspended).toContain('Let them in again first.');
    expect(suspended).not.toContain('name="act" value="recovery"');
  });

  it('shows serious states beside the name, times in full, and nothing that is empty', async () => {
    const [payer, payee] = [await newHolder(target, 900), await newHolder(target)];
    await pay(payer, payee, 100);
    await target.rows("UPDATE accounts SET status = 'frozen' WHERE owner = ?", [payer.handle]);
    const show = async (handle: string, by = helper) =>
      (await by.browser.navigate(`/admin/people/${handle}`)).text();
    const frozen = await show(payer.handle);
    expect(frozen).toContain('<span class="badge bad">wallet frozen</span>');
    expect(frozen).toContain(`href="/admin/people/${payee.handle}">${payee.handle}@pid</a>`);
    expect(frozen).toMatch(/last used <time[^>]*>[^<(]+ \(\d+ \w+ \d{4}[^<]+\)<\/time>/);
    expect(frozen).toContain('Support looked at the account');
    expect(frozen).toContain('Nothing there: ');
    expect(frozen).not.toContain('id="grants"');
    await target.rows("UPDATE identities SET status = 'suspended' WHERE handle = ?", [payee.handle]);
    expect(await show(payee.handle)).toMatch(
      /<h2 class="person">.*<span class="badge bad">suspended<.*<\/h2>/s,
    );
  });

  it('names a passkey, and leads an administrator to the form that moves the money of a lost one', async () => {
    const { handle, browser } = await newPasskeyMember(target);
    await browser.fetch('/v1/wallet', { method: 'POST' });
    await fundedWallet(target, handle, 1200);
    await target.rows("UPDATE credentials SET name = 'Pixel 9' WHERE handle = ?", [handle]);
    const show = async (by: Member) => (await by.browser.navigate(`/admin/people/${handle}`)).text();
    const [{ provider_user_id: raw } = { provider_user_id: '' }] = await target.rows<{
      provider_user_id: string;
    }>('SELECT provider_user_id FROM credentials WHERE handle = ?', [handle]);
    const html = await show(boss);
    expect(html).toContain('<bdi>Pixel 9</bdi>');
    expect(html).not.toContain(raw);
    expect(html).toContain(`href="/admin?from=${handle}%40pid&amp;amount=1200#adjust"`);
    const form = await (await boss.browser.navigate(`/admin?from=${handle}%40pid&amount=1200`)).text();
    expect(form).toMatch(/<details id="adjust" open=""/);
    for (const value of [`${handle}@pid`, '1200']) expect(form).toContain(`value="${value}"`);
    expect(await show(helper)).not.toContain('href="/admin?from=');
    const other = await newHolder(target, 10);
    const page = await boss.browser.navigate(`/admin/people/${other.handle}`);
    expect(await page.text()).not.toContain('href="/admin?from=');
  });

  it('requires a recent sign-in, and otherwise writes no line', async () => {
    const { handle } = await newMember(target);
    await target.advance(901);
    await helper.browser.fetch('/v1/auth/refresh', { method: 'POST' });
    const before = await dumpRecords(target);
    for (const path of [`/admin/people/${handle}`, `/admin/people?q=${handle}`]) {
      const page = await helper.browser.navigate(path);
      expect([page.status, page.headers.get('X-Error-Code')]).toEqual([403, 'not_fresh']);
    }
    expect(await dumpRecords(target)).toEqual(before);
    for (const one of [boss, helper]) await signIn(target, one.browser, one.claims);
  });

  it('shows the delivery status of their emails', async () => {
    const { handle, email } = await newPasswordMember(target);
    await openBrowser(target).fetch('/v1/auth/email/forgot', json('POST', { email }));
    const sent = { kind: 'reset_code', to: email, fate: 'sent', tries: 1 };
    await expect.poll(async () => (await lookAt(handle)).mails).toContainEqual(expect.objectContaining(sent));
  });
});

describe('a support agent', () => {
  const act = (handle: string, fields: Record<string, string>, by: Browser = helper.browser) =>
    by.navigate(`/admin/people/${handle}`, form({ reason, ...fields }, target.origin));

  it('revokes one session or all of them, and the person sees it', async () => {
    const member = await newMember(target);
    const second = openBrowser(target);
    await signIn(target, second, member.claims);
    const { handle, browser } = member;
    const end = (body: object) =>
      helper.browser.fetch(`/v1/admin/identities/${handle}/end-sessions`, json('POST', { reason, ...body }));
    const pid = `${handle}@pid`;
    expect(await seen(await end({ id: 'ses_other' }))).toEqual(refusal(404, 'Session does not exist'));
    const id = await sessionIdOf({ browser: second });
    for (const _ of [1, 2]) expect(await (await end({ id })).json()).toEqual({ pid, liveSessions: 1 });
    expect((await second.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(401);
    const { data } = (await (await browser.fetch('/v1/me/activity')).json()) as { data: { type: string }[] };
    expect(data.filter(({ type }) => type === 'support.ended_sessions')).toHaveLength(1);
    expect((await act(handle, { act: 'endAll' })).headers.get('Location')).toBe(
      `/admin/people/${handle}?done=endAll`,
    );
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(401);
  });

  it('sends a password reset link to people with a password', async () => {
    const { handle, email } = await newPasswordMember(target);
    expect((await act(handle, { act: 'recovery' })).status).toBe(303);
    const [mail] = await target.rows(
      'SELECT kind FROM mails WHERE recipient = ? ORDER BY created_at DESC, id DESC',
      [email],
    );
    expect(mail).toEqual({ kind: 'recovery' });
    const other = await newMember(target);
    expect((await act(other.handle, { act: 'recovery' })).status).toBe(409);
  });

  it('sees who may open a sandbox’s desk, but only on the first page', async () => {
    const show = async (path: string) => (await helper.browser.navigate(path)).text();
    const hint = `Sandbox at ${target.origin}. Administrators: the-boss@pid. Support: the-helper@pid.`;
    expect(await show('/admin/people')).toContain(hint);
    expect(await show('/admin/people/the-boss')).not.toContain('Sandbox at');
  });

  it('gets 403 and an audit line for actions limited to administrators', async () => {
    const [payer, payee] = [await newHolder(target, 900), await newHolder(target)];
    const { id } = await pay(payer, payee, 100);
    const { handle } = payee;
    const requests: [string, () => Promise<Response>][] = [
      [
        `PATCH /v1/admin/identities/${handle}`,
        () =>
          helper.browser.fetch(
            `/v1/admin/identities/${handle}`,
            json('PATCH', { status: 'suspended', reason }),
          ),
      ],
      [
        `POST /v1/admin/transfers/${id}/reverse`,
        () => helper.browser.fetch(`/v1/admin/transfers/${id}/reverse`, json('POST', { reason })),
      ],
      ['GET /v1/admin/overview', () => helper.browser.fetch('/v1/admin/overview')],
      ['GET /v1/admin/audit', () => helper.browser.fetch('/v1/admin/audit')],
      [`POST /admin/people/${handle} freeze`, () => act(handle, { act: 'freeze' })],
      [`POST /admin/people/${handle} reverse`, () => act(handle, { act: 'reverse', id })],
      [
        'POST /admin',
        () => helper.browser.navigate('/admin', form({ act: 'ledger', reason }, target.origin)),
      ],
    ];
    for (const [attempt, send] of requests) {
      const answer = await send();
      expect([attempt, answer.status, answer.headers.get('X-Error-Code')]).toEqual([
        attempt,
        403,
        'admin_only',
      ]);
      expect((await auditOf('access.refused'))[0]).toMatchObject({ actor: 'the-helper', target: attempt });
    }
    expect(await balanceOf(target, handle)).toBe(100);
    const start = await helper.browser.navigate('/admin');
    expect([start.status, start.headers.get('Location')]).toEqual([303, '/admin/people']);
    const page = await (await helper.browser.navigate(`/admin/people/${handle}`)).text();
    expect(page).toContain('End session');
    expect(page).not.toContain('Suspend');
  });

  it('has a role that members lack and a PID that nobody can claim', async () => {
    const { browser, handle } = await newMember(target);
    const before = await dumpRecords(target);
    for (const path of ['', `/${handle}`])
      expect(await seen(await browser.fetch(`/v1/admin/identities${path}?q=x`))).toEqual(adminOnly);
    for (const path of ['/admin', '/admin/people', `/admin/people/${handle}`, '/admin/audit'])
      expect((await browser.navigate(path)).status).toBe(403);
    expect(await dumpRecords(target)).toEqual(before);
  });
});

describe('an administrator', () => {
  it('carries out the actions next to each row of a person, after giving a reason', async () => {
    const [payer, payee] = [await newHolder(target, 900), await newHolder(target)];
    const { id } = await pay(payer, payee, 100);
    const { handle } = payer;
    const act = (fields: Record<string, string>) =>
      boss.browser.navigate(`/admin/people/${handle}`, form({ reason, ...fields }, target.origin));
    const page = await (await boss.browser.navigate(`/admin/people/${handle}`)).text();
    expect(page.replaceAll('\u00a0', ' ')).toContain(
      `IDR 100 go back from ${payee.handle}@pid to ${handle}@pid, with all fees. Both see it in their activity, and get an email at a verified address. This cannot be undone.`,
    );
    const unsaid = await act({ act: 'suspend', reason: ' ' });
    expect([unsaid.status, await unsaid.text()]).toEqual([400, expect.stringContaining('Say why')]);
    expect((await act({ act: 'constructor' })).status).toBe(404);
    for (const name of ['freeze', 'unfreeze', 'verify', 'unverify', 'reverse', 'suspend', 'activate']) {
      const answer = await act({ act: name, ...(name === 'reverse' ? { id } : {}) });
      const path = `/admin/people/${handle}?done=${name}`;
      expect([name, answer.headers.get('Location')]).toEqual([name, path]);
      const done = /data-toast="">.*?<span>(.*?)<\/span>/s.exec(
        await (await boss.browser.navigate(path)).text(),
      );
      expect([name, done?.[1]]).toEqual([name, expect.stringContaining(`${handle}@pid`)]);
    }
    expect(await balanceOf(target, handle)).toBe(900);
    const reversed = await (await boss.browser.navigate(`/admin/people/${handle}`)).text();
    expect(reversed).toContain('Already reversed.');
    expect(reversed).not.toContain('name="act" value="reverse"');
    const again = await act({ act: 'reverse', id });
    expect([again.status, await again.text()]).toEqual([
      409,
      expect.stringContaining('changed in the meantime'),
    ]);
  });

  it('finds their input restored after the sign-in that a form requires', async () => {
    const { handle } = await newMember(target);
    const path = `/admin/people/${handle}`;
    const send = () =>
      boss.browser.navigate(path, form({ act: 'suspend', reason: 'Reported “stolen”' }, target.origin));
    for (const seconds of [901, 0]) {
      await target.advance(seconds || 901);
      if (seconds) await boss.browser.fetch('/v1/auth/refresh', { method: 'POST' });
      const refused = await send();
      expect([seconds, (await refused.text()).includes('value="Reported')]).toEqual([seconds, false]);
      await signIn(target, boss.browser, boss.claims);
      const other = await (await boss.browser.navigate('/admin')).text();
      expect(other).not.toContain('This form is filled in as you left it');
      const html = await (await boss.browser.navigate(path)).text();
      expect(html).toContain('This form is filled in as you left it');
      expect(html).toContain('value="Reported “stolen”"');
      expect(await (await boss.browser.navigate(path)).text()).not.toContain('value="Reported');
    }
    expect(await auditOf('identity.status')).not.toContainEqual(expect.objectContaining({ target: handle }));
    await signIn(target, helper.browser, helper.claims);
  });

  it('filters the audit log by person, action, actor and day, and downloads it', async () => {
    const { handle } = await newMember(target);
    const path = `/v1/admin/identities/${handle}`;
    for (const status of ['suspended', 'active'])
      await boss.browser.fetch(path, json('PATCH', { status, reason: '=formula, "quoted"' }));
    const list = async (query: Record<string, string>) => {
      const answer = await boss.browser.fetch(`/v1/admin/audit?${new URLSearchParams(query)}`);
      return ((await answer.json()) as { data: { action: string; target: string; actor: string }[] }).data;
    };
    expect(await list({ target: `${handle}@pid` })).toHaveLength(2);
    expect(await list({ target: handle, actor: 'the-helper' })).toEqual([]);
    expect(await list({ target: handle, actor: 'the-boss@pid', action: 'identity.status' })).toHaveLength(2);
    expect(await list({ target: handle, to: '2020-01-01' })).toEqual([]);
    const csv = await boss.browser.fetch(`/v1/admin/audit?format=csv&target=${handle}`);
    expect(csv.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    const lines = (await csv.text()).split('\r\n');
    expect(lines).toHaveLength(5);
    expect([lines[0], lines[3]]).toEqual(['at,actor,action,target,detail', ',,end,,2']);
    expect(lines[1]).toContain(',the-boss,identity.status,');
    const page = await boss.browser.navigate(`/admin/audit?target=${handle}&action=`);
    const html = await page.text();
    expect([page.status, html]).toEqual([200, expect.stringContaining(`value="${handle}"`)]);
    for (const verb of ['Suspended', 'Let in again'])
      expect(html).toMatch(new RegExp(`<td>${verb} <span class="quiet"><code>identity.status`));
    expect(html).toMatch(/<time [^>]*>[^<]*\d\d:\d\d/);
  });

  it('shows searches in the audit log only on request, and says when one found nobody', async () => {
    await boss.browser.navigate('/admin/people?q=nobody.at.all');
    const shown = async (query: string) => (await boss.browser.navigate(`/admin/audit${query}`)).text();
    const searched = '<td>Searched for people';
    for (const query of ['', '?actor=the-boss', '?action=person.viewed'])
      expect(await shown(query)).not.toContain(searched);
    expect(await (await boss.browser.navigate('/admin')).text()).not.toContain(searched);
    for (const query of ['?action=all', '?action=people.searched'])
      expect(await shown(query)).toContain(searched);
    expect(await shown('?action=all')).toContain('found: nobody');
    expect(await shown('?action=second_payment.resolved')).toMatch(
      /<option value="second_payment.resolved" selected=""[^>]*>Second payment decided/,
    );
  });
});
