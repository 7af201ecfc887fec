DROP TRIGGER identity_closes_wallet;
--> statement-breakpoint
-- Closing an identity closes its wallet, so its open inquiries can no longer be confirmed.
-- Writes: accounts (ledger).
CREATE TRIGGER identity_closes_wallet AFTER UPDATE OF status ON identities
WHEN NEW.status = 'closed'
BEGIN
  UPDATE accounts
  SET status = 'closed'
  WHERE owner = NEW.handle AND kind = 'wallet';
END;
