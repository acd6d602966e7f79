-- Records that match a query in their short texts or in their long ones, at most p_limit of each, unordered. If there are as many of the
-- former, the long texts are not read. PostgreSQL inlines it.
CREATE OR REPLACE FUNCTION trellis.match_words(
  p_organization uuid, p_parent uuid, p_type text, p_published boolean, p_readers text[], p_wanted tsquery, p_limit integer)
  RETURNS TABLE (record_id uuid, edition integer)
  LANGUAGE sql STABLE -- single server
  -- distributed: LANGUAGE plpgsql STABLE
AS $$
-- distributed: #variable_conflict use_column
-- distributed: BEGIN RETURN QUERY
  WITH short AS MATERIALIZED (
   SELECT s.record_id, s.edition FROM (
     SELECT * FROM trellis.search_records i
     WHERE
     -- distributed: i.organization_id = p_organization AND
     trellis.search_keys(i.organization_id, i.parent_id, i.type, i.terms, NULL)
       @@ trellis.search_key_query(trellis.search_scope(p_organization, p_parent, p_type), p_wanted, 's') OFFSET 0
   ) s
   WHERE s.organization_id = p_organization AND s.parent_id = p_parent AND s.type = p_type
     AND (CASE WHEN p_published THEN s.published ELSE s.working END)
     AND trellis.may_read(s.readers, p_readers)
   LIMIT p_limit
  )
  SELECT * FROM short
  UNION
  (SELECT b.record_id, b.edition FROM (
     SELECT i.organization_id, i.parent_id, i.type, i.record_id, i.edition FROM trellis.search_bodies i
     WHERE
     -- distributed: i.organization_id = p_organization AND
     trellis.search_keys(i.organization_id, i.parent_id, i.type, i.short_terms, i.terms)
       @@ trellis.search_key_query(trellis.search_scope(p_organization, p_parent, p_type), p_wanted, 'w') OFFSET 0
   ) b
   JOIN LATERAL (
     SELECT FROM trellis.search_records s
     WHERE s.organization_id = p_organization AND s.type = p_type AND s.record_id = b.record_id AND s.edition = b.edition
       AND (CASE WHEN p_published THEN s.published ELSE s.working END)
       AND trellis.may_read(s.readers, p_readers)
     OFFSET 0
   ) s ON true
   WHERE b.organization_id = p_organization AND b.parent_id = p_parent AND b.type = p_type
     AND (SELECT count(*) FROM short) < p_limit
   LIMIT p_limit)
-- distributed: ; END
$$;
