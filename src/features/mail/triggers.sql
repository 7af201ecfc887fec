-- A sent email is never sent again.
CREATE TRIGGER mail_sent_final BEFORE UPDATE ON mails
WHEN OLD.sent_at IS NOT NULL AND (NEW.sent_at IS NOT OLD.sent_at OR NEW.next_at IS NOT NULL)
BEGIN
  SELECT RAISE(ABORT, 'guard:mail_sent_final');
END;
