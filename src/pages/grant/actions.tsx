import { grantEndpoints } from '../../features/grant/endpoints.ts';
import { getGrant, limitGrant, listGrants, revokeGrant } from '../../features/grant/grant.ts';
import { type Grant, grantChanges } from '../../features/grant/schema.ts';
import type { Locale } from '../../http/context.ts';
import { accountPaths, grantPath } from '../../lib/page-paths.ts';
import { withQuery } from '../../lib/with-query.ts';
import { QuestionCard } from '../../ui/components/form.tsx';
import { fill } from '../../ui/view.ts';
import { type Explain, memberForm, refusedAt } from '../member/form.tsx';
import type { Answer, Member } from '../member/member.tsx';
import { listQuery, renderMember } from '../member/page.tsx';
import { grantTexts } from '../messages/grant.ts';
import { linesOf, parseInput, readAmount } from '../shared/form.ts';
import { AllowedPanel, GrantPanel, maySpend, useEndQuestion, usualDays } from './cards.tsx';

export const showAllowed: Answer = async (member) => {
  const query = listQuery(member, grantEndpoints.listGrants.query);
  const page = await listGrants(member.deps, member.sessionId, query);
  const body = <AllowedPanel {...{ page, isFirst: query.isFirst }} />;
  return renderMember(member, { tab: 'apps', name: grantTexts[member.locale].heading, body });
};

export const showGrant: Answer = async (member, refusal) => {
  const grant = await grantOf(member);
  const { typed, problems } = refusal ?? {};
  const body = <GrantPanel {...{ grant, typed, problems }} />;
  const here = refusal && grantPath(grant.id);
  return renderMember(member, { tab: 'apps', name: grant.app.name, body, refusal, here });
};

export const askToEnd: Answer = async (member) => {
  const grant = await grantOf(member);
  return renderMember(member, { tab: 'apps', name: grant.app.name, body: <EndQuestion grant={grant} /> });
};

export function EndQuestion({ grant }: { grant: Grant }) {
  return <QuestionCard question={useEndQuestion(grant)} back={accountPaths.apps} />;
}

export const end: Answer = async ({ c, deps, sessionId, id }) => {
  await revokeGrant(deps, { sessionId, id });
  return c.redirect(withQuery(accountPaths.apps, { done: 'grantEnded' }), 303);
};

function grantOf({ deps, sessionId, id }: Member): Promise<Grant> {
  return getGrant(deps, sessionId, id);
}

/**
 * The API request body. A handle without `@pid` is treated as a PID, and a date means the end of the day. An empty fee is
 * a mistake, because an empty field is no limit, and a fee always has one.
 */
function changesOf(grant: Grant, form: URLSearchParams) {
  const text = (name: string) => form.get(name)?.trim() || null;
  const day = text('expiresAt');
  const expiresAt = day === null ? null : `${day}T23:59:59.999Z`;
  if (!maySpend(grant)) return { expiresAt };
  // Amounts and counts are shown with separators.
  const amount = (name: string) => (text(name) === null ? null : readAmount(text(name) ?? ''));
  const [perPeriod, payees] = [amount('perPeriod'), linesOf(form.get('payees'))];
  return {
    limits: {
      perTransfer: amount('perTransfer'),
      perPeriod,
      periodDays: perPeriod === null ? null : (amount('periodDays') ?? usualDays),
      total: amount('total'),
      maxUses: amount('maxUses'),
      payees:
        payees.length === 0 ? null : payees.map((entry) => (entry.includes('@') ? entry : `${entry}@pid`)),
      feeBps: readPercent(form.get('feePercent') ?? '0'),
      feeFixed: readAmount(form.get('feeFixed') ?? '0'),
    },
    expiresAt,
  };
}

/** Hundredths of a percent, from a percentage such as `0.7` or `0,7`; NaN for anything else. */
function readPercent(text: string): number {
  const typed = text.trim().replace(/\s*%$/, '');
  return /^\d{1,3}([.,]\d{1,2})?$/.test(typed)
    ? Math.round(Number(typed.replace(',', '.')) * 100)
    : Number.NaN;
}

/** The error texts next to the fields; null if a different entry would not help. */
export const problemsOf: Explain = (error, form, locale) => {
  if (error.code !== 'validation_failed') return null;
  const problems: Record<string, string[]> = {};
  for (const text of [error.texts].flat()) {
    const [, name = '', index] = /^(?:limits\.)?(\w+)(?:\.(\d+))?/.exec(text) ?? [];
    const field = name === 'feeBps' ? 'feePercent' : name;
    const entry = linesOf(form.get(field))[Number(index)] ?? '';
    problems[field] = [...(problems[field] ?? []), sayProblem(text, { field, entry, locale })];
  }
  return problems;
};

function sayProblem(text: string, about: { field: string; entry: string; locale: Locale }): string {
  const { field, entry, locale } = about;
  const texts = grantTexts[locale];
  if (field === 'expiresAt') return texts.badDate;
  if (field === 'feePercent') return texts.badPercent;
  if (field === 'feeFixed') return texts.badFee;
  if (/must have at most/.test(text)) return texts.tooMany;
  if (/must not repeat/.test(text)) return texts.repeated;
  return field === 'payees' ? fill(texts.badPid, { entry }) : texts.badNumber;
}

/** Sets every limit in the form: an empty field removes a limit. */
export const saveLimits = memberForm({
  again: showGrant,
  explain: problemsOf,
  onError: refusedAt(({ id }) => grantPath(id)),
  async act(member, form) {
    const { deps, sessionId, id } = member;
    const changes = parseInput(grantChanges, changesOf(await grantOf(member), form));
    await limitGrant(deps, { sessionId, id, changes });
    return withQuery(grantPath(id), { done: 'grantSaved' });
  },
});
