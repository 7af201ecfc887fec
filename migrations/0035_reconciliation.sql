-- Reports of providers and of the bank, and what they differ in from the ledger. Triggers of the lines post what agrees.
CREATE TABLE reports (
  id TEXT PRIMARY KEY NOT NULL,
  source TEXT NOT NULL,
  status TEXT DEFAULT 'reading' NOT NULL,
  sha256 TEXT,
  first_day TEXT,
  last_day TEXT,
  last_line INTEGER DEFAULT 0 NOT NULL,
  posted_line INTEGER DEFAULT 0 NOT NULL,
  summary TEXT,
  created_at INTEGER NOT NULL,
  decided_by TEXT,
  decided_at INTEGER,
  CONSTRAINT report_read CHECK (status IN ('reading','rejected') OR (sha256 IS NOT NULL AND first_day <= last_day AND summary IS NOT NULL)),
  CONSTRAINT report_decided CHECK ((status IN ('accepted','posted')) <= (decided_at IS NOT NULL))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX reports_file ON reports (source,sha256,first_day,last_day) WHERE status IN ('read','accepted','posted');
--> statement-breakpoint
CREATE INDEX reports_status ON reports (status,id);
--> statement-breakpoint
CREATE TABLE closed_days (
  day TEXT PRIMARY KEY NOT NULL,
  leg INTEGER NOT NULL,
  balances TEXT NOT NULL,
  closed_by TEXT NOT NULL,
  closed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE provider_payouts (
  source TEXT NOT NULL,
  reference TEXT NOT NULL,
  day TEXT NOT NULL,
  net INTEGER NOT NULL,
  arrived TEXT,
  PRIMARY KEY (source, reference)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX provider_payouts_open ON provider_payouts (day) WHERE arrived IS NULL;
--> statement-breakpoint
CREATE TABLE reconciliation_cases (
  id TEXT PRIMARY KEY NOT NULL,
  kind TEXT NOT NULL,
  amount INTEGER NOT NULL,
  currency TEXT NOT NULL,
  since INTEGER NOT NULL,
  day TEXT NOT NULL,
  ref TEXT NOT NULL,
  resolved_at INTEGER,
  resolved_by TEXT,
  reason TEXT,
  CONSTRAINT case_resolved CHECK ((resolved_at IS NULL) = (resolved_by IS NULL) AND (resolved_at IS NULL) = (reason IS NULL))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX reconciliation_open ON reconciliation_cases (day,id) WHERE resolved_at IS NULL;
--> statement-breakpoint
CREATE TABLE report_lines (
  report TEXT NOT NULL,
  line INTEGER NOT NULL,
  source TEXT NOT NULL,
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  ref TEXT NOT NULL,
  payment TEXT,
  adjustment TEXT,
  day TEXT NOT NULL,
  gross INTEGER NOT NULL,
  fee INTEGER NOT NULL,
  currency TEXT NOT NULL,
  payout TEXT,
  doubled INTEGER DEFAULT 0 NOT NULL,
  outcome TEXT,
  decided_at INTEGER,
  PRIMARY KEY (report, line),
  FOREIGN KEY (report) REFERENCES reports(id),
  CONSTRAINT report_line_kind CHECK ((kind = 'arrival') = (source = 'bank') AND kind IN ('payment','return','arrival')),
  CONSTRAINT report_line_decided CHECK ((outcome IS NULL) = (decided_at IS NULL)),
  CONSTRAINT report_line_sign CHECK ((kind = 'return') = (gross < 0) AND gross <> 0)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX report_lines_key ON report_lines (key,report,line);
--> statement-breakpoint
CREATE INDEX report_lines_ref ON report_lines (ref);
--> statement-breakpoint
CREATE UNIQUE INDEX report_line_once ON report_lines (key) WHERE outcome IS NOT NULL AND outcome NOT IN ('known','doubled','changed');
--> statement-breakpoint
-- What has arrived at the bank, and what the provider keeps of payments.
INSERT INTO accounts (kind, owner, asset, may_overdraw, created_at) VALUES ('gateway','bank','IDR',1,0), ('gateway','provider_fee','IDR',1,0);
--> statement-breakpoint
-- A report goes forward only, and its file and lines are those that were accepted.
CREATE TRIGGER report_order BEFORE UPDATE ON reports WHEN (OLD.status <> NEW.status AND OLD.status || '>' || NEW.status NOT IN ('reading>read','reading>rejected','read>accepted','read>rejected','accepted>posted')) OR (OLD.status <> 'reading' AND (NEW.source, NEW.sha256, NEW.first_day, NEW.last_day, NEW.last_line, NEW.summary) IS NOT (OLD.source, OLD.sha256, OLD.first_day, OLD.last_day, OLD.last_line, OLD.summary)) OR NEW.id <> OLD.id
BEGIN SELECT RAISE(ABORT, 'guard:report_order'); END;
--> statement-breakpoint
CREATE TRIGGER report_begins BEFORE INSERT ON reports WHEN NEW.status <> 'reading'
BEGIN SELECT RAISE(ABORT, 'guard:report_order'); END;
--> statement-breakpoint
CREATE TRIGGER report_kept BEFORE DELETE ON reports WHEN OLD.status NOT IN ('reading','rejected')
BEGIN SELECT RAISE(ABORT, 'guard:report_kept'); END;
--> statement-breakpoint
CREATE TRIGGER report_line_begins BEFORE INSERT ON report_lines WHEN NEW.outcome IS NOT NULL OR NOT EXISTS (SELECT 1 FROM reports WHERE id = NEW.report AND source = NEW.source AND status = 'reading')
BEGIN SELECT RAISE(ABORT, 'guard:report_line'); END;
--> statement-breakpoint
CREATE TRIGGER report_line_kept BEFORE DELETE ON report_lines WHEN EXISTS (SELECT 1 FROM reports WHERE id = OLD.report AND status NOT IN ('reading','rejected'))
BEGIN SELECT RAISE(ABORT, 'guard:report_kept'); END;
--> statement-breakpoint
CREATE TRIGGER report_line_fixed BEFORE UPDATE OF report, line, source, key, kind, ref, payment, adjustment, day, gross, fee, currency, payout ON report_lines
BEGIN SELECT RAISE(ABORT, 'guard:report_line'); END;
--> statement-breakpoint
-- A line has its effect once, of a report that was accepted. Later only a case can come to agree.
CREATE TRIGGER report_line_decided BEFORE UPDATE OF outcome ON report_lines WHEN NEW.outcome IS NULL OR NOT EXISTS (SELECT 1 FROM reports WHERE id = NEW.report AND status IN ('accepted','posted')) OR (OLD.outcome IS NOT NULL AND (NEW.outcome <> 'matched' OR OLD.outcome NOT IN ('unknown_payment','amount','return','unknown_arrival')))
BEGIN SELECT RAISE(ABORT, 'guard:report_line'); END;
--> statement-breakpoint
-- The fee of a payment that agrees, once by the provider's id.
CREATE TRIGGER report_line_fee AFTER UPDATE OF outcome ON report_lines WHEN NEW.outcome = 'matched' AND NEW.fee <> 0
BEGIN INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'provider_fee', NEW.key, 1, iif(NEW.fee > 0, f.id, g.id), iif(NEW.fee > 0, g.id, f.id), abs(NEW.fee), NEW.decided_at FROM accounts g JOIN accounts f ON f.owner = 'provider_fee' AND f.kind = g.kind AND f.asset = g.asset WHERE g.owner = 'system' AND g.kind = 'gateway' AND g.asset = NEW.currency; SELECT RAISE(ABORT, 'guard:report_line') WHERE NOT EXISTS (SELECT 1 FROM legs WHERE kind = 'provider_fee' AND ref = NEW.key); END;
--> statement-breakpoint
-- What the provider says it pays out, whether we know the payment or not.
CREATE TRIGGER report_line_payout AFTER UPDATE OF outcome ON report_lines WHEN NEW.payout IS NOT NULL AND OLD.outcome IS NULL AND NEW.outcome IN ('matched','unknown_payment','amount','return')
BEGIN INSERT INTO provider_payouts (source, reference, day, net) VALUES (NEW.source, NEW.payout, NEW.day, NEW.gross - NEW.fee) ON CONFLICT (source, reference) DO UPDATE SET net = net + excluded.net, day = max(day, excluded.day); END;
--> statement-breakpoint
-- A payout that arrived keeps its amount.
CREATE TRIGGER payout_arrived BEFORE UPDATE ON provider_payouts WHEN OLD.arrived IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'guard:payout_arrived'); END;
--> statement-breakpoint
CREATE TRIGGER payout_kept BEFORE DELETE ON provider_payouts
BEGIN SELECT RAISE(ABORT, 'guard:payout_arrived'); END;
--> statement-breakpoint
CREATE TRIGGER report_line_arrives AFTER UPDATE OF outcome ON report_lines WHEN NEW.kind = 'arrival' AND NEW.outcome IN ('matched','arrival_amount')
BEGIN UPDATE provider_payouts SET arrived = NEW.key WHERE (source, reference) IN (SELECT p.source, p.reference FROM provider_payouts p WHERE p.arrived IS NULL AND instr(NEW.ref, p.reference) > 0 ORDER BY length(p.reference) DESC, p.source LIMIT 1); UPDATE reconciliation_cases SET resolved_at = NEW.decided_at, resolved_by = 'system', reason = 'arrived by ' || NEW.report || '.' || NEW.line WHERE resolved_at IS NULL AND id IN (SELECT 'missing_arrival.' || p.source || '.' || p.reference FROM provider_payouts p WHERE p.arrived = NEW.key); INSERT INTO legs (kind, ref, n, debit, credit, amount, at) SELECT 'provider_payout', NEW.key, 1, b.id, g.id, NEW.gross, NEW.decided_at FROM accounts g JOIN accounts b ON b.owner = 'bank' AND b.kind = g.kind AND b.asset = g.asset WHERE g.owner = 'system' AND g.kind = 'gateway' AND g.asset = NEW.currency AND NEW.outcome = 'matched'; SELECT RAISE(ABORT, 'guard:report_line') WHERE NOT EXISTS (SELECT 1 FROM provider_payouts WHERE arrived = NEW.key AND (NEW.outcome = 'arrival_amount' OR net = NEW.gross)); END;
--> statement-breakpoint
CREATE TRIGGER report_line_differs AFTER UPDATE OF outcome ON report_lines WHEN NEW.outcome NOT IN ('matched','known')
BEGIN INSERT INTO reconciliation_cases (id, kind, amount, currency, since, day, ref) VALUES (NEW.report || '.' || NEW.line, NEW.outcome, abs(NEW.gross), NEW.currency, NEW.decided_at, NEW.day, NEW.ref); END;
--> statement-breakpoint
-- What agrees now explains the case of the line, and what was missed.
CREATE TRIGGER report_line_explains AFTER UPDATE OF outcome ON report_lines WHEN NEW.outcome = 'matched'
BEGIN UPDATE reconciliation_cases SET resolved_at = NEW.decided_at, resolved_by = 'system', reason = 'explained by ' || NEW.report || '.' || NEW.line WHERE resolved_at IS NULL AND id IN (NEW.report || '.' || NEW.line, 'missing_' || NEW.kind || '.' || NEW.ref, 'missing_payment.' || NEW.adjustment) AND (kind <> 'missing_return' OR amount <= -NEW.gross); END;
--> statement-breakpoint
CREATE TRIGGER case_kept BEFORE DELETE ON reconciliation_cases
BEGIN SELECT RAISE(ABORT, 'guard:case_fixed'); END;
--> statement-breakpoint
CREATE TRIGGER case_fixed BEFORE UPDATE ON reconciliation_cases WHEN OLD.resolved_at IS NOT NULL OR (NEW.id, NEW.kind, NEW.amount, NEW.currency, NEW.since, NEW.day, NEW.ref) IS NOT (OLD.id, OLD.kind, OLD.amount, OLD.currency, OLD.since, OLD.day, OLD.ref)
BEGIN SELECT RAISE(ABORT, 'guard:case_fixed'); END;
--> statement-breakpoint
-- Days are closed in their order, and stay closed.
CREATE TRIGGER day_closes BEFORE INSERT ON closed_days WHEN EXISTS (SELECT 1 FROM reconciliation_cases WHERE resolved_at IS NULL AND day <= NEW.day) OR EXISTS (SELECT 1 FROM closed_days WHERE day >= NEW.day OR leg > NEW.leg)
BEGIN SELECT RAISE(ABORT, 'guard:day_closed'); END;
--> statement-breakpoint
CREATE TRIGGER closed_day_no_update BEFORE UPDATE ON closed_days
BEGIN SELECT RAISE(ABORT, 'guard:day_closed'); END;
--> statement-breakpoint
CREATE TRIGGER closed_day_no_delete BEFORE DELETE ON closed_days
BEGIN SELECT RAISE(ABORT, 'guard:day_closed'); END;
