import { columnsOf, type Row, type RowOf, type Statement, sql, statement } from '../../db/database.ts';
import { deviceName } from '../../lib/device.ts';
import { isoTime } from '../../lib/id.ts';
import type { grants } from '../grant/tables.ts';
import type { sessions } from '../session/tables.ts';
import type { transfers } from '../transfer/tables.ts';

/** How the payer agreed to a transfer, by which a dispute is judged. */
export interface Consent {
  /** In an app's popup, by a grant without being asked, or on the pages of the service or a first-party app. */
  readonly how: 'popup' | 'grant' | 'own';
  readonly at: string;
  /** When the grant was given; null if its row is deleted. */
  readonly grantedAt: string | null;
  /** Null if it was a back end, or the session has expired and its row is deleted. */
  readonly session: {
    readonly id: string;
    readonly provider: string;
    readonly device: string | null;
    readonly address: string | null;
    readonly country: string | null;
    readonly isLive: boolean;
  } | null;
}

const sessionColumns = columnsOf<typeof sessions>()('provider, address, country, user_agent, revoked_at');

type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null };

export type ConsentRow = Nullable<RowOf<typeof sessionColumns>> &
  Pick<Row<typeof transfers>, 'app_id' | 'needs_approval'> & {
    readonly at: number;
    readonly granted_at: Row<typeof grants>['created_at'] | null;
    readonly session: string | null;
  };

/** Reads the approval, grant and session of a transfer that held or moved money; no row for a refund. */
export function selectConsent(id: string): Statement<ConsentRow> {
  return statement(sql`SELECT t.app_id, t.needs_approval, coalesce(p.decided_at, t.held_at, t.confirmed_at) AS at,
      g.created_at AS granted_at, s.id AS session, ${sessionColumns('s')}
    FROM transfers t LEFT JOIN popup_requests p ON p.id = t.approval_id LEFT JOIN grants g ON g.id = t.grant_id
      LEFT JOIN sessions s ON s.id = coalesce(p.session_id, t.session_id)
    WHERE t.id = ${id} AND t.refund_of IS NULL AND coalesce(t.held_at, t.confirmed_at) IS NOT NULL`);
}

export function toConsent(row: ConsentRow): Consent {
  const { session, provider, address, country } = row;
  return {
    how: row.needs_approval === 1 ? 'popup' : row.app_id === null ? 'own' : 'grant',
    at: isoTime(row.at),
    grantedAt: row.granted_at === null ? null : isoTime(row.granted_at),
    session:
      session === null || provider === null
        ? null
        : {
            ...{ id: session, provider, address, country },
            device: deviceName(row.user_agent),
            isLive: row.revoked_at === null,
          },
  };
}
