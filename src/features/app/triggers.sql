-- A person has at most 50 apps.
CREATE TRIGGER app_limit BEFORE INSERT ON apps
WHEN (SELECT count(*) FROM apps WHERE owner = NEW.owner AND status <> 'deleted') >= 50
BEGIN
  SELECT RAISE(ABORT, 'guard:app_limit');
END;

-- An app keeps its id, owner and type, because its secrets, grants and money depend on them.
CREATE TRIGGER app_fixed BEFORE UPDATE OF id, owner, type, created_at ON apps
BEGIN
  SELECT RAISE(ABORT, 'guard:app_fixed');
END;

-- A deleted app is never changed, except for the time when it was last referenced.
CREATE TRIGGER app_deleted_final BEFORE UPDATE OF
  name, redirect_uris, post_logout_redirect_uris, scopes, homepage_url, privacy_url, logo_url, logo_hash,
  backchannel_logout_uri, id_token_alg, pkce, device_flow, status, checked_at, first_party_at, token_limit
ON apps
WHEN OLD.status = 'deleted'
BEGIN
  SELECT RAISE(ABORT, 'guard:app_deleted_final');
END;

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

-- An app has at most ten addresses to which a logout may lead.
CREATE TRIGGER app_post_logout_most BEFORE INSERT ON apps
WHEN json_array_length(NEW.post_logout_redirect_uris) > 10
BEGIN
  SELECT RAISE(ABORT, 'guard:app_post_logout_most');
END;

-- This also applies to an app that exists.
CREATE TRIGGER app_post_logout_more BEFORE UPDATE OF post_logout_redirect_uris ON apps
WHEN json_array_length(NEW.post_logout_redirect_uris) > 10
BEGIN
  SELECT RAISE(ABORT, 'guard:app_post_logout_more');
END;

-- Every app uses PKCE, except a web app that accepts a nonce in its place, because its secret protects its codes, too.
CREATE TRIGGER app_pkce BEFORE INSERT ON apps
WHEN NEW.pkce <> 'required' AND NOT (NEW.pkce = 'nonce' AND NEW.type = 'web')
BEGIN
  SELECT RAISE(ABORT, 'guard:app_pkce');
END;

-- This also applies to an existing app.
CREATE TRIGGER app_pkce_changed BEFORE UPDATE OF pkce ON apps
WHEN NEW.pkce <> 'required' AND NOT (NEW.pkce = 'nonce' AND NEW.type = 'web')
BEGIN
  SELECT RAISE(ABORT, 'guard:app_pkce_changed');
END;

-- Devices sign people in only to a registered app whose owner has allowed it, and never to a page.
CREATE TRIGGER app_device_flow BEFORE INSERT ON apps
WHEN NEW.device_flow <> 0 AND NOT (NEW.device_flow = 1 AND NEW.type <> 'spa' AND NEW.owner IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'guard:app_device_flow');
END;

-- This also applies to an existing app.
CREATE TRIGGER app_device_flow_changed BEFORE UPDATE OF device_flow ON apps
WHEN NEW.device_flow <> 0 AND NOT (NEW.device_flow = 1 AND NEW.type <> 'spa' AND NEW.owner IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'guard:app_device_flow_changed');
END;

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

-- No administrator decides in favour of their own app. Every decision is written to the audit log first.
CREATE TRIGGER app_own_favour BEFORE UPDATE OF status, checked_at, first_party_at, token_limit ON apps
WHEN (
    (OLD.status = 'suspended' AND NEW.status = 'active')
    OR (OLD.checked_at IS NULL AND NEW.checked_at IS NOT NULL)
    OR (OLD.first_party_at IS NULL AND NEW.first_party_at IS NOT NULL)
    OR (NEW.token_limit IS NOT OLD.token_limit AND NOT coalesce(NEW.token_limit < OLD.token_limit, 0))
  )
  AND NEW.owner = (SELECT actor FROM audit_log WHERE target = NEW.id ORDER BY seq DESC LIMIT 1)
BEGIN
  SELECT RAISE(ABORT, 'guard:own_favour');
END;

-- An app has at most ten origins, and only an active app gets one.
CREATE TRIGGER app_origin_limit BEFORE INSERT ON app_origins
WHEN (SELECT count(*) FROM app_origins WHERE app_id = NEW.app_id) >= 10
  OR (SELECT status FROM apps WHERE id = NEW.app_id) <> 'active'
BEGIN
  SELECT RAISE(ABORT, 'guard:app_origin_limit');
END;

-- An app that adds an origin is no longer checked.
CREATE TRIGGER app_marks_end_with_origin AFTER INSERT ON app_origins
BEGIN
  UPDATE apps
  SET checked_at = NULL, first_party_at = NULL
  WHERE id = NEW.app_id AND checked_at IS NOT NULL;
END;

-- Only an active app gets a logo. That of a deleted app would keep its row from being purged.
CREATE TRIGGER app_logo_needs_app BEFORE INSERT ON app_logos
WHEN (SELECT status FROM apps WHERE id = NEW.app_id) <> 'active'
BEGIN
  SELECT RAISE(ABORT, 'guard:app_logo_needs_app');
END;

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

-- A resource keeps its owner, because only that app proved it.
CREATE TRIGGER app_resource_fixed BEFORE UPDATE OF resource, app_id, origin ON app_resources
BEGIN
  SELECT RAISE(ABORT, 'guard:app_resource_fixed');
END;

-- An app has at most ten resources.
CREATE TRIGGER app_resources_most AFTER INSERT ON app_resources
WHEN (SELECT count(*) FROM app_resources WHERE app_id = NEW.app_id) > 10
BEGIN
  SELECT RAISE(ABORT, 'guard:app_resources_most');
END;

-- Only one app can prove an origin: a second file at the same origin proves nothing.
CREATE TRIGGER app_resource_origin_owner AFTER INSERT ON app_resources
WHEN NEW.proven_by = 'file'
  AND EXISTS (
    SELECT 1
    FROM app_resources
    WHERE origin = NEW.origin AND app_id <> NEW.app_id AND proven_by = 'file'
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:app_resource_origin_owner');
END;

-- This also applies to a resource assigned by an administrator that a file proves later.
CREATE TRIGGER app_resource_origin_owner_proof AFTER UPDATE OF proven_by ON app_resources
WHEN NEW.proven_by = 'file'
  AND EXISTS (
    SELECT 1
    FROM app_resources
    WHERE origin = NEW.origin AND app_id <> NEW.app_id AND proven_by = 'file'
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:app_resource_origin_owner_proof');
END;

-- An app that adds a resource is no longer checked, unless an administrator added it.
CREATE TRIGGER app_marks_end_with_resource AFTER INSERT ON app_resources
WHEN NEW.proven_by = 'file'
BEGIN
  UPDATE apps
  SET checked_at = NULL, first_party_at = NULL
  WHERE id = NEW.app_id AND checked_at IS NOT NULL;
END;

-- No administrator assigns a resource to their own app.
CREATE TRIGGER app_resource_own_favour BEFORE INSERT ON app_resources
WHEN NEW.proven_by = 'desk'
  AND (SELECT owner FROM apps WHERE id = NEW.app_id) = (
    SELECT actor FROM audit_log WHERE target = NEW.app_id ORDER BY seq DESC LIMIT 1
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:own_favour');
END;

-- The result of an earlier read never replaces that of a later one.
CREATE TRIGGER app_resource_read_order BEFORE UPDATE OF read_at ON app_resources
WHEN NEW.read_at < OLD.read_at
BEGIN
  SELECT RAISE(ABORT, 'guard:app_resource_read_order');
END;

-- The resources that each app may request: those it owns, and those whose owner lists the app or `*` (any app).
CREATE VIEW app_targets AS
SELECT
  r.resource, c.value AS app_id,
  c.value = r.app_id AND EXISTS (
    SELECT 1 FROM app_origins o WHERE o.app_id = r.app_id AND o.origin = r.origin
  ) AS is_own
FROM app_resources r
JOIN apps a ON a.id = r.app_id AND a.status = 'active'
JOIN json_each(json_insert(r.clients, '$[#]', r.app_id)) c;

-- Only web apps have secrets, because other types cannot keep one confidential.
CREATE TRIGGER app_secret_allowed BEFORE INSERT ON app_secrets
WHEN NOT EXISTS (SELECT 1 FROM apps WHERE id = NEW.app_id AND type = 'web' AND status <> 'deleted')
BEGIN
  SELECT RAISE(ABORT, 'guard:app_secret_allowed');
END;

-- An app has at most ten valid secrets.
CREATE TRIGGER app_secret_limit BEFORE INSERT ON app_secrets
WHEN (
  SELECT count(*)
  FROM app_secrets
  WHERE app_id = NEW.app_id AND (expires_at IS NULL OR expires_at > NEW.created_at)
) >= 10
BEGIN
  SELECT RAISE(ABORT, 'guard:app_secret_limit');
END;
