-- Limits of wallets: the most that one holds, pays at once, and moves out in a day and in a month, by the level of its person.
ALTER TABLE identities ADD COLUMN level TEXT DEFAULT 'unverified' NOT NULL CONSTRAINT identity_level CHECK (level IN ('unverified','verified'));
--> statement-breakpoint
ALTER TABLE ledger ADD COLUMN limits TEXT CONSTRAINT ledger_limits CHECK (limits IS NULL OR json_type(limits) = 'object');
--> statement-breakpoint
ALTER TABLE transfers ADD COLUMN counted INTEGER DEFAULT 0 NOT NULL CONSTRAINT transfer_counted CHECK (counted = 0 OR (counted = 1 AND coalesce(held_at, confirmed_at) IS NOT NULL));
--> statement-breakpoint
ALTER TABLE withdrawals ADD COLUMN counted INTEGER DEFAULT 0 NOT NULL CONSTRAINT withdrawal_counted CHECK (counted = 0 OR (counted = 1 AND held_at IS NOT NULL));
--> statement-breakpoint
CREATE TABLE outflows (
  account INTEGER PRIMARY KEY NOT NULL,
  day TEXT NOT NULL,
  day_total INTEGER NOT NULL,
  month_total INTEGER NOT NULL,
  FOREIGN KEY (account) REFERENCES accounts(id),
  CONSTRAINT outflow_totals CHECK (day_total >= 0 AND month_total >= 0)
) STRICT;
--> statement-breakpoint
DROP TRIGGER leg_allowed;
--> statement-breakpoint
-- The limits in force of each wallet, and what it holds: a debt takes what comes in first. It has no row while there
-- are no limits.
CREATE VIEW wallet_limits AS
SELECT
  a.id AS account, i.level,
  json_extract(m.limits, '$.' || i.level || '.payment') AS payment,
  json_extract(m.limits, '$.' || i.level || '.day') AS day,
  json_extract(m.limits, '$.' || i.level || '.month') AS month,
  json_extract(m.limits, '$.' || i.level || '.held') AS held,
  a.credits_posted - a.debits_posted - a.debt AS holds
FROM ledger m
JOIN accounts a ON a.kind = 'wallet'
JOIN identities i ON i.handle = a.owner
WHERE m.id = 1
  AND m.limits IS NOT NULL;
--> statement-breakpoint
-- The desk sets a level, with its line in the audit log. Nobody verifies themselves.
CREATE TRIGGER identity_level_decided BEFORE UPDATE OF level ON identities
WHEN NEW.level <> OLD.level
  AND NOT coalesce(
    (
      SELECT json_extract(l.detail, '$.level') = NEW.level AND (NEW.level = 'unverified' OR l.actor <> NEW.handle)
      FROM audit_log l
      WHERE l.target = NEW.handle
        AND l.action = 'identity.level'
      ORDER BY l.seq DESC
      LIMIT 1
    ),
    0
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:level_decided');
END;
--> statement-breakpoint
-- Money moves while the ledger is open, between active accounts of one asset. A provider takes and gives back
-- whatever the status of the wallet. A closed wallet takes what settles its debt. A leg that resolves another one
-- equals it. No administrator's decision moves money to an account of their own. While wallets have limits, a payment
-- is counted, but for the capture of what was held, and takes no recipient above what they may hold. Without limits
-- that costs a look at a row that is read anyway.
CREATE TRIGGER leg_allowed BEFORE INSERT ON legs
BEGIN
  SELECT RAISE(ABORT, 'guard:leg_allowed')
  WHERE NOT EXISTS (
    SELECT 1
    FROM ledger m
    CROSS JOIN accounts d
    CROSS JOIN accounts c
    WHERE m.id = 1
      AND m.mode = 'open'
      AND d.id = NEW.debit
      AND c.id = NEW.credit
      AND d.asset = c.asset
      AND (
        NEW.phase NOT IN ('posted', 'pending')
        OR NEW.kind IN ('deposit_reversal', 'debt', 'debt_payment')
        OR (d.status = 'active' AND c.status = 'active')
        OR (
          NEW.kind IN ('correction', 'withdrawal_return')
          AND d.status = 'active'
          AND c.status = 'closed'
          AND c.debt >= NEW.amount
        )
      )
      AND (
        m.limits IS NULL
        OR NOT (
          (
            NEW.kind IN ('transfer', 'sweep')
            AND NEW.amount > coalesce(
              (SELECT w.held - w.holds FROM wallet_limits w WHERE w.account = NEW.credit),
              9007199254740991
            )
          )
          OR (
            NEW.kind IN ('transfer', 'hold')
            AND NOT EXISTS (
              SELECT 1
              FROM transfers t
              WHERE t.id = NEW.ref
                AND (t.counted = 1 OR (NEW.kind = 'transfer' AND t.held_at IS NOT NULL))
            )
          )
          OR (
            NEW.kind = 'withdrawal'
            AND NOT EXISTS (SELECT 1 FROM withdrawals x WHERE x.id = NEW.ref AND x.counted = 1)
          )
        )
      )
  );
  SELECT RAISE(ABORT, 'guard:leg_resolves_its_own')
  WHERE NEW.pending_leg IS NOT NULL
    AND NOT EXISTS (
      SELECT 1
      FROM legs p
      WHERE p.seq = NEW.pending_leg
        AND p.phase = 'pending'
        AND p.debit = NEW.debit
        AND p.credit = NEW.credit
        AND p.amount = NEW.amount
    );
  SELECT RAISE(ABORT, 'guard:own_favour')
  WHERE NEW.kind IN ('deposit', 'withdrawal_end', 'transfer_reversal', 'correction')
    AND EXISTS (
      SELECT 1
      FROM accounts a
      LEFT JOIN apps p ON a.kind = 'app' AND p.id = a.owner
      WHERE a.id = iif(NEW.phase = 'void', NEW.debit, NEW.credit)
        AND a.kind IN ('wallet', 'app')
        AND (
          (
            NEW.kind = 'correction'
            AND coalesce(p.owner, a.owner) = (SELECT j.actor FROM adjustments j WHERE j.id = NEW.ref)
          )
          OR EXISTS (
            SELECT 1
            FROM desk_decisions d
            WHERE d.target IN (NEW.ref, 'trf_' || NEW.ref)
              AND d.outcome IN ('alone', 'approved')
              AND coalesce(p.owner, a.owner) IN (d.maker, d.decided_by)
          )
        )
    );
END;
--> statement-breakpoint
-- What leaves a wallet counts against its limits, by days in Jakarta, in the statement that moves or holds it, which
-- changes this column only while there are limits.
-- Writes: outflows (ledger).
CREATE TRIGGER transfer_counted BEFORE UPDATE OF counted ON transfers
BEGIN
  SELECT RAISE(ABORT, 'guard:transfer_counted')
  WHERE NOT (
    OLD.counted = 0
    AND NEW.counted = 1
    AND OLD.status = 'open'
    AND OLD.held_at IS NULL
    AND coalesce(NEW.held_at, NEW.confirmed_at) IS NOT NULL
  );
  INSERT INTO outflows (account, day, day_total, month_total)
  VALUES (
    NEW.payer_account, strftime('%Y-%m-%d', coalesce(NEW.held_at, NEW.confirmed_at) / 1000 + 25200, 'unixepoch'),
    NEW.debit_total, NEW.debit_total
  )
  ON CONFLICT (account) DO UPDATE SET
    day = max(day, excluded.day),
    day_total = iif(excluded.day > day, 0, day_total) + excluded.day_total,
    month_total = iif(substr(excluded.day, 1, 7) > substr(day, 1, 7), 0, month_total) + excluded.month_total;
  SELECT RAISE(ABORT, 'guard:limit_exceeded')
  FROM wallet_limits w
  JOIN outflows o ON o.account = w.account
  WHERE w.account = NEW.payer_account
    AND (NEW.debit_total > w.payment OR o.day_total > w.day OR o.month_total > w.month);
END;
--> statement-breakpoint
-- A hold that is released, what a capture leaves over, and what the desk takes back count no longer.
-- Writes: outflows (ledger).
CREATE TRIGGER transfer_uncounted AFTER UPDATE OF released_at, amount, reversed_at ON transfers
WHEN NEW.counted = 1
BEGIN
  UPDATE outflows
  SET
    day_total = day_total - iif(outflows.day = t.day, t.less, 0),
    month_total = month_total - iif(substr(outflows.day, 1, 7) = substr(t.day, 1, 7), t.less, 0)
  FROM (
    SELECT
      strftime('%Y-%m-%d', coalesce(NEW.held_at, NEW.confirmed_at) / 1000 + 25200, 'unixepoch') AS day,
      OLD.debit_total - iif(NEW.status = 'confirmed', NEW.debit_total, 0) AS less
  ) t
  WHERE account = NEW.payer_account;
END;
--> statement-breakpoint
-- What leaves a wallet counts against its limits, by days in Jakarta, in the statement that moves or holds it, which
-- changes this column only while there are limits.
-- Writes: outflows (ledger).
CREATE TRIGGER withdrawal_counted BEFORE UPDATE OF counted ON withdrawals
BEGIN
  SELECT RAISE(ABORT, 'guard:withdrawal_counted')
  WHERE NOT (OLD.counted = 0 AND NEW.counted = 1 AND OLD.status = 'quoted' AND NEW.held_at IS NOT NULL);
  INSERT INTO outflows (account, day, day_total, month_total)
  VALUES (
    NEW.account, strftime('%Y-%m-%d', NEW.held_at / 1000 + 25200, 'unixepoch'),
    NEW.amount + NEW.fee, NEW.amount + NEW.fee
  )
  ON CONFLICT (account) DO UPDATE SET
    day = max(day, excluded.day),
    day_total = iif(excluded.day > day, 0, day_total) + excluded.day_total,
    month_total = iif(substr(excluded.day, 1, 7) > substr(day, 1, 7), 0, month_total) + excluded.month_total;
  SELECT RAISE(ABORT, 'guard:limit_exceeded')
  FROM wallet_limits w
  JOIN outflows o ON o.account = w.account
  WHERE w.account = NEW.account
    AND (NEW.amount + NEW.fee > w.payment OR o.day_total > w.day OR o.month_total > w.month);
END;
--> statement-breakpoint
-- What has not left the wallet after all counts no longer.
-- Writes: outflows (ledger).
CREATE TRIGGER withdrawal_uncounted AFTER UPDATE OF status ON withdrawals
WHEN NEW.counted = 1
  AND NEW.status <> OLD.status
  AND NEW.status IN ('cancelled', 'failed', 'returned')
BEGIN
  UPDATE outflows
  SET
    day_total = day_total - iif(outflows.day = t.day, t.less, 0),
    month_total = month_total - iif(substr(outflows.day, 1, 7) = substr(t.day, 1, 7), t.less, 0)
  FROM (
    SELECT
      strftime('%Y-%m-%d', NEW.held_at / 1000 + 25200, 'unixepoch') AS day,
      NEW.amount + iif(NEW.status = 'returned', 0, NEW.fee) AS less
  ) t
  WHERE account = NEW.account;
END;
