-- Interface C: publishable keys of websites, visitors, and their single identifications.
--
-- Nothing here names a person: no address, no signals, no page. The hash of the signals is keyed, with a key that does
-- not lie in the database. Sites are referred to without a foreign key: a website that is deleted must not be kept by those
-- who once visited it; its keys open nothing any more, and its visitors expire.

-- A client of the kind BROWSER is one publishable key.
CREATE TABLE trellis.publishable_keys (
  organization_id uuid NOT NULL,
  client_id uuid NOT NULL,
  -- Public by its nature, so it is kept as it is.
  key text NOT NULL CHECK (char_length(key) IN (43, 69)),
  site_id uuid NOT NULL,
  PRIMARY KEY (organization_id, client_id),
  FOREIGN KEY (organization_id, client_id) REFERENCES trellis.clients (organization_id, id)
);
-- Not unique: a unique index would have to begin with organization_id, and two equal random keys do not happen.
CREATE INDEX publishable_keys_key ON trellis.publishable_keys (key);
ALTER TABLE trellis.publishable_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.publishable_keys TO trellis_api USING (organization_id = trellis.current_organization());
-- Who holds a key may learn which organization and site it names, and who asks from an origin, that it is somebody's:
-- before that, no organization can be named.
CREATE POLICY presented ON trellis.publishable_keys FOR SELECT TO trellis_api
  USING (key = nullif(current_setting('trellis.publishable_key', true), ''));
CREATE POLICY worker ON trellis.publishable_keys TO trellis_worker USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON trellis.publishable_keys TO trellis_api;
GRANT SELECT, INSERT ON trellis.publishable_keys TO trellis_worker;

-- Where a key may be used from: scheme, host and port, as browsers send them.
CREATE TABLE trellis.publishable_key_origins (
  organization_id uuid NOT NULL,
  client_id uuid NOT NULL,
  origin text NOT NULL CHECK (char_length(origin) BETWEEN 1 AND 267),
  PRIMARY KEY (organization_id, client_id, origin),
  FOREIGN KEY (organization_id, client_id) REFERENCES trellis.publishable_keys (organization_id, client_id)
);
CREATE INDEX publishable_key_origins_origin ON trellis.publishable_key_origins (origin);
ALTER TABLE trellis.publishable_key_origins ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.publishable_key_origins TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY presented ON trellis.publishable_key_origins FOR SELECT TO trellis_api
  USING (origin = nullif(current_setting('trellis.origin', true), ''));
CREATE POLICY worker ON trellis.publishable_key_origins TO trellis_worker USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON trellis.publishable_key_origins TO trellis_api, trellis_worker;

CREATE TABLE trellis.visitors (
  organization_id uuid NOT NULL REFERENCES trellis.organizations (id),
  id uuid NOT NULL,
  site_id uuid NOT NULL,
  version integer NOT NULL,
  -- HMAC-SHA256 of the signals last seen; null when they tell too little, and for who does not want to be recognized.
  signals_hash bytea CHECK (octet_length(signals_hash) = 32),
  -- Does not want to be recognized: nothing finds it again, and it is gone after a day.
  transient boolean NOT NULL,
  first_seen_at timestamptz(3) NOT NULL,
  last_seen_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, id),
  CONSTRAINT visitors_transient_unrecognizable CHECK (NOT transient OR signals_hash IS NULL)
);
CREATE INDEX visitors_expires_at ON trellis.visitors (expires_at);
-- The list of the visitors of a site.
CREATE INDEX visitors_seen ON trellis.visitors (organization_id, site_id, last_seen_at DESC, id DESC) WHERE NOT transient;
CREATE INDEX visitors_signals ON trellis.visitors (organization_id, site_id, signals_hash, last_seen_at) WHERE signals_hash IS NOT NULL;
ALTER TABLE trellis.visitors ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.visitors TO trellis_api USING (organization_id = trellis.current_organization());
CREATE POLICY worker_deletes ON trellis.visitors FOR DELETE TO trellis_worker USING (true);
CREATE POLICY worker_reads ON trellis.visitors FOR SELECT TO trellis_worker USING (true);
-- The sweep deletes what has expired, and sees nothing else of it.
GRANT SELECT, INSERT, UPDATE, DELETE ON trellis.visitors TO trellis_api;
GRANT DELETE ON trellis.visitors TO trellis_worker;
GRANT SELECT (organization_id, id, expires_at) ON trellis.visitors TO trellis_worker;

CREATE TABLE trellis.identifications (
  organization_id uuid NOT NULL,
  visitor_id uuid NOT NULL,
  -- A UUIDv7: the newest one is the last.
  id uuid NOT NULL,
  request_id text NOT NULL,
  score double precision NOT NULL CHECK ((score >= (0)::double precision) AND (score <= (1)::double precision)),
  browser_name text NOT NULL,
  browser_version text NOT NULL,
  device_type text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  site_id uuid,
  counted_at timestamptz(3),
  PRIMARY KEY (organization_id, visitor_id, id),
  FOREIGN KEY (organization_id, visitor_id) REFERENCES trellis.visitors (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX identifications_counted ON trellis.identifications (organization_id, counted_at DESC) INCLUDE (site_id, visitor_id)
  WHERE counted_at IS NOT NULL;
CREATE INDEX identifications_expires_at ON trellis.identifications (expires_at);
ALTER TABLE trellis.identifications ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.identifications TO trellis_api USING (organization_id = trellis.current_organization());
CREATE POLICY worker_deletes ON trellis.identifications FOR DELETE TO trellis_worker USING (true);
CREATE POLICY worker_reads ON trellis.identifications FOR SELECT TO trellis_worker USING (true);
GRANT SELECT, INSERT, DELETE ON trellis.identifications TO trellis_api;
GRANT DELETE ON trellis.identifications TO trellis_worker;
GRANT SELECT (organization_id, visitor_id, id, expires_at) ON trellis.identifications TO trellis_worker;
