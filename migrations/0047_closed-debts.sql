DROP TRIGGER deposit_returns;
--> statement-breakpoint
DROP TRIGGER leg_allowed;
--> statement-breakpoint
DROP TRIGGER withdrawal_returns;
--> statement-breakpoint
-- When a provider takes back a part or gives it again, the same part moves in the ledger. What an account no longer has
-- becomes its debt first. What is given again to a closed wallet settles its debt, and the rest goes to suspense.
-- Writes: legs (ledger), webhook_events (webhook).
CREATE TRIGGER deposit_returns AFTER UPDATE OF returned ON deposits
WHEN NEW.returned <> OLD.returned
BEGIN
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT
    'debt', NEW.id || '.' || NEW.tries, m.n, x.id, a.id,
    m.moved - (a.credits_posted - a.debits_posted - a.debits_pending), NEW.updated_at
  FROM (
    SELECT
      p.n, p.account,
      min(max(NEW.returned - p.earlier, 0), p.amount) - min(max(OLD.returned - p.earlier, 0), p.amount) AS moved
    FROM deposit_parts p
    WHERE p.deposit = NEW.id
  ) m
  JOIN accounts a ON a.id = m.account
  JOIN accounts x ON x.owner = 'debts' AND x.kind = 'suspense' AND x.asset = a.asset
  WHERE m.moved > a.credits_posted - a.debits_posted - a.debits_pending
  ORDER BY m.n;
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT
    'deposit_reversal', NEW.id || '.' || NEW.tries, m.n, iif(m.moved > 0, a.id, m.gateway),
    iif(m.moved > 0, m.gateway, a.id),
    iif(m.moved < 0 AND a.status = 'closed', min(a.debt, -m.moved), abs(m.moved)), NEW.updated_at
  FROM (
    SELECT
      p.n, p.gateway, p.account,
      min(max(NEW.returned - p.earlier, 0), p.amount) - min(max(OLD.returned - p.earlier, 0), p.amount) AS moved
    FROM deposit_parts p
    WHERE p.deposit = NEW.id
  ) m
  JOIN accounts a ON a.id = m.account
  WHERE m.moved > 0 OR (m.moved < 0 AND (a.status <> 'closed' OR a.debt > 0))
  ORDER BY m.n;
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT
    'deposit_reversal', NEW.id || '.' || NEW.tries, m.n + 3, m.gateway, s.id, -m.moved - coalesce(l.amount, 0),
    NEW.updated_at
  FROM (
    SELECT
      p.n, p.gateway, p.account,
      min(max(NEW.returned - p.earlier, 0), p.amount) - min(max(OLD.returned - p.earlier, 0), p.amount) AS moved
    FROM deposit_parts p
    WHERE p.deposit = NEW.id
  ) m
  JOIN accounts a ON a.id = m.account
  JOIN accounts s ON s.owner = 'system' AND s.kind = 'suspense' AND s.asset = a.asset
  LEFT JOIN legs l ON l.kind = 'deposit_reversal' AND l.ref = NEW.id || '.' || NEW.tries AND l.n = m.n
  WHERE -m.moved > coalesce(l.amount, 0)
  ORDER BY m.n;
  INSERT INTO webhook_events (id, app_id, type, data, at)
  SELECT
    'evt_' || l.ref || '_debt', NEW.app_id, 'wallet.debt',
    json_object('depositId', NEW.id, 'pid', NEW.handle || '@pid', 'asset', NEW.asset, 'returned', NEW.returned),
    NEW.updated_at
  FROM legs l
  WHERE l.kind = 'debt' AND l.ref = NEW.id || '.' || NEW.tries AND l.n = 1 AND NEW.app_id IS NOT NULL;
  SELECT RAISE(ABORT, 'guard:deposit_whole')
  WHERE (
    SELECT sum(iif(g.kind = 'gateway', l.amount, -l.amount))
    FROM legs l
    JOIN accounts g ON g.id = l.credit
    WHERE l.kind = 'deposit_reversal' AND l.ref = NEW.id || '.' || NEW.tries
  ) IS NOT NEW.returned - OLD.returned;
END;
--> statement-breakpoint
-- Money moves while the ledger is open, between active accounts of one asset. A provider takes and gives back
-- whatever the status of the wallet. A closed wallet takes what settles its debt. A leg that resolves another one
-- equals it. No administrator's decision moves money to an account of their own.
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
-- A payout that came back returns the amount without the fee. That of a closed wallet settles its debt, and the rest
-- goes to suspense.
-- Writes: legs (ledger).
CREATE TRIGGER withdrawal_returns AFTER UPDATE OF status ON withdrawals
WHEN OLD.status <> NEW.status AND NEW.status = 'returned'
BEGIN
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT
    'withdrawal_return', NEW.id, 1, l.credit, a.id, iif(a.status = 'closed', min(a.debt, l.amount), l.amount),
    NEW.returned_at
  FROM legs l
  JOIN accounts a ON a.id = NEW.account
  WHERE l.kind = 'withdrawal' AND l.ref = NEW.id AND l.n = 1 AND (a.status <> 'closed' OR a.debt > 0);
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT 'withdrawal_return', NEW.id, 2, l.credit, s.id, l.amount - coalesce(r.amount, 0), NEW.returned_at
  FROM legs l
  JOIN accounts s ON s.owner = 'system' AND s.kind = 'suspense' AND s.asset = NEW.asset
  LEFT JOIN legs r ON r.kind = 'withdrawal_return' AND r.ref = NEW.id AND r.n = 1
  WHERE l.kind = 'withdrawal' AND l.ref = NEW.id AND l.n = 1 AND l.amount > coalesce(r.amount, 0);
  SELECT RAISE(ABORT, 'guard:withdrawal_whole')
  WHERE (
    SELECT sum(amount) FROM legs WHERE kind = 'withdrawal_return' AND ref = NEW.id
  ) IS NOT NEW.amount;
END;
