-- Another payment of an order that was credited already: a case of the desk, which credits it or has it given back.
-- Its id is that of the adjustment that puts it in suspense. The decision posts one correction, which names it.
CREATE TABLE second_payments (
  id TEXT PRIMARY KEY NOT NULL,
  deposit TEXT NOT NULL,
  handle TEXT NOT NULL,
  amount INTEGER NOT NULL,
  status TEXT DEFAULT 'open' NOT NULL,
  at INTEGER NOT NULL,
  decided_at INTEGER,
  FOREIGN KEY (deposit) REFERENCES deposits(id),
  CONSTRAINT second_payment_status CHECK (status IN ('open','credited','returned')),
  CONSTRAINT second_payment_decided CHECK ((status = 'open') = (decided_at IS NULL))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX second_payments_open ON second_payments (at, id) WHERE status = 'open';
--> statement-breakpoint
CREATE INDEX second_payments_handle ON second_payments (handle, id) WHERE status = 'open';
--> statement-breakpoint
CREATE UNIQUE INDEX adjustments_of ON adjustments (ref) WHERE kind = 'correction' AND ref IS NOT NULL;
--> statement-breakpoint
INSERT INTO second_payments (id, deposit, handle, amount, at) SELECT a.id, d.id, d.handle, a.amount, a.at FROM adjustments a JOIN deposits d ON d.id = a.ref WHERE a.kind = 'second_payment';
--> statement-breakpoint
-- What was credited before this version is looked at again, spread over a day.
UPDATE deposits SET next_at = unixepoch() * 1000 + credited_at % 86400000 WHERE status IN ('credited','reversed') AND next_at IS NULL AND credited_at > unixepoch() * 1000 - 7776000000;
--> statement-breakpoint
-- Writes: second_payments, webhook_events.
CREATE TRIGGER second_payment_begins AFTER INSERT ON adjustments WHEN NEW.kind = 'second_payment'
BEGIN INSERT INTO second_payments (id, deposit, handle, amount, at) SELECT NEW.id, d.id, d.handle, NEW.amount, NEW.at FROM deposits d WHERE d.id = NEW.ref; INSERT INTO webhook_events (id, app_id, type, data, at) SELECT 'evt_' || NEW.id || '_open', d.app_id, 'deposit.second_payment', json_object('id', NEW.id, 'depositId', d.id, 'pid', d.handle || '@pid', 'status', 'open', 'asset', d.asset, 'amount', NEW.amount), NEW.at FROM deposits d WHERE d.id = NEW.ref AND d.app_id IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER second_payment_fixed BEFORE UPDATE ON second_payments WHEN OLD.status <> 'open' OR (NEW.id, NEW.deposit, NEW.handle, NEW.amount, NEW.at) IS NOT (OLD.id, OLD.deposit, OLD.handle, OLD.amount, OLD.at)
BEGIN SELECT RAISE(ABORT, 'guard:second_payment_fixed'); END;
--> statement-breakpoint
CREATE TRIGGER second_payment_kept BEFORE DELETE ON second_payments
BEGIN SELECT RAISE(ABORT, 'guard:ledger_immutable'); END;
--> statement-breakpoint
-- Only a decision ends it, and none in one's own favour. Its id is that of the decision. Writes: adjustments, webhook_events.
CREATE TRIGGER second_payment_ends AFTER UPDATE OF status ON second_payments WHEN OLD.status = 'open'
BEGIN SELECT RAISE(ABORT, 'guard:own_favour') WHERE NEW.status = 'credited' AND EXISTS (SELECT 1 FROM desk_decisions d WHERE d.target = NEW.id AND d.outcome IN ('alone','approved') AND NEW.handle IN (d.maker, d.decided_by)); INSERT INTO adjustments (id, kind, debit, credit, amount, ref, reason, actor, at) SELECT 'adj_' || substr(p.id, 5), 'correction', a.credit, iif(NEW.status = 'credited', d.account, a.debit), NEW.amount, NEW.id, p.reason, p.maker, NEW.decided_at FROM adjustments a JOIN deposits d ON d.id = NEW.deposit JOIN desk_decisions p ON p.target = NEW.id AND p.outcome IN ('alone','approved') WHERE a.id = NEW.id; SELECT RAISE(ABORT, 'guard:desk_decided') WHERE NOT EXISTS (SELECT 1 FROM adjustments WHERE ref = NEW.id AND kind = 'correction'); INSERT INTO webhook_events (id, app_id, type, data, at) SELECT 'evt_' || NEW.id || '_' || NEW.status, d.app_id, 'deposit.second_payment', json_object('id', NEW.id, 'depositId', d.id, 'pid', d.handle || '@pid', 'status', NEW.status, 'asset', d.asset, 'amount', NEW.amount), NEW.decided_at FROM deposits d WHERE d.id = NEW.deposit AND d.app_id IS NOT NULL; END;
