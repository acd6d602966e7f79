-- A session may have a second token in an organization, which cannot publish: what is saved without being asked for is sent with it.
ALTER TABLE trellis.tokens
  ADD COLUMN drafts_only boolean NOT NULL DEFAULT false
    CONSTRAINT tokens_drafts_only CHECK (session_id IS NOT NULL OR NOT drafts_only);
CREATE UNIQUE INDEX tokens_session_drafts ON trellis.tokens (organization_id, session_id, drafts_only) WHERE session_id IS NOT NULL;
DROP INDEX trellis.tokens_session_organization;
