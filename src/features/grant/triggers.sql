-- Live grants: not revoked, with an active app and an active person. A suspended host ends the grants of all of its
-- unregistered clients: its row has the address of the host as its id.
CREATE VIEW live_grants AS
SELECT g.*, coalesce(g.expires_at, 9007199254740991) AS live_until
FROM grants g
JOIN apps a ON a.id = g.app_id AND a.status = 'active'
JOIN identities i ON i.handle = g.handle AND i.status = 'active'
WHERE g.revoked_at IS NULL
  AND (
    a.owner IS NOT NULL
    OR NOT EXISTS (
      SELECT 1
      FROM apps h
      WHERE h.id = substr(a.id, 1, 8 + instr(substr(a.id, 9), '/')) AND h.status = 'suspended'
    )
  );

-- The resources that a token may be for under each grant: the app's own, and those the person agreed to. For an
-- unchecked app these apply only on the hosts with an entry for them.
CREATE VIEW granted_targets AS
SELECT g.id AS grant_id, t.resource, t.is_own OR a.checked_at IS NOT NULL AS is_anywhere, g.hosts
FROM grants g
JOIN apps a ON a.id = g.app_id
JOIN app_targets t ON t.app_id IN (g.app_id, '*')
WHERE t.is_own OR t.resource IN (SELECT value FROM json_each(g.resources));

-- A grant starts with an active app and an active person.
CREATE TRIGGER grant_needs_active BEFORE INSERT ON grants
WHEN NOT EXISTS (
  SELECT 1
  FROM apps a
  JOIN identities i ON i.handle = NEW.handle AND i.status = 'active'
  WHERE a.id = NEW.app_id AND a.status = 'active'
)
BEGIN
  SELECT RAISE(ABORT, 'guard:grant_needs_active');
END;

-- A person allows at most 50 unregistered clients, because each such consent may create the client's row.
CREATE TRIGGER grant_document_limit BEFORE INSERT ON grants
WHEN NEW.app_id GLOB 'http*'
  AND NOT EXISTS (
    SELECT 1 FROM grants WHERE app_id = NEW.app_id AND handle = NEW.handle AND revoked_at IS NULL
  )
  AND (SELECT count(*) FROM grants WHERE handle = NEW.handle AND app_id GLOB 'http*') >= 50
BEGIN
  SELECT RAISE(ABORT, 'guard:grant_document_limit');
END;

-- A grant keeps its app and person.
CREATE TRIGGER grant_fixed BEFORE UPDATE OF id, app_id, handle, created_at ON grants
BEGIN
  SELECT RAISE(ABORT, 'guard:grant_fixed');
END;

-- A revoked grant is never changed.
CREATE TRIGGER grant_revoked_final BEFORE UPDATE ON grants
WHEN OLD.revoked_at IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'guard:grant_revoked_final');
END;

-- Spending never exceeds a grant's limits.
CREATE TRIGGER grant_limit BEFORE UPDATE OF spent, spent_total, uses ON grants
WHEN NEW.spent > NEW.per_period OR NEW.spent_total > NEW.total_limit OR NEW.uses > NEW.max_uses
BEGIN
  SELECT RAISE(ABORT, 'guard:grant_limit_exceeded');
END;

-- Amounts spent under a grant only increase, except that a new period starts at zero.
CREATE TRIGGER grant_spent_kept BEFORE UPDATE OF spent, spent_total, uses, period_start ON grants
WHEN NEW.spent_total < OLD.spent_total
  OR NEW.uses < OLD.uses
  OR (NEW.spent < OLD.spent AND NEW.period_start <= OLD.period_start)
BEGIN
  SELECT RAISE(ABORT, 'guard:grant_spent_kept');
END;

-- A grant has at most 200 permissions at hosts and 200 resources, because every request under the grant reads them,
-- and an app may change its addresses at any time.
CREATE TRIGGER grant_entries_most BEFORE UPDATE OF hosts, resources ON grants
WHEN json_array_length(NEW.hosts) > 200 OR json_array_length(NEW.resources) > 200
BEGIN
  SELECT RAISE(ABORT, 'guard:grant_entries_most');
END;
