-- Grants, the sign-ins to apps, and where logout tokens go.
ALTER TABLE apps ADD COLUMN backchannel_logout_uri TEXT;
--> statement-breakpoint
ALTER TABLE apps ADD COLUMN id_token_alg TEXT DEFAULT 'RS256' NOT NULL CONSTRAINT app_id_token_alg CHECK (id_token_alg IN ('RS256','ES256'));
--> statement-breakpoint
-- One active grant for each app and person. The limits say what the app may move without asking.
CREATE TABLE grants (
  id TEXT PRIMARY KEY NOT NULL,
  app_id TEXT NOT NULL,
  handle TEXT NOT NULL,
  scopes TEXT NOT NULL,
  per_transfer INTEGER,
  per_period INTEGER,
  period_ms INTEGER,
  period_start INTEGER DEFAULT 0 NOT NULL,
  spent INTEGER DEFAULT 0 NOT NULL,
  total_limit INTEGER,
  spent_total INTEGER DEFAULT 0 NOT NULL,
  max_uses INTEGER,
  uses INTEGER DEFAULT 0 NOT NULL,
  payees TEXT,
  expires_at INTEGER,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER,
  revoked_by TEXT,
  FOREIGN KEY (app_id) REFERENCES apps(id),
  FOREIGN KEY (handle) REFERENCES identities(handle),
  CONSTRAINT grant_scopes CHECK (json_type(scopes) = 'array'),
  CONSTRAINT grant_limits CHECK (per_transfer > 0 AND per_period > 0 AND period_ms > 0 AND total_limit > 0 AND max_uses > 0),
  CONSTRAINT grant_payees CHECK (payees IS NULL OR (json_type(payees) = 'array' AND json_array_length(payees) <= 50)),
  CONSTRAINT grant_spent CHECK (spent >= 0 AND spent_total >= 0 AND uses >= 0),
  CONSTRAINT grant_period CHECK ((per_period IS NULL) = (period_ms IS NULL)),
  CONSTRAINT grant_revoked CHECK ((revoked_at IS NULL) = (revoked_by IS NULL)),
  CONSTRAINT grant_revoked_by CHECK (revoked_by IN ('person','app','expired','closed'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX grants_active ON grants (app_id, handle) WHERE revoked_at IS NULL;
--> statement-breakpoint
CREATE INDEX grants_handle ON grants (handle, id);
--> statement-breakpoint
CREATE INDEX grants_expiry ON grants (expires_at) WHERE expires_at IS NOT NULL AND revoked_at IS NULL;
--> statement-breakpoint
-- A sign-in to an app: code, refresh token and family in one row.
CREATE TABLE app_sessions (
  id TEXT PRIMARY KEY NOT NULL,
  grant_id TEXT NOT NULL,
  app_id TEXT NOT NULL,
  handle TEXT NOT NULL,
  session_id TEXT NOT NULL,
  scopes TEXT NOT NULL,
  resource TEXT,
  nonce TEXT,
  provider TEXT NOT NULL,
  authenticated_at INTEGER NOT NULL,
  code_hash TEXT UNIQUE,
  code_until INTEGER,
  redirect_uri TEXT,
  code_challenge TEXT,
  used_by TEXT,
  token_hash TEXT,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER,
  revoked_reason TEXT,
  FOREIGN KEY (grant_id) REFERENCES grants(id),
  CONSTRAINT app_session_code CHECK ((code_hash IS NULL) = (code_until IS NULL) AND (code_hash IS NULL) = (redirect_uri IS NULL) AND (code_hash IS NULL) = (code_challenge IS NULL)),
  CONSTRAINT app_session_token CHECK (token_hash IS NULL OR used_by IS NOT NULL),
  CONSTRAINT app_session_revoked CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX app_sessions_grant ON app_sessions (grant_id);
--> statement-breakpoint
CREATE INDEX app_sessions_session ON app_sessions (session_id);
--> statement-breakpoint
CREATE INDEX app_sessions_expiry ON app_sessions (expires_at);
--> statement-breakpoint
-- A grant that works: not revoked, its app and its person active. Callers add live_until > now.
CREATE VIEW live_grants AS
SELECT g.*, coalesce(g.expires_at, 9007199254740991) AS live_until FROM grants g
JOIN apps a ON a.id = g.app_id AND a.status = 'active'
JOIN identities i ON i.handle = g.handle AND i.status = 'active'
WHERE g.revoked_at IS NULL;
--> statement-breakpoint
-- A sign-in to an app that works: not ended, its grant live, made after the last restore. Callers add live_until > now.
CREATE VIEW live_app_sessions AS
SELECT s.*, g.live_until FROM app_sessions s
JOIN live_grants g ON g.id = s.grant_id
JOIN settings x ON x.id = 1
WHERE s.revoked_at IS NULL AND s.created_at >= x.sessions_not_before;
--> statement-breakpoint
-- The second guard of each rule.
CREATE TRIGGER grant_needs_active BEFORE INSERT ON grants WHEN NOT EXISTS (SELECT 1 FROM apps a JOIN identities i ON i.handle = NEW.handle AND i.status = 'active' WHERE a.id = NEW.app_id AND a.status = 'active')
BEGIN SELECT RAISE(ABORT, 'guard:grant_needs_active'); END;
--> statement-breakpoint
CREATE TRIGGER grant_fixed BEFORE UPDATE OF id, app_id, handle, created_at ON grants
BEGIN SELECT RAISE(ABORT, 'guard:grant_fixed'); END;
--> statement-breakpoint
CREATE TRIGGER grant_revoked_final BEFORE UPDATE ON grants WHEN OLD.revoked_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'guard:grant_revoked_final'); END;
--> statement-breakpoint
CREATE TRIGGER grant_limit BEFORE UPDATE OF spent, spent_total, uses ON grants WHEN NEW.spent > NEW.per_period OR NEW.spent_total > NEW.total_limit OR NEW.uses > NEW.max_uses
BEGIN SELECT RAISE(ABORT, 'guard:grant_limit_exceeded'); END;
--> statement-breakpoint
CREATE TRIGGER grant_spent_kept BEFORE UPDATE OF spent, spent_total, uses, period_start ON grants WHEN NEW.spent_total < OLD.spent_total OR NEW.uses < OLD.uses OR (NEW.spent < OLD.spent AND NEW.period_start <= OLD.period_start)
BEGIN SELECT RAISE(ABORT, 'guard:grant_spent_kept'); END;
--> statement-breakpoint
CREATE TRIGGER app_session_needs_grant BEFORE INSERT ON app_sessions WHEN NOT EXISTS (SELECT 1 FROM live_grants g WHERE g.id = NEW.grant_id AND g.app_id = NEW.app_id AND g.handle = NEW.handle)
BEGIN SELECT RAISE(ABORT, 'guard:app_session_needs_grant'); END;
--> statement-breakpoint
CREATE TRIGGER app_session_fixed BEFORE UPDATE OF id, grant_id, app_id, handle, session_id, authenticated_at, created_at, code_hash, redirect_uri, code_challenge ON app_sessions
BEGIN SELECT RAISE(ABORT, 'guard:app_session_fixed'); END;
--> statement-breakpoint
CREATE TRIGGER app_session_code_once BEFORE UPDATE OF used_by ON app_sessions WHEN OLD.used_by IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'guard:code_used_once'); END;
--> statement-breakpoint
CREATE TRIGGER app_session_end_final BEFORE UPDATE OF token_hash, revoked_at, revoked_reason ON app_sessions WHEN OLD.revoked_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'guard:app_session_end_final'); END;
--> statement-breakpoint
-- What a person sees of it, and what the app hears.
CREATE TRIGGER grant_created AFTER INSERT ON grants
BEGIN INSERT INTO activity (handle, at, type, detail) SELECT NEW.handle, NEW.created_at, 'grant.created', a.name FROM apps a WHERE a.id = NEW.app_id; INSERT INTO webhook_events (id, app_id, type, data, at) VALUES ('evt' || substr(NEW.id, 4) || '_created', NEW.app_id, 'grant.created', json_object('id', NEW.id, 'pid', NEW.handle || '@pid', 'scopes', json(NEW.scopes)), NEW.created_at); END;
--> statement-breakpoint
CREATE TRIGGER grant_ended AFTER UPDATE OF revoked_at ON grants WHEN NEW.revoked_at IS NOT NULL
BEGIN INSERT INTO activity (handle, at, type, detail) SELECT NEW.handle, NEW.revoked_at, 'grant.revoked', a.name FROM apps a WHERE a.id = NEW.app_id; INSERT INTO webhook_events (id, app_id, type, data, at) VALUES ('evt' || substr(NEW.id, 4) || '_revoked', NEW.app_id, 'grant.revoked', json_object('id', NEW.id, 'pid', NEW.handle || '@pid'), NEW.revoked_at); INSERT INTO webhook_events (id, app_id, type, data, at) SELECT 'evt' || substr(NEW.id, 4) || '_logout', a.id, 'logout', json_object('sub', NEW.handle || '@pid'), NEW.revoked_at FROM apps a WHERE a.id = NEW.app_id AND a.status <> 'deleted' AND a.backchannel_logout_uri IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER session_signed_out AFTER UPDATE OF revoked_at ON sessions WHEN NEW.revoked_at IS NOT NULL
BEGIN INSERT INTO webhook_events (id, app_id, type, data, at) SELECT 'evt' || substr(s.id, 4) || '_logout', a.id, 'logout', json_object('sub', s.handle || '@pid', 'sid', s.id), NEW.revoked_at FROM app_sessions s JOIN apps a ON a.id = s.app_id AND a.status <> 'deleted' AND a.backchannel_logout_uri IS NOT NULL WHERE s.session_id = NEW.id AND s.revoked_at IS NULL AND s.used_by IS NOT NULL; END;
--> statement-breakpoint
-- Logout tokens have a queue of their own, which no endpoint of the app starts, pauses or ends.
DROP INDEX webhook_events_waiting;
--> statement-breakpoint
CREATE INDEX webhook_events_waiting ON webhook_events (app_id, next_at) WHERE next_at IS NOT NULL AND type <> 'logout';
--> statement-breakpoint
CREATE INDEX webhook_events_logout ON webhook_events (app_id, next_at) WHERE next_at IS NOT NULL AND type = 'logout';
--> statement-breakpoint
DROP TRIGGER event_due;
--> statement-breakpoint
CREATE TRIGGER event_due AFTER INSERT ON webhook_events WHEN NEW.type = 'logout' OR EXISTS (SELECT 1 FROM webhooks w WHERE w.app_id = NEW.app_id AND w.status = 'active' AND EXISTS (SELECT 1 FROM json_each(w.events) WHERE value IN ('*', NEW.type)))
BEGIN UPDATE webhook_events SET next_at = NEW.at WHERE seq = NEW.seq; END;
--> statement-breakpoint
DROP TRIGGER webhook_enabled;
--> statement-breakpoint
-- What failed, or happened since the endpoint failed or was disabled, is due again when it is enabled.
CREATE TRIGGER webhook_enabled AFTER UPDATE OF status ON webhooks WHEN OLD.status = 'disabled' AND NEW.status = 'active'
BEGIN UPDATE webhook_events SET next_at = NEW.updated_at, tries = 0 WHERE app_id = NEW.app_id AND type <> 'logout' AND delivered_at IS NULL AND (tries > 0 OR at >= coalesce(OLD.failing_since, OLD.updated_at)) AND EXISTS (SELECT 1 FROM json_each(NEW.events) WHERE value IN ('*', webhook_events.type)); END;
--> statement-breakpoint
DROP TRIGGER webhook_deleted;
--> statement-breakpoint
CREATE TRIGGER webhook_deleted AFTER DELETE ON webhooks
BEGIN UPDATE webhook_events SET next_at = NULL WHERE app_id = OLD.app_id AND next_at IS NOT NULL AND type <> 'logout'; END;
--> statement-breakpoint
CREATE TRIGGER logout_address_gone AFTER UPDATE OF status, backchannel_logout_uri ON apps WHEN NEW.status = 'deleted' OR NEW.backchannel_logout_uri IS NULL
BEGIN UPDATE webhook_events SET next_at = NULL WHERE app_id = NEW.id AND next_at IS NOT NULL AND type = 'logout'; END;
