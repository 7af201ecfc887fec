-- A code is used only once. A new code in the same row has a different MAC.
CREATE TRIGGER code_used_once BEFORE UPDATE OF used_by ON email_codes
WHEN OLD.used_by IS NOT NULL AND OLD.mac = NEW.mac
BEGIN
  SELECT RAISE(ABORT, 'guard:code_used_once');
END;
