import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { adminEndpoints } from '../../features/admin/endpoints.ts';
import { findPeople } from '../../features/admin/find-people.ts';
import { peopleQuery, searchTexts } from '../../features/admin/person-schema.ts';
import { documentOf } from '../../features/admin/transaction.ts';
import type { AppEnv, Locale } from '../../http/context.ts';
import { Routes } from '../../http/routes.ts';
import { handleOf } from '../../lib/id.ts';
import { cursorText } from '../../lib/page.ts';
import { deskPaths, deskTransactionPath, personPath } from '../../lib/page-paths.ts';
import { present } from '../../lib/present.ts';
import { withQuery } from '../../lib/with-query.ts';
import { type Answer, membersAt } from '../member/member.tsx';
import { deskPeopleTexts } from '../messages/desk-people.ts';
import { showNone } from './none-found.tsx';
import { FoundCard } from './people.tsx';
import { forSupport, renderDesk, whileFresh } from './shell.tsx';

/** The admin desk's search. */
export function searchPages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();
  const people = membersAt(deps, deskPaths.people);
  pages.get(deskPaths.people, people(adminEndpoints.findPeople, forSupport(search)));
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
    if (second === undefined && cursor === undefined)
      return c.redirect(personPath(present(handleOf(first.pid), 'handle of a PID')), 303);
    return renderDesk(member, {
      ...page,
      children: <FoundCard {...{ found, q: query.q, isFirst: cursor === undefined }} />,
    });
  });
};

function searchProblem(message: string, locale: Locale): string {
  const texts = deskPeopleTexts[locale];
  if (message === searchTexts.wildcard) return texts.qWildcard;
  if (message === searchTexts.part) return texts.qPart;
  if (message === cursorText) throw new AppError('validation_failed', [message]);
  return message === 'q must not be empty' ? texts.qEmpty : texts.qLong;
}
