DROP TRIGGER popup_handed_over;
--> statement-breakpoint
-- A sign-in is redeemed only after it was handed over, also by an app with a secret.
CREATE TRIGGER popup_handed_over BEFORE UPDATE OF status ON popup_requests
WHEN OLD.status = 'approved' AND NEW.status = 'redeemed' AND NEW.kind = 'login' AND NEW.result_hash IS NULL
BEGIN SELECT RAISE(ABORT, 'guard:popup_handed_over'); END;
