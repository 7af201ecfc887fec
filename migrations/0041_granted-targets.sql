-- The resources that an app may get tokens for under a grant: one at an origin of its own, or one that the grant names.
CREATE VIEW granted_targets AS
SELECT g.id AS grant_id, t.resource FROM grants g JOIN app_targets t ON t.app_id = g.app_id
WHERE t.is_own OR t.resource IN (SELECT value FROM json_each(g.resources));
--> statement-breakpoint
DROP TRIGGER app_session_target;
--> statement-breakpoint
DROP TRIGGER app_session_target_ended;
--> statement-breakpoint
CREATE TRIGGER app_session_target BEFORE INSERT ON app_sessions WHEN NEW.resource IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM granted_targets WHERE grant_id = NEW.grant_id AND resource = NEW.resource)
BEGIN SELECT RAISE(ABORT, 'guard:app_session_target'); END;
--> statement-breakpoint
-- A code is spent, or a refresh token rotated.
CREATE TRIGGER app_session_target_ended BEFORE UPDATE OF token_hash ON app_sessions WHEN NEW.resource IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM granted_targets WHERE grant_id = NEW.grant_id AND resource = NEW.resource)
BEGIN SELECT RAISE(ABORT, 'guard:app_session_target_ended'); END;
