-- Nobody gives their own app more at the desk, whose line in the audit log comes before the change.
CREATE TRIGGER app_own_favour BEFORE UPDATE OF status, checked_at, first_party_at, token_limit ON apps
WHEN ((OLD.status = 'suspended' AND NEW.status = 'active') OR (OLD.checked_at IS NULL AND NEW.checked_at IS NOT NULL)
  OR (OLD.first_party_at IS NULL AND NEW.first_party_at IS NOT NULL)
  OR (NEW.token_limit IS NOT OLD.token_limit AND NOT coalesce(NEW.token_limit < OLD.token_limit, 0)))
  AND NEW.owner = (SELECT actor FROM audit_log WHERE target = NEW.id ORDER BY seq DESC LIMIT 1)
BEGIN SELECT RAISE(ABORT, 'guard:own_favour'); END;
--> statement-breakpoint
-- It fires for what an upsert changes, too.
CREATE TRIGGER app_resource_own_favour BEFORE INSERT ON app_resources WHEN NEW.proven_by = 'desk'
  AND (SELECT owner FROM apps WHERE id = NEW.app_id) = (SELECT actor FROM audit_log WHERE target = NEW.app_id ORDER BY seq DESC LIMIT 1)
BEGIN SELECT RAISE(ABORT, 'guard:own_favour'); END;
