-- Which organization's turn it is to have a file read: the one whose last file was taken longest ago comes first. The previous
-- release takes jobs without noting it, which only costs some fairness while both run.
CREATE TABLE trellis.extraction_turns (
  organization_id uuid PRIMARY KEY REFERENCES trellis.organizations (id),
  served_at timestamptz NOT NULL
);
ALTER TABLE trellis.extraction_turns ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY worker ON trellis.extraction_turns TO trellis_worker USING (true);
GRANT SELECT, INSERT, UPDATE ON trellis.extraction_turns TO trellis_worker;

-- The waiting organizations are found one by one along this index, however many files each of them has.
CREATE INDEX extraction_jobs_organization ON trellis.extraction_jobs (organization_id, available_at, file_id);
