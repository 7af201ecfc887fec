-- The triggers that keep deleted apps and end a check would refuse or misread the loss of a logo; 0062 creates both again.
-- A logo is a PNG. Logos of other formats, and their sizes, were never checked for what they cost to draw: apps send theirs again.
DROP TABLE app_logos;
--> statement-breakpoint
CREATE TABLE app_logos (
  app_id TEXT PRIMARY KEY NOT NULL,
  hash TEXT NOT NULL,
  data TEXT NOT NULL,
  FOREIGN KEY (app_id) REFERENCES apps(id),
  CONSTRAINT app_logo_png CHECK (substr(data, 1, 11) = 'iVBORw0KGgo'),
  CONSTRAINT app_logo_size CHECK (length(data) <= 90000)
) STRICT;
--> statement-breakpoint
DROP TRIGGER app_deleted_final;
--> statement-breakpoint
DROP TRIGGER app_marks_end;
--> statement-breakpoint
UPDATE apps SET logo_url = NULL, logo_hash = NULL WHERE logo_hash IS NOT NULL;
