-- A credential keeps its identity and the account it proves.
CREATE TRIGGER credential_owner BEFORE UPDATE OF id, handle, provider, provider_user_id ON credentials
BEGIN
  SELECT RAISE(ABORT, 'guard:credential_owner');
END;

-- An identity has at most 50 credentials, because pages list all of them, and closing it deletes them in one statement.
CREATE TRIGGER credential_most BEFORE INSERT ON credentials
WHEN (SELECT count(*) FROM credentials WHERE handle = NEW.handle) >= 50
BEGIN
  SELECT RAISE(ABORT, 'guard:credential_most');
END;

-- An identity keeps at least one credential until it is closed.
CREATE TRIGGER credential_last BEFORE DELETE ON credentials
WHEN NOT EXISTS (SELECT 1 FROM credentials WHERE handle = OLD.handle AND id <> OLD.id)
  AND EXISTS (SELECT 1 FROM identities WHERE handle = OLD.handle AND status <> 'closed')
BEGIN
  SELECT RAISE(ABORT, 'guard:last_credential');
END;

-- Every new credential is added to the activity list, however it was linked.
-- Writes: activity (activity).
CREATE TRIGGER credential_linked AFTER INSERT ON credentials
BEGIN
  INSERT INTO activity (handle, at, type, credential_id, detail)
  VALUES (NEW.handle, NEW.linked_at, 'credential.linked', NEW.id, NEW.provider);
END;

-- An address belongs to an identity as long as one of its credentials has it.
-- Writes: emails (identity).
CREATE TRIGGER credential_email_freed AFTER DELETE ON credentials
WHEN OLD.email IS NOT NULL
BEGIN
  DELETE FROM emails
  WHERE email = OLD.email AND NOT EXISTS (SELECT 1 FROM credentials WHERE email = OLD.email);
END;

-- This also applies to a credential with a changed address.
-- Writes: emails (identity).
CREATE TRIGGER credential_email_changed AFTER UPDATE OF email ON credentials
WHEN OLD.email IS NOT NULL AND OLD.email IS NOT NEW.email
BEGIN
  DELETE FROM emails
  WHERE email = OLD.email AND NOT EXISTS (SELECT 1 FROM credentials WHERE email = OLD.email);
END;

-- A session starts with a credential of an active person.
CREATE TRIGGER session_needs_active BEFORE INSERT ON sessions
WHEN NOT EXISTS (
  SELECT 1
  FROM identities i
  JOIN credentials c ON c.id = NEW.credential_id AND c.handle = i.handle
  WHERE i.handle = NEW.handle AND i.status = 'active'
)
BEGIN
  SELECT RAISE(ABORT, 'guard:session_needs_active');
END;
