-- A payout that its provider denies after it was paid, or declared so, waits for a person: money comes back by a decision of somebody else.
CREATE INDEX withdrawals_contradicted ON withdrawals (id) WHERE failure = 'contradicted';
--> statement-breakpoint
CREATE TRIGGER withdrawal_decided BEFORE UPDATE OF status ON withdrawals WHEN OLD.status = 'paid' AND NEW.status = 'returned' AND OLD.failure = 'contradicted' AND NOT EXISTS (
  SELECT 1 FROM desk_decisions d WHERE d.target = NEW.id AND d.outcome IN ('alone','approved') AND json_extract(d.detail, '$.outcome') = 'failed'
    AND d.maker <> NEW.handle AND d.decided_by IS NOT NEW.handle)
BEGIN SELECT RAISE(ABORT, 'guard:desk_decided'); END;
