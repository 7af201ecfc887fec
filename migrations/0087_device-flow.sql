ALTER TABLE `apps` ADD `device_flow` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
DROP TRIGGER app_deleted_final;
--> statement-breakpoint
DROP TRIGGER app_suspended_fixed;
--> statement-breakpoint
-- A deleted app is never changed, except for the time when it was last referenced.
CREATE TRIGGER app_deleted_final BEFORE UPDATE OF
  name, redirect_uris, post_logout_redirect_uris, scopes, homepage_url, privacy_url, logo_url, logo_hash,
  backchannel_logout_uri, id_token_alg, pkce, device_flow, status, checked_at, first_party_at, token_limit
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
  backchannel_logout_uri, id_token_alg, pkce, device_flow
ON apps
WHEN OLD.status = 'suspended' AND NEW.status = 'suspended'
BEGIN
  SELECT RAISE(ABORT, 'guard:app_suspended_fixed');
END;
--> statement-breakpoint
-- Devices sign people in only to a registered app whose owner has allowed it, and never to a page.
CREATE TRIGGER app_device_flow BEFORE INSERT ON apps
WHEN NEW.device_flow <> 0 AND NOT (NEW.device_flow = 1 AND NEW.type <> 'spa' AND NEW.owner IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'guard:app_device_flow');
END;
--> statement-breakpoint
-- This also applies to an existing app.
CREATE TRIGGER app_device_flow_changed BEFORE UPDATE OF device_flow ON apps
WHEN NEW.device_flow <> 0 AND NOT (NEW.device_flow = 1 AND NEW.type <> 'spa' AND NEW.owner IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'guard:app_device_flow_changed');
END;
--> statement-breakpoint
-- A device starts a request only for an app whose owner has allowed it.
CREATE TRIGGER popup_device_flow BEFORE INSERT ON popup_requests
WHEN NEW.user_code_mac IS NOT NULL AND NOT EXISTS (SELECT 1 FROM apps WHERE id = NEW.app_id AND device_flow = 1)
BEGIN
  SELECT RAISE(ABORT, 'guard:popup_device_flow');
END;
--> statement-breakpoint
-- Once the owner has ended this, the requests that wait lead to nothing.
CREATE TRIGGER popup_device_flow_ended BEFORE UPDATE OF status ON popup_requests
WHEN NEW.user_code_mac IS NOT NULL
  AND NEW.status IN ('approved', 'redeemed')
  AND NOT EXISTS (SELECT 1 FROM apps WHERE id = NEW.app_id AND device_flow = 1)
BEGIN
  SELECT RAISE(ABORT, 'guard:popup_device_flow_ended');
END;
