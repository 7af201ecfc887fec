-- Audit log entries are never changed.
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'guard:audit_immutable');
END;

-- Audit log entries are never deleted.
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'guard:audit_immutable');
END;
