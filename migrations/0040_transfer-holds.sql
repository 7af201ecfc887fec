-- A hold: an open inquiry whose money is pending until it is captured or released. Its fees are computed again, by the rules that the
-- person saw, on what is captured.
ALTER TABLE transfers ADD COLUMN hold_rules TEXT CONSTRAINT transfer_hold CHECK (hold_rules IS NULL OR (json_type(hold_rules) = 'object' AND app_id IS NOT NULL AND refund_of IS NULL));
--> statement-breakpoint
ALTER TABLE transfers ADD COLUMN held_at INTEGER CONSTRAINT transfer_held CHECK (iif(held_at IS NULL, hold_rules IS NULL OR status IN ('open','cancelled'), hold_rules IS NOT NULL));
--> statement-breakpoint
ALTER TABLE transfers ADD COLUMN held_by TEXT CONSTRAINT transfer_held_by CHECK ((held_at IS NULL) = (held_by IS NULL));
--> statement-breakpoint
ALTER TABLE transfers ADD COLUMN held_total INTEGER CONSTRAINT transfer_held_total CHECK ((held_at IS NULL) = (held_total IS NULL) AND debit_total <= held_total);
--> statement-breakpoint
ALTER TABLE transfers ADD COLUMN released_at INTEGER CONSTRAINT transfer_released CHECK ((released_at IS NOT NULL) = (held_at IS NOT NULL AND status = 'cancelled'));
--> statement-breakpoint
-- What was held is kept, so inquiries that are forgotten have an index without it.
DROP INDEX transfers_unconfirmed;
--> statement-breakpoint
CREATE INDEX transfers_unconfirmed ON transfers (expires_at) WHERE status IN ('open','cancelled') AND held_at IS NULL;
--> statement-breakpoint
CREATE INDEX transfers_held ON transfers (expires_at) WHERE held_at IS NOT NULL AND status = 'open';
--> statement-breakpoint
CREATE INDEX transfers_held_of ON transfers (payer, id) WHERE held_at IS NOT NULL AND status = 'open';
--> statement-breakpoint
-- What is only held for a person keeps nobody from closing their wallet: it is released in time.
DROP TRIGGER identity_closure_blocked;
--> statement-breakpoint
DROP VIEW closure_blockers;
--> statement-breakpoint
CREATE VIEW closure_blockers AS SELECT owner AS handle, 'wallet' AS source, iif(debt > 0, 'Wallet has a debt', 'Wallet balance is not zero') AS reason FROM accounts WHERE kind = 'wallet' AND (debt > 0 OR credits_posted <> debits_posted OR debits_pending > 0) UNION ALL SELECT a.owner, a.id, 'App balance is not zero' FROM apps a JOIN accounts r ON r.owner = a.id AND r.kind = 'app' WHERE r.credits_posted <> r.debits_posted OR r.debt > 0;
--> statement-breakpoint
CREATE TRIGGER identity_closure_blocked BEFORE UPDATE OF status ON identities WHEN NEW.status = 'closed' AND EXISTS (SELECT 1 FROM closure_blockers WHERE handle = NEW.handle)
BEGIN SELECT RAISE(ABORT, 'guard:closure_blocked'); END;
--> statement-breakpoint
DROP TRIGGER identity_closes_wallet;
--> statement-breakpoint
CREATE TRIGGER identity_closes_wallet AFTER UPDATE OF status ON identities WHEN NEW.status = 'closed'
BEGIN UPDATE accounts SET status = 'closed' WHERE owner = NEW.handle AND kind = 'wallet'; UPDATE transfers SET status = 'cancelled' WHERE status IN ('open','cancelled') AND held_at IS NULL AND status = 'open' AND payer = NEW.handle; END;
--> statement-breakpoint
-- Holding sets the end of the hold, and capturing lowers the amounts; nothing else changes them.
DROP TRIGGER transfer_fixed;
--> statement-breakpoint
CREATE TRIGGER transfer_fixed BEFORE UPDATE OF id, payer, payee, payer_account, payee_account, app_account, asset, app_id, grant_id, needs_approval, above_step_up, memo, refund_of, idempotency_key, request_hash, created_at, hold_rules ON transfers
BEGIN SELECT RAISE(ABORT, 'guard:transfer_fixed'); END;
--> statement-breakpoint
CREATE TRIGGER transfer_amounts_fixed BEFORE UPDATE OF amount, payer_fee, payee_fee, app_fee, platform_fee, debit_total, net_amount ON transfers
WHEN NOT (OLD.held_at IS NOT NULL AND OLD.status = 'open' AND NEW.status = 'confirmed' AND NEW.amount <= OLD.amount
  AND NEW.payer_fee <= OLD.payer_fee AND NEW.payee_fee <= OLD.payee_fee AND NEW.app_fee <= OLD.app_fee AND NEW.platform_fee <= OLD.platform_fee)
BEGIN SELECT RAISE(ABORT, 'guard:transfer_fixed'); END;
--> statement-breakpoint
CREATE TRIGGER transfer_held_once BEFORE UPDATE OF held_at, held_by, held_total, expires_at ON transfers
WHEN NOT (OLD.held_at IS NULL AND NEW.held_at IS NOT NULL AND OLD.status = 'open' AND NEW.status = 'open' AND NEW.held_at < OLD.expires_at
  AND NEW.held_total = OLD.debit_total AND NEW.expires_at = NEW.held_at + 604800000)
BEGIN SELECT RAISE(ABORT, 'guard:transfer_fixed'); END;
--> statement-breakpoint
DROP TRIGGER transfer_begins;
--> statement-breakpoint
CREATE TRIGGER transfer_begins BEFORE INSERT ON transfers WHEN NEW.refunded <> 0 OR NEW.held_at IS NOT NULL OR (NEW.refund_of IS NULL AND NEW.status <> 'open')
BEGIN SELECT RAISE(ABORT, 'guard:transfer_order'); END;
--> statement-breakpoint
DROP TRIGGER transfer_kept;
--> statement-breakpoint
CREATE TRIGGER transfer_kept BEFORE DELETE ON transfers WHEN OLD.status IN ('confirmed','reversed') OR OLD.held_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'guard:ledger_immutable'); END;
--> statement-breakpoint
-- What a person has allowed is judged and used when a payment is confirmed, or held; capturing asks nothing more.
DROP TRIGGER transfer_allowed;
--> statement-breakpoint
CREATE TRIGGER transfer_allowed BEFORE UPDATE OF status, held_at, approval_id, verifier_hash, confirmed_by, confirmed_at ON transfers
BEGIN
  SELECT RAISE(ABORT, 'guard:transfer_fixed') WHERE (OLD.confirmed_at IS NOT NULL AND (
    NEW.confirmed_at IS NOT OLD.confirmed_at OR NEW.confirmed_by IS NOT OLD.confirmed_by))
    OR (coalesce(OLD.confirmed_at, OLD.held_at) IS NOT NULL AND (NEW.approval_id IS NOT OLD.approval_id OR NEW.verifier_hash IS NOT OLD.verifier_hash));
  SELECT RAISE(ABORT, 'guard:transfer_order') WHERE NOT (
    (OLD.status = 'open' AND NEW.status IN ('confirmed','cancelled')) OR (OLD.status = 'confirmed' AND NEW.status = 'reversed')
    OR (OLD.status = 'open' AND NEW.status = 'open' AND OLD.held_at IS NULL AND NEW.held_at IS NOT NULL));
  SELECT RAISE(ABORT, 'guard:transfer_granted') WHERE NEW.status IN ('open','confirmed') AND OLD.held_at IS NULL AND NEW.app_id IS NOT NULL
    AND NEW.needs_approval = 0 AND NOT EXISTS (
      SELECT 1 FROM grants g WHERE g.id = NEW.grant_id AND g.app_id = NEW.app_id AND g.handle = NEW.payer);
  SELECT RAISE(ABORT, 'guard:transfer_fee_granted') WHERE NEW.status IN ('open','confirmed') AND OLD.held_at IS NULL AND NEW.needs_approval = 0
    AND NEW.app_fee > 0 AND NOT EXISTS (
      SELECT 1 FROM grants g WHERE g.id = NEW.grant_id AND NEW.app_fee <= (NEW.amount * g.fee_bps + 9999) / 10000 + g.fee_fixed);
  SELECT RAISE(ABORT, 'guard:desk_decided') WHERE NEW.status = 'reversed' AND NOT EXISTS (
    SELECT 1 FROM desk_decisions d WHERE d.target = 'trf_' || NEW.id AND d.outcome IN ('alone','approved'));
END;
--> statement-breakpoint
DROP TRIGGER transfer_approved;
--> statement-breakpoint
CREATE TRIGGER transfer_approved AFTER UPDATE OF status, held_at ON transfers WHEN NEW.status IN ('open','confirmed') AND OLD.held_at IS NULL AND NEW.needs_approval = 1
BEGIN UPDATE popup_requests SET status = 'redeemed', redeemed_op = NEW.id WHERE id = NEW.approval_id AND inquiry_id = NEW.id AND status = 'approved' AND handle = NEW.payer AND app_id = NEW.app_id AND verifier_hash = NEW.verifier_hash AND decided_at + 30000 > coalesce(NEW.held_at, NEW.confirmed_at); SELECT RAISE(ABORT, 'guard:transfer_approved') WHERE NOT EXISTS (SELECT 1 FROM popup_requests WHERE redeemed_op = NEW.id); END;
--> statement-breakpoint
DROP TRIGGER transfer_spends;
--> statement-breakpoint
CREATE TRIGGER transfer_spends AFTER UPDATE OF status, held_at ON transfers WHEN NEW.status IN ('open','confirmed') AND OLD.held_at IS NULL AND NEW.needs_approval = 0 AND NEW.grant_id IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'guard:grant_expired') FROM grants WHERE id = NEW.grant_id AND expires_at <= coalesce(NEW.held_at, NEW.confirmed_at); SELECT RAISE(ABORT, 'guard:grant_recipient') FROM grants WHERE id = NEW.grant_id AND payees IS NOT NULL AND NEW.payee NOT IN (SELECT value FROM json_each(payees)); SELECT RAISE(ABORT, 'guard:grant_limit_exceeded') FROM grants WHERE id = NEW.grant_id AND (coalesce(per_transfer, per_period, total_limit) IS NULL OR NEW.debit_total > per_transfer); UPDATE grants SET spent = iif(coalesce(NEW.held_at, NEW.confirmed_at) - period_start < coalesce(period_ms, 9007199254740991), spent, 0) + NEW.debit_total, period_start = iif(coalesce(NEW.held_at, NEW.confirmed_at) - period_start < coalesce(period_ms, 9007199254740991), period_start, coalesce(NEW.held_at, NEW.confirmed_at)), spent_total = spent_total + NEW.debit_total, uses = uses + 1, last_used_at = coalesce(NEW.held_at, NEW.confirmed_at) WHERE id = NEW.grant_id; END;
--> statement-breakpoint
-- Holding makes one pending leg. Capturing voids it and posts what is paid; a debt takes what is left over only then. Releasing
-- voids it. These fire on columns that a confirmation does not change.
DROP TRIGGER transfer_posts;
--> statement-breakpoint
CREATE TRIGGER transfer_posts AFTER UPDATE OF status ON transfers WHEN NEW.status = 'confirmed' AND NEW.held_at IS NULL AND NEW.app_fee + NEW.platform_fee = 0
BEGIN INSERT INTO legs (kind, ref, n, debit, credit, amount, at) VALUES ('transfer', NEW.id, 1, NEW.payer_account, NEW.payee_account, NEW.net_amount, NEW.confirmed_at); END;
--> statement-breakpoint
DROP TRIGGER transfer_posts_fees;
--> statement-breakpoint
CREATE TRIGGER transfer_posts_fees AFTER UPDATE OF status ON transfers WHEN NEW.status = 'confirmed' AND NEW.held_at IS NULL AND NEW.app_fee + NEW.platform_fee > 0
BEGIN INSERT INTO legs (kind, ref, n, debit, credit, amount, at) VALUES ('transfer', NEW.id, 1, NEW.payer_account, NEW.payee_account, NEW.net_amount, NEW.confirmed_at); INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'transfer', NEW.id, 2, NEW.payer_account, NEW.app_account, NEW.app_fee, NEW.confirmed_at WHERE NEW.app_fee > 0; INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'transfer', NEW.id, 3, NEW.payer_account, p.id, NEW.platform_fee, NEW.confirmed_at FROM accounts p WHERE p.owner = 'system' AND p.kind = 'platform' AND p.asset = NEW.asset AND NEW.platform_fee > 0; SELECT RAISE(ABORT, 'guard:transfer_whole') WHERE (SELECT sum(amount) FROM legs WHERE kind = 'transfer' AND ref = NEW.id) IS NOT NEW.debit_total; END;
--> statement-breakpoint
CREATE TRIGGER transfer_holds AFTER UPDATE OF held_at ON transfers
BEGIN
  INSERT INTO legs (kind, ref, n, phase, debit, credit, amount, at)
    VALUES ('hold', NEW.id, 1, 'pending', NEW.payer_account, NEW.payee_account, NEW.held_total, NEW.held_at);
  INSERT INTO webhook_events (id, app_id, type, data, at) VALUES ('evt_' || NEW.id || '_held', NEW.app_id, 'transfer.held',
    json_object('id', 'trf_' || NEW.id, 'inquiryId', 'inq_' || NEW.id, 'status', 'held', 'from', NEW.payer || '@pid',
      'to', NEW.payee || '@pid', 'asset', NEW.asset, 'amount', NEW.amount, 'payerFee', NEW.payer_fee, 'payeeFee', NEW.payee_fee,
      'netAmount', NEW.net_amount), NEW.held_at);
END;
--> statement-breakpoint
CREATE TRIGGER transfer_captured AFTER UPDATE OF amount ON transfers
BEGIN
  INSERT INTO legs (kind, ref, n, phase, pending_leg, debit, credit, amount, at)
    SELECT 'hold_capture', NEW.id, 1, 'void', p.seq, p.debit, p.credit, p.amount, NEW.confirmed_at FROM legs p WHERE p.kind = 'hold' AND p.ref = NEW.id;
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at) VALUES ('transfer', NEW.id, 1, NEW.payer_account, NEW.payee_account, NEW.net_amount, NEW.confirmed_at);
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'transfer', NEW.id, 2, NEW.payer_account, NEW.app_account, NEW.app_fee, NEW.confirmed_at WHERE NEW.app_fee > 0;
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'transfer', NEW.id, 3, NEW.payer_account, p.id, NEW.platform_fee, NEW.confirmed_at FROM accounts p WHERE p.owner = 'system' AND p.kind = 'platform' AND p.asset = NEW.asset AND NEW.platform_fee > 0;
  SELECT RAISE(ABORT, 'guard:transfer_whole') WHERE (SELECT sum(amount) FROM legs WHERE kind = 'transfer' AND ref = NEW.id) IS NOT NEW.debit_total;
  SELECT RAISE(ABORT, 'guard:transfer_fee_shown') WHERE NEW.app_fee > coalesce(min(max((NEW.amount * json_extract(OLD.hold_rules, '$.app.bps') + 9999) / 10000
    + json_extract(OLD.hold_rules, '$.app.fixed'), json_extract(OLD.hold_rules, '$.app.least')), coalesce(json_extract(OLD.hold_rules, '$.app.most'), 9007199254740991)), 0);
  UPDATE accounts SET credits_pending = credits_pending WHERE id = NEW.payer_account AND debt > 0;
  INSERT INTO webhook_events (id, app_id, type, data, at) VALUES ('evt_' || NEW.id || '_captured', NEW.app_id, 'transfer.captured',
    json_object('id', 'trf_' || NEW.id, 'inquiryId', 'inq_' || NEW.id, 'status', 'completed', 'from', NEW.payer || '@pid',
      'to', NEW.payee || '@pid', 'asset', NEW.asset, 'amount', NEW.amount, 'payerFee', NEW.payer_fee, 'payeeFee', NEW.payee_fee,
      'netAmount', NEW.net_amount), NEW.confirmed_at);
END;
--> statement-breakpoint
CREATE TRIGGER transfer_released AFTER UPDATE OF released_at ON transfers
BEGIN
  INSERT INTO legs (kind, ref, n, phase, pending_leg, debit, credit, amount, at)
    SELECT 'hold_release', NEW.id, 1, 'void', p.seq, p.debit, p.credit, p.amount, NEW.released_at FROM legs p WHERE p.kind = 'hold' AND p.ref = NEW.id;
  INSERT INTO webhook_events (id, app_id, type, data, at) VALUES ('evt_' || NEW.id || '_released', NEW.app_id, 'transfer.released',
    json_object('id', 'trf_' || NEW.id, 'inquiryId', 'inq_' || NEW.id, 'status', iif(NEW.released_at < NEW.expires_at, 'released', 'expired'), 'from', NEW.payer || '@pid',
      'to', NEW.payee || '@pid', 'asset', NEW.asset, 'amount', NEW.amount, 'payerFee', NEW.payer_fee, 'payeeFee', NEW.payee_fee,
      'netAmount', NEW.net_amount), NEW.released_at);
END;
--> statement-breakpoint
DROP TRIGGER account_settles;
--> statement-breakpoint
CREATE TRIGGER account_settles AFTER UPDATE OF credits_posted, credits_pending ON accounts
WHEN NEW.debt > 0 AND NEW.debt = OLD.debt AND NEW.credits_posted - NEW.debits_posted - NEW.debits_pending > 0
  AND (SELECT kind FROM legs ORDER BY seq DESC LIMIT 1) <> 'hold_capture'
BEGIN
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'debt_payment', 'dbt_' || l.seq, 1, NEW.id, x.id,
    min(NEW.debt, NEW.credits_posted - NEW.debits_posted - NEW.debits_pending), l.at
    FROM (SELECT seq, at FROM legs ORDER BY seq DESC LIMIT 1) l
    JOIN accounts x ON x.owner = 'debts' AND x.kind = 'suspense' AND x.asset = NEW.asset;
  UPDATE accounts SET debits_posted = debits_posted + l.amount, debt = debt - l.amount, moved_at = max(moved_at, l.at)
    FROM (SELECT debit, amount, at FROM legs ORDER BY seq DESC LIMIT 1) l WHERE id = l.debit;
  UPDATE accounts SET credits_posted = credits_posted + l.amount, moved_at = max(moved_at, l.at)
    FROM (SELECT credit, amount, at FROM legs ORDER BY seq DESC LIMIT 1) l WHERE id = l.credit;
  INSERT INTO entries SELECT a.id, iif(a.id = l.debit, 4, 3), a.moved_at, l.seq, iif(a.id = l.debit, -l.amount, l.amount),
    a.credits_posted - a.debits_posted, 'debt', l.ref
    FROM (SELECT * FROM legs ORDER BY seq DESC LIMIT 1) l JOIN accounts a ON a.id IN (l.debit, l.credit);
END;
--> statement-breakpoint
DROP TRIGGER transfer_told;
--> statement-breakpoint
CREATE TRIGGER transfer_told AFTER UPDATE OF status ON transfers WHEN NEW.app_id IS NOT NULL AND NEW.status IN ('confirmed','reversed') AND (NEW.held_at IS NULL OR NEW.status = 'reversed')
BEGIN INSERT INTO webhook_events (id, app_id, type, data, at) VALUES ('evt_' || NEW.id || '_' || iif(NEW.status = 'confirmed', 'completed', 'reversed'), NEW.app_id, 'transfer.' || iif(NEW.status = 'confirmed', 'completed', 'reversed'), json_object('id', 'trf_' || NEW.id, 'inquiryId', 'inq_' || NEW.id, 'status', iif(NEW.status = 'confirmed', 'completed', 'reversed'), 'from', NEW.payer || '@pid', 'to', NEW.payee || '@pid', 'asset', NEW.asset, 'amount', NEW.amount, 'payerFee', NEW.payer_fee, 'payeeFee', NEW.payee_fee, 'netAmount', NEW.net_amount), coalesce(NEW.reversed_at, NEW.confirmed_at)); END;
