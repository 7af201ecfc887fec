-- What ended long ago is deleted, found by when it ended.
CREATE INDEX app_sessions_ended ON app_sessions (revoked_at) WHERE revoked_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX grants_ended ON grants (revoked_at) WHERE revoked_at IS NOT NULL;
--> statement-breakpoint
-- A change of a disabled webhook moves updated_at, so what happened before it would not be due when it is enabled.
ALTER TABLE webhooks ADD disabled_at INTEGER;
--> statement-breakpoint
UPDATE webhooks SET disabled_at = updated_at WHERE status = 'disabled';
--> statement-breakpoint
DROP TRIGGER webhook_enabled;
--> statement-breakpoint
-- What failed, or happened since the endpoint failed or was disabled, is due again when it is enabled.
CREATE TRIGGER webhook_enabled AFTER UPDATE OF status ON webhooks WHEN OLD.status = 'disabled' AND NEW.status = 'active'
BEGIN UPDATE webhook_events SET next_at = NEW.updated_at, tries = 0 WHERE app_id = NEW.app_id AND type <> 'logout' AND delivered_at IS NULL AND (tries > 0 OR at >= coalesce(OLD.failing_since, OLD.disabled_at, OLD.updated_at)) AND EXISTS (SELECT 1 FROM json_each(NEW.events) WHERE value IN ('*', webhook_events.type)); END;
