-- Above this amount an approval needs a sign-in of its own.
ALTER TABLE profiles ADD COLUMN step_up_amount INTEGER CONSTRAINT profile_step_up CHECK (step_up_amount BETWEEN 0 AND 1000000000000);
