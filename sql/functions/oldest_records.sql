-- Records of one type that the caller may see in a perspective, oldest first, after a position. Merges the unrestricted records with those
-- listed for each reader key of the caller. PostgreSQL inlines it.
-- Reads slightly more than p_limit listed records, because a node of the previous release may have changed their readers.
CREATE OR REPLACE FUNCTION trellis.oldest_records(
  p_organization uuid, p_parent uuid, p_type text, p_published boolean, p_readers text[],
  p_after_created timestamptz, p_after_id uuid, p_limit integer)
  RETURNS TABLE (record_id uuid, edition integer, created_at timestamptz(3), terms tsvector)
  LANGUAGE sql STABLE -- single server
  -- distributed: LANGUAGE plpgsql STABLE
AS $$
-- distributed: #variable_conflict use_column
-- distributed: BEGIN RETURN QUERY
  SELECT u.record_id, u.edition, u.created_at, u.terms FROM (
    (SELECT s.record_id, s.edition, s.created_at, s.terms FROM trellis.search_records s
     WHERE s.organization_id = p_organization AND s.parent_id = p_parent AND s.type = p_type
       AND (s.listed_readers = s.readers) IS NOT TRUE AND trellis.may_read(s.readers, p_readers)
       AND (CASE WHEN p_published THEN s.published ELSE s.working END) AND (s.created_at, s.record_id) > (p_after_created, p_after_id)
     ORDER BY s.created_at, s.record_id LIMIT p_limit)
    UNION ALL
    SELECT k.record_id, k.edition, k.created_at, s.terms FROM (
      SELECT DISTINCT v.created_at, v.record_id, v.edition FROM unnest(p_readers) AS n (reader)
      CROSS JOIN LATERAL (
        SELECT r.record_id, r.edition, r.created_at FROM trellis.search_readers r
        WHERE r.organization_id = p_organization AND r.parent_id = p_parent AND r.type = p_type AND r.reader = n.reader
          AND (r.created_at, r.record_id) > (p_after_created, p_after_id)
        ORDER BY r.created_at, r.record_id LIMIT p_limit::bigint + 100
      ) v
      ORDER BY v.created_at, v.record_id LIMIT p_limit::bigint + 100
    ) k
    CROSS JOIN LATERAL (
      SELECT i.terms FROM trellis.search_records i
      WHERE i.organization_id = p_organization AND i.type = p_type AND i.record_id = k.record_id AND i.edition = k.edition
        AND i.listed_readers = i.readers AND trellis.may_read(i.readers, p_readers)
        AND (CASE WHEN p_published THEN i.published ELSE i.working END)
      OFFSET 0
    ) s
  ) u
  ORDER BY u.created_at, u.record_id LIMIT p_limit
-- distributed: ; END
$$;
