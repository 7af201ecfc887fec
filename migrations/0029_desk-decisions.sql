-- Every decision of the desk that concerns money, made or proposed; a second administrator approves a proposal.
CREATE TABLE desk_decisions (
  id TEXT PRIMARY KEY NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  amount INTEGER NOT NULL,
  gainers TEXT NOT NULL,
  seen TEXT NOT NULL,
  detail TEXT NOT NULL,
  reason TEXT NOT NULL,
  idempotency_key TEXT,
  second_above INTEGER NOT NULL,
  maker TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  outcome TEXT,
  decided_by TEXT,
  decided_at INTEGER,
  CONSTRAINT desk_outcome CHECK (outcome IN ('alone','approved','rejected','withdrawn')),
  CONSTRAINT desk_decided CHECK ((outcome IS NULL) = (decided_at IS NULL) AND (coalesce(outcome, '') IN ('approved','rejected')) = (decided_by IS NOT NULL)),
  CONSTRAINT desk_in_time CHECK (outcome IS NOT 'approved' OR decided_at < expires_at),
  CONSTRAINT desk_second CHECK (outcome IS NOT 'alone' OR maker = 'operator' OR amount <= second_above),
  CONSTRAINT desk_two_people CHECK (decided_by <> maker),
  CONSTRAINT desk_own_favour CHECK (instr(gainers, json_quote(maker)) = 0 AND (outcome IS NOT 'approved' OR instr(gainers, json_quote(decided_by)) = 0))
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX desk_target ON desk_decisions (target);
--> statement-breakpoint
CREATE INDEX desk_waiting ON desk_decisions (id) WHERE outcome IS NULL;
--> statement-breakpoint
-- A proposal ends once, and nothing else of it changes.
CREATE TRIGGER desk_decision_fixed BEFORE UPDATE ON desk_decisions
WHEN OLD.outcome IS NOT NULL OR (NEW.id, NEW.action, NEW.target, NEW.amount, NEW.gainers, NEW.seen, NEW.detail, NEW.reason, NEW.idempotency_key, NEW.second_above, NEW.maker, NEW.created_at, NEW.expires_at)
  IS NOT (OLD.id, OLD.action, OLD.target, OLD.amount, OLD.gainers, OLD.seen, OLD.detail, OLD.reason, OLD.idempotency_key, OLD.second_above, OLD.maker, OLD.created_at, OLD.expires_at)
BEGIN SELECT RAISE(ABORT, 'guard:desk_decision_fixed'); END;
--> statement-breakpoint
CREATE TRIGGER desk_decision_kept BEFORE DELETE ON desk_decisions
BEGIN SELECT RAISE(ABORT, 'guard:desk_decision_fixed'); END;
--> statement-breakpoint
-- Money that the desk moves comes to nobody who decided about it, whoever the decision says gains.
CREATE TRIGGER leg_own_favour BEFORE INSERT ON legs WHEN NEW.kind IN ('deposit','withdrawal_end','transfer_reversal','correction') AND EXISTS (
  SELECT 1 FROM accounts a LEFT JOIN apps p ON a.kind = 'app' AND p.id = a.owner
  WHERE a.id = iif(NEW.phase = 'void', NEW.debit, NEW.credit) AND a.kind IN ('wallet','app') AND (
    (NEW.kind = 'correction' AND coalesce(p.owner, a.owner) = (SELECT j.actor FROM adjustments j WHERE j.id = NEW.ref))
    OR EXISTS (SELECT 1 FROM desk_decisions d WHERE d.target IN (NEW.ref, 'trf_' || NEW.ref) AND d.outcome IN ('alone','approved')
      AND coalesce(p.owner, a.owner) IN (d.maker, d.decided_by))))
BEGIN SELECT RAISE(ABORT, 'guard:own_favour'); END;
--> statement-breakpoint
-- Only a decision ends a review or reverses a transfer.
CREATE TRIGGER deposit_decided BEFORE UPDATE OF status ON deposits WHEN OLD.status = 'review' AND NEW.status <> 'review' AND NOT EXISTS (SELECT 1 FROM desk_decisions d WHERE d.target = NEW.id AND d.outcome IN ('alone','approved'))
BEGIN SELECT RAISE(ABORT, 'guard:desk_decided'); END;
--> statement-breakpoint
CREATE TRIGGER transfer_decided BEFORE UPDATE OF status ON transfers WHEN OLD.status = 'confirmed' AND NEW.status = 'reversed' AND NOT EXISTS (SELECT 1 FROM desk_decisions d WHERE d.target = 'trf_' || NEW.id AND d.outcome IN ('alone','approved'))
BEGIN SELECT RAISE(ABORT, 'guard:desk_decided'); END;
