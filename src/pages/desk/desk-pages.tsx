import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { readApp } from '../../features/admin/apps.ts';
import { listAudit } from '../../features/admin/audit.ts';
import { isProposal } from '../../features/admin/desk.ts';
import { adminEndpoints } from '../../features/admin/endpoints.ts';
import { readOverview } from '../../features/admin/overview.ts';
import { listReports } from '../../features/admin/reports.ts';
import { deskRole } from '../../features/admin/require-admin.ts';
import { listRestrictedApps } from '../../features/admin/restricted-apps.ts';
import { listReviews } from '../../features/admin/reviews.ts';
import type { DeskApp } from '../../features/admin/schema.ts';
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
import { textOf } from '../shared/form.ts';
import { DeskPage } from './desk.tsx';
import { type DeskAct, deskForms } from './forms.tsx';
import { keepForm, refusedAtDesk, takeForm } from './kept-form.ts';
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
    const typed = refusal?.typed ?? kept;
    const appId = (typed?.get('act') === 'app' ? typed.get('id') : c.req.query('app'))?.trim();
    const [overview, { data: reviews }, { data: reports }, { data: lines }, unexplained, restricted, app] =
      await Promise.all([
        readOverview(deps, actor),
        listReviews(deps, actor, { limit: newest }),
        listReports(deps, actor, { limit: newest }),
        listAudit(deps, actor, { limit: newest }),
        listUnexplained(deps, actor),
        listRestrictedApps(deps, actor),
        appId === undefined ? null : findApp(member, appId),
      ]);
    const requestKey = createSecret(deps.randomBytes);
    const done = refusal === undefined ? doneText(member) : undefined;
    const feeCap = capOf(deps);
    const shown = { overview, feeCap, reviews, reports, unexplained, restricted, lines, appId, app };
    const children = <DeskPage {...{ ...shown, requestKey, typed }} />;
    const isKept = kept !== undefined;
    return renderDesk(member, { tab: 'overview', here: deskPath, refusal, done, isKept, children });
  });
};

async function findApp({ deps, actor }: Member, id: string): Promise<DeskApp | null> {
  return readApp(deps, actor, id).catch((error) => {
    if (error instanceof AppError && error.code === 'app_not_found') return null;
    throw error;
  });
}

/** Carries out one of the forms. */
const change = memberForm({
  again: showDesk,
  onError: refusedAtDesk(() => deskPath),
  async act({ deps, actor }, form) {
    const name = textOf(form, 'act');
    if (!isAct(name)) throw new AppError('validation_failed', ['act must be one of the page']);
    const { deskActs } = await import('./desk-acts.ts');
    const made = await deskActs[name](deps, actor, form);
    if (isWaiting(made)) return withQuery(deskPath, { done: 'proposed' });
    return withQuery(deskPath, { done: name, of: subjectOf(form, made) });
  },
});

/** The subject of a form: the id, day or operation in it, or the id of what it created. */
function subjectOf(form: URLSearchParams, made: unknown): string | null {
  const created = made instanceof Object && 'id' in made ? String(made.id) : null;
  const named = ['id', 'day', 'operation'].map((name) => textOf(form, name).trim());
  return named.find(Boolean) ?? created;
}

/** Names the change that the last form made, and its subject. */
function doneText({ c, locale }: Member): string | undefined {
  const { done, of = '' } = c.req.query();
  if (done === 'proposed') return deskFrameTexts[locale].doneProposed;
  if (done === undefined || !isAct(done)) return undefined;
  const what = deskTexts[locale][`${done}Form`];
  return fill(deskFrameTexts[locale].done, { what, of: /^[\w.:-]{1,60}$/.test(of) ? ` (${of})` : '' });
}

const isWaiting = (made: unknown) => made instanceof Object && isProposal(made) && made.outcome === null;

/** Names that every object has, such as `constructor`, are not actions. */
const isAct = (name: string): name is DeskAct => Object.hasOwn(deskForms, name);
