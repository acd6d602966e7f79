-- Knowledge files: who may see which is decided by the database, for every way to them.
--
-- `readers` names who may see a row: ids of users and names of roles; NULL is every member. It stands on the file (computed
-- from the fields that say so) and on its search entry. Bytes are kept outside, by organization and hash.

CREATE TABLE trellis.knowledge_files (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  name text NOT NULL,
  description text,
  tags json NOT NULL,
  language text,
  source_url text,
  expires_at timestamptz(3),
  visibility text NOT NULL CHECK (visibility IN ('PRIVATE', 'RESTRICTED', 'ORGANIZATION')),
  owner_user_id uuid NOT NULL,
  allowed_user_ids uuid[] NOT NULL,
  allowed_roles text[] NOT NULL,
  file_name text,
  media_type text,
  size_bytes integer,
  sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  page_count integer,
  content_version integer NOT NULL,
  status text NOT NULL CHECK (status IN ('PENDING_UPLOAD', 'PROCESSING', 'READY', 'NOT_APPLICABLE', 'FAILED')),
  failure_reason text,
  extracted_characters integer,
  readers text[] GENERATED ALWAYS AS (CASE visibility
    WHEN 'ORGANIZATION' THEN NULL
    WHEN 'RESTRICTED' THEN owner_user_id::text || allowed_user_ids::text[] || allowed_roles
    ELSE ARRAY[owner_user_id::text]
  END) STORED,
  alternative_text text,
  focal_point json,
  width integer,
  height integer,
  -- Of a public picture. Readers load it, and smaller copies that are made on request, without a token.
  picture_path text,
  public_since timestamptz(3),
  import_id text,
  PRIMARY KEY (organization_id, id),
  CHECK ((status = 'PENDING_UPLOAD') = (sha256 IS NULL)),
  -- Whatever changes a file, only a picture that has been read and that every member sees is public.
  CONSTRAINT knowledge_files_public CHECK (public_since IS NULL OR visibility = 'ORGANIZATION' AND status = 'NOT_APPLICABLE'
    AND width IS NOT NULL AND picture_path IS NOT NULL AND right(picture_path, 32) = left(sha256, 32))
);
CREATE UNIQUE INDEX knowledge_files_external_id ON trellis.knowledge_files (organization_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX knowledge_files_created_at ON trellis.knowledge_files (organization_id, created_at, id);
CREATE INDEX knowledge_files_import ON trellis.knowledge_files (organization_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX knowledge_files_name ON trellis.knowledge_files (organization_id, name COLLATE trellis.alphabetical, id);
CREATE INDEX knowledge_files_owner ON trellis.knowledge_files (organization_id, owner_user_id, created_at, id);
-- Pictures among many other files.
CREATE INDEX knowledge_files_pictures ON trellis.knowledge_files (organization_id, ((picture_path IS NOT NULL)), created_at, id);
CREATE INDEX knowledge_files_sha256 ON trellis.knowledge_files (organization_id, sha256);
CREATE INDEX knowledge_files_updated_at ON trellis.knowledge_files (organization_id, updated_at, id);
ALTER TABLE trellis.knowledge_files ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- Within the organization, only what the user may read. Rows are checked before a change and not after it, because a write may
-- take a record out of its own caller's sight.
CREATE POLICY organization ON trellis.knowledge_files TO trellis_api
  USING (organization_id = trellis.current_organization()
    AND (trellis.may_read(readers, (SELECT trellis.current_readers())) OR (SELECT trellis.sees_all_files())))
  WITH CHECK (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.knowledge_files TO trellis_api;

CREATE TABLE trellis.knowledge_file_tags (
  organization_id uuid NOT NULL,
  tag text NOT NULL,
  knowledge_file_id uuid NOT NULL,
  PRIMARY KEY (organization_id, tag, knowledge_file_id)
);
ALTER TABLE trellis.knowledge_file_tags ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.knowledge_file_tags TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.knowledge_file_tags TO trellis_api;

-- Content whose text is yet to be extracted; written with the content, taken by a lease. It says all that the background
-- role needs to know, so that this one need not read records.
CREATE TABLE trellis.extraction_jobs (
  organization_id uuid NOT NULL,
  file_id uuid NOT NULL,
  content_version integer NOT NULL,
  media_type text NOT NULL,
  sha256 text NOT NULL,
  available_at timestamptz(3) NOT NULL,
  attempts integer NOT NULL,
  PRIMARY KEY (organization_id, file_id)
);
CREATE INDEX extraction_jobs_available_at ON trellis.extraction_jobs (available_at);
-- The waiting organizations are found one by one along this index, however many files each of them has.
CREATE INDEX extraction_jobs_organization ON trellis.extraction_jobs (organization_id, available_at, file_id);
ALTER TABLE trellis.extraction_jobs ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.extraction_jobs TO trellis_api USING (organization_id = trellis.current_organization());
CREATE POLICY worker ON trellis.extraction_jobs TO trellis_worker USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.extraction_jobs TO trellis_api;
GRANT SELECT, UPDATE, DELETE ON trellis.extraction_jobs TO trellis_worker;

-- Which organization's turn it is to have a file read: the one whose last file was taken longest ago comes first.
CREATE TABLE trellis.extraction_turns (
  organization_id uuid PRIMARY KEY REFERENCES trellis.organizations (id),
  served_at timestamptz NOT NULL
);
ALTER TABLE trellis.extraction_turns ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY worker ON trellis.extraction_turns TO trellis_worker USING (true);
GRANT SELECT, INSERT, UPDATE ON trellis.extraction_turns TO trellis_worker;

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
  FOREIGN KEY (organization_id, file_id) REFERENCES trellis.knowledge_files (organization_id, id) ON DELETE CASCADE,
  CHECK (num_nulls(sha256, media_type, size_bytes, made_at) IN (0, 4)),
  CHECK (NOT failed OR sha256 IS NULL)
);
CREATE INDEX picture_renditions_made_at ON trellis.picture_renditions (organization_id, made_at);
CREATE INDEX picture_renditions_sha256 ON trellis.picture_renditions (organization_id, sha256);
ALTER TABLE trellis.picture_renditions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- Whoever sees the record also sees its parts.
CREATE POLICY organization ON trellis.picture_renditions TO trellis_api
  USING (organization_id = trellis.current_organization()
    AND EXISTS (SELECT FROM trellis.knowledge_files f
                WHERE f.organization_id = picture_renditions.organization_id AND f.id = picture_renditions.file_id))
  WITH CHECK (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.picture_renditions TO trellis_api;
