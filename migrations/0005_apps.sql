-- Apps, their origins and secrets.
CREATE TABLE apps (
  id TEXT PRIMARY KEY NOT NULL,
  owner TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  redirect_uris TEXT DEFAULT '[]' NOT NULL,
  scopes TEXT DEFAULT '["openid","profile"]' NOT NULL,
  homepage_url TEXT,
  status TEXT DEFAULT 'active' NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  FOREIGN KEY (owner) REFERENCES identities(handle),
  CONSTRAINT app_name_length CHECK (length(name) BETWEEN 1 AND 64),
  CONSTRAINT app_type CHECK (type IN ('web','spa','native')),
  CONSTRAINT app_redirect_uris CHECK (json_array_length(redirect_uris) <= 10),
  CONSTRAINT app_status CHECK (status IN ('active','suspended','deleted'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX apps_owner ON apps (owner, id);
--> statement-breakpoint
CREATE TABLE app_origins (
  origin TEXT NOT NULL,
  app_id TEXT NOT NULL,
  PRIMARY KEY (origin, app_id),
  FOREIGN KEY (app_id) REFERENCES apps(id)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX app_origins_app ON app_origins (app_id);
--> statement-breakpoint
CREATE TABLE app_secrets (
  hash TEXT PRIMARY KEY NOT NULL,
  id TEXT NOT NULL UNIQUE,
  app_id TEXT NOT NULL,
  hint TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  FOREIGN KEY (app_id) REFERENCES apps(id)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX app_secrets_current ON app_secrets (app_id) WHERE expires_at IS NULL;
--> statement-breakpoint
CREATE INDEX app_secrets_app ON app_secrets (app_id);
--> statement-breakpoint
CREATE INDEX app_secrets_expiry ON app_secrets (expires_at) WHERE expires_at IS NOT NULL;
--> statement-breakpoint
-- The second guard of each rule.
CREATE TRIGGER app_limit BEFORE INSERT ON apps WHEN (SELECT count(*) FROM apps WHERE owner = NEW.owner AND status <> 'deleted') >= 50
BEGIN SELECT RAISE(ABORT, 'guard:app_limit'); END;
--> statement-breakpoint
CREATE TRIGGER app_fixed BEFORE UPDATE OF id, owner, type, created_at ON apps
BEGIN SELECT RAISE(ABORT, 'guard:app_fixed'); END;
--> statement-breakpoint
CREATE TRIGGER app_deleted_final BEFORE UPDATE ON apps WHEN OLD.status = 'deleted'
BEGIN SELECT RAISE(ABORT, 'guard:app_deleted_final'); END;
--> statement-breakpoint
CREATE TRIGGER app_kept BEFORE DELETE ON apps
BEGIN SELECT RAISE(ABORT, 'guard:app_kept'); END;
--> statement-breakpoint
CREATE TRIGGER app_origin_limit BEFORE INSERT ON app_origins WHEN (SELECT count(*) FROM app_origins WHERE app_id = NEW.app_id) >= 10 OR (SELECT status FROM apps WHERE id = NEW.app_id) = 'deleted'
BEGIN SELECT RAISE(ABORT, 'guard:app_origin_limit'); END;
--> statement-breakpoint
CREATE TRIGGER app_secret_allowed BEFORE INSERT ON app_secrets WHEN NOT EXISTS (SELECT 1 FROM apps WHERE id = NEW.app_id AND type = 'web' AND status <> 'deleted')
BEGIN SELECT RAISE(ABORT, 'guard:app_secret_allowed'); END;
