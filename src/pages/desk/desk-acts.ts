import type { Deps } from '../../deps.ts';
import { setApp, setAppResource } from '../../features/admin/apps.ts';
import { closeDay } from '../../features/admin/days.ts';
import type { DeskActor } from '../../features/admin/desk.ts';
import { resolveWithdrawal } from '../../features/admin/documents.ts';
import { switchLedger } from '../../features/admin/ledger-switch.ts';
import { adjustAccounts, setPlatformFee } from '../../features/admin/money.ts';
import { resolveProposal } from '../../features/admin/proposals.ts';
import { explainCase, resolveReport } from '../../features/admin/reports.ts';
import { resolveDeposit } from '../../features/admin/reviews.ts';
import {
  adjustmentInput,
  appMarksInput,
  appResourceInput,
  depositDecision,
  ledgerInput,
  proposalDecision,
  reasonInput,
  secondPaymentDecision,
  withdrawalDecision,
} from '../../features/admin/schema.ts';
import { resolveSecondPayment } from '../../features/admin/second-payments.ts';
import { readOperation } from '../../features/ledger/fees.ts';
import { platformFeeInput } from '../../features/ledger/schema.ts';
import { dayText, reportDecision } from '../../features/reconcile/schema.ts';
import { parseInput, readAmount, textOf } from '../shared/form.ts';
import type { DeskAct } from './forms.tsx';
import { moveInput } from './move.tsx';

type Act = (deps: Deps, actor: Exclude<DeskActor, 'operator'>, form: URLSearchParams) => Promise<unknown>;

const text = (form: URLSearchParams, name: string) => textOf(form, name).trim();
/** A number for the API; anything else stays unchanged, so that the schema rejects it. */
const number = (form: URLSearchParams, name: string) =>
  /^\d{1,15}$/.test(text(form, name)) ? Number(text(form, name)) : text(form, name);
/** The stored unit of a percentage, hundredths of a percent: 70 for `0.7` or `0,7`. */
const bpsOf = (percent: string) =>
  /^\d{1,3}([.,]\d{1,2})?$/.test(percent) ? Math.round(Number(percent.replace(',', '.')) * 100) : Number.NaN;
/** A choice of yes, no, or no change. */
const switchOf = (form: URLSearchParams, name: string) =>
  form.get(name) ? form.get(name) === 'true' : undefined;
const reasonOf = (form: URLSearchParams) => ({ reason: textOf(form, 'reason') });

/** The change that each form of the desk makes; loaded with the first form. */
export const deskActs: Readonly<Record<DeskAct, Act>> = {
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
  review: (deps, actor, form) => {
    const input = parseInput(depositDecision, {
      decision: form.get('decision'),
      returnedAmount:
        text(form, 'returnedAmount') === '' ? undefined : readAmount(text(form, 'returnedAmount')),
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
    const input = parseInput(adjustmentInput, moveInput(form));
    return (await adjustAccounts(deps, actor, { ...input, key: form.get('key') })).answer;
  },
  fee: (deps, actor, form) => {
    const { reason, ...input } = parseInput(platformFeeInput, {
      ...{ fixed: readAmount(text(form, 'fixed')), bps: bpsOf(text(form, 'percent')) },
      min: readAmount(text(form, 'min')),
      max: text(form, 'max') === '' ? null : readAmount(text(form, 'max')),
      payer: form.get('payer') ?? 'payer',
      ...reasonOf(form),
    });
    const operation = readOperation(text(form, 'operation'));
    return setPlatformFee(deps, actor, { operation, input, ifMatch: undefined, reason });
  },
};
