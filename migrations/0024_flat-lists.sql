-- A wallet's page reads as much after a million movements as after ten: entries are kept by account and `way`, in order of time.
-- way: 0 a further leg of a movement, 1 a transfer in, 2 a transfer out, 3 anything else in, 4 anything else out.
-- kind and ref say what a line is and which document posted it, so a page reads no legs. A transfer has no kind.
DROP TRIGGER leg_posted;
--> statement-breakpoint
CREATE TABLE entries_by_way (
  account INTEGER NOT NULL,
  way INTEGER NOT NULL,
  at INTEGER NOT NULL,
  leg INTEGER NOT NULL,
  delta INTEGER NOT NULL,
  balance INTEGER NOT NULL,
  kind TEXT,
  ref TEXT NOT NULL,
  PRIMARY KEY (account, way, at, leg),
  CONSTRAINT entry_way CHECK (way BETWEEN 0 AND 4 AND (kind IS NOT NULL) = (way > 2) AND (way = 0 OR (way IN (1, 3)) = (delta > 0)))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO entries_by_way SELECT e.account, iif(l.n > 1, 0, iif(l.kind = 'transfer', 1, 3) + (e.delta < 0)), e.at, e.leg, e.delta, e.balance, iif(l.n > 1 OR l.kind = 'transfer', NULL, iif(l.kind IN ('deposit', 'refund', 'sweep'), l.kind, iif(l.kind = 'withdrawal_end', 'withdrawal', iif(l.kind GLOB '*_reversal' OR l.kind GLOB '*_return', 'reversal', 'correction')))), l.ref FROM entries e JOIN legs l ON l.seq = e.leg;
--> statement-breakpoint
DROP TABLE entries;
--> statement-breakpoint
ALTER TABLE entries_by_way RENAME TO entries;
--> statement-breakpoint
CREATE INDEX entries_kind ON entries (account, kind, way, at, leg, delta, balance, ref) WHERE kind IS NOT NULL;
--> statement-breakpoint
CREATE TRIGGER entry_no_update BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'guard:ledger_immutable'); END;
--> statement-breakpoint
CREATE TRIGGER entry_no_delete BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'guard:ledger_immutable'); END;
--> statement-breakpoint
CREATE TRIGGER leg_posted AFTER INSERT ON legs WHEN NEW.phase IN ('posted','post')
BEGIN UPDATE accounts SET debits_posted = debits_posted + NEW.amount, debits_pending = debits_pending - iif(NEW.phase = 'post', NEW.amount, 0), moved_at = max(moved_at, NEW.at) WHERE id = NEW.debit; UPDATE accounts SET credits_posted = credits_posted + NEW.amount, credits_pending = credits_pending - iif(NEW.phase = 'post', NEW.amount, 0), moved_at = max(moved_at, NEW.at) WHERE id = NEW.credit; INSERT INTO entries SELECT id, iif(NEW.n > 1, 0, iif(NEW.kind = 'transfer', 2, 4)), moved_at, NEW.seq, -NEW.amount, credits_posted - debits_posted, iif(NEW.n > 1 OR NEW.kind = 'transfer', NULL, iif(NEW.kind IN ('deposit', 'refund', 'sweep'), NEW.kind, iif(NEW.kind = 'withdrawal_end', 'withdrawal', iif(NEW.kind GLOB '*_reversal' OR NEW.kind GLOB '*_return', 'reversal', 'correction')))), NEW.ref FROM accounts WHERE id = NEW.debit; INSERT INTO entries SELECT id, iif(NEW.n > 1, 0, iif(NEW.kind = 'transfer', 1, 3)), moved_at, NEW.seq, NEW.amount, credits_posted - debits_posted, iif(NEW.n > 1 OR NEW.kind = 'transfer', NULL, iif(NEW.kind IN ('deposit', 'refund', 'sweep'), NEW.kind, iif(NEW.kind = 'withdrawal_end', 'withdrawal', iif(NEW.kind GLOB '*_reversal' OR NEW.kind GLOB '*_return', 'reversal', 'correction')))), NEW.ref FROM accounts WHERE id = NEW.credit; END;
