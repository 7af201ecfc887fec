ALTER TABLE `app_sessions` ADD `dpop_jkt` text;
--> statement-breakpoint
-- A sign-in to an app keeps the key to which its code or refresh token is bound (RFC 9449 section 5).
CREATE TRIGGER app_session_key_fixed BEFORE UPDATE OF dpop_jkt ON app_sessions
WHEN OLD.dpop_jkt IS NOT NULL AND NEW.dpop_jkt IS NOT OLD.dpop_jkt
BEGIN
  SELECT RAISE(ABORT, 'guard:app_session_key_fixed');
END;
