-- A grant has at most 200 permissions at hosts and 200 resources, because every request under it reads them. An app may
-- change its addresses at any time.
CREATE TRIGGER grant_entries_most BEFORE UPDATE OF hosts, resources ON grants
WHEN json_array_length(NEW.hosts) > 200 OR json_array_length(NEW.resources) > 200
BEGIN
  SELECT RAISE(ABORT, 'guard:grant_entries_most');
END;
