-- The organization as a record of the API, and events that say by which token and sign-in a change was made.

ALTER TABLE trellis.organizations
  ADD COLUMN version integer NOT NULL DEFAULT 1,
  ADD COLUMN created_by uuid,
  ADD COLUMN updated_by uuid;
GRANT UPDATE (name, status, modules, default_country, mfa_required, version, updated_at, updated_by)
  ON trellis.organizations TO trellis_api;

-- Null in events of the previous release, and where no token asked.
ALTER TABLE trellis.outbox ADD COLUMN actor_token_id uuid, ADD COLUMN actor_methods text[];
ALTER TABLE trellis.events ADD COLUMN actor_token_id uuid, ADD COLUMN actor_methods text[];
