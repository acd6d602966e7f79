-- The import that has created a record, so that what it created can be found and undone as a whole.
-- See docs/decisions/0123-identity-and-undo-of-imports.md.
ALTER TABLE trellis.sites ADD COLUMN import_id text;
ALTER TABLE trellis.categories ADD COLUMN import_id text;
ALTER TABLE trellis.tags ADD COLUMN import_id text;
ALTER TABLE trellis.articles ADD COLUMN import_id text;
ALTER TABLE trellis.books ADD COLUMN import_id text;
ALTER TABLE trellis.magazines ADD COLUMN import_id text;
ALTER TABLE trellis.issues ADD COLUMN import_id text;
ALTER TABLE trellis.companies ADD COLUMN import_id text;
ALTER TABLE trellis.contacts ADD COLUMN import_id text;
ALTER TABLE trellis.knowledge_files ADD COLUMN import_id text;
ALTER TABLE trellis.webhook_endpoints ADD COLUMN import_id text;
CREATE INDEX sites_import ON trellis.sites (organization_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX categories_import ON trellis.categories (organization_id, site_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX tags_import ON trellis.tags (organization_id, site_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX articles_import ON trellis.articles (organization_id, site_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX books_import ON trellis.books (organization_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX magazines_import ON trellis.magazines (organization_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX issues_import ON trellis.issues (organization_id, magazine_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX companies_import ON trellis.companies (organization_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX contacts_import ON trellis.contacts (organization_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX knowledge_files_import ON trellis.knowledge_files (organization_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
CREATE INDEX webhook_endpoints_import ON trellis.webhook_endpoints (organization_id, import_id, created_at, id) WHERE import_id IS NOT NULL;
