import fc from 'fast-check';
import type { Fault } from '../support/break-database.ts';
import { capture, release } from './money-hold-commands.ts';
import { limitCommands } from './money-limits.ts';
import * as rules from './money-model.ts';
import { adjust, advance, refund, reverse, tooMuch } from './money-other-commands.ts';
import {
  allow,
  ask,
  type Command,
  confirmAny,
  narrow,
  type PayOptions,
  pay,
  rush,
} from './money-pay-commands.ts';
import type { Payment } from './money-payment.ts';
import type { Course, Decision, Trouble, Via } from './money-setting.ts';

const person = fc.nat({ max: rules.peopleCount - 1 });
const choice = fc.nat({ max: 1000 });
const mostly = <T>(usual: T, weight: number, ...others: T[]) =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
const fault = mostly<Fault>('none', 5, 'lost before', 'lost after', 'down before', 'down after');
const course: fc.Arbitrary<Course> = fc.record({
  faults: fc.array(fault, { maxLength: 2 }),
  skewMs: mostly(0, 5, -3_000),
});
const trouble = mostly<Trouble>(
  'none',
  1,
  'session ended',
  'payer suspended',
  'payee suspended',
  'payer frozen',
  'payee frozen',
  'ledger frozen',
  'ledger disabled',
  'grant revoked',
  'grant past its end',
  'app suspended',
  'money gone',
  'too late',
);
const refundTrouble = fc.constantFrom<Trouble>(
  ...(['none', 'none', 'payer frozen', 'payee frozen', 'payee suspended', 'session ended'] as const),
  ...(['ledger frozen', 'ledger disabled', 'grant revoked', 'grant past its end', 'money gone'] as const),
);
const captureTrouble = fc.constantFrom<Trouble>(
  ...(['none', 'none', 'payer frozen', 'payer frozen', 'payee frozen', 'payee suspended'] as const),
  ...(['ledger frozen', 'ledger disabled', 'app suspended', 'too late'] as const),
);
const decision = fc.constantFrom<Decision>(
  ...(['approved', 'approved', 'approved', 'none', 'undecided', 'denied'] as const),
  ...(['late', 'of another session', 'with another verifier'] as const),
);
const amount = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 3_000 }));
const smallFee = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 20 }) },
);
const payment: fc.Arbitrary<Payment> = fc.record({
  from: person,
  to: person,
  amount,
  fees: fc.record({ app: fc.constant(0), platform: smallFee, ofPayee: fc.boolean() }),
  via: fc.constant<Via>('person'),
});
const appPayment: fc.Arbitrary<Payment> = fc.record({
  from: person,
  to: person,
  amount,
  fees: fc.record({ app: smallFee, platform: smallFee, ofPayee: fc.boolean() }),
  via: fc.constantFrom<Via>('page', 'back end'),
  hold: mostly(false, 2, true),
});
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 2 });
const limits: fc.Arbitrary<rules.Limits> = fc.record({
  perTransfer: maybe(fc.integer({ min: 50, max: 3_000 })),
  perPeriod: maybe(fc.integer({ min: 100, max: 3_000 })),
  total: maybe(fc.integer({ min: 200, max: 10_000 })),
  maxUses: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 1 }),
  payees: fc.option(fc.uniqueArray(person, { minLength: 1, maxLength: 3 }), { freq: 1 }),
  expiresAt: fc.constant(null),
  feeBps: fc.constantFrom(0, 0, 100, 5_000),
  feeFixed: fc.constantFrom(0, 5, 20),
});
const payOptions = (of: fc.Arbitrary<Payment>): fc.Arbitrary<PayOptions> =>
  fc.record({ payment: of, decision, trouble, courses: fc.tuple(course, course) });
/** Changes between an inquiry that a grant covers and its confirmation. */
const narrowing = fc.constantFrom(
  ...[
    'payees',
    'perTransfer',
    'perPeriod',
    'total',
    'fee',
    'maxUses',
    'maxUses',
    'expired',
    'revoked',
    'nothing',
    'nothing',
  ],
);
/** Every kind of command, with its frequency. */
const weighted: [number, fc.Arbitrary<Command>][] = [
  [
    5,
    fc.tuple(fc.constant('correction' as const), person, amount, course).map((chosen) => adjust(...chosen)),
  ],
  [
    1,
    fc
      .tuple(fc.constant('sweep' as const), person, fc.integer({ min: 1, max: 40 }), course)
      .map((chosen) => adjust(...chosen)),
  ],
  [6, payOptions(payment).map(pay)],
  [8, payOptions(appPayment).map(pay)],
  [4, fc.tuple(person, limits).map((chosen) => allow(...chosen))],
  [
    6,
    fc
      .tuple(person, person, fc.integer({ min: 1, max: 200 }), narrowing, course)
      .map((chosen) => narrow(...chosen)),
  ],
  [
    1,
    fc
      .tuple(
        fc.oneof(payment, appPayment),
        fc.constantFrom<Trouble>('none', 'ledger frozen', 'ledger disabled'),
        course,
      )
      .map((chosen) => ask(...chosen)),
  ],
  [
    4,
    fc
      .tuple(choice, person, mostly(true, 3, false), trouble, course, mostly(true, 3, false))
      .map((chosen) => confirmAny(...chosen)),
  ],
  [
    7,
    fc
      .record({
        choice,
        amount: fc.oneof(amount, fc.constantFrom(null, tooMuch)),
        key: fc.nat({ max: 5 }),
        byApp: mostly(false, 2, true),
        as: fc.option(person, { freq: 8 }).map((index) => (index === null ? 0 : null)),
        isOld: mostly(false, 12, true),
        isRepeated: mostly(false, 3, true),
        trouble: fc.oneof(trouble, refundTrouble),
        course,
      })
      .map(refund),
  ],
  [
    6,
    fc
      .tuple(choice, fc.constantFrom(0.01, 0.3, 0.7, 1, 1, 2), captureTrouble, course)
      .map((chosen) => capture(...chosen)),
  ],
  [2, fc.tuple(choice, captureTrouble, course).map((chosen) => release(...chosen))],
  [1, choice.map(reverse)],
  [
    1,
    fc
      .tuple(person, person, amount, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }))
      .map((chosen) => rush(...chosen)),
  ],
  [1, fc.constantFrom(5, 40, 310, 310, 90_000, 605_000).map(advance)],
  ...limitCommands,
];

export const moneyCommands: fc.Arbitrary<Command>[] = weighted.flatMap(([weight, arbitrary]) =>
  Array<fc.Arbitrary<Command>>(weight).fill(arbitrary),
);
