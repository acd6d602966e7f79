-- Pictures that readers can load without a token, and the smaller copies of them that are made on request.
ALTER TABLE trellis.knowledge_files
  ADD COLUMN alternative_text text,
  ADD COLUMN focal_point json,
  ADD COLUMN width integer,
  ADD COLUMN height integer,
  ADD COLUMN picture_path text,
  ADD COLUMN public_since timestamptz(3),
  DROP CONSTRAINT knowledge_files_status_check,
  ADD CONSTRAINT knowledge_files_status_check
    CHECK (status IN ('PENDING_UPLOAD', 'PROCESSING', 'READY', 'NOT_APPLICABLE', 'FAILED')),
  -- Whatever changes a file, only a picture that has been read and that every member sees is public. Nodes of the previous release,
  -- which know nothing of it, cannot hide or replace a public picture either.
  ADD CONSTRAINT knowledge_files_public CHECK (
    public_since IS NULL
    OR visibility = 'ORGANIZATION' AND status = 'NOT_APPLICABLE' AND width IS NOT NULL AND picture_path IS NOT NULL
      AND right(picture_path, 32) = left(sha256, 32));

-- A copy of a picture in one size and format, made from the content with the hash `source` by the process that holds the claim. `sha256`
-- is that of its bytes, which are stored beside the contents of files. Where it could not be made, nobody tries again before the claim
-- has expired.
CREATE TABLE trellis.picture_renditions (
  organization_id uuid NOT NULL,
  file_id uuid NOT NULL,
  variant text NOT NULL,
  source text NOT NULL,
  claim uuid NOT NULL,
  claimed_until timestamptz(3) NOT NULL,
  failed boolean NOT NULL,
  sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  media_type text,
  size_bytes integer,
  made_at timestamptz(3),
  PRIMARY KEY (organization_id, file_id, variant),
  CHECK (num_nulls(sha256, media_type, size_bytes, made_at) IN (0, 4)),
  CHECK (NOT failed OR sha256 IS NULL),
  FOREIGN KEY (organization_id, file_id) REFERENCES trellis.knowledge_files (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX picture_renditions_made_at ON trellis.picture_renditions (organization_id, made_at);
CREATE INDEX picture_renditions_sha256 ON trellis.picture_renditions (organization_id, sha256);

ALTER TABLE trellis.picture_renditions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.picture_renditions TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY readers ON trellis.picture_renditions AS RESTRICTIVE TO trellis_api
  USING (EXISTS (SELECT FROM trellis.knowledge_files f
                 WHERE f.organization_id = picture_renditions.organization_id AND f.id = picture_renditions.file_id))
  WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.picture_renditions TO trellis_api;

-- Pictures counted as files whose text could not be extracted. They are read again, after nodes of the previous release have gone.
ALTER TABLE trellis.knowledge_files NO FORCE ROW LEVEL SECURITY;
ALTER TABLE trellis.extraction_jobs NO FORCE ROW LEVEL SECURITY;
INSERT INTO trellis.extraction_jobs
  (organization_id, file_id, content_version, media_type, sha256, available_at, attempts)
  SELECT organization_id, id, content_version, media_type, sha256, statement_timestamp() + interval '10 minutes', 0
  FROM trellis.knowledge_files WHERE status = 'FAILED' AND media_type LIKE 'image/%'
  ON CONFLICT DO NOTHING;
ALTER TABLE trellis.knowledge_files FORCE ROW LEVEL SECURITY;
ALTER TABLE trellis.extraction_jobs FORCE ROW LEVEL SECURITY;
