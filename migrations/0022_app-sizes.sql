-- The sizes that the desk gave apps: those of few, which the limits read together.
CREATE INDEX apps_token_limit ON apps (id) WHERE token_limit IS NOT NULL;
