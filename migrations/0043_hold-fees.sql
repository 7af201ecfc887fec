-- Any part of a hold may be captured, so a grant covers it only if it covers the app's whole fee rule: a fixed fee is the same for one rupiah.
CREATE TRIGGER transfer_hold_fee_granted BEFORE UPDATE OF held_at ON transfers
WHEN NEW.needs_approval = 0 AND json_type(NEW.hold_rules, '$.app') = 'object' AND NOT EXISTS (
  SELECT 1 FROM grants g WHERE g.id = NEW.grant_id AND (json_extract(NEW.hold_rules, '$.app.most') <= g.fee_fixed
    OR (json_extract(NEW.hold_rules, '$.app.bps') <= g.fee_bps
      AND max(json_extract(NEW.hold_rules, '$.app.fixed'), json_extract(NEW.hold_rules, '$.app.least')) <= g.fee_fixed)))
BEGIN SELECT RAISE(ABORT, 'guard:transfer_fee_granted'); END;
