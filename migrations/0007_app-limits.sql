-- At most ten secrets of an app are good at a time.
CREATE TRIGGER app_secret_limit BEFORE INSERT ON app_secrets WHEN (SELECT count(*) FROM app_secrets WHERE app_id = NEW.app_id AND (expires_at IS NULL OR expires_at > NEW.created_at)) >= 10
BEGIN SELECT RAISE(ABORT, 'guard:app_secret_limit'); END;
