DROP INDEX `used_once_expiry`;--> statement-breakpoint
UPDATE `used_once` SET `hash` = printf('%013d', `expires_at`) || `hash`;