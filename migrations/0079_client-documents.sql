-- A client that nobody registered has a row without an owner. The rows return under the same name, so that every reference to
-- them is satisfied again when the transaction ends.
PRAGMA defer_foreign_keys = ON;
--> statement-breakpoint
CREATE TABLE apps_kept AS SELECT * FROM apps;
--> statement-breakpoint
DROP TABLE apps;
--> statement-breakpoint
CREATE TABLE apps (
  id TEXT PRIMARY KEY NOT NULL,
  owner TEXT,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  redirect_uris TEXT DEFAULT '[]' NOT NULL,
  scopes TEXT DEFAULT '["openid","profile"]' NOT NULL,
  homepage_url TEXT,
  privacy_url TEXT,
  logo_url TEXT,
  logo_hash TEXT,
  backchannel_logout_uri TEXT,
  id_token_alg TEXT DEFAULT 'RS256' NOT NULL,
  pkce TEXT DEFAULT 'required' NOT NULL,
  status TEXT DEFAULT 'active' NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  checked_at INTEGER,
  first_party_at INTEGER,
  token_limit INTEGER,
  FOREIGN KEY (owner) REFERENCES identities(handle),
  CONSTRAINT app_name_length CHECK (length(name) BETWEEN 1 AND 64),
  CONSTRAINT app_document CHECK ((owner IS NULL) = (id GLOB 'http*')),
  CONSTRAINT app_document_unmarked CHECK (owner IS NOT NULL OR (type = 'native' AND checked_at IS NULL AND token_limit IS NULL AND logo_hash IS NULL AND backchannel_logout_uri IS NULL)),
  CONSTRAINT app_type CHECK (type IN ('web','spa','native')),
  CONSTRAINT app_id_token_alg CHECK (id_token_alg IN ('RS256','ES256')),
  CONSTRAINT app_redirect_uris CHECK (json_array_length(redirect_uris) <= 10),
  CONSTRAINT app_status CHECK (status IN ('active','suspended','deleted')),
  CONSTRAINT app_first_party CHECK (first_party_at IS NULL OR checked_at IS NOT NULL),
  CONSTRAINT app_token_limit CHECK (token_limit BETWEEN 1 AND 100000)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO apps (id, owner, name, type, redirect_uris, scopes, homepage_url, privacy_url, logo_url, logo_hash,
  backchannel_logout_uri, id_token_alg, pkce, status, created_at, updated_at, checked_at, first_party_at,
  token_limit)
SELECT id, owner, name, type, redirect_uris, scopes, homepage_url, privacy_url, logo_url, logo_hash,
  backchannel_logout_uri, id_token_alg, pkce, status, created_at, updated_at, checked_at, first_party_at,
  token_limit FROM apps_kept;
--> statement-breakpoint
DROP TABLE apps_kept;
--> statement-breakpoint
CREATE INDEX apps_owner ON apps (owner, id) WHERE status <> 'deleted';
--> statement-breakpoint
CREATE INDEX apps_deleted ON apps (updated_at) WHERE status = 'deleted';
--> statement-breakpoint
CREATE INDEX apps_documents ON apps (created_at) WHERE owner IS NULL;
--> statement-breakpoint
CREATE INDEX apps_token_limit ON apps (id) WHERE token_limit IS NOT NULL;
--> statement-breakpoint
DROP VIEW granted_targets;
--> statement-breakpoint
-- The resources that a token may be for under each grant: the app's own, and those the person agreed to. For an
-- unchecked app these apply only on the hosts with an entry for them.
CREATE VIEW granted_targets AS
SELECT g.id AS grant_id, t.resource, t.is_own OR a.checked_at IS NOT NULL AS is_anywhere, g.hosts
FROM grants g
JOIN apps a ON a.id = g.app_id
JOIN app_targets t ON t.app_id IN (g.app_id, '*')
WHERE t.is_own OR t.resource IN (SELECT value FROM json_each(g.resources));
--> statement-breakpoint
-- A person has at most 50 apps.
CREATE TRIGGER app_limit BEFORE INSERT ON apps
WHEN (SELECT count(*) FROM apps WHERE owner = NEW.owner AND status <> 'deleted') >= 50
BEGIN
  SELECT RAISE(ABORT, 'guard:app_limit');
END;
--> statement-breakpoint
-- An app keeps its id, owner and type, because its secrets, grants and money depend on them.
CREATE TRIGGER app_fixed BEFORE UPDATE OF id, owner, type, created_at ON apps
BEGIN
  SELECT RAISE(ABORT, 'guard:app_fixed');
END;
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
--> statement-breakpoint
-- An app keeps its row until it is deleted, unless nobody registered it, and has no references.
CREATE TRIGGER app_kept BEFORE DELETE ON apps
WHEN (OLD.status <> 'deleted' AND OLD.owner IS NOT NULL) OR EXISTS (SELECT 1 FROM app_references WHERE app_id = OLD.id)
BEGIN
  SELECT RAISE(ABORT, 'guard:app_kept');
END;
--> statement-breakpoint
-- A client that nobody registered is forgotten with its last grant, unless money or the desk refers to it.
-- Writes: apps (app).
CREATE TRIGGER app_document_forgotten AFTER DELETE ON grants
WHEN OLD.app_id GLOB 'http*'
BEGIN
  DELETE FROM apps
  WHERE id = OLD.app_id AND NOT EXISTS (SELECT 1 FROM app_references WHERE app_id = OLD.app_id);
END;
--> statement-breakpoint
-- A person allows at most 50 clients that nobody registered, because each such consent may create the client's row.
CREATE TRIGGER grant_document_limit BEFORE INSERT ON grants
WHEN NEW.app_id GLOB 'http*'
  AND NOT EXISTS (
    SELECT 1 FROM grants WHERE app_id = NEW.app_id AND handle = NEW.handle AND revoked_at IS NULL
  )
  AND (SELECT count(*) FROM grants WHERE handle = NEW.handle AND app_id GLOB 'http*') >= 50
BEGIN
  SELECT RAISE(ABORT, 'guard:grant_document_limit');
END;
--> statement-breakpoint
-- An app with money or a debt is not deleted.
CREATE TRIGGER app_balance BEFORE UPDATE OF status ON apps
WHEN NEW.status = 'deleted'
  AND EXISTS (
    SELECT 1
    FROM accounts
    WHERE owner = NEW.id AND kind = 'app' AND (credits_posted <> debits_posted OR debt > 0)
  )
BEGIN
  SELECT RAISE(ABORT, 'guard:app_balance');
END;
--> statement-breakpoint
-- The endpoint of a deleted app is deleted.
CREATE TRIGGER webhook_ends_with_app AFTER UPDATE OF status ON apps
WHEN NEW.status = 'deleted'
BEGIN
  DELETE FROM webhooks WHERE app_id = NEW.id;
END;
--> statement-breakpoint
-- Logout tokens no longer wait if their app has no URI for them.
CREATE TRIGGER logout_address_gone AFTER UPDATE OF status, backchannel_logout_uri ON apps
WHEN NEW.status = 'deleted' OR NEW.backchannel_logout_uri IS NULL
BEGIN
  UPDATE webhook_events
  SET next_at = NULL
  WHERE app_id = NEW.id AND next_at IS NOT NULL AND type = 'logout';
END;
