-- A withdrawal starts as a quote, which holds nothing.
CREATE TRIGGER withdrawal_begins BEFORE INSERT ON withdrawals
WHEN NEW.status <> 'quoted'
BEGIN
  SELECT RAISE(ABORT, 'guard:withdrawal_order');
END;

-- A withdrawal takes one of these paths, so its money is held only once, and then paid or returned only once.
CREATE TRIGGER withdrawal_order BEFORE UPDATE OF status ON withdrawals
WHEN OLD.status <> NEW.status
  AND OLD.status || '>' || NEW.status NOT IN (
    'quoted>held', 'held>submitted', 'held>cancelled', 'submitted>paid', 'submitted>failed', 'paid>returned'
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:withdrawal_order');
END;

-- A withdrawal keeps the details that the person confirmed.
CREATE TRIGGER withdrawal_fixed BEFORE UPDATE OF id, handle, account, asset, amount, fee, gateway ON withdrawals
BEGIN
  SELECT RAISE(ABORT, 'guard:withdrawal_fixed');
END;

-- The bank account is erased only after the withdrawal is final.
CREATE TRIGGER withdrawal_destination BEFORE UPDATE OF destination_enc ON withdrawals
WHEN NEW.destination_enc = '' AND OLD.ended_at IS NULL
BEGIN
  SELECT RAISE(ABORT, 'guard:withdrawal_fixed');
END;

-- No payout is sent while the wallet has a debt.
CREATE TRIGGER withdrawal_debt BEFORE UPDATE OF status ON withdrawals
WHEN OLD.status = 'held'
  AND NEW.status = 'submitted'
  AND EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account AND debt > 0)
BEGIN
  SELECT RAISE(ABORT, 'guard:withdrawal_debt');
END;

-- A withdrawal that held money is never deleted.
CREATE TRIGGER withdrawal_kept BEFORE DELETE ON withdrawals
WHEN OLD.status <> 'quoted'
BEGIN
  SELECT RAISE(ABORT, 'guard:ledger_immutable');
END;

-- A confirmed withdrawal holds its amount and its fee.
-- Writes: legs (ledger).
CREATE TRIGGER withdrawal_holds AFTER UPDATE OF status ON withdrawals
WHEN OLD.status <> NEW.status AND NEW.status = 'held'
BEGIN
  INSERT INTO legs (kind, ref, n, phase, debit, credit, amount, at)
  SELECT 'withdrawal', NEW.id, 1, 'pending', NEW.account, o.id, NEW.amount, NEW.held_at
  FROM accounts o
  WHERE o.owner = 'system' AND o.kind = 'payout' AND o.asset = NEW.asset;
  INSERT INTO legs (kind, ref, n, phase, debit, credit, amount, at)
  SELECT 'withdrawal', NEW.id, 2, 'pending', NEW.account, p.id, NEW.fee, NEW.held_at
  FROM accounts p
  WHERE p.owner = 'system' AND p.kind = 'platform' AND p.asset = NEW.asset AND NEW.fee > 0;
  SELECT RAISE(ABORT, 'guard:withdrawal_whole')
  WHERE (SELECT sum(amount) FROM legs WHERE kind = 'withdrawal' AND ref = NEW.id) IS NOT NEW.amount + NEW.fee;
END;

-- A paid withdrawal posts the held money; a failed or cancelled one returns it.
-- Writes: legs (ledger).
CREATE TRIGGER withdrawal_ends AFTER UPDATE OF status ON withdrawals
WHEN OLD.status <> NEW.status AND NEW.status IN ('paid', 'failed', 'cancelled')
BEGIN
  INSERT INTO legs (kind, ref, n, phase, pending_leg, debit, credit, amount, at)
  SELECT
    'withdrawal_end', NEW.id, l.n, iif(NEW.status = 'paid', 'post', 'void'), l.seq, l.debit, l.credit, l.amount,
    NEW.ended_at
  FROM legs l
  WHERE l.kind = 'withdrawal' AND l.ref = NEW.id
  ORDER BY l.n;
  SELECT RAISE(ABORT, 'guard:withdrawal_whole')
  WHERE (SELECT sum(amount) FROM legs WHERE kind = 'withdrawal_end' AND ref = NEW.id)
    IS NOT NEW.amount + NEW.fee;
END;

-- A returned payout restores the amount without the fee. For a closed wallet the money settles the debt, and the rest
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

-- Money leaving a wallet uses the wallet's limits, by Jakarta days, in the statement that moves or holds the money.
-- The statement sets this column only while there are limits.
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

-- Money that did not leave the wallet after all no longer uses the limits.
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
