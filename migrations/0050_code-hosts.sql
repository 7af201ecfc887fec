DROP TRIGGER app_session_host;
--> statement-breakpoint
-- A code of an app that the desk has not checked is for what the person allowed at its host.
CREATE TRIGGER app_session_host BEFORE INSERT ON app_sessions
WHEN NEW.code_hash IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM apps WHERE id = NEW.app_id AND checked_at IS NOT NULL)
  AND EXISTS (
    SELECT 1
    FROM json_each(NEW.scopes) s
    WHERE coalesce(NEW.host || ' ' || s.value, '') NOT IN (
      SELECT h.value
      FROM grants g, json_each(g.hosts) h
      WHERE g.id = NEW.grant_id
    )
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:app_session_host');
END;
