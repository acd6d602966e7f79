-- Invitations: links by which people become members. Who accepts one may have no account yet, so the role that signs people in makes
-- the account and the membership; policies let it insert no membership but that of an accepted invitation.

CREATE TABLE trellis.invitations (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_by uuid,
  email text NOT NULL CHECK (char_length(email) BETWEEN 1 AND 254),
  -- The form by which accounts are found.
  email_normalized text NOT NULL,
  role_id uuid NOT NULL,
  -- EXPIRED is not stored: it follows from expires_at.
  status text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  -- Who sent it last: it can be accepted while they could still send it.
  sent_by uuid NOT NULL REFERENCES trellis.users (id),
  -- Of the link that was shown to who sent it, and of the one that was mailed; null where it was not.
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  mail_hash bytea CHECK (octet_length(mail_hash) = 32),
  -- Who has accepted it.
  user_id uuid REFERENCES trellis.users (id),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, role_id) REFERENCES trellis.roles (organization_id, id),
  CONSTRAINT invitations_accepted CHECK ((status = 'ACCEPTED') = (user_id IS NOT NULL)),
  CONSTRAINT invitations_status CHECK (status IN ('PENDING', 'ACCEPTED', 'REVOKED'))
);
CREATE INDEX invitations_created_at ON trellis.invitations (organization_id, created_at, id);
CREATE INDEX invitations_email ON trellis.invitations (organization_id, email COLLATE trellis.alphabetical, id);
CREATE INDEX invitations_mail_hash ON trellis.invitations (mail_hash) WHERE mail_hash IS NOT NULL;
CREATE UNIQUE INDEX invitations_pending ON trellis.invitations (organization_id, email_normalized) WHERE status = 'PENDING';
CREATE INDEX invitations_role_id ON trellis.invitations (organization_id, role_id);
-- Not unique: a unique index would have to begin with organization_id, and two equal SHA-256 hashes do not happen.
CREATE INDEX invitations_secret_hash ON trellis.invitations (secret_hash);
CREATE INDEX invitations_sent_by ON trellis.invitations (sent_by);
CREATE INDEX invitations_updated_at ON trellis.invitations (organization_id, updated_at, id);
CREATE INDEX invitations_user_id ON trellis.invitations (user_id) WHERE user_id IS NOT NULL;
ALTER TABLE trellis.invitations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth ON trellis.invitations FOR SELECT TO trellis_auth USING (true);
CREATE POLICY auth_accepts ON trellis.invitations FOR UPDATE TO trellis_auth
  USING (status = 'PENDING')
  WITH CHECK (status = 'ACCEPTED');
-- Whoever claims an account also revokes the pending invitations that it has sent.
CREATE POLICY auth_revokes ON trellis.invitations FOR UPDATE TO trellis_auth
  USING (status = 'PENDING'
    AND EXISTS (SELECT FROM trellis.users u WHERE u.id = invitations.sent_by AND NOT u.address_proven))
  WITH CHECK (status = 'REVOKED'
    AND EXISTS (SELECT FROM trellis.users u WHERE u.id = invitations.sent_by AND NOT u.address_proven));
CREATE POLICY organization ON trellis.invitations TO trellis_api USING (organization_id = trellis.current_organization());
GRANT INSERT, DELETE ON trellis.invitations TO trellis_api;
GRANT SELECT ON trellis.invitations TO trellis_auth;
GRANT SELECT (
    organization_id, id, version, created_at, updated_at, created_by, updated_by, email, email_normalized, role_id, status,
    expires_at, sent_by, user_id
  ) ON trellis.invitations TO trellis_api;
GRANT UPDATE (version, updated_at, updated_by, status, expires_at, sent_by, secret_hash, mail_hash) ON trellis.invitations TO trellis_api;
GRANT UPDATE (version, updated_at, updated_by, status, user_id) ON trellis.invitations TO trellis_auth;

-- What accepting an invitation writes.
CREATE POLICY auth_accounts ON trellis.users FOR INSERT TO trellis_auth WITH CHECK (true);
CREATE POLICY auth_invited ON trellis.memberships FOR INSERT TO trellis_auth
  WITH CHECK (EXISTS (SELECT FROM trellis.invitations i
                      JOIN trellis.roles r ON r.organization_id = i.organization_id AND r.id = i.role_id
                      WHERE i.organization_id = memberships.organization_id AND i.user_id = memberships.user_id
                        AND i.status = 'ACCEPTED'
                        AND memberships.role = CASE WHEN r.built_in THEN r.key ELSE r.id::text END));
