ALTER TABLE `popup_requests` ADD `user_code_mac` text;--> statement-breakpoint
ALTER TABLE `popup_requests` ADD `typed` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `popup_requests` ADD `polled_at` integer;--> statement-breakpoint
ALTER TABLE `popup_requests` ADD `poll_seconds` integer DEFAULT 5 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `popup_requests_user_code` ON `popup_requests` (`user_code_mac`) WHERE user_code_mac IS NOT NULL;
--> statement-breakpoint
DROP TRIGGER popup_handed_over;
--> statement-breakpoint
-- A sign-in is redeemed only after its popup sent the result to the requesting origin. A device has no popup.
CREATE TRIGGER popup_handed_over BEFORE UPDATE OF status ON popup_requests
WHEN OLD.status = 'approved' AND NEW.status = 'redeemed' AND NEW.kind = 'login' AND NEW.result_hash IS NULL
  AND NEW.user_code_mac IS NULL
BEGIN
  SELECT RAISE(ABORT, 'guard:popup_handed_over');
END;
--> statement-breakpoint
-- The request of a device has an id that is none of a popup, so that no link to a popup page approves it.
CREATE TRIGGER popup_device_id BEFORE INSERT ON popup_requests
WHEN (NEW.user_code_mac IS NOT NULL) <> (NEW.id GLOB '.*') OR (NEW.user_code_mac IS NOT NULL AND NEW.kind <> 'login')
BEGIN
  SELECT RAISE(ABORT, 'guard:popup_device_id');
END;
--> statement-breakpoint
-- A device gets a person's sign-in only through a code that somebody typed.
CREATE TRIGGER popup_device_typed BEFORE UPDATE OF status ON popup_requests
WHEN NEW.status = 'approved' AND NEW.user_code_mac IS NOT NULL AND NEW.typed = 0
BEGIN
  SELECT RAISE(ABORT, 'guard:popup_device_typed');
END;
