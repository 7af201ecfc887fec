import {
  readApp,
  registerApp,
  replaceAppSecret,
  setApp,
  setAppResource,
} from '../../src/features/admin/apps.ts';
import { listAudit } from '../../src/features/admin/audit.ts';
import { closeDay, showDay } from '../../src/features/admin/days.ts';
import { resolveWithdrawal } from '../../src/features/admin/documents.ts';
import { identityStatusInput } from '../../src/features/admin/identity-schema.ts';
import { setIdentity } from '../../src/features/admin/identity-status.ts';
import { setWallet, switchLedger } from '../../src/features/admin/ledger-switch.ts';
import { adjustAccounts, reverseTransfer, setPlatformFee } from '../../src/features/admin/money.ts';
import { readOverview } from '../../src/features/admin/overview.ts';
import { explainCase, listCases, listReports, resolveReport } from '../../src/features/admin/reports.ts';
import { listRestrictedApps } from '../../src/features/admin/restricted-apps.ts';
import { listReviews, resolveDeposit } from '../../src/features/admin/reviews.ts';
import {
  adjustmentInput,
  appMarksInput,
  appResourceInput,
  depositDecision,
  ledgerInput,
  reasonInput,
  secondPaymentDecision,
  walletStatusInput,
  withdrawalDecision,
} from '../../src/features/admin/schema.ts';
import { resolveSecondPayment } from '../../src/features/admin/second-payments.ts';
import { listUnexplained } from '../../src/features/admin/unexplained.ts';
import { appInput, rotationInput } from '../../src/features/app/schema.ts';
import { readOperation } from '../../src/features/ledger/fees.ts';
import { platformFeeInput } from '../../src/features/ledger/schema.ts';
import { dayText, reportDecision } from '../../src/features/reconcile/schema.ts';
import { parseInput } from '../../src/pages/shared/form.ts';
import { type Command, CommandError, toText } from './command.ts';
import { handleOf } from './people.ts';
import type { Stores } from './stores.ts';

type Deps = Stores['deps'];

/** The action and arguments of a command; the last argument is the reason for the change. */
type Row = readonly [usage: string, does: string, act: (deps: Deps, names: string[]) => Promise<object>];

const actor = 'operator';
const newest = { limit: 100 };

/** A number for the API; anything else is left unchanged, so that the schema rejects it. */
const whole = (text = '') => (/^\d{1,15}$/.test(text) ? Number(text) : text);

const setMarksOfApp =
  (marks: object): Row[2] =>
  (deps, [id = '', reason]) =>
    setApp(deps, actor, { id, ...parseInput(appMarksInput, { ...marks, reason }) });

/** The flags apply only to the version shown by `app show`. */
const giveMarkToApp =
  (marks: object): Row[2] =>
  (deps, [id = '', seen, reason]) =>
    setApp(deps, actor, { id, ...parseInput(appMarksInput, { ...marks, seen, reason }) });

const setStatusOfPerson =
  (status: string): Row[2] =>
  (deps, [name = '', reason]) =>
    setIdentity(deps, actor, {
      handle: handleOf(name),
      ...parseInput(identityStatusInput, { status, reason }),
    });

const setStatusOfWallet =
  (status: string): Row[2] =>
  (deps, [name = '', reason]) =>
    setWallet(deps, actor, { handle: handleOf(name), ...parseInput(walletStatusInput, { status, reason }) });

const allowWithdrawals =
  (withdrawals: boolean): Row[2] =>
  (deps, [reason]) =>
    switchLedger(deps, actor, parseInput(ledgerInput, { withdrawals, reason }));

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError('APP must be JSON, as in the body of POST /v1/apps.');
  }
}

/** The admin desk's functions, for anyone with access to the command line. */
const rows: readonly Row[] = [
  ['overview', "the switches, open decisions, and today's movements", (deps) => readOverview(deps, actor)],
  [
    'user level PID verified|unverified REASON',
    'marks a person as verified or unverified, which determines their wallet limits',
    (deps, [name = '', level = '', reason]) =>
      setIdentity(deps, actor, {
        handle: handleOf(name),
        ...parseInput(identityStatusInput, { level, reason }),
      }),
  ],
  [
    'user suspend PID REASON',
    'suspends a person, which signs them out everywhere and blocks sign-in',
    setStatusOfPerson('suspended'),
  ],
  ['user activate PID REASON', 'reactivates a suspended person', setStatusOfPerson('active')],
  [
    'app create PID APP REASON',
    'registers an app for a person; APP is JSON, as in the body of POST /v1/apps',
    (deps, [name = '', app = '', reason]) => {
      const input = parseInput(appInput, readJson(app));
      return registerApp(deps, actor, {
        owner: handleOf(name),
        input,
        ...parseInput(reasonInput, { reason }),
      });
    },
  ],
  [
    'app secret ID SECONDS REASON',
    'replaces the secret of an app; the previous ones expire after SECONDS',
    (deps, [id = '', seconds, reason]) => {
      const { overlapSeconds } = parseInput(rotationInput, { overlapSeconds: whole(seconds) });
      return replaceAppSecret(deps, actor, { id, overlapSeconds, ...parseInput(reasonInput, { reason }) });
    },
  ],
  [
    'app suspend ID REASON',
    'stops the tokens, secrets and pages of an app or, by the address of a host, of all unregistered apps there',
    setMarksOfApp({ status: 'suspended' }),
  ],
  ['app activate ID REASON', 'reactivates a suspended app', setMarksOfApp({ status: 'active' })],
  [
    'app list',
    'apps with restrictions: unchecked, or with a fee that grants do not cover',
    (deps) => listRestrictedApps(deps, actor),
  ],
  ['app show ID', 'an app with the details to review', (deps, [id = '']) => readApp(deps, actor, id)],
  [
    'app check ID SEEN REASON',
    'marks an app as checked; SEEN is the `updatedAt` from `app show`',
    giveMarkToApp({ checked: true }),
  ],
  [
    'app own ID SEEN REASON',
    'marks an app as first-party, which implies checked; SEEN is the `updatedAt` from `app show`',
    giveMarkToApp({ firstParty: true }),
  ],
  ['app disown ID REASON', 'clears the first-party flag of an app', setMarksOfApp({ firstParty: false })],
  ['app uncheck ID REASON', 'clears both flags of an app', setMarksOfApp({ checked: false })],
  [
    'app limit ID REQUESTS REASON',
    'sets the requests per minute that an endpoint accepts with its secret; REQUESTS may be default',
    (deps, [id = '', requests, reason]) => {
      const tokenLimit = requests === 'default' ? null : whole(requests);
      return setApp(deps, actor, { id, ...parseInput(appMarksInput, { tokenLimit, reason }) });
    },
  ],
  [
    'app resource ID RESOURCE CLIENTS REASON',
    'assigns a resource to an app; CLIENTS are the ids of other apps that may request it, separated by commas, or none',
    (deps, [id = '', resource, clients = '', reason]) => {
      const input = { resource, proven: true, clients: clients === 'none' ? [] : clients.split(','), reason };
      return setAppResource(deps, actor, { id, ...parseInput(appResourceInput, input) });
    },
  ],
  [
    'app unresource ID RESOURCE REASON',
    'removes a resource from an app',
    (deps, [id = '', resource, reason]) =>
      setAppResource(deps, actor, {
        id,
        ...parseInput(appResourceInput, { resource, proven: false, reason }),
      }),
  ],
  [
    'wallet freeze PID REASON',
    'freezes a wallet, so that no money enters or leaves it',
    setStatusOfWallet('frozen'),
  ],
  ['wallet unfreeze PID REASON', 'unfreezes a wallet', setStatusOfWallet('active')],
  ['audit list', 'the newest lines of the audit log', (deps) => listAudit(deps, actor, newest)],
  ['report list', 'reports from providers and the bank', (deps) => listReports(deps, actor, newest)],
  [
    'report resolve ID accept|reject REASON',
    'posts an imported report, or abandons it',
    (deps, [id = '', decision, reason]) =>
      resolveReport(deps, actor, { id, ...parseInput(reportDecision, { decision, reason }) }),
  ],
  [
    'case list',
    'unexplained differences between provider, bank and ledger',
    (deps) => listCases(deps, actor, newest),
  ],
  [
    'case resolve ID REASON',
    'closes a difference with its explanation',
    (deps, [id = '', reason]) => explainCase(deps, actor, { id, ...parseInput(reasonInput, { reason }) }),
  ],
  [
    'day show DAY',
    'the trial balance of a day',
    (deps, [day]) => showDay(deps, actor, parseInput(dayText, day)),
  ],
  [
    'day close DAY REASON',
    'closes a day on which provider, bank and ledger agree',
    (deps, [day, reason]) =>
      closeDay(deps, actor, { day: parseInput(dayText, day), ...parseInput(reasonInput, { reason }) }),
  ],
  ['deposit list', 'deposits awaiting a decision', (deps) => listReviews(deps, actor, newest)],
  [
    'deposit resolve ID credit|reject REASON',
    'credits the payment, or rejects a deposit under review',
    (deps, [id = '', decision, reason]) =>
      resolveDeposit(deps, actor, { id, ...parseInput(depositDecision, { decision, reason }) }),
  ],
  [
    'deposit bear ID AMOUNT REASON',
    'bears a refund; AMOUNT is the total that the provider has refunded',
    (deps, [id = '', amount, reason]) => {
      const input = { decision: 'credit', returnedAmount: whole(amount), reason };
      return resolveDeposit(deps, actor, { id, ...parseInput(depositDecision, input) });
    },
  ],
  ['unexplained', 'all unexplained money', (deps) => listUnexplained(deps, actor)],
  [
    'debts',
    'debts, with the debtor, the amount and the start date',
    (deps) => listUnexplained(deps, actor, { kind: 'debt' }),
  ],
  [
    'payment resolve ID credit|return REASON',
    'credits a second payment of a deposit, or records that it is refunded at the provider',
    (deps, [id = '', decision, reason]) =>
      resolveSecondPayment(deps, actor, { id, ...parseInput(secondPaymentDecision, { decision, reason }) }),
  ],
  [
    'withdrawal resolve ID paid|failed REASON',
    'settles a withdrawal whose outcome the provider does not report',
    (deps, [id = '', outcome, reason]) =>
      resolveWithdrawal(deps, actor, { id, ...parseInput(withdrawalDecision, { outcome, reason }) }),
  ],
  [
    'transfer reverse ID REASON',
    'reverses a whole transfer, fees included',
    (deps, [id = '', reason]) => reverseTransfer(deps, actor, { id, ...parseInput(reasonInput, { reason }) }),
  ],
  [
    'adjust FROM TO AMOUNT KEY REASON',
    'moves money manually, once per KEY',
    async (deps, [from, to, amount, key = '', reason]) => {
      const input = parseInput(adjustmentInput, { from, to, amount: whole(amount), reason });
      return (await adjustAccounts(deps, actor, { ...input, key })).answer;
    },
  ],
  [
    'fee set OPERATION FIXED BPS MIN MAX PAYER REASON',
    "sets the operator's own fee; MAX may be none",
    (deps, [operation = '', fixed, bps, min, max, payer, reason]) => {
      const amounts = { fixed: whole(fixed), bps: whole(bps), min: whole(min) };
      const limit = max === 'none' ? null : whole(max);
      const fee = parseInput(platformFeeInput, { ...amounts, max: limit, payer, reason });
      const { reason: why, ...input } = fee;
      const change = { operation: readOperation(operation), input, ifMatch: undefined };
      return setPlatformFee(deps, actor, { ...change, reason: why });
    },
  ],
  ['withdrawals on REASON', 'allows withdrawals', allowWithdrawals(true)],
  ['withdrawals off REASON', 'stops new withdrawals; held ones are still paid', allowWithdrawals(false)],
];

function toCommand([usage, does, act]: Row): [string, Command] {
  const words = usage.split(' ');
  const verbs = words.filter((word) => /^[a-z]+$/.test(word));
  const run: Command['run'] = async ({ deps }, { names }) => {
    const data = await act(deps, [...names]);
    return { text: toText(data), data };
  };
  return [verbs.join(' '), { usage, does, names: words.length - verbs.length, run }];
}

export const deskCommands: Record<string, Command> = Object.fromEntries(rows.map(toCommand));
