CREATE TABLE trellis.article_categories (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  article_id uuid NOT NULL,
  category_id uuid NOT NULL,
  CONSTRAINT article_categories_pkey PRIMARY KEY (organization_id, site_id, category_id, article_id),
  CONSTRAINT article_categories_category FOREIGN KEY (organization_id, site_id, category_id) REFERENCES trellis.categories(organization_id, site_id, id),
  CONSTRAINT article_categories_organization_id_site_id_article_id_fkey FOREIGN KEY (organization_id, site_id, article_id) REFERENCES trellis.articles(organization_id, site_id, id) ON DELETE CASCADE
);
ALTER TABLE trellis.article_categories ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX article_categories_article ON trellis.article_categories USING btree (organization_id, site_id, article_id);
CREATE POLICY organization ON trellis.article_categories FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.article_categories TO trellis_api;

CREATE TABLE trellis.article_tags (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  article_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  CONSTRAINT article_tags_pkey PRIMARY KEY (organization_id, site_id, tag_id, article_id),
  CONSTRAINT article_tags_organization_id_site_id_article_id_fkey FOREIGN KEY (organization_id, site_id, article_id) REFERENCES trellis.articles(organization_id, site_id, id) ON DELETE CASCADE,
  CONSTRAINT article_tags_tag FOREIGN KEY (organization_id, site_id, tag_id) REFERENCES trellis.tags(organization_id, site_id, id)
);
ALTER TABLE trellis.article_tags ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX article_tags_article ON trellis.article_tags USING btree (organization_id, site_id, article_id);
CREATE POLICY organization ON trellis.article_tags FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.article_tags TO trellis_api;

CREATE TABLE trellis.article_versions (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  article_id uuid NOT NULL,
  number integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  title text NOT NULL,
  subtitle text,
  summary text,
  body text,
  body_format text NOT NULL,
  locale text NOT NULL,
  cover_file_id uuid,
  seo jsonb,
  change_note text,
  scheduled_for timestamp(3) with time zone,
  unpublish_at timestamp(3) with time zone,
  status text NOT NULL,
  published_at timestamp(3) with time zone,
  word_count integer NOT NULL,
  CONSTRAINT article_versions_pkey PRIMARY KEY (organization_id, site_id, article_id, number),
  CONSTRAINT article_versions_organization_id_site_id_article_id_fkey FOREIGN KEY (organization_id, site_id, article_id) REFERENCES trellis.articles(organization_id, site_id, id) ON DELETE CASCADE,
  CONSTRAINT article_versions_check CHECK (((status <> 'SCHEDULED'::text) OR (scheduled_for IS NOT NULL))),
  CONSTRAINT article_versions_number_check CHECK ((number >= 1)),
  CONSTRAINT article_versions_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'IN_REVIEW'::text, 'APPROVED'::text, 'SCHEDULED'::text, 'PUBLISHED'::text, 'UNPUBLISHED'::text, 'SUPERSEDED'::text, 'ARCHIVED'::text])))
);
ALTER TABLE trellis.article_versions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE UNIQUE INDEX article_versions_published ON trellis.article_versions USING btree (organization_id, site_id, article_id) WHERE (status = 'PUBLISHED'::text);
CREATE UNIQUE INDEX article_versions_working ON trellis.article_versions USING btree (organization_id, site_id, article_id) WHERE (status = ANY (ARRAY['DRAFT'::text, 'IN_REVIEW'::text, 'APPROVED'::text, 'SCHEDULED'::text]));
CREATE POLICY organization ON trellis.article_versions FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.article_versions TO trellis_api;

CREATE TABLE trellis.articles (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  allow_comments boolean NOT NULL,
  category_ids uuid[] NOT NULL,
  primary_category_id uuid,
  tag_ids uuid[] NOT NULL,
  authors jsonb NOT NULL,
  slug text NOT NULL,
  featured boolean NOT NULL,
  canonical_url text,
  state text NOT NULL,
  working_version integer NOT NULL,
  published_version integer,
  schedule_error text,
  title text NOT NULL,
  status text NOT NULL,
  locale text NOT NULL,
  CONSTRAINT articles_external_id UNIQUE (organization_id, external_id),
  CONSTRAINT articles_slug UNIQUE (organization_id, site_id, slug),
  CONSTRAINT articles_pkey PRIMARY KEY (organization_id, site_id, id),
  CONSTRAINT articles_organization_id_site_id_fkey FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites(organization_id, id),
  CONSTRAINT articles_check CHECK (((primary_category_id IS NULL) OR (primary_category_id = ANY (category_ids)))),
  CONSTRAINT articles_state_check CHECK ((state = ANY (ARRAY['UNPUBLISHED'::text, 'PUBLISHED'::text, 'CHANGED'::text, 'ARCHIVED'::text])))
);
ALTER TABLE trellis.articles ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX articles_created_at ON trellis.articles USING btree (organization_id, site_id, created_at, id);
CREATE INDEX articles_status ON trellis.articles USING btree (organization_id, site_id, status, created_at, id);
CREATE INDEX articles_title ON trellis.articles USING btree (organization_id, site_id, title, id);
CREATE INDEX articles_updated_at ON trellis.articles USING btree (organization_id, site_id, updated_at, id);
CREATE POLICY organization ON trellis.articles FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.articles TO trellis_api;

CREATE TABLE trellis.categories (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  name text NOT NULL,
  slug text NOT NULL,
  description text,
  parent_id uuid,
  position integer NOT NULL,
  CONSTRAINT categories_external_id UNIQUE (organization_id, external_id),
  CONSTRAINT categories_slug UNIQUE (organization_id, site_id, slug),
  CONSTRAINT categories_pkey PRIMARY KEY (organization_id, site_id, id),
  CONSTRAINT categories_organization_id_site_id_fkey FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites(organization_id, id),
  CONSTRAINT categories_parent FOREIGN KEY (organization_id, site_id, parent_id) REFERENCES trellis.categories(organization_id, site_id, id),
  CONSTRAINT categories_check CHECK ((parent_id <> id))
);
ALTER TABLE trellis.categories ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX categories_created_at ON trellis.categories USING btree (organization_id, site_id, created_at, id);
CREATE INDEX categories_name ON trellis.categories USING btree (organization_id, site_id, name, id);
CREATE INDEX categories_parent_id ON trellis.categories USING btree (organization_id, site_id, parent_id);
CREATE INDEX categories_updated_at ON trellis.categories USING btree (organization_id, site_id, updated_at, id);
CREATE POLICY organization ON trellis.categories FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.categories TO trellis_api;

CREATE TABLE trellis.clients (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  kind text NOT NULL,
  status text NOT NULL DEFAULT 'ACTIVE'::text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT clients_name UNIQUE (organization_id, name),
  CONSTRAINT clients_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT clients_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id),
  CONSTRAINT clients_kind_check CHECK ((kind = ANY (ARRAY['SERVER'::text, 'CONSOLE'::text, 'CLI'::text, 'BROWSER'::text]))),
  CONSTRAINT clients_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  CONSTRAINT clients_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'DISABLED'::text])))
);
ALTER TABLE trellis.clients ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.clients FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.clients FOR ALL TO trellis_worker USING (true) WITH CHECK (true);
GRANT SELECT ON trellis.clients TO trellis_api;
GRANT INSERT, SELECT, UPDATE ON trellis.clients TO trellis_worker;

CREATE TABLE trellis.event_positions (
  organization_id uuid NOT NULL,
  position bigint NOT NULL,
  logged_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT event_positions_pkey PRIMARY KEY (organization_id),
  CONSTRAINT event_positions_position_check CHECK (("position" >= 1))
);
ALTER TABLE trellis.event_positions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.event_positions FOR SELECT TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.event_positions FOR ALL TO trellis_worker USING (true);
GRANT SELECT ON trellis.event_positions TO trellis_api;
GRANT INSERT, SELECT, UPDATE ON trellis.event_positions TO trellis_worker;

CREATE TABLE trellis.events (
  organization_id uuid NOT NULL,
  position bigint NOT NULL,
  logged_at timestamp(3) with time zone NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  parent_id uuid,
  subject_version integer NOT NULL,
  actor_user_id uuid,
  actor_client_id uuid,
  request_id text NOT NULL,
  changed_fields text[] NOT NULL,
  occurred_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT events_pkey PRIMARY KEY (organization_id, "position", logged_at)
) PARTITION BY RANGE (logged_at);
ALTER TABLE trellis.events ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX events_subject ON ONLY trellis.events USING btree (organization_id, subject_id, "position");
CREATE POLICY organization ON trellis.events FOR SELECT TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.events FOR ALL TO trellis_worker USING (true);
GRANT SELECT ON trellis.events TO trellis_api;
GRANT INSERT, SELECT ON trellis.events TO trellis_worker;

CREATE TABLE trellis.idempotency_keys (
  organization_id uuid NOT NULL,
  client_id uuid NOT NULL,
  user_id uuid NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  status smallint NOT NULL,
  location text,
  etag text,
  body text,
  published text[] NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (organization_id, client_id, user_id, key),
  CONSTRAINT idempotency_keys_fingerprint_check CHECK ((octet_length(fingerprint) = 32)),
  CONSTRAINT idempotency_keys_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255)))
);
ALTER TABLE trellis.idempotency_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX idempotency_keys_created_at ON trellis.idempotency_keys USING btree (created_at);
CREATE POLICY organization ON trellis.idempotency_keys FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.idempotency_keys FOR ALL TO trellis_worker USING (true);
GRANT DELETE, INSERT, SELECT ON trellis.idempotency_keys TO trellis_api;
GRANT DELETE, SELECT ON trellis.idempotency_keys TO trellis_worker;

CREATE TABLE trellis.leases (
  name text NOT NULL,
  term bigint NOT NULL DEFAULT 0,
  holder text,
  expires_at timestamp(3) with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  CONSTRAINT leases_pkey PRIMARY KEY (name)
);
ALTER TABLE trellis.leases ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY worker ON trellis.leases FOR ALL TO trellis_worker USING (true);
GRANT SELECT, UPDATE ON trellis.leases TO trellis_worker;

CREATE TABLE trellis.memberships (
  organization_id uuid NOT NULL,
  user_id uuid NOT NULL,
  role text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT memberships_pkey PRIMARY KEY (organization_id, user_id),
  CONSTRAINT memberships_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id),
  CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES trellis.users(id),
  CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['OWNER'::text, 'ADMIN'::text, 'EDITOR'::text, 'AUTHOR'::text, 'VIEWER'::text])))
);
ALTER TABLE trellis.memberships ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.memberships FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.memberships FOR ALL TO trellis_worker USING (true) WITH CHECK (true);
GRANT SELECT ON trellis.memberships TO trellis_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.memberships TO trellis_worker;

CREATE TABLE trellis.migrations (
  name text NOT NULL,
  checksum text NOT NULL,
  applied_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT migrations_pkey PRIMARY KEY (name)
);
GRANT SELECT ON trellis.migrations TO trellis_api;
GRANT SELECT ON trellis.migrations TO trellis_worker;

CREATE TABLE trellis.organizations (
  id uuid NOT NULL,
  key text NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'ACTIVE'::text,
  modules text[] NOT NULL,
  default_country text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT organizations_key UNIQUE (key),
  CONSTRAINT organizations_pkey PRIMARY KEY (id),
  CONSTRAINT organizations_default_country_check CHECK ((default_country ~ '^[A-Z]{2}$'::text)),
  CONSTRAINT organizations_key_check CHECK (((char_length(key) >= 1) AND (char_length(key) <= 63))),
  CONSTRAINT organizations_name_check CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  CONSTRAINT organizations_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'SUSPENDED'::text])))
);
ALTER TABLE trellis.organizations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.organizations FOR ALL TO trellis_api USING ((id = trellis.current_organization()));
CREATE POLICY worker ON trellis.organizations FOR ALL TO trellis_worker USING (true) WITH CHECK (true);
GRANT SELECT ON trellis.organizations TO trellis_api;
GRANT INSERT, SELECT, UPDATE ON trellis.organizations TO trellis_worker;

CREATE TABLE trellis.outbox (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  type text NOT NULL,
  subject_type text NOT NULL,
  subject_id uuid NOT NULL,
  parent_id uuid,
  subject_version integer NOT NULL,
  actor_user_id uuid,
  actor_client_id uuid,
  request_id text NOT NULL,
  changed_fields text[] NOT NULL,
  occurred_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT outbox_pkey PRIMARY KEY (organization_id, id)
);
ALTER TABLE trellis.outbox ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY organization ON trellis.outbox FOR INSERT TO trellis_api WITH CHECK ((organization_id = trellis.current_organization()));
CREATE POLICY worker ON trellis.outbox FOR ALL TO trellis_worker USING (true);
GRANT INSERT ON trellis.outbox TO trellis_api;
GRANT DELETE, SELECT ON trellis.outbox TO trellis_worker;

CREATE TABLE trellis.plants (
  organization_id uuid NOT NULL,
  id bigint NOT NULL,
  creation uuid NOT NULL,
  name text NOT NULL,
  tag text,
  CONSTRAINT plants_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT plants_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id)
);
ALTER TABLE trellis.plants ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX plants_creation ON trellis.plants USING btree (organization_id, creation);
CREATE POLICY organization ON trellis.plants FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT ON trellis.plants TO trellis_api;

CREATE TABLE trellis.search_entries (
  organization_id uuid NOT NULL,
  type text NOT NULL,
  parent_id uuid NOT NULL,
  record_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  title text NOT NULL,
  folded_title text NOT NULL,
  folded_text text NOT NULL,
  title_terms tsvector NOT NULL,
  terms tsvector NOT NULL,
  CONSTRAINT search_entries_pkey PRIMARY KEY (organization_id, type, record_id)
);
ALTER TABLE trellis.search_entries ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX search_entries_newest ON trellis.search_entries USING btree (organization_id, parent_id, created_at DESC, record_id DESC);
CREATE INDEX search_entries_terms ON trellis.search_entries USING gin (organization_id, parent_id, terms);
CREATE INDEX search_entries_text ON trellis.search_entries USING gin (organization_id, parent_id, folded_text trellis.gin_trgm_ops);
CREATE INDEX search_entries_title ON trellis.search_entries USING gin (organization_id, parent_id, folded_title trellis.gin_trgm_ops);
CREATE INDEX search_entries_title_terms ON trellis.search_entries USING gin (organization_id, parent_id, title_terms);
CREATE POLICY organization ON trellis.search_entries FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY search ON trellis.search_entries FOR SELECT TO trellis_search USING (true);
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.search_entries TO trellis_api;
GRANT SELECT ON trellis.search_entries TO trellis_search;

CREATE TABLE trellis.sites (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  name text NOT NULL,
  key text NOT NULL,
  default_locale text NOT NULL,
  domains jsonb NOT NULL,
  timezone text NOT NULL,
  CONSTRAINT sites_external_id UNIQUE (organization_id, external_id),
  CONSTRAINT sites_key UNIQUE (organization_id, key),
  CONSTRAINT sites_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT sites_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id)
);
ALTER TABLE trellis.sites ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX sites_created_at ON trellis.sites USING btree (organization_id, created_at, id);
CREATE INDEX sites_name ON trellis.sites USING btree (organization_id, name, id);
CREATE INDEX sites_updated_at ON trellis.sites USING btree (organization_id, updated_at, id);
CREATE POLICY organization ON trellis.sites FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.sites TO trellis_api;

CREATE TABLE trellis.tags (
  organization_id uuid NOT NULL,
  site_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  created_by uuid,
  updated_by uuid,
  external_id text,
  name text NOT NULL,
  slug text NOT NULL,
  color text,
  CONSTRAINT tags_external_id UNIQUE (organization_id, external_id),
  CONSTRAINT tags_slug UNIQUE (organization_id, site_id, slug),
  CONSTRAINT tags_pkey PRIMARY KEY (organization_id, site_id, id),
  CONSTRAINT tags_organization_id_site_id_fkey FOREIGN KEY (organization_id, site_id) REFERENCES trellis.sites(organization_id, id)
);
ALTER TABLE trellis.tags ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX tags_created_at ON trellis.tags USING btree (organization_id, site_id, created_at, id);
CREATE INDEX tags_name ON trellis.tags USING btree (organization_id, site_id, name, id);
CREATE INDEX tags_updated_at ON trellis.tags USING btree (organization_id, site_id, updated_at, id);
CREATE POLICY organization ON trellis.tags FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
GRANT DELETE, INSERT, SELECT, UPDATE ON trellis.tags TO trellis_api;

CREATE TABLE trellis.tokens (
  organization_id uuid NOT NULL,
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  client_id uuid NOT NULL,
  secret_hash bytea NOT NULL,
  resources text[] NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  last_used_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT tokens_pkey PRIMARY KEY (organization_id, id),
  CONSTRAINT tokens_organization_id_client_id_fkey FOREIGN KEY (organization_id, client_id) REFERENCES trellis.clients(organization_id, id),
  CONSTRAINT tokens_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES trellis.organizations(id),
  CONSTRAINT tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES trellis.users(id),
  CONSTRAINT tokens_resources_check CHECK ((cardinality(resources) > 0)),
  CONSTRAINT tokens_secret_hash_check CHECK ((octet_length(secret_hash) = 32))
);
ALTER TABLE trellis.tokens ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE INDEX tokens_secret_hash ON trellis.tokens USING btree (secret_hash);
CREATE INDEX tokens_user ON trellis.tokens USING btree (organization_id, user_id);
CREATE POLICY organization ON trellis.tokens FOR ALL TO trellis_api USING ((organization_id = trellis.current_organization()));
CREATE POLICY presented ON trellis.tokens FOR SELECT TO trellis_api USING ((secret_hash = decode(NULLIF(current_setting('trellis.token_hash'::text, true), ''::text), 'hex'::text)));
CREATE POLICY worker ON trellis.tokens FOR ALL TO trellis_worker USING (true) WITH CHECK (true);
GRANT SELECT ON trellis.tokens TO trellis_api;
GRANT INSERT, SELECT, UPDATE ON trellis.tokens TO trellis_worker;
GRANT UPDATE (last_used_at) ON trellis.tokens TO trellis_api;

CREATE TABLE trellis.users (
  id uuid NOT NULL,
  email text NOT NULL,
  email_normalized text NOT NULL,
  name text NOT NULL,
  password_hash text,
  status text NOT NULL DEFAULT 'ACTIVE'::text,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT users_email UNIQUE (email_normalized),
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'DISABLED'::text])))
);
ALTER TABLE trellis.users ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY members ON trellis.users FOR SELECT TO trellis_api USING ((EXISTS ( SELECT
   FROM trellis.memberships m
  WHERE ((m.organization_id = trellis.current_organization()) AND (m.user_id = users.id)))));
CREATE POLICY worker ON trellis.users FOR ALL TO trellis_worker USING (true) WITH CHECK (true);
GRANT INSERT, SELECT, UPDATE ON trellis.users TO trellis_worker;
GRANT SELECT (id, email, name, status) ON trellis.users TO trellis_api;

FUNCTION trellis.create_event_partitions() OWNER trellis_owner SECURITY DEFINER;
FUNCTION trellis.current_organization() OWNER trellis_owner;
FUNCTION trellis.drop_event_partition(integer) OWNER trellis_owner SECURITY DEFINER;
FUNCTION trellis.match_text(text,uuid,text,integer) OWNER trellis_search SECURITY DEFINER;
FUNCTION trellis.search(text[],uuid,text,text,integer,real,timestamp with time zone,uuid,integer) OWNER trellis_search SECURITY DEFINER;
FUNCTION trellis.search_similar(text[],uuid,text,integer) OWNER trellis_search SECURITY DEFINER;
