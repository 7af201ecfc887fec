-- What the desk decides about an app: that it was checked, that it is the operator's own, and its limit of token requests.
ALTER TABLE apps ADD COLUMN checked_at INTEGER;
--> statement-breakpoint
ALTER TABLE apps ADD COLUMN first_party_at INTEGER CONSTRAINT app_first_party CHECK (first_party_at IS NULL OR checked_at IS NOT NULL);
--> statement-breakpoint
ALTER TABLE apps ADD COLUMN token_limit INTEGER CONSTRAINT app_token_limit CHECK (token_limit BETWEEN 1 AND 100000);
--> statement-breakpoint
-- What the desk checked ends with the name, addresses and scopes that it saw; fewer scopes are fine. Writes: apps.
CREATE TRIGGER app_marks_end AFTER UPDATE OF name, redirect_uris, homepage_url, backchannel_logout_uri, scopes ON apps
WHEN OLD.checked_at IS NOT NULL AND (NEW.name IS NOT OLD.name OR NEW.redirect_uris IS NOT OLD.redirect_uris
  OR NEW.homepage_url IS NOT OLD.homepage_url OR NEW.backchannel_logout_uri IS NOT OLD.backchannel_logout_uri
  OR EXISTS (SELECT 1 FROM json_each(NEW.scopes) n WHERE n.value NOT IN (SELECT o.value FROM json_each(OLD.scopes) o)))
BEGIN UPDATE apps SET checked_at = NULL, first_party_at = NULL WHERE id = NEW.id; END;
--> statement-breakpoint
CREATE TRIGGER app_marks_end_with_origin AFTER INSERT ON app_origins
BEGIN UPDATE apps SET checked_at = NULL, first_party_at = NULL WHERE id = NEW.app_id AND checked_at IS NOT NULL; END;
