DROP TRIGGER app_session_key_fixed;
--> statement-breakpoint
-- A sign-in to an app keeps the key to which its code or refresh token is bound (RFC 9449 section 5). It gets none once
-- its code has been used, because a thief of the refresh token would bind it to his own key.
CREATE TRIGGER app_session_key_fixed BEFORE UPDATE OF dpop_jkt ON app_sessions
WHEN NEW.dpop_jkt IS NOT OLD.dpop_jkt AND (OLD.dpop_jkt IS NOT NULL OR OLD.used_by IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'guard:app_session_key_fixed');
END;
