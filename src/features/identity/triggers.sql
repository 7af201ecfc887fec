-- A PID is permanent: its handle, look-alike key, ticket and date are never changed.
CREATE TRIGGER identity_permanent BEFORE UPDATE OF handle, skeleton, ticket, created_at ON identities
BEGIN
  SELECT RAISE(ABORT, 'guard:identity_permanent');
END;

-- A PID is never deleted, so its handle is never issued again.
CREATE TRIGGER identity_never_deleted BEFORE DELETE ON identities
BEGIN
  SELECT RAISE(ABORT, 'guard:identity_permanent');
END;

-- A closed identity is never reopened.
CREATE TRIGGER identity_closed_final BEFORE UPDATE OF status, closed_at ON identities
WHEN OLD.status = 'closed'
BEGIN
  SELECT RAISE(ABORT, 'guard:identity_closed_final');
END;

-- Every PID is added to the journal, which survives a restore, so that none is issued twice.
CREATE TRIGGER identity_issued AFTER INSERT ON identities
BEGIN
  INSERT INTO pid_journal (handle, skeleton, event, at)
  VALUES (NEW.handle, NEW.skeleton, 'issued', NEW.created_at);
END;

-- Every closed identity is added to the journal, so that a restore does not reopen it.
CREATE TRIGGER identity_closed AFTER UPDATE OF status ON identities
WHEN NEW.status = 'closed'
BEGIN
  INSERT INTO pid_journal (handle, skeleton, event, at)
  VALUES (NEW.handle, NEW.skeleton, 'closed', NEW.closed_at);
END;

-- An administrator sets a level, with an audit log line. Administrators cannot verify themselves.
CREATE TRIGGER identity_level_decided BEFORE UPDATE OF level ON identities
WHEN NEW.level <> OLD.level
  AND NOT coalesce(
    (
      SELECT json_extract(l.detail, '$.level') = NEW.level AND (NEW.level = 'unverified' OR l.actor <> NEW.handle)
      FROM audit_log l
      WHERE l.target = NEW.handle
        AND l.action = 'identity.level'
      ORDER BY l.seq DESC
      LIMIT 1
    ),
    0
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:level_decided');
END;

-- A new identity is unverified.
CREATE TRIGGER identity_level_first BEFORE INSERT ON identities
WHEN NEW.level <> 'unverified'
BEGIN
  SELECT RAISE(ABORT, 'guard:level_decided');
END;
