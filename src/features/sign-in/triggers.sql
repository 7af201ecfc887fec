-- A claim ticket is used only once.
CREATE TRIGGER ticket_used_once BEFORE UPDATE ON claim_tickets
WHEN OLD.consumed_by IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'guard:ticket_used_once');
END;
