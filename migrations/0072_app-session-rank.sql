DROP TRIGGER app_session_most;
--> statement-breakpoint
-- A session has at most 200 sign-ins to apps, because revoking the session writes a row for each of them. The app with
-- the most loses one first, so that no app displaces another's: an unredeemed code, because any page can make its
-- visitor request one, then the least recently used sign-in.
CREATE TRIGGER app_session_most AFTER INSERT ON app_sessions
WHEN (SELECT count(*) FROM app_sessions WHERE session_id = NEW.session_id) > 200
BEGIN
  DELETE FROM app_sessions
  WHERE id IN (
    SELECT s.id
    FROM app_sessions s
    WHERE s.session_id = NEW.session_id AND s.id <> NEW.id
    ORDER BY
      row_number() OVER (
        PARTITION BY s.app_id
        ORDER BY s.used_by IS NULL, coalesce(s.last_used_at, s.created_at) DESC
      ),
      s.used_by IS NULL,
      coalesce(s.last_used_at, s.created_at) DESC
    LIMIT -1 OFFSET 199
  );
END;
