-- The reasons why an identity cannot be closed: money in the wallet or in an app, held money, or a debt.
CREATE VIEW closure_blockers AS
SELECT
  owner AS handle, 'wallet' AS source,
  iif(debt > 0, 'Wallet has a debt', 'Wallet balance is not zero') AS reason
FROM accounts
WHERE kind = 'wallet' AND (debt > 0 OR credits_posted <> debits_posted OR debits_pending > 0)
UNION ALL
SELECT a.owner, a.id, 'App balance is not zero'
FROM apps a
JOIN accounts r ON r.owner = a.id AND r.kind = 'app'
WHERE r.credits_posted <> r.debits_posted OR r.debt > 0;

-- An identity with money or a debt cannot be closed.
CREATE TRIGGER identity_closure_blocked BEFORE UPDATE OF status ON identities
WHEN NEW.status = 'closed' AND EXISTS (SELECT 1 FROM closure_blockers WHERE handle = NEW.handle)
BEGIN
  SELECT RAISE(ABORT, 'guard:closure_blocked');
END;

-- Closing an identity closes its wallet, so its open inquiries can no longer be confirmed.
-- Writes: accounts (ledger).
CREATE TRIGGER identity_closes_wallet AFTER UPDATE OF status ON identities
WHEN NEW.status = 'closed'
BEGIN
  UPDATE accounts
  SET status = 'closed'
  WHERE owner = NEW.handle AND kind = 'wallet';
END;
