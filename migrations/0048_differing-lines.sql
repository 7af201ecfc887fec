CREATE INDEX `report_lines_differing` ON `report_lines` (`report`,`line`) WHERE outcome IN ('unknown_payment','amount','return','unknown_arrival','arrival_amount');
--> statement-breakpoint
DROP TRIGGER report_line_decided;
--> statement-breakpoint
DROP TRIGGER report_line_arrives;
--> statement-breakpoint
-- A line has its effect once, after its report was accepted. Later only some differences can be explained.
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
--> statement-breakpoint
-- A line of the bank is the arrival of one transfer of a provider. It posts the money and resolves what was missing.
-- One of another amount leaves the transfer open.
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
