CREATE INDEX `audit_actor` ON `audit_log` (`actor`);--> statement-breakpoint
CREATE INDEX `audit_action` ON `audit_log` (`action`);--> statement-breakpoint
CREATE INDEX `profiles_name` ON `profiles` ("display_name" COLLATE NOCASE);