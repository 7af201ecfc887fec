import { showSimilar } from '../../features/admin/find-people.ts';
import { readMailsTo } from '../../features/admin/mails.ts';
import { nearestHandles } from '../../features/admin/nearest.ts';
import { canonicalEmail } from '../../lib/email.ts';
import { handleOf, pidOf } from '../../lib/id.ts';
import { fill } from '../../ui/view.ts';
import type { Member } from '../member/member.tsx';
import { deskPeopleTexts } from '../messages/desk-people.ts';
import { AddressCard, SimilarCard } from './people.tsx';
import { type DeskPage, renderDesk } from './shell.tsx';

/** The form of `X-Request-Id`, which error pages show. */
const requestIdPattern = /^[\w-]{16}$/;

/** Results that may help: the emails to an unknown address, or the people with a handle similar to the text. */
export async function showNone(member: Member, page: DeskPage, q: string): Promise<Response> {
  const { deps, actor, locale } = member;
  const texts = deskPeopleTexts[locale];
  const email = handleOf(q.toLowerCase()) === null ? canonicalEmail(q) : null;
  if (email !== null) {
    const mails = await readMailsTo(deps, actor, email);
    const problems = [fill(texts.noAddress, { email })];
    return renderDesk(member, { ...page, problems, children: <AddressCard {...{ email, mails }} /> });
  }
  const inLog = requestIdPattern.test(q) ? [fill(texts.requestId, { q })] : [];
  return showSimilarTo(member, { ...page, problems: [fill(texts.noneFound, { q }), ...inLog] }, q);
}

/** The page of a person who does not exist. */
export function showNoPerson(member: Member, page: DeskPage, handle: string): Promise<Response> {
  member.c.header('X-Error-Code', 'identity_not_found');
  const problem = fill(deskPeopleTexts[member.locale].noPerson, { pid: pidOf(handle) });
  return showSimilarTo(member, { ...page, q: handle, status: 404, problems: [problem] }, handle);
}

async function showSimilarTo(member: Member, page: DeskPage, text: string): Promise<Response> {
  const { deps, actor } = member;
  const people = await showSimilar(deps, actor, await nearestHandles(deps, text));
  const children = people.length === 0 ? undefined : <SimilarCard people={people} />;
  return renderDesk(member, { ...page, children });
}
