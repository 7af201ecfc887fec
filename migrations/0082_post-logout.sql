ALTER TABLE `apps` ADD `post_logout_redirect_uris` text DEFAULT '[]' NOT NULL;
--> statement-breakpoint
DROP TRIGGER app_deleted_final;
--> statement-breakpoint
DROP TRIGGER app_suspended_fixed;
--> statement-breakpoint
DROP TRIGGER app_marks_end;
--> statement-breakpoint
-- A deleted app is never changed, except for the time when it was last referenced.
CREATE TRIGGER app_deleted_final BEFORE UPDATE OF
  name, redirect_uris, post_logout_redirect_uris, scopes, homepage_url, privacy_url, logo_url, logo_hash,
  backchannel_logout_uri, id_token_alg, pkce, status, checked_at, first_party_at, token_limit
ON apps
WHEN OLD.status = 'deleted'
BEGIN
  SELECT RAISE(ABORT, 'guard:app_deleted_final');
END;
--> statement-breakpoint
-- A suspended app is not changed, only deleted or reactivated, so that the state that the administrator judged is
-- preserved.
CREATE TRIGGER app_suspended_fixed BEFORE UPDATE OF
  name, redirect_uris, post_logout_redirect_uris, scopes, homepage_url, privacy_url, logo_url, logo_hash,
  backchannel_logout_uri, id_token_alg, pkce
ON apps
WHEN OLD.status = 'suspended' AND NEW.status = 'suspended'
BEGIN
  SELECT RAISE(ABORT, 'guard:app_suspended_fixed');
END;
--> statement-breakpoint
-- An app has at most ten addresses to which a logout may lead.
CREATE TRIGGER app_post_logout_most BEFORE INSERT ON apps
WHEN json_array_length(NEW.post_logout_redirect_uris) > 10
BEGIN
  SELECT RAISE(ABORT, 'guard:app_post_logout_most');
END;
--> statement-breakpoint
-- This also applies to an app that exists.
CREATE TRIGGER app_post_logout_more BEFORE UPDATE OF post_logout_redirect_uris ON apps
WHEN json_array_length(NEW.post_logout_redirect_uris) > 10
BEGIN
  SELECT RAISE(ABORT, 'guard:app_post_logout_more');
END;
--> statement-breakpoint
-- An app whose checked details change, or whose scopes grow, is no longer checked.
CREATE TRIGGER app_marks_end AFTER UPDATE OF
  name, redirect_uris, post_logout_redirect_uris, homepage_url, privacy_url, logo_hash, backchannel_logout_uri, scopes
ON apps
WHEN OLD.checked_at IS NOT NULL
  AND NEW.status <> 'deleted'
  AND (
    NEW.name IS NOT OLD.name
    OR NEW.redirect_uris IS NOT OLD.redirect_uris
    OR NEW.post_logout_redirect_uris IS NOT OLD.post_logout_redirect_uris
    OR NEW.homepage_url IS NOT OLD.homepage_url
    OR NEW.privacy_url IS NOT OLD.privacy_url
    OR NEW.logo_hash IS NOT OLD.logo_hash
    OR NEW.backchannel_logout_uri IS NOT OLD.backchannel_logout_uri
    OR EXISTS (
      SELECT 1
      FROM json_each(NEW.scopes) n
      WHERE n.value NOT IN (SELECT o.value FROM json_each(OLD.scopes) o)
    )
  )
BEGIN
  UPDATE apps
  SET checked_at = NULL, first_party_at = NULL
  WHERE id = NEW.id;
END;
