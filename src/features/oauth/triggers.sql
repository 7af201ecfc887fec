-- Live sign-ins to apps: not revoked, under a live grant, and started after the last restore. A sign-in without
-- offline_access also ends with the session it came from, even before its own row says so (`sign_outs`).
CREATE VIEW live_app_sessions AS
SELECT s.*, g.live_until
FROM app_sessions s
JOIN live_grants g ON g.id = s.grant_id
JOIN settings x ON x.id = 1
WHERE s.revoked_at IS NULL
  AND s.created_at >= x.sessions_not_before
  AND (
    NOT EXISTS (SELECT 1 FROM sign_outs o WHERE o.session_id = s.session_id)
    OR 'offline_access' IN (SELECT value FROM json_each(s.scopes))
  );

-- A sign-in to an app starts under a live grant of the same person to the same app.
CREATE TRIGGER app_session_needs_grant BEFORE INSERT ON app_sessions
WHEN NOT EXISTS (
  SELECT 1
  FROM live_grants g
  WHERE g.id = NEW.grant_id AND g.app_id = NEW.app_id AND g.handle = NEW.handle
)
BEGIN
  SELECT RAISE(ABORT, 'guard:app_session_needs_grant');
END;

-- A sign-in has a resource only if its grant covers the resource on its host.
CREATE TRIGGER app_session_target BEFORE INSERT ON app_sessions
WHEN NEW.resource IS NOT NULL
  AND NOT EXISTS (
    SELECT 1
    FROM granted_targets t
    WHERE t.grant_id = NEW.grant_id
      AND t.resource = NEW.resource
      AND (t.is_anywhere OR NEW.host || ' ' || t.resource IN (SELECT value FROM json_each(t.hosts)))
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:app_session_target');
END;

-- An unchecked app's code covers only the permissions on its host.
CREATE TRIGGER app_session_host BEFORE INSERT ON app_sessions
WHEN NEW.code_hash IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM apps WHERE id = NEW.app_id AND checked_at IS NOT NULL)
  AND EXISTS (
    SELECT 1
    FROM json_each(NEW.scopes) s
    WHERE coalesce(NEW.host || ' ' || s.value, '') NOT IN (
      SELECT h.value
      FROM grants g, json_each(g.hosts) h
      WHERE g.id = NEW.grant_id
    )
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:app_session_host');
END;

-- A code has a PKCE challenge, or the nonce of an ID token if its web app accepts this (RFC 9700 section 2.1.1). An
-- empty challenge matches no verifier.
CREATE TRIGGER app_session_challenge BEFORE INSERT ON app_sessions
WHEN NEW.code_challenge = ''
  AND (
    NEW.nonce IS NULL
    OR 'openid' NOT IN (SELECT value FROM json_each(NEW.scopes))
    OR NOT EXISTS (SELECT 1 FROM apps WHERE id = NEW.app_id AND pkce = 'nonce')
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:app_session_challenge');
END;

-- A session has at most 200 sign-ins to apps, because revoking the session writes a row for each of them. The app with
-- the most loses one first, so that no app displaces another's: an unredeemed code, because any page can make its
-- visitor request one, then the least recently used sign-in. A valid code of another app stays, because the person is
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

-- A refresh token is not renewed if its grant no longer covers the resource.
CREATE TRIGGER app_session_target_ended BEFORE UPDATE OF token_hash ON app_sessions
WHEN NEW.resource IS NOT NULL
  AND NOT EXISTS (
    SELECT 1
    FROM granted_targets t
    WHERE t.grant_id = NEW.grant_id
      AND t.resource = NEW.resource
      AND (t.is_anywhere OR NEW.host || ' ' || t.resource IN (SELECT value FROM json_each(t.hosts)))
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:app_session_target_ended');
END;

-- A sign-in to an app keeps the person, the grant and the terms of its code.
CREATE TRIGGER app_session_fixed BEFORE UPDATE OF
  id, grant_id, app_id, handle, session_id, authenticated_at, created_at, code_hash, redirect_uri,
  code_challenge, host
ON app_sessions
BEGIN
  SELECT RAISE(ABORT, 'guard:app_session_fixed');
END;

-- A sign-in to an app keeps the key to which its code or refresh token is bound (RFC 9449 section 5). It gets none once
-- its code has been used, because a thief of the refresh token would bind it to his own key.
CREATE TRIGGER app_session_key_fixed BEFORE UPDATE OF dpop_jkt ON app_sessions
WHEN NEW.dpop_jkt IS NOT OLD.dpop_jkt AND (OLD.dpop_jkt IS NOT NULL OR OLD.used_by IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'guard:app_session_key_fixed');
END;

-- A code is used only once.
CREATE TRIGGER app_session_code_once BEFORE UPDATE OF used_by ON app_sessions
WHEN OLD.used_by IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'guard:code_used_once');
END;

-- A revoked sign-in to an app gets no further token.
CREATE TRIGGER app_session_end_final BEFORE UPDATE OF token_hash, revoked_at, revoked_reason ON app_sessions
WHEN OLD.revoked_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'guard:app_session_end_final');
END;

-- A revoked session signs the person out of the apps that they signed in to from it. One statement can revoke 200
-- sessions with 200 sign-ins each, so it only adds each session to `sign_outs`, which ends the sign-ins without
-- offline_access immediately; the rows of the sign-ins are written a few sessions at a time.
CREATE TRIGGER session_signed_out AFTER UPDATE OF revoked_at ON sessions
WHEN NEW.revoked_at IS NOT NULL AND EXISTS (SELECT 1 FROM app_sessions WHERE session_id = NEW.id)
BEGIN
  INSERT INTO sign_outs (session_id, handle, at)
  VALUES (NEW.id, NEW.handle, NEW.revoked_at);
END;

-- A sign-out is removed in the statement that writes what it means: every app that the person signed in to from the
-- session receives a logout token, also if a replay has revoked the sign-in since, and the sign-ins without
-- offline_access are revoked.
-- Writes: webhook_events (webhook).
CREATE TRIGGER sign_out_done AFTER DELETE ON sign_outs
BEGIN
  INSERT INTO webhook_events (id, app_id, type, data, at)
  SELECT
    'evt' || substr(s.id, 4) || '_logout', a.id, 'logout', json_object('sub', s.handle || '@pid', 'sid', s.id),
    OLD.at
  FROM app_sessions s
  JOIN apps a ON a.id = s.app_id AND a.status <> 'deleted' AND a.backchannel_logout_uri IS NOT NULL
  WHERE s.session_id = OLD.session_id AND coalesce(s.revoked_at, OLD.at) >= OLD.at AND s.used_by IS NOT NULL;
  UPDATE app_sessions
  SET revoked_at = OLD.at, revoked_reason = 'signed_out'
  WHERE session_id = OLD.session_id
    AND revoked_at IS NULL
    AND 'offline_access' NOT IN (SELECT value FROM json_each(app_sessions.scopes));
END;

-- Every revoked grant is added to the activity list, and the app is notified and signs the person out. An unchecked
-- app learns the person's identity only if the person has signed in to it: anyone can register someone else's host,
-- where no code reaches the app.
-- Writes: activity (activity), webhook_events (webhook).
CREATE TRIGGER grant_ended AFTER UPDATE OF revoked_at ON grants
WHEN NEW.revoked_at IS NOT NULL
BEGIN
  INSERT INTO activity (handle, at, type, detail)
  SELECT NEW.handle, NEW.revoked_at, 'grant.revoked', a.name
  FROM apps a
  WHERE a.id = NEW.app_id;
  INSERT INTO webhook_events (id, app_id, type, data, at)
  SELECT
    'evt' || substr(NEW.id, 4) || '_revoked', a.id, 'grant.revoked',
    json_object(
      'id', NEW.id, 'pid', iif(
        a.checked_at IS NOT NULL
          OR EXISTS (SELECT 1 FROM app_sessions s WHERE s.grant_id = NEW.id AND s.used_by IS NOT NULL),
        NEW.handle || '@pid', NULL
      )
    ),
    NEW.revoked_at
  FROM apps a
  WHERE a.id = NEW.app_id;
  INSERT INTO webhook_events (id, app_id, type, data, at)
  SELECT
    'evt' || substr(NEW.id, 4) || '_logout', a.id, 'logout', json_object('sub', NEW.handle || '@pid'),
    NEW.revoked_at
  FROM apps a
  WHERE a.id = NEW.app_id
    AND a.status <> 'deleted'
    AND a.backchannel_logout_uri IS NOT NULL
    AND (
      a.checked_at IS NOT NULL
      OR EXISTS (SELECT 1 FROM app_sessions s WHERE s.grant_id = NEW.id AND s.used_by IS NOT NULL)
    );
END;
