ALTER TABLE `identities` ADD `devices_below` integer;--> statement-breakpoint
CREATE INDEX `identities_devices` ON `identities` (`handle`) WHERE devices_below IS NOT NULL;