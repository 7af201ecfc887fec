ALTER TABLE `app_resources` ADD `read_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `app_resources` ADD `next_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `app_resources` ADD `failing_since` integer;--> statement-breakpoint
CREATE INDEX `app_resources_origin` ON `app_resources` (`origin`);--> statement-breakpoint
CREATE INDEX `app_resources_due` ON `app_resources` (`next_at`) WHERE proven_by = 'file';
--> statement-breakpoint
-- What a file says is never replaced by an earlier read of it.
CREATE TRIGGER app_resource_read_order BEFORE UPDATE OF read_at ON app_resources WHEN NEW.read_at < OLD.read_at
BEGIN SELECT RAISE(ABORT, 'guard:app_resource_read_order'); END;
