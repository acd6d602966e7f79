-- Timers of what was scheduled, or given an end, before there were timers. A write that comes first has set its own.

INSERT INTO trellis.timers (organization_id, kind, record_id, parent_id, due_at, available_at)
  SELECT v.organization_id, 'ARTICLE_PUBLISH', v.article_id, v.site_id, v.scheduled_for, v.scheduled_for
  FROM trellis.article_versions v WHERE v.status = 'SCHEDULED' AND v.scheduled_for IS NOT NULL
  ON CONFLICT DO NOTHING;
INSERT INTO trellis.timers (organization_id, kind, record_id, parent_id, due_at, available_at)
  SELECT v.organization_id, 'ARTICLE_UNPUBLISH', v.article_id, v.site_id, v.unpublish_at, v.unpublish_at
  FROM trellis.article_versions v WHERE v.status = 'PUBLISHED' AND v.unpublish_at IS NOT NULL
  ON CONFLICT DO NOTHING;
INSERT INTO trellis.timers (organization_id, kind, record_id, due_at, available_at)
  SELECT f.organization_id, 'FILE_EXPIRE', f.id, f.expires_at, f.expires_at
  FROM trellis.knowledge_files f WHERE f.expires_at IS NOT NULL
  ON CONFLICT DO NOTHING;
