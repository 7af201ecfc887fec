DROP TRIGGER session_signed_out;
--> statement-breakpoint
-- When a session is revoked, every app that the person signed in to from the session receives a logout token, and the
-- sign-ins without offline_access end with it.
-- Writes: webhook_events (webhook).
CREATE TRIGGER session_signed_out AFTER UPDATE OF revoked_at ON sessions
WHEN NEW.revoked_at IS NOT NULL
BEGIN
  INSERT INTO webhook_events (id, app_id, type, data, at)
  SELECT
    'evt' || substr(s.id, 4) || '_logout', a.id, 'logout', json_object('sub', s.handle || '@pid', 'sid', s.id),
    NEW.revoked_at
  FROM app_sessions s
  JOIN apps a ON a.id = s.app_id AND a.status <> 'deleted' AND a.backchannel_logout_uri IS NOT NULL
  WHERE s.session_id = NEW.id AND s.revoked_at IS NULL AND s.used_by IS NOT NULL;
  UPDATE app_sessions
  SET revoked_at = NEW.revoked_at, revoked_reason = 'signed_out'
  WHERE session_id = NEW.id
    AND revoked_at IS NULL
    AND 'offline_access' NOT IN (SELECT value FROM json_each(app_sessions.scopes));
END;
