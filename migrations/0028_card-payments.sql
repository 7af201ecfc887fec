-- What a provider takes back of a deposit, and gives again. What an account no longer has becomes its debt.
ALTER TABLE accounts ADD COLUMN debt INTEGER DEFAULT 0 NOT NULL CONSTRAINT account_debt CHECK (debt >= 0 AND (debt = 0 OR kind IN ('wallet','app','platform')));
--> statement-breakpoint
CREATE INDEX accounts_debt ON accounts (moved_at) WHERE debt > 0;
--> statement-breakpoint
-- The account that is owed all debts.
INSERT INTO accounts (kind, owner, asset, may_overdraw, created_at) VALUES ('suspense','debts','IDR',1,0);
--> statement-breakpoint
CREATE VIEW payable_debts AS SELECT a.id AS account, x.id AS debts, min(a.debt, a.credits_posted - a.debits_posted - a.debits_pending) AS amount FROM accounts a CROSS JOIN accounts x ON x.owner = 'debts' AND x.kind = 'suspense' AND x.asset = a.asset WHERE a.debt > 0 AND a.credits_posted - a.debits_posted - a.debits_pending > 0;
--> statement-breakpoint
-- A provider takes and gives back whatever the status of the wallet.
DROP TRIGGER leg_allowed;
--> statement-breakpoint
CREATE TRIGGER leg_allowed BEFORE INSERT ON legs WHEN (SELECT mode FROM ledger WHERE id = 1) IS NOT 'open' OR (NEW.phase IN ('posted','pending') AND NEW.kind NOT IN ('deposit_reversal','debt','debt_payment') AND EXISTS (SELECT 1 FROM accounts WHERE id IN (NEW.debit, NEW.credit) AND status <> 'active')) OR (SELECT count(DISTINCT asset) FROM accounts WHERE id IN (NEW.debit, NEW.credit)) <> 1
BEGIN SELECT RAISE(ABORT, 'guard:leg_allowed'); END;
--> statement-breakpoint
-- Incoming money settles the debt of its account in the same posting. A trigger does not run within itself, so the payment of a debt has its own.
DROP TRIGGER leg_posted;
--> statement-breakpoint
CREATE TRIGGER leg_posted AFTER INSERT ON legs WHEN NEW.phase IN ('posted','post') AND NEW.kind <> 'debt_payment'
BEGIN UPDATE accounts SET debits_posted = debits_posted + NEW.amount, debits_pending = debits_pending - iif(NEW.phase = 'post', NEW.amount, 0), moved_at = max(moved_at, NEW.at) WHERE id = NEW.debit; UPDATE accounts SET credits_posted = credits_posted + NEW.amount, credits_pending = credits_pending - iif(NEW.phase = 'post', NEW.amount, 0), debt = debt + iif(NEW.kind = 'debt', NEW.amount, 0), moved_at = max(moved_at, NEW.at) WHERE id = NEW.credit; INSERT INTO entries SELECT id, iif(NEW.n > 1, 0, iif(NEW.kind = 'transfer', 2, 4)), moved_at, NEW.seq, -NEW.amount, credits_posted - debits_posted, iif(NEW.n > 1 OR NEW.kind = 'transfer', NULL, iif(NEW.kind IN ('deposit', 'refund', 'sweep', 'debt'), NEW.kind,  iif(NEW.kind = 'withdrawal_end', 'withdrawal', iif(NEW.kind GLOB '*_reversal' OR NEW.kind GLOB '*_return', 'reversal', 'correction')))), NEW.ref FROM accounts WHERE id = NEW.debit; INSERT INTO entries SELECT id, iif(NEW.n > 1, 0, iif(NEW.kind = 'transfer', 1, 3)), moved_at, NEW.seq, NEW.amount, credits_posted - debits_posted, iif(NEW.n > 1 OR NEW.kind = 'transfer', NULL, iif(NEW.kind IN ('deposit', 'refund', 'sweep', 'debt'), NEW.kind,  iif(NEW.kind = 'withdrawal_end', 'withdrawal', iif(NEW.kind GLOB '*_reversal' OR NEW.kind GLOB '*_return', 'reversal', 'correction')))), NEW.ref FROM accounts WHERE id = NEW.credit; INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'debt_payment', 'dbt_' || NEW.seq, 1, v.account, v.debts, v.amount, NEW.at FROM payable_debts v WHERE v.account = NEW.credit AND NEW.kind <> 'debt'; END;
--> statement-breakpoint
CREATE TRIGGER leg_settles AFTER INSERT ON legs WHEN NEW.phase = 'posted' AND NEW.kind = 'debt_payment'
BEGIN UPDATE accounts SET debits_posted = debits_posted + NEW.amount, debt = debt - NEW.amount, moved_at = max(moved_at, NEW.at) WHERE id = NEW.debit; UPDATE accounts SET credits_posted = credits_posted + NEW.amount, moved_at = max(moved_at, NEW.at) WHERE id = NEW.credit; INSERT INTO entries SELECT id, 4, moved_at, NEW.seq, -NEW.amount, credits_posted - debits_posted, 'debt', NEW.ref FROM accounts WHERE id = NEW.debit; INSERT INTO entries SELECT id, 3, moved_at, NEW.seq, NEW.amount, credits_posted - debits_posted, 'debt', NEW.ref FROM accounts WHERE id = NEW.credit; END;
--> statement-breakpoint
DROP TRIGGER leg_held;
--> statement-breakpoint
CREATE TRIGGER leg_held AFTER INSERT ON legs WHEN NEW.phase IN ('pending','void')
BEGIN UPDATE accounts SET debits_pending = debits_pending + iif(NEW.phase = 'void', -NEW.amount, NEW.amount) WHERE id = NEW.debit; UPDATE accounts SET credits_pending = credits_pending + iif(NEW.phase = 'void', -NEW.amount, NEW.amount) WHERE id = NEW.credit; INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'debt_payment', 'dbt_' || NEW.seq, 1, v.account, v.debts, v.amount, NEW.at FROM payable_debts v WHERE v.account = NEW.debit AND NEW.phase = 'void'; END;
--> statement-breakpoint
-- What the provider has taken back of a credited deposit, in all. A deposit is reversed when that is everything.
ALTER TABLE deposits ADD COLUMN returned INTEGER DEFAULT 0 NOT NULL CONSTRAINT deposit_returned CHECK (returned BETWEEN 0 AND gross AND (returned = 0 OR status IN ('credited','reversed')) AND (returned < gross OR status = 'reversed'));
--> statement-breakpoint
UPDATE deposits SET returned = gross WHERE status = 'reversed';
--> statement-breakpoint
DROP TRIGGER deposit_order;
--> statement-breakpoint
CREATE TRIGGER deposit_order BEFORE UPDATE OF status ON deposits WHEN NOT ((OLD.status = 'creating' AND NEW.status IN ('pending','credited','expired','failed','review')) OR (OLD.status = 'pending' AND NEW.status IN ('credited','expired','failed','review')) OR (OLD.status IN ('expired','failed') AND NEW.status IN ('credited','review')) OR (OLD.status = 'review' AND NEW.status IN ('credited','failed')) OR (OLD.status = 'credited' AND NEW.status = 'reversed' AND NEW.returned = NEW.gross) OR (OLD.status IN ('credited','reversed') AND NEW.status = 'credited' AND NEW.returned <> OLD.returned))
BEGIN SELECT RAISE(ABORT, 'guard:deposit_order'); END;
--> statement-breakpoint
DROP TRIGGER deposit_posts;
--> statement-breakpoint
CREATE TRIGGER deposit_posts AFTER UPDATE OF status ON deposits WHEN NEW.status = 'credited' AND OLD.status NOT IN ('credited','reversed')
BEGIN INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'deposit', NEW.id, 1, g.id, NEW.account, NEW.net, NEW.credited_at FROM accounts g WHERE g.owner = 'system' AND g.kind = 'gateway' AND g.asset = NEW.asset; INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'deposit', NEW.id, 2, g.id, NEW.app_account, NEW.app_fee, NEW.credited_at FROM accounts g WHERE g.owner = 'system' AND g.kind = 'gateway' AND g.asset = NEW.asset AND NEW.app_fee > 0; INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'deposit', NEW.id, 3, g.id, p.id, NEW.platform_fee, NEW.credited_at FROM accounts g JOIN accounts p ON p.owner = 'system' AND p.kind = 'platform' AND p.asset = NEW.asset WHERE g.owner = 'system' AND g.kind = 'gateway' AND g.asset = NEW.asset AND NEW.platform_fee > 0; SELECT RAISE(ABORT, 'guard:deposit_whole') WHERE (SELECT sum(amount) FROM legs WHERE kind = 'deposit' AND ref = NEW.id) IS NOT NEW.gross; END;
--> statement-breakpoint
-- The legs of deposits in the order in which they are taken back: the wallet's part first, then the app's fee, then the operator's.
CREATE VIEW deposit_parts AS SELECT l.ref AS deposit, l.n, l.debit AS gateway, l.credit AS account, l.amount, coalesce((SELECT sum(p.amount) FROM legs p WHERE p.kind = 'deposit' AND p.ref = l.ref AND p.n < l.n), 0) AS earlier FROM legs l WHERE l.kind = 'deposit';
--> statement-breakpoint
DROP TRIGGER deposit_reversed;
--> statement-breakpoint
-- Each change has the number of its look in its reference. What comes back for a closed wallet waits in suspense, unless its debt takes it.
CREATE TRIGGER deposit_returns AFTER UPDATE OF returned ON deposits WHEN NEW.returned <> OLD.returned
BEGIN INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'debt', NEW.id || '.' || NEW.tries, m.n, x.id, a.id, m.moved - (a.credits_posted - a.debits_posted - a.debits_pending), NEW.updated_at FROM (SELECT p.n, p.account, min(max(NEW.returned - p.earlier, 0), p.amount) - min(max(OLD.returned - p.earlier, 0), p.amount) AS moved FROM deposit_parts p WHERE p.deposit = NEW.id) m JOIN accounts a ON a.id = m.account JOIN accounts x ON x.owner = 'debts' AND x.kind = 'suspense' AND x.asset = a.asset WHERE m.moved > a.credits_posted - a.debits_posted - a.debits_pending ORDER BY m.n; INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'deposit_reversal', NEW.id || '.' || NEW.tries, m.n, iif(m.moved > 0, a.id, m.gateway), iif(m.moved > 0, m.gateway, iif(a.status = 'closed' AND a.debt < -m.moved, s.id, a.id)), abs(m.moved), NEW.updated_at FROM (SELECT p.n, p.gateway, p.account, min(max(NEW.returned - p.earlier, 0), p.amount) - min(max(OLD.returned - p.earlier, 0), p.amount) AS moved FROM deposit_parts p WHERE p.deposit = NEW.id) m JOIN accounts a ON a.id = m.account JOIN accounts s ON s.owner = 'system' AND s.kind = 'suspense' AND s.asset = a.asset WHERE m.moved <> 0 ORDER BY m.n; INSERT INTO webhook_events (id, app_id, type, data, at) SELECT 'evt_' || l.ref || '_debt', NEW.app_id, 'wallet.debt', json_object('depositId', NEW.id, 'pid', NEW.handle || '@pid', 'asset', NEW.asset, 'amount', l.amount), NEW.updated_at FROM legs l WHERE l.kind = 'debt' AND l.ref = NEW.id || '.' || NEW.tries AND l.n = 1 AND NEW.app_id IS NOT NULL; SELECT RAISE(ABORT, 'guard:deposit_whole') WHERE (SELECT sum(iif(g.kind = 'gateway', l.amount, -l.amount)) FROM legs l JOIN accounts g ON g.id = l.credit WHERE l.kind = 'deposit_reversal' AND l.ref = NEW.id || '.' || NEW.tries) IS NOT NEW.returned - OLD.returned; END;
--> statement-breakpoint
DROP TRIGGER deposit_told;
--> statement-breakpoint
CREATE TRIGGER deposit_told AFTER UPDATE OF status, returned ON deposits WHEN NEW.app_id IS NOT NULL AND (NEW.status <> OLD.status OR NEW.returned <> OLD.returned)
BEGIN INSERT INTO webhook_events (id, app_id, type, data, at) VALUES ('evt_' || NEW.id || '_' || iif(NEW.returned <> OLD.returned, 'returned_' || NEW.tries, NEW.status), NEW.app_id, 'deposit.' || iif(NEW.returned > OLD.returned, 'reversed', NEW.status), json_object('id', NEW.id, 'pid', NEW.handle || '@pid', 'status', NEW.status, 'failure', NEW.failure, 'asset', NEW.asset, 'amount', NEW.gross, 'appFee', NEW.app_fee, 'platformFee', NEW.platform_fee, 'netAmount', NEW.net, 'returned', NEW.returned), NEW.updated_at) ON CONFLICT (id) DO NOTHING; END;
--> statement-breakpoint
DROP INDEX deposits_review;
--> statement-breakpoint
CREATE INDEX deposits_review ON deposits (id) WHERE status = 'review' OR failure IN ('refund_uncovered','contradicted');
--> statement-breakpoint
-- A debt blocks closing, as a balance does.
DROP TRIGGER identity_closure_blocked;
--> statement-breakpoint
DROP VIEW closure_blockers;
--> statement-breakpoint
CREATE VIEW closure_blockers AS SELECT owner AS handle, 'wallet' AS source, iif(debt > 0, 'Wallet has a debt', 'Wallet balance is not zero') AS reason FROM accounts WHERE kind = 'wallet' AND (debt > 0 OR credits_posted <> debits_posted OR debits_pending > 0 OR credits_pending > 0) UNION ALL SELECT a.owner, a.id, 'App balance is not zero' FROM apps a JOIN accounts r ON r.owner = a.id AND r.kind = 'app' WHERE r.credits_posted <> r.debits_posted OR r.debt > 0;
--> statement-breakpoint
CREATE TRIGGER identity_closure_blocked BEFORE UPDATE OF status ON identities WHEN NEW.status = 'closed' AND EXISTS (SELECT 1 FROM closure_blockers WHERE handle = NEW.handle)
BEGIN SELECT RAISE(ABORT, 'guard:closure_blocked'); END;
--> statement-breakpoint
DROP TRIGGER app_balance;
--> statement-breakpoint
CREATE TRIGGER app_balance BEFORE UPDATE OF status ON apps WHEN NEW.status = 'deleted' AND EXISTS (SELECT 1 FROM accounts WHERE owner = NEW.id AND kind = 'app' AND (credits_posted <> debits_posted OR debt > 0))
BEGIN SELECT RAISE(ABORT, 'guard:app_balance'); END;
