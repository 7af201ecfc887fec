-- The open cases that were reported to the operator, each once.
CREATE TABLE alarms (
  id TEXT PRIMARY KEY NOT NULL,
  op TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX alarms_op ON alarms (op);
