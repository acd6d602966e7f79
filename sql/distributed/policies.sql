-- The policies whose subqueries Citus refuses, with functions instead. What they permit is the same. ALTER POLICY keeps who they are for.
ALTER POLICY members ON trellis.users USING (trellis.is_member(id));
ALTER POLICY organization ON trellis.knowledge_files
  USING (organization_id = trellis.current_organization()
    AND (trellis.may_read(readers, trellis.current_readers()) OR trellis.sees_all_files()))
  WITH CHECK (organization_id = trellis.current_organization());
ALTER POLICY organization_reads ON trellis.changes
  USING (organization_id = trellis.current_organization()
    AND (trellis.may_read(readers_before, trellis.current_readers()) AND trellis.may_read(readers, trellis.current_readers())
      OR trellis.sees_all_files()));
ALTER POLICY organization ON trellis.search_records
  USING (organization_id = trellis.current_organization()
    AND (trellis.may_read(readers, trellis.current_readers()) OR trellis.sees_all_files()))
  WITH CHECK (organization_id = trellis.current_organization());
ALTER POLICY organization ON trellis.trash
  USING (organization_id = trellis.current_organization()
    AND (trellis.may_read(readers, trellis.current_readers()) OR trellis.sees_all_files()))
  WITH CHECK (organization_id = trellis.current_organization());
ALTER POLICY organization ON trellis.views
  USING (organization_id = trellis.current_organization()
    AND (trellis.may_read(readers, trellis.current_readers()) OR trellis.sees_all_files()))
  WITH CHECK (organization_id = trellis.current_organization());
ALTER POLICY organization ON trellis.events
  USING (organization_id = trellis.current_organization() AND trellis.may_read(readers, trellis.current_readers()));
ALTER POLICY organization ON trellis.webhook_deliveries
  USING (organization_id = trellis.current_organization() AND trellis.may_read(readers, trellis.current_readers()));
ALTER POLICY organization ON trellis.knowledge_pages
  USING (organization_id = trellis.current_organization() AND trellis.sees_file(organization_id, file_id))
  WITH CHECK (organization_id = trellis.current_organization());
ALTER POLICY organization ON trellis.picture_renditions
  USING (organization_id = trellis.current_organization() AND trellis.sees_file(organization_id, file_id))
  WITH CHECK (organization_id = trellis.current_organization());
ALTER POLICY organization ON trellis.search_bodies
  USING (organization_id = trellis.current_organization() AND trellis.sees_entry(organization_id, type, record_id, edition))
  WITH CHECK (organization_id = trellis.current_organization());
ALTER POLICY organization ON trellis.trash_versions
  USING (organization_id = trellis.current_organization() AND trellis.sees_in_trash(organization_id, resource, record_id))
  WITH CHECK (organization_id = trellis.current_organization());
ALTER POLICY auth_invited ON trellis.memberships WITH CHECK (trellis.is_invited(organization_id, user_id, role));
ALTER POLICY auth_revokes ON trellis.invitations
  USING (status = 'PENDING' AND trellis.is_unproven(sent_by))
  WITH CHECK (status = 'REVOKED' AND trellis.is_unproven(sent_by));
ALTER POLICY auth_claims ON trellis.tokens USING (trellis.is_unproven(user_id, created_by)) WITH CHECK (revoked_at IS NOT NULL);
ALTER POLICY auth_reads_to_claim ON trellis.tokens USING (trellis.is_unproven(user_id, created_by));
ALTER POLICY auth_claims ON trellis.webhook_subscriptions USING (trellis.is_unproven(acts_for)) WITH CHECK (NOT enabled);
ALTER POLICY auth_reads_to_claim ON trellis.webhook_subscriptions USING (trellis.is_unproven(acts_for));
ALTER POLICY auth_claims ON trellis.webhook_endpoints
  USING (trellis.sees_subscription(organization_id, id)) WITH CHECK (disabled_reason = 'CLAIMED');
ALTER POLICY auth_reads_to_claim ON trellis.webhook_endpoints USING (trellis.sees_subscription(organization_id, id));
