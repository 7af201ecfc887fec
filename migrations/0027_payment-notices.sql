-- Whose step-up amount the inquiry was above, so that confirming it tells them: 1 its payer's, 2 its payee's, 3 both.
ALTER TABLE transfers ADD COLUMN above_step_up INTEGER DEFAULT 0 NOT NULL;
--> statement-breakpoint
DROP TRIGGER transfer_fixed;
--> statement-breakpoint
CREATE TRIGGER transfer_fixed BEFORE UPDATE OF id, payer, payee, payer_account, payee_account, app_account, asset, amount, payer_fee, payee_fee, app_fee, platform_fee, debit_total, net_amount, app_id, grant_id, needs_approval, above_step_up, memo, refund_of, idempotency_key, request_hash, created_at, expires_at ON transfers
BEGIN SELECT RAISE(ABORT, 'guard:transfer_fixed'); END;
--> statement-breakpoint
-- A line of activity and a mail for each of them, whatever confirms it. The mail names the payment, of which its text is made when it is sent.
-- Each address gets 20 an hour of each kind for one payer, counted apart from other mail: a stranger's payments displace
-- no notice, and no mail about another payer. The id of a mail names its payment.
CREATE TRIGGER transfer_noticed AFTER UPDATE OF status ON transfers WHEN NEW.status = 'confirmed' AND NEW.above_step_up > 0
BEGIN INSERT INTO activity (handle, at, type, detail) SELECT NEW.payer, NEW.confirmed_at, 'payment.sent', NEW.debit_total || ' ' || NEW.payee || '@pid' WHERE NEW.above_step_up & 1 UNION ALL SELECT NEW.payee, NEW.confirmed_at, 'payment.received', NEW.net_amount || ' ' || NEW.payer || '@pid' WHERE NEW.above_step_up & 2; INSERT INTO mails (id, kind, recipient, locale, sealed_params, created_at, next_at, expires_at) SELECT 'mai_' || NEW.id || '.' || row_number() OVER (ORDER BY e.email), x.kind, e.email, iif(lower(p.locale) = 'id' OR lower(p.locale) LIKE 'id-%', 'id', 'en'), 'trf_' || NEW.id, NEW.confirmed_at, NEW.confirmed_at, NEW.confirmed_at + 86400000 FROM (SELECT NEW.payer AS handle, 'payment_sent' AS kind WHERE NEW.above_step_up & 1 UNION ALL SELECT NEW.payee, 'payment_received' WHERE NEW.above_step_up & 2) x JOIN emails e ON e.handle = x.handle LEFT JOIN profiles p ON p.handle = x.handle WHERE (SELECT count(*) FROM mails m WHERE m.recipient = e.email AND m.created_at > NEW.confirmed_at - 3600000 AND m.kind = x.kind AND (SELECT t.payer FROM transfers t WHERE t.id = substr(m.id, 5, instr(m.id, '.') - 5)) = NEW.payer) < 20; END;
