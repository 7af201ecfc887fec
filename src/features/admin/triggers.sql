-- An administrator's decision is made only once and never changes, except that a proposal receives its outcome.
CREATE TRIGGER desk_decision_fixed BEFORE UPDATE ON desk_decisions
WHEN OLD.outcome IS NOT NULL
  OR (
    NEW.id, NEW.action, NEW.target, NEW.amount, NEW.gainers, NEW.seen, NEW.detail, NEW.reason,
    NEW.idempotency_key, NEW.second_above, NEW.maker, NEW.created_at, NEW.expires_at
  ) IS NOT (
    OLD.id, OLD.action, OLD.target, OLD.amount, OLD.gainers, OLD.seen, OLD.detail, OLD.reason,
    OLD.idempotency_key, OLD.second_above, OLD.maker, OLD.created_at, OLD.expires_at
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:desk_decision_fixed');
END;

-- Administrators' decisions are never deleted.
CREATE TRIGGER desk_decision_kept BEFORE DELETE ON desk_decisions
BEGIN
  SELECT RAISE(ABORT, 'guard:desk_decision_fixed');
END;

-- A deposit leaves review only by an administrator's decision.
CREATE TRIGGER deposit_decided BEFORE UPDATE OF status ON deposits
WHEN OLD.status = 'review'
  AND NEW.status <> 'review'
  AND NOT EXISTS (SELECT 1 FROM desk_decisions d WHERE d.target = NEW.id AND d.outcome IN ('alone', 'approved'))
BEGIN
  SELECT RAISE(ABORT, 'guard:desk_decided');
END;

-- A contradicted payout is returned only by the decision of an administrator other than the recipient of the money.
CREATE TRIGGER withdrawal_decided BEFORE UPDATE OF status ON withdrawals
WHEN OLD.status = 'paid'
  AND NEW.status = 'returned'
  AND OLD.failure = 'contradicted'
  AND NOT EXISTS (
    SELECT 1
    FROM desk_decisions d
    WHERE d.target = NEW.id
      AND d.outcome IN ('alone', 'approved')
      AND json_extract(d.detail, '$.outcome') = 'failed'
      AND d.maker <> NEW.handle
      AND d.decided_by IS NOT NEW.handle
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:desk_decided');
END;
