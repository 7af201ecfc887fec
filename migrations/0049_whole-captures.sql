DROP TRIGGER transfer_captured;
--> statement-breakpoint
DROP TRIGGER transfer_posts_fees;
--> statement-breakpoint
DROP TRIGGER transfer_capture_allowed;
--> statement-breakpoint
-- A capture releases the hold and moves what is captured, of an active person. Its fee is at most the one that was
-- shown, and a debt takes the rest of the money that was held. It comes before the status changes: a hold that is
-- confirmed without amounts has posted nothing, which transfer_posts_fees refuses.
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
  SET credits_pending = credits_pending
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
--> statement-breakpoint
-- A confirmed transfer with fees moves money from payer to payee, and each fee to its recipient. A captured one has
-- moved it before.
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
