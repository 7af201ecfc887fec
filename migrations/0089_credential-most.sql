-- An identity has at most 50 credentials, because pages list all of them, and closing it deletes them in one statement.
CREATE TRIGGER credential_most BEFORE INSERT ON credentials
WHEN (SELECT count(*) FROM credentials WHERE handle = NEW.handle) >= 50
BEGIN
  SELECT RAISE(ABORT, 'guard:credential_most');
END;
