-- A popup decision is final. An approval is redeemed only once, or expires.
CREATE TRIGGER popup_decided_final BEFORE UPDATE OF status ON popup_requests
WHEN OLD.status NOT IN ('created', 'opened')
  AND NOT (OLD.status = 'approved' AND NEW.status IN ('redeemed', 'lapsed'))
BEGIN
  SELECT RAISE(ABORT, 'guard:popup_decided_final');
END;

-- A sign-in is redeemed only after its popup sent the result to the requesting origin.
CREATE TRIGGER popup_handed_over BEFORE UPDATE OF status ON popup_requests
WHEN OLD.status = 'approved' AND NEW.status = 'redeemed' AND NEW.kind = 'login' AND NEW.result_hash IS NULL
BEGIN
  SELECT RAISE(ABORT, 'guard:popup_handed_over');
END;
