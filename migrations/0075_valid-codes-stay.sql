DROP TRIGGER app_session_most;
--> statement-breakpoint
-- A session has at most 200 sign-ins to apps, because revoking the session writes a row for each of them. The app with
-- the most loses one first, so that no app displaces another's: an unredeemed code, because any page can make its
-- visitor request one, then the least recently used sign-in. A valid code of another app stays, because its person is
-- about to arrive there.
CREATE TRIGGER app_session_most AFTER INSERT ON app_sessions
WHEN (SELECT count(*) FROM app_sessions WHERE session_id = NEW.session_id) > 200
BEGIN
  DELETE FROM app_sessions
  WHERE id IN (
    SELECT s.id
    FROM (
      SELECT *, (app_id <> NEW.app_id AND used_by IS NULL AND code_until > NEW.created_at) IS TRUE AS stays
      FROM app_sessions
      WHERE session_id = NEW.session_id AND id <> NEW.id
    ) s
    ORDER BY
      s.stays DESC,
      row_number() OVER (
        PARTITION BY s.app_id, s.stays
        ORDER BY s.used_by IS NULL, coalesce(s.last_used_at, s.created_at) DESC
      ),
      s.used_by IS NULL,
      coalesce(s.last_used_at, s.created_at) DESC
    LIMIT -1 OFFSET 199
  );
END;
