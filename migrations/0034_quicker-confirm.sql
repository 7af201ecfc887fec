-- Each trigger that a statement may fire costs time, whether its condition holds or not. A confirmation therefore has one
-- trigger of guards for each table, and a debt is looked at by the update of its account.
DROP TRIGGER leg_allowed;
--> statement-breakpoint
DROP TRIGGER leg_resolves_its_own;
--> statement-breakpoint
DROP TRIGGER leg_own_favour;
--> statement-breakpoint
CREATE TRIGGER leg_allowed BEFORE INSERT ON legs
BEGIN
  -- A provider takes and gives back whatever the status of the wallet.
  SELECT RAISE(ABORT, 'guard:leg_allowed') WHERE NOT EXISTS (
    SELECT 1 FROM ledger m CROSS JOIN accounts d CROSS JOIN accounts c
    WHERE m.id = 1 AND m.mode = 'open' AND d.id = NEW.debit AND c.id = NEW.credit AND d.asset = c.asset
      AND (NEW.phase NOT IN ('posted','pending') OR NEW.kind IN ('deposit_reversal','debt','debt_payment')
        OR (d.status = 'active' AND c.status = 'active')));
  SELECT RAISE(ABORT, 'guard:leg_resolves_its_own') WHERE NEW.pending_leg IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM legs p WHERE p.seq = NEW.pending_leg AND p.phase = 'pending' AND p.debit = NEW.debit
      AND p.credit = NEW.credit AND p.amount = NEW.amount);
  SELECT RAISE(ABORT, 'guard:own_favour') WHERE NEW.kind IN ('deposit','withdrawal_end','transfer_reversal','correction') AND EXISTS (
    SELECT 1 FROM accounts a LEFT JOIN apps p ON a.kind = 'app' AND p.id = a.owner
    WHERE a.id = iif(NEW.phase = 'void', NEW.debit, NEW.credit) AND a.kind IN ('wallet','app') AND (
      (NEW.kind = 'correction' AND coalesce(p.owner, a.owner) = (SELECT j.actor FROM adjustments j WHERE j.id = NEW.ref))
      OR EXISTS (SELECT 1 FROM desk_decisions d WHERE d.target IN (NEW.ref, 'trf_' || NEW.ref) AND d.outcome IN ('alone','approved')
        AND coalesce(p.owner, a.owner) IN (d.maker, d.decided_by))));
END;
--> statement-breakpoint
DROP TRIGGER leg_posted;
--> statement-breakpoint
DROP TRIGGER leg_settles;
--> statement-breakpoint
DROP TRIGGER leg_held;
--> statement-breakpoint
DROP VIEW payable_debts;
--> statement-breakpoint
-- The update of the credited account comes last: it settles a debt, whose entries follow those of the money that pays it.
CREATE TRIGGER leg_posted AFTER INSERT ON legs WHEN NEW.phase IN ('posted','post') AND NEW.kind <> 'debt_payment'
BEGIN
  UPDATE accounts SET debits_posted = debits_posted + NEW.amount,
    debits_pending = debits_pending - iif(NEW.phase = 'post', NEW.amount, 0), moved_at = max(moved_at, NEW.at) WHERE id = NEW.debit;
  INSERT INTO entries SELECT id, iif(NEW.n > 1, 0, iif(NEW.kind = 'transfer', 2, 4)), moved_at, NEW.seq, -NEW.amount,
    credits_posted - debits_posted, iif(NEW.n > 1 OR NEW.kind = 'transfer', NULL, iif(NEW.kind IN ('deposit','refund','sweep','debt'), NEW.kind,
      iif(NEW.kind = 'withdrawal_end', 'withdrawal', iif(NEW.kind GLOB '*_reversal' OR NEW.kind GLOB '*_return', 'reversal', 'correction')))), NEW.ref
    FROM accounts WHERE id = NEW.debit;
  INSERT INTO entries SELECT id, iif(NEW.n > 1, 0, iif(NEW.kind = 'transfer', 1, 3)), max(moved_at, NEW.at), NEW.seq, NEW.amount,
    credits_posted + NEW.amount - debits_posted, iif(NEW.n > 1 OR NEW.kind = 'transfer', NULL, iif(NEW.kind IN ('deposit','refund','sweep','debt'), NEW.kind,
      iif(NEW.kind = 'withdrawal_end', 'withdrawal', iif(NEW.kind GLOB '*_reversal' OR NEW.kind GLOB '*_return', 'reversal', 'correction')))), NEW.ref
    FROM accounts WHERE id = NEW.credit;
  UPDATE accounts SET credits_posted = credits_posted + NEW.amount,
    credits_pending = credits_pending - iif(NEW.phase = 'post', NEW.amount, 0), debt = debt + iif(NEW.kind = 'debt', NEW.amount, 0),
    moved_at = max(moved_at, NEW.at) WHERE id = NEW.credit;
END;
--> statement-breakpoint
CREATE TRIGGER leg_held AFTER INSERT ON legs WHEN NEW.phase IN ('pending','void')
BEGIN
  UPDATE accounts SET debits_pending = debits_pending + iif(id = NEW.debit, iif(NEW.phase = 'void', -NEW.amount, NEW.amount), 0),
    credits_pending = credits_pending + iif(id = NEW.credit, iif(NEW.phase = 'void', -NEW.amount, NEW.amount), 0)
    WHERE id IN (NEW.debit, NEW.credit);
END;
--> statement-breakpoint
-- What comes in, or is no longer held, settles the debt of its account in the same posting. It moves the money itself, because
-- within a posting the trigger of legs does not run again.
CREATE TRIGGER account_settles AFTER UPDATE OF credits_posted, credits_pending ON accounts
WHEN NEW.debt > 0 AND NEW.debt = OLD.debt AND NEW.credits_posted - NEW.debits_posted - NEW.debits_pending > 0
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
DROP TRIGGER transfer_order;
--> statement-breakpoint
DROP TRIGGER transfer_confirmed;
--> statement-breakpoint
DROP TRIGGER transfer_granted;
--> statement-breakpoint
DROP TRIGGER transfer_fee_granted;
--> statement-breakpoint
DROP TRIGGER transfer_decided;
--> statement-breakpoint
CREATE TRIGGER transfer_allowed BEFORE UPDATE OF status, approval_id, verifier_hash, confirmed_by, confirmed_at ON transfers
BEGIN
  SELECT RAISE(ABORT, 'guard:transfer_fixed') WHERE OLD.confirmed_at IS NOT NULL AND (
    NEW.confirmed_at IS NOT OLD.confirmed_at OR NEW.confirmed_by IS NOT OLD.confirmed_by
    OR NEW.approval_id IS NOT OLD.approval_id OR NEW.verifier_hash IS NOT OLD.verifier_hash);
  SELECT RAISE(ABORT, 'guard:transfer_order') WHERE NOT (
    (OLD.status = 'open' AND NEW.status IN ('confirmed','cancelled')) OR (OLD.status = 'confirmed' AND NEW.status = 'reversed'));
  SELECT RAISE(ABORT, 'guard:transfer_granted') WHERE NEW.status = 'confirmed' AND NEW.app_id IS NOT NULL
    AND NEW.needs_approval = 0 AND NOT EXISTS (
      SELECT 1 FROM grants g WHERE g.id = NEW.grant_id AND g.app_id = NEW.app_id AND g.handle = NEW.payer);
  SELECT RAISE(ABORT, 'guard:transfer_fee_granted') WHERE NEW.status = 'confirmed' AND NEW.needs_approval = 0
    AND NEW.app_fee > 0 AND NOT EXISTS (
      SELECT 1 FROM grants g WHERE g.id = NEW.grant_id AND NEW.app_fee <= (NEW.amount * g.fee_bps + 9999) / 10000 + g.fee_fixed);
  SELECT RAISE(ABORT, 'guard:desk_decided') WHERE NEW.status = 'reversed' AND NOT EXISTS (
    SELECT 1 FROM desk_decisions d WHERE d.target = 'trf_' || NEW.id AND d.outcome IN ('alone','approved'));
END;
