-- Rounds of a review: a version that was submitted stays as it is, and the version after one that was sent back says why.
ALTER TABLE trellis.article_versions ADD COLUMN submitted_at timestamptz(3);
ALTER TABLE trellis.article_versions ADD COLUMN submitted_by uuid;
ALTER TABLE trellis.article_versions ADD COLUMN returned_at timestamptz(3);
ALTER TABLE trellis.article_versions ADD COLUMN returned_by uuid;
ALTER TABLE trellis.article_versions ADD COLUMN return_note text;
-- What was published lately, across the sites of an organization.
CREATE INDEX article_versions_published_at ON trellis.article_versions (organization_id, published_at DESC, article_id)
  WHERE status = 'PUBLISHED';
