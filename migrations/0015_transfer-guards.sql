-- A transfer names the wallets of its parties and the account of its app, whatever statement inserts it.
CREATE TRIGGER transfer_wallets BEFORE INSERT ON transfers WHEN (SELECT owner FROM accounts WHERE id = NEW.payer_account AND kind = 'wallet') IS NOT NEW.payer OR (SELECT owner FROM accounts WHERE id = NEW.payee_account AND kind = 'wallet') IS NOT NEW.payee OR (NEW.app_account IS NOT NULL AND (SELECT owner FROM accounts WHERE id = NEW.app_account AND kind = 'app') IS NOT NEW.app_id)
BEGIN SELECT RAISE(ABORT, 'guard:transfer_wallets'); END;
--> statement-breakpoint
-- Without an approval an app pays by a grant that the payer has given it.
CREATE TRIGGER transfer_granted BEFORE UPDATE OF status ON transfers WHEN NEW.status = 'confirmed' AND NEW.app_id IS NOT NULL AND NEW.needs_approval = 0 AND NOT EXISTS (SELECT 1 FROM grants g WHERE g.id = NEW.grant_id AND g.app_id = NEW.app_id AND g.handle = NEW.payer)
BEGIN SELECT RAISE(ABORT, 'guard:transfer_granted'); END;
