CREATE TABLE `sign_outs` (
	`session_id` text PRIMARY KEY NOT NULL,
	`handle` text NOT NULL,
	`at` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
DROP TRIGGER session_signed_out;
--> statement-breakpoint
DROP VIEW live_app_sessions;
--> statement-breakpoint
-- Live sign-ins to apps: not revoked, under a live grant, and started after the last restore. A sign-in without
-- offline_access also ends with the session it came from, even before its own row says so (`sign_outs`).
CREATE VIEW live_app_sessions AS
SELECT s.*, g.live_until
FROM app_sessions s
JOIN live_grants g ON g.id = s.grant_id
JOIN settings x ON x.id = 1
WHERE s.revoked_at IS NULL
  AND s.created_at >= x.sessions_not_before
  AND (
    NOT EXISTS (SELECT 1 FROM sign_outs o WHERE o.session_id = s.session_id)
    OR 'offline_access' IN (SELECT value FROM json_each(s.scopes))
  );
--> statement-breakpoint
-- A revoked session signs the person out of the apps that they signed in to from it. One statement can revoke 200
-- sessions with 200 sign-ins each, so it only adds each session to `sign_outs`, which ends the sign-ins without
-- offline_access immediately; the rows of the sign-ins are written a few sessions at a time.
CREATE TRIGGER session_signed_out AFTER UPDATE OF revoked_at ON sessions
WHEN NEW.revoked_at IS NOT NULL AND EXISTS (SELECT 1 FROM app_sessions WHERE session_id = NEW.id)
BEGIN
  INSERT INTO sign_outs (session_id, handle, at)
  VALUES (NEW.id, NEW.handle, NEW.revoked_at);
END;
--> statement-breakpoint
-- A sign-out is removed in the statement that writes what it means: every app that the person signed in to from the
-- session receives a logout token, also if a replay has revoked the sign-in since, and the sign-ins without
-- offline_access are revoked.
-- Writes: webhook_events (webhook).
CREATE TRIGGER sign_out_done AFTER DELETE ON sign_outs
BEGIN
  INSERT INTO webhook_events (id, app_id, type, data, at)
  SELECT
    'evt' || substr(s.id, 4) || '_logout', a.id, 'logout', json_object('sub', s.handle || '@pid', 'sid', s.id),
    OLD.at
  FROM app_sessions s
  JOIN apps a ON a.id = s.app_id AND a.status <> 'deleted' AND a.backchannel_logout_uri IS NOT NULL
  WHERE s.session_id = OLD.session_id AND coalesce(s.revoked_at, OLD.at) >= OLD.at AND s.used_by IS NOT NULL;
  UPDATE app_sessions
  SET revoked_at = OLD.at, revoked_reason = 'signed_out'
  WHERE session_id = OLD.session_id
    AND revoked_at IS NULL
    AND 'offline_access' NOT IN (SELECT value FROM json_each(app_sessions.scopes));
END;
