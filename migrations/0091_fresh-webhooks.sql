ALTER TABLE `webhooks` ADD `fresh_from` integer;--> statement-breakpoint
CREATE INDEX `webhooks_fresh` ON `webhooks` (`app_id`) WHERE fresh_from IS NOT NULL;