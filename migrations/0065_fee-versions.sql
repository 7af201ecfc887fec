CREATE INDEX `fee_versions_made` ON `fee_versions` (`created_by`,`created_at`) WHERE scope <> 'platform';
--> statement-breakpoint
-- The owner of apps creates at most 100 versions a day, because none is ever deleted.
CREATE TRIGGER fee_versions_most BEFORE INSERT ON fee_versions
WHEN NEW.scope <> 'platform'
  AND (
    SELECT created_at
    FROM fee_versions
    WHERE created_by = NEW.created_by AND scope <> 'platform'
    ORDER BY created_at DESC
    LIMIT 1 OFFSET 99
  ) > NEW.created_at - 86400000
BEGIN
  SELECT RAISE(ABORT, 'guard:fee_versions_most');
END;
