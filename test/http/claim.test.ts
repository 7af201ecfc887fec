import { describe, expect, it } from 'vitest';
import { secretHash } from '../../src/lib/secret.ts';
import { type Browser, json, openBrowser } from '../support/browser.ts';
import { freshHandle, newMember, signIn, somebody } from '../support/people.ts';
import { useSharedService } from '../support/service.ts';
import { setCookies, valueSet } from '../support/set-cookie.ts';
import { claimWith, insertTickets, ticketCookies } from '../support/tickets.ts';

const target = useSharedService();

const gone = { statusCode: 410, message: 'Claim ticket has expired', code: 'ticket_gone' };
const taken = { statusCode: 409, message: 'PID already taken', code: 'handle_taken' };
const conflict = {
  statusCode: 409,
  message: 'Email sudah terhubung dengan akun lain',
  code: 'email_conflict',
};

/** The number of rows in every table written by a claim. */
async function counts(): Promise<unknown> {
  const tables = ['identities', 'profiles', 'emails', 'credentials', 'sessions', 'decisions'];
  const columns = tables.map((name) => `(SELECT count(*) FROM ${name}) AS ${name}`).join(', ');
  return (await target.rows(`SELECT ${columns}, (SELECT count(consumed_by) FROM claim_tickets) AS used`))[0];
}

async function expectUnchanged(act: () => Promise<void>): Promise<void> {
  const before = await counts();
  await act();
  expect(await counts()).toEqual(before);
}

async function newcomer(claims = somebody()): Promise<{ browser: Browser; ticket: string }> {
  const browser = openBrowser(target);
  const callback = await signIn(target, browser, claims);
  return { browser, ticket: valueSet(callback, 'pid_claim') ?? '' };
}

const claim = (browser: Browser, body: unknown) => browser.fetch('/v1/auth/claim', json('POST', body));
const ticketRow = (ticket: string) =>
  target.rows('SELECT * FROM claim_tickets WHERE hash = ?', [secretHash(ticket)]);

describe('a claim ticket', () => {
  it('returns 410 and leaves no row if it is unknown, altered or outside its cookie [D-37]', async () => {
    const { ticket } = await newcomer();
    const handle = freshHandle();
    const flipped = `${ticket.slice(0, -1)}${ticket.endsWith('A') ? 'B' : 'A'}`;
    await expectUnchanged(async () => {
      const wrong = ['', 'garbage', ticket.slice(0, -1), flipped, `${ticket}A`, secretHash(ticket)];
      for (const value of wrong) {
        for (const answer of [
          await claimWith(target, value, { handle }),
          await target.request('/v1/auth/claim', { headers: { Cookie: ticketCookies(target, value) } }),
          await target.request(`/v1/auth/claim/handles/${handle}`, {
            headers: { Cookie: ticketCookies(target, value) },
          }),
        ]) {
          expect([answer.status, await answer.json()]).toEqual([410, gone]);
          expect(setCookies(answer).filter((cookie) => cookie.value !== '')).toEqual([]);
        }
      }
      const bodies = [{ handle }, { handle, ticket }, { handle, pid_claim: ticket, claim: ticket }];
      for (const body of bodies) {
        const answer = await target.request(`/v1/auth/claim?ticket=${ticket}`, json('POST', body));
        expect([answer.status, await answer.json()]).toEqual([410, gone]);
      }
    });
    expect((await claimWith(target, ticket, { handle })).status).toBe(200);
  });

  it('returns 410 after ten minutes, and the next sign-in issues a new ticket [D-38]', async () => {
    const claims = somebody();
    const { browser, ticket } = await newcomer(claims);
    await target.advance(590);
    expect((await browser.fetch('/v1/auth/claim')).status).toBe(200);
    await target.advance(11);
    const handle = freshHandle();
    await expectUnchanged(async () => {
      const cookie = { Cookie: ticketCookies(target, ticket) };
      const preview = await target.request('/v1/auth/claim', { headers: cookie });
      expect([preview.status, await preview.json()]).toEqual([410, gone]);
      const answer = await claimWith(target, ticket, { handle });
      expect([answer.status, await answer.json()]).toEqual([410, gone]);
    });
    const again = await signIn(target, browser, claims);
    expect(valueSet(again, 'pid_claim')).not.toBe(ticket);
    expect((await claim(browser, { handle })).status).toBe(200);
  });

  it('works only once: a second claim returns 410 and creates no identity [D-39]', async () => {
    const { browser, ticket } = await newcomer();
    const handle = freshHandle();
    const first = await claim(browser, { handle });
    expect([first.status, await first.json()]).toEqual([200, expect.objectContaining({ handle })]);
    expect(await browser.cookie('pid_claim')).toBe(null);
    await expectUnchanged(async () => {
      for (const body of [{ handle }, { handle: freshHandle() }]) {
        const answer = await claimWith(target, ticket, body);
        expect([answer.status, await answer.json()]).toEqual([410, gone]);
      }
    });
  });

  it('hides the name and email after use, even on the page [D-39]', async () => {
    const claims = { ...somebody(), name: 'Ayu Lestari' };
    const { browser, ticket } = await newcomer(claims);
    expect((await claim(browser, { handle: freshHandle() })).status).toBe(200);
    const headers = { Cookie: ticketCookies(target, ticket) };
    const api = await target.request('/v1/auth/claim', { headers });
    expect([api.status, await api.json()]).toEqual([410, gone]);
    const navigation = { ...headers, Accept: 'text/html', 'Sec-Fetch-Mode': 'navigate' };
    const page = await target.request('/v1/auth/claim', { headers: navigation });
    const text = await page.text();
    expect(page.status).toBe(410);
    for (const secret of ['Ayu', claims.email]) expect(text).not.toContain(secret);
  });

  it('returns 410 after another ticket claims its account', async () => {
    const claims = somebody();
    const [one, two] = [await newcomer(claims), await newcomer(claims)];
    expect((await claim(one.browser, { handle: freshHandle() })).status).toBe(200);
    await expectUnchanged(async () => {
      const answer = await claim(two.browser, { handle: freshHandle() });
      expect([answer.status, await answer.json()]).toEqual([410, gone]);
    });
  });

  it('shows the signed-in account, and suggests an available handle', async () => {
    const claims = { ...somebody(), name: 'Ayu Lestari', locale: 'id' };
    const before = target.now();
    const { browser } = await newcomer(claims);
    const preview = await browser.fetch('/v1/auth/claim');
    const shown = (await preview.json()) as { expiresAt: string };
    expect([preview.status, shown]).toEqual([
      200,
      {
        id: expect.stringMatching(/^[\w-]{16}$/),
        provider: 'idp',
        email: claims.email,
        displayName: 'Ayu Lestari',
        suggestedHandle: 'ayu.lestari',
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ]);
    expect(Date.parse(shown.expiresAt)).toBeGreaterThanOrEqual(before + 600_000);
    expect(Date.parse(shown.expiresAt)).toBeLessThanOrEqual(target.now() + 600_000);
    const claimed = await claim(browser, { handle: 'ayu.lestari' });
    expect(await claimed.json()).toMatchObject({ profile: { displayName: 'Ayu Lestari', locale: 'id' } });

    const other = await newcomer({ ...somebody(), name: 'Ayu Lestari' });
    const second = (await (await other.browser.fetch('/v1/auth/claim')).json()) as {
      suggestedHandle: string;
    };
    expect(second.suggestedHandle).toMatch(/^ayu\.lestari./);
    expect((await claim(other.browser, { handle: second.suggestedHandle })).status).toBe(200);
  });

  it('can be discarded without affecting other tickets', async () => {
    const [giver, other] = [await newcomer(), await newcomer()];
    const answer = await giver.browser.fetch('/v1/auth/claim', { method: 'DELETE' });
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(setCookies(answer)).toEqual(
      ['pid_claim', 'pid_claim_key'].map((name) =>
        expect.objectContaining({ name, value: '', maxAge: 0, path: '/v1/auth' }),
      ),
    );
    expect(await ticketRow(giver.ticket)).toEqual([]);
    const late = await claimWith(target, giver.ticket, { handle: freshHandle() });
    expect([late.status, await late.json()]).toEqual([410, gone]);
    expect((await giver.browser.fetch('/v1/auth/claim', { method: 'DELETE' })).status).toBe(204);
    expect((await claim(other.browser, { handle: freshHandle() })).status).toBe(200);
  });

  it('cannot be discarded after use', async () => {
    const { browser, ticket } = await newcomer();
    await claim(browser, { handle: freshHandle() });
    const used = await ticketRow(ticket);
    const headers = { Cookie: ticketCookies(target, ticket) };
    expect((await target.request('/v1/auth/claim', { method: 'DELETE', headers })).status).toBe(204);
    expect(await ticketRow(ticket)).toEqual(used);
  });

  it('stays usable if a claim fails midway, and nothing is stored [D-44]', async () => {
    // The credential's name is too long for its table, so the fifth statement of the batch fails.
    const [ticket = ''] = await insertTickets(target, 1, { credentialName: 'n'.repeat(65) });
    const handle = freshHandle();
    await expectUnchanged(async () => {
      const answer = await claimWith(target, ticket, { handle });
      expect([answer.status, await answer.json()]).toEqual([
        500,
        { statusCode: 500, message: 'Internal server error', code: 'internal' },
      ]);
      expect(setCookies(answer)).toEqual([]);
    });
    await target.rows('UPDATE claim_tickets SET credential_name = NULL WHERE hash = ?', [secretHash(ticket)]);
    expect((await claimWith(target, ticket, { handle })).status).toBe(200);
  });

  it('returns 409 while its verified address is taken, and works once the address is available', async () => {
    const email = somebody().email;
    const [first, second] = [
      await newcomer({ ...somebody(), email }),
      await newcomer({ ...somebody(), email: email.toUpperCase() }),
    ];
    const owner = await claim(first.browser, { handle: freshHandle() });
    const { handle } = (await owner.json()) as { handle: string };
    const before = await ticketRow(second.ticket);
    const wanted = freshHandle();
    await expectUnchanged(async () => {
      const answer = await claim(second.browser, { handle: wanted });
      expect([answer.status, await answer.json(), setCookies(answer)]).toEqual([409, conflict, []]);
    });
    expect(await ticketRow(second.ticket)).toEqual(before);
    expect((await second.browser.fetch('/v1/auth/claim')).status).toBe(200);

    await target.rows(
      `INSERT INTO credentials (id, handle, provider, provider_user_id, linked_at, last_login_at)
        VALUES (?, ?, 'google', ?, 1, 1)`,
      [`crd_second_${handle}`, handle, `google-${handle}`],
    );
    const list = (await (await first.browser.fetch('/v1/credentials')).json()) as {
      id: string;
      provider: string;
    }[];
    const own = list.find(({ provider }) => provider === 'idp');
    const unlinked = await first.browser.fetch(`/v1/credentials/${own?.id}`, { method: 'DELETE' });
    expect(unlinked.status).toBe(204);
    const later = await claim(second.browser, { handle: wanted });
    expect([later.status, await later.json()]).toEqual([200, expect.objectContaining({ handle: wanted })]);
  });
});

describe('a claim', () => {
  it('revokes the session of the refresh token sent with it [D-13]', async () => {
    const { browser } = await newMember(target);
    const old = (await browser.cookie('pid_refresh')) ?? '';
    const claims = somebody();
    await signIn(target, browser, claims);
    expect((await claim(browser, { handle: freshHandle() })).status).toBe(200);
    const [row] = await target.rows<{ revoked_reason: string }>(
      'SELECT revoked_reason FROM sessions WHERE id = ?',
      [old.split('.')[1] ?? ''],
    );
    expect(row?.revoked_reason).toBe('replaced');
  });

  it('accepts and trims a display name of up to 64 characters, and explains why it rejects others', async () => {
    const { browser } = await newcomer();
    const handle = freshHandle();
    const wrong: [unknown, string][] = [
      ['a'.repeat(65), 'displayName must be shorter than or equal to 64 characters'],
      ['', 'displayName must not be empty'],
      ['   ', 'displayName must not be empty'],
      [7, 'displayName must be a string'],
      [null, 'displayName must be a string'],
      [['a'], 'displayName must be a string'],
      ['a\u0007b', 'displayName must not contain control or invisible characters'],
      ['a\u202eb', 'displayName must not contain control or invisible characters'],
      ['a\ud800', 'displayName must not contain control or invisible characters'],
      ['\u3164', 'displayName must not contain control or invisible characters'],
      ['\u200d\u200d', 'displayName must not contain control or invisible characters'],
      ['a\u00adb', 'displayName must not contain control or invisible characters'],
      ['a\nb', 'displayName must not contain control or invisible characters'],
    ];
    await expectUnchanged(async () => {
      for (const [displayName, text] of wrong) {
        const answer = await claim(browser, { handle, displayName });
        expect([answer.status, await answer.json()]).toEqual([
          400,
          { statusCode: 400, message: [text], code: 'validation_failed' },
        ]);
      }
    });
    const displayName = 'ä'.repeat(64);
    const claimed = await claim(browser, { handle, displayName });
    expect([claimed.status, await claimed.json()]).toEqual([
      200,
      expect.objectContaining({ profile: { displayName, locale: 'id' } }),
    ]);
    const other = await newcomer();
    const trimmed = await claim(other.browser, { handle: freshHandle(), displayName: '  Ayu  ' });
    expect(await trimmed.json()).toMatchObject({ profile: { displayName: 'Ayu' } });
  });

  it('rejects an invalid handle with an array of messages about the field, and ignores other fields [D-43]', async () => {
    const { browser } = await newcomer();
    const wrong = [
      ...['', 'a', 'ab', 'a/b', '..', '...', '@', 'ada@pid', 'a\u0000b', 'ada\n', ' ada', 'ada ', 'a b c'],
      ...[
        '.ada',
        'ada.',
        '_ada',
        'ada-',
        'a..b',
        'a._b',
        'a--b',
        'ａｄａ',
        'ada\u0301',
        'adá',
        'Ⅷ-ada',
        '\u212Aelvin',
      ],
      ...['a'.repeat(31), 'a'.repeat(10_000), '<b>ada</b>', "ada'--", '%61da', 'ada%00', 'ада'],
      ...[7, true, null, undefined, [], ['ada'], {}, { handle: 'ada' }],
    ];
    await expectUnchanged(async () => {
      for (const handle of wrong) {
        const answer = await claim(browser, { handle });
        const body = (await answer.json()) as { message: unknown };
        const message = expect.arrayContaining([expect.stringMatching(/^handle must /)]);
        expect([handle, answer.status, body]).toEqual([
          handle,
          400,
          { statusCode: 400, message, code: 'validation_failed' },
        ]);
      }
      for (const body of [[], 'ada', null, 7]) {
        const answer = await claim(browser, body);
        expect([
          answer.status,
          Array.isArray(((await answer.json()) as { message: unknown }).message),
        ]).toEqual([400, true]);
      }
      const huge = await claim(browser, { handle: 'a'.repeat(1024 * 1024) });
      expect(huge.status).toBe(413);
    });
    const handle = freshHandle();
    const others = {
      id: 'x',
      pid: 'root@pid',
      role: 'admin',
      roles: ['admin'],
      identityId: 1,
      status: 'closed',
    };
    const claimed = await claim(browser, { handle, ...others });
    expect(await claimed.json()).toMatchObject({ pid: `${handle}@pid`, handle, roles: [] });
  });

  it('folds only upper case, so a handle is issued in only one form [D-42]', async () => {
    const base = freshHandle();
    const forms = [base, base.toUpperCase(), `${base.charAt(0).toUpperCase()}${base.slice(1)}`];
    const [first = '', ...others] = await insertTickets(target, forms.length);
    const claimed = await claimWith(target, first, { handle: base.toUpperCase() });
    expect(await claimed.json()).toMatchObject({ pid: `${base}@pid`, handle: base });
    for (const [index, ticket] of others.entries()) {
      const answer = await claimWith(target, ticket, { handle: forms[index] });
      expect([answer.status, await answer.json()]).toEqual([409, taken]);
    }
    const wide = [...base]
      .map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0))
      .join('');
    for (const form of [wide, ` ${base}`, `${base} `, `${base}\u0301`, `${base}\u200b`]) {
      expect((await claimWith(target, others[0] ?? '', { handle: form })).status).toBe(400);
    }
  });

  it('returns 409 for a reserved, taken or look-alike handle, and keeps the ticket', async () => {
    const [owner = '', other = ''] = await insertTickets(target, 2);
    expect((await claimWith(target, owner, { handle: 'walter.moll' })).status).toBe(200);
    await expectUnchanged(async () => {
      for (const handle of [
        ...['admin', 'Admin', 'root', 'support', 'a-d-m-i-n', 'adm1n', 'adrnin', 'r00t'],
        ...[
          'walter.moll',
          'WALTER.MOLL',
          'walter-moll',
          'waltermoll',
          'vvalter.moll',
          'wa1ter.mo1l',
          'walter.rno11',
        ],
      ]) {
        const answer = await claimWith(target, other, { handle });
        expect([handle, answer.status, await answer.json(), setCookies(answer)]).toEqual([
          handle,
          409,
          taken,
          [],
        ]);
      }
    });
    expect((await claimWith(target, other, { handle: freshHandle() })).status).toBe(200);
  });

  it('returns 409 for any form of a closed identity’s handle [D-45]', async () => {
    const member = await newMember(target);
    const { handle, browser } = member;
    await target.rows(`UPDATE identities SET status = 'closed', closed_at = 1 WHERE handle = ?`, [handle]);
    await target.rows('DELETE FROM credentials WHERE handle = ?', [handle]);
    const [ticket = ''] = await insertTickets(target, 1);
    for (const form of [handle, handle.toUpperCase(), handle.replace('-', '.'), handle.replace('-', '')]) {
      const answer = await claimWith(target, ticket, { handle: form });
      expect([answer.status, await answer.json()]).toEqual([409, taken]);
    }
    expect((await browser.fetch('/v1/auth/refresh', { method: 'POST' })).status).toBe(401);
    expect((await browser.fetch('/v1/credentials/crd_x', { method: 'DELETE' })).status).toBe(401);
    // The former holder signs in as a newcomer, without anything from the old identity.
    const again = await signIn(target, openBrowser(target), member.claims);
    expect(valueSet(again, 'pid_claim')).not.toBe(null);
  });
});

describe('the handle check', () => {
  it('reports whether a handle is available, and otherwise suggests available ones', async () => {
    const { browser } = await newcomer();
    const check = async (handle: string) => {
      const answer = await browser.fetch(`/v1/auth/claim/handles/${encodeURIComponent(handle)}`);
      expect(answer.status).toBe(200);
      return (await answer.json()) as { suggestions: string[] } & Record<string, unknown>;
    };
    const free = freshHandle();
    expect(await check(free.toUpperCase())).toEqual({
      ...{ handle: free, pid: `${free}@pid`, available: true, reason: null, suggestions: [] },
    });
    for (const handle of ['a', 'a..b', 'ada@pid', 'ä', 'a'.repeat(300)]) {
      expect(await check(handle)).toEqual({
        ...{ handle: handle.slice(0, 64), pid: null, available: false, reason: 'invalid', suggestions: [] },
      });
    }
    const held = (await newMember(target)).handle;
    for (const [handle, reason] of [
      ['admin', 'reserved'],
      ['adm1n', 'reserved'],
      [held, 'taken'],
      [held.replace('-', ''), 'taken'],
    ] as const) {
      const { suggestions, ...rest } = await check(handle);
      expect(rest).toEqual({ handle, pid: `${handle}@pid`, available: false, reason });
      expect(suggestions.length).toBe(3);
      for (const suggestion of suggestions)
        expect(await check(suggestion)).toMatchObject({ available: true });
    }
  });

  it('suggests handles based on the person’s name instead of a reserved one', async () => {
    const { browser } = await newcomer({ ...somebody(), name: 'Citra Kirana' });
    const answer = await browser.fetch('/v1/auth/claim/handles/admin');
    const { suggestions } = (await answer.json()) as { suggestions: string[] };
    expect(suggestions).toHaveLength(3);
    for (const suggestion of suggestions) expect(suggestion).toMatch(/^citra\.kirana/);
  });

  it('needs a ticket, but neither consumes nor extends it', async () => {
    const { browser, ticket } = await newcomer();
    const before = await ticketRow(ticket);
    const handle = freshHandle();
    await browser.fetch(`/v1/auth/claim/handles/${handle}`);
    expect(await ticketRow(ticket)).toEqual(before);
    const answer = await target.request(`/v1/auth/claim/handles/${handle}`);
    expect([answer.status, await answer.json()]).toEqual([410, gone]);
  });
});
