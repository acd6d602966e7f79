-- Events of signing in, and an order between signing in and changing what one signs in with.

-- The number of changes of what a person signs in with. Who opens a session and who changes a factor locks the row: a session is
-- opened only if nothing has changed since the proof was checked, and a change ends every session that was opened before.
CREATE TABLE trellis.credential_versions (
  user_id uuid PRIMARY KEY REFERENCES trellis.users (id),
  version bigint NOT NULL DEFAULT 0
);
ALTER TABLE trellis.credential_versions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.credential_versions TO trellis_auth USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON trellis.credential_versions TO trellis_auth;

-- The role that signs people in tells of sessions and of members, and of nothing else.
CREATE POLICY auth ON trellis.outbox FOR INSERT TO trellis_auth WITH CHECK (subject_type IN ('member', 'session'));
GRANT INSERT ON trellis.outbox TO trellis_auth;

-- Every organization has a client for the console from its creation on. Ids are UUIDv7 (RFC 9562, 5.7).
ALTER TABLE trellis.organizations NO FORCE ROW LEVEL SECURITY;
ALTER TABLE trellis.clients NO FORCE ROW LEVEL SECURITY;
INSERT INTO trellis.clients (organization_id, id, name, kind)
SELECT o.id, n.id, CASE WHEN EXISTS (SELECT FROM trellis.clients c WHERE c.organization_id = o.id AND c.name = 'Console')
  THEN 'Console ' || n.id ELSE 'Console' END, 'CONSOLE'
FROM trellis.organizations o, LATERAL (SELECT (
  lpad(to_hex(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7' ||
  substr(replace(gen_random_uuid()::text, '-', ''), 14)
)::uuid AS id WHERE o.id IS NOT NULL) n
WHERE NOT EXISTS (SELECT FROM trellis.clients c WHERE c.organization_id = o.id AND c.kind = 'CONSOLE');
ALTER TABLE trellis.organizations FORCE ROW LEVEL SECURITY;
ALTER TABLE trellis.clients FORCE ROW LEVEL SECURITY;

-- So signing in makes none. No release has let it.
DROP POLICY auth_console ON trellis.clients;
REVOKE INSERT ON trellis.clients FROM trellis_auth;
