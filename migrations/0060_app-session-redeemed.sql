DROP TRIGGER app_session_most;
--> statement-breakpoint
-- Of a session's sign-ins to one app, the fifty used last stay: its end writes a row for each of them. Codes that the
-- app has not redeemed go first, because any page can send its visitor for one.
CREATE TRIGGER app_session_most AFTER INSERT ON app_sessions
BEGIN
  DELETE FROM app_sessions
  WHERE id IN (
    SELECT s.id
    FROM app_sessions s
    WHERE s.session_id = NEW.session_id AND s.app_id = NEW.app_id AND s.id <> NEW.id
    ORDER BY s.used_by IS NULL, coalesce(s.last_used_at, s.created_at) DESC
    LIMIT -1 OFFSET 49
  );
END;
