-- An inquiry starts open and unheld. Only a refund starts confirmed.
CREATE TRIGGER transfer_begins BEFORE INSERT ON transfers
WHEN NEW.refunded <> 0 OR NEW.held_at IS NOT NULL OR (NEW.refund_of IS NULL AND NEW.status <> 'open')
BEGIN
  SELECT RAISE(ABORT, 'guard:transfer_order');
END;

-- Money goes from the payer's wallet to the payee's, and a fee to the app's account. An inquiry that needs an
-- approval may use account 0, so that an app does not learn whether the payer has a wallet.
CREATE TRIGGER transfer_wallets BEFORE INSERT ON transfers
WHEN (
    (SELECT owner FROM accounts WHERE id = NEW.payer_account AND kind = 'wallet') IS NOT NEW.payer
    AND NOT (NEW.payer_account = 0 AND NEW.needs_approval = 1)
  )
  OR (SELECT owner FROM accounts WHERE id = NEW.payee_account AND kind = 'wallet') IS NOT NEW.payee
  OR (
    NEW.app_account IS NOT NULL
    AND (SELECT owner FROM accounts WHERE id = NEW.app_account AND kind = 'app') IS NOT NEW.app_id
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:transfer_wallets');
END;

-- A transfer keeps everything that the payer was shown.
CREATE TRIGGER transfer_fixed BEFORE UPDATE OF
  id, payer, payee, payer_account, payee_account, app_account, asset, app_id, grant_id, needs_approval,
  above_step_up, memo, refund_of, idempotency_key, request_hash, created_at, hold_rules
ON transfers
BEGIN
  SELECT RAISE(ABORT, 'guard:transfer_fixed');
END;

-- A transfer that moved or held money is never deleted.
CREATE TRIGGER transfer_kept BEFORE DELETE ON transfers
WHEN OLD.status IN ('confirmed', 'reversed') OR OLD.held_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'guard:ledger_immutable');
END;

-- A transfer is confirmed only once, by its payer's grant or approval, and the grant covers its fee. Only an
-- administrator reverses it.
CREATE TRIGGER transfer_allowed BEFORE UPDATE OF
  status, held_at, approval_id, verifier_hash, confirmed_by, confirmed_at
ON transfers
BEGIN
  SELECT RAISE(ABORT, 'guard:transfer_fixed')
  WHERE (
    OLD.confirmed_at IS NOT NULL
    AND (NEW.confirmed_at IS NOT OLD.confirmed_at OR NEW.confirmed_by IS NOT OLD.confirmed_by)
  )
    OR (
      coalesce(OLD.confirmed_at, OLD.held_at) IS NOT NULL
      AND (NEW.approval_id IS NOT OLD.approval_id OR NEW.verifier_hash IS NOT OLD.verifier_hash)
    );
  SELECT RAISE(ABORT, 'guard:transfer_order')
  WHERE NOT (
    (OLD.status = 'open' AND NEW.status IN ('confirmed', 'cancelled'))
    OR (OLD.status = 'confirmed' AND NEW.status = 'reversed')
    OR (OLD.status = 'open' AND NEW.status = 'open' AND OLD.held_at IS NULL AND NEW.held_at IS NOT NULL)
  );
  SELECT RAISE(ABORT, 'guard:transfer_granted')
  WHERE NEW.status IN ('open', 'confirmed')
    AND OLD.held_at IS NULL
    AND NEW.app_id IS NOT NULL
    AND NEW.needs_approval = 0
    AND NOT EXISTS (
      SELECT 1 FROM grants g WHERE g.id = NEW.grant_id AND g.app_id = NEW.app_id AND g.handle = NEW.payer
    );
  SELECT RAISE(ABORT, 'guard:transfer_fee_granted')
  WHERE NEW.status IN ('open', 'confirmed')
    AND OLD.held_at IS NULL
    AND NEW.needs_approval = 0
    AND NEW.app_fee > 0
    AND NOT EXISTS (
      SELECT 1
      FROM grants g
      WHERE g.id = NEW.grant_id AND NEW.app_fee <= (NEW.amount * g.fee_bps + 9999) / 10000 + g.fee_fixed
    );
  SELECT RAISE(ABORT, 'guard:desk_decided')
  WHERE NEW.status = 'reversed'
    AND NOT EXISTS (
      SELECT 1
      FROM desk_decisions d
      WHERE d.target = 'trf_' || NEW.id AND d.outcome IN ('alone', 'approved')
    );
END;

-- An approval pays only once, within 30 seconds, for the transfer and the opener it was given for.
-- Writes: popup_requests (popup).
CREATE TRIGGER transfer_approved AFTER UPDATE OF status, held_at ON transfers
WHEN NEW.status IN ('open', 'confirmed') AND OLD.held_at IS NULL AND NEW.needs_approval = 1
BEGIN
  UPDATE popup_requests
  SET status = 'redeemed', redeemed_op = NEW.id
  WHERE id = NEW.approval_id
    AND inquiry_id = NEW.id
    AND status = 'approved'
    AND handle = NEW.payer
    AND app_id = NEW.app_id
    AND verifier_hash = NEW.verifier_hash
    AND decided_at + 30000 > coalesce(NEW.held_at, NEW.confirmed_at);
  SELECT RAISE(ABORT, 'guard:transfer_approved')
  WHERE NOT EXISTS (SELECT 1 FROM popup_requests WHERE redeemed_op = NEW.id);
END;

-- A transfer under a grant uses the grant's limits.
-- Writes: grants (grant).
CREATE TRIGGER transfer_spends AFTER UPDATE OF status, held_at ON transfers
WHEN NEW.status IN ('open', 'confirmed')
  AND OLD.held_at IS NULL
  AND NEW.needs_approval = 0
  AND NEW.grant_id IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'guard:grant_expired')
  FROM grants
  WHERE id = NEW.grant_id AND expires_at <= coalesce(NEW.held_at, NEW.confirmed_at);
  SELECT RAISE(ABORT, 'guard:grant_recipient')
  FROM grants
  WHERE id = NEW.grant_id AND payees IS NOT NULL AND NEW.payee NOT IN (SELECT value FROM json_each(payees));
  SELECT RAISE(ABORT, 'guard:grant_limit_exceeded')
  FROM grants
  WHERE id = NEW.grant_id
    AND (coalesce(per_transfer, per_period, total_limit) IS NULL OR NEW.debit_total > per_transfer);
  UPDATE grants
  SET
    spent = iif(
      coalesce(NEW.held_at, NEW.confirmed_at) - period_start < coalesce(period_ms, 9007199254740991), spent, 0
    ) + NEW.debit_total,
    period_start = iif(
      coalesce(NEW.held_at, NEW.confirmed_at) - period_start < coalesce(period_ms, 9007199254740991),
      period_start, coalesce(NEW.held_at, NEW.confirmed_at)
    ),
    spent_total = spent_total + NEW.debit_total,
    uses = uses + 1,
    last_used_at = coalesce(NEW.held_at, NEW.confirmed_at)
  WHERE id = NEW.grant_id;
END;

-- A confirmed transfer without fees moves money from payer to payee. A capture has its own trigger.
-- Writes: legs (ledger).
CREATE TRIGGER transfer_posts AFTER UPDATE OF status ON transfers
WHEN NEW.status = 'confirmed' AND NEW.held_at IS NULL AND NEW.app_fee + NEW.platform_fee = 0
BEGIN
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  VALUES ('transfer', NEW.id, 1, NEW.payer_account, NEW.payee_account, NEW.net_amount, NEW.confirmed_at);
END;

-- A confirmed transfer with fees moves money from payer to payee, and each fee to its recipient. A capture has
-- already moved its money.
-- Writes: legs (ledger).
CREATE TRIGGER transfer_posts_fees AFTER UPDATE OF status ON transfers
WHEN NEW.status = 'confirmed' AND (NEW.held_at IS NOT NULL OR NEW.app_fee + NEW.platform_fee > 0)
BEGIN
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT 'transfer', NEW.id, 1, NEW.payer_account, NEW.payee_account, NEW.net_amount, NEW.confirmed_at
  WHERE NEW.held_at IS NULL;
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT 'transfer', NEW.id, 2, NEW.payer_account, NEW.app_account, NEW.app_fee, NEW.confirmed_at
  WHERE NEW.held_at IS NULL AND NEW.app_fee > 0;
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT 'transfer', NEW.id, 3, NEW.payer_account, p.id, NEW.platform_fee, NEW.confirmed_at
  FROM accounts p
  WHERE p.owner = 'system'
    AND p.kind = 'platform'
    AND p.asset = NEW.asset
    AND NEW.held_at IS NULL
    AND NEW.platform_fee > 0;
  SELECT RAISE(ABORT, 'guard:transfer_whole')
  WHERE (SELECT sum(amount) FROM legs WHERE kind = 'transfer' AND ref = NEW.id) IS NOT NEW.debit_total;
END;

-- A reversal moves every leg of a transfer back.
-- Writes: legs (ledger).
CREATE TRIGGER transfer_reversed AFTER UPDATE OF status ON transfers
WHEN NEW.status = 'reversed'
BEGIN
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT 'transfer_reversal', NEW.id, l.n, l.credit, l.debit, l.amount, NEW.reversed_at
  FROM legs l
  WHERE l.kind = 'transfer' AND l.ref = NEW.id
  ORDER BY l.n;
END;

-- The refunded total only increases.
CREATE TRIGGER transfer_refunded_only_up BEFORE UPDATE OF refunded ON transfers
WHEN NEW.refunded < OLD.refunded
BEGIN
  SELECT RAISE(ABORT, 'guard:transfer_fixed');
END;

-- A refund moves money back from payee to payer within a year, never more than was received.
-- Writes: legs (ledger), webhook_events (webhook).
CREATE TRIGGER transfer_refunds AFTER INSERT ON transfers
WHEN NEW.refund_of IS NOT NULL
BEGIN
  UPDATE transfers
  SET refunded = refunded + NEW.amount
  WHERE id = NEW.refund_of;
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  VALUES ('refund', NEW.id, 1, NEW.payer_account, NEW.payee_account, NEW.amount, NEW.confirmed_at);
  INSERT INTO webhook_events (id, app_id, type, data, at)
  SELECT
    'evt_' || NEW.id || '_refunded', o.app_id, 'transfer.refunded',
    json_object(
      'id', 'trf_' || NEW.id, 'refundOf', 'trf_' || o.id, 'status', 'completed', 'from', NEW.payer || '@pid',
      'to', NEW.payee || '@pid', 'asset', NEW.asset, 'amount', NEW.amount, 'refundedTotal', o.refunded,
      'refundable', o.net_amount - o.refunded
    ),
    NEW.confirmed_at
  FROM transfers o
  WHERE o.id = NEW.refund_of AND o.app_id IS NOT NULL;
  SELECT RAISE(ABORT, 'guard:refund_whole')
  WHERE NOT EXISTS (
    SELECT 1
    FROM transfers o
    WHERE o.id = NEW.refund_of
      AND o.refund_of IS NULL
      AND o.status = 'confirmed'
      AND o.payer = NEW.payee
      AND o.payee = NEW.payer
      AND o.payer_account = NEW.payee_account
      AND o.payee_account = NEW.payer_account
      AND o.asset = NEW.asset
      AND o.confirmed_at + 31536000000 > NEW.confirmed_at
  );
END;

-- The app is notified of each confirmation or reversal of its transfers. Holds have their own events.
-- Writes: webhook_events (webhook).
CREATE TRIGGER transfer_told AFTER UPDATE OF status ON transfers
WHEN NEW.app_id IS NOT NULL
  AND NEW.status IN ('confirmed', 'reversed')
  AND (NEW.held_at IS NULL OR NEW.status = 'reversed')
BEGIN
  INSERT INTO webhook_events (id, app_id, type, data, at)
  VALUES (
    'evt_' || NEW.id || '_' || iif(NEW.status = 'confirmed', 'completed', 'reversed'), NEW.app_id,
    'transfer.' || iif(NEW.status = 'confirmed', 'completed', 'reversed'),
    json_object(
      'id', 'trf_' || NEW.id, 'inquiryId', 'inq_' || NEW.id,
      'status', iif(NEW.status = 'confirmed', 'completed', 'reversed'), 'from', NEW.payer || '@pid',
      'to', NEW.payee || '@pid', 'asset', NEW.asset, 'amount', NEW.amount, 'payerFee', NEW.payer_fee,
      'payeeFee', NEW.payee_fee, 'netAmount', NEW.net_amount
    ),
    coalesce(NEW.reversed_at, NEW.confirmed_at)
  );
END;

-- A payment above a person's step-up amount appears in their activity and is reported to them by email. A payer causes
-- at most 20 emails of a kind to one address per hour.
-- Writes: activity (activity), mails (mail).
CREATE TRIGGER transfer_noticed AFTER UPDATE OF status ON transfers
WHEN NEW.status = 'confirmed' AND NEW.above_step_up > 0
BEGIN
  INSERT INTO activity (handle, at, type, detail)
  SELECT NEW.payer, NEW.confirmed_at, 'payment.sent', NEW.debit_total || ' ' || NEW.payee || '@pid'
  WHERE NEW.above_step_up & 1
  UNION ALL
  SELECT NEW.payee, NEW.confirmed_at, 'payment.received', NEW.net_amount || ' ' || NEW.payer || '@pid'
  WHERE NEW.above_step_up & 2;
  INSERT INTO mails (id, kind, recipient, locale, sealed_params, created_at, next_at, expires_at)
  SELECT
    'mai_' || NEW.id || '.' || row_number() OVER (ORDER BY e.email), x.kind, e.email,
    iif(lower(p.locale) = 'id' OR lower(p.locale) LIKE 'id-%', 'id', 'en'), 'trf_' || NEW.id, NEW.confirmed_at,
    NEW.confirmed_at, NEW.confirmed_at + 86400000
  FROM (
    SELECT NEW.payer AS handle, 'payment_sent' AS kind
    WHERE NEW.above_step_up & 1
    UNION ALL
    SELECT NEW.payee, 'payment_received'
    WHERE NEW.above_step_up & 2
  ) x
  JOIN emails e ON e.handle = x.handle
  LEFT JOIN profiles p ON p.handle = x.handle
  WHERE (
    SELECT count(*)
    FROM mails m
    WHERE m.recipient = e.email
      AND m.created_at > NEW.confirmed_at - 3600000
      AND m.kind = x.kind
      AND (SELECT t.payer FROM transfers t WHERE t.id = substr(m.id, 5, instr(m.id, '.') - 5)) = NEW.payer
  ) < 20;
END;

-- Money leaving a wallet uses the wallet's limits, by Jakarta days, in the statement that moves or holds the money.
-- The statement sets this column only while there are limits.
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

-- A released hold, the rest after a capture, and a reversal free their part of the limits.
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
