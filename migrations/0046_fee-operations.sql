-- A trigger lists the operations that have fees, in place of two CHECKs: it is replaced when one is added, while a CHECK would take a
-- new table each time. No table refers to this one.
CREATE TABLE fee_versions_next (
  scope TEXT NOT NULL,
  operation TEXT NOT NULL,
  version INTEGER NOT NULL,
  fixed INTEGER NOT NULL,
  bps INTEGER NOT NULL,
  least INTEGER DEFAULT 0 NOT NULL,
  most INTEGER,
  payer TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (scope, operation, version),
  CONSTRAINT fee_range CHECK (version >= 1 AND fixed BETWEEN 0 AND 1000000000 AND bps BETWEEN 0 AND 10000 AND least >= 0 AND (most IS NULL OR most >= least))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO fee_versions_next (scope, operation, version, fixed, bps, least, most, payer, created_by, created_at)
  SELECT scope, operation, version, fixed, bps, least, most, payer, created_by, created_at FROM fee_versions;
--> statement-breakpoint
DROP TABLE fee_versions;
--> statement-breakpoint
ALTER TABLE fee_versions_next RENAME TO fee_versions;
--> statement-breakpoint
-- These operations have fees. Only a transfer has a recipient who could bear one.
CREATE TRIGGER fee_version_allowed BEFORE INSERT ON fee_versions
WHEN NEW.operation NOT IN ('deposit', 'transfer', 'withdrawal')
  OR NEW.payer NOT IN ('payer', 'payee')
  OR (NEW.payer = 'payee' AND NEW.operation <> 'transfer')
BEGIN
  SELECT RAISE(ABORT, 'guard:fee_version_allowed');
END;
--> statement-breakpoint
-- A version of a fee is never changed: a new fee is a new version.
CREATE TRIGGER fee_version_fixed BEFORE UPDATE ON fee_versions
BEGIN
  SELECT RAISE(ABORT, 'guard:fee_version_fixed');
END;
--> statement-breakpoint
-- A version of a fee is never deleted, because documents refer to it.
CREATE TRIGGER fee_version_kept BEFORE DELETE ON fee_versions
BEGIN
  SELECT RAISE(ABORT, 'guard:fee_version_fixed');
END;
