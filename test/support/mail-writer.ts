import { sql } from 'drizzle-orm';
import { parseConfig } from '../../src/config.ts';
import type { Statement } from '../../src/db/database.ts';
import type { Deps } from '../../src/deps.ts';
import { messageStatement, type NoticeKind, noticeStatement } from '../../src/features/mail/mail.ts';
import { randomBytes } from '../../src/platform/random.ts';
import { type Target, testDefaults } from './target.ts';

/** The part of the service that creates a statement; the service under test has the same key. */
const writer = { config: parseConfig(testDefaults), randomBytes } as Deps;

type Message = Partial<Parameters<typeof messageStatement>[1]> & { recipient: string };

function run(target: Target, { text, values }: Statement): Promise<unknown> {
  return target.rows(text, values);
}

/** Inserts an email like a request's batch; by default a password reset code. */
export async function writeMessage(target: Target, message: Message): Promise<void> {
  const params = { code: '402911', minutes: '10' };
  const defaults = { kind: 'reset_code', locale: 'en', params, now: target.now() } as const;
  await run(target, await messageStatement(writer, { ...defaults, ...message }));
}

/** Inserts a notice like a request's batch. */
export async function writeNotice(
  target: Target,
  notice: { handle: string; kind?: NoticeKind; params?: Record<string, string>; when?: boolean },
): Promise<void> {
  const { handle, kind = 'credential_linked', params = {}, when = true } = notice;
  const condition = when ? sql`1 = 1` : sql`1 = 0`;
  const made = { kind, params, handle: sql`${handle}`, when: condition, now: target.now() };
  await run(target, await noticeStatement(writer, made));
}

/** Runs the service's scheduled jobs; returns the mail job's result. */
export async function runMailJob(target: Target): Promise<Record<string, number>> {
  const answer = await target.request('/dev/scheduled', { method: 'POST' });
  const { data } = (await answer.json()) as { data: { job: string; counts: Record<string, number> }[] };
  return data.find(({ job }) => job === 'mail')?.counts ?? {};
}
