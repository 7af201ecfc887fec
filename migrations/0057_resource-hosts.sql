DROP TRIGGER app_session_target;
--> statement-breakpoint
DROP TRIGGER app_session_target_ended;
--> statement-breakpoint
DROP VIEW granted_targets;
--> statement-breakpoint
-- The resources that a token may name under each grant: the app's own, and those the person agreed to. For an
-- unchecked app these count only at the hosts with an entry for them.
CREATE VIEW granted_targets AS
SELECT g.id AS grant_id, t.resource, t.is_own OR a.checked_at IS NOT NULL AS is_anywhere, g.hosts
FROM grants g
JOIN apps a ON a.id = g.app_id
JOIN app_targets t ON t.app_id = g.app_id
WHERE t.is_own OR t.resource IN (SELECT value FROM json_each(g.resources));
--> statement-breakpoint
-- A sign-in names a resource only if its grant covers it, at its host.
CREATE TRIGGER app_session_target BEFORE INSERT ON app_sessions
WHEN NEW.resource IS NOT NULL
  AND NOT EXISTS (
    SELECT 1
    FROM granted_targets t
    WHERE t.grant_id = NEW.grant_id
      AND t.resource = NEW.resource
      AND (t.is_anywhere OR NEW.host || ' ' || t.resource IN (SELECT value FROM json_each(t.hosts)))
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:app_session_target');
END;
--> statement-breakpoint
-- A refresh token is not renewed once its grant no longer covers the resource.
CREATE TRIGGER app_session_target_ended BEFORE UPDATE OF token_hash ON app_sessions
WHEN NEW.resource IS NOT NULL
  AND NOT EXISTS (
    SELECT 1
    FROM granted_targets t
    WHERE t.grant_id = NEW.grant_id
      AND t.resource = NEW.resource
      AND (t.is_anywhere OR NEW.host || ' ' || t.resource IN (SELECT value FROM json_each(t.hosts)))
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:app_session_target_ended');
END;
--> statement-breakpoint
-- What was allowed before counts at the hosts where something was allowed.
UPDATE grants
SET hosts = (
  SELECT json_group_array(value)
  FROM (
    SELECT value FROM json_each(grants.hosts)
    UNION
    SELECT substr(h.value, 1, instr(h.value, ' ')) || r.value
    FROM json_each(grants.hosts) h, json_each(grants.resources) r
  )
)
WHERE revoked_at IS NULL AND resources <> '[]';
