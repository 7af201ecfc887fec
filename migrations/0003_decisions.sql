-- The verdict of a batch, which its other statements act on. `attempts`, its former name, stays for one release, because
-- processes of the previous version still use it while a new one starts.
CREATE TABLE decisions (
  id TEXT PRIMARY KEY NOT NULL,
  verdict TEXT NOT NULL,
  handle TEXT,
  skeleton TEXT,
  credential_id TEXT
) STRICT, WITHOUT ROWID;
