import { beforeAll, describe, expect, it } from 'vitest';
import { deskGuards } from '../support/desk-guards.ts';
import { holdGuards } from '../support/hold-guards.ts';
import { ledgerGuards } from '../support/ledger-guards.ts';
import { limitGuards } from '../support/limit-guards.ts';
import { adjust, fundedWallet, gateway } from '../support/money.ts';
import { freshHandle, type Member, newMember, somebody } from '../support/people.ts';
import { reportGuards } from '../support/report-guards.ts';
import { useService } from '../support/service.ts';
import { claimWith, insertTickets } from '../support/tickets.ts';
import { withdrawalGuards } from '../support/withdrawal-guards.ts';

let ada: Member;
let ben: Member;
const target = useService();
beforeAll(async () => {
  [ada, ben] = [await newMember(target), await newMember(target)];
});

/** Sends a statement directly to the database, which must reject it for exactly this reason. */
async function expectRefusal(reason: string, sql: string): Promise<void> {
  const problem = await target.rows(sql).then(
    () => 'the database took it',
    (error: Error) => `${error.message} ${error.cause ?? ''}`,
  );
  expect(`${sql}: ${problem}`).toContain(reason);
  fired.add(reason.split(': ').at(-1)?.replace('guard:', '') ?? '');
}

/** Names of the guards and CHECKs that have rejected something in this file. */
const fired = new Set<string>();

const guard = (name: string) => `guard:${name}`;
const check = (name: string) => `CHECK constraint failed: ${name}`;
const unique = (columns: string) => `UNIQUE constraint failed: ${columns}`;

function identity(handle: string, skeleton = handle, ticket = handle): string {
  return `INSERT INTO identities (handle, skeleton, ticket, created_at) VALUES ('${handle}', '${skeleton}', '${ticket}', 1)`;
}

/** Inserts a copy of a member's credential with some columns changed. */
function credential(of: Member, changes: Record<string, string>): string {
  const columns = {
    id: `'crd_${freshHandle()}'`,
    handle: 'handle',
    provider: 'provider',
    provider_user_id: `'${somebody().sub}'`,
    email: 'NULL',
    linked_at: '1',
    last_login_at: '1',
    ...changes,
  };
  const names = Object.keys(columns).join(', ');
  return `INSERT INTO credentials (${names}) SELECT ${Object.values(columns).join(', ')} FROM credentials WHERE handle = '${of.handle}' LIMIT 1`;
}

/** Inserts a copy of a member's session with some columns changed. */
function session(of: Member, changes: Record<string, string>): string {
  const columns = {
    id: `'ses_${freshHandle()}'`,
    ...Object.fromEntries(
      [
        ...['handle', 'credential_id', 'provider', 'authenticated_at', 'created_at', 'last_seen_at'],
        ...['expires_at', 'token_hash', 'token_expires_at', 'previous_hash', 'rotated_at'],
        ...['revoked_at', 'revoked_reason'],
      ].map((name) => [name, name]),
    ),
    ...changes,
  };
  const names = Object.keys(columns).join(', ');
  return `INSERT INTO sessions (${names}) SELECT ${Object.values(columns).join(', ')} FROM sessions WHERE handle = '${of.handle}' LIMIT 1`;
}

describe('the database', () => {
  it('rejects a second identity with the same handle, look-alike key or ticket [D-79]', async () => {
    const [row] = await target.rows<{ skeleton: string; ticket: string }>(
      'SELECT skeleton, ticket FROM identities WHERE handle = ?',
      [ada.handle],
    );
    await expectRefusal(unique('identities.handle'), identity(ada.handle, 'other', 'other'));
    await expectRefusal(unique('identities.skeleton'), identity(freshHandle(), row?.skeleton));
    await expectRefusal(unique('identities.ticket'), identity(freshHandle(), undefined, row?.ticket));
  });

  it('rejects a handle that is not in its canonical form [D-79]', async () => {
    const wrong = [
      'ab',
      'a'.repeat(31),
      'Ada',
      'ADA',
      'a b',
      '.ada',
      'ada.',
      'a..b',
      'a-_b',
      'ada@pid',
      'adá',
      'ada\n',
    ];
    for (const handle of wrong) await expectRefusal(check('handle_format'), identity(handle));
  });

  it('rejects an update that renames, deletes, reopens or half-closes an identity [D-79]', async () => {
    const where = `WHERE handle = '${ada.handle}'`;
    for (const change of [`handle = 'renamed'`, `skeleton = 'x'`, `ticket = 'x'`, 'created_at = 1']) {
      await expectRefusal(guard('identity_permanent'), `UPDATE identities SET ${change} ${where}`);
    }
    await expectRefusal(guard('identity_permanent'), `DELETE FROM identities ${where}`);
    await expectRefusal(check('identity_status'), `UPDATE identities SET status = 'gone' ${where}`);
    await expectRefusal(check('identity_closed_at'), `UPDATE identities SET closed_at = 1 ${where}`);
    await expectRefusal(check('identity_closed_at'), `UPDATE identities SET status = 'closed' ${where}`);

    const { handle } = await newMember(target);
    const wallet = await fundedWallet(target, handle, 5);
    const close = `UPDATE identities SET status = 'closed', closed_at = 1 WHERE handle = '${handle}'`;
    await expectRefusal(guard('closure_blocked'), close);
    await adjust(target, { from: wallet, to: gateway, amount: 5 });
    await target.rows(close);
    for (const change of [`status = 'active', closed_at = NULL`, `status = 'suspended'`, 'closed_at = 2']) {
      await expectRefusal(
        guard('identity_closed_final'),
        `UPDATE identities SET ${change} WHERE handle = '${handle}'`,
      );
    }
  });

  it('rejects one provider account for two identities, and a credential that changes owner [D-79]', async () => {
    const same = { provider_user_id: 'provider_user_id', handle: `'${ben.handle}'` };
    await expectRefusal(unique('credentials.provider, credentials.provider_user_id'), credential(ada, same));
    for (const change of [
      `id = 'x'`,
      `handle = '${ben.handle}'`,
      `provider = 'google'`,
      `provider_user_id = 'x'`,
    ]) {
      await expectRefusal(
        guard('credential_owner'),
        `UPDATE credentials SET ${change} WHERE handle = '${ada.handle}'`,
      );
    }
  });

  it('rejects a 51st credential for an identity', async () => {
    const many = await newMember(target);
    for (let count = 1; count < 50; count += 1) await target.rows(credential(many, {}));
    await expectRefusal(guard('credential_most'), credential(many, {}));
  });

  it('rejects an identity without a credential, unless it is closed [D-79]', async () => {
    const where = `WHERE handle = '${ada.handle}'`;
    await expectRefusal(guard('last_credential'), `DELETE FROM credentials ${where}`);
    await target.rows(credential(ada, {}));
    await expectRefusal(guard('last_credential'), `DELETE FROM credentials ${where}`);
    const [left] = await target.rows<{ count: number }>(`SELECT count(*) AS count FROM credentials ${where}`);
    expect(left?.count).toBe(2);
  });

  it('rejects a second record of the same unlink', async () => {
    const unlinked = `INSERT INTO activity (handle, at, type, credential_id)
      VALUES ('${ada.handle}', 1, 'credential.unlinked', 'crd_once')`;
    await target.rows(unlinked);
    await expectRefusal(unique('activity.credential_id'), unlinked);
  });

  it('rejects one verified address for two identities, regardless of case [D-79]', async () => {
    const { email } = ada.claims;
    const insert = (text: string) => `INSERT INTO emails VALUES ('${text}', '${ben.handle}', 1)`;
    await expectRefusal(unique('emails.email'), insert(email));
    for (const text of [email.toUpperCase(), ` ${email}`, `${email} `, '@example.com', 'nothing']) {
      await expectRefusal(check('email_canonical'), insert(text));
    }
    await expectRefusal(
      'FOREIGN KEY constraint failed',
      `UPDATE credentials SET email = '${email}' WHERE handle = '${ben.handle}'`,
    );
    await expectRefusal('FOREIGN KEY constraint failed', `DELETE FROM emails WHERE email = '${email}'`);
  });

  it('rejects a credential whose columns do not match its kind [D-79]', async () => {
    const refusals: [string, Record<string, string>][] = [
      ['credential_provider', { provider: `'Face book'` }],
      ['credential_provider', { provider: `''` }],
      ['credential_provider', { provider: `'${'x'.repeat(33)}'` }],
      ['provider_user_id_length', { provider_user_id: `''` }],
      ['provider_user_id_length', { provider_user_id: `'${'x'.repeat(1024)}'` }],
      ['credential_name_length', { name: `'${'n'.repeat(65)}'` }],
      ['password_shape', { provider: `'email'` }],
      ['password_shape', { password_hash: `'hash'` }],
      [
        'password_shape',
        { provider: `'email'`, password_hash: `'hash'`, provider_user_id: `'x@example.com'` },
      ],
      ['passkey_shape', { provider: `'passkey'`, passkey_user_id: `'user'` }],
      ['passkey_shape', { provider: `'passkey'`, passkey_user_id: `'user'`, public_key: `'key'` }],
      ['passkey_shape', { public_key: `'key'`, sign_count: '0' }],
      ['passkey_user', { provider: `'passkey'`, public_key: `'key'`, sign_count: '0' }],
      ['passkey_user', { passkey_user_id: `'user'` }],
      [
        'sign_count_range',
        { provider: `'passkey'`, passkey_user_id: `'user'`, public_key: `'key'`, sign_count: '-1' },
      ],
    ];
    for (const [name, changes] of refusals) await expectRefusal(check(name), credential(ada, changes));

    const { handle } = await newMember(target);
    const address = (name: string) => `${name}.${handle}@example.com`;
    const password = (name: string) =>
      credential(ada, {
        handle: `'${handle}'`,
        provider: `'email'`,
        provider_user_id: `'${address(name)}'`,
        email: `'${address(name)}'`,
        password_hash: `'hash'`,
      });
    for (const name of ['one', 'two']) {
      await target.rows(`INSERT INTO emails VALUES ('${address(name)}', '${handle}', 1)`);
    }
    await target.rows(password('one'));
    await expectRefusal(unique('credentials.handle'), password('two'));
  });

  it('rejects a challenge used for another purpose, or twice [D-69]', async () => {
    const made = (hash: string, purpose: string) =>
      `INSERT INTO passkey_challenges (hash, purpose, bound_to, expires_at) VALUES ('${hash}', '${purpose}', 'browser', 1)`;
    await expectRefusal(check('challenge_purpose'), made('one', 'pay'));
    await target.rows(made('one', 'login'));
    const spend = (by: string) => `UPDATE passkey_challenges SET used_by = ${by} WHERE hash = 'one'`;
    await target.rows(spend(`'first'`));
    for (const by of [`'second'`, 'NULL']) await expectRefusal(guard('challenge_used_once'), spend(by));
  });

  it('rejects orphaned rows and values of the wrong type [D-79]', async () => {
    const missing = freshHandle();
    await expectRefusal(
      'FOREIGN KEY constraint failed',
      `INSERT INTO profiles (handle, display_name, updated_at) VALUES ('${missing}', 'X', 1)`,
    );
    await expectRefusal(
      'FOREIGN KEY constraint failed',
      `INSERT INTO emails VALUES ('x@example.com', '${missing}', 1)`,
    );
    await expectRefusal('FOREIGN KEY constraint failed', credential(ada, { handle: `'${missing}'` }));
    await expectRefusal(
      check('display_name_length'),
      `UPDATE profiles SET display_name = '${'n'.repeat(65)}' WHERE handle = '${ada.handle}'`,
    );
    await expectRefusal(
      check('profile_step_up'),
      `UPDATE profiles SET step_up_amount = -1 WHERE handle = '${ada.handle}'`,
    );
    await expectRefusal(
      'cannot store TEXT value in INTEGER column',
      `UPDATE profiles SET updated_at = 'soon' WHERE handle = '${ada.handle}'`,
    );
  });

  it('rejects a session without an identity, with another’s credential, or for a suspended identity [D-79]', async () => {
    const { handle } = await newMember(target);
    const own = { handle: `'${handle}'` };
    await expectRefusal(guard('session_needs_active'), session(ada, { handle: `'${freshHandle()}'` }));
    await expectRefusal(guard('session_needs_active'), session(ada, { credential_id: `'crd_unknown'` }));
    await expectRefusal(guard('session_needs_active'), session(ada, own));
    await target.rows(`UPDATE identities SET status = 'suspended' WHERE handle = '${handle}'`);
    const [row] = await target.rows<{ id: string }>(`SELECT id FROM credentials WHERE handle = '${handle}'`);
    await expectRefusal(
      guard('session_needs_active'),
      session(ada, { ...own, credential_id: `'${row?.id}'` }),
    );
  });

  it('rejects a session that is extended, moved, revived or rotated out of order [D-79]', async () => {
    const where = `WHERE handle = '${ben.handle}'`;
    const fixed = [
      `id = 'x'`,
      `handle = 'x'`,
      'authenticated_at = 1',
      'created_at = 1',
      'expires_at = expires_at + 1',
    ];
    for (const change of fixed) {
      await expectRefusal(guard('session_fixed'), `UPDATE sessions SET ${change} ${where}`);
    }
    for (const change of [
      `token_hash = 'stolen'`,
      `token_hash = 'new', previous_hash = 'never', rotated_at = 1`,
      'token_expires_at = expires_at',
      'rotated_at = 1',
    ]) {
      await expectRefusal(guard('session_token_used_once'), `UPDATE sessions SET ${change} ${where}`);
    }
    const rotate = (changes: string) => `UPDATE sessions SET previous_hash = token_hash, ${changes} ${where}`;
    await expectRefusal(check('session_rotation'), rotate('rotated_at = 1'));
    await expectRefusal(check('session_rotation'), rotate(`token_hash = 'new', rotated_at = NULL`));
    await expectRefusal(
      check('session_expiry'),
      rotate(`token_hash = 'new', rotated_at = 1, token_expires_at = expires_at + 1`),
    );
    await expectRefusal(
      check('session_expiry'),
      session(ben, { expires_at: 'created_at', token_expires_at: '1' }),
    );
    await expectRefusal(check('session_revoked'), `UPDATE sessions SET revoked_at = 1 ${where}`);
    await expectRefusal(check('session_revoked'), `UPDATE sessions SET revoked_reason = 'logout' ${where}`);
    await expectRefusal(
      check('session_revoked_reason'),
      `UPDATE sessions SET revoked_at = 1, revoked_reason = 'whim' ${where}`,
    );

    await target.rows(`UPDATE sessions SET revoked_at = 1, revoked_reason = 'logout' ${where}`);
    for (const change of [
      'revoked_at = NULL, revoked_reason = NULL',
      'revoked_at = 2',
      `revoked_reason = 'ended'`,
    ]) {
      await expectRefusal(guard('session_end_final'), `UPDATE sessions SET ${change} ${where}`);
    }
    await expectRefusal(guard('session_token_used_once'), rotate(`token_hash = 'new', rotated_at = 1`));
  });

  it('rejects a ticket that is reused, shares its consumer, or has a different address from the one shown [D-79]', async () => {
    const [used = '', other = ''] = await insertTickets(target, 2);
    expect((await claimWith(target, used, { handle: freshHandle() })).status).toBe(200);
    const where = 'WHERE consumed_by IS NOT NULL';
    for (const change of ['consumed_by = NULL', `consumed_by = 'other'`, 'expires_at = expires_at + 1']) {
      await expectRefusal(guard('ticket_used_once'), `UPDATE claim_tickets SET ${change} ${where}`);
    }
    await expectRefusal(
      unique('claim_tickets.consumed_by'),
      `UPDATE claim_tickets SET consumed_by = (SELECT max(consumed_by) FROM claim_tickets) WHERE consumed_by IS NULL`,
    );
    await expectRefusal(
      check('ticket_email_shown'),
      `UPDATE claim_tickets SET email = 'a@example.com', shown_email = 'b@example.com' WHERE consumed_by IS NULL`,
    );
    expect((await claimWith(target, other, { handle: freshHandle() })).status).toBe(200);
  });

  it('rejects malformed rows in its one-row tables, journal and keys [D-79]', async () => {
    await expectRefusal(check('settings_one_row'), 'INSERT INTO settings (id) VALUES (2)');
    await expectRefusal(check('tripwire_one_row'), 'INSERT INTO tripwire (id, ok) VALUES (2, 1)');
    await expectRefusal(check('batch_assertion_failed'), 'UPDATE tripwire SET ok = 0');
    await expectRefusal(
      check('pid_journal_event'),
      `INSERT INTO pid_journal (handle, skeleton, event, at) VALUES ('a', 'a', 'lost', 1)`,
    );
    await expectRefusal(check('signing_key_times'), 'UPDATE signing_keys SET signs_until = signs_from');
    await expectRefusal(check('signing_key_times'), 'UPDATE signing_keys SET verifies_until = signs_until');
    await expectRefusal(
      unique('signing_keys.alg, signing_keys.generation'),
      `INSERT INTO signing_keys SELECT 'copy', generation, alg, public_jwk, private_enc, signs_from, signs_until, verifies_until FROM signing_keys LIMIT 1`,
    );
    await target.rows(`INSERT INTO used_once (hash, expires_at) VALUES ('state', 1)`);
    await expectRefusal(
      unique('used_once.hash'),
      `INSERT INTO used_once (hash, expires_at) VALUES ('state', 2)`,
    );
  });

  it('rejects an incomplete popup request, and a second decision on one [D-79]', async () => {
    const digest = 'd'.repeat(43);
    const request = (changes: Record<string, string>) => {
      const columns = {
        id: `'${'p'.repeat(22)}'`,
        kind: `'login'`,
        origin: `'https://app.example.com'`,
        verifier_hash: `'hash'`,
        digest: `'${digest}'`,
        created_at: '1',
        expires_at: '2',
        ...changes,
      };
      return `INSERT INTO popup_requests (${Object.keys(columns).join(', ')}) VALUES (${Object.values(columns).join(', ')})`;
    };
    const approval = { kind: `'approval'`, operation: `'wallet.create'` };
    const refusals: [string, Record<string, string>][] = [
      ['popup_id_length', { id: `'short'` }],
      ['popup_kind', { kind: `'payment'` }],
      ['popup_operation', { ...approval, operation: `'gift'`, app_id: `'a'`, handle: `'ada'` }],
      ['popup_status', { status: `'lost'` }],
      ['popup_opener_lost', { opener_lost: '2' }],
      ['popup_away_to', { away_to: `'not a name'` }],
      ['popup_approval_operation', { operation: `'wallet.create'` }],
      ['popup_transfer_inquiry', { inquiry_id: `'i'` }],
      ['popup_approval_bound', approval],
      ['popup_decided', { status: `'denied'` }],
      ['popup_decided_by', { status: `'approved'`, decided_at: '1' }],
      ['popup_redeemed', { redeemed_op: `'op'` }],
    ];
    for (const [name, changes] of refusals) await expectRefusal(check(name), request(changes));

    await target.rows(request({}));
    await expectRefusal(unique('popup_requests.id'), request({}));
    const where = `WHERE id = '${'p'.repeat(22)}'`;
    await target.rows(`UPDATE popup_requests SET status = 'opened' ${where}`);
    await target.rows(`UPDATE popup_requests SET status = 'denied', decided_at = 1 ${where}`);
    for (const status of ['opened', 'approved', 'cancelled', 'redeemed']) {
      await expectRefusal(
        guard('popup_decided_final'),
        `UPDATE popup_requests SET status = '${status}' ${where}`,
      );
    }
    const redeemed = {
      status: `'redeemed'`,
      decided_at: '1',
      handle: `'ada'`,
      session_id: `'s'`,
      redeemed_op: `'op'`,
    };
    await target.rows(request({ ...redeemed, id: `'${'q'.repeat(22)}'` }));
    // For an app with a secret, or one whose result was handed over.
    const approved = { ...redeemed, id: `'${'s'.repeat(22)}'`, status: `'approved'`, redeemed_op: 'NULL' };
    await target.rows(request(approved));
    const redeem = `UPDATE popup_requests SET status = 'redeemed', redeemed_op = 'other' WHERE id = ${approved.id}`;
    await expectRefusal(guard('popup_handed_over'), redeem);
    await target.rows(`UPDATE popup_requests SET result_hash = 'h' WHERE id = ${approved.id}`);
    await target.rows(redeem);
    const tv = `INSERT INTO apps (id, owner, name, type, device_flow, created_at, updated_at)
      VALUES ('app_tv', '${ada.handle}', 'TV', 'native', 1, 1, 1)`;
    await target.rows(tv);
    const device = {
      ...approved,
      ...{ id: `'.${'d'.repeat(21)}'`, app_id: `'app_tv'`, status: `'opened'`, decided_at: 'NULL' },
    };
    await expectRefusal(guard('popup_device_id'), request(device));
    await expectRefusal(
      guard('popup_device_id'),
      request({ ...device, id: `'${'d'.repeat(22)}'`, user_code_mac: `'m'` }),
    );
    for (const scope of ['wallet:read', 'fiat:transfer']) {
      const params = `'{"scopes":["openid","${scope}"]}'`;
      await expectRefusal(guard('popup_device_scopes'), request({ ...device, user_code_mac: `'m'`, params }));
    }
    const flow = (on: number) => target.rows(`UPDATE apps SET device_flow = ${on} WHERE id = 'app_tv'`);
    await flow(0);
    await expectRefusal(guard('popup_device_flow'), request({ ...device, user_code_mac: `'m'` }));
    await flow(1);
    await target.rows(request({ ...device, user_code_mac: `'m'` }));
    const approve = `UPDATE popup_requests SET status = 'approved', decided_at = 1 WHERE id = ${device.id}`;
    await expectRefusal(guard('popup_device_typed'), approve);
    await target.rows(`UPDATE popup_requests SET typed = 1 WHERE id = ${device.id}`);
    await flow(0);
    await expectRefusal(guard('popup_device_flow_ended'), approve);
    await flow(1);
    await target.rows(approve);
    await target.rows(`UPDATE apps SET status = 'deleted' WHERE id = 'app_tv'`);
    await expectRefusal(
      unique('popup_requests.redeemed_op'),
      request({ ...redeemed, id: `'${'r'.repeat(22)}'` }),
    );
  });

  it('rejects a sixth guess at a code, a second use of it, and a code without a purpose [D-79]', async () => {
    const code = (purpose: string, tries = 5) =>
      `INSERT INTO email_codes (purpose, email, bound_to, mac, tries_left, expires_at)
        VALUES ('${purpose}', 'ada@example.com', 'browser', 'mac', ${tries}, 1)`;
    await expectRefusal(check('code_purpose'), code('login'));
    await expectRefusal(check('code_tries'), code('reset', 6));
    await target.rows(code('reset', 0));
    await expectRefusal(check('code_tries'), 'UPDATE email_codes SET tries_left = tries_left - 1');
    await target.rows(`UPDATE email_codes SET used_by = 'one'`);
    for (const change of [`used_by = 'two'`, 'used_by = NULL']) {
      await expectRefusal(guard('code_used_once'), `UPDATE email_codes SET ${change}`);
    }
    await target.rows(`UPDATE email_codes SET mac = 'newer', used_by = NULL`);
  });

  it('rejects updates and deletions of audit log lines [D-79]', async () => {
    await target.rows(
      `INSERT INTO audit_log (at, actor, action, target, detail) VALUES (1, 'ada', 'identity.status', 'ben', '{}')`,
    );
    await expectRefusal(guard('audit_immutable'), `UPDATE audit_log SET actor = 'eve'`);
    await expectRefusal(guard('audit_immutable'), 'DELETE FROM audit_log');
  });

  it('rejects an email that is sent twice or is in an unsupported language', async () => {
    const mail = (id: string, columns: string) =>
      `INSERT INTO mails (id, kind, recipient, locale, sealed_params, created_at, next_at, sent_at, expires_at)
        VALUES ('${id}', 'reset_code', 'a@example.com', ${columns}, 9)`;
    await expectRefusal(check('mail_locale'), mail('mai_fr', `'fr', '', 1, 1, NULL`));
    await expectRefusal(check('mail_sent_once'), mail('mai_both', `'en', '', 1, 1, 1`));
    await target.rows(mail('mai_sent', `'en', '', 1, NULL, 2`));
    for (const change of ['sent_at = NULL, next_at = 3', 'sent_at = 3', 'sent_at = NULL']) {
      await expectRefusal(guard('mail_sent_final'), `UPDATE mails SET ${change} WHERE id = 'mai_sent'`);
    }
  });

  it('rejects an app with out-of-range values, a new owner or type, or a secret that its type does not allow', async () => {
    const app = (id: string, columns: Record<string, string> = {}) => {
      const row = { name: `'Shop'`, type: `'web'`, ...columns };
      return `INSERT INTO apps (id, owner, ${Object.keys(row).join(', ')}, created_at, updated_at)
        VALUES ('${id}', '${ada.handle}', ${Object.values(row).join(', ')}, 1, 1)`;
    };
    const origin = (id: string, app: string) =>
      `INSERT INTO app_origins (origin, app_id) VALUES ('https://${id}.example', '${app}')`;
    const secret = (id: string, app: string) =>
      `INSERT INTO app_secrets (hash, id, app_id, hint, created_at) VALUES ('${id}', '${id}', '${app}', '1234', 1)`;
    await expectRefusal(check('app_name_length'), app('a', { name: `''` }));
    await expectRefusal(check('app_type'), app('a', { type: `'server'` }));
    await expectRefusal(check('app_id_token_alg'), app('a', { id_token_alg: `'none'` }));
    await expectRefusal(guard('app_pkce'), app('a', { pkce: `'none'` }));
    await expectRefusal(guard('app_pkce'), app('a', { pkce: `'nonce'`, type: `'spa'` }));
    await expectRefusal(guard('app_device_flow'), app('a', { device_flow: '2' }));
    await expectRefusal(guard('app_device_flow'), app('a', { device_flow: '1', type: `'spa'` }));
    await expectRefusal(check('app_status'), app('a', { status: `'live'` }));
    await expectRefusal(check('app_first_party'), app('a', { first_party_at: '1' }));
    await expectRefusal(check('app_token_limit'), app('a', { token_limit: '0' }));
    const uris = JSON.stringify(Array.from({ length: 11 }, (_, count) => `https://a.example/${count}`));
    await expectRefusal(check('app_redirect_uris'), app('a', { redirect_uris: `'${uris}'` }));
    await expectRefusal(check('app_document'), app('https://agent.example/a'));
    const document = (id: string, columns: Record<string, string> = {}) =>
      app(id, { type: `'native'`, ...columns }).replace(`'${ada.handle}'`, 'NULL');
    await expectRefusal(check('app_document'), document('app_of_nobody'));
    await expectRefusal(guard('app_device_flow'), document('https://agent.example/a', { device_flow: '1' }));
    for (const columns of [{ checked_at: '1' }, { token_limit: '9' }, { type: `'web'` }] as Record<
      string,
      string
    >[])
      await expectRefusal(check('app_document_unmarked'), document('https://agent.example/a', columns));
    const afterLogout = { post_logout_redirect_uris: `'${uris}'` };
    await expectRefusal(guard('app_post_logout_most'), app('a', afterLogout));
    for (let count = 0; count < 49; count += 1) await target.rows(app(`app_${count}`));
    await target.rows(app('app_page', { type: `'spa'` }));
    const accept = (id: string, pkce: string) => `UPDATE apps SET pkce = '${pkce}' WHERE id = '${id}'`;
    await expectRefusal(guard('app_pkce_changed'), accept('app_page', 'nonce'));
    await expectRefusal(guard('app_pkce_changed'), accept('app_1', 'none'));
    await target.rows(accept('app_1', 'nonce'));
    const allow = (id: string, flow: number) => `UPDATE apps SET device_flow = ${flow} WHERE id = '${id}'`;
    await expectRefusal(guard('app_device_flow_changed'), allow('app_page', 1));
    await expectRefusal(guard('app_device_flow_changed'), allow('app_1', 2));
    await target.rows(allow('app_1', 1));
    const leave = `UPDATE apps SET post_logout_redirect_uris = '${uris}' WHERE id = 'app_1'`;
    await expectRefusal(guard('app_post_logout_more'), leave);
    await expectRefusal(guard('app_limit'), app('app_50'));
    await expectRefusal(guard('app_fixed'), `UPDATE apps SET owner = '${ben.handle}' WHERE id = 'app_1'`);
    await expectRefusal(guard('app_fixed'), `UPDATE apps SET type = 'spa' WHERE id = 'app_1'`);
    await expectRefusal(guard('app_kept'), `DELETE FROM apps WHERE id = 'app_1'`);
    for (let count = 0; count < 10; count += 1) await target.rows(origin(`o${count}`, 'app_1'));
    await expectRefusal(guard('app_origin_limit'), origin('o10', 'app_1'));
    await target.rows(secret('one', 'app_1'));
    await expectRefusal(unique('app_secrets.app_id'), secret('two', 'app_1'));
    await expectRefusal(guard('app_secret_allowed'), secret('two', 'app_page'));
    for (let count = 0; count < 9; count += 1) {
      await target.rows('UPDATE app_secrets SET expires_at = 9 WHERE expires_at IS NULL');
      await target.rows(secret(`former${count}`, 'app_1'));
    }
    await expectRefusal(guard('app_secret_limit'), secret('eleventh', 'app_1'));
    const logo = `INSERT INTO app_logos (app_id, hash, data) VALUES ('app_2', 'a', 'iVBORw0KGgo')`;
    const resource = (by: string) => `INSERT INTO app_resources (resource, app_id, origin, proven_by)
      VALUES ('https://o1.example', 'app_2', 'https://o1.example', '${by}')`;
    const webhook = `INSERT INTO webhooks (app_id, url, secret_enc, updated_at)
      VALUES ('app_2', 'https://a.example/', 'sealed', 1)`;
    await target.rows(webhook);
    await target.rows(`UPDATE apps SET status = 'suspended' WHERE id = 'app_2'`);
    for (const column of ['name', 'redirect_uris', 'backchannel_logout_uri'])
      await expectRefusal(
        guard('app_suspended_fixed'),
        `UPDATE apps SET ${column} = '[]' WHERE id = 'app_2'`,
      );
    await expectRefusal(guard('app_origin_limit'), origin('o1', 'app_2'));
    await expectRefusal(guard('app_logo_needs_app'), logo);
    await expectRefusal(guard('app_resource_needs_app'), resource('file'));
    await expectRefusal(guard('webhook_of_suspended'), `UPDATE webhooks SET url = 'https://b.example/'`);
    await expectRefusal(guard('webhook_of_suspended'), 'DELETE FROM webhooks');
    await expectRefusal(guard('webhook_needs_app'), `${webhook} ON CONFLICT DO NOTHING`);
    await target.rows(`UPDATE apps SET status = 'deleted' WHERE id = 'app_2'`);
    await expectRefusal(guard('app_logo_needs_app'), logo);
    await expectRefusal(guard('app_resource_needs_app'), resource('desk'));
    await expectRefusal(guard('app_deleted_final'), `UPDATE apps SET status = 'active' WHERE id = 'app_2'`);
    await expectRefusal(guard('app_deleted_final'), `UPDATE apps SET name = 'Other' WHERE id = 'app_2'`);
    await target.rows(
      `INSERT INTO accounts (kind, owner, asset, created_at) VALUES ('app', 'app_2', 'IDR', 1)`,
    );
    await expectRefusal(guard('app_kept'), `DELETE FROM apps WHERE id = 'app_2'`);
    await expectRefusal(guard('app_origin_limit'), origin('o1', 'app_2'));
    await expectRefusal(guard('app_secret_allowed'), secret('two', 'app_2'));
  });

  it('rejects a webhook with out-of-range values, and an event that changes or is delivered twice', async () => {
    const app = `(SELECT id FROM apps WHERE owner = '${ada.handle}' AND type = 'web' AND status = 'active' LIMIT 1)`;
    const webhook = (columns: Record<string, string> = {}) => {
      const row = { app_id: app, ...columns };
      return `INSERT INTO webhooks (url, secret_enc, updated_at, ${Object.keys(row).join(', ')})
        VALUES ('https://a.example/', 'sealed', 1, ${Object.values(row).join(', ')})`;
    };
    await expectRefusal(check('webhook_status'), webhook({ status: `'gone'` }));
    await expectRefusal(check('webhook_previous'), webhook({ previous_enc: `'sealed'` }));
    await expectRefusal(check('webhook_failing'), webhook({ failures: '1' }));
    await expectRefusal(guard('webhook_needs_app'), webhook({ app_id: `'app_2'` }));
    await target.rows(webhook());
    const event = `INSERT INTO webhook_events (id, app_id, type, data, at, delivered_at) VALUES ('evt_1', ${app}, 'ping', '{}', 1, NULL)`;
    await target.rows(event);
    await expectRefusal(unique('webhook_events.id'), event);
    await expectRefusal(check('event_delivered_once'), 'UPDATE webhook_events SET delivered_at = 2');
    await expectRefusal(guard('event_fixed'), `UPDATE webhook_events SET data = '[]'`);
  });

  it('rejects a grant with out-of-range values, a second grant, a change of the person, and spending beyond its limits [D-81]', async () => {
    const app = `(SELECT id FROM apps WHERE owner = '${ada.handle}' AND type = 'spa' LIMIT 1)`;
    const grant = (id: string, columns: Record<string, string> = {}) => {
      const row = { app_id: app, handle: `'${ben.handle}'`, scopes: `'["openid"]'`, ...columns };
      return `INSERT INTO grants (id, created_at, ${Object.keys(row).join(', ')})
        VALUES ('${id}', 1, ${Object.values(row).join(', ')})`;
    };
    const payees = JSON.stringify(Array.from({ length: 51 }, (_, count) => `payee${count}`));
    await expectRefusal(guard('grant_needs_active'), grant('grt_1', { app_id: `'app_2'` }));
    await expectRefusal(guard('grant_needs_active'), grant('grt_1', { handle: `'nobody'` }));
    await expectRefusal(check('grant_scopes'), grant('grt_1', { scopes: `'"openid"'` }));
    for (const column of ['per_transfer', 'total_limit', 'max_uses']) {
      await expectRefusal(check('grant_limits'), grant('grt_1', { [column]: '0' }));
    }
    await expectRefusal(check('grant_period'), grant('grt_1', { per_period: '1' }));
    await expectRefusal(check('grant_fee'), grant('grt_1', { fee_bps: '10001' }));
    await expectRefusal(check('grant_payees'), grant('grt_1', { payees: `'"ada"'` }));
    await expectRefusal(check('grant_payees'), grant('grt_1', { payees: `'${payees}'` }));
    await expectRefusal(check('grant_resources'), grant('grt_1', { resources: `'"https://a.example"'` }));
    await expectRefusal(check('grant_spent'), grant('grt_1', { spent: '-1' }));
    await expectRefusal(check('grant_revoked'), grant('grt_1', { revoked_at: '1' }));
    await expectRefusal(check('grant_revoked_by'), grant('grt_1', { revoked_at: '1', revoked_by: `'whim'` }));
    await target.rows(grant('grt_1', { per_period: '10', period_ms: '5', total_limit: '20', max_uses: '2' }));
    await expectRefusal(unique('grants.app_id, grants.handle'), grant('grt_2'));
    const change = (columns: string) => `UPDATE grants SET ${columns} WHERE id = 'grt_1'`;
    for (const columns of [`handle = '${ada.handle}'`, `app_id = 'app_1'`, 'created_at = 2']) {
      await expectRefusal(guard('grant_fixed'), change(columns));
    }
    for (const columns of ['spent = 11', 'spent_total = 21', 'uses = 3']) {
      await expectRefusal(guard('grant_limit_exceeded'), change(columns));
    }
    for (let count = 0; count <= 50; count += 1) {
      const id = `https://agent.example/${count}`;
      await target.rows(
        `INSERT INTO apps (id, name, type, created_at, updated_at) VALUES ('${id}', 'agent.example', 'native', 1, 1)`,
      );
      const allow = grant(`grt_of_${count}`, { app_id: `'${id}'` });
      if (count < 50) await target.rows(allow);
      else await expectRefusal(guard('grant_document_limit'), allow);
    }
    await target.rows(`DELETE FROM grants WHERE id GLOB 'grt_of_*'`);
    expect(await target.rows(`SELECT id FROM apps WHERE owner IS NULL`)).toEqual([
      { id: 'https://agent.example/50' },
    ]);
    await target.rows(change('spent = 10, spent_total = 20, uses = 2, period_start = 7'));
    for (const columns of ['spent = 9', 'spent_total = 19', 'uses = 1', 'spent = 0, period_start = 7']) {
      await expectRefusal(guard('grant_spent_kept'), change(columns));
    }
    await target.rows(change('spent = 0, period_start = 12'));
    await target.rows(change('total_limit = 5'));
    const entries = JSON.stringify(Array.from({ length: 201 }, (_, count) => `a${count}.example openid`));
    for (const column of ['hosts', 'resources'])
      await expectRefusal(guard('grant_entries_most'), change(`${column} = '${entries}'`));
    await expectRefusal(guard('grant_limit_exceeded'), change('spent_total = 21'));
  });

  it('rejects a sign-in to an app without a grant, reuse of a code, and reactivation of a revoked sign-in', async () => {
    const session = (id: string, columns: Record<string, string> = {}) => {
      const row = {
        grant_id: `'grt_1'`,
        app_id: `(SELECT app_id FROM grants WHERE id = 'grt_1')`,
        handle: `'${ben.handle}'`,
        ...columns,
      };
      return `INSERT INTO app_sessions (id, session_id, scopes, provider, authenticated_at, created_at, expires_at,
        ${Object.keys(row).join(', ')}) VALUES ('${id}', 'ses_1', '["openid"]', 'idp', 1, 1, 9, ${Object.values(row).join(', ')})`;
    };
    const code = {
      code_hash: `'hash'`,
      code_until: '5',
      redirect_uri: `'https://a.example/'`,
      code_challenge: `'challenge'`,
      host: `'a.example'`,
    };
    await expectRefusal(guard('app_session_host'), session('aps_1', code));
    await expectRefusal(check('grant_hosts'), `UPDATE grants SET hosts = '{}' WHERE id = 'grt_1'`);
    await target.rows(`UPDATE grants SET hosts = '["a.example openid"]' WHERE id = 'grt_1'`);
    const bare = { ...code, code_challenge: `''` };
    for (const columns of [bare, { ...bare, nonce: `'nonce'` }])
      await expectRefusal(guard('app_session_challenge'), session('aps_1', columns));
    await expectRefusal(guard('app_session_needs_grant'), session('aps_1', { handle: `'${ada.handle}'` }));
    await expectRefusal(guard('app_session_needs_grant'), session('aps_1', { app_id: `'app_1'` }));
    for (const name of Object.keys(code).filter((each) => each !== 'host')) {
      await expectRefusal(check('app_session_code'), session('aps_1', { ...code, [name]: 'NULL' }));
    }
    await expectRefusal(check('app_session_token'), session('aps_1', { ...code, token_hash: `'hash'` }));
    await expectRefusal(check('app_session_revoked'), session('aps_1', { revoked_at: '1' }));
    await expectRefusal(guard('app_session_target'), session('aps_1', { resource: `'https://a.example/'` }));
    const named = { ...code, resource: `'https://a.example/b'` };
    await expectRefusal(guard('app_session_target'), session('aps_1', named));
    const resource = (columns: Record<string, string> = {}) => {
      const own = `(SELECT app_id FROM grants WHERE id = 'grt_1')`;
      const row = { resource: named.resource, app_id: own, origin: `'https://a.example'`, ...columns };
      return `INSERT INTO app_resources (proven_by, ${Object.keys(row).join(', ')})
        VALUES ('desk', ${Object.values(row).join(', ')})`;
    };
    for (const origin of ['https://b.example', 'https://a.exampl'])
      await expectRefusal(check('app_resource_origin'), resource({ origin: `'${origin}'` }));
    const logo = (data: string) =>
      `INSERT INTO app_logos (app_id, hash, data) VALUES ('app_1', 'a', ${data})`;
    await expectRefusal(check('app_logo_png'), logo(`'PHN2Zz4'`));
    await expectRefusal(check('app_logo_size'), logo(`'iVBORw0KGgo' || hex(zeroblob(45001))`));
    await expectRefusal(check('app_resource_clients'), resource({ clients: `'{}'` }));
    await expectRefusal(check('app_resource_proof'), resource().replace('desk', 'word'));
    await target.rows(resource());
    await expectRefusal(unique('app_resources.resource'), resource());
    await expectRefusal(
      guard('app_resource_fixed'),
      `UPDATE app_resources SET app_id = 'app_1' WHERE app_id = (SELECT app_id FROM grants WHERE id = 'grt_1')`,
    );
    const read = (at: number) =>
      `UPDATE app_resources SET read_at = ${at} WHERE resource = ${named.resource}`;
    await target.rows(read(5));
    await expectRefusal(guard('app_resource_read_order'), read(4));
    for (let n = 0; n < 9; n += 1) await target.rows(resource({ resource: `'https://a.example/${n}'` }));
    await expectRefusal(guard('app_resources_most'), resource({ resource: `'https://a.example/9'` }));
    const file = (columns: Record<string, string>) =>
      resource({ origin: `'https://f.example'`, ...columns }).replace('desk', 'file');
    await target.rows(`UPDATE app_resources SET proven_by = 'file' WHERE resource = 'https://a.example/b'`);
    const [elsewhere] = await target.rows<{ id: string }>(
      `SELECT id FROM apps WHERE id <> (SELECT app_id FROM grants WHERE id = 'grt_1') LIMIT 1`,
    );
    const theirs = { app_id: `'${elsewhere?.id}'`, resource: `'https://a.example/theirs'` };
    await expectRefusal(
      guard('app_resource_origin_owner'),
      file({ ...theirs, origin: `'https://a.example'` }),
    );
    await target.rows(resource(theirs));
    await expectRefusal(
      guard('app_resource_origin_owner_proof'),
      `UPDATE app_resources SET proven_by = 'file' WHERE resource = ${theirs.resource}`,
    );
    await target.rows(`UPDATE apps SET checked_at = 1, first_party_at = 1 WHERE id = ${theirs.app_id}`);
    await target.rows(file({ ...theirs, resource: `'https://f.example/'` }));
    const marks = await target.rows(
      `SELECT checked_at, first_party_at FROM apps WHERE id = ${theirs.app_id}`,
    );
    expect(marks).toEqual([{ checked_at: null, first_party_at: null }]);
    // The resource is neither at one of the app's origins nor in the grant.
    await expectRefusal(guard('app_session_target'), session('aps_1', named));
    await target.rows(`UPDATE grants SET resources = '["https://a.example/b"]' WHERE id = 'grt_1'`);
    // The person agreed to it on another host.
    await expectRefusal(guard('app_session_target'), session('aps_1', named));
    const places = '["a.example openid","a.example https://a.example/b"]';
    await target.rows(`UPDATE grants SET hosts = '${places}' WHERE id = 'grt_1'`);
    await target.rows(session('aps_3', { ...named, code_hash: `'another'` }));
    await target.rows(`UPDATE grants SET resources = '[]' WHERE id = 'grt_1'`);
    await expectRefusal(
      guard('app_session_target_ended'),
      `UPDATE app_sessions SET used_by = 'one', token_hash = 'token' WHERE id = 'aps_3'`,
    );
    await target.rows(session('aps_1', code));
    await expectRefusal(unique('app_sessions.code_hash'), session('aps_2', code));
    const change = (columns: string) => `UPDATE app_sessions SET ${columns} WHERE id = 'aps_1'`;
    for (const columns of [`handle = '${ada.handle}'`, `code_hash = 'other'`, 'created_at = 2']) {
      await expectRefusal(guard('app_session_fixed'), change(columns));
    }
    await target.rows(change(`dpop_jkt = 'one'`));
    for (const key of [`'two'`, 'NULL'])
      await expectRefusal(guard('app_session_key_fixed'), change(`dpop_jkt = ${key}`));
    await target.rows(`UPDATE app_sessions SET used_by = 'one' WHERE id = 'aps_3'`);
    await expectRefusal(
      guard('app_session_key_fixed'),
      `UPDATE app_sessions SET dpop_jkt = 'one' WHERE id = 'aps_3'`,
    );
    await target.rows(change(`used_by = 'one', token_hash = 'token'`));
    for (const by of [`'two'`, 'NULL'])
      await expectRefusal(guard('code_used_once'), change(`used_by = ${by}`));
    await target.rows(change(`revoked_at = 2, revoked_reason = 'replay'`));
    for (const columns of [`token_hash = 'next'`, 'revoked_at = NULL, revoked_reason = NULL']) {
      await expectRefusal(guard('app_session_end_final'), change(columns));
    }
    await target.rows(`UPDATE grants SET revoked_at = 3, revoked_by = 'person' WHERE id = 'grt_1'`);
    await expectRefusal(
      guard('grant_revoked_final'),
      `UPDATE grants SET revoked_at = NULL, revoked_by = NULL WHERE id = 'grt_1'`,
    );
    await expectRefusal(guard('grant_revoked_final'), `UPDATE grants SET max_uses = 9 WHERE id = 'grt_1'`);
    await expectRefusal(guard('app_session_needs_grant'), session('aps_2'));
  });

  ledgerGuards(target, expectRefusal);
  withdrawalGuards(target, expectRefusal);
  deskGuards(target, expectRefusal);
  reportGuards(target, expectRefusal);
  holdGuards(target, expectRefusal);
  limitGuards(target, expectRefusal);

  it('records every change in the journal and the activity [D-79]', async () => {
    const { handle } = await newMember(target);
    await target.rows(`UPDATE sessions SET revoked_at = 5, revoked_reason = 'ended' WHERE handle = ?`, [
      handle,
    ]);
    await target.rows(`UPDATE identities SET status = 'closed', closed_at = 6 WHERE handle = ?`, [handle]);
    const journal = await target.rows('SELECT event FROM pid_journal WHERE handle = ? ORDER BY seq', [
      handle,
    ]);
    expect(journal).toEqual([{ event: 'issued' }, { event: 'closed' }]);
    const activity = await target.rows('SELECT type, detail FROM activity WHERE handle = ? ORDER BY seq', [
      handle,
    ]);
    expect(activity).toEqual([
      { type: 'credential.linked', detail: 'idp' },
      { type: 'identity.claimed', detail: null },
      { type: 'session.started', detail: 'idp' },
      { type: 'session.ended', detail: 'ended' },
    ]);
  });

  it('has only guards and named CHECKs that these tests exercise [D-79, S-18]', async () => {
    const rows = await target.rows<{ sql: string }>('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL');
    const text = rows.map(({ sql }) => sql).join('\n');
    const names = [...text.matchAll(/'guard:(\w+)'|CONSTRAINT (\w+) CHECK/g)].map(
      ([, one, two]) => one ?? two,
    );
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !fired.has(name ?? ''))).toEqual([]);
  });
});
