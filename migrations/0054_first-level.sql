-- A new identity is unverified.
CREATE TRIGGER identity_level_first BEFORE INSERT ON identities
WHEN NEW.level <> 'unverified'
BEGIN
  SELECT RAISE(ABORT, 'guard:level_decided');
END;
