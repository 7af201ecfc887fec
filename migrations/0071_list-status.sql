DROP INDEX `deposits_app`;--> statement-breakpoint
CREATE INDEX `deposits_status` ON `deposits` (`handle`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `deposits_app` ON `deposits` (`app_id`,`handle`,`id`) WHERE app_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `withdrawals_status` ON `withdrawals` (`handle`,`status`,`id`);