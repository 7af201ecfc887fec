-- The open pages of a person: the sixth closes the oldest.
CREATE INDEX deposits_pages ON deposits (handle, id) WHERE status IN ('creating','pending');
