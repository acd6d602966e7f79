-- Visits that are counted by day and site: neither bots nor visitors who do not want to be recognized have an instant. Visits before this migration
-- have none either, and expire within 30 days.
ALTER TABLE trellis.identifications ADD COLUMN site_id uuid;
ALTER TABLE trellis.identifications ADD COLUMN counted_at timestamptz(3);
CREATE INDEX identifications_counted ON trellis.identifications (organization_id, counted_at DESC) INCLUDE (site_id, visitor_id)
  WHERE counted_at IS NOT NULL;
-- The list of the visitors of a site.
CREATE INDEX visitors_seen ON trellis.visitors (organization_id, site_id, last_seen_at DESC, id DESC) WHERE NOT transient;
