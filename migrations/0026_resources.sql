-- Other services that an app's tokens may be for. Only what is proven is stored, so each has one owner.
CREATE TABLE `app_resources` (
	`resource` text PRIMARY KEY NOT NULL,
	`app_id` text NOT NULL,
	`origin` text NOT NULL,
	`clients` text DEFAULT '[]' NOT NULL,
	`proven_by` text NOT NULL,
	FOREIGN KEY (`app_id`) REFERENCES `apps`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT app_resource_origin CHECK (resource = origin OR (substr(resource, 1, length(origin)) = origin AND substr(resource, length(origin) + 1, 1) IN ('/','?'))),
	CONSTRAINT app_resource_clients CHECK (json_type(clients) = 'array' AND json_array_length(clients) <= 50),
	CONSTRAINT app_resource_proof CHECK (proven_by IN ('file','desk'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `app_resources_app` ON `app_resources` (`app_id`);
--> statement-breakpoint
-- What a person let an app name besides its own origins.
ALTER TABLE grants ADD COLUMN resources TEXT NOT NULL DEFAULT '[]' CONSTRAINT grant_resources CHECK (json_type(resources) = 'array');
--> statement-breakpoint
-- The resources that an app may name: those it owns, and those whose owner lists it, while the owner is active. is_own: at an origin of the owner itself.
CREATE VIEW app_targets AS
SELECT r.resource, c.value AS app_id,
  c.value = r.app_id AND EXISTS (SELECT 1 FROM app_origins o WHERE o.app_id = r.app_id AND o.origin = r.origin) AS is_own
FROM app_resources r JOIN apps a ON a.id = r.app_id AND a.status = 'active'
  JOIN json_each(json_insert(r.clients, '$[#]', r.app_id)) c;
--> statement-breakpoint
CREATE TRIGGER app_resource_fixed BEFORE UPDATE OF resource, app_id, origin ON app_resources
BEGIN SELECT RAISE(ABORT, 'guard:app_resource_fixed'); END;
--> statement-breakpoint
CREATE TRIGGER app_resources_most AFTER INSERT ON app_resources WHEN (SELECT count(*) FROM app_resources WHERE app_id = NEW.app_id) > 10
BEGIN SELECT RAISE(ABORT, 'guard:app_resources_most'); END;
--> statement-breakpoint
-- A file speaks for the whole origin, so what it proved there belongs to one app.
CREATE TRIGGER app_resource_origin_owner AFTER INSERT ON app_resources WHEN NEW.proven_by = 'file' AND EXISTS
  (SELECT 1 FROM app_resources WHERE origin = NEW.origin AND app_id <> NEW.app_id AND proven_by = 'file')
BEGIN SELECT RAISE(ABORT, 'guard:app_resource_origin_owner'); END;
--> statement-breakpoint
CREATE TRIGGER app_resource_origin_owner_proof AFTER UPDATE OF proven_by ON app_resources WHEN NEW.proven_by = 'file' AND EXISTS
  (SELECT 1 FROM app_resources WHERE origin = NEW.origin AND app_id <> NEW.app_id AND proven_by = 'file')
BEGIN SELECT RAISE(ABORT, 'guard:app_resource_origin_owner_proof'); END;
--> statement-breakpoint
-- As with an added origin. The desk sees what it adds itself. Writes: apps.
CREATE TRIGGER app_marks_end_with_resource AFTER INSERT ON app_resources WHEN NEW.proven_by = 'file'
BEGIN UPDATE apps SET checked_at = NULL, first_party_at = NULL WHERE id = NEW.app_id AND checked_at IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER app_session_target BEFORE INSERT ON app_sessions WHEN NEW.resource IS NOT NULL AND NOT EXISTS (SELECT 1 FROM app_targets t
  WHERE t.resource = NEW.resource AND t.app_id = NEW.app_id AND (t.is_own OR t.resource IN
    (SELECT n.value FROM grants g, json_each(g.resources) n WHERE g.id = NEW.grant_id)))
BEGIN SELECT RAISE(ABORT, 'guard:app_session_target'); END;
--> statement-breakpoint
-- A code is spent, or a refresh token rotated.
CREATE TRIGGER app_session_target_ended BEFORE UPDATE OF token_hash ON app_sessions WHEN NEW.resource IS NOT NULL AND NOT EXISTS (SELECT 1 FROM app_targets t
  WHERE t.resource = NEW.resource AND t.app_id = NEW.app_id AND (t.is_own OR t.resource IN
    (SELECT n.value FROM grants g, json_each(g.resources) n WHERE g.id = NEW.grant_id)))
BEGIN SELECT RAISE(ABORT, 'guard:app_session_target_ended'); END;
