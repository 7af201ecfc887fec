-- A popup decision is final. An approval is redeemed only once, or expires.
CREATE TRIGGER popup_decided_final BEFORE UPDATE OF status ON popup_requests
WHEN OLD.status NOT IN ('created', 'opened')
  AND NOT (OLD.status = 'approved' AND NEW.status IN ('redeemed', 'lapsed'))
BEGIN
  SELECT RAISE(ABORT, 'guard:popup_decided_final');
END;

-- A sign-in is redeemed only after its popup sent the result to the requesting origin. A device has no popup.
CREATE TRIGGER popup_handed_over BEFORE UPDATE OF status ON popup_requests
WHEN OLD.status = 'approved' AND NEW.status = 'redeemed' AND NEW.kind = 'login' AND NEW.result_hash IS NULL
  AND NEW.user_code_mac IS NULL
BEGIN
  SELECT RAISE(ABORT, 'guard:popup_handed_over');
END;

-- The request of a device has an id that is none of a popup, so that no link to a popup page approves it.
CREATE TRIGGER popup_device_id BEFORE INSERT ON popup_requests
WHEN (NEW.user_code_mac IS NOT NULL) <> (NEW.id GLOB '.*') OR (NEW.user_code_mac IS NOT NULL AND NEW.kind <> 'login')
BEGIN
  SELECT RAISE(ABORT, 'guard:popup_device_id');
END;

-- A device never gets a person's money, because anybody can start its request and forward the code.
CREATE TRIGGER popup_device_scopes BEFORE INSERT ON popup_requests
WHEN NEW.user_code_mac IS NOT NULL
  AND EXISTS (SELECT 1 FROM json_each(NEW.params, '$.scopes') WHERE value GLOB 'wallet:*' OR value GLOB 'fiat:*')
BEGIN
  SELECT RAISE(ABORT, 'guard:popup_device_scopes');
END;

-- A device starts a request only for an app whose owner has allowed it.
CREATE TRIGGER popup_device_flow BEFORE INSERT ON popup_requests
WHEN NEW.user_code_mac IS NOT NULL AND NOT EXISTS (SELECT 1 FROM apps WHERE id = NEW.app_id AND device_flow = 1)
BEGIN
  SELECT RAISE(ABORT, 'guard:popup_device_flow');
END;

-- Once the owner has ended this, the requests that wait lead to nothing.
CREATE TRIGGER popup_device_flow_ended BEFORE UPDATE OF status ON popup_requests
WHEN NEW.user_code_mac IS NOT NULL
  AND NEW.status IN ('approved', 'redeemed')
  AND NOT EXISTS (SELECT 1 FROM apps WHERE id = NEW.app_id AND device_flow = 1)
BEGIN
  SELECT RAISE(ABORT, 'guard:popup_device_flow_ended');
END;

-- A device gets a person's sign-in only through a code that somebody typed.
CREATE TRIGGER popup_device_typed BEFORE UPDATE OF status ON popup_requests
WHEN NEW.status = 'approved' AND NEW.user_code_mac IS NOT NULL AND NEW.typed = 0
BEGIN
  SELECT RAISE(ABORT, 'guard:popup_device_typed');
END;
