-- A challenge is answered only once.
CREATE TRIGGER challenge_used_once BEFORE UPDATE ON passkey_challenges
WHEN OLD.used_by IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'guard:challenge_used_once');
END;
