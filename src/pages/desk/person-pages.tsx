import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { listAudit } from '../../features/admin/audit.ts';
import { isProposal } from '../../features/admin/desk.ts';
import { adminEndpoints } from '../../features/admin/endpoints.ts';
import { findPeople } from '../../features/admin/find-people.ts';
import { readMailsTo } from '../../features/admin/mails.ts';
import { nearestHandles } from '../../features/admin/nearest.ts';
import { lookAtPerson } from '../../features/admin/person.ts';
import { type Person, peopleQuery, searchTexts } from '../../features/admin/person-schema.ts';
import { attemptOf, deskRole, requireAdministrator } from '../../features/admin/require-admin.ts';
import { readReversibility as readReversals } from '../../features/admin/reversal.ts';
import { auditQuery, reasonInput } from '../../features/admin/schema.ts';
import { documentOf } from '../../features/admin/transaction.ts';
import type { AppContext, AppEnv, Locale } from '../../http/context.ts';
import { Routes } from '../../http/routes.ts';
import { canonicalEmail } from '../../lib/email.ts';
import { handleOf, pidOf } from '../../lib/id.ts';
import { cursorText } from '../../lib/page.ts';
import { deskPaths, deskTransactionPath, personPath } from '../../lib/page-paths.ts';
import { present } from '../../lib/present.ts';
import { withQuery } from '../../lib/with-query.ts';
import { fill } from '../../ui/view.ts';
import { memberForm } from '../member/form.tsx';
import { type Answer, type Member, membersAt } from '../member/member.tsx';
import { deskFrameTexts } from '../messages/desk-frame.ts';
import { deskPeopleTexts } from '../messages/desk-people.ts';
import { parseInput, textOf } from '../shared/form.ts';
import { administratorActs, type PersonAct, supportActs } from './ask.tsx';
import { keepForm, refusedAtDesk, takeForm } from './kept-form.ts';
import { AddressCard, FoundCard, NearestCard } from './people.tsx';
import { PersonAudit, PersonView } from './person.tsx';
import { type DeskPage, forSupport, renderDesk, whileFresh } from './shell.tsx';

/** The admin desk's search, and a person's page with its forms. */
export function personPages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();
  const people = membersAt(deps, deskPaths.people);
  const person = membersAt(deps, (id) => personPath(id), keepForm);
  const audit = membersAt(deps, (id) => personPath(id, 'personAudit'));
  pages.get(deskPaths.people, people(adminEndpoints.findPeople, forSupport(search)));
  pages.get(deskPaths.person, person(adminEndpoints.showPerson, forSupport(showPerson)));
  pages.get(deskPaths.personAudit, audit(adminEndpoints.showPerson, forSupport(showAudit)));
  pages.post(deskPaths.person, person(adminEndpoints.endSessionsOf, forSupport(change)));
  return pages;
}

const search: Answer = async (member) => {
  const { c, deps, actor, locale } = member;
  const q = c.req.query('q');
  const page = { tab: 'people', here: withQuery(deskPaths.people, { q }), q } as const;
  if (q === undefined) return renderDesk(member, page);
  const cursor = c.req.query('cursor');
  const { data: query, error } = peopleQuery.safeParse({ q, cursor });
  if (query === undefined) {
    const problem = searchProblem(error?.issues[0]?.message ?? '', locale);
    return renderDesk(member, { ...page, status: 400, problems: [problem] });
  }
  // A transaction has a page of its own.
  if (documentOf(query.q) !== null) return c.redirect(deskTransactionPath(query.q), 303);
  return whileFresh(member, page.here, async () => {
    const found = await findPeople(deps, actor, query);
    const [first, second] = found.data;
    if (first === undefined) return showNone(member, page, query.q);
    if ((second === undefined && cursor === undefined) || first.foundBy === 'handle')
      return c.redirect(personPath(present(handleOf(first.pid), 'handle of a PID')), 303);
    return renderDesk(member, {
      ...page,
      children: <FoundCard {...{ found, q: query.q, isFirst: cursor === undefined }} />,
    });
  });
};

/** Results that may help: the emails to an unknown address, or the PIDs similar to the text. */
async function showNone(member: Member, page: DeskPage, q: string): Promise<Response> {
  const { deps, actor, locale } = member;
  const texts = deskPeopleTexts[locale];
  const email = handleOf(q.toLowerCase()) === null ? canonicalEmail(q) : null;
  if (email !== null) {
    const mails = await readMailsTo(deps, actor, email);
    const problems = [fill(texts.noAddress, { email })];
    return renderDesk(member, { ...page, problems, children: <AddressCard {...{ email, mails }} /> });
  }
  const children = <NearestCard handles={await nearestHandles(deps, q)} />;
  return renderDesk(member, { ...page, problems: [fill(texts.noneFound, { q })], children });
}

function searchProblem(message: string, locale: Locale): string {
  const texts = deskPeopleTexts[locale];
  if (message === searchTexts.wildcard) return texts.qWildcard;
  if (message === searchTexts.part) return texts.qPart;
  if (message === cursorText) throw new AppError('validation_failed', [message]);
  return message === 'q must not be empty' ? texts.qEmpty : texts.qLong;
}

const showPerson: Answer = async (member, refusal) => {
  const { c, deps, actor, names, locale, id: handle } = member;
  const here = personPath(handle);
  const isAdministrator = deskRole(deps, actor.handle) === 'administrator';
  const page = { tab: 'people', here, refusal } as const;
  return whileFresh(member, here, async () => {
    const person = await lookAtPerson(deps, actor, handle).catch(unknownIsNull);
    if (person === null) {
      c.header('X-Error-Code', 'identity_not_found');
      const problem = fill(deskPeopleTexts[locale].noPerson, { pid: pidOf(handle) });
      const children = <NearestCard handles={await nearestHandles(deps, handle)} />;
      return renderDesk(member, { ...page, q: handle, status: 404, problems: [problem], children });
    }
    const kept = refusal === undefined ? await takeForm(member, here) : undefined;
    const reversals = await readReversals(
      deps,
      person.transactions.map(({ id }) => id),
    );
    const entry = { typed: refusal?.typed ?? kept, problems: refusal?.problems };
    return renderDesk(member, {
      ...page,
      done: refusal === undefined ? doneText(c, person, locale) : undefined,
      isKept: kept !== undefined,
      children: (
        <PersonView {...{ person, reversals, own: actor.handle, isAdministrator, names, ...entry }} />
      ),
    });
  });
};

/** Says whom the last form changed, and how. */
function doneText(c: AppContext, { pid, emails }: Person, locale: Locale): string | undefined {
  const done = c.req.query('done');
  if (done === 'proposed') return deskFrameTexts[locale].doneProposed;
  const act = [...supportActs, ...administratorActs].find((name) => name === done);
  return act && fill(deskPeopleTexts[locale][`${act}Done`], { pid, emails: emails.join(', ') });
}

/** All lines of the audit log about a person, of which their page shows the newest. */
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
    return renderDesk(member, { tab: 'people', here, children });
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
