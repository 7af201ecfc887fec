-- An entry of the audit log is never changed.
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'guard:audit_immutable');
END;

-- An entry of the audit log is never deleted.
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'guard:audit_immutable');
END;
