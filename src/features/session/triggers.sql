-- The sessions that may act: not revoked, belonging to an active identity, and started after the last restore.
CREATE VIEW live_sessions AS
SELECT s.*
FROM sessions s
JOIN identities i ON i.handle = s.handle AND i.status = 'active'
JOIN settings g ON g.id = 1
WHERE s.revoked_at IS NULL AND s.created_at >= g.sessions_not_before;

-- A session keeps the person, the time of its sign-in and its latest end.
CREATE TRIGGER session_fixed BEFORE UPDATE OF id, handle, authenticated_at, created_at, expires_at ON sessions
BEGIN
  SELECT RAISE(ABORT, 'guard:session_fixed');
END;

-- A revoked session is never reactivated, and keeps the reason.
CREATE TRIGGER session_end_final BEFORE UPDATE OF revoked_at, revoked_reason ON sessions
WHEN OLD.revoked_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'guard:session_end_final');
END;

-- A refresh token is used only once: its successor refers to it as the previous one, and a revoked session gets none.
CREATE TRIGGER session_token_used_once BEFORE UPDATE OF
  token_hash, previous_hash, rotated_at, token_expires_at
ON sessions
WHEN OLD.revoked_at IS NOT NULL OR NEW.previous_hash IS NOT OLD.token_hash
BEGIN
  SELECT RAISE(ABORT, 'guard:session_token_used_once');
END;

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

-- Every session is added to the activity list, however it started.
-- Writes: activity (activity).
CREATE TRIGGER session_started AFTER INSERT ON sessions
BEGIN
  INSERT INTO activity (handle, at, type, session_id, credential_id, detail)
  VALUES (NEW.handle, NEW.created_at, 'session.started', NEW.id, NEW.credential_id, NEW.provider);
END;

-- The end of every session is added to the activity list, with the reason.
-- Writes: activity (activity).
CREATE TRIGGER session_ended AFTER UPDATE OF revoked_at ON sessions
WHEN NEW.revoked_at IS NOT NULL
BEGIN
  INSERT INTO activity (handle, at, type, session_id, credential_id, detail)
  VALUES (NEW.handle, NEW.revoked_at, 'session.ended', NEW.id, NEW.credential_id, NEW.revoked_reason);
END;
