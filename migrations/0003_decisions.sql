-- The verdict of a batch, which its other statements act on. `attempts` meant three other things as well.
ALTER TABLE attempts RENAME TO decisions;
