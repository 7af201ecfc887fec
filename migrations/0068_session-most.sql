-- A person has at most 200 live sessions, because one statement can revoke them all and writes several rows for each.
-- A newer session replaces the least recently used one.
CREATE TRIGGER session_most AFTER INSERT ON sessions
WHEN (SELECT count(*) FROM sessions WHERE handle = NEW.handle AND revoked_at IS NULL) > 200
BEGIN
  UPDATE sessions
  SET revoked_at = NEW.created_at, revoked_reason = 'replaced'
  WHERE id IN (
    SELECT id
    FROM sessions
    WHERE handle = NEW.handle AND revoked_at IS NULL AND id <> NEW.id
    ORDER BY last_seen_at DESC, id DESC
    LIMIT -1 OFFSET 199
  );
END;
