-- Mail on its way, popups, and what email with password and passkeys need beside the credentials.
CREATE TABLE email_codes (
  purpose TEXT NOT NULL,
  email TEXT NOT NULL,
  bound_to TEXT NOT NULL,
  mac TEXT NOT NULL,
  password_hash TEXT,
  tries_left INTEGER DEFAULT 5 NOT NULL,
  expires_at INTEGER NOT NULL,
  used_by TEXT,
  PRIMARY KEY (purpose, email, bound_to),
  CONSTRAINT code_purpose CHECK (purpose IN ('register','link','reset')),
  CONSTRAINT code_tries CHECK (tries_left BETWEEN 0 AND 5)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX email_codes_expiry ON email_codes (expires_at);
--> statement-breakpoint
CREATE TABLE secret_tries (
  key TEXT PRIMARY KEY NOT NULL,
  tries INTEGER NOT NULL,
  resets_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX secret_tries_expiry ON secret_tries (resets_at);
--> statement-breakpoint
CREATE TABLE mails (
  id TEXT PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL,
  recipient TEXT NOT NULL,
  locale TEXT NOT NULL,
  sealed_params TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  next_at INTEGER,
  tries INTEGER DEFAULT 0 NOT NULL,
  sent_at INTEGER,
  expires_at INTEGER NOT NULL,
  CONSTRAINT mail_sent_once CHECK (sent_at IS NULL OR next_at IS NULL),
  CONSTRAINT mail_locale CHECK (locale IN ('en','id'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX mails_next ON mails (next_at) WHERE next_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX mails_recipient ON mails (recipient, created_at);
--> statement-breakpoint
CREATE INDEX mails_expiry ON mails (expires_at);
--> statement-breakpoint
CREATE TABLE passkey_challenges (
  hash TEXT PRIMARY KEY NOT NULL,
  purpose TEXT NOT NULL,
  bound_to TEXT NOT NULL,
  user_id TEXT,
  expires_at INTEGER NOT NULL,
  used_by TEXT,
  CONSTRAINT challenge_purpose CHECK (purpose IN ('login','register','link'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX passkey_challenges_expiry ON passkey_challenges (expires_at);
--> statement-breakpoint
ALTER TABLE claim_tickets ADD COLUMN passkey_user_id TEXT;
--> statement-breakpoint
CREATE TABLE popup_requests (
  id TEXT PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL,
  app_id TEXT,
  origin TEXT NOT NULL,
  verifier_hash TEXT NOT NULL,
  operation TEXT,
  params TEXT DEFAULT '{}' NOT NULL,
  inquiry_id TEXT,
  digest TEXT NOT NULL,
  handle TEXT,
  session_id TEXT,
  status TEXT DEFAULT 'created' NOT NULL,
  opener_lost INTEGER DEFAULT 0 NOT NULL,
  last_seen_at INTEGER,
  away_to TEXT,
  asked_at INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  decided_at INTEGER,
  redeemed_op TEXT,
  CONSTRAINT popup_id_length CHECK (length(id) = 22),
  CONSTRAINT popup_kind CHECK (kind IN ('login','approval')),
  CONSTRAINT popup_operation CHECK (operation IN ('transfer','wallet.create')),
  CONSTRAINT popup_status CHECK (status IN ('created','opened','approved','redeemed','denied','cancelled','expired','invalid','lapsed')),
  CONSTRAINT popup_opener_lost CHECK (opener_lost IN (0,1)),
  CONSTRAINT popup_away_to CHECK (length(away_to) BETWEEN 1 AND 32 AND away_to NOT GLOB '*[^a-z0-9-]*'),
  CONSTRAINT popup_approval_operation CHECK ((kind = 'approval') = (operation IS NOT NULL)),
  CONSTRAINT popup_transfer_inquiry CHECK ((operation IS 'transfer') = (inquiry_id IS NOT NULL)),
  CONSTRAINT popup_approval_bound CHECK (kind = 'login' OR (app_id IS NOT NULL AND handle IS NOT NULL)),
  CONSTRAINT popup_decided CHECK ((status IN ('approved','redeemed','denied','lapsed')) = (decided_at IS NOT NULL)),
  CONSTRAINT popup_decided_by CHECK (status NOT IN ('approved','redeemed','lapsed') OR (handle IS NOT NULL AND session_id IS NOT NULL)),
  CONSTRAINT popup_redeemed CHECK ((status = 'redeemed') = (redeemed_op IS NOT NULL))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX popup_requests_redeemed_op_unique ON popup_requests (redeemed_op);
--> statement-breakpoint
CREATE INDEX popup_requests_expiry ON popup_requests (expires_at) WHERE status <> 'redeemed';
--> statement-breakpoint
CREATE TRIGGER code_used_once BEFORE UPDATE OF used_by ON email_codes WHEN OLD.used_by IS NOT NULL AND OLD.mac = NEW.mac
BEGIN SELECT RAISE(ABORT, 'guard:code_used_once'); END;
--> statement-breakpoint
CREATE TRIGGER mail_sent_final BEFORE UPDATE ON mails WHEN OLD.sent_at IS NOT NULL AND (NEW.sent_at IS NOT OLD.sent_at OR NEW.next_at IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'guard:mail_sent_final'); END;
--> statement-breakpoint
CREATE TRIGGER challenge_used_once BEFORE UPDATE ON passkey_challenges WHEN OLD.used_by IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'guard:challenge_used_once'); END;
--> statement-breakpoint
-- What was decided stays decided; approved alone goes on, to redeemed or lapsed.
CREATE TRIGGER popup_decided_final BEFORE UPDATE OF status ON popup_requests
WHEN OLD.status NOT IN ('created','opened') AND NOT (OLD.status = 'approved' AND NEW.status IN ('redeemed','lapsed'))
BEGIN SELECT RAISE(ABORT, 'guard:popup_decided_final'); END;
--> statement-breakpoint
-- Which providers there are is for the code to say: one more needs no migration. SQLite changes a constraint only by
-- making the table anew, and the trigger that reads it is away meanwhile.
DROP TRIGGER session_needs_active;
--> statement-breakpoint
CREATE TABLE credentials_next (
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
  passkey_user_id TEXT,
  FOREIGN KEY (handle) REFERENCES identities(handle),
  FOREIGN KEY (email,handle) REFERENCES emails(email,handle),
  CONSTRAINT credential_provider CHECK (length(provider) BETWEEN 1 AND 32 AND provider NOT GLOB '*[^a-z0-9-]*'),
  CONSTRAINT provider_user_id_length CHECK (length(provider_user_id) BETWEEN 1 AND 1023),
  CONSTRAINT credential_name_length CHECK (length(name) <= 64),
  CONSTRAINT sign_count_range CHECK (sign_count >= 0),
  CONSTRAINT password_shape CHECK ((provider = 'email') = (password_hash IS NOT NULL) AND (provider <> 'email' OR email IS provider_user_id)),
  CONSTRAINT passkey_shape CHECK ((provider = 'passkey') = (public_key IS NOT NULL) AND (provider = 'passkey') = (sign_count IS NOT NULL)),
  CONSTRAINT passkey_user CHECK ((provider = 'passkey') = (passkey_user_id IS NOT NULL))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO credentials_next (id, handle, provider, provider_user_id, email, name, password_hash, public_key, sign_count, transports, backed_up,
  linked_at, last_login_at)
SELECT id, handle, provider, provider_user_id, email, name, password_hash, public_key, sign_count, transports, backed_up,
  linked_at, last_login_at FROM credentials;
--> statement-breakpoint
DROP TABLE credentials;
--> statement-breakpoint
ALTER TABLE credentials_next RENAME TO credentials;
--> statement-breakpoint
CREATE INDEX credentials_handle ON credentials (handle, linked_at);
--> statement-breakpoint
CREATE INDEX credentials_email ON credentials (email, handle) WHERE email IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX credentials_one_password ON credentials (handle) WHERE provider = 'email';
--> statement-breakpoint
CREATE UNIQUE INDEX credentials_provider_user ON credentials (provider, provider_user_id);
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
