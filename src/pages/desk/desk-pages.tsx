import type { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { readAdjustment, reviewAdjustment } from '../../features/admin/adjustment-review.ts';
import { readApp } from '../../features/admin/apps.ts';
import { listAudit } from '../../features/admin/audit.ts';
import { isProposal } from '../../features/admin/desk.ts';
import { adminEndpoints } from '../../features/admin/endpoints.ts';
import { findApps } from '../../features/admin/named-apps.ts';
import { readOverview } from '../../features/admin/overview.ts';
import { listReports } from '../../features/admin/reports.ts';
import { deskRole } from '../../features/admin/require-admin.ts';
import { listRestrictedApps } from '../../features/admin/restricted-apps.ts';
import { listReviews } from '../../features/admin/reviews.ts';
import { adjustmentInput, type Overview } from '../../features/admin/schema.ts';
import { listUnexplained } from '../../features/admin/unexplained.ts';
import { capOf } from '../../features/ledger/fees.ts';
import type { AppEnv } from '../../http/context.ts';
import { Routes } from '../../http/routes.ts';
import { deskPath, deskPaths } from '../../lib/page-paths.ts';
import { createSecret } from '../../lib/secret.ts';
import { withQuery } from '../../lib/with-query.ts';
import { fill } from '../../ui/view.ts';
import { memberForm } from '../member/form.tsx';
import { type Answer, type Member, membersAt } from '../member/member.tsx';
import { deskTexts } from '../messages/desk.ts';
import { deskFrameTexts } from '../messages/desk-frame.ts';
import { deskLedgerTexts } from '../messages/desk-ledger.ts';
import { parseInput, textOf } from '../shared/form.ts';
import type { AppCardProps } from './app-card.tsx';
import { DeskPage } from './desk.tsx';
import { explainForm } from './explain.ts';
import { type DeskAct, deskForms } from './forms.tsx';
import { keepForm, refusedAtDesk, takeForm } from './kept-form.ts';
import { MovedText, MoveReview, moveInput, moveProblems } from './move.tsx';
import { forAdministrators, renderDesk, whileFresh } from './shell.tsx';

/** The number of lines and reviews shown. */
const newest = 20;

/** `/admin`: the admin desk, for the identities in ADMIN_PIDS. */
export function deskPages(deps: Deps): Hono<AppEnv> {
  const pages = new Routes();
  const desk = membersAt(deps, deskPath, keepForm);
  pages.get(deskPath, desk(adminEndpoints.getOverview, showStart));
  pages.post(deskPath, desk(adminEndpoints.switchLedger, forAdministrators(change)));
  return pages;
}

/** Support starts at the search. */
const showStart: Answer = (member, refusal) =>
  deskRole(member.deps, member.actor.handle) === 'support'
    ? Promise.resolve(member.c.redirect(deskPaths.people, 303))
    : forAdministrators(showDesk)(member, refusal);

const showDesk: Answer = async (member, refusal) => {
  const { c, deps, actor } = member;
  const app = c.req.query('app');
  const here = app === undefined ? deskPath : `${withQuery(deskPath, { app })}#app`;
  return whileFresh(member, here, async () => {
    const kept = refusal === undefined ? await takeForm(member, deskPath) : undefined;
    const typed = refusal?.typed ?? kept ?? linkedForm(member);
    const problems = refusal?.problems;
    const appId = (typed?.get('act') === 'app' ? typed.get('id') : app)?.trim() || undefined;
    const [overview, { data: reviews }, { data: reports }, { data: lines }, unexplained, restricted, found] =
      await Promise.all([
        readOverview(deps, actor),
        listReviews(deps, actor, { limit: newest }),
        listReports(deps, actor, { limit: newest }),
        listAudit(deps, actor, { limit: newest, hidesSearches: true }),
        listUnexplained(deps, actor),
        listRestrictedApps(deps, actor),
        appId === undefined ? { app: null, named: [] } : findApp(member, appId),
      ]);
    const requestKey = createSecret(deps.randomBytes);
    const done = refusal === undefined ? await doneText(member, overview) : undefined;
    const feeCap = capOf(deps);
    const shown = { overview, feeCap, reviews, reports, unexplained, restricted, lines, appId, ...found };
    const children = <DeskPage {...{ ...shown, requestKey, typed, problems }} />;
    const isKept = kept !== undefined;
    return renderDesk(member, { tab: 'overview', here: deskPath, refusal, done, isKept, children });
  });
};

/** A link from a person's page fills in the form that moves money: `/admin?from=ayu@pid&amount=120000`. */
function linkedForm({ c }: Member): URLSearchParams | undefined {
  const { from, to = '', amount = '' } = c.req.query();
  return from === undefined ? undefined : new URLSearchParams({ act: 'adjust', from, to, amount });
}

/** The app with an id, and those whose name begins with the text otherwise. */
async function findApp({ deps, actor }: Member, text: string): Promise<Pick<AppCardProps, 'app' | 'named'>> {
  try {
    return { app: await readApp(deps, actor, text), named: [] };
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'app_not_found')) throw error;
    return { app: null, named: await findApps(deps, actor, text) };
  }
}

/** Carries out one of the forms. */
const change = memberForm({
  again: showDesk,
  explain: explainForm,
  onError: refusedAtDesk(() => deskPath),
  async act(member, form) {
    const { deps, actor } = member;
    const name = textOf(form, 'act');
    if (!isAct(name)) throw new AppError('validation_failed', ['act must be one of the page']);
    if (name === 'adjust' && !form.has('confirmed')) return reviewMove(member, form);
    const { deskActs } = await import('./desk-acts.ts');
    const made = await deskActs[name](deps, actor, form);
    if (isProposed(made)) return withQuery(deskPath, { done: 'proposed' });
    return withQuery(deskPath, { done: name, of: subjectOf(form, made) });
  },
});

/** Shows what moving money would do, or the form again with its problems or to be edited. */
async function reviewMove(member: Member, form: URLSearchParams): Promise<Response> {
  const { c, deps, actor, locale } = member;
  if (form.has('edit')) return showDesk(member, { status: 200, typed: form });
  const input = parseInput(adjustmentInput, moveInput(form));
  const review = await reviewAdjustment(deps, actor, input);
  if ('problems' in review) {
    c.header('X-Error-Code', 'validation_failed');
    return showDesk(member, { status: 400, typed: form, problems: moveProblems(review, locale) });
  }
  const children = <MoveReview {...{ review, form }} />;
  return renderDesk(member, { tab: 'overview', here: deskPath, children });
}

/** The subject of a form: the id, day or operation in it, or the id of what it created. */
function subjectOf(form: URLSearchParams, made: unknown): string | null {
  const created = made instanceof Object && 'id' in made ? String(made.id) : null;
  const named = ['id', 'day', 'operation'].map((name) => textOf(form, name).trim());
  return named.find(Boolean) ?? created;
}

/** Says what the last form changed: the new state, the money moved, or the form and its subject. */
async function doneText({ c, deps, locale }: Member, { ledger }: Overview): Promise<Child | undefined> {
  const { done, of = '' } = c.req.query();
  if (done === 'proposed') return deskFrameTexts[locale].doneProposed;
  if (done === undefined || !isAct(done)) return undefined;
  const texts = deskLedgerTexts[locale];
  if (done === 'ledger')
    return `${texts[ledger.mode]} ${texts.withdrawals}: ${texts[ledger.withdrawals ? 'on' : 'off']}`;
  const moved = done === 'adjust' ? await readAdjustment(deps, of) : null;
  if (moved !== null) return <MovedText {...{ id: of, moved }} />;
  const what = deskTexts[locale][`${done}Form`];
  return fill(deskFrameTexts[locale].done, { what, of: /^[\w.:-]{1,60}$/.test(of) ? ` (${of})` : '' });
}

const isProposed = (made: unknown) => made instanceof Object && isProposal(made) && made.outcome === null;

/** Names that every object has, such as `constructor`, are not actions. */
const isAct = (name: string): name is DeskAct => Object.hasOwn(deskForms, name);
