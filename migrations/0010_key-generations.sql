-- Each algorithm has generations of its own: the keys for apps begin when one needs them.
DROP INDEX signing_keys_generation_unique;
--> statement-breakpoint
CREATE UNIQUE INDEX signing_keys_generation ON signing_keys (alg, generation);
