-- Names the organization whose rows the transaction accesses, and the user ('' for none); see current_organization and current_user_id.
-- A distributed database has another one: sql/distributed/functions. PostgreSQL inlines it.
CREATE OR REPLACE FUNCTION trellis.name_scope(p_organization text, p_user text) RETURNS text
  LANGUAGE sql VOLATILE
  RETURN concat(set_config('trellis.organization', p_organization, true), set_config('trellis.user', p_user, true));
