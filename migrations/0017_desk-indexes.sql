-- What the desk looks up: what was done about one document, and deposits that have been open for too long.
CREATE INDEX audit_target ON audit_log (target);
--> statement-breakpoint
CREATE INDEX deposits_open ON deposits (created_at) WHERE status IN ('creating','pending');
