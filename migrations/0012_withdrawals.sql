-- Money on its way to a bank account. Triggers on its status hold it, pay it out or give it back.
CREATE TABLE withdrawals (
  id TEXT PRIMARY KEY NOT NULL,
  handle TEXT NOT NULL,
  account INTEGER NOT NULL,
  asset TEXT NOT NULL,
  amount INTEGER NOT NULL,
  fee INTEGER NOT NULL,
  gateway TEXT NOT NULL,
  destination_enc TEXT NOT NULL,
  destination_hint TEXT NOT NULL,
  payout TEXT,
  status TEXT DEFAULT 'quoted' NOT NULL,
  failure TEXT,
  held_by TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  held_at INTEGER,
  submitted_at INTEGER,
  ended_at INTEGER,
  returned_at INTEGER,
  next_at INTEGER,
  tries INTEGER DEFAULT 0 NOT NULL,
  FOREIGN KEY (account) REFERENCES accounts(id),
  CONSTRAINT withdrawal_amount CHECK (amount > 0 AND fee >= 0),
  CONSTRAINT withdrawal_times CHECK ((status = 'quoted') = (held_at IS NULL) AND (held_at IS NULL) = (held_by IS NULL) AND (status IN ('quoted','held','cancelled')) = (submitted_at IS NULL) AND (status IN ('paid','failed','cancelled','returned')) = (ended_at IS NOT NULL) AND (status = 'returned') = (returned_at IS NOT NULL)),
  CONSTRAINT withdrawal_in_time CHECK (held_at < expires_at),
  CONSTRAINT withdrawal_due CHECK (next_at IS NOT NULL OR status NOT IN ('held','submitted'))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX withdrawals_payout ON withdrawals (gateway, payout);
--> statement-breakpoint
CREATE INDEX withdrawals_due ON withdrawals (next_at) WHERE next_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX withdrawals_handle ON withdrawals (handle, id);
--> statement-breakpoint
CREATE INDEX withdrawals_quoted ON withdrawals (expires_at) WHERE status = 'quoted';
--> statement-breakpoint
CREATE INDEX withdrawals_sealed ON withdrawals (ended_at) WHERE ended_at IS NOT NULL AND destination_enc <> '';
--> statement-breakpoint
CREATE TRIGGER withdrawal_begins BEFORE INSERT ON withdrawals WHEN NEW.status <> 'quoted'
BEGIN SELECT RAISE(ABORT, 'guard:withdrawal_order'); END;
--> statement-breakpoint
CREATE TRIGGER withdrawal_order BEFORE UPDATE OF status ON withdrawals WHEN OLD.status <> NEW.status AND OLD.status || '>' || NEW.status NOT IN ('quoted>held','held>submitted','held>cancelled','submitted>paid','submitted>failed','paid>returned')
BEGIN SELECT RAISE(ABORT, 'guard:withdrawal_order'); END;
--> statement-breakpoint
CREATE TRIGGER withdrawal_fixed BEFORE UPDATE OF id, handle, account, asset, amount, fee, gateway ON withdrawals
BEGIN SELECT RAISE(ABORT, 'guard:withdrawal_fixed'); END;
--> statement-breakpoint
-- A destination can be sealed again at any time, but erased only after the end. The seal itself binds it to its row.
CREATE TRIGGER withdrawal_destination BEFORE UPDATE OF destination_enc ON withdrawals WHEN NEW.destination_enc = '' AND OLD.ended_at IS NULL
BEGIN SELECT RAISE(ABORT, 'guard:withdrawal_fixed'); END;
--> statement-breakpoint
CREATE TRIGGER withdrawal_kept BEFORE DELETE ON withdrawals WHEN OLD.status <> 'quoted'
BEGIN SELECT RAISE(ABORT, 'guard:ledger_immutable'); END;
--> statement-breakpoint
CREATE TRIGGER withdrawal_holds AFTER UPDATE OF status ON withdrawals WHEN OLD.status <> NEW.status AND NEW.status = 'held'
BEGIN INSERT INTO legs (kind, ref, n, phase, debit, credit, amount, at) SELECT 'withdrawal', NEW.id, 1, 'pending', NEW.account, o.id, NEW.amount, NEW.held_at FROM accounts o WHERE o.owner = 'system' AND o.kind = 'payout' AND o.asset = NEW.asset; INSERT INTO legs (kind, ref, n, phase, debit, credit, amount, at) SELECT 'withdrawal', NEW.id, 2, 'pending', NEW.account, p.id, NEW.fee, NEW.held_at FROM accounts p WHERE p.owner = 'system' AND p.kind = 'platform' AND p.asset = NEW.asset AND NEW.fee > 0; SELECT RAISE(ABORT, 'guard:withdrawal_whole') WHERE (SELECT sum(amount) FROM legs WHERE kind = 'withdrawal' AND ref = NEW.id) IS NOT NEW.amount + NEW.fee; END;
--> statement-breakpoint
CREATE TRIGGER withdrawal_ends AFTER UPDATE OF status ON withdrawals WHEN OLD.status <> NEW.status AND NEW.status IN ('paid','failed','cancelled')
BEGIN INSERT INTO legs (kind, ref, n, phase, pending_leg, debit, credit, amount, at) SELECT 'withdrawal_end', NEW.id, l.n, iif(NEW.status = 'paid', 'post', 'void'), l.seq, l.debit, l.credit, l.amount, NEW.ended_at FROM legs l WHERE l.kind = 'withdrawal' AND l.ref = NEW.id ORDER BY l.n; SELECT RAISE(ABORT, 'guard:withdrawal_whole') WHERE (SELECT sum(amount) FROM legs WHERE kind = 'withdrawal_end' AND ref = NEW.id) IS NOT NEW.amount + NEW.fee; END;
--> statement-breakpoint
-- What comes back for a closed wallet waits in suspense.
CREATE TRIGGER withdrawal_returns AFTER UPDATE OF status ON withdrawals WHEN OLD.status <> NEW.status AND NEW.status = 'returned'
BEGIN INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'withdrawal_return', NEW.id, 1, l.credit, iif(a.status = 'closed', s.id, a.id), l.amount, NEW.returned_at FROM legs l JOIN accounts a ON a.id = NEW.account JOIN accounts s ON s.owner = 'system' AND s.kind = 'suspense' AND s.asset = NEW.asset WHERE l.kind = 'withdrawal' AND l.ref = NEW.id AND l.n = 1; SELECT RAISE(ABORT, 'guard:withdrawal_whole') WHERE NOT EXISTS (SELECT 1 FROM legs WHERE kind = 'withdrawal_return' AND ref = NEW.id AND amount = NEW.amount); END;
