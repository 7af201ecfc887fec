DROP TRIGGER app_origin_limit;
--> statement-breakpoint
DROP TRIGGER webhook_needs_app;
--> statement-breakpoint
-- A suspended app is not changed, only deleted or reactivated, so that what the desk judged stays as it was.
CREATE TRIGGER app_suspended_fixed BEFORE UPDATE OF
  name, redirect_uris, scopes, homepage_url, privacy_url, logo_url, logo_hash, backchannel_logout_uri, id_token_alg
ON apps
WHEN OLD.status = 'suspended' AND NEW.status = 'suspended'
BEGIN
  SELECT RAISE(ABORT, 'guard:app_suspended_fixed');
END;
--> statement-breakpoint
-- An app has at most ten origins, and only an active app gets one.
CREATE TRIGGER app_origin_limit BEFORE INSERT ON app_origins
WHEN (SELECT count(*) FROM app_origins WHERE app_id = NEW.app_id) >= 10
  OR (SELECT status FROM apps WHERE id = NEW.app_id) <> 'active'
BEGIN
  SELECT RAISE(ABORT, 'guard:app_origin_limit');
END;
--> statement-breakpoint
-- Only an active app gets a logo. That of a deleted app would keep its row from being purged.
CREATE TRIGGER app_logo_needs_app BEFORE INSERT ON app_logos
WHEN (SELECT status FROM apps WHERE id = NEW.app_id) <> 'active'
BEGIN
  SELECT RAISE(ABORT, 'guard:app_logo_needs_app');
END;
--> statement-breakpoint
-- A deleted app gets no resource either, and a suspended app proves none.
CREATE TRIGGER app_resource_needs_app BEFORE INSERT ON app_resources
WHEN EXISTS (
  SELECT 1
  FROM apps
  WHERE id = NEW.app_id AND (status = 'deleted' OR (status = 'suspended' AND NEW.proven_by = 'file'))
)
BEGIN
  SELECT RAISE(ABORT, 'guard:app_resource_needs_app');
END;
--> statement-breakpoint
-- Only an active app sets its endpoint.
CREATE TRIGGER webhook_needs_app BEFORE INSERT ON webhooks
WHEN (SELECT status FROM apps WHERE id = NEW.app_id) <> 'active'
BEGIN
  SELECT RAISE(ABORT, 'guard:webhook_needs_app');
END;
--> statement-breakpoint
-- The endpoint of a suspended app keeps its address and its events.
CREATE TRIGGER webhook_of_suspended BEFORE UPDATE OF url, events ON webhooks
WHEN (SELECT status FROM apps WHERE id = NEW.app_id) = 'suspended'
BEGIN
  SELECT RAISE(ABORT, 'guard:webhook_of_suspended');
END;
--> statement-breakpoint
-- A suspended app keeps its endpoint until the app is deleted.
CREATE TRIGGER webhook_of_suspended_kept BEFORE DELETE ON webhooks
WHEN (SELECT status FROM apps WHERE id = OLD.app_id) = 'suspended'
BEGIN
  SELECT RAISE(ABORT, 'guard:webhook_of_suspended');
END;
