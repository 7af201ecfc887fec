-- A repeated batch recognizes its own work by its decision. The time could be another request's.
ALTER TABLE activity ADD COLUMN decision_id TEXT;
--> statement-breakpoint
ALTER TABLE sessions ADD COLUMN revoked_by TEXT;
--> statement-breakpoint
CREATE UNIQUE INDEX activity_unlinked_once ON activity (credential_id) WHERE type = 'credential.unlinked';
