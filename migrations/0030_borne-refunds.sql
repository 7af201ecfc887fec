-- What a provider has taken back and the operator bears. NULL: nobody has named the amount, as of those that were borne until now.
ALTER TABLE deposits ADD COLUMN borne INTEGER DEFAULT 0 CONSTRAINT deposit_borne CHECK (borne BETWEEN 0 AND gross - returned);
--> statement-breakpoint
UPDATE deposits SET borne = NULL WHERE failure = 'refund_borne';
