DROP INDEX `webhook_events_app`;--> statement-breakpoint
CREATE INDEX `webhook_events_app` ON `webhook_events` (`app_id`,`seq`) WHERE type <> 'logout';--> statement-breakpoint
CREATE INDEX `app_sessions_host` ON `app_sessions` (`grant_id`,`host`) WHERE used_by IS NOT NULL;