DROP TRIGGER leg_allowed;
--> statement-breakpoint
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
