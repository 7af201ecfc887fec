CREATE TABLE app_logos (
  app_id TEXT PRIMARY KEY NOT NULL,
  hash TEXT NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  FOREIGN KEY (app_id) REFERENCES apps(id),
  CONSTRAINT app_logo_type CHECK (type IN ('image/png','image/jpeg','image/webp','image/svg+xml')),
  CONSTRAINT app_logo_size CHECK (length(data) <= 90000)
) STRICT;
--> statement-breakpoint
ALTER TABLE apps ADD privacy_url TEXT;
--> statement-breakpoint
ALTER TABLE apps ADD logo_url TEXT;
--> statement-breakpoint
ALTER TABLE apps ADD logo_hash TEXT;
--> statement-breakpoint
DROP TRIGGER app_marks_end;
--> statement-breakpoint
-- An app that changes what the desk checked, or asks for more scopes, is no longer checked.
CREATE TRIGGER app_marks_end AFTER UPDATE OF
  name, redirect_uris, homepage_url, privacy_url, logo_hash, backchannel_logout_uri, scopes
ON apps
WHEN OLD.checked_at IS NOT NULL
  AND (
    NEW.name IS NOT OLD.name
    OR NEW.redirect_uris IS NOT OLD.redirect_uris
    OR NEW.homepage_url IS NOT OLD.homepage_url
    OR NEW.privacy_url IS NOT OLD.privacy_url
    OR NEW.logo_hash IS NOT OLD.logo_hash
    OR NEW.backchannel_logout_uri IS NOT OLD.backchannel_logout_uri
    OR EXISTS (
      SELECT 1
      FROM json_each(NEW.scopes) n
      WHERE n.value NOT IN (SELECT o.value FROM json_each(OLD.scopes) o)
    )
  )
BEGIN
  UPDATE apps
  SET checked_at = NULL, first_party_at = NULL
  WHERE id = NEW.id;
END;
