-- Scheduled jobs, the rate limit store for several nodes, and what administrators did.
CREATE TABLE job_leases (
  job TEXT PRIMARY KEY NOT NULL,
  holder TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE rate_buckets (
  key TEXT PRIMARY KEY NOT NULL,
  tokens REAL NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX rate_buckets_at ON rate_buckets (at);
--> statement-breakpoint
CREATE TABLE audit_log (
  seq INTEGER PRIMARY KEY NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit_log
BEGIN SELECT RAISE(ABORT, 'guard:audit_immutable'); END;
--> statement-breakpoint
CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit_log
BEGIN SELECT RAISE(ABORT, 'guard:audit_immutable'); END;
