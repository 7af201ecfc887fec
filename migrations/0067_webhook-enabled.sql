DROP TRIGGER webhook_enabled;
--> statement-breakpoint
-- A re-enabled endpoint gets the events it missed. An untried event that already waits stays as it is, so repeated
-- switching writes each event only once.
CREATE TRIGGER webhook_enabled AFTER UPDATE OF status ON webhooks
WHEN OLD.status = 'disabled' AND NEW.status = 'active'
BEGIN
  UPDATE webhook_events
  SET next_at = NEW.updated_at, tries = 0
  WHERE app_id = NEW.app_id
    AND type <> 'logout'
    AND delivered_at IS NULL
    AND (next_at IS NULL OR tries > 0)
    AND (tries > 0 OR at >= coalesce(OLD.failing_since, OLD.disabled_at, OLD.updated_at))
    AND EXISTS (SELECT 1 FROM json_each(NEW.events) WHERE value IN ('*', webhook_events.type));
END;
