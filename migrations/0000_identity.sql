-- Identities, credentials, sessions and claim tickets.
-- STRICT tables refuse a value of another type; WITHOUT ROWID keeps each row in its primary key.
CREATE TABLE settings (
  id INTEGER PRIMARY KEY NOT NULL,
  sessions_not_before INTEGER DEFAULT 0 NOT NULL,
  CONSTRAINT settings_one_row CHECK (id = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE tripwire (
  id INTEGER PRIMARY KEY NOT NULL,
  ok INTEGER NOT NULL,
  CONSTRAINT tripwire_one_row CHECK (id = 1),
  CONSTRAINT batch_assertion_failed CHECK (ok = 1)
) STRICT;
--> statement-breakpoint
CREATE TABLE attempts (
  id TEXT PRIMARY KEY NOT NULL,
  verdict TEXT NOT NULL,
  handle TEXT,
  skeleton TEXT,
  credential_id TEXT
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE identities (
  handle TEXT PRIMARY KEY NOT NULL,
  skeleton TEXT NOT NULL,
  ticket TEXT NOT NULL,
  status TEXT DEFAULT 'active' NOT NULL,
  created_at INTEGER NOT NULL,
  closed_at INTEGER,
  CONSTRAINT handle_format CHECK (length(handle) BETWEEN 3 AND 30 AND handle NOT GLOB '*[^a-z0-9._-]*' AND handle GLOB '[a-z0-9]*[a-z0-9]' AND handle NOT GLOB '*[._-][._-]*'),
  CONSTRAINT identity_status CHECK (status IN ('active','suspended','closed')),
  CONSTRAINT identity_closed_at CHECK ((status = 'closed') = (closed_at IS NOT NULL))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX identities_skeleton_unique ON identities (skeleton);
--> statement-breakpoint
CREATE UNIQUE INDEX identities_ticket_unique ON identities (ticket);
--> statement-breakpoint
CREATE TABLE profiles (
  handle TEXT PRIMARY KEY NOT NULL,
  display_name TEXT NOT NULL,
  locale TEXT,
  updated_at INTEGER NOT NULL,
  FOREIGN KEY (handle) REFERENCES identities(handle),
  CONSTRAINT display_name_length CHECK (length(display_name) <= 64)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE emails (
  email TEXT PRIMARY KEY NOT NULL,
  handle TEXT NOT NULL,
  verified_at INTEGER NOT NULL,
  FOREIGN KEY (handle) REFERENCES identities(handle),
  CONSTRAINT email_canonical CHECK (email = lower(trim(email)) AND instr(email, '@') > 1)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX emails_handle_email ON emails (handle, email);
--> statement-breakpoint
CREATE TABLE credentials (
  id TEXT PRIMARY KEY NOT NULL,
  handle TEXT NOT NULL,
  provider TEXT NOT NULL,
  provider_user_id TEXT NOT NULL,
  email TEXT,
  name TEXT,
  password_hash TEXT,
  public_key TEXT,
  sign_count INTEGER,
  transports TEXT,
  backed_up INTEGER,
  linked_at INTEGER NOT NULL,
  last_login_at INTEGER NOT NULL,
  FOREIGN KEY (handle) REFERENCES identities(handle),
  FOREIGN KEY (email,handle) REFERENCES emails(email,handle),
  CONSTRAINT credential_provider CHECK (provider IN ('idp','google','github','email','passkey')),
  CONSTRAINT provider_user_id_length CHECK (length(provider_user_id) BETWEEN 1 AND 1023),
  CONSTRAINT credential_name_length CHECK (length(name) <= 64),
  CONSTRAINT sign_count_range CHECK (sign_count >= 0),
  CONSTRAINT password_shape CHECK ((provider = 'email') = (password_hash IS NOT NULL) AND (provider <> 'email' OR email IS provider_user_id)),
  CONSTRAINT passkey_shape CHECK ((provider = 'passkey') = (public_key IS NOT NULL) AND (provider = 'passkey') = (sign_count IS NOT NULL))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX credentials_handle ON credentials (handle, linked_at);
--> statement-breakpoint
CREATE INDEX credentials_email ON credentials (email, handle) WHERE email IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX credentials_one_password ON credentials (handle) WHERE provider = 'email';
--> statement-breakpoint
CREATE UNIQUE INDEX credentials_provider_user ON credentials (provider, provider_user_id);
--> statement-breakpoint
CREATE TABLE sessions (
  id TEXT PRIMARY KEY NOT NULL,
  handle TEXT NOT NULL,
  credential_id TEXT NOT NULL,
  provider TEXT NOT NULL,
  authenticated_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  token_hash TEXT NOT NULL,
  token_expires_at INTEGER NOT NULL,
  previous_hash TEXT,
  rotated_at INTEGER,
  user_agent TEXT,
  address TEXT,
  country TEXT,
  revoked_at INTEGER,
  revoked_reason TEXT,
  CONSTRAINT session_revoked CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL)),
  CONSTRAINT session_revoked_reason CHECK (revoked_reason IN ('logout','replaced','replay','expired','ended','password','unlinked','suspended','closed')),
  CONSTRAINT session_expiry CHECK (expires_at > created_at AND token_expires_at <= expires_at),
  CONSTRAINT session_rotation CHECK ((previous_hash IS NULL) = (rotated_at IS NULL) AND previous_hash <> token_hash)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX sessions_live ON sessions (handle, id) WHERE revoked_at IS NULL;
--> statement-breakpoint
CREATE INDEX sessions_expiry ON sessions (expires_at);
--> statement-breakpoint
CREATE TABLE claim_tickets (
  hash TEXT PRIMARY KEY NOT NULL,
  provider TEXT NOT NULL,
  provider_user_id TEXT NOT NULL,
  email TEXT,
  shown_email TEXT,
  display_name TEXT,
  locale TEXT,
  credential_name TEXT,
  password_hash TEXT,
  public_key TEXT,
  sign_count INTEGER,
  transports TEXT,
  backed_up INTEGER,
  expires_at INTEGER NOT NULL,
  consumed_by TEXT,
  CONSTRAINT ticket_email_shown CHECK (email IS NULL OR email = shown_email)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX claim_tickets_consumed_by_unique ON claim_tickets (consumed_by);
--> statement-breakpoint
CREATE INDEX claim_tickets_expiry ON claim_tickets (expires_at);
--> statement-breakpoint
CREATE TABLE used_once (
  hash TEXT PRIMARY KEY NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX used_once_expiry ON used_once (expires_at);
--> statement-breakpoint
CREATE TABLE signing_keys (
  kid TEXT PRIMARY KEY NOT NULL,
  generation INTEGER NOT NULL,
  alg TEXT NOT NULL,
  public_jwk TEXT NOT NULL,
  private_enc TEXT NOT NULL,
  signs_from INTEGER NOT NULL,
  signs_until INTEGER NOT NULL,
  verifies_until INTEGER NOT NULL,
  CONSTRAINT signing_key_times CHECK (signs_from < signs_until AND signs_until < verifies_until)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX signing_keys_generation_unique ON signing_keys (generation);
--> statement-breakpoint
CREATE INDEX signing_keys_expiry ON signing_keys (verifies_until);
--> statement-breakpoint
CREATE TABLE activity (
  seq INTEGER PRIMARY KEY NOT NULL,
  handle TEXT NOT NULL,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  session_id TEXT,
  credential_id TEXT,
  detail TEXT
) STRICT;
--> statement-breakpoint
CREATE INDEX activity_handle ON activity (handle, seq);
--> statement-breakpoint
CREATE TABLE pid_journal (
  seq INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,
  handle TEXT NOT NULL,
  skeleton TEXT NOT NULL,
  event TEXT NOT NULL,
  at INTEGER NOT NULL,
  CONSTRAINT pid_journal_event CHECK (event IN ('issued','closed'))
) STRICT;
--> statement-breakpoint
CREATE TABLE closure_blockers (
  handle TEXT NOT NULL,
  source TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY(handle, source),
  FOREIGN KEY (handle) REFERENCES identities(handle)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO settings (id) VALUES (1);
--> statement-breakpoint
INSERT INTO tripwire (id, ok) VALUES (1, 1);
--> statement-breakpoint
-- A session that may act: not ended, its identity active, made after the last restore. Callers add expires_at > now.
CREATE VIEW live_sessions AS
SELECT s.* FROM sessions s
JOIN identities i ON i.handle = s.handle AND i.status = 'active'
JOIN settings g ON g.id = 1
WHERE s.revoked_at IS NULL AND s.created_at >= g.sessions_not_before;
--> statement-breakpoint
-- The second guard of every rule: the code refuses politely, these refuse absolutely. One that fires is a defect.
CREATE TRIGGER identity_permanent BEFORE UPDATE OF handle, skeleton, ticket, created_at ON identities
BEGIN SELECT RAISE(ABORT, 'guard:identity_permanent'); END;
--> statement-breakpoint
CREATE TRIGGER identity_never_deleted BEFORE DELETE ON identities
BEGIN SELECT RAISE(ABORT, 'guard:identity_permanent'); END;
--> statement-breakpoint
CREATE TRIGGER identity_closed_final BEFORE UPDATE OF status, closed_at ON identities WHEN OLD.status = 'closed'
BEGIN SELECT RAISE(ABORT, 'guard:identity_closed_final'); END;
--> statement-breakpoint
CREATE TRIGGER identity_closure_blocked BEFORE UPDATE OF status ON identities
WHEN NEW.status = 'closed' AND EXISTS (SELECT 1 FROM closure_blockers WHERE handle = NEW.handle)
BEGIN SELECT RAISE(ABORT, 'guard:closure_blocked'); END;
--> statement-breakpoint
CREATE TRIGGER identity_issued AFTER INSERT ON identities
BEGIN INSERT INTO pid_journal (handle, skeleton, event, at) VALUES (NEW.handle, NEW.skeleton, 'issued', NEW.created_at); END;
--> statement-breakpoint
CREATE TRIGGER identity_closed AFTER UPDATE OF status ON identities WHEN NEW.status = 'closed'
BEGIN INSERT INTO pid_journal (handle, skeleton, event, at) VALUES (NEW.handle, NEW.skeleton, 'closed', NEW.closed_at); END;
--> statement-breakpoint
CREATE TRIGGER credential_last BEFORE DELETE ON credentials
WHEN NOT EXISTS (SELECT 1 FROM credentials WHERE handle = OLD.handle AND id <> OLD.id)
  AND EXISTS (SELECT 1 FROM identities WHERE handle = OLD.handle AND status <> 'closed')
BEGIN SELECT RAISE(ABORT, 'guard:last_credential'); END;
--> statement-breakpoint
CREATE TRIGGER credential_owner BEFORE UPDATE OF id, handle, provider, provider_user_id ON credentials
BEGIN SELECT RAISE(ABORT, 'guard:credential_owner'); END;
--> statement-breakpoint
CREATE TRIGGER credential_linked AFTER INSERT ON credentials
BEGIN INSERT INTO activity (handle, at, type, credential_id, detail) VALUES (NEW.handle, NEW.linked_at, 'credential.linked', NEW.id, NEW.provider); END;
--> statement-breakpoint
-- An address is freed with the last credential that uses it.
CREATE TRIGGER credential_email_freed AFTER DELETE ON credentials WHEN OLD.email IS NOT NULL
BEGIN DELETE FROM emails WHERE email = OLD.email AND NOT EXISTS (SELECT 1 FROM credentials WHERE email = OLD.email); END;
--> statement-breakpoint
CREATE TRIGGER credential_email_changed AFTER UPDATE OF email ON credentials
WHEN OLD.email IS NOT NULL AND OLD.email IS NOT NEW.email
BEGIN DELETE FROM emails WHERE email = OLD.email AND NOT EXISTS (SELECT 1 FROM credentials WHERE email = OLD.email); END;
--> statement-breakpoint
CREATE TRIGGER session_needs_active BEFORE INSERT ON sessions
WHEN NOT EXISTS (SELECT 1 FROM identities i JOIN credentials c ON c.id = NEW.credential_id AND c.handle = i.handle WHERE i.handle = NEW.handle AND i.status = 'active')
BEGIN SELECT RAISE(ABORT, 'guard:session_needs_active'); END;
--> statement-breakpoint
CREATE TRIGGER session_end_final BEFORE UPDATE OF revoked_at, revoked_reason ON sessions WHEN OLD.revoked_at IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'guard:session_end_final'); END;
--> statement-breakpoint
CREATE TRIGGER session_fixed BEFORE UPDATE OF id, handle, authenticated_at, created_at, expires_at ON sessions
BEGIN SELECT RAISE(ABORT, 'guard:session_fixed'); END;
--> statement-breakpoint
-- A rotation must spend the live token: its successor names it as predecessor, and an ended session rotates no more.
CREATE TRIGGER session_token_used_once BEFORE UPDATE OF token_hash, previous_hash, rotated_at, token_expires_at ON sessions
WHEN OLD.revoked_at IS NOT NULL OR NEW.previous_hash IS NOT OLD.token_hash
BEGIN SELECT RAISE(ABORT, 'guard:session_token_used_once'); END;
--> statement-breakpoint
CREATE TRIGGER session_started AFTER INSERT ON sessions
BEGIN INSERT INTO activity (handle, at, type, session_id, credential_id, detail) VALUES (NEW.handle, NEW.created_at, 'session.started', NEW.id, NEW.credential_id, NEW.provider); END;
--> statement-breakpoint
CREATE TRIGGER session_ended AFTER UPDATE OF revoked_at ON sessions WHEN NEW.revoked_at IS NOT NULL
BEGIN INSERT INTO activity (handle, at, type, session_id, credential_id, detail) VALUES (NEW.handle, NEW.revoked_at, 'session.ended', NEW.id, NEW.credential_id, NEW.revoked_reason); END;
--> statement-breakpoint
CREATE TRIGGER ticket_used_once BEFORE UPDATE ON claim_tickets WHEN OLD.consumed_by IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'guard:ticket_used_once'); END;
