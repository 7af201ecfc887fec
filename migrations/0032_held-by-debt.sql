-- Nothing that is held leaves a wallet that has a debt.
CREATE TRIGGER withdrawal_debt BEFORE UPDATE OF status ON withdrawals WHEN OLD.status = 'held' AND NEW.status = 'submitted' AND EXISTS (SELECT 1 FROM accounts WHERE id = NEW.account AND debt > 0)
BEGIN SELECT RAISE(ABORT, 'guard:withdrawal_debt'); END;
