import type { Deps } from '../../src/deps.ts';
import { findPeople } from '../../src/features/admin/find-people.ts';
import { type GiveBackVerdict, restoreIdentity } from '../../src/features/admin/give-back.ts';
import { endSessionsOf } from '../../src/features/admin/help.ts';
import { nearestHandles } from '../../src/features/admin/nearest.ts';
import { readPerson } from '../../src/features/admin/operator.ts';
import { lookAtPerson } from '../../src/features/admin/person.ts';
import { peopleQuery } from '../../src/features/admin/person-schema.ts';
import { deskRole } from '../../src/features/admin/require-admin.ts';
import { parseHandle } from '../../src/features/claim/handle.ts';
import { pidOf } from '../../src/lib/id.ts';
import { handleSkeleton } from '../../src/lib/look-alike.ts';
import { parseInput } from '../../src/pages/shared/form.ts';
import { type Command, CommandError, needsYes, type Report, toTable, toText } from './command.ts';

/** A handle, or its PID. */
export function handleOf(name: string): string {
  return name.trim().toLowerCase().replace(/@pid$/, '');
}

async function requirePerson(deps: Deps, name: string) {
  const person = await readPerson(deps, handleOf(name));
  if (person === null) throw new CommandError(`Nobody has ever had the PID ${handleOf(name)}@pid.`);
  return person;
}

async function findPerson(deps: Deps, q: string): Promise<Report> {
  const query = parseInput(peopleQuery, { q, limit: 100 });
  const data = await findPeople(deps, 'operator', query);
  if (data.data.length === 0) {
    const nearest = (await nearestHandles(deps, query.q)).map(pidOf);
    const similar = nearest.length > 0 ? ` Similar: ${nearest.join(', ')}.` : '';
    throw new CommandError(`Nobody found for "${q}".${similar}`);
  }
  return { text: toText(data), data };
}

/** Like any other access at the admin desk, it appears in the person's activity. */
async function showPerson(deps: Deps, name: string): Promise<Report> {
  const { pid } = await requirePerson(deps, name);
  const data = await lookAtPerson(deps, 'operator', handleOf(pid));
  return { text: toText(data), data };
}

async function showSessions(deps: Deps, name: string): Promise<Report> {
  const { pid } = await requirePerson(deps, name);
  const { sessions } = await lookAtPerson(deps, 'operator', handleOf(pid));
  return { text: toTable(sessions), data: sessions };
}

async function revoke(deps: Deps, name: string, yes: boolean): Promise<Report> {
  const { pid, liveSessions } = await requirePerson(deps, name);
  if (!yes) {
    return { text: `Would revoke ${liveSessions} sessions of ${pid}.\n${needsYes}`, data: { pid, ended: 0 } };
  }
  const given = { handle: handleOf(pid), reason: 'user revoke' };
  const ended = liveSessions - (await endSessionsOf(deps, 'operator', given)).liveSessions;
  return { text: `Revoked ${ended} sessions of ${pid}.`, data: { pid, ended } };
}

const refusals: Record<Exclude<GiveBackVerdict, 'given' | 'not_waiting'>, string> = {
  no_ticket:
    'cannot be assigned: no such account is waiting on the claim page. Its owner has to sign in first.',
  several_accounts: 'cannot be assigned: several accounts with that address are waiting.',
  email_conflict: 'cannot be assigned: that address belongs to another PID.',
};

async function give(
  deps: Deps,
  [name = '', provider = '', email = '']: readonly string[],
  yes: boolean,
): Promise<Report> {
  const { pid } = await requirePerson(deps, name);
  const verdict = await restoreIdentity(deps, {
    handle: handleOf(pid),
    provider,
    email,
    skeleton: null,
    apply: yes,
  });
  if (verdict === 'not_waiting') {
    throw new CommandError(`${pid} is not a PID that was restored without credentials.`);
  }
  return reportGift(pid, { provider, email, verdict, yes });
}

/**
 * Claims a PID in ADMIN_PIDS or SUPPORT_PIDS for its owner, who is waiting on the claim page, where nobody can claim
 * such a PID.
 */
async function claimForAdmin(
  deps: Deps,
  [name = '', provider = '', email = '']: readonly string[],
  yes: boolean,
): Promise<Report> {
  const handle = handleOf(name);
  const pid = pidOf(handle);
  if (!deps.config.deskPids.includes(pid))
    throw new CommandError(
      `${pid} is in neither ADMIN_PIDS nor SUPPORT_PIDS. This command reads both from its own environment: run it with the settings of the service.`,
    );
  if (!parseHandle(handle).ok) throw new CommandError(`${pid} is not a valid PID.`);
  const skeleton = handleSkeleton(handle);
  const verdict = await restoreIdentity(deps, { handle, provider, email, skeleton, apply: yes });
  if (verdict === 'not_waiting')
    throw new CommandError(`${pid}, or one that looks like it, has been claimed.`);
  return reportGift(pid, { provider, email, verdict, yes });
}

interface Gift {
  readonly provider: string;
  readonly email: string;
  readonly verdict: Exclude<GiveBackVerdict, 'not_waiting'>;
  readonly yes: boolean;
}

function reportGift(pid: string, { provider, email, verdict, yes }: Gift): Report {
  if (verdict !== 'given') throw new CommandError(`${pid} ${refusals[verdict]}`);
  const account = `the waiting ${provider} account with ${email}`;
  const text = yes ? `Assigned ${pid} to ${account}.` : `Would assign ${pid} to ${account}.\n${needsYes}`;
  return { text, data: { pid, provider, given: yes } };
}

async function listAdmins(deps: Deps): Promise<Report> {
  const data = await Promise.all(
    deps.config.deskPids.map(async (pid) => {
      const person = await readPerson(deps, handleOf(pid));
      return {
        pid,
        role: deskRole(deps, handleOf(pid)),
        status: person?.status ?? 'unknown',
        displayName: person?.displayName ?? null,
      };
    }),
  );
  return { text: toTable(data), data };
}

export const peopleCommands: Record<string, Command> = {
  'user find': {
    usage: 'user find TEXT',
    does: 'finds people by PID, email address, the beginning of a name, or an id',
    names: 1,
    run: ({ deps }, { names: [q = ''] }) => findPerson(deps, q),
  },
  'user show': {
    usage: 'user show PID',
    does: 'everything about a person; their activity shows that support viewed their account',
    names: 1,
    run: ({ deps }, { names: [name = ''] }) => showPerson(deps, name),
  },
  'user sessions': {
    usage: 'user sessions PID',
    does: 'the sessions of a person',
    names: 1,
    run: ({ deps }, { names: [name = ''] }) => showSessions(deps, name),
  },
  'user revoke': {
    usage: 'user revoke PID [--yes]',
    does: 'revokes every session of a person',
    names: 1,
    run: ({ deps }, { names: [name = ''], yes }) => revoke(deps, name, yes),
  },
  'user give-back': {
    usage: 'user give-back PID PROVIDER EMAIL [--yes]',
    does: 'assigns a restored PID to the account waiting on the claim page',
    names: 3,
    run: ({ deps }, { names, yes }) => give(deps, names, yes),
  },
  'admin claim': {
    usage: 'admin claim PID PROVIDER EMAIL [--yes]',
    does: 'claims a PID of ADMIN_PIDS or SUPPORT_PIDS for the account waiting on the claim page',
    names: 3,
    run: ({ deps }, { names, yes }) => claimForAdmin(deps, names, yes),
  },
  'admin list': {
    usage: 'admin list',
    does: 'the identities in ADMIN_PIDS and SUPPORT_PIDS',
    names: 0,
    run: ({ deps }) => listAdmins(deps),
  },
};
