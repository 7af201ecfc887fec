-- An account keeps its owner and its overdraft setting.
CREATE TRIGGER account_fixed BEFORE UPDATE OF id, kind, owner, asset, may_overdraw ON accounts
BEGIN
  SELECT RAISE(ABORT, 'guard:ledger_immutable');
END;

-- An account is never deleted.
CREATE TRIGGER account_no_delete BEFORE DELETE ON accounts
BEGIN
  SELECT RAISE(ABORT, 'guard:ledger_immutable');
END;

-- An account is created without money, and does not replace another one.
CREATE TRIGGER account_opens BEFORE INSERT ON accounts
WHEN NEW.debits_posted + NEW.credits_posted + NEW.debits_pending + NEW.credits_pending + NEW.debt + NEW.leg > 0
  OR EXISTS (SELECT 1 FROM accounts WHERE id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'guard:account_totals');
END;

-- Only posting a leg changes the totals of its two accounts. An account stores its last leg, so no later change can
-- use the same leg again.
CREATE TRIGGER account_totals
AFTER UPDATE OF debits_posted, credits_posted, debits_pending, credits_pending, debt, leg ON accounts
WHEN NOT EXISTS (SELECT 1 FROM legs WHERE seq = NEW.leg AND seq > OLD.leg AND NEW.id IN (debit, credit))
BEGIN
  SELECT RAISE(ABORT, 'guard:account_totals');
END;

-- Incoming money settles a debt first. A capture posts its own legs first, then sets the account's status to its
-- current value, which makes the debt take the rest.
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

-- An app with money or a debt is not deleted.
CREATE TRIGGER app_balance BEFORE UPDATE OF status ON apps
WHEN NEW.status = 'deleted'
  AND EXISTS (
    SELECT 1
    FROM accounts
    WHERE owner = NEW.id AND kind = 'app' AND (credits_posted <> debits_posted OR debt > 0)
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:app_balance');
END;

-- A leg is never changed. Errors are corrected by another leg.
CREATE TRIGGER leg_no_update BEFORE UPDATE ON legs
BEGIN
  SELECT RAISE(ABORT, 'guard:ledger_immutable');
END;

-- A leg is never deleted.
CREATE TRIGGER leg_no_delete BEFORE DELETE ON legs
BEGIN
  SELECT RAISE(ABORT, 'guard:ledger_immutable');
END;

-- A movement has a known kind, because lists show unknown kinds as corrections (leg_posted). Money moves while the
-- ledger is open, between active accounts of one asset. A provider reverses and restores money regardless of the
-- wallet's status, and an administrator reverses payments of frozen wallets. A closed wallet accepts only money that
-- settles its debt. A leg that resolves another leg has the same amount. No administrator's decision moves money to
-- their own account. While wallets have limits, a payment is counted, except for the capture of a hold, and must not
-- exceed the recipient's balance limit. Without limits, this check costs only a look at a row that is read anyway.
CREATE TRIGGER leg_allowed BEFORE INSERT ON legs
BEGIN
  SELECT RAISE(ABORT, 'guard:leg_kind')
  WHERE NEW.kind <> 'transfer'
    AND NEW.kind NOT IN (
      'transfer_reversal', 'refund', 'hold', 'hold_capture', 'hold_release', 'deposit', 'deposit_reversal',
      'withdrawal', 'withdrawal_end', 'withdrawal_return', 'sweep', 'second_payment', 'correction', 'debt',
      'debt_payment', 'provider_fee', 'provider_payout'
    );
  SELECT RAISE(ABORT, 'guard:leg_allowed')
  WHERE NOT EXISTS (
    SELECT 1
    FROM ledger m
    CROSS JOIN accounts d
    CROSS JOIN accounts c
    WHERE m.id = 1
      AND m.mode = 'open'
      AND d.id = NEW.debit
      AND c.id = NEW.credit
      AND d.asset = c.asset
      AND (
        NEW.phase NOT IN ('posted', 'pending')
        OR NEW.kind IN ('deposit_reversal', 'debt', 'debt_payment')
        OR (d.status = 'active' AND c.status = 'active')
        OR (NEW.kind = 'transfer_reversal' AND d.status <> 'closed' AND c.status <> 'closed')
        OR (
          NEW.kind IN ('correction', 'withdrawal_return')
          AND d.status = 'active'
          AND c.status = 'closed'
          AND c.debt >= NEW.amount
        )
      )
      AND (
        m.limits IS NULL
        OR NOT (
          (
            NEW.kind IN ('transfer', 'sweep')
            AND NEW.amount > coalesce(
              (SELECT w.held - w.holds FROM wallet_limits w WHERE w.account = NEW.credit),
              9007199254740991
            )
          )
          OR (
            NEW.kind IN ('transfer', 'hold')
            AND NOT EXISTS (
              SELECT 1
              FROM transfers t
              WHERE t.id = NEW.ref
                AND (t.counted = 1 OR (NEW.kind = 'transfer' AND t.held_at IS NOT NULL))
            )
          )
          OR (
            NEW.kind = 'withdrawal'
            AND NOT EXISTS (SELECT 1 FROM withdrawals x WHERE x.id = NEW.ref AND x.counted = 1)
          )
        )
      )
  );
  SELECT RAISE(ABORT, 'guard:leg_resolves_its_own')
  WHERE NEW.pending_leg IS NOT NULL
    AND NOT EXISTS (
      SELECT 1
      FROM legs p
      WHERE p.seq = NEW.pending_leg
        AND p.phase = 'pending'
        AND p.debit = NEW.debit
        AND p.credit = NEW.credit
        AND p.amount = NEW.amount
    );
  SELECT RAISE(ABORT, 'guard:own_favour')
  WHERE NEW.kind IN ('deposit', 'withdrawal_end', 'transfer_reversal', 'correction')
    AND EXISTS (
      SELECT 1
      FROM accounts a
      LEFT JOIN apps p ON a.kind = 'app' AND p.id = a.owner
      WHERE a.id = iif(NEW.phase = 'void', NEW.debit, NEW.credit)
        AND a.kind IN ('wallet', 'app')
        AND (
          (
            NEW.kind = 'correction'
            AND coalesce(p.owner, a.owner) = (SELECT j.actor FROM adjustments j WHERE j.id = NEW.ref)
          )
          OR EXISTS (
            SELECT 1
            FROM desk_decisions d
            WHERE d.target IN (NEW.ref, 'trf_' || NEW.ref)
              AND d.outcome IN ('alone', 'approved')
              AND coalesce(p.owner, a.owner) IN (d.maker, d.decided_by)
          )
        )
    );
END;

-- A posted leg changes the counters of both accounts, and writes an entry with the resulting balance for each.
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

-- An entry is never changed.
CREATE TRIGGER entry_no_update BEFORE UPDATE ON entries
BEGIN
  SELECT RAISE(ABORT, 'guard:ledger_immutable');
END;

-- An entry is never deleted.
CREATE TRIGGER entry_no_delete BEFORE DELETE ON entries
BEGIN
  SELECT RAISE(ABORT, 'guard:ledger_immutable');
END;

-- These operations have fees. Only a transfer has a recipient who could bear the fee.
CREATE TRIGGER fee_version_allowed BEFORE INSERT ON fee_versions
WHEN NEW.operation NOT IN ('deposit', 'transfer', 'withdrawal')
  OR NEW.payer NOT IN ('payer', 'payee')
  OR (NEW.payer = 'payee' AND NEW.operation <> 'transfer')
BEGIN
  SELECT RAISE(ABORT, 'guard:fee_version_allowed');
END;

-- The owner of apps creates at most 100 versions a day, because none is ever deleted.
CREATE TRIGGER fee_versions_most BEFORE INSERT ON fee_versions
WHEN NEW.scope <> 'platform'
  AND (
    SELECT created_at
    FROM fee_versions
    WHERE created_by = NEW.created_by AND scope <> 'platform'
    ORDER BY created_at DESC
    LIMIT 1 OFFSET 99
  ) > NEW.created_at - 86400000
BEGIN
  SELECT RAISE(ABORT, 'guard:fee_versions_most');
END;

-- A fee version is never changed; a new fee is a new version.
CREATE TRIGGER fee_version_fixed BEFORE UPDATE ON fee_versions
BEGIN
  SELECT RAISE(ABORT, 'guard:fee_version_fixed');
END;

-- A fee version is never deleted, because documents refer to it.
CREATE TRIGGER fee_version_kept BEFORE DELETE ON fee_versions
BEGIN
  SELECT RAISE(ABORT, 'guard:fee_version_fixed');
END;

-- An adjustment moves its money when it is written.
CREATE TRIGGER adjustment_posts AFTER INSERT ON adjustments
BEGIN
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  VALUES (NEW.kind, NEW.id, 1, NEW.debit, NEW.credit, NEW.amount, NEW.at);
END;

-- An adjustment is never changed.
CREATE TRIGGER adjustment_no_update BEFORE UPDATE ON adjustments
BEGIN
  SELECT RAISE(ABORT, 'guard:ledger_immutable');
END;

-- An adjustment is never deleted.
CREATE TRIGGER adjustment_no_delete BEFORE DELETE ON adjustments
BEGIN
  SELECT RAISE(ABORT, 'guard:ledger_immutable');
END;

-- The current limits of each wallet, and its balance: incoming money settles a debt first. The view is empty while
-- there are no limits.
CREATE VIEW wallet_limits AS
SELECT
  a.id AS account, i.level,
  json_extract(m.limits, '$.' || i.level || '.payment') AS payment,
  json_extract(m.limits, '$.' || i.level || '.day') AS day,
  json_extract(m.limits, '$.' || i.level || '.month') AS month,
  json_extract(m.limits, '$.' || i.level || '.held') AS held,
  a.credits_posted - a.debits_posted - a.debt AS holds
FROM ledger m
JOIN accounts a ON a.kind = 'wallet'
JOIN identities i ON i.handle = a.owner
WHERE m.id = 1
  AND m.limits IS NOT NULL;
