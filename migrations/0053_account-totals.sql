ALTER TABLE `accounts` ADD `leg` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- Every leg so far has changed its accounts.
UPDATE accounts SET leg = (SELECT coalesce(max(seq), 0) FROM legs);
--> statement-breakpoint
DROP TRIGGER account_settles;
--> statement-breakpoint
DROP TRIGGER leg_posted;
--> statement-breakpoint
DROP TRIGGER leg_held;
--> statement-breakpoint
DROP TRIGGER transfer_captured;
--> statement-breakpoint
-- An account starts without money, and does not replace another one.
CREATE TRIGGER account_opens BEFORE INSERT ON accounts
WHEN NEW.debits_posted + NEW.credits_posted + NEW.debits_pending + NEW.credits_pending + NEW.debt + NEW.leg > 0
  OR EXISTS (SELECT 1 FROM accounts WHERE id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'guard:account_totals');
END;
--> statement-breakpoint
-- Only posting a leg changes the totals of its two accounts. An account keeps its last leg, so no later change can use
-- that leg again.
CREATE TRIGGER account_totals
AFTER UPDATE OF debits_posted, credits_posted, debits_pending, credits_pending, debt, leg ON accounts
WHEN NOT EXISTS (SELECT 1 FROM legs WHERE seq = NEW.leg AND seq > OLD.leg AND NEW.id IN (debit, credit))
BEGIN
  SELECT RAISE(ABORT, 'guard:account_totals');
END;
--> statement-breakpoint
-- Incoming money settles a debt first. A capture posts its own legs before the debt takes the rest, when it sets the
-- status that the account has.
CREATE TRIGGER account_settles AFTER UPDATE OF credits_posted, credits_pending, status ON accounts
WHEN NEW.debt > 0
  AND NEW.debt = OLD.debt
  AND NEW.credits_posted - NEW.debits_posted - NEW.debits_pending > 0
  AND (SELECT kind FROM legs ORDER BY seq DESC LIMIT 1) <> 'hold_capture'
BEGIN
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT
    'debt_payment', 'dbt_' || l.seq, 1, NEW.id, x.id,
    min(NEW.debt, NEW.credits_posted - NEW.debits_posted - NEW.debits_pending), l.at
  FROM (SELECT seq, at FROM legs ORDER BY seq DESC LIMIT 1) l
  JOIN accounts x ON x.owner = 'debts' AND x.kind = 'suspense' AND x.asset = NEW.asset;
  UPDATE accounts
  SET debits_posted = debits_posted + l.amount, debt = debt - l.amount, moved_at = max(moved_at, l.at), leg = l.seq
  FROM (SELECT seq, debit, amount, at FROM legs ORDER BY seq DESC LIMIT 1) l
  WHERE id = l.debit;
  UPDATE accounts
  SET credits_posted = credits_posted + l.amount, moved_at = max(moved_at, l.at), leg = l.seq
  FROM (SELECT seq, credit, amount, at FROM legs ORDER BY seq DESC LIMIT 1) l
  WHERE id = l.credit;
  INSERT INTO entries
  SELECT
    a.id, iif(a.id = l.debit, 4, 3), a.moved_at, l.seq, iif(a.id = l.debit, -l.amount, l.amount),
    a.credits_posted - a.debits_posted, 'debt', l.ref
  FROM (SELECT * FROM legs ORDER BY seq DESC LIMIT 1) l
  JOIN accounts a ON a.id IN (l.debit, l.credit);
END;
--> statement-breakpoint
-- A posted leg changes the counters of both accounts, and each gets an entry with its balance after it.
CREATE TRIGGER leg_posted AFTER INSERT ON legs
WHEN NEW.phase IN ('posted', 'post') AND NEW.kind <> 'debt_payment'
BEGIN
  UPDATE accounts
  SET
    debits_posted = debits_posted + NEW.amount,
    debits_pending = debits_pending - iif(NEW.phase = 'post', NEW.amount, 0),
    moved_at = max(moved_at, NEW.at),
    leg = NEW.seq
  WHERE id = NEW.debit;
  INSERT INTO entries
  SELECT
    id, iif(NEW.n > 1, 0, iif(NEW.kind = 'transfer', 2, 4)), moved_at, NEW.seq, -NEW.amount,
    credits_posted - debits_posted,
    iif(
      NEW.n > 1 OR NEW.kind = 'transfer', NULL,
      iif(
        NEW.kind IN ('deposit', 'refund', 'sweep', 'debt'), NEW.kind,
        iif(
          NEW.kind = 'withdrawal_end', 'withdrawal',
          iif(NEW.kind GLOB '*_reversal' OR NEW.kind GLOB '*_return', 'reversal', 'correction')
        )
      )
    ),
    NEW.ref
  FROM accounts
  WHERE id = NEW.debit;
  INSERT INTO entries
  SELECT
    id, iif(NEW.n > 1, 0, iif(NEW.kind = 'transfer', 1, 3)), max(moved_at, NEW.at), NEW.seq, NEW.amount,
    credits_posted + NEW.amount - debits_posted,
    iif(
      NEW.n > 1 OR NEW.kind = 'transfer', NULL,
      iif(
        NEW.kind IN ('deposit', 'refund', 'sweep', 'debt'), NEW.kind,
        iif(
          NEW.kind = 'withdrawal_end', 'withdrawal',
          iif(NEW.kind GLOB '*_reversal' OR NEW.kind GLOB '*_return', 'reversal', 'correction')
        )
      )
    ),
    NEW.ref
  FROM accounts
  WHERE id = NEW.credit;
  UPDATE accounts
  SET
    credits_posted = credits_posted + NEW.amount,
    credits_pending = credits_pending - iif(NEW.phase = 'post', NEW.amount, 0),
    debt = debt + iif(NEW.kind = 'debt', NEW.amount, 0),
    moved_at = max(moved_at, NEW.at),
    leg = NEW.seq
  WHERE id = NEW.credit;
END;
--> statement-breakpoint
-- A pending leg holds money on both accounts, and voiding it releases the money.
CREATE TRIGGER leg_held AFTER INSERT ON legs
WHEN NEW.phase IN ('pending', 'void')
BEGIN
  UPDATE accounts
  SET
    debits_pending = debits_pending + iif(id = NEW.debit, iif(NEW.phase = 'void', -NEW.amount, NEW.amount), 0),
    credits_pending = credits_pending + iif(
      id = NEW.credit, iif(NEW.phase = 'void', -NEW.amount, NEW.amount), 0
    ),
    leg = NEW.seq
  WHERE id IN (NEW.debit, NEW.credit);
END;
--> statement-breakpoint
-- A capture releases an active person's hold and moves the captured amount. Its fee is at most the one that was
-- shown, and the rest of the held money settles any debt. It comes before the status changes: a hold that is
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
