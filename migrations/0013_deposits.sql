-- What people pay in through a provider. The id is the provider's order id. A row waits for its next look while next_at is set.
CREATE TABLE deposits (
  id TEXT PRIMARY KEY NOT NULL,
  handle TEXT NOT NULL,
  account INTEGER NOT NULL,
  app_account INTEGER,
  asset TEXT NOT NULL,
  gross INTEGER NOT NULL,
  app_fee INTEGER NOT NULL,
  platform_fee INTEGER NOT NULL,
  net INTEGER NOT NULL,
  app_id TEXT,
  gateway TEXT NOT NULL,
  method TEXT,
  return_url TEXT,
  idempotency_key TEXT,
  request_hash TEXT,
  session TEXT,
  url TEXT,
  status TEXT DEFAULT 'creating' NOT NULL,
  failure TEXT,
  payment TEXT,
  paid INTEGER,
  paid_currency TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  credited_at INTEGER,
  reversed_at INTEGER,
  next_at INTEGER,
  asked_at INTEGER DEFAULT 0 NOT NULL,
  tries INTEGER DEFAULT 0 NOT NULL,
  FOREIGN KEY (account) REFERENCES accounts(id),
  FOREIGN KEY (app_account) REFERENCES accounts(id),
  CONSTRAINT deposit_sums CHECK (gross > 0 AND app_fee >= 0 AND platform_fee >= 0 AND net = gross - app_fee - platform_fee AND net >= 1),
  CONSTRAINT deposit_app CHECK (app_fee = 0 OR app_account IS NOT NULL),
  CONSTRAINT deposit_opened CHECK (status <> 'pending' OR (session IS NOT NULL AND url IS NOT NULL)),
  CONSTRAINT deposit_credited_at CHECK ((status IN ('credited','reversed')) = (credited_at IS NOT NULL) AND (status = 'reversed') = (reversed_at IS NOT NULL) AND (credited_at IS NULL OR payment IS NOT NULL)),
  CONSTRAINT deposit_key CHECK ((idempotency_key IS NULL) = (request_hash IS NULL))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX deposits_key ON deposits (handle, idempotency_key) WHERE idempotency_key IS NOT NULL AND app_id IS NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX deposits_app_key ON deposits (handle, app_id, idempotency_key) WHERE idempotency_key IS NOT NULL AND app_id IS NOT NULL;
--> statement-breakpoint
CREATE UNIQUE INDEX deposits_payment ON deposits (gateway, payment) WHERE payment IS NOT NULL;
--> statement-breakpoint
CREATE INDEX deposits_due ON deposits (gateway, next_at) WHERE next_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX deposits_handle ON deposits (handle, id);
--> statement-breakpoint
CREATE INDEX deposits_review ON deposits (id) WHERE status = 'review' OR failure = 'refund_uncovered';
--> statement-breakpoint
CREATE INDEX deposits_ended ON deposits (updated_at) WHERE status IN ('expired','failed');
--> statement-breakpoint
CREATE TRIGGER deposit_begins BEFORE INSERT ON deposits WHEN NEW.status <> 'creating'
BEGIN SELECT RAISE(ABORT, 'guard:deposit_order'); END;
--> statement-breakpoint
CREATE TRIGGER deposit_order BEFORE UPDATE OF status ON deposits WHEN NOT ((OLD.status = 'creating' AND NEW.status IN ('pending','credited','expired','failed','review')) OR (OLD.status = 'pending' AND NEW.status IN ('credited','expired','failed','review')) OR (OLD.status IN ('expired','failed') AND NEW.status IN ('credited','review')) OR (OLD.status = 'review' AND NEW.status IN ('credited','failed')) OR (OLD.status = 'credited' AND NEW.status = 'reversed'))
BEGIN SELECT RAISE(ABORT, 'guard:deposit_order'); END;
--> statement-breakpoint
CREATE TRIGGER deposit_fixed BEFORE UPDATE OF id, handle, account, app_account, asset, app_id, gateway, idempotency_key, request_hash, created_at ON deposits
BEGIN SELECT RAISE(ABORT, 'guard:deposit_fixed'); END;
--> statement-breakpoint
-- The operator may credit what was paid instead of what was asked for.
CREATE TRIGGER deposit_amounts_fixed BEFORE UPDATE OF gross, app_fee, platform_fee, net ON deposits WHEN OLD.status <> 'review'
BEGIN SELECT RAISE(ABORT, 'guard:deposit_fixed'); END;
--> statement-breakpoint
CREATE TRIGGER deposit_kept BEFORE DELETE ON deposits WHEN OLD.status NOT IN ('expired','failed') OR OLD.payment IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'guard:ledger_immutable'); END;
--> statement-breakpoint
CREATE TRIGGER deposit_posts AFTER UPDATE OF status ON deposits WHEN NEW.status = 'credited'
BEGIN INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'deposit', NEW.id, 1, g.id, NEW.account, NEW.net, NEW.credited_at FROM accounts g WHERE g.owner = 'system' AND g.kind = 'gateway' AND g.asset = NEW.asset; INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'deposit', NEW.id, 2, g.id, NEW.app_account, NEW.app_fee, NEW.credited_at FROM accounts g WHERE g.owner = 'system' AND g.kind = 'gateway' AND g.asset = NEW.asset AND NEW.app_fee > 0; INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'deposit', NEW.id, 3, g.id, p.id, NEW.platform_fee, NEW.credited_at FROM accounts g JOIN accounts p ON p.owner = 'system' AND p.kind = 'platform' AND p.asset = NEW.asset WHERE g.owner = 'system' AND g.kind = 'gateway' AND g.asset = NEW.asset AND NEW.platform_fee > 0; SELECT RAISE(ABORT, 'guard:deposit_whole') WHERE (SELECT sum(amount) FROM legs WHERE kind = 'deposit' AND ref = NEW.id) IS NOT NEW.gross; END;
--> statement-breakpoint
CREATE TRIGGER deposit_reversed AFTER UPDATE OF status ON deposits WHEN NEW.status = 'reversed'
BEGIN INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'deposit_reversal', NEW.id, l.n, l.credit, l.debit, l.amount, NEW.reversed_at FROM legs l WHERE l.kind = 'deposit' AND l.ref = NEW.id ORDER BY l.n; END;
--> statement-breakpoint
CREATE TRIGGER deposit_told AFTER UPDATE OF status ON deposits WHEN NEW.app_id IS NOT NULL
BEGIN INSERT INTO webhook_events (id, app_id, type, data, at) VALUES ('evt_' || NEW.id || '_' || NEW.status, NEW.app_id, 'deposit.' || NEW.status, json_object('id', NEW.id, 'pid', NEW.handle || '@pid', 'status', NEW.status, 'failure', NEW.failure, 'asset', NEW.asset, 'amount', NEW.gross, 'appFee', NEW.app_fee, 'platformFee', NEW.platform_fee, 'netAmount', NEW.net), NEW.updated_at) ON CONFLICT (id) DO NOTHING; END;
