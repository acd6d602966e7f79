-- The organizations that a person has become a member of or entered, so that a change of their sessions and credentials asks only the servers of
-- these. Only a distributed database reads it, and completes the row of a person when it first needs it.
-- See docs/decisions/0120-organizations-of-a-person.md.
CREATE TABLE trellis.organizations_of_people (
  user_id uuid PRIMARY KEY,
  organization_ids uuid[] NOT NULL,
  -- Whether no organization from before there was a row is missing.
  is_complete boolean NOT NULL DEFAULT false
);
ALTER TABLE trellis.organizations_of_people ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- Those who make members, and who sign people in. It says no more than the memberships, which they see.
CREATE POLICY people ON trellis.organizations_of_people TO trellis_auth, trellis_worker USING (true) WITH CHECK (true);
CREATE POLICY backup ON trellis.organizations_of_people FOR SELECT TO trellis_owner
  USING (current_setting('trellis.backup', true) = 'on');
GRANT SELECT, INSERT, UPDATE ON trellis.organizations_of_people TO trellis_auth, trellis_worker;
