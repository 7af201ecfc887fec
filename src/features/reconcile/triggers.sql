-- A report starts unread.
CREATE TRIGGER report_begins BEFORE INSERT ON reports
WHEN NEW.status <> 'reading'
BEGIN
  SELECT RAISE(ABORT, 'guard:report_order');
END;

-- A report takes one of these paths, and keeps its content.
CREATE TRIGGER report_order BEFORE UPDATE ON reports
WHEN (
    OLD.status <> NEW.status
    AND OLD.status || '>' || NEW.status NOT IN (
      'reading>read', 'reading>rejected', 'read>accepted', 'read>rejected', 'accepted>posted'
    )
  )
  OR (
    OLD.status <> 'reading'
    AND (NEW.source, NEW.sha256, NEW.first_day, NEW.last_day, NEW.last_line, NEW.summary)
      IS NOT (OLD.source, OLD.sha256, OLD.first_day, OLD.last_day, OLD.last_line, OLD.summary)
  )
  OR NEW.id <> OLD.id
BEGIN
  SELECT RAISE(ABORT, 'guard:report_order');
END;

-- An accepted report is never deleted.
CREATE TRIGGER report_kept BEFORE DELETE ON reports
WHEN OLD.status NOT IN ('reading', 'rejected')
BEGIN
  SELECT RAISE(ABORT, 'guard:report_kept');
END;

-- Lines arrive while their report is read, and have no effect yet.
CREATE TRIGGER report_line_begins BEFORE INSERT ON report_lines
WHEN NEW.outcome IS NOT NULL
  OR NOT EXISTS (SELECT 1 FROM reports WHERE id = NEW.report AND source = NEW.source AND status = 'reading')
BEGIN
  SELECT RAISE(ABORT, 'guard:report_line');
END;

-- A line keeps its content.
CREATE TRIGGER report_line_fixed BEFORE UPDATE OF
  report, line, source, key, kind, ref, payment, adjustment, day, gross, fee, currency, payout
ON report_lines
BEGIN
  SELECT RAISE(ABORT, 'guard:report_line');
END;

-- A line takes effect only once, after its report is accepted. Later only some differences can be explained.
CREATE TRIGGER report_line_decided BEFORE UPDATE OF outcome ON report_lines
WHEN NEW.outcome IS NULL
  OR NOT EXISTS (SELECT 1 FROM reports WHERE id = NEW.report AND status IN ('accepted', 'posted'))
  OR (
    OLD.outcome IS NOT NULL
    AND (
      NEW.outcome <> 'matched'
      OR OLD.outcome NOT IN ('unknown_payment', 'amount', 'return', 'unknown_arrival', 'arrival_amount')
    )
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:report_line');
END;

-- A line of an accepted report is never deleted.
CREATE TRIGGER report_line_kept BEFORE DELETE ON report_lines
WHEN EXISTS (SELECT 1 FROM reports WHERE id = OLD.report AND status NOT IN ('reading', 'rejected'))
BEGIN
  SELECT RAISE(ABORT, 'guard:report_kept');
END;

-- A matching line posts the provider's fee.
-- Writes: legs (ledger).
CREATE TRIGGER report_line_fee AFTER UPDATE OF outcome ON report_lines
WHEN NEW.outcome = 'matched' AND NEW.fee <> 0
BEGIN
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT
    'provider_fee', NEW.key, 1, iif(NEW.fee > 0, f.id, g.id), iif(NEW.fee > 0, g.id, f.id), abs(NEW.fee),
    NEW.decided_at
  FROM accounts g
  JOIN accounts f ON f.owner = 'provider_fee' AND f.kind = g.kind AND f.asset = g.asset
  WHERE g.owner = 'system' AND g.kind = 'gateway' AND g.asset = NEW.currency;
  SELECT RAISE(ABORT, 'guard:report_line')
  WHERE NOT EXISTS (SELECT 1 FROM legs WHERE kind = 'provider_fee' AND ref = NEW.key);
END;

-- A line is added to the provider's transfer to the bank that includes it.
CREATE TRIGGER report_line_payout AFTER UPDATE OF outcome ON report_lines
WHEN NEW.payout IS NOT NULL
  AND OLD.outcome IS NULL
  AND NEW.outcome IN ('matched', 'unknown_payment', 'amount', 'return')
BEGIN
  INSERT INTO provider_payouts (source, reference, day, net)
  VALUES (NEW.source, NEW.payout, NEW.day, NEW.gross - NEW.fee)
  ON CONFLICT (source, reference) DO UPDATE SET net = net + excluded.net, day = max(day, excluded.day);
END;

-- A bank line confirms the arrival of one provider transfer. It posts the money and resolves the case of the missing
-- transfer. A line with a different amount leaves the transfer open.
-- Writes: legs (ledger).
CREATE TRIGGER report_line_arrives AFTER UPDATE OF outcome ON report_lines
WHEN NEW.kind = 'arrival' AND NEW.outcome = 'matched'
BEGIN
  UPDATE provider_payouts
  SET arrived = NEW.key
  WHERE (source, reference) IN (
    SELECT p.source, p.reference
    FROM provider_payouts p
    WHERE p.arrived IS NULL AND instr(NEW.ref, p.reference) > 0
    ORDER BY length(p.reference) DESC, p.net = NEW.gross DESC, p.source
    LIMIT 1
  );
  UPDATE reconciliation_cases
  SET
    resolved_at = NEW.decided_at,
    resolved_by = 'system',
    reason = 'arrived by ' || NEW.report || '.' || NEW.line
  WHERE resolved_at IS NULL
    AND id IN (
      SELECT 'missing_arrival.' || p.source || '.' || p.reference
      FROM provider_payouts p
      WHERE p.arrived = NEW.key
    );
  INSERT INTO legs (kind, ref, n, debit, credit, amount, at)
  SELECT 'provider_payout', NEW.key, 1, b.id, g.id, NEW.gross, NEW.decided_at
  FROM accounts g
  JOIN accounts b ON b.owner = 'bank' AND b.kind = g.kind AND b.asset = g.asset
  WHERE g.owner = 'system' AND g.kind = 'gateway' AND g.asset = NEW.currency;
  SELECT RAISE(ABORT, 'guard:report_line')
  WHERE NOT EXISTS (
    SELECT 1
    FROM provider_payouts
    WHERE arrived = NEW.key AND (NEW.outcome = 'arrival_amount' OR net = NEW.gross)
  );
END;

-- A line that differs opens a case.
CREATE TRIGGER report_line_differs AFTER UPDATE OF outcome ON report_lines
WHEN NEW.outcome NOT IN ('matched', 'known')
BEGIN
  INSERT INTO reconciliation_cases (id, kind, amount, currency, since, day, ref)
  VALUES (
    NEW.report || '.' || NEW.line, NEW.outcome, abs(NEW.gross), NEW.currency, NEW.decided_at, NEW.day, NEW.ref
  );
END;

-- A matching line resolves the cases that it explains.
CREATE TRIGGER report_line_explains AFTER UPDATE OF outcome ON report_lines
WHEN NEW.outcome = 'matched'
BEGIN
  UPDATE reconciliation_cases
  SET
    resolved_at = NEW.decided_at,
    resolved_by = 'system',
    reason = 'explained by ' || NEW.report || '.' || NEW.line
  WHERE resolved_at IS NULL
    AND id IN (
      NEW.report || '.' || NEW.line, 'missing_' || NEW.kind || '.' || NEW.ref,
      'missing_payment.' || NEW.adjustment
    )
    AND (kind <> 'missing_return' OR amount <= -NEW.gross);
END;

-- A provider transfer arrives only once, and then keeps its amount.
CREATE TRIGGER payout_arrived BEFORE UPDATE ON provider_payouts
WHEN OLD.arrived IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'guard:payout_arrived');
END;

-- A provider transfer is never deleted.
CREATE TRIGGER payout_kept BEFORE DELETE ON provider_payouts
BEGIN
  SELECT RAISE(ABORT, 'guard:payout_arrived');
END;

-- A case keeps its subject, and is resolved only once.
CREATE TRIGGER case_fixed BEFORE UPDATE ON reconciliation_cases
WHEN OLD.resolved_at IS NOT NULL
  OR (NEW.id, NEW.kind, NEW.amount, NEW.currency, NEW.since, NEW.day, NEW.ref)
    IS NOT (OLD.id, OLD.kind, OLD.amount, OLD.currency, OLD.since, OLD.day, OLD.ref)
BEGIN
  SELECT RAISE(ABORT, 'guard:case_fixed');
END;

-- A case is never deleted.
CREATE TRIGGER case_kept BEFORE DELETE ON reconciliation_cases
BEGIN
  SELECT RAISE(ABORT, 'guard:case_fixed');
END;

-- Days are closed in order, each only if no case up to that day is open.
CREATE TRIGGER day_closes BEFORE INSERT ON closed_days
WHEN EXISTS (SELECT 1 FROM reconciliation_cases WHERE resolved_at IS NULL AND day <= NEW.day)
  OR EXISTS (SELECT 1 FROM closed_days WHERE day >= NEW.day OR leg > NEW.leg)
BEGIN
  SELECT RAISE(ABORT, 'guard:day_closed');
END;

-- A closed day is never changed.
CREATE TRIGGER closed_day_no_update BEFORE UPDATE ON closed_days
BEGIN
  SELECT RAISE(ABORT, 'guard:day_closed');
END;

-- A closed day is never deleted.
CREATE TRIGGER closed_day_no_delete BEFORE DELETE ON closed_days
BEGIN
  SELECT RAISE(ABORT, 'guard:day_closed');
END;
