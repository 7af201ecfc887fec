-- The hosts to which answers of an app may go without asking the person again. Anybody can register an address of somebody else.
ALTER TABLE grants ADD COLUMN hosts TEXT NOT NULL DEFAULT '[]' CONSTRAINT grant_hosts CHECK (json_type(hosts) = 'array');
--> statement-breakpoint
ALTER TABLE app_sessions ADD COLUMN host TEXT;
--> statement-breakpoint
CREATE TRIGGER app_session_host BEFORE INSERT ON app_sessions WHEN NEW.code_hash IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM grants g JOIN apps a ON a.id = g.app_id WHERE g.id = NEW.grant_id
    AND (a.checked_at IS NOT NULL OR NEW.host IN (SELECT value FROM json_each(g.hosts))))
BEGIN SELECT RAISE(ABORT, 'guard:app_session_host'); END;
--> statement-breakpoint
DROP TRIGGER app_session_fixed;
--> statement-breakpoint
CREATE TRIGGER app_session_fixed BEFORE UPDATE OF id, grant_id, app_id, handle, session_id, authenticated_at, created_at, code_hash, redirect_uri, code_challenge, host ON app_sessions
BEGIN SELECT RAISE(ABORT, 'guard:app_session_fixed'); END;
