import type { Database } from './db/database.ts';
import type { LogFields, Logger, Metrics } from './deps.ts';
import { AppError, errors, explain } from './errors.ts';
import { credentialKinds } from './lib/credential-kinds.ts';
import { jobNames } from './lib/job-names.ts';
import { createCounter, createHistogram, durationBounds, gaugeText, type Write } from './lib/metrics.ts';
import { throttle } from './lib/throttle.ts';

/** The counters of a running service. The values of every label are ours: routes, statuses, codes and names. */
export interface Meter extends Metrics {
  /** Counts log events, including those below the log level. */
  log(log: Logger): Logger;
  /** Measures the duration of batches. */
  database(db: Database): Database;
  /** The counters so far, in Prometheus format. */
  text(): string;
}

/** The outcomes of a sign-in: the verdicts of the deciding statements. */
export const signInOutcomes = [
  'signed_in',
  'done',
  'claim_required',
  'code_refused',
  'password_refused',
  'guessing_stopped',
  'too_many_guesses',
  'email_conflict',
  'identity_closed',
  'identity_suspended',
  'proof_stale',
  'password_stale',
  'counter_regressed',
] as const;

/** Log events that are counted by name: outgoing messages, and everything that an operator may have to investigate. */
export const countedEvents = [
  'admin.unclaimed',
  'alarm.delivered',
  'alarm.failed',
  'alarm.given_up',
  'app.resource_lost',
  'app_session.replay',
  'background.failed',
  'breach_check.failed',
  'database.engine',
  'database.replica',
  'deposit.unattributable',
  'deposit.unreachable',
  'environment.development',
  'error_page.failed',
  'gateway.contradicted',
  'gateway.failed',
  'gateway.not_approved',
  'gateway.unknown_order',
  'gateway.unknown_status',
  'identity.status',
  'journal.delayed',
  'ledger.mode',
  'ledger.violated',
  'mail.failed',
  'mail.off',
  'mail.sent',
  'mail.unreadable',
  'money.unexplained',
  'money.waiting',
  'origin.not_allowed',
  'pair_assertion_failed',
  'proxy.not_trusted',
  'rate_limit.store_failed',
  'request.failed',
  'request.limited',
  'request.switched_off',
  'session.replay',
  'setting.unknown',
  'signing_key.reload_failed',
  'signing_key.unreadable',
  'stream.failed',
  'webhook.delivered',
  'webhook.failed',
  'webhook.unreadable_secret',
  'withdrawal.unreadable',
] as const;

const jobOutcomes = ['done', 'elsewhere', 'failed'];
const statuses = new Set([200, 202, 204, 302, 303, ...Object.values(errors).map(([status]) => status)]);

function createTables(write: Write | undefined) {
  const requests = createCounter(
    {
      name: 'peridot_http_requests_total',
      help: 'Responses by route and status.',
      labels: { route: null, status: [...statuses] },
    },
    write,
  );
  const requestSeconds = createHistogram(
    {
      name: 'peridot_http_request_seconds',
      help: 'From the request to its response.',
      labels: { route: null },
      bounds: durationBounds,
    },
    write,
  );
  const refusals = createCounter(
    {
      name: 'peridot_refusals_total',
      help: 'Error responses by code.',
      labels: { code: Object.keys(errors) },
    },
    write,
  );
  const signIns = createCounter(
    {
      name: 'peridot_sign_ins_total',
      help: 'Sign-ins by kind of credential and outcome.',
      labels: { kind: credentialKinds, outcome: signInOutcomes },
    },
    write,
  );
  const jobs = createCounter(
    {
      name: 'peridot_jobs_total',
      help: 'Runs of scheduled jobs.',
      labels: { job: jobNames, outcome: jobOutcomes },
    },
    write,
  );
  const events = createCounter(
    {
      name: 'peridot_events_total',
      help: 'Lines of the log by event, whatever its level leaves out.',
      labels: { event: countedEvents },
    },
    write,
  );
  const batches = createHistogram(
    {
      name: 'peridot_database_batch_seconds',
      help: 'Batches of statements, with their wait, by outcome.',
      labels: { outcome: ['done', 'refused', 'unavailable', 'failed'] },
      bounds: durationBounds,
    },
    write,
  );
  return { requests, requestSeconds, refusals, signIns, jobs, events, batches };
}

/**
 * @param now the current time in fractional milliseconds
 * @param write receives every count, if set; the metrics text then stays empty
 */
export function createMeter(now: () => number, write?: Write): Meter {
  const tables = createTables(write);
  const { requests, requestSeconds, refusals, signIns, jobs, events, batches } = tables;
  const isFirst = throttle();
  let underWay = 0;

  function count(event: string, fields: LogFields | undefined): void {
    if (event === 'sign_in') signIns.add(textOf(fields?.['provider']), textOf(fields?.['verdict']));
    else if (event === 'job') jobs.add(textOf(fields?.['job']), textOf(fields?.['outcome']));
    else if (isCounted.has(event)) {
      const culprit = culprits[event];
      if (culprit === undefined || isFirst(textOf(fields?.[culprit]), now())) events.add(event);
    }
  }

  return {
    now,
    route(route) {
      const [count, observe] = [requests.of(route), requestSeconds.of(route)];
      return (status, ms) => {
        count(status);
        observe(ms / 1000);
      };
    },
    refused: (code) => refusals.add(code),
    log(log) {
      const counting = (level: keyof Logger) => (event: string, fields?: LogFields) => {
        count(event, fields);
        log[level](event, fields);
      };
      return {
        debug: counting('debug'),
        info: counting('info'),
        warn: counting('warn'),
        error: counting('error'),
      };
    },
    database: (db) => ({
      batch(statements) {
        const startedAt = now();
        underWay += 1;
        const ended = (outcome: string) => {
          underWay -= 1;
          batches.observe((now() - startedAt) / 1000, outcome);
        };
        const rows = db.batch(statements);
        // The caller awaits the database's own promise, so that counting adds no turn of the event loop.
        rows.then(
          () => ended('done'),
          (error) => ended(outcomeOf(error)),
        );
        return rows;
      },
    }),
    text: () =>
      Object.values(tables)
        .map((one) => one.text())
        .join('') +
      gaugeText(
        { name: 'peridot_database_batches_under_way', help: 'Batches that wait for their result.' },
        underWay,
      ),
  };
}

/**
 * Events that a person can cause at will, with the field that identifies the person. They are counted once a minute per
 * person, so that a single person cannot fire an alert.
 */
const culprits: Readonly<Record<string, string>> = {
  'session.replay': 'handle',
  'app_session.replay': 'owner',
};

const isCounted: ReadonlySet<string> = new Set(countedEvents);

function textOf(field: unknown): string {
  return typeof field === 'string' ? field : '';
}

/** A rejection is the database's response to a batch that must not be applied; this is how guards work. */
function outcomeOf(error: unknown): string {
  if (error instanceof AppError) return 'unavailable';
  return /constraint|guard:/i.test(explain(error)) ? 'refused' : 'failed';
}
