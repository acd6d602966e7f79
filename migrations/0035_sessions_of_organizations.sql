-- The sessions of an organization, in the order of their list.
CREATE INDEX tokens_sessions ON trellis.tokens (organization_id, created_at, id) WHERE session_id IS NOT NULL AND revoked_at IS NULL;

-- What a session has deleted since its sign-in was recent last. The constraint is what refuses more, also of many at the same time.
ALTER TABLE trellis.tokens
  ADD COLUMN deletions integer NOT NULL DEFAULT 0 CONSTRAINT tokens_deletions CHECK (deletions <= 100),
  ADD COLUMN deletions_since timestamptz(3);
GRANT UPDATE (deletions, deletions_since) ON trellis.tokens TO trellis_api;
