-- The endpoint of an app, and the outbox. The trigger of what an event reports writes it.
CREATE TABLE webhooks (
  app_id TEXT PRIMARY KEY NOT NULL,
  url TEXT NOT NULL,
  events TEXT DEFAULT '["*"]' NOT NULL,
  secret_enc TEXT NOT NULL,
  previous_enc TEXT,
  previous_until INTEGER,
  status TEXT DEFAULT 'active' NOT NULL,
  failures INTEGER DEFAULT 0 NOT NULL,
  failing_since INTEGER,
  paused_until INTEGER DEFAULT 0 NOT NULL,
  updated_at INTEGER NOT NULL,
  FOREIGN KEY (app_id) REFERENCES apps(id),
  CONSTRAINT webhook_status CHECK (status IN ('active','disabled')),
  CONSTRAINT webhook_previous CHECK ((previous_enc IS NULL) = (previous_until IS NULL)),
  CONSTRAINT webhook_failing CHECK ((failing_since IS NULL) = (failures = 0))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE webhook_events (
  seq INTEGER PRIMARY KEY NOT NULL,
  id TEXT NOT NULL UNIQUE,
  app_id TEXT NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  at INTEGER NOT NULL,
  next_at INTEGER,
  tries INTEGER DEFAULT 0 NOT NULL,
  delivered_at INTEGER,
  log TEXT DEFAULT '[]' NOT NULL,
  CONSTRAINT event_delivered_once CHECK (delivered_at IS NULL OR next_at IS NULL)
) STRICT;
--> statement-breakpoint
CREATE INDEX webhook_events_app ON webhook_events (app_id, seq);
--> statement-breakpoint
CREATE INDEX webhook_events_waiting ON webhook_events (app_id, next_at) WHERE next_at IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER event_due AFTER INSERT ON webhook_events
WHEN EXISTS (SELECT 1 FROM webhooks w WHERE w.app_id = NEW.app_id AND w.status = 'active' AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value IN ('*', NEW.type)))
BEGIN UPDATE webhook_events SET next_at = NEW.at WHERE seq = NEW.seq; END;
--> statement-breakpoint
CREATE TRIGGER event_fixed BEFORE UPDATE OF id, app_id, type, data, at ON webhook_events
BEGIN SELECT RAISE(ABORT, 'guard:event_fixed'); END;
--> statement-breakpoint
-- What failed, or happened since the endpoint failed or was disabled, is due again when it is enabled.
CREATE TRIGGER webhook_enabled AFTER UPDATE OF status ON webhooks WHEN OLD.status = 'disabled' AND NEW.status = 'active'
BEGIN UPDATE webhook_events SET next_at = NEW.updated_at, tries = 0 WHERE app_id = NEW.app_id AND delivered_at IS NULL AND (tries > 0 OR at >= coalesce(OLD.failing_since, OLD.updated_at)) AND EXISTS (SELECT 1 FROM json_each(NEW.events) WHERE value IN ('*', webhook_events.type)); END;
--> statement-breakpoint
CREATE TRIGGER webhook_deleted AFTER DELETE ON webhooks
BEGIN UPDATE webhook_events SET next_at = NULL WHERE app_id = OLD.app_id AND next_at IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER webhook_ends_with_app AFTER UPDATE OF status ON apps WHEN NEW.status = 'deleted'
BEGIN DELETE FROM webhooks WHERE app_id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER webhook_needs_app BEFORE INSERT ON webhooks WHEN (SELECT status FROM apps WHERE id = NEW.app_id) = 'deleted'
BEGIN SELECT RAISE(ABORT, 'guard:webhook_needs_app'); END;
--> statement-breakpoint
-- The first secret of an app is no rotation.
CREATE TRIGGER app_secret_rotated AFTER INSERT ON app_secrets WHEN EXISTS (SELECT 1 FROM app_secrets WHERE app_id = NEW.app_id AND id <> NEW.id)
BEGIN INSERT INTO webhook_events (id, app_id, type, data, at) VALUES ('evt' || substr(NEW.id, 4), NEW.app_id, 'app.secret_rotated', json_object('appId', NEW.app_id, 'secretId', NEW.id, 'hint', NEW.hint), NEW.created_at); END;
