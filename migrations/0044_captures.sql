-- What a suspended person has held is not captured.
CREATE TRIGGER transfer_capture_allowed BEFORE UPDATE OF amount ON transfers
WHEN NOT EXISTS (SELECT 1 FROM identities WHERE handle = NEW.payer AND status = 'active')
BEGIN SELECT RAISE(ABORT, 'guard:transfer_capture_allowed'); END;
