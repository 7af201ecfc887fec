DROP TRIGGER grant_ended;
--> statement-breakpoint
DROP TRIGGER grant_created;
--> statement-breakpoint
-- The list of activity has the end of every grant; the app hears of it and signs the person out. An app that the desk
-- has not checked learns who it was only if the person has signed in to it: anybody can register the host of somebody
-- else, where no code reaches them.
-- Writes: activity (activity), webhook_events (webhook).
CREATE TRIGGER grant_ended AFTER UPDATE OF revoked_at ON grants
WHEN NEW.revoked_at IS NOT NULL
BEGIN
  INSERT INTO activity (handle, at, type, detail)
  SELECT NEW.handle, NEW.revoked_at, 'grant.revoked', a.name
  FROM apps a
  WHERE a.id = NEW.app_id;
  INSERT INTO webhook_events (id, app_id, type, data, at)
  SELECT
    'evt' || substr(NEW.id, 4) || '_revoked', a.id, 'grant.revoked',
    json_object(
      'id', NEW.id, 'pid', iif(
        a.checked_at IS NOT NULL
          OR EXISTS (SELECT 1 FROM app_sessions s WHERE s.grant_id = NEW.id AND s.used_by IS NOT NULL),
        NEW.handle || '@pid', NULL
      )
    ),
    NEW.revoked_at
  FROM apps a
  WHERE a.id = NEW.app_id;
  INSERT INTO webhook_events (id, app_id, type, data, at)
  SELECT
    'evt' || substr(NEW.id, 4) || '_logout', a.id, 'logout', json_object('sub', NEW.handle || '@pid'),
    NEW.revoked_at
  FROM apps a
  WHERE a.id = NEW.app_id
    AND a.status <> 'deleted'
    AND a.backchannel_logout_uri IS NOT NULL
    AND (
      a.checked_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM app_sessions s WHERE s.grant_id = NEW.id AND s.used_by IS NOT NULL)
    );
END;
--> statement-breakpoint
-- The person's list of activity has every grant, and the app hears of it. An app that the desk has not checked learns
-- who it was from the code alone.
-- Writes: activity (activity).
CREATE TRIGGER grant_created AFTER INSERT ON grants
BEGIN
  INSERT INTO activity (handle, at, type, detail)
  SELECT NEW.handle, NEW.created_at, 'grant.created', a.name
  FROM apps a
  WHERE a.id = NEW.app_id;
  INSERT INTO webhook_events (id, app_id, type, data, at)
  SELECT
    'evt' || substr(NEW.id, 4) || '_created', a.id, 'grant.created',
    json_object(
      'id', NEW.id, 'pid', iif(a.checked_at IS NULL, NULL, NEW.handle || '@pid'), 'scopes', json(NEW.scopes)
    ),
    NEW.created_at
  FROM apps a
  WHERE a.id = NEW.app_id;
END;
