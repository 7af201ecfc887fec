-- People search by every word of a name of up to three words, and by the last word of a longer one.
CREATE INDEX `profiles_second_word` ON `profiles` (substr("display_name", instr("display_name", ' ') + 1) COLLATE NOCASE) WHERE instr("display_name", ' ') > 0;--> statement-breakpoint
CREATE INDEX `profiles_last_word` ON `profiles` (substr("display_name", length(rtrim("display_name", replace("display_name", ' ', ''))) + 1) COLLATE NOCASE) WHERE instr("display_name", ' ') > 0;
