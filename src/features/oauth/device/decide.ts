import { only, run, type SQL, sql, statement } from '../../../db/database.ts';
import type { Deps } from '../../../deps.ts';
import { AppError } from '../../../errors.ts';
import type { ClientInfo } from '../../../http/context.ts';
import { addressKey } from '../../../lib/address.ts';
import { createId } from '../../../lib/id.ts';
import { stringList } from '../../../lib/present.ts';
import { secretHash } from '../../../lib/secret.ts';
import { proofOfShown, type Shown, wasShown } from '../../../lib/shown.ts';
import { mayAsk } from '../../app/scopes.ts';
import { countTry, tooManyTries } from '../../email/tries.ts';
import { upsertGrant } from '../../grant/statements.ts';
import { type AppDoubt, shownName } from '../../popup/app-doubt.ts';
import {
  type DeviceRow,
  decideDeviceRequest,
  deviceHost,
  deviceRequest,
  hasDeviceFlow,
  isDecidedBy,
  openDeviceRequest,
} from '../../popup/device.ts';
import { announceGrant } from '../authorize/announce.ts';
import { readUserCode, userCodeMacs } from '../device-code.ts';

/** How many codes an address and a person may try within ten minutes. */
const mostGuesses = { address: 30, person: 10 };
const guessesMs = 10 * 60_000;

/** The person who types a code, and their address. */
export interface Typist {
  readonly handle: string;
  readonly sessionId: string;
  readonly address: string;
}

/** A device's request, as the page shows it. */
export interface DeviceScreen {
  readonly appId: string;
  readonly app: string;
  readonly doubt: AppDoubt;
  readonly scopes: readonly string[];
  readonly country: string | null;
  readonly startedAt: number;
  /** Returned with the decision. */
  readonly proof: string;
}

/**
 * Finds the request of a typed code. The guess is counted before it is checked: for the address, for the person, and
 * for the code.
 * @throws AppError code_refused; rate_limited after too many guesses
 */
export async function findDevice(deps: Deps, typed: string, typist: Typist): Promise<DeviceScreen> {
  const now = deps.now();
  const code = readUserCode(typed);
  if (code === null) throw new AppError('code_refused');
  const { handle, sessionId, address } = typist;
  const count = (by: 'address' | 'person', who: string) => ({
    most: mostGuesses[by],
    key: sql`${`device ${by} ${secretHash(who)}`}`,
  });
  const [here, mine] = [count('address', addressKey(address)), count('person', handle)];
  const isBelow = ({ key, most }: typeof here): SQL =>
    sql`(SELECT tries FROM secret_tries WHERE key = ${key}) <= ${most}`;
  const endsAt = now + guessesMs;
  const request = { macs: userCodeMacs(deps, code), now };
  const { byAddress, byPerson, opened, rows } = await run(deps.db, {
    byAddress: countTry({ key: here.key, now, endsAt }),
    byPerson: countTry({ key: mine.key, now, endsAt }),
    opened: openDeviceRequest(request, sql`${isBelow(here)} AND ${isBelow(mine)}`),
    rows: deviceRequest(request),
  });
  for (const [tries, { most }] of [
    [only(byAddress), here],
    [only(byPerson), mine],
  ] as const)
    if (tries.tries > most) throw tooManyTries(tries, now);
  const [row] = opened.length > 0 ? rows : [];
  if (row === undefined) throw new AppError('code_refused');
  return screenOf(deps, row, sessionId);
}

function screenOf(deps: Deps, row: DeviceRow, sessionId: string): DeviceScreen {
  const { appId, app: name, doubt, country, createdAt } = row;
  return {
    appId,
    app: shownName({ id: appId, name, doubt }),
    doubt,
    scopes: stringList(row.scopes),
    country,
    startedAt: createdAt,
    proof: proofOfShown(deps.config.secretKeys, shown(row, sessionId)),
  };
}

/** Everything that the page shows and the decision depends on. */
function shown({ id, digest, app, doubt }: DeviceRow, sessionId: string): Shown {
  return { decision: 'device', digest: secretHash(JSON.stringify([id, digest, app, doubt])), sessionId };
}

interface Decision extends Omit<Typist, 'address'> {
  /** The code as typed. */
  readonly typed: string;
  readonly proof: string;
  readonly decision: 'allow' | 'deny';
  readonly client: ClientInfo;
}

/**
 * Allows or denies the device to act for the person. One batch decides and creates the grant; a decided request never
 * changes.
 * @throws AppError code_refused if the code has expired or was decided, authorize_altered if the page showed something else
 * @throws AppError unauthenticated if the session has ended
 */
export async function decideDevice(deps: Deps, input: Decision): Promise<{ readonly app: string }> {
  const now = deps.now();
  const { typed, sessionId, handle, client } = input;
  const code = readUserCode(typed);
  if (code === null) throw new AppError('code_refused');
  const { found } = await run(deps.db, { found: deviceRequest({ macs: userCodeMacs(deps, code), now }) });
  const [row] = found;
  if (row === undefined) throw new AppError('code_refused');
  if (!wasShown(deps.config.secretKeys, shown(row, sessionId), input.proof))
    throw new AppError('authorize_altered');
  const { id, digest, appId } = row;
  const decision = input.decision === 'allow' ? 'approved' : 'denied';
  const scopes = stringList(row.scopes);
  const decided = isDecidedBy({ id, decision, sessionId });
  const when =
    decision === 'approved' ? sql`${mayAsk(deps, appId, scopes)} AND ${hasDeviceFlow(appId)}` : sql`1`;
  const grant = {
    id: createId('grt', now, deps.randomBytes),
    app: { id: appId, name: row.app },
    host: deviceHost,
    resource: null,
    ...{ sessionId, scopes, client, when: decided, now },
  };
  const { state } = await run(deps.db, {
    change: [
      decideDeviceRequest({ id, digest, decision, sessionId, when, now }),
      ...(decision === 'approved' ? await upsertGrant(deps, grant) : []),
    ],
    state: statement<{ decided: number }>(sql`SELECT ${decided} AS decided`),
  });
  if (!only(state).decided) throw new AppError('code_refused');
  deps.log.info('device.decided', { app: appId, handle, decision });
  if (decision === 'approved') announceGrant(deps);
  return { app: shownName({ id: appId, name: row.app, doubt: row.doubt }) };
}
