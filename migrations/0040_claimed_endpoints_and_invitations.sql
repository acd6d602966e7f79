-- Whoever claims an account also ends what acts for it without a token: its webhook endpoints are disabled, and the pending invitations
-- that it has sent are revoked. The role that signs people in may do that, and no more, until the address of the account is proven.
ALTER TABLE trellis.webhook_endpoints DROP CONSTRAINT webhook_endpoints_disabled_reason_check,
  ADD CONSTRAINT webhook_endpoints_disabled_reason_check CHECK (disabled_reason IN ('GONE', 'FAILING', 'CLAIMED'));
-- Not unique: a user may have several endpoints in several organizations.
CREATE INDEX webhook_subscriptions_acts_for ON trellis.webhook_subscriptions (acts_for);

GRANT SELECT (organization_id, endpoint_id, acts_for), UPDATE (enabled) ON trellis.webhook_subscriptions TO trellis_auth;
CREATE POLICY auth_reads_to_claim ON trellis.webhook_subscriptions FOR SELECT TO trellis_auth
  USING (EXISTS (SELECT FROM trellis.users u WHERE u.id = webhook_subscriptions.acts_for AND NOT u.address_proven));
CREATE POLICY auth_claims ON trellis.webhook_subscriptions FOR UPDATE TO trellis_auth
  USING (EXISTS (SELECT FROM trellis.users u WHERE u.id = webhook_subscriptions.acts_for AND NOT u.address_proven))
  WITH CHECK (NOT enabled);

GRANT SELECT (organization_id, id, version, updated_at, status),
  UPDATE (version, updated_at, updated_by, status, disabled_reason) ON trellis.webhook_endpoints TO trellis_auth;
-- The policy of the subscriptions shows those that act for accounts whose addresses are not proven.
CREATE POLICY auth_reads_to_claim ON trellis.webhook_endpoints FOR SELECT TO trellis_auth
  USING (EXISTS (SELECT FROM trellis.webhook_subscriptions s
    WHERE s.organization_id = webhook_endpoints.organization_id AND s.endpoint_id = webhook_endpoints.id));
CREATE POLICY auth_claims ON trellis.webhook_endpoints FOR UPDATE TO trellis_auth
  USING (EXISTS (SELECT FROM trellis.webhook_subscriptions s
    WHERE s.organization_id = webhook_endpoints.organization_id AND s.endpoint_id = webhook_endpoints.id))
  WITH CHECK (disabled_reason = 'CLAIMED');

CREATE POLICY auth_revokes ON trellis.invitations FOR UPDATE TO trellis_auth
  USING (status = 'PENDING' AND EXISTS (SELECT FROM trellis.users u WHERE u.id = invitations.sent_by AND NOT u.address_proven))
  WITH CHECK (status = 'REVOKED' AND EXISTS (SELECT FROM trellis.users u WHERE u.id = invitations.sent_by AND NOT u.address_proven));

DROP POLICY auth ON trellis.outbox;
CREATE POLICY auth ON trellis.outbox FOR INSERT TO trellis_auth
  WITH CHECK (subject_type IN ('member', 'session', 'invitation', 'token', 'webhook-endpoint'));
