-- What waits for somebody is read across the sites of an organization. The indexes hold only articles that wait, so that most writes
-- do not touch them.
CREATE INDEX articles_waiting ON trellis.articles (organization_id, status, updated_at, id) WHERE status IN ('DRAFT', 'IN_REVIEW');
CREATE INDEX articles_schedule_failed ON trellis.articles (organization_id, updated_at, id) WHERE schedule_error IS NOT NULL;
CREATE INDEX article_versions_scheduled ON trellis.article_versions (organization_id, scheduled_for, article_id)
  WHERE status = 'SCHEDULED';
