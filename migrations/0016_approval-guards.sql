-- What redeems an approval is stored with its transfer, so that the trigger below can compare it.
ALTER TABLE transfers ADD COLUMN verifier_hash TEXT;
--> statement-breakpoint
DROP TRIGGER transfer_approved;
--> statement-breakpoint
-- An approval is redeemed once, within 30 seconds, for the payer and the app that it names, by who has its verifier.
CREATE TRIGGER transfer_approved AFTER UPDATE OF status ON transfers WHEN NEW.status = 'confirmed' AND NEW.needs_approval = 1
BEGIN UPDATE popup_requests SET status = 'redeemed', redeemed_op = NEW.id WHERE id = NEW.approval_id AND inquiry_id = NEW.id AND status = 'approved' AND handle = NEW.payer AND app_id = NEW.app_id AND verifier_hash = NEW.verifier_hash AND decided_at + 30000 > NEW.confirmed_at; SELECT RAISE(ABORT, 'guard:transfer_approved') WHERE NOT EXISTS (SELECT 1 FROM popup_requests WHERE redeemed_op = NEW.id); END;
--> statement-breakpoint
CREATE TRIGGER transfer_confirmed BEFORE UPDATE OF approval_id, verifier_hash, confirmed_by, confirmed_at ON transfers WHEN OLD.confirmed_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'guard:transfer_fixed'); END;
