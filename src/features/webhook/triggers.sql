-- The endpoint of an app can be set only while the app is active.
CREATE TRIGGER webhook_needs_app BEFORE INSERT ON webhooks
WHEN (SELECT status FROM apps WHERE id = NEW.app_id) <> 'active'
BEGIN
  SELECT RAISE(ABORT, 'guard:webhook_needs_app');
END;

-- The endpoint of a suspended app keeps its address and its events.
CREATE TRIGGER webhook_of_suspended BEFORE UPDATE OF url, events ON webhooks
WHEN (SELECT status FROM apps WHERE id = NEW.app_id) = 'suspended'
BEGIN
  SELECT RAISE(ABORT, 'guard:webhook_of_suspended');
END;

-- A suspended app keeps its endpoint until the app is deleted.
CREATE TRIGGER webhook_of_suspended_kept BEFORE DELETE ON webhooks
WHEN (SELECT status FROM apps WHERE id = OLD.app_id) = 'suspended'
BEGIN
  SELECT RAISE(ABORT, 'guard:webhook_of_suspended');
END;

-- The endpoint of a deleted app is deleted.
CREATE TRIGGER webhook_ends_with_app AFTER UPDATE OF status ON apps
WHEN NEW.status = 'deleted'
BEGIN
  DELETE FROM webhooks WHERE app_id = NEW.id;
END;

-- The events of a deleted endpoint no longer wait for delivery, 100 of them at once; the purge drops the others. Logout
-- tokens need no endpoint.
CREATE TRIGGER webhook_deleted AFTER DELETE ON webhooks
BEGIN
  UPDATE webhook_events
  SET next_at = NULL
  WHERE seq IN (
    SELECT seq
    FROM webhook_events
    WHERE app_id = OLD.app_id AND next_at IS NOT NULL AND type <> 'logout'
    LIMIT 100
  );
END;

-- Logout tokens no longer wait if their app has no URI for them, 100 of them at once; the purge drops the others.
CREATE TRIGGER logout_address_gone AFTER UPDATE OF status, backchannel_logout_uri ON apps
WHEN NEW.status = 'deleted' OR NEW.backchannel_logout_uri IS NULL
BEGIN
  UPDATE webhook_events
  SET next_at = NULL
  WHERE seq IN (
    SELECT seq
    FROM webhook_events
    WHERE app_id = NEW.id AND next_at IS NOT NULL AND type = 'logout'
    LIMIT 100
  );
END;

-- An event keeps its content, so every attempt sends the same bytes.
CREATE TRIGGER event_fixed BEFORE UPDATE OF id, app_id, type, data, at ON webhook_events
BEGIN
  SELECT RAISE(ABORT, 'guard:event_fixed');
END;

-- An event is due if its app's endpoint is active and subscribes to its type. Logout tokens are always due.
CREATE TRIGGER event_due AFTER INSERT ON webhook_events
WHEN NEW.type = 'logout'
  OR EXISTS (
    SELECT 1
    FROM webhooks w
    WHERE w.app_id = NEW.app_id
      AND w.status = 'active'
      AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value IN ('*', NEW.type))
  )
BEGIN
  UPDATE webhook_events
  SET next_at = NEW.at
  WHERE seq = NEW.seq;
END;

-- The app is notified of a new secret, but not of its first one.
CREATE TRIGGER app_secret_rotated AFTER INSERT ON app_secrets
WHEN EXISTS (SELECT 1 FROM app_secrets WHERE app_id = NEW.app_id AND id <> NEW.id)
BEGIN
  INSERT INTO webhook_events (id, app_id, type, data, at)
  VALUES (
    'evt' || substr(NEW.id, 4), NEW.app_id, 'app.secret_rotated',
    json_object('appId', NEW.app_id, 'secretId', NEW.id, 'hint', NEW.hint), NEW.created_at
  );
END;

-- Every grant is added to the person's activity list, and the app is notified. An unchecked app learns the person's
-- identity only from the code.
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
