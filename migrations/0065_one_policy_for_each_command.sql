-- Each role has one permissive policy for each command where a restrictive policy limited permissive ones. Policies that permit are
-- combined with OR, so everything that limits a role is in the one that permits. See docs/decisions/0102-policies-on-shards.md.
--
-- Nobody sees a table between its old policies and its new ones: the locks are held until the commit.

-- Within the organization, only what the user may read. Rows are checked before a change and not after it, because a write may
-- take a record out of its own caller's sight.
DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['knowledge_files', 'search_records', 'trash', 'views'] LOOP
    EXECUTE format('DROP POLICY readers ON trellis.%I', name);
    EXECUTE format('ALTER POLICY organization ON trellis.%I
      USING (organization_id = trellis.current_organization()
        AND (trellis.may_read(readers, (SELECT trellis.current_readers())) OR (SELECT trellis.sees_all_files())))
      WITH CHECK (organization_id = trellis.current_organization())', name);
  END LOOP;
END $$;

-- Whoever sees the record also sees its parts.
DROP POLICY readers ON trellis.knowledge_pages;
ALTER POLICY organization ON trellis.knowledge_pages
  USING (organization_id = trellis.current_organization()
    AND EXISTS (SELECT FROM trellis.knowledge_files f
                WHERE f.organization_id = knowledge_pages.organization_id AND f.id = knowledge_pages.file_id))
  WITH CHECK (organization_id = trellis.current_organization());
DROP POLICY readers ON trellis.picture_renditions;
ALTER POLICY organization ON trellis.picture_renditions
  USING (organization_id = trellis.current_organization()
    AND EXISTS (SELECT FROM trellis.knowledge_files f
                WHERE f.organization_id = picture_renditions.organization_id AND f.id = picture_renditions.file_id))
  WITH CHECK (organization_id = trellis.current_organization());
DROP POLICY readers ON trellis.search_texts;
ALTER POLICY organization ON trellis.search_texts
  USING (organization_id = trellis.current_organization()
    AND EXISTS (SELECT FROM trellis.search_records s
                WHERE s.organization_id = search_texts.organization_id AND s.type = search_texts.type
                  AND s.record_id = search_texts.record_id AND s.edition = search_texts.edition))
  WITH CHECK (organization_id = trellis.current_organization());
DROP POLICY readers ON trellis.search_bodies;
ALTER POLICY organization ON trellis.search_bodies
  USING (organization_id = trellis.current_organization()
    AND EXISTS (SELECT FROM trellis.search_records s
                WHERE s.organization_id = search_bodies.organization_id AND s.type = search_bodies.type
                  AND s.record_id = search_bodies.record_id AND s.edition = search_bodies.edition))
  WITH CHECK (organization_id = trellis.current_organization());
DROP POLICY readers ON trellis.trash_versions;
ALTER POLICY organization ON trellis.trash_versions
  USING (organization_id = trellis.current_organization()
    AND EXISTS (SELECT FROM trellis.trash t
                WHERE t.organization_id = trash_versions.organization_id AND t.resource = trash_versions.resource
                  AND t.id = trash_versions.record_id))
  WITH CHECK (organization_id = trellis.current_organization());

-- Events and their deliveries: who may not see the record does not see what happened to it.
DROP POLICY readers ON trellis.events;
ALTER POLICY organization ON trellis.events
  USING (organization_id = trellis.current_organization() AND trellis.may_read(readers, (SELECT trellis.current_readers())));
DROP POLICY readers ON trellis.webhook_deliveries;
ALTER POLICY organization ON trellis.webhook_deliveries
  USING (organization_id = trellis.current_organization() AND trellis.may_read(readers, (SELECT trellis.current_readers())));

-- The body of a stored response is dropped, and never replaced by another one.
DROP POLICY drop_bodies ON trellis.idempotency_keys;
DROP POLICY organization ON trellis.idempotency_keys;
DROP POLICY worker ON trellis.idempotency_keys;
CREATE POLICY organization_reads ON trellis.idempotency_keys FOR SELECT TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY organization_inserts ON trellis.idempotency_keys FOR INSERT TO trellis_api
  WITH CHECK (organization_id = trellis.current_organization());
CREATE POLICY organization_drops_bodies ON trellis.idempotency_keys FOR UPDATE TO trellis_api
  USING (organization_id = trellis.current_organization())
  WITH CHECK (organization_id = trellis.current_organization() AND body IS NULL AND body_dropped AND body_bytes = 0);
CREATE POLICY organization_deletes ON trellis.idempotency_keys FOR DELETE TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY worker_reads ON trellis.idempotency_keys FOR SELECT TO trellis_worker USING (true);
CREATE POLICY worker_drops_bodies ON trellis.idempotency_keys FOR UPDATE TO trellis_worker
  USING (true) WITH CHECK (body IS NULL AND body_dropped AND body_bytes = 0);
CREATE POLICY worker_deletes ON trellis.idempotency_keys FOR DELETE TO trellis_worker USING (true);

-- The serving role makes service members only.
DROP POLICY service_members_only ON trellis.memberships;
DROP POLICY organization ON trellis.memberships;
CREATE POLICY organization_reads ON trellis.memberships FOR SELECT TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY organization_inserts_service_members ON trellis.memberships FOR INSERT TO trellis_api
  WITH CHECK (organization_id = trellis.current_organization() AND responsible_user_id IS NOT NULL);
CREATE POLICY organization_updates ON trellis.memberships FOR UPDATE TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY organization_deletes ON trellis.memberships FOR DELETE TO trellis_api
  USING (organization_id = trellis.current_organization());

-- The serving role deletes the rows of ended tokens only.
DROP POLICY ended_only ON trellis.tokens;
DROP POLICY organization ON trellis.tokens;
CREATE POLICY organization_reads ON trellis.tokens FOR SELECT TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY organization_inserts ON trellis.tokens FOR INSERT TO trellis_api
  WITH CHECK (organization_id = trellis.current_organization());
CREATE POLICY organization_updates ON trellis.tokens FOR UPDATE TO trellis_api
  USING (organization_id = trellis.current_organization());
CREATE POLICY organization_deletes_ended ON trellis.tokens FOR DELETE TO trellis_api
  USING (organization_id = trellis.current_organization()
    AND (revoked_at IS NOT NULL OR session_id IS NOT NULL AND expires_at <= now()));
