DROP INDEX `identities_devices`;--> statement-breakpoint
ALTER TABLE `identities` ADD `devices_turn` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `identities_devices` ON `identities` (`devices_turn`) WHERE devices_below IS NOT NULL;