-- The page of any app may ask what a payment costs, and must not learn from the answer that its visitor has no wallet, or is
-- the one who is paid. Such an inquiry is from the account of nobody, which is frozen: no leg is posted to or from it.
INSERT INTO accounts (id, kind, owner, asset, may_overdraw, status, created_at) VALUES (0,'suspense','nobody','IDR',0,'frozen',0);
--> statement-breakpoint
DROP TRIGGER transfer_wallets;
--> statement-breakpoint
CREATE TRIGGER transfer_wallets BEFORE INSERT ON transfers WHEN ((SELECT owner FROM accounts WHERE id = NEW.payer_account AND kind = 'wallet') IS NOT NEW.payer AND NOT (NEW.payer_account = 0 AND NEW.needs_approval = 1)) OR (SELECT owner FROM accounts WHERE id = NEW.payee_account AND kind = 'wallet') IS NOT NEW.payee OR (NEW.app_account IS NOT NULL AND (SELECT owner FROM accounts WHERE id = NEW.app_account AND kind = 'app') IS NOT NEW.app_id)
BEGIN SELECT RAISE(ABORT, 'guard:transfer_wallets'); END;
