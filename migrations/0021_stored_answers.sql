-- What a stored answer is about, so that its body can be erased with the record, and a large one need not be stored when the
-- record can be shown again instead.

ALTER TABLE trellis.idempotency_keys
  -- The record that the body is about; NULL in rows of earlier releases.
  ADD COLUMN subject_id uuid,
  -- Whether the body is that record: then it can be made again, as long as the record is there.
  ADD COLUMN shows_record boolean NOT NULL DEFAULT false,
  -- Whether there was a body that is not stored, or not any more.
  ADD COLUMN body_dropped boolean NOT NULL DEFAULT false,
  -- Bytes of the stored body in UTF-8.
  ADD COLUMN body_bytes integer NOT NULL DEFAULT 0;

CREATE INDEX idempotency_keys_subject ON trellis.idempotency_keys (organization_id, subject_id)
  WHERE subject_id IS NOT NULL;
-- The bodies that count towards the budget of an organization.
CREATE INDEX idempotency_keys_large ON trellis.idempotency_keys (organization_id, created_at DESC) INCLUDE (body_bytes)
  WHERE shows_record AND body_bytes > 4096;

-- A body is dropped, and never replaced by another one.
CREATE POLICY drop_bodies ON trellis.idempotency_keys AS RESTRICTIVE FOR UPDATE
  USING (true) WITH CHECK (body IS NULL AND body_dropped AND body_bytes = 0);
GRANT UPDATE (body, body_dropped, body_bytes) ON trellis.idempotency_keys TO trellis_api, trellis_worker;

-- Deleted records with more answers than one transaction erases; a sweep erases the rest.
CREATE TABLE trellis.answer_erasures (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  record_id uuid NOT NULL,
  PRIMARY KEY (organization_id, record_id)
);
ALTER TABLE trellis.answer_erasures ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.answer_erasures FOR INSERT TO trellis_api
  WITH CHECK (organization_id = trellis.current_organization());
CREATE POLICY worker ON trellis.answer_erasures TO trellis_worker USING (true);
GRANT INSERT ON trellis.answer_erasures TO trellis_api;
GRANT SELECT, DELETE ON trellis.answer_erasures TO trellis_worker;
