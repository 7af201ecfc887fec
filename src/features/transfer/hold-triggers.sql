-- An open inquiry is held only once, in full, for seven days.
CREATE TRIGGER transfer_held_once BEFORE UPDATE OF held_at, held_by, held_total, expires_at ON transfers
WHEN NOT (
  OLD.held_at IS NULL
  AND NEW.held_at IS NOT NULL
  AND OLD.status = 'open'
  AND NEW.status = 'open'
  AND NEW.held_at < OLD.expires_at
  AND NEW.held_total = OLD.debit_total
  AND NEW.expires_at = NEW.held_at + 604800000
)
BEGIN
  SELECT RAISE(ABORT, 'guard:transfer_fixed');
END;

-- The amounts are fixed, but a capture may lower them.
CREATE TRIGGER transfer_amounts_fixed BEFORE UPDATE OF
  amount, payer_fee, payee_fee, app_fee, platform_fee, debit_total, net_amount
ON transfers
WHEN NOT (
  OLD.held_at IS NOT NULL
  AND OLD.status = 'open'
  AND NEW.status = 'confirmed'
  AND NEW.amount <= OLD.amount
  AND NEW.payer_fee <= OLD.payer_fee
  AND NEW.payee_fee <= OLD.payee_fee
  AND NEW.app_fee <= OLD.app_fee
  AND NEW.platform_fee <= OLD.platform_fee
)
BEGIN
  SELECT RAISE(ABORT, 'guard:transfer_fixed');
END;

-- A grant covers a hold only if it covers the fee for any captured part.
CREATE TRIGGER transfer_hold_fee_granted BEFORE UPDATE OF held_at ON transfers
WHEN NEW.needs_approval = 0
  AND json_type(NEW.hold_rules, '$.app') = 'object'
  AND NOT EXISTS (
    SELECT 1
    FROM grants g
    WHERE g.id = NEW.grant_id
      AND (
        json_extract(NEW.hold_rules, '$.app.most') <= g.fee_fixed
        OR (
          json_extract(NEW.hold_rules, '$.app.bps') <= g.fee_bps
          AND max(
            json_extract(NEW.hold_rules, '$.app.fixed'), json_extract(NEW.hold_rules, '$.app.least')
          ) <= g.fee_fixed
        )
      )
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:transfer_fee_granted');
END;

-- A hold makes the money pending, and the app is notified.
-- Writes: legs (ledger), webhook_events (webhook).
CREATE TRIGGER transfer_holds AFTER UPDATE OF held_at ON transfers
BEGIN
  INSERT INTO legs (kind, ref, n, phase, debit, credit, amount, at)
  VALUES ('hold', NEW.id, 1, 'pending', NEW.payer_account, NEW.payee_account, NEW.held_total, NEW.held_at);
  INSERT INTO webhook_events (id, app_id, type, data, at)
  VALUES (
    'evt_' || NEW.id || '_held', NEW.app_id, 'transfer.held',
    json_object(
      'id', 'trf_' || NEW.id, 'inquiryId', 'inq_' || NEW.id, 'status', 'held', 'from', NEW.payer || '@pid',
      'to', NEW.payee || '@pid', 'asset', NEW.asset, 'amount', NEW.amount, 'payerFee', NEW.payer_fee,
      'payeeFee', NEW.payee_fee, 'netAmount', NEW.net_amount
    ),
    NEW.held_at
  );
END;

-- A capture releases an active person's hold and moves the captured amount. The fee is at most the one that was
-- shown, and the rest of the held money settles any debt. This trigger runs before the status changes: a hold
-- confirmed without amounts has posted nothing, which transfer_posts_fees rejects.
-- Writes: legs, accounts (ledger), webhook_events (webhook).
CREATE TRIGGER transfer_captured BEFORE UPDATE OF amount ON transfers
WHEN OLD.held_at IS NOT NULL AND OLD.status = 'open' AND NEW.status = 'confirmed'
BEGIN
  SELECT RAISE(ABORT, 'guard:transfer_capture_allowed')
  WHERE NOT EXISTS (SELECT 1 FROM identities WHERE handle = NEW.payer AND status = 'active');
  INSERT INTO legs (kind, ref, n, phase, pending_leg, debit, credit, amount, at)
  SELECT 'hold_capture', NEW.id, 1, 'void', p.seq, p.debit, p.credit, p.amount, NEW.confirmed_at
  FROM legs p
  WHERE p.kind = 'hold' AND p.ref = NEW.id;
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  VALUES ('transfer', NEW.id, 1, NEW.payer_account, NEW.payee_account, NEW.net_amount, NEW.confirmed_at);
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT 'transfer', NEW.id, 2, NEW.payer_account, NEW.app_account, NEW.app_fee, NEW.confirmed_at
  WHERE NEW.app_fee > 0;
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT 'transfer', NEW.id, 3, NEW.payer_account, p.id, NEW.platform_fee, NEW.confirmed_at
  FROM accounts p
  WHERE p.owner = 'system' AND p.kind = 'platform' AND p.asset = NEW.asset AND NEW.platform_fee > 0;
  SELECT RAISE(ABORT, 'guard:transfer_fee_shown')
  WHERE NEW.app_fee > coalesce(
    min(
      max(
        (NEW.amount * json_extract(OLD.hold_rules, '$.app.bps') + 9999) / 10000
          + json_extract(OLD.hold_rules, '$.app.fixed'),
        json_extract(OLD.hold_rules, '$.app.least')
      ),
      coalesce(json_extract(OLD.hold_rules, '$.app.most'), 9007199254740991)
    ),
    0
  );
  UPDATE accounts
  SET status = status
  WHERE id = NEW.payer_account AND debt > 0;
  INSERT INTO webhook_events (id, app_id, type, data, at)
  VALUES (
    'evt_' || NEW.id || '_captured', NEW.app_id, 'transfer.captured',
    json_object(
      'id', 'trf_' || NEW.id, 'inquiryId', 'inq_' || NEW.id, 'status', 'completed', 'from', NEW.payer || '@pid',
      'to', NEW.payee || '@pid', 'asset', NEW.asset, 'amount', NEW.amount, 'payerFee', NEW.payer_fee,
      'payeeFee', NEW.payee_fee, 'netAmount', NEW.net_amount
    ),
    NEW.confirmed_at
  );
END;

-- A released or expired hold returns the money, and the app is notified.
-- Writes: legs (ledger), webhook_events (webhook).
CREATE TRIGGER transfer_released AFTER UPDATE OF released_at ON transfers
BEGIN
  INSERT INTO legs (kind, ref, n, phase, pending_leg, debit, credit, amount, at)
  SELECT 'hold_release', NEW.id, 1, 'void', p.seq, p.debit, p.credit, p.amount, NEW.released_at
  FROM legs p
  WHERE p.kind = 'hold' AND p.ref = NEW.id;
  INSERT INTO webhook_events (id, app_id, type, data, at)
  VALUES (
    'evt_' || NEW.id || '_released', NEW.app_id, 'transfer.released',
    json_object(
      'id', 'trf_' || NEW.id, 'inquiryId', 'inq_' || NEW.id,
      'status', iif(NEW.released_at < NEW.expires_at, 'released', 'expired'), 'from', NEW.payer || '@pid',
      'to', NEW.payee || '@pid', 'asset', NEW.asset, 'amount', NEW.amount, 'payerFee', NEW.payer_fee,
      'payeeFee', NEW.payee_fee, 'netAmount', NEW.net_amount
    ),
    NEW.released_at
  );
END;
