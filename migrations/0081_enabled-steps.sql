ALTER TABLE `webhooks` ADD `missed_from` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `missed_after` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `webhooks_missed` ON `webhooks` (`app_id`) WHERE missed_from IS NOT NULL;
--> statement-breakpoint
DROP TRIGGER webhook_deleted;
--> statement-breakpoint
DROP TRIGGER logout_address_gone;
--> statement-breakpoint
DROP TRIGGER webhook_enabled;
--> statement-breakpoint
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
--> statement-breakpoint
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
