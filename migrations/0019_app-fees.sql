-- The highest fee of its app that a grant covers. Those of before have shown none, and cover none.
ALTER TABLE grants ADD COLUMN fee_bps INTEGER DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE grants ADD COLUMN fee_fixed INTEGER DEFAULT 0 NOT NULL CONSTRAINT grant_fee CHECK (fee_bps BETWEEN 0 AND 10000 AND fee_fixed BETWEEN 0 AND 1000000000);
--> statement-breakpoint
-- Without an approval an app takes no fee that the payer's grant does not cover.
CREATE TRIGGER transfer_fee_granted BEFORE UPDATE OF status ON transfers WHEN NEW.status = 'confirmed' AND NEW.needs_approval = 0 AND NEW.app_fee > 0 AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.id = NEW.grant_id AND NEW.app_fee <= (NEW.amount * g.fee_bps + 9999) / 10000 + g.fee_fixed)
BEGIN SELECT RAISE(ABORT, 'guard:transfer_fee_granted'); END;
--> statement-breakpoint
-- The fees as rules, as they were at checkout.
ALTER TABLE deposits ADD COLUMN fee_rules TEXT DEFAULT '{"app":null,"platform":null}' NOT NULL CONSTRAINT deposit_rules CHECK (json_type(fee_rules) = 'object');
--> statement-breakpoint
UPDATE deposits SET fee_rules = json_object('app', json((SELECT json_object('fixed', f.fixed, 'bps', f.bps, 'least', f.least, 'most', f.most, 'payer', f.payer) FROM fee_versions f WHERE deposits.app_fee > 0 AND f.scope = deposits.app_id AND f.operation = 'deposit' AND f.created_at <= deposits.created_at ORDER BY f.version DESC LIMIT 1)), 'platform', json((SELECT json_object('fixed', f.fixed, 'bps', f.bps, 'least', f.least, 'most', f.most, 'payer', f.payer) FROM fee_versions f WHERE f.scope = 'platform' AND f.operation = 'deposit' AND f.created_at <= deposits.created_at ORDER BY f.version DESC LIMIT 1))) WHERE status NOT IN ('credited','reversed');
--> statement-breakpoint
CREATE TRIGGER deposit_rules_fixed BEFORE UPDATE OF fee_rules ON deposits
BEGIN SELECT RAISE(ABORT, 'guard:deposit_fixed'); END;
--> statement-breakpoint
-- Whatever was paid, its app takes no more than the rule that the person saw.
CREATE TRIGGER deposit_fee_shown BEFORE UPDATE OF app_fee ON deposits WHEN NEW.app_fee > coalesce(min(max((NEW.gross * json_extract(OLD.fee_rules, '$.app.bps') + 9999) / 10000 + json_extract(OLD.fee_rules, '$.app.fixed'), json_extract(OLD.fee_rules, '$.app.least')), coalesce(json_extract(OLD.fee_rules, '$.app.most'), 9007199254740991)), 0)
BEGIN SELECT RAISE(ABORT, 'guard:deposit_fee_shown'); END;
