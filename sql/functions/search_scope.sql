-- The scope of the rows of one type below one parent: a hash of 60 bits, as 10 characters of base64. Rows are also compared by
-- their columns, so a collision would cost time but disclose nothing.
CREATE OR REPLACE FUNCTION trellis.search_scope(p_organization uuid, p_parent uuid, p_type text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN left(encode(decode(md5(p_organization::text || p_parent::text || p_type), 'hex'), 'base64'), 10);
