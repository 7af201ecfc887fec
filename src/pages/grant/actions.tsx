import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { grantEndpoints } from '../../features/grant/endpoints.ts';
import { getGrant, limitGrant, listGrants, revokeGrant } from '../../features/grant/grant.ts';
import { type Grant, grantChanges } from '../../features/grant/schema.ts';
import { readForm } from '../../http/body.ts';
import type { AppContext } from '../../http/context.ts';
import { type Locale, localeOf } from '../../http/locale.ts';
import { accountPaths, grantPath } from '../../lib/page-paths.ts';
import { QuestionCard } from '../../ui/components/form.tsx';
import { fill } from '../../ui/view.ts';
import { refusalOf, refused } from '../account/actions.tsx';
import type { Answer, Member, Refusal } from '../account/member.tsx';
import { readPage, renderAccount } from '../account/views.tsx';
import { grantTexts } from '../messages/grant.ts';
import { type FormProblems, linesOf } from '../shared/form-lines.ts';
import { parseInput } from '../shared/parse-input.ts';
import { withQuery } from '../shared/paths.ts';
import { feeLimits, GrantPanel, maySpend, numberLimits, useEndQuestion } from './limits.tsx';
import { AllowedPanel } from './list.tsx';

export const showAllowed: Answer = async (c, deps, member) => {
  const page = await listGrants(deps, member.actor.sessionId, readPage(c, grantEndpoints.listGrants.query));
  const body = <AllowedPanel {...{ page, isFirst: c.req.query('cursor') === undefined }} />;
  return renderAccount(c, deps, member, { tab: 'apps', name: grantTexts[localeOf(c)].heading, body });
};

export const showGrant: Answer = async (c, deps, member) => {
  const grant = await grantOf(c, deps, member);
  return renderAccount(c, deps, member, {
    tab: 'apps',
    name: grant.app.name,
    body: <GrantPanel grant={grant} />,
  });
};

/** Sets every limit that the form has: an empty field removes one. */
export const saveLimits: Answer = async (c, deps, member) => {
  const grant = await grantOf(c, deps, member);
  const form = await readForm(c);
  const path = grantPath(grant.id);
  try {
    const changes = parseInput(grantChanges, changesOf(grant, form));
    await limitGrant(deps, { sessionId: member.actor.sessionId, id: grant.id, changes });
    return c.redirect(withQuery(path, { done: 'grantSaved' }), 303);
  } catch (error) {
    const problems = problemsOf(error, form, localeOf(c));
    const refusal: Refusal = problems === null ? refusalOf(c, error, path) : refused(c, error);
    const body = <GrantPanel {...{ grant, typed: form, problems: problems ?? {} }} />;
    return renderAccount(c, deps, member, { tab: 'apps', name: grant.app.name, body, refusal, here: path });
  }
};

export const askToEnd: Answer = async (c, deps, member) => {
  const grant = await grantOf(c, deps, member);
  return renderAccount(c, deps, member, {
    tab: 'apps',
    name: grant.app.name,
    body: <EndQuestion grant={grant} />,
  });
};

export function EndQuestion({ grant }: { grant: Grant }) {
  return <QuestionCard question={useEndQuestion(grant)} back={accountPaths.allowed} />;
}

export const end: Answer = async (c, deps, { actor }) => {
  await revokeGrant(deps, { sessionId: actor.sessionId, id: c.req.param('id') ?? '' });
  return c.redirect(withQuery(accountPaths.allowed, { done: 'grantEnded' }), 303);
};

function grantOf(c: AppContext, deps: Deps, { actor }: Member): Promise<Grant> {
  return getGrant(deps, actor.sessionId, c.req.param('id') ?? '');
}

/** The body of the API's route. A handle without `@pid` is meant as a PID, and a day as its end. */
function changesOf(grant: Grant, form: URLSearchParams) {
  const text = (name: string) => form.get(name)?.trim() || null;
  const day = text('expiresAt');
  const expiresAt = day === null ? null : `${day}T23:59:59.999Z`;
  if (!maySpend(grant)) return { expiresAt };
  const numbers = numberLimits.map((name) => [name, text(name) === null ? null : Number(text(name))]);
  const fees = feeLimits.map((name) => [name, Number(text(name) ?? 0)]);
  const payees = linesOf(form.get('payees')).map((entry) => (entry.includes('@') ? entry : `${entry}@pid`));
  return {
    limits: { ...Object.fromEntries([...numbers, ...fees]), payees: payees.length === 0 ? null : payees },
    expiresAt,
  };
}

/** The texts of a refusal beside the fields; null if another entry would not help. */
export function problemsOf(error: unknown, form: URLSearchParams, locale: Locale): FormProblems | null {
  if (!(error instanceof AppError) || error.code !== 'validation_failed') return null;
  const problems: Record<string, string[]> = {};
  for (const text of [error.texts].flat()) {
    const [, field = '', index] = /^(?:limits\.)?(\w+)(?:\.(\d+))?/.exec(text) ?? [];
    const entry = linesOf(form.get(field))[Number(index)] ?? '';
    problems[field] = [...(problems[field] ?? []), sayProblem(text, { field, entry, locale })];
  }
  return problems;
}

function sayProblem(text: string, about: { field: string; entry: string; locale: Locale }): string {
  const { field, entry, locale } = about;
  const texts = grantTexts[locale];
  if (field === 'expiresAt') return texts.badDate;
  if (/must be a whole number from 0/.test(text)) return texts.badFee;
  if (/must have at most/.test(text)) return texts.tooMany;
  if (/must not repeat/.test(text)) return texts.repeated;
  if (/must be given with/.test(text)) return texts.together;
  return field === 'payees' ? fill(texts.badPid, { entry }) : texts.badNumber;
}
