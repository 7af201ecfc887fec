import type { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { AppError } from '../../errors.ts';
import { readApp, setApp, setAppResource } from '../../features/admin/apps.ts';
import { listAudit } from '../../features/admin/audit.ts';
import { closeDay } from '../../features/admin/days.ts';
import { type DeskActor, isProposal } from '../../features/admin/desk.ts';
import { resolveWithdrawal } from '../../features/admin/documents.ts';
import { adminEndpoints } from '../../features/admin/endpoints.ts';
import { switchLedger } from '../../features/admin/ledger-switch.ts';
import { adjustAccounts, reverseTransfer, setPlatformFee } from '../../features/admin/money.ts';
import { readOverview } from '../../features/admin/overview.ts';
import { resolveProposal } from '../../features/admin/proposals.ts';
import { explainCase, listReports, resolveReport } from '../../features/admin/reports.ts';
import { deskRole } from '../../features/admin/require-admin.ts';
import { listRestrictedApps } from '../../features/admin/restricted-apps.ts';
import { listReviews, resolveDeposit } from '../../features/admin/reviews.ts';
import {
  adjustmentInput,
  appMarksInput,
  appResourceInput,
  type DeskApp,
  depositDecision,
  ledgerInput,
  proposalDecision,
  reasonInput,
  secondPaymentDecision,
  withdrawalDecision,
} from '../../features/admin/schema.ts';
import { resolveSecondPayment } from '../../features/admin/second-payments.ts';
import { listUnexplained } from '../../features/admin/unexplained.ts';
import { capOf, readOperation } from '../../features/ledger/fees.ts';
import { platformFeeInput } from '../../features/ledger/schema.ts';
import { dayText, reportDecision } from '../../features/reconcile/schema.ts';
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
import { parseInput, textOf } from '../shared/form.ts';
import { DeskPage } from './desk.tsx';
import type { DeskAct } from './forms.tsx';
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
    const made = await acts[name](deps, actor, form);
    if (isWaiting(made)) return withQuery(deskPath, { done: 'proposed' });
    return withQuery(deskPath, { done: name, of: subjectOf(form, made) });
  },
});

/** The subject of a form: the id, day or operation in it, or the id of what it created. */
function subjectOf(form: URLSearchParams, made: unknown): string | null {
  const created = made instanceof Object && 'id' in made ? String(made.id) : null;
  return text(form, 'id') || text(form, 'day') || text(form, 'operation') || created;
}

/** What the last form did, and to what. */
function doneText({ c, locale }: Member): string | undefined {
  const { done, of = '' } = c.req.query();
  if (done === 'proposed') return deskFrameTexts[locale].doneProposed;
  if (done === undefined || !isAct(done)) return undefined;
  const what = deskTexts[locale][`${done}Form`];
  return fill(deskFrameTexts[locale].done, { what, of: /^[\w.:-]{1,60}$/.test(of) ? ` (${of})` : '' });
}

const isWaiting = (made: unknown) => made instanceof Object && isProposal(made) && made.outcome === null;

/** Names that every object has, such as `constructor`, are not actions. */
const isAct = (name: string): name is DeskAct => Object.hasOwn(acts, name);

type Act = (deps: Deps, actor: Exclude<DeskActor, 'operator'>, form: URLSearchParams) => Promise<unknown>;

const text = (form: URLSearchParams, name: string) => textOf(form, name).trim();
/** A number for the API; anything else stays unchanged, so that the schema rejects it. */
const number = (form: URLSearchParams, name: string) =>
  /^\d{1,15}$/.test(text(form, name)) ? Number(text(form, name)) : text(form, name);
/** A choice of yes, no, or no change. */
const switchOf = (form: URLSearchParams, name: string) =>
  form.get(name) ? form.get(name) === 'true' : undefined;
const reasonOf = (form: URLSearchParams) => ({ reason: textOf(form, 'reason') });

const acts: Readonly<Record<DeskAct, Act>> = {
  ledger: (deps, actor, form) => {
    const input = { mode: form.get('mode') || undefined, withdrawals: switchOf(form, 'withdrawals') };
    return switchLedger(deps, actor, parseInput(ledgerInput, { ...input, ...reasonOf(form) }));
  },
  app: (deps, actor, form) => {
    const limit = number(form, 'tokenLimit');
    const input = {
      status: form.get('status') || undefined,
      checked: switchOf(form, 'checked'),
      firstParty: switchOf(form, 'firstParty'),
      tokenLimit: limit === '' ? undefined : limit || null,
      seen: form.get('seen') ?? undefined,
    };
    return setApp(deps, actor, {
      id: text(form, 'id'),
      ...parseInput(appMarksInput, { ...input, ...reasonOf(form) }),
    });
  },
  resource: (deps, actor, form) => {
    const clients = text(form, 'clients').split(/\s+/).filter(Boolean);
    const input = { resource: text(form, 'resource'), proven: switchOf(form, 'proven'), clients };
    return setAppResource(deps, actor, {
      id: text(form, 'id'),
      ...parseInput(appResourceInput, { ...input, ...reasonOf(form) }),
    });
  },
  reverse: (deps, actor, form) =>
    reverseTransfer(deps, actor, { id: text(form, 'id'), ...parseInput(reasonInput, reasonOf(form)) }),
  review: (deps, actor, form) => {
    const input = parseInput(depositDecision, {
      decision: form.get('decision'),
      returnedAmount: text(form, 'returnedAmount') === '' ? undefined : number(form, 'returnedAmount'),
      ...reasonOf(form),
    });
    return resolveDeposit(deps, actor, { id: text(form, 'id'), ...input });
  },
  second: (deps, actor, form) => {
    const input = parseInput(secondPaymentDecision, { decision: form.get('decision'), ...reasonOf(form) });
    return resolveSecondPayment(deps, actor, { id: text(form, 'id'), ...input });
  },
  withdrawal: (deps, actor, form) => {
    const input = parseInput(withdrawalDecision, { outcome: form.get('outcome'), ...reasonOf(form) });
    return resolveWithdrawal(deps, actor, { id: text(form, 'id'), ...input });
  },
  report: (deps, actor, form) => {
    const input = parseInput(reportDecision, { decision: form.get('decision'), ...reasonOf(form) });
    return resolveReport(deps, actor, { id: text(form, 'id'), ...input });
  },
  difference: (deps, actor, form) =>
    explainCase(deps, actor, { id: text(form, 'id'), ...parseInput(reasonInput, reasonOf(form)) }),
  day: (deps, actor, form) =>
    closeDay(deps, actor, {
      day: parseInput(dayText, text(form, 'day')),
      ...parseInput(reasonInput, reasonOf(form)),
    }),
  proposal: (deps, actor, form) => {
    const input = parseInput(proposalDecision, { decision: form.get('decision'), ...reasonOf(form) });
    return resolveProposal(deps, actor, { id: text(form, 'id'), ...input });
  },
  adjust: async (deps, actor, form) => {
    const named = { from: text(form, 'from'), to: text(form, 'to'), amount: number(form, 'amount') };
    const input = parseInput(adjustmentInput, { ...named, ...reasonOf(form) });
    return (await adjustAccounts(deps, actor, { ...input, key: form.get('key') })).answer;
  },
  fee: (deps, actor, form) => {
    const { reason, ...input } = parseInput(platformFeeInput, {
      ...Object.fromEntries(['fixed', 'bps', 'min'].map((name) => [name, number(form, name)])),
      max: text(form, 'max') === '' ? null : number(form, 'max'),
      payer: form.get('payer') ?? 'payer',
      ...reasonOf(form),
    });
    const operation = readOperation(text(form, 'operation'));
    return setPlatformFee(deps, actor, { operation, input, ifMatch: undefined, reason });
  },
};
