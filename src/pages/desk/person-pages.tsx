import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { listAudit } from '../../features/admin/audit.ts';
import { isProposal } from '../../features/admin/desk.ts';
import { adminEndpoints } from '../../features/admin/endpoints.ts';
import { lookAtPerson } from '../../features/admin/person.ts';
import type { Person } from '../../features/admin/person-schema.ts';
import { attemptOf, deskRole, requireAdministrator } from '../../features/admin/require-admin.ts';
import { readReversibility as readReversals } from '../../features/admin/reversal.ts';
import { auditQuery, reasonInput } from '../../features/admin/schema.ts';
import type { AppContext, AppEnv, Locale } from '../../http/context.ts';
import { Routes } from '../../http/routes.ts';
import { pidOf } from '../../lib/id.ts';
import { deskPaths, personPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { fill } from '../../ui/view.ts';
import { memberForm } from '../member/form.tsx';
import { type Answer, membersAt } from '../member/member.tsx';
import { deskFrameTexts } from '../messages/desk-frame.ts';
import { deskPeopleTexts } from '../messages/desk-people.ts';
import { parseInput, textOf } from '../shared/form.ts';
import { administratorActs, type PersonAct, supportActs } from './ask.tsx';
import { keepForm, refusedAtDesk, takeForm } from './kept-form.ts';
import { PersonAudit, PersonView } from './person.tsx';
import { forSupport, renderDesk, whileFresh } from './shell.tsx';

/** A person's page on the admin desk, with its forms. */
export function personPages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();
  const person = membersAt(deps, (id) => personPath(id), keepForm);
  const audit = membersAt(deps, (id) => personPath(id, 'personAudit'));
  pages.get(deskPaths.person, person(adminEndpoints.showPerson, forSupport(showPerson)));
  pages.get(deskPaths.personAudit, audit(adminEndpoints.showPerson, forSupport(showAudit)));
  pages.post(deskPaths.person, person(adminEndpoints.endSessionsOf, forSupport(change)));
  return pages;
}

const showPerson: Answer = async (member, refusal) => {
  const { c, deps, actor, names, locale, id: handle } = member;
  const here = personPath(handle);
  const isAdministrator = deskRole(deps, actor.handle) === 'administrator';
  const page = { tab: 'people', here, refusal } as const;
  return whileFresh(member, here, async () => {
    const person = await lookAtPerson(deps, actor, handle).catch(unknownIsNull);
    if (person === null) return (await import('./none-found.tsx')).showNoPerson(member, page, handle);
    const kept = refusal === undefined ? await takeForm(member, here) : undefined;
    const reversals = await readReversals(
      deps,
      person.transactions.map(({ id }) => id),
    );
    const entry = { typed: refusal?.typed ?? kept, problems: refusal?.problems };
    return renderDesk(member, {
      ...page,
      subject: person.displayName ?? person.pid,
      done: refusal === undefined ? doneText(c, person, locale) : undefined,
      isKept: kept !== undefined,
      children: (
        <PersonView {...{ person, reversals, own: actor.handle, isAdministrator, names, ...entry }} />
      ),
    });
  });
};

/** Names the person and the change that the last form made. */
function doneText(c: AppContext, { pid, emails }: Person, locale: Locale): string | undefined {
  const done = c.req.query('done');
  if (done === 'proposed') return deskFrameTexts[locale].doneProposed;
  const act = [...supportActs, ...administratorActs].find((name) => name === done);
  return act && fill(deskPeopleTexts[locale][`${act}Done`], { pid, emails: emails.join(', ') });
}

/** All audit log lines about a person. The person's page shows the newest. */
const showAudit: Answer = async (member) => {
  const { c, deps, actor, id: handle, locale } = member;
  const cursor = c.req.query('cursor');
  const query = parseInput(auditQuery, {
    target: handle,
    limit: '50',
    ...(cursor !== undefined && { cursor }),
  });
  const here = personPath(handle, 'personAudit');
  return whileFresh(member, here, async () => {
    const page = await listAudit(deps, actor, query);
    const heading = fill(deskPeopleTexts[locale].auditOf, { pid: pidOf(handle) });
    const children = <PersonAudit {...{ handle, heading, page, isFirst: cursor === undefined }} />;
    return renderDesk(member, { tab: 'people', subject: pidOf(handle), here, children });
  });
};

function unknownIsNull(error: unknown): null {
  if (error instanceof AppError && error.code === 'identity_not_found') return null;
  throw error;
}

const change = memberForm({
  again: showPerson,
  explain: (error, _form, locale) =>
    error.code === 'validation_failed' ? { reason: [deskPeopleTexts[locale].reasonMissing] } : null,
  onError: refusedAtDesk(({ id }) => personPath(id)),
  async act(member, form) {
    const { c, deps, actor, id: handle } = member;
    const act = actOf(textOf(form, 'act'));
    if (!supportActs.some((name) => name === act))
      await requireAdministrator(deps, actor, `${attemptOf(c)} ${act}`);
    const { reason } = parseInput(reasonInput, { reason: textOf(form, 'reason') });
    const { personActs } = await import('./person-acts.ts');
    const made = await personActs[act](deps, actor, { handle, id: textOf(form, 'id'), reason });
    const done = made instanceof Object && isProposal(made) ? 'proposed' : act;
    return withQuery(personPath(handle), { done });
  },
});

/** @throws AppError not_found */
function actOf(name: string): PersonAct {
  const act = [...supportActs, ...administratorActs].find((each) => each === name);
  if (act === undefined) throw new AppError('not_found');
  return act;
}
