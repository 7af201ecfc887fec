-- Code writes documents (transfers, adjustments); triggers on their state move the money.
-- SQLite leaves the order of several triggers of one event open, so steps that depend on each other share one trigger.
-- The ledger: the switch, accounts with counters, legs (one debit, one credit, one amount), entries (the running balance by time).
CREATE TABLE ledger (
  id INTEGER PRIMARY KEY NOT NULL,
  mode TEXT DEFAULT 'open' NOT NULL,
  withdrawals INTEGER DEFAULT 0 NOT NULL,
  reason TEXT,
  updated_at INTEGER DEFAULT 0 NOT NULL,
  CONSTRAINT ledger_one_row CHECK (id = 1),
  CONSTRAINT ledger_mode CHECK (mode IN ('open','frozen','disabled')),
  CONSTRAINT ledger_withdrawals CHECK (withdrawals IN (0,1))
) STRICT;
--> statement-breakpoint
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL,
  owner TEXT NOT NULL,
  asset TEXT NOT NULL,
  may_overdraw INTEGER DEFAULT 0 NOT NULL,
  status TEXT DEFAULT 'active' NOT NULL,
  debits_posted INTEGER DEFAULT 0 NOT NULL,
  credits_posted INTEGER DEFAULT 0 NOT NULL,
  debits_pending INTEGER DEFAULT 0 NOT NULL,
  credits_pending INTEGER DEFAULT 0 NOT NULL,
  moved_at INTEGER DEFAULT 0 NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (owner, kind, asset),
  CONSTRAINT account_kind CHECK (kind IN ('wallet','app','platform','gateway','payout','suspense')),
  CONSTRAINT account_status CHECK (status IN ('active','frozen','closed')),
  CONSTRAINT account_overdraw CHECK (may_overdraw = 0 OR kind IN ('gateway','payout','suspense')),
  CONSTRAINT insufficient_internal_credit CHECK (may_overdraw = 1 OR debits_posted + debits_pending <= credits_posted),
  CONSTRAINT counter_range CHECK (debits_posted >= 0 AND credits_posted >= 0 AND debits_pending >= 0 AND credits_pending >= 0 AND debits_posted < 4611686018427387904 AND credits_posted < 4611686018427387904)
) STRICT;
--> statement-breakpoint
CREATE TABLE legs (
  seq INTEGER PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL,
  ref TEXT NOT NULL,
  n INTEGER NOT NULL,
  phase TEXT DEFAULT 'posted' NOT NULL,
  pending_leg INTEGER,
  debit INTEGER NOT NULL,
  credit INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  at INTEGER NOT NULL,
  FOREIGN KEY (debit) REFERENCES accounts(id),
  FOREIGN KEY (credit) REFERENCES accounts(id),
  FOREIGN KEY (pending_leg) REFERENCES legs(seq),
  CONSTRAINT leg_once UNIQUE (kind, ref, n),
  CONSTRAINT leg_amount CHECK (amount > 0 AND amount <= 1000000000000),
  CONSTRAINT leg_two_accounts CHECK (debit <> credit),
  CONSTRAINT leg_phase CHECK (phase IN ('posted','pending','post','void')),
  CONSTRAINT leg_resolves CHECK ((phase IN ('post','void')) = (pending_leg IS NOT NULL))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX legs_resolved_once ON legs (pending_leg) WHERE pending_leg IS NOT NULL;
--> statement-breakpoint
-- moved_at of the account keeps the time of its entries from running backwards, so the order by time is the order of the legs.
CREATE TABLE entries (
  account INTEGER NOT NULL,
  at INTEGER NOT NULL,
  leg INTEGER NOT NULL,
  delta INTEGER NOT NULL,
  balance INTEGER NOT NULL,
  PRIMARY KEY (account, at, leg)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER leg_allowed BEFORE INSERT ON legs WHEN (SELECT mode FROM ledger WHERE id = 1) IS NOT 'open' OR (NEW.phase IN ('posted','pending') AND EXISTS (SELECT 1 FROM accounts WHERE id IN (NEW.debit, NEW.credit) AND status <> 'active')) OR (SELECT count(DISTINCT asset) FROM accounts WHERE id IN (NEW.debit, NEW.credit)) <> 1
BEGIN SELECT RAISE(ABORT, 'guard:leg_allowed'); END;
--> statement-breakpoint
CREATE TRIGGER leg_resolves_its_own BEFORE INSERT ON legs WHEN NEW.pending_leg IS NOT NULL AND NOT EXISTS (SELECT 1 FROM legs p WHERE p.seq = NEW.pending_leg AND p.phase = 'pending' AND p.debit = NEW.debit AND p.credit = NEW.credit AND p.amount = NEW.amount)
BEGIN SELECT RAISE(ABORT, 'guard:leg_resolves_its_own'); END;
--> statement-breakpoint
CREATE TRIGGER leg_posted AFTER INSERT ON legs WHEN NEW.phase IN ('posted','post')
BEGIN UPDATE accounts SET debits_posted = debits_posted + NEW.amount, debits_pending = debits_pending - iif(NEW.phase = 'post', NEW.amount, 0), moved_at = max(moved_at, NEW.at) WHERE id = NEW.debit; UPDATE accounts SET credits_posted = credits_posted + NEW.amount, credits_pending = credits_pending - iif(NEW.phase = 'post', NEW.amount, 0), moved_at = max(moved_at, NEW.at) WHERE id = NEW.credit; INSERT INTO entries SELECT id, moved_at, NEW.seq, -NEW.amount, credits_posted - debits_posted FROM accounts WHERE id = NEW.debit; INSERT INTO entries SELECT id, moved_at, NEW.seq, NEW.amount, credits_posted - debits_posted FROM accounts WHERE id = NEW.credit; END;
--> statement-breakpoint
CREATE TRIGGER leg_held AFTER INSERT ON legs WHEN NEW.phase IN ('pending','void')
BEGIN UPDATE accounts SET debits_pending = debits_pending + iif(NEW.phase = 'void', -NEW.amount, NEW.amount) WHERE id = NEW.debit; UPDATE accounts SET credits_pending = credits_pending + iif(NEW.phase = 'void', -NEW.amount, NEW.amount) WHERE id = NEW.credit; END;
--> statement-breakpoint
CREATE TRIGGER leg_no_update BEFORE UPDATE ON legs
BEGIN SELECT RAISE(ABORT, 'guard:ledger_immutable'); END;
--> statement-breakpoint
CREATE TRIGGER leg_no_delete BEFORE DELETE ON legs
BEGIN SELECT RAISE(ABORT, 'guard:ledger_immutable'); END;
--> statement-breakpoint
CREATE TRIGGER entry_no_update BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'guard:ledger_immutable'); END;
--> statement-breakpoint
CREATE TRIGGER entry_no_delete BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'guard:ledger_immutable'); END;
--> statement-breakpoint
CREATE TRIGGER account_no_delete BEFORE DELETE ON accounts
BEGIN SELECT RAISE(ABORT, 'guard:ledger_immutable'); END;
--> statement-breakpoint
CREATE TRIGGER account_fixed BEFORE UPDATE OF id, kind, owner, asset, may_overdraw ON accounts
BEGIN SELECT RAISE(ABORT, 'guard:ledger_immutable'); END;
--> statement-breakpoint
CREATE TABLE fee_versions (
  scope TEXT NOT NULL,
  operation TEXT NOT NULL,
  version INTEGER NOT NULL,
  fixed INTEGER NOT NULL,
  bps INTEGER NOT NULL,
  least INTEGER DEFAULT 0 NOT NULL,
  most INTEGER,
  payer TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (scope, operation, version),
  CONSTRAINT fee_operation CHECK (operation IN ('deposit','transfer','withdrawal')),
  CONSTRAINT fee_range CHECK (version >= 1 AND fixed BETWEEN 0 AND 1000000000 AND bps BETWEEN 0 AND 10000 AND least >= 0 AND (most IS NULL OR most >= least)),
  CONSTRAINT fee_payer CHECK (payer = 'payer' OR (payer = 'payee' AND operation = 'transfer'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER fee_version_fixed BEFORE UPDATE ON fee_versions
BEGIN SELECT RAISE(ABORT, 'guard:fee_version_fixed'); END;
--> statement-breakpoint
CREATE TRIGGER fee_version_kept BEFORE DELETE ON fee_versions
BEGIN SELECT RAISE(ABORT, 'guard:fee_version_fixed'); END;
--> statement-breakpoint
-- Inquiry and transfer are one row. A refund is a row of its own that names the transfer it refunds.
CREATE TABLE transfers (
  id TEXT PRIMARY KEY NOT NULL,
  payer TEXT NOT NULL,
  payee TEXT NOT NULL,
  payer_account INTEGER NOT NULL,
  payee_account INTEGER NOT NULL,
  app_account INTEGER,
  asset TEXT NOT NULL,
  amount INTEGER NOT NULL,
  payer_fee INTEGER NOT NULL,
  payee_fee INTEGER NOT NULL,
  app_fee INTEGER NOT NULL,
  platform_fee INTEGER NOT NULL,
  debit_total INTEGER NOT NULL,
  net_amount INTEGER NOT NULL,
  app_id TEXT,
  grant_id TEXT,
  needs_approval INTEGER DEFAULT 0 NOT NULL,
  approval_id TEXT,
  memo TEXT,
  refund_of TEXT,
  refunded INTEGER DEFAULT 0 NOT NULL,
  idempotency_key TEXT,
  request_hash TEXT,
  status TEXT DEFAULT 'open' NOT NULL,
  confirmed_by TEXT,
  confirmed_at INTEGER,
  reversed_at INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  FOREIGN KEY (payer_account) REFERENCES accounts(id),
  FOREIGN KEY (payee_account) REFERENCES accounts(id),
  FOREIGN KEY (app_account) REFERENCES accounts(id),
  FOREIGN KEY (refund_of) REFERENCES transfers(id),
  CONSTRAINT transfer_status CHECK (status IN ('open','confirmed','reversed','cancelled')),
  CONSTRAINT transfer_two_wallets CHECK (payer_account <> payee_account),
  CONSTRAINT transfer_fees CHECK (amount > 0 AND payer_fee >= 0 AND payee_fee >= 0 AND app_fee >= 0 AND platform_fee >= 0 AND app_fee + platform_fee = payer_fee + payee_fee),
  CONSTRAINT transfer_sums CHECK (debit_total = amount + payer_fee AND net_amount = amount - payee_fee AND net_amount >= 1),
  CONSTRAINT transfer_app CHECK ((app_fee = 0 OR app_account IS NOT NULL) AND (needs_approval = 0 OR app_id IS NOT NULL)),
  CONSTRAINT transfer_approval CHECK (needs_approval IN (0,1)),
  CONSTRAINT transfer_refunded CHECK (refunded BETWEEN 0 AND net_amount AND (refunded = 0 OR status = 'confirmed')),
  CONSTRAINT transfer_refund CHECK (refund_of IS NULL OR (status = 'confirmed' AND payer_fee + payee_fee = 0 AND needs_approval = 0 AND refunded = 0)),
  CONSTRAINT transfer_key CHECK ((idempotency_key IS NULL) = (request_hash IS NULL) AND (idempotency_key IS NULL OR refund_of IS NOT NULL)),
  CONSTRAINT transfer_memo CHECK (length(memo) <= 140),
  CONSTRAINT transfer_in_time CHECK (confirmed_at < expires_at OR refund_of IS NOT NULL),
  CONSTRAINT transfer_confirmed_at CHECK ((status IN ('confirmed','reversed')) = (confirmed_at IS NOT NULL) AND (confirmed_at IS NULL) = (confirmed_by IS NULL) AND (status = 'reversed') = (reversed_at IS NOT NULL))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX transfers_unconfirmed ON transfers (expires_at) WHERE status IN ('open','cancelled');
--> statement-breakpoint
CREATE INDEX transfers_app ON transfers (app_id, id) WHERE app_id IS NOT NULL;
--> statement-breakpoint
CREATE INDEX transfers_refunds ON transfers (refund_of, id) WHERE refund_of IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX transfers_key ON transfers (payer, idempotency_key) WHERE idempotency_key IS NOT NULL AND app_id IS NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX transfers_app_key ON transfers (payer, app_id, idempotency_key) WHERE idempotency_key IS NOT NULL AND app_id IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER transfer_begins BEFORE INSERT ON transfers WHEN NEW.refunded <> 0 OR (NEW.refund_of IS NULL AND NEW.status <> 'open')
BEGIN SELECT RAISE(ABORT, 'guard:transfer_order'); END;
--> statement-breakpoint
CREATE TRIGGER transfer_fixed BEFORE UPDATE OF id, payer, payee, payer_account, payee_account, app_account, asset, amount, payer_fee, payee_fee, app_fee, platform_fee, debit_total, net_amount, app_id, grant_id, needs_approval, memo, refund_of, idempotency_key, request_hash, created_at, expires_at ON transfers
BEGIN SELECT RAISE(ABORT, 'guard:transfer_fixed'); END;
--> statement-breakpoint
CREATE TRIGGER transfer_order BEFORE UPDATE OF status ON transfers WHEN NOT ((OLD.status = 'open' AND NEW.status IN ('confirmed','cancelled')) OR (OLD.status = 'confirmed' AND NEW.status = 'reversed'))
BEGIN SELECT RAISE(ABORT, 'guard:transfer_order'); END;
--> statement-breakpoint
CREATE TRIGGER transfer_kept BEFORE DELETE ON transfers WHEN OLD.status IN ('confirmed','reversed')
BEGIN SELECT RAISE(ABORT, 'guard:ledger_immutable'); END;
--> statement-breakpoint
CREATE TRIGGER transfer_posts AFTER UPDATE OF status ON transfers WHEN NEW.status = 'confirmed' AND NEW.app_fee + NEW.platform_fee = 0
BEGIN INSERT INTO legs (kind, ref, n, debit, credit, amount, at) VALUES ('transfer', NEW.id, 1, NEW.payer_account, NEW.payee_account, NEW.net_amount, NEW.confirmed_at); END;
--> statement-breakpoint
CREATE TRIGGER transfer_posts_fees AFTER UPDATE OF status ON transfers WHEN NEW.status = 'confirmed' AND NEW.app_fee + NEW.platform_fee > 0
BEGIN INSERT INTO legs (kind, ref, n, debit, credit, amount, at) VALUES ('transfer', NEW.id, 1, NEW.payer_account, NEW.payee_account, NEW.net_amount, NEW.confirmed_at); INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'transfer', NEW.id, 2, NEW.payer_account, NEW.app_account, NEW.app_fee, NEW.confirmed_at WHERE NEW.app_fee > 0; INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'transfer', NEW.id, 3, NEW.payer_account, p.id, NEW.platform_fee, NEW.confirmed_at FROM accounts p WHERE p.owner = 'system' AND p.kind = 'platform' AND p.asset = NEW.asset AND NEW.platform_fee > 0; SELECT RAISE(ABORT, 'guard:transfer_whole') WHERE (SELECT sum(amount) FROM legs WHERE kind = 'transfer' AND ref = NEW.id) IS NOT NEW.debit_total; END;
--> statement-breakpoint
CREATE TRIGGER transfer_approved AFTER UPDATE OF status ON transfers WHEN NEW.status = 'confirmed' AND NEW.needs_approval = 1
BEGIN UPDATE popup_requests SET status = 'redeemed', redeemed_op = NEW.id WHERE id = NEW.approval_id AND inquiry_id = NEW.id AND status = 'approved'; SELECT RAISE(ABORT, 'guard:transfer_approved') WHERE NOT EXISTS (SELECT 1 FROM popup_requests WHERE redeemed_op = NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER transfer_spends AFTER UPDATE OF status ON transfers WHEN NEW.status = 'confirmed' AND NEW.needs_approval = 0 AND NEW.grant_id IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'guard:grant_expired') FROM grants WHERE id = NEW.grant_id AND expires_at <= NEW.confirmed_at; SELECT RAISE(ABORT, 'guard:grant_recipient') FROM grants WHERE id = NEW.grant_id AND payees IS NOT NULL AND NEW.payee NOT IN (SELECT value FROM json_each(payees)); SELECT RAISE(ABORT, 'guard:grant_limit_exceeded') FROM grants WHERE id = NEW.grant_id AND (coalesce(per_transfer, per_period, total_limit) IS NULL OR NEW.debit_total > per_transfer); UPDATE grants SET spent = iif(NEW.confirmed_at - period_start < coalesce(period_ms, 9007199254740991), spent, 0) + NEW.debit_total, period_start = iif(NEW.confirmed_at - period_start < coalesce(period_ms, 9007199254740991), period_start, NEW.confirmed_at), spent_total = spent_total + NEW.debit_total, uses = uses + 1, last_used_at = NEW.confirmed_at WHERE id = NEW.grant_id; END;
--> statement-breakpoint
CREATE TRIGGER transfer_told AFTER UPDATE OF status ON transfers WHEN NEW.app_id IS NOT NULL AND NEW.status IN ('confirmed','reversed')
BEGIN INSERT INTO webhook_events (id, app_id, type, data, at) VALUES ('evt_' || NEW.id || '_' || iif(NEW.status = 'confirmed', 'completed', 'reversed'), NEW.app_id, 'transfer.' || iif(NEW.status = 'confirmed', 'completed', 'reversed'), json_object('id', 'trf_' || NEW.id, 'inquiryId', 'inq_' || NEW.id, 'status', iif(NEW.status = 'confirmed', 'completed', 'reversed'), 'from', NEW.payer || '@pid', 'to', NEW.payee || '@pid', 'asset', NEW.asset, 'amount', NEW.amount, 'payerFee', NEW.payer_fee, 'payeeFee', NEW.payee_fee, 'netAmount', NEW.net_amount), coalesce(NEW.reversed_at, NEW.confirmed_at)); END;
--> statement-breakpoint
CREATE TRIGGER transfer_reversed AFTER UPDATE OF status ON transfers WHEN NEW.status = 'reversed'
BEGIN INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'transfer_reversal', NEW.id, l.n, l.credit, l.debit, l.amount, NEW.reversed_at FROM legs l WHERE l.kind = 'transfer' AND l.ref = NEW.id ORDER BY l.n; END;
--> statement-breakpoint
CREATE TRIGGER transfer_refunded_only_up BEFORE UPDATE OF refunded ON transfers WHEN NEW.refunded < OLD.refunded
BEGIN SELECT RAISE(ABORT, 'guard:transfer_fixed'); END;
--> statement-breakpoint
CREATE TRIGGER transfer_refunds AFTER INSERT ON transfers WHEN NEW.refund_of IS NOT NULL
BEGIN UPDATE transfers SET refunded = refunded + NEW.amount WHERE id = NEW.refund_of; INSERT INTO legs (kind, ref, n, debit, credit, amount, at) VALUES ('refund', NEW.id, 1, NEW.payer_account, NEW.payee_account, NEW.amount, NEW.confirmed_at); INSERT INTO webhook_events (id, app_id, type, data, at) SELECT 'evt_' || NEW.id || '_refunded', o.app_id, 'transfer.refunded', json_object('id', 'trf_' || NEW.id, 'refundOf', 'trf_' || o.id, 'status', 'completed', 'from', NEW.payer || '@pid', 'to', NEW.payee || '@pid', 'asset', NEW.asset, 'amount', NEW.amount, 'refundedTotal', o.refunded, 'refundable', o.net_amount - o.refunded), NEW.confirmed_at FROM transfers o WHERE o.id = NEW.refund_of AND o.app_id IS NOT NULL; SELECT RAISE(ABORT, 'guard:refund_whole') WHERE NOT EXISTS (SELECT 1 FROM transfers o WHERE o.id = NEW.refund_of AND o.refund_of IS NULL AND o.status = 'confirmed' AND o.payer = NEW.payee AND o.payee = NEW.payer AND o.payer_account = NEW.payee_account AND o.payee_account = NEW.payer_account AND o.asset = NEW.asset AND o.confirmed_at + 31536000000 > NEW.confirmed_at); END;
--> statement-breakpoint
CREATE TABLE adjustments (
  id TEXT PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL,
  debit INTEGER NOT NULL,
  credit INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  ref TEXT,
  reason TEXT NOT NULL,
  actor TEXT NOT NULL,
  idempotency_key TEXT,
  request_hash TEXT,
  at INTEGER NOT NULL,
  CONSTRAINT adjustment_kind CHECK (kind IN ('sweep','second_payment','correction')),
  CONSTRAINT adjustment_key CHECK ((idempotency_key IS NULL) = (request_hash IS NULL))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX adjustments_key ON adjustments (actor, idempotency_key) WHERE idempotency_key IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER adjustment_posts AFTER INSERT ON adjustments
BEGIN INSERT INTO legs (kind, ref, n, debit, credit, amount, at) VALUES (NEW.kind, NEW.id, 1, NEW.debit, NEW.credit, NEW.amount, NEW.at); END;
--> statement-breakpoint
CREATE TRIGGER adjustment_no_update BEFORE UPDATE ON adjustments
BEGIN SELECT RAISE(ABORT, 'guard:ledger_immutable'); END;
--> statement-breakpoint
CREATE TRIGGER adjustment_no_delete BEFORE DELETE ON adjustments
BEGIN SELECT RAISE(ABORT, 'guard:ledger_immutable'); END;
--> statement-breakpoint
-- What holds money blocks closing: a view over the accounts replaces the table.
DROP TRIGGER identity_closure_blocked;
--> statement-breakpoint
DROP TABLE closure_blockers;
--> statement-breakpoint
CREATE VIEW closure_blockers AS SELECT owner AS handle, 'wallet' AS source, 'Wallet balance is not zero' AS reason FROM accounts WHERE kind = 'wallet' AND (credits_posted <> debits_posted OR debits_pending > 0 OR credits_pending > 0) UNION ALL SELECT a.owner, a.id, 'App balance is not zero' FROM apps a JOIN accounts r ON r.owner = a.id AND r.kind = 'app' WHERE r.credits_posted <> r.debits_posted;
--> statement-breakpoint
CREATE TRIGGER identity_closure_blocked BEFORE UPDATE OF status ON identities WHEN NEW.status = 'closed' AND EXISTS (SELECT 1 FROM closure_blockers WHERE handle = NEW.handle)
BEGIN SELECT RAISE(ABORT, 'guard:closure_blocked'); END;
--> statement-breakpoint
-- A closed identity can neither pay nor be paid, whatever closed it.
CREATE TRIGGER identity_closes_wallet AFTER UPDATE OF status ON identities WHEN NEW.status = 'closed'
BEGIN UPDATE accounts SET status = 'closed' WHERE owner = NEW.handle AND kind = 'wallet'; UPDATE transfers SET status = 'cancelled' WHERE status IN ('open','cancelled') AND status = 'open' AND payer = NEW.handle; END;
--> statement-breakpoint
CREATE TRIGGER app_balance BEFORE UPDATE OF status ON apps WHEN NEW.status = 'deleted' AND EXISTS (SELECT 1 FROM accounts WHERE owner = NEW.id AND kind = 'app' AND credits_posted <> debits_posted)
BEGIN SELECT RAISE(ABORT, 'guard:app_balance'); END;
--> statement-breakpoint
-- Initial rows.
INSERT INTO ledger (id) VALUES (1);
--> statement-breakpoint
INSERT INTO accounts (id, kind, owner, asset, may_overdraw, created_at) VALUES (1,'platform','system','IDR',0,0),(2,'gateway','system','IDR',1,0),(3,'payout','system','IDR',1,0),(4,'suspense','system','IDR',1,0);
