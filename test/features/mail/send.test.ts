import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { all } from '../../../src/db/database.ts';
import type { Deps, OutgoingMail } from '../../../src/deps.ts';
import { messageStatement, sendSoon } from '../../../src/features/mail/mail.ts';
import { sendWaiting } from '../../../src/features/mail/send.ts';
import type { FaultyDatabase } from '../../support/break-database.ts';
import { openFaultyTarget } from '../../support/faulty-database.ts';
import { makeServiceFiles, openFileService, type ServiceFiles } from '../../support/file-service.ts';
import type { InProcessTarget } from '../../support/in-process.ts';
import { production } from '../../support/production.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function files(): Promise<ServiceFiles> {
  const made = await makeServiceFiles();
  cleanups.push(made.remove);
  return made;
}

async function open(of: ServiceFiles, variables = {}): Promise<InProcessTarget> {
  const service = await openFileService(of, variables);
  cleanups.push(service.close);
  return service;
}

/** The same service with another mail transport. */
function mailingBy({ deps }: InProcessTarget, mail: Deps['mail']): Deps {
  return { ...deps, mail };
}

async function write(deps: Deps, recipient: string): Promise<void> {
  const params = { code: 'code-118822', minutes: '10' };
  const message = { kind: 'register_code', recipient, locale: 'en', params, now: deps.now() } as const;
  await all(deps.db, await messageStatement(deps, message));
}

describe('sending mail', () => {
  it('continues after the response, which does not wait for it', async () => {
    const service = await open(await files());
    const sent: OutgoingMail[] = [];
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const deps = mailingBy(service, async (mail) => {
      await gate;
      sent.push(mail);
    });
    await write(deps, 'ada@example.com');
    sendSoon(deps);
    expect(sent).toEqual([]);
    release();
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]).toMatchObject({
      to: 'ada@example.com',
      subject: 'code-118822 is your code to sign up at Peridot',
    });
  });

  it('sends each email only once when two processes with many senders share a database', async () => {
    const both = await files();
    const services = [await open(both), await open(both)];
    const sent: string[] = [];
    const senders = services.map((service) =>
      mailingBy(service, async ({ to }) => {
        sent.push(to);
        await sleep(5);
      }),
    );
    const [one] = senders;
    if (!one) throw new Error('no sender');
    const recipients = Array.from({ length: 40 }, (_, index) => `reader${index}@example.com`);
    for (const recipient of recipients) await write(one, recipient);
    const counts = await Promise.all([...senders, ...senders, ...senders].map((deps) => sendWaiting(deps)));
    expect(counts.reduce((total, { sent: own }) => total + own, 0)).toBe(40);
    expect(sent.sort()).toEqual(recipients.sort());
  });

  it('skips an email that another sender delivered after the first one failed', async () => {
    const service = await open(await files());
    const tries: string[] = [];
    const quick = mailingBy(service, async ({ id }) => void tries.push(id));
    const slow = mailingBy(service, async ({ id }) => {
      tries.push(id);
      // Sending takes longer than the lease, so another sender takes over the email.
      await service.advance(61);
      await sendWaiting(quick);
      throw new Error('too late');
    });
    await write(slow, 'ada@example.com');
    expect(await sendWaiting(slow)).toEqual({ sent: 0, failed: 1 });
    await service.advance(500);
    expect(await sendWaiting(quick)).toEqual({ sent: 0, failed: 0 });
    expect(tries).toHaveLength(2);
    expect(await service.rows('SELECT tries, next_at FROM mails')).toEqual([{ tries: 2, next_at: null }]);
  });

  it('does not log an empty run, and sends other emails despite an unreadable one', async () => {
    const service = await open(await files());
    expect(await sendWaiting(service.deps)).toEqual({ sent: 0, failed: 0 });
    await write(service.deps, 'ada@example.com');
    await service.restart({ SECRET_KEY: Buffer.alloc(32, 7).toString('base64') });
    expect(await sendWaiting(service.deps)).toEqual({ sent: 0, failed: 1 });
    expect(await service.rows('SELECT next_at, sent_at, sealed_params FROM mails')).toEqual([
      { next_at: null, sent_at: null, sealed_params: '' },
    ]);
    expect(service.log().join('\n')).toContain('"event":"mail.unreadable"');
  });

  it('keeps the schedule of an email’s current sender if an earlier sender fails late', async () => {
    const service = await open(await files());
    let lease: number | undefined;
    const slow = mailingBy(service, async () => {
      await service.advance(61);
      const holding = mailingBy(service, () => new Promise(() => {}));
      void sendWaiting(holding);
      await expect.poll(() => service.rows('SELECT tries FROM mails')).toEqual([{ tries: 2 }]);
      lease = (await service.rows<{ next_at: number }>('SELECT next_at FROM mails'))[0]?.next_at;
      throw new Error('too late');
    });
    await write(slow, 'ada@example.com');
    await sendWaiting(slow);
    expect(await service.rows('SELECT next_at FROM mails')).toEqual([{ next_at: lease }]);
  });

  it('skips expired emails and never uses the text of another email', async () => {
    const service = await open(await files());
    const sent: string[] = [];
    const deps = mailingBy(service, async ({ to }) => void sent.push(to));
    await write(deps, 'late@example.com');
    await service.advance(601);
    await write(deps, 'ada@example.com');
    await write(deps, 'ben@example.com');
    await service.rows(`UPDATE mails SET sealed_params =
      (SELECT sealed_params FROM mails WHERE recipient = 'ben@example.com') WHERE recipient = 'ada@example.com'`);
    expect(await sendWaiting(deps)).toEqual({ sent: 1, failed: 1 });
    expect(sent).toEqual(['ben@example.com']);
  });

  it('decrypts emails encrypted under the previous SECRET_KEY', async () => {
    const service = await open(await files());
    const { SECRET_KEY_PREVIOUS, ...others } = {
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      SECRET_KEY_PREVIOUS: 'dGhpcyBpcyBhIHRlc3Qga2V5LCBub3QgYSBzZWNyZXQhISE=',
    };
    await write(service.deps, 'ada@example.com');
    await service.restart({ ...others, SECRET_KEY_PREVIOUS });
    expect(await sendWaiting(service.deps)).toEqual({ sent: 1, failed: 0 });
  });

  it('is disabled in production with the outbox transport: this is logged once, and the texts are discarded', async () => {
    const service = await open(await files(), production);
    await write(service.deps, 'ada@example.com');
    expect(await sendWaiting(service.deps)).toEqual({ sent: 1, failed: 0 });
    expect(await service.rows('SELECT sealed_params FROM mails')).toEqual([{ sealed_params: '' }]);
    expect(service.log().filter((line) => line.includes('"event":"mail.off"'))).toHaveLength(1);
    expect((await service.request('/dev/mail.json')).status).toBe(404);
  });
});

describe('sending mail on a database that loses responses', () => {
  const openFaulty = async (): Promise<{ target: InProcessTarget; database: FaultyDatabase }> => {
    const opened = await openFaultyTarget({});
    cleanups.push(opened.target.close);
    return opened;
  };

  it('stores one email if the batch is retried', async () => {
    const { target, database } = await openFaulty();
    database.plan(['lost after'], 'sending');
    await write(target.deps, 'ada@example.com');
    expect(await target.rows('SELECT recipient FROM mails')).toHaveLength(1);
  });

  it('sends an email only once, at most a minute later, if the response to its claim or its mark was lost', async () => {
    for (const faults of [['lost after'], ['none', 'lost after'], ['none', 'lost before']] as const) {
      const { target, database } = await openFaulty();
      const sent: string[] = [];
      const deps = mailingBy(target, async ({ to }) => void sent.push(to));
      await write(deps, 'ada@example.com');
      database.plan(faults, 'sending');
      await sendWaiting(deps);
      await target.advance(61);
      await sendWaiting(deps);
      expect(sent, faults.join()).toEqual(['ada@example.com']);
    }
  });

  it('may send an email twice under the same id if the database fails between sending and marking', async () => {
    const { target, database } = await openFaulty();
    const sent: string[] = [];
    const deps = mailingBy(target, async ({ id }) => void sent.push(id));
    await write(deps, 'ada@example.com');
    database.plan(['none', 'down before'], 'sending');
    await expect(sendWaiting(deps)).rejects.toThrow('Service is unavailable');
    await target.advance(61);
    await sendWaiting(deps);
    expect(sent).toHaveLength(2);
    expect(new Set(sent).size).toBe(1);
  });
});
