-- One page of matches among several types, ordered by rank, then newest first.
CREATE OR REPLACE FUNCTION trellis.find_records(
  p_types text[], p_parent uuid, p_published boolean, p_words text, p_prefix text, p_stems text[], p_most integer,
  p_after_score real, p_after_created timestamptz, p_after_id uuid, p_limit integer)
  RETURNS TABLE (type text, record_id uuid, score real, created_at timestamptz, edition integer)
  LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 20
  SET search_path = trellis, public, pg_temp
AS $$
DECLARE
  wanted tsquery := trellis.search_query(p_words, p_prefix, p_stems);
BEGIN
  RETURN QUERY
    SELECT t.type, r.record_id, r.score, r.created_at, r.edition
    FROM unnest(p_types) AS t (type),
      LATERAL trellis.rank_records(t.type, p_parent, p_published, wanted, p_most) r
    WHERE p_after_id IS NULL OR (r.score, r.created_at, r.record_id) < (p_after_score, p_after_created, p_after_id)
    ORDER BY r.score DESC, r.created_at DESC, r.record_id DESC
    LIMIT p_limit;
END $$;

REVOKE ALL ON FUNCTION trellis.find_records FROM PUBLIC;
GRANT EXECUTE ON FUNCTION trellis.find_records TO trellis_api;
ALTER FUNCTION trellis.find_records OWNER TO trellis_search;
