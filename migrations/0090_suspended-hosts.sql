DROP VIEW live_grants;
--> statement-breakpoint
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
