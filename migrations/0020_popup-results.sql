-- What the popup's last page gave to the app's origin: the verifier alone proves nothing about who gets the tokens.
ALTER TABLE popup_requests ADD COLUMN result_hash TEXT;
--> statement-breakpoint
-- An app without a secret redeems a sign-in only after it was handed over.
CREATE TRIGGER popup_handed_over BEFORE UPDATE OF status ON popup_requests
WHEN OLD.status = 'approved' AND NEW.status = 'redeemed' AND NEW.kind = 'login' AND NEW.result_hash IS NULL
BEGIN SELECT RAISE(ABORT, 'guard:popup_handed_over') WHERE NOT EXISTS (SELECT 1 FROM apps WHERE id = NEW.app_id AND type = 'web'); END;
