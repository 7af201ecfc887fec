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
  CONSTRAINT mail_sent_once CHECK (sent_at IS NULL OR next_at IS NULL)
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
  CONSTRAINT popup_away_to CHECK (away_to IN ('idp','google','github')),
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
CREATE TRIGGER challenge_used_once BEFORE UPDATE ON passkey_challenges WHEN OLD.used_by IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'guard:challenge_used_once'); END;
--> statement-breakpoint
-- What was decided stays decided; approved alone goes on, to redeemed or lapsed.
CREATE TRIGGER popup_decided_final BEFORE UPDATE OF status ON popup_requests
WHEN OLD.status NOT IN ('created','opened') AND NOT (OLD.status = 'approved' AND NEW.status IN ('redeemed','lapsed'))
BEGIN SELECT RAISE(ABORT, 'guard:popup_decided_final'); END;
