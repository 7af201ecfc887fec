-- A deposit is created before its provider is queried.
CREATE TRIGGER deposit_begins BEFORE INSERT ON deposits
WHEN NEW.status <> 'creating'
BEGIN
  SELECT RAISE(ABORT, 'guard:deposit_order');
END;

-- A deposit takes one of these paths. A credited deposit can only be reversed.
CREATE TRIGGER deposit_order BEFORE UPDATE OF status ON deposits
WHEN NOT (
  (OLD.status = 'creating' AND NEW.status IN ('pending', 'credited', 'expired', 'failed', 'review'))
  OR (OLD.status = 'pending' AND NEW.status IN ('credited', 'expired', 'failed', 'review'))
  OR (OLD.status IN ('expired', 'failed') AND NEW.status IN ('credited', 'review'))
  OR (OLD.status = 'review' AND NEW.status IN ('credited', 'failed'))
  OR (OLD.status = 'credited' AND NEW.status = 'reversed' AND NEW.returned = NEW.gross)
  OR (OLD.status IN ('credited', 'reversed') AND NEW.status = 'credited' AND NEW.returned <> OLD.returned)
)
BEGIN
  SELECT RAISE(ABORT, 'guard:deposit_order');
END;

-- A deposit keeps its owner, its accounts and its provider.
CREATE TRIGGER deposit_fixed BEFORE UPDATE OF
  id, handle, account, app_account, asset, app_id, gateway, idempotency_key, request_hash, created_at
ON deposits
BEGIN
  SELECT RAISE(ABORT, 'guard:deposit_fixed');
END;

-- The amounts change only in review, to the paid amounts.
CREATE TRIGGER deposit_amounts_fixed BEFORE UPDATE OF gross, app_fee, platform_fee, net ON deposits
WHEN OLD.status <> 'review'
BEGIN
  SELECT RAISE(ABORT, 'guard:deposit_fixed');
END;

-- The fees are those shown at checkout.
CREATE TRIGGER deposit_rules_fixed BEFORE UPDATE OF fee_rules ON deposits
BEGIN
  SELECT RAISE(ABORT, 'guard:deposit_fixed');
END;

-- The app's fee is at most the one shown at checkout, applied to the paid amount.
CREATE TRIGGER deposit_fee_shown BEFORE UPDATE OF app_fee ON deposits
WHEN NEW.app_fee > coalesce(
  min(
    max(
      (NEW.gross * json_extract(OLD.fee_rules, '$.app.bps') + 9999) / 10000
        + json_extract(OLD.fee_rules, '$.app.fixed'),
      json_extract(OLD.fee_rules, '$.app.least')
    ),
    coalesce(json_extract(OLD.fee_rules, '$.app.most'), 9007199254740991)
  ),
  0
)
BEGIN
  SELECT RAISE(ABORT, 'guard:deposit_fee_shown');
END;

-- Only a deposit that ended unpaid is deleted.
CREATE TRIGGER deposit_kept BEFORE DELETE ON deposits
WHEN OLD.status NOT IN ('expired', 'failed') OR OLD.payment IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'guard:ledger_immutable');
END;

-- A credited deposit moves money from the provider to the wallet, and each fee to its recipient.
-- Writes: legs (ledger).
CREATE TRIGGER deposit_posts AFTER UPDATE OF status ON deposits
WHEN NEW.status = 'credited' AND OLD.status NOT IN ('credited', 'reversed')
BEGIN
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT 'deposit', NEW.id, 1, g.id, NEW.account, NEW.net, NEW.credited_at
  FROM accounts g
  WHERE g.owner = 'system' AND g.kind = 'gateway' AND g.asset = NEW.asset;
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT 'deposit', NEW.id, 2, g.id, NEW.app_account, NEW.app_fee, NEW.credited_at
  FROM accounts g
  WHERE g.owner = 'system' AND g.kind = 'gateway' AND g.asset = NEW.asset AND NEW.app_fee > 0;
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT 'deposit', NEW.id, 3, g.id, p.id, NEW.platform_fee, NEW.credited_at
  FROM accounts g
  JOIN accounts p ON p.owner = 'system' AND p.kind = 'platform' AND p.asset = NEW.asset
  WHERE g.owner = 'system' AND g.kind = 'gateway' AND g.asset = NEW.asset AND NEW.platform_fee > 0;
  SELECT RAISE(ABORT, 'guard:deposit_whole')
  WHERE (SELECT sum(amount) FROM legs WHERE kind = 'deposit' AND ref = NEW.id) IS NOT NEW.gross;
END;

-- The parts of each deposit in the order in which a return debits them, each with the sum of the earlier parts.
CREATE VIEW deposit_parts AS
SELECT
  l.ref AS deposit, l.n, l.debit AS gateway, l.credit AS account, l.amount,
  coalesce(
    (SELECT sum(p.amount) FROM legs p WHERE p.kind = 'deposit' AND p.ref = l.ref AND p.n < l.n), 0
  ) AS earlier
FROM legs l
WHERE l.kind = 'deposit';

-- When a provider reverses or restores a part, the same part moves in the ledger. An account's shortfall first
-- becomes its debt. Money restored to a closed wallet settles its debt, and the rest goes to suspense.
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

-- The app is notified of each change to its own deposits.
-- Writes: webhook_events (webhook).
CREATE TRIGGER deposit_told AFTER UPDATE OF status, returned ON deposits
WHEN NEW.app_id IS NOT NULL AND (NEW.status <> OLD.status OR NEW.returned <> OLD.returned)
BEGIN
  INSERT INTO webhook_events (id, app_id, type, data, at)
  VALUES (
    'evt_' || NEW.id || '_' || iif(NEW.returned <> OLD.returned, 'returned_' || NEW.tries, NEW.status),
    NEW.app_id, 'deposit.' || iif(NEW.returned > OLD.returned, 'reversed', NEW.status),
    json_object(
      'id', NEW.id, 'pid', NEW.handle || '@pid', 'status', NEW.status, 'failure', NEW.failure,
      'asset', NEW.asset, 'amount', NEW.gross, 'appFee', NEW.app_fee, 'platformFee', NEW.platform_fee,
      'netAmount', NEW.net, 'returned', NEW.returned
    ),
    NEW.updated_at
  )
  ON CONFLICT (id) DO NOTHING;
END;

-- A second payment for an order waits for a decision, and the app is notified.
-- Writes: webhook_events (webhook).
CREATE TRIGGER second_payment_begins AFTER INSERT ON adjustments
WHEN NEW.kind = 'second_payment'
BEGIN
  INSERT INTO second_payments (id, deposit, handle, amount, at)
  SELECT NEW.id, d.id, d.handle, NEW.amount, NEW.at
  FROM deposits d
  WHERE d.id = NEW.ref;
  INSERT INTO webhook_events (id, app_id, type, data, at)
  SELECT
    'evt_' || NEW.id || '_open', d.app_id, 'deposit.second_payment',
    json_object(
      'id', NEW.id, 'depositId', d.id, 'pid', d.handle || '@pid', 'status', 'open', 'asset', d.asset,
      'amount', NEW.amount
    ),
    NEW.at
  FROM deposits d
  WHERE d.id = NEW.ref AND d.app_id IS NOT NULL;
END;

-- A second payment is decided only once.
CREATE TRIGGER second_payment_fixed BEFORE UPDATE ON second_payments
WHEN OLD.status <> 'open'
  OR (NEW.id, NEW.deposit, NEW.handle, NEW.amount, NEW.at)
    IS NOT (OLD.id, OLD.deposit, OLD.handle, OLD.amount, OLD.at)
BEGIN
  SELECT RAISE(ABORT, 'guard:second_payment_fixed');
END;

-- A second payment is never deleted.
CREATE TRIGGER second_payment_kept BEFORE DELETE ON second_payments
BEGIN
  SELECT RAISE(ABORT, 'guard:ledger_immutable');
END;

-- A decision about a second payment moves the money to the person or back to the provider. Administrators cannot
-- decide in their own favour.
-- Writes: adjustments (ledger), webhook_events (webhook).
CREATE TRIGGER second_payment_ends AFTER UPDATE OF status ON second_payments
WHEN OLD.status = 'open'
BEGIN
  SELECT RAISE(ABORT, 'guard:own_favour')
  WHERE NEW.status = 'credited'
    AND EXISTS (
      SELECT 1
      FROM desk_decisions d
      WHERE d.target = NEW.id AND d.outcome IN ('alone', 'approved') AND NEW.handle IN (d.maker, d.decided_by)
    );
  INSERT INTO adjustments (id, kind, debit, credit, amount, ref, reason, actor, at)
  SELECT
    'adj_' || substr(p.id, 5), 'correction', a.credit, iif(NEW.status = 'credited', d.account, a.debit),
    NEW.amount, NEW.id, p.reason, p.maker, NEW.decided_at
  FROM adjustments a
  JOIN deposits d ON d.id = NEW.deposit
  JOIN desk_decisions p ON p.target = NEW.id AND p.outcome IN ('alone', 'approved')
  WHERE a.id = NEW.id;
  SELECT RAISE(ABORT, 'guard:desk_decided')
  WHERE NOT EXISTS (SELECT 1 FROM adjustments WHERE ref = NEW.id AND kind = 'correction');
  INSERT INTO webhook_events (id, app_id, type, data, at)
  SELECT
    'evt_' || NEW.id || '_' || NEW.status, d.app_id, 'deposit.second_payment',
    json_object(
      'id', NEW.id, 'depositId', d.id, 'pid', d.handle || '@pid', 'status', NEW.status, 'asset', d.asset,
      'amount', NEW.amount
    ),
    NEW.decided_at
  FROM deposits d
  WHERE d.id = NEW.deposit AND d.app_id IS NOT NULL;
END;

-- References to an app: its grants for a while, and permanently its account, its money movements and administrators'
-- decisions.
CREATE VIEW app_references AS
SELECT app_id FROM grants
UNION ALL
SELECT owner FROM accounts
UNION ALL
SELECT app_id FROM transfers WHERE app_id IS NOT NULL
UNION ALL
SELECT app_id FROM deposits WHERE app_id IS NOT NULL
UNION ALL
SELECT target FROM audit_log;

-- An app keeps its row until it is deleted, unless it is unregistered, and has no references.
CREATE TRIGGER app_kept BEFORE DELETE ON apps
WHEN (OLD.status <> 'deleted' AND OLD.owner IS NOT NULL) OR EXISTS (SELECT 1 FROM app_references WHERE app_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'guard:app_kept');
END;

-- An unregistered client is deleted with its last grant, unless money or an administrator's decision refers to it.
-- Writes: apps (app).
CREATE TRIGGER app_document_forgotten AFTER DELETE ON grants
WHEN OLD.app_id GLOB 'http*'
BEGIN
  DELETE FROM apps
  WHERE id = OLD.app_id AND NOT EXISTS (SELECT 1 FROM app_references WHERE app_id = OLD.app_id);
END;
