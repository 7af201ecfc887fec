DROP INDEX `apps_owner`;--> statement-breakpoint
CREATE INDEX `apps_deleted` ON `apps` (`updated_at`) WHERE status = 'deleted';--> statement-breakpoint
CREATE INDEX `apps_owner` ON `apps` (`owner`,`id`) WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX `deposits_app` ON `deposits` (`app_id`) WHERE app_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `grants_app` ON `grants` (`app_id`);
--> statement-breakpoint
DROP TRIGGER app_kept;
--> statement-breakpoint
-- What refers to an app: grants for a while, and for good its account, what it did with money and the desk's decisions.
CREATE VIEW app_references AS
SELECT app_id FROM grants
UNION ALL
SELECT owner FROM accounts
UNION ALL
SELECT app_id FROM transfers WHERE app_id IS NOT NULL
UNION ALL
SELECT app_id FROM deposits WHERE app_id IS NOT NULL
UNION ALL
SELECT target FROM audit_log;
--> statement-breakpoint
-- A deleted app is never changed, except for the time when something last referred to it.
CREATE TRIGGER app_deleted_final BEFORE UPDATE OF
  name, redirect_uris, scopes, homepage_url, privacy_url, logo_url, logo_hash, backchannel_logout_uri,
  id_token_alg, status, checked_at, first_party_at, token_limit
ON apps
WHEN OLD.status = 'deleted'
BEGIN
  SELECT RAISE(ABORT, 'guard:app_deleted_final');
END;
--> statement-breakpoint
-- An app whose checked details change, or whose scopes grow, is no longer checked.
CREATE TRIGGER app_marks_end AFTER UPDATE OF
  name, redirect_uris, homepage_url, privacy_url, logo_hash, backchannel_logout_uri, scopes
ON apps
WHEN OLD.checked_at IS NOT NULL
  AND NEW.status <> 'deleted'
  AND (
    NEW.name IS NOT OLD.name
    OR NEW.redirect_uris IS NOT OLD.redirect_uris
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
--> statement-breakpoint
-- An app keeps its row until it is deleted and nothing refers to it.
CREATE TRIGGER app_kept BEFORE DELETE ON apps
WHEN OLD.status <> 'deleted' OR EXISTS (SELECT 1 FROM app_references WHERE app_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'guard:app_kept');
END;
