import { afterEach, describe, expect, inject, it } from 'vitest';
import { releaseLease, takeLease } from '../src/db/lease.ts';
import type { KeyValueStore } from '../src/lib/key-value.ts';
import { startBun } from './support/bun-process.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from './support/file-service.ts';
import type { InProcessTarget } from './support/in-process.ts';
import { fundedWallet } from './support/money.ts';
import { freshHandle, newMember } from './support/people.ts';

const dayMs = 86_400_000;
const opened: InProcessTarget[] = [];
const folders: ServiceFiles[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((service) => service.close()));
  await Promise.all(folders.splice(0).map((files) => files.remove()));
});

async function files(): Promise<ServiceFiles> {
  const made = await makeServiceFiles();
  folders.push(made);
  return made;
}

async function open(
  place: ServiceFiles,
  change?: (kv: KeyValueStore) => KeyValueStore,
  variables: Record<string, string> = {},
): Promise<InProcessTarget> {
  const idp = {
    IDP_ISSUER: inject('lyingIssuer'),
    IDP_CLIENT_ID: 'peridot',
    IDP_CLIENT_SECRET: 'provider secret',
  };
  const settings = { ...idp, RATE_LIMITS: '{"*":1000000}', ...variables };
  const service = await openFileService(place, settings, change);
  opened.push(service);
  return service;
}

interface Result {
  outcome: string;
  counts: Record<string, number>;
}

/** Runs every job once, like a cron trigger, and returns the results. */
async function run(service: InProcessTarget): Promise<Record<string, Result>> {
  const answer = await service.request('/dev/scheduled', { method: 'POST' });
  const { data } = (await answer.json()) as { data: (Result & { job: string })[] };
  return Object.fromEntries(data.map(({ job, ...result }) => [job, result]));
}

const jobLines = (service: InProcessTarget) =>
  service
    .log()
    .map((line) => JSON.parse(line) as { event: string; level: string; job: string; counts: unknown })
    .filter(({ event }) => event === 'job');

const journalRows = (service: InProcessTarget) =>
  service.rows<{ handle: string; event: string }>('SELECT handle, event FROM pid_journal ORDER BY seq');

/** A store that rejects every write while `broken.now` is true. */
function breakable(broken: { now: boolean }): (kv: KeyValueStore) => KeyValueStore {
  return (kv) => ({
    ...kv,
    put: (key, value) => (broken.now ? Promise.reject(new Error('no put today')) : kv.put(key, value)),
  });
}

describe('a lease', () => {
  it('is granted to only one of many concurrent requests, and to another only after it expires', async () => {
    const { deps } = await open(await files());
    const now = deps.now();
    const lease = (holder: string) => ({ job: 'work', holder, until: now + 1_000 });
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, index) => takeLease(deps.db, lease(`runner-${index}`), now)),
    );
    expect(taken.filter(Boolean)).toHaveLength(1);
    const winner = lease(`runner-${taken.indexOf(true)}`);
    expect(await takeLease(deps.db, winner, now)).toBe(true);
    expect(await takeLease(deps.db, lease('late'), now + 999)).toBe(false);
    await releaseLease(deps.db, lease('late'));
    expect(await takeLease(deps.db, lease('late'), now)).toBe(false);
    await releaseLease(deps.db, winner);
    expect(await takeLease(deps.db, lease('late'), now)).toBe(true);
    expect(await takeLease(deps.db, lease('heir'), now + 1_000)).toBe(true);
  });
});

describe('scheduled work', () => {
  it('is done by only one of two runners that start simultaneously', async () => {
    const place = await files();
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const slow = await open(place, (kv) => ({
      ...kv,
      async put(key, value) {
        reached.resolve();
        await gate.promise;
        await kv.put(key, value);
      },
    }));
    const quick = await open(place);
    await slow.rows(
      "INSERT INTO pid_journal (handle, skeleton, event, at) VALUES ('ada', 'ada', 'issued', 7)",
    );
    const slowRun = run(slow);
    await reached.promise;
    const meanwhile = await run(quick);
    expect(meanwhile['journal']).toEqual({ outcome: 'elsewhere', counts: {} });
    expect(meanwhile['purge']?.outcome).toBe('done');
    expect(await journalRows(slow)).toHaveLength(1);
    gate.resolve();
    expect((await slowRun)['journal']).toEqual({ outcome: 'done', counts: { copied: 1 } });
    expect(await journalRows(slow)).toEqual([]);
    expect((await run(quick))['journal']).toEqual({ outcome: 'done', counts: { copied: 0 } });
  });

  it('waits for a dead runner only until the lease expires', async () => {
    const service = await open(await files());
    const until = service.now() + 60_000;
    await service.rows("INSERT INTO job_leases (job, holder, until) VALUES ('purge', 'dead', ?)", [until]);
    expect((await run(service))['purge']?.outcome).toBe('elsewhere');
    await service.advance(61);
    expect((await run(service))['purge']?.outcome).toBe('done');
  });

  it('ignores a lease from a clock far ahead, but not from one slightly ahead', async () => {
    const service = await open(await files());
    const leaseMs = 5 * 60_000;
    const lay = (job: string, ahead: number) =>
      service.rows("INSERT INTO job_leases (job, holder, until) VALUES (?, 'ahead', ?)", [
        job,
        service.now() + leaseMs + ahead,
      ]);
    await lay('purge', dayMs);
    await lay('keys', 30_000);
    const results = await run(service);
    expect([results['purge']?.outcome, results['keys']?.outcome]).toEqual(['done', 'elsewhere']);
    await service.advance(331);
    expect((await run(service))['keys']?.outcome).toBe('done');
  });

  it('continues with the other jobs when one fails and logs one line for each job', async () => {
    const broken = { now: true };
    const service = await open(await files(), breakable(broken));
    await service.rows("INSERT INTO used_once (hash, expires_at) VALUES ('0000000000001x', 1)");
    await service.rows(
      "INSERT INTO pid_journal (handle, skeleton, event, at) VALUES ('ada', 'ada', 'closed', 7)",
    );
    const results = await run(service);
    expect(Object.entries(results).map(([job, { outcome }]) => [job, outcome])).toEqual([
      ['journal', 'failed'],
      ['mail', 'done'],
      ['keys', 'done'],
      ['reseal', 'done'],
      ['ledger', 'done'],
      ['purge', 'done'],
      ['deposits', 'done'],
      ['withdrawals', 'done'],
      ['reports', 'done'],
      ['alarms', 'done'],
      ['logouts', 'done'],
      ['webhooks', 'done'],
      ['proofs', 'done'],
    ]);
    expect(results['keys']?.counts).toEqual({ added: 1 });
    expect(jobLines(service).map(({ job, level }) => [job, level])).toEqual([
      ['journal', 'error'],
      ['mail', 'debug'],
      ['keys', 'info'],
      ['reseal', 'debug'],
      ['ledger', 'debug'],
      ['purge', 'info'],
      ['deposits', 'debug'],
      ['withdrawals', 'debug'],
      ['reports', 'debug'],
      ['alarms', 'debug'],
      ['logouts', 'debug'],
      ['webhooks', 'debug'],
      ['proofs', 'debug'],
    ]);
    expect(jobLines(service).find(({ job }) => job === 'purge')?.counts).toMatchObject({
      usedOnce: 1,
      sessions: 0,
    });
    expect(await journalRows(service)).toEqual([{ handle: 'ada', event: 'closed' }]);

    broken.now = false;
    expect((await run(service))['journal']).toEqual({ outcome: 'done', counts: { copied: 1 } });
    expect(await service.deps.kv.get('pid:closed:ada')).toBe('{"at":7}');
    expect(await journalRows(service)).toEqual([]);
  });
});

describe('the entry on Bun', () => {
  it('runs the jobs at startup and stops cleanly', async () => {
    const server = await startBun();
    try {
      await expect.poll(() => server.output().match(/"event":"job"/g)?.length ?? 0).toBe(13);
      // The first key is created by the job or by the check of /readyz, whichever comes first; the other finds the key.
      expect(server.output().match(/"event":"signing_key.added"/g)).toHaveLength(1);
      expect(server.output()).toMatch(/"job":"keys","outcome":"done","counts":\{"added":[01]\}/);
      const { code, output } = await server.end('SIGTERM');
      expect([code, output.match(/"level":"error"/g)]).toEqual([0, null]);
    } finally {
      await server.close();
    }
  });
});

describe('the PID journal', () => {
  it('stores a PID as soon as it is claimed, and the next run deletes the row', async () => {
    const service = await open(await files());
    const { handle } = await newMember(service);
    const [row] = await service.rows<{ skeleton: string; created_at: number }>(
      'SELECT skeleton, created_at FROM identities WHERE handle = ?',
      [handle],
    );
    const held = async () => JSON.parse((await service.deps.kv.get(`pid:issued:${handle}`)) ?? 'null');
    await expect.poll(held).toEqual({ skeleton: row?.skeleton, at: row?.created_at });
    expect(await journalRows(service)).toEqual([{ handle, event: 'issued' }]);
    expect((await run(service))['journal']?.counts).toEqual({ copied: 1 });
    expect(await journalRows(service)).toEqual([]);
  });

  it('neither blocks nor loses a claim if the store fails', async () => {
    const broken = { now: true };
    const service = await open(await files(), breakable(broken));
    const handle = freshHandle();
    await newMember(service, handle);
    expect(await service.deps.kv.get(`pid:issued:${handle}`)).toBeNull();
    expect((await run(service))['journal']?.outcome).toBe('failed');
    broken.now = false;
    expect((await run(service))['journal']?.counts).toEqual({ copied: 1 });
    expect(await service.deps.kv.get(`pid:issued:${handle}`)).toContain('skeleton');
  });

  it('copies four hundred rows per run', async () => {
    const service = await open(await files());
    await service.rows(`INSERT INTO pid_journal (handle, skeleton, event, at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 612)
      SELECT 'handle' || i, 'handle' || i, 'issued', i FROM n`);
    expect((await run(service))['journal']?.counts).toEqual({ copied: 400 });
    expect((await run(service))['journal']?.counts).toEqual({ copied: 212 });
    const keys: string[] = [];
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page = await service.deps.kv.list('pid:issued:', cursor);
      keys.push(...page.entries.map(({ key }) => key));
      cursor = page.next;
    }
    expect(new Set(keys).size).toBe(612);
  });
});

/** Revoked grants: an old one, an old one that still has a sign-in, and one revoked a day too late for deletion. */
async function endGrants(service: InProcessTarget, handle: string): Promise<void> {
  await service.rows(
    `INSERT INTO apps (id, owner, name, type, created_at, updated_at) VALUES ('app_2', ?, 'Cafe', 'web', 1, 1)`,
    [handle],
  );
  for (const [name, days] of [
    ['past', 90],
    ['used', 90],
    ['future', 89],
  ] as const) {
    await service.rows(
      `INSERT INTO grants (id, app_id, handle, scopes, created_at) VALUES (?, 'app_2', ?, '[]', 1)`,
      [`grt_${name}`, handle],
    );
    if (name === 'used')
      await service.rows(
        `INSERT INTO app_sessions (id, grant_id, app_id, handle, session_id, scopes, provider, authenticated_at,
            created_at, expires_at)
          VALUES (?, 'grt_used', 'app_2', ?, '', '[]', 'idp', 1, 1, ?)`,
        [name, handle, service.now() + dayMs],
      );
    await service.rows(`UPDATE grants SET revoked_at = ?, revoked_by = 'person' WHERE id = ?`, [
      service.now() - days * dayMs,
      `grt_${name}`,
    ]);
  }
}

describe('the purge', () => {
  it('deletes expired rows in every table and nothing else', async () => {
    const service = await open(await files(), undefined, {
      ACTIVITY_DAYS: '30',
      SESSION_MAX_SECONDS: '2592000',
    });
    const { handle } = await newMember(service);
    const now = service.now();
    await service.rows(
      `INSERT INTO apps (id, owner, name, type, created_at, updated_at) VALUES ('app_1', ?, 'Shop', 'web', 1, 1)`,
      [handle],
    );
    await service.rows(
      `INSERT INTO grants (id, app_id, handle, scopes, created_at, expires_at) VALUES ('grt_1', 'app_1', ?, '[]', ?, ?)`,
      [handle, now, now],
    );
    const past = now - 1;
    const future = now + 3_600_000;
    for (const [name, at] of [
      ['past', past],
      ['future', future],
    ] as const) {
      await service.rows('INSERT INTO used_once (hash, expires_at) VALUES (?, ?)', [`${at}${name}`, at]);
      await service.rows(
        "INSERT INTO claim_tickets (hash, provider, provider_user_id, expires_at) VALUES (?, 'idp', ?, ?)",
        [name, name, at],
      );
      await service.rows(
        "INSERT INTO passkey_challenges (hash, purpose, bound_to, expires_at) VALUES (?, 'login', 'x', ?)",
        [name, at],
      );
      await service.rows(
        `INSERT INTO signing_keys (kid, generation, alg, public_jwk, private_enc, signs_from, signs_until, verifies_until)
          SELECT ?, max(generation) + 1, 'ES256', '{}', 'sealed', 1, 2, ? FROM signing_keys`,
        [name, at],
      );
      // A key stays for a year, to verify ID tokens given as a hint, without its private part.
      await service.rows(
        `INSERT INTO signing_keys (kid, generation, alg, public_jwk, private_enc, signs_from, signs_until, verifies_until)
          SELECT ?, max(generation) + 1, 'ES256', '{}', 'sealed', 1, 2, ? FROM signing_keys`,
        [`old-${name}`, at - 365 * dayMs],
      );
      await service.rows(
        `INSERT INTO mails (id, kind, recipient, locale, sealed_params, created_at, expires_at)
          VALUES (?, 'reset_code', 'a@example.com', 'en', '', 1, ?)`,
        [name, at - 60 * 60_000],
      );
      await service.rows(
        `INSERT INTO email_codes (purpose, email, bound_to, mac, expires_at) VALUES ('reset', 'a@example.com', ?, '', ?)`,
        [name, at],
      );
      await service.rows('INSERT INTO secret_tries (key, tries, resets_at) VALUES (?, 1, ?)', [name, at]);
      await service.rows('INSERT INTO rate_buckets (key, tokens, at) VALUES (?, 1, ?)', [
        name,
        at - 10 * 60_000,
      ]);
      await service.rows(
        `INSERT INTO popup_requests (id, kind, origin, verifier_hash, digest, created_at, expires_at)
          VALUES (?, 'login', 'https://app.example.com', '', '', 1, ?)`,
        [name.padEnd(22, '-'), at - 60 * 60_000],
      );
      for (const [kind, operation, inquiry] of [
        ['login', null, null],
        ['approval', 'transfer', 'trf_1'],
      ])
        await service.rows(
          `INSERT INTO popup_requests (id, kind, operation, inquiry_id, app_id, handle, session_id, origin,
              verifier_hash, digest, status, redeemed_op, decided_at, created_at, expires_at)
            VALUES (?, ?, ?, ?, 'app_1', 'x', 'x', 'https://app.example.com', '', '', 'redeemed', ?, 1, 1, ?)`,
          [
            `${kind}-${name}`.padEnd(22, '-'),
            kind ?? '',
            operation ?? null,
            inquiry ?? null,
            `${kind}-${name}`,
            at - 90 * dayMs,
          ],
        );
      await service.rows(
        `INSERT INTO app_sessions (id, grant_id, app_id, handle, session_id, scopes, provider, authenticated_at,
            created_at, expires_at)
          SELECT ?, id, app_id, handle, '', '[]', 'idp', 1, 1, ? FROM grants`,
        [name, at - 60 * 60_000],
      );
      await service.rows(
        `INSERT INTO sessions (id, handle, credential_id, provider, authenticated_at, created_at, last_seen_at,
            expires_at, token_hash, token_expires_at)
          SELECT ?, handle, id, provider, 1, 1, 1, ?, ?, 1 FROM credentials WHERE handle = ?`,
        [`ses_${name}`, at, name, handle],
      );
    }
    for (const [name, at] of [
      ['past', now - 30 * dayMs],
      ['future', now - 29 * dayMs],
    ] as const) {
      await service.rows(
        'INSERT INTO app_secrets (hash, id, app_id, hint, created_at, expires_at) SELECT ?, ?, id, ?, ?, ? FROM apps',
        [name, name, name, now, at],
      );
      await service.rows(
        `INSERT INTO webhook_events (id, app_id, type, data, at) SELECT ?, id, 'ping', '{}', ? FROM apps`,
        [name, at],
      );
    }
    const wallets = [await fundedWallet(service, handle, 1), await fundedWallet(service, 'other', 0)];
    for (const [name, at, status] of [
      ['past', now - dayMs, 'open'],
      ['cancelled', now - dayMs, 'cancelled'],
      ['done', now - dayMs, 'confirmed'],
      ['future', future - dayMs, 'open'],
    ] as const) {
      await service.rows(
        `INSERT INTO transfers (id, payer, payee, payer_account, payee_account, asset, amount, payer_fee, payee_fee,
            app_fee, platform_fee, debit_total, net_amount, created_at, expires_at)
          VALUES (?, ?, 'other', ?, ?, 'IDR', 1, 0, 0, 0, 0, 1, 1, 1, ?)`,
        [name, handle, ...wallets, at],
      );
      if (status === 'cancelled')
        await service.rows(`UPDATE transfers SET status = 'cancelled' WHERE id = ?`, [name]);
      if (status === 'confirmed')
        await service.rows(
          `UPDATE transfers SET status = 'confirmed', confirmed_at = 1, confirmed_by = 'op' WHERE id = ?`,
          [name],
        );
    }
    for (const [name, quoted, ended] of [
      ['past', now - dayMs, now - 90 * dayMs],
      ['future', future - dayMs, now - 89 * dayMs],
    ] as const) {
      const quote = `INSERT INTO withdrawals (id, handle, account, asset, amount, fee, gateway, destination_enc,
        destination_hint, created_at, expires_at) VALUES (?, ?, ?, 'IDR', 1, 0, 'sandbox', 'sealed', '', 1, ?)`;
      await service.rows(quote, [`quoted-${name}`, handle, wallets[1] ?? 0, quoted]);
      await service.rows(quote, [`ended-${name}`, handle, wallets[1] ?? 0, now]);
      for (const change of [
        `status = 'held', held_by = 'op', next_at = 1, held_at = ?`,
        `status = 'cancelled', next_at = NULL, ended_at = ?`,
      ])
        await service.rows(`UPDATE withdrawals SET ${change} WHERE id = ?`, [ended, `ended-${name}`]);
    }
    for (const [id, at, payment] of [
      ['dep_past', now - 180 * dayMs, null],
      ['dep_paid', now - 180 * dayMs, 'payment'],
      ['dep_future', future - 180 * dayMs, null],
    ] as const) {
      await service.rows(
        `INSERT INTO deposits (id, handle, account, asset, gross, app_fee, platform_fee, net, gateway, created_at,
            updated_at, expires_at) VALUES (?, ?, ?, 'IDR', 1, 0, 0, 1, 'sandbox', 1, 1, 1)`,
        [id, handle, wallets[0] ?? 0],
      );
      await service.rows(`UPDATE deposits SET status = 'failed', updated_at = ?, payment = ? WHERE id = ?`, [
        at,
        payment,
        id,
      ]);
    }
    for (const [name, days] of [
      ['ended past', 7],
      ['ended future', 6],
    ] as const) {
      await service.rows(
        `INSERT INTO app_sessions (id, grant_id, app_id, handle, session_id, scopes, provider, authenticated_at,
            created_at, expires_at, revoked_at, revoked_reason)
          SELECT ?, id, app_id, handle, '', '[]', 'idp', 1, 1, ?, ?, 'revoked' FROM grants WHERE id = 'grt_1'`,
        [name, now + dayMs, now - days * dayMs],
      );
    }
    await endGrants(service, handle);
    await service.rows("UPDATE activity SET at = ? WHERE type = 'credential.linked'", [now - 30 * dayMs]);
    expect((await run(service))['purge']).toEqual({
      outcome: 'done',
      counts: {
        usedOnce: 1,
        claimTickets: 1,
        closedIdentities: 0,
        passkeyChallenges: 1,
        emailCodes: 1,
        secretTries: 1,
        sessions: 1,
        archivedKeys: 3,
        signingKeys: 1,
        popupRequests: 1,
        popupSignIns: 1,
        mails: 1,
        appSecrets: 1,
        appSessions: 1,
        endedAppSessions: 1,
        expiredGrants: 1,
        deletedAppsGrants: 0,
        endedGrants: 1,
        deletedApps: 0,
        keptApps: 0,
        expiredHolds: 0,
        inquiries: 2,
        quotes: 1,
        destinations: 1,
        deposits: 1,
        // Includes the events of the grants, three times two.
        webhookEvents: 7,
        unsendableEvents: 0,
        unsendableLogouts: 0,
        openedWebhooks: 0,
        enabledWebhooks: 0,
        rateBuckets: 1,
        activity: 9,
      },
    });
    const left = async (sql: string) => (await service.rows<{ name: string }>(sql)).map(({ name }) => name);
    // The sign-in itself has used a state and a ticket, whose rows remain until they expire.
    const used = await left('SELECT substr(hash, 14) AS name FROM used_once');
    expect(used).toContain('future');
    expect(used).not.toContain('past');
    expect(await left('SELECT hash AS name FROM claim_tickets')).toContain('future');
    expect(await left('SELECT hash AS name FROM passkey_challenges')).toEqual(['future']);
    expect(await left('SELECT bound_to AS name FROM email_codes')).toEqual(['future']);
    expect(await left('SELECT key AS name FROM secret_tries')).toEqual(['future']);
    expect(await left('SELECT key AS name FROM rate_buckets')).toEqual(['future']);
    expect(await left(`SELECT rtrim(id, '-') AS name FROM popup_requests ORDER BY id`)).toEqual([
      'approval-future',
      'approval-past',
      'future',
      'login-future',
    ]);
    expect(await left('SELECT id AS name FROM mails')).toEqual(['future']);
    expect(await left('SELECT hash AS name FROM app_secrets')).toEqual(['future']);
    expect(await left('SELECT id AS name FROM app_sessions ORDER BY id')).toEqual([
      'ended future',
      'future',
      'used',
    ]);
    expect(await left('SELECT id AS name FROM grants ORDER BY id')).toEqual([
      'grt_1',
      'grt_future',
      'grt_used',
    ]);
    expect(await left(`SELECT id AS name FROM webhook_events WHERE type = 'ping'`)).toEqual(['future']);
    expect(await left('SELECT id AS name FROM transfers ORDER BY id')).toEqual(['done', 'future']);
    expect(await left('SELECT id || destination_enc AS name FROM withdrawals ORDER BY id')).toEqual([
      'ended-futuresealed',
      'ended-past',
      'quoted-futuresealed',
    ]);
    expect(await left('SELECT id AS name FROM deposits ORDER BY id')).toEqual(['dep_future', 'dep_paid']);
    expect(
      await left("SELECT kid || private_enc AS name FROM signing_keys WHERE public_jwk = '{}' ORDER BY kid"),
    ).toEqual(['futuresealed', 'old-future', 'past']);
    expect(await left('SELECT id AS name FROM sessions ORDER BY created_at')).toHaveLength(2);
    expect(await left('SELECT type AS name FROM activity ORDER BY seq')).toEqual([
      'identity.claimed',
      'session.started',
      'grant.created',
      'grant.revoked',
    ]);
  });

  it('deletes at most fifty thousand consumed values in one run', async () => {
    const service = await open(await files());
    await service.rows(`INSERT INTO used_once (hash, expires_at)
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50700)
      SELECT printf('%013d', i) || 'hash', i FROM n`);
    expect((await run(service))['purge']?.counts['usedOnce']).toBe(50_000);
    expect((await run(service))['purge']?.counts['usedOnce']).toBe(700);
  });
});
