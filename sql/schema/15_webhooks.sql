-- Webhooks. The endpoint is a record, which the background role may not read; what it must know to make calls stands in
-- its subscription, which is written in the same transactions. A delivery is one event for one endpoint: the same one is
-- sent again, under the same id, by every retry and replay.

-- No foreign key to the endpoint: what refers to records is closed to the background role as they are. It goes with the
-- endpoint, in the same transaction; deliveries that are left are swept.
CREATE TABLE trellis.webhook_subscriptions (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  endpoint_id uuid NOT NULL,
  url text NOT NULL,
  event_types text[] NOT NULL,
  payload text NOT NULL,
  enabled boolean NOT NULL,
  -- On whose behalf events are chosen and records read: who last said where to, what, and in which form. Nobody:
  -- nothing is sent.
  acts_for uuid,
  -- Sealed under a key that is not in the database (src/webhooks/sealing.ts).
  secret text,
  previous_secret text,
  previous_secret_until timestamptz(3),
  -- How it goes; kept by the background role.
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz(3),
  blocked_until timestamptz(3) NOT NULL DEFAULT '-infinity'::timestamptz,
  site_ids uuid[],
  PRIMARY KEY (organization_id, endpoint_id)
);
-- Not unique: a user may have several endpoints in several organizations.
CREATE INDEX webhook_subscriptions_acts_for ON trellis.webhook_subscriptions (acts_for);
ALTER TABLE trellis.webhook_subscriptions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- Whoever claims an account also ends what acts for it without a token: its webhook endpoints are disabled. The role that signs
-- people in may do that, and no more, until the address of the account is proven.
CREATE POLICY auth_claims ON trellis.webhook_subscriptions FOR UPDATE TO trellis_auth
  USING (EXISTS (SELECT FROM trellis.users u WHERE u.id = webhook_subscriptions.acts_for AND NOT u.address_proven))
  WITH CHECK (NOT enabled);
CREATE POLICY auth_reads_to_claim ON trellis.webhook_subscriptions FOR SELECT TO trellis_auth
  USING (EXISTS (SELECT FROM trellis.users u WHERE u.id = webhook_subscriptions.acts_for AND NOT u.address_proven));
CREATE POLICY organization ON trellis.webhook_subscriptions TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY worker ON trellis.webhook_subscriptions TO trellis_worker USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.webhook_subscriptions TO trellis_api;
GRANT SELECT ON trellis.webhook_subscriptions TO trellis_worker;
GRANT SELECT (organization_id, endpoint_id, acts_for) ON trellis.webhook_subscriptions TO trellis_auth;
GRANT UPDATE (enabled) ON trellis.webhook_subscriptions TO trellis_auth;
GRANT UPDATE (failures, failing_since, blocked_until) ON trellis.webhook_subscriptions TO trellis_worker;

CREATE TABLE trellis.webhook_endpoints (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  url text NOT NULL,
  event_types json NOT NULL,
  payload text NOT NULL CHECK (payload IN ('THIN', 'FULL')),
  description text,
  status text NOT NULL CHECK (status IN ('ENABLED', 'DISABLED')),
  disabled_reason text CHECK (disabled_reason IN ('GONE', 'FAILING', 'CLAIMED')),
  secret_rotated_at timestamptz(3),
  import_id text,
  -- The sites whose events it receives: NULL is everything, an empty list nothing. No foreign key: a site that is deleted stays in
  -- the list, since it may be restored.
  site_ids uuid[],
  PRIMARY KEY (organization_id, id),
  CHECK (disabled_reason IS NULL OR status = 'DISABLED')
);
CREATE UNIQUE INDEX webhook_endpoints_external_id ON trellis.webhook_endpoints (organization_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX webhook_endpoints_created_at ON trellis.webhook_endpoints (organization_id, created_at, id);
CREATE INDEX webhook_endpoints_import ON trellis.webhook_endpoints (organization_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX webhook_endpoints_updated_at ON trellis.webhook_endpoints (organization_id, updated_at, id);
CREATE INDEX webhook_endpoints_url ON trellis.webhook_endpoints (organization_id, url COLLATE trellis.alphabetical, id);
ALTER TABLE trellis.webhook_endpoints ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY auth_claims ON trellis.webhook_endpoints FOR UPDATE TO trellis_auth
  USING (EXISTS (SELECT FROM trellis.webhook_subscriptions s
                 WHERE s.organization_id = webhook_endpoints.organization_id AND s.endpoint_id = webhook_endpoints.id))
  WITH CHECK (disabled_reason = 'CLAIMED');
-- The policy of the subscriptions shows those that act for accounts whose addresses are not proven.
CREATE POLICY auth_reads_to_claim ON trellis.webhook_endpoints FOR SELECT TO trellis_auth
  USING (EXISTS (SELECT FROM trellis.webhook_subscriptions s
                 WHERE s.organization_id = webhook_endpoints.organization_id AND s.endpoint_id = webhook_endpoints.id));
CREATE POLICY organization ON trellis.webhook_endpoints TO trellis_api USING (organization_id = trellis.current_organization());
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.webhook_endpoints TO trellis_api;
GRANT SELECT (organization_id, id, version, updated_at, status, disabled_reason) ON trellis.webhook_endpoints TO trellis_auth;
GRANT UPDATE (version, updated_at, updated_by, status, disabled_reason) ON trellis.webhook_endpoints TO trellis_auth;

CREATE TABLE trellis.webhook_deliveries (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  endpoint_id uuid NOT NULL,
  -- Also the id of the delivery, within its endpoint.
  event_id uuid NOT NULL,
  type text NOT NULL,
  -- The event as it was logged: the log may be kept for a shorter time.
  event json NOT NULL,
  -- Who may read the record that the event tells of; NULL: every member.
  readers text[],
  status text NOT NULL CHECK (status IN ('PENDING', 'SUCCEEDED', 'FAILED')),
  created_at timestamptz(3) NOT NULL,
  -- Attempts that were begun; the number of the last one.
  attempts integer NOT NULL DEFAULT 0,
  -- Attempts of the schedule that have failed since it began, or began again.
  failed_attempts integer NOT NULL DEFAULT 0,
  -- Of a pending one; it stays while an attempt is under way, so that one whose node died goes before later ones.
  next_attempt_at timestamptz(3) NOT NULL,
  leased_until timestamptz(3),
  PRIMARY KEY (organization_id, endpoint_id, event_id)
);
CREATE INDEX webhook_deliveries_created_at ON trellis.webhook_deliveries (created_at);
CREATE INDEX webhook_deliveries_due ON trellis.webhook_deliveries (organization_id, endpoint_id, next_attempt_at) WHERE status = 'PENDING';
CREATE INDEX webhook_deliveries_leased ON trellis.webhook_deliveries (organization_id, endpoint_id, leased_until) WHERE leased_until IS NOT NULL;
CREATE INDEX webhook_deliveries_newest ON trellis.webhook_deliveries (organization_id, endpoint_id, created_at, event_id);
CREATE INDEX webhook_deliveries_subject ON trellis.webhook_deliveries (organization_id, ((event ->> 'subjectId')));
CREATE INDEX webhook_deliveries_tests ON trellis.webhook_deliveries (organization_id, endpoint_id, next_attempt_at)
  WHERE status = 'PENDING' AND type = 'webhook.test';
CREATE INDEX webhook_deliveries_unsettled ON trellis.webhook_deliveries (organization_id, endpoint_id, status, created_at, event_id)
  WHERE status <> 'SUCCEEDED';
ALTER TABLE trellis.webhook_deliveries ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
-- Whoever manages an endpoint of somebody else sees only deliveries of what they may read themselves.
CREATE POLICY organization ON trellis.webhook_deliveries TO trellis_api
  USING (organization_id = trellis.current_organization() AND trellis.may_read(readers, (SELECT trellis.current_readers())));
CREATE POLICY worker ON trellis.webhook_deliveries TO trellis_worker USING (true);
GRANT SELECT, INSERT ON trellis.webhook_deliveries TO trellis_api;
GRANT SELECT, INSERT, DELETE ON trellis.webhook_deliveries TO trellis_worker;
GRANT UPDATE (status, failed_attempts, next_attempt_at) ON trellis.webhook_deliveries TO trellis_api;
GRANT UPDATE (status, attempts, failed_attempts, next_attempt_at, leased_until) ON trellis.webhook_deliveries TO trellis_worker;

CREATE TABLE trellis.webhook_attempts (
  organization_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  number integer NOT NULL,
  attempted_at timestamptz(3) NOT NULL,
  -- HTTP status; NULL when there was no response, for which `error` then says why.
  status integer,
  latency_ms integer NOT NULL,
  response text NOT NULL,
  error text,
  PRIMARY KEY (organization_id, endpoint_id, event_id, number),
  FOREIGN KEY (organization_id, endpoint_id, event_id)
    REFERENCES trellis.webhook_deliveries (organization_id, endpoint_id, event_id) ON DELETE CASCADE
);
ALTER TABLE trellis.webhook_attempts ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.webhook_attempts FOR SELECT TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY worker ON trellis.webhook_attempts TO trellis_worker USING (true);
GRANT SELECT ON trellis.webhook_attempts TO trellis_api;
GRANT SELECT, INSERT, DELETE ON trellis.webhook_attempts TO trellis_worker;
GRANT UPDATE (response) ON trellis.webhook_attempts TO trellis_worker;
