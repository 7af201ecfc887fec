ALTER TABLE `apps` ADD `pkce` text DEFAULT 'required' NOT NULL;
--> statement-breakpoint
DROP TRIGGER app_deleted_final;
--> statement-breakpoint
DROP TRIGGER app_suspended_fixed;
--> statement-breakpoint
-- A deleted app is never changed, except for the time when it was last referenced.
CREATE TRIGGER app_deleted_final BEFORE UPDATE OF
  name, redirect_uris, scopes, homepage_url, privacy_url, logo_url, logo_hash, backchannel_logout_uri,
  id_token_alg, pkce, status, checked_at, first_party_at, token_limit
ON apps
WHEN OLD.status = 'deleted'
BEGIN
  SELECT RAISE(ABORT, 'guard:app_deleted_final');
END;
--> statement-breakpoint
-- A suspended app is not changed, only deleted or reactivated, so that what the desk judged stays as it was.
CREATE TRIGGER app_suspended_fixed BEFORE UPDATE OF
  name, redirect_uris, scopes, homepage_url, privacy_url, logo_url, logo_hash, backchannel_logout_uri, id_token_alg,
  pkce
ON apps
WHEN OLD.status = 'suspended' AND NEW.status = 'suspended'
BEGIN
  SELECT RAISE(ABORT, 'guard:app_suspended_fixed');
END;
--> statement-breakpoint
-- Every app uses PKCE, except a web app that accepts a nonce in its place, because its secret protects its codes, too.
CREATE TRIGGER app_pkce BEFORE INSERT ON apps
WHEN NEW.pkce <> 'required' AND NOT (NEW.pkce = 'nonce' AND NEW.type = 'web')
BEGIN
  SELECT RAISE(ABORT, 'guard:app_pkce');
END;
--> statement-breakpoint
-- This also applies to an app that exists.
CREATE TRIGGER app_pkce_changed BEFORE UPDATE OF pkce ON apps
WHEN NEW.pkce <> 'required' AND NOT (NEW.pkce = 'nonce' AND NEW.type = 'web')
BEGIN
  SELECT RAISE(ABORT, 'guard:app_pkce_changed');
END;
--> statement-breakpoint
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
