-- A device never gets a person's money, because anybody can start its request and forward the code.
CREATE TRIGGER popup_device_scopes BEFORE INSERT ON popup_requests
WHEN NEW.user_code_mac IS NOT NULL
  AND EXISTS (SELECT 1 FROM json_each(NEW.params, '$.scopes') WHERE value GLOB 'wallet:*' OR value GLOB 'fiat:*')
BEGIN
  SELECT RAISE(ABORT, 'guard:popup_device_scopes');
END;
