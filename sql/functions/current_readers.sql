-- What the current user reads as: the own id, and the role in the current organization as it is now.
CREATE OR REPLACE FUNCTION trellis.current_readers() RETURNS text[]
  LANGUAGE sql STABLE PARALLEL SAFE
  RETURN ARRAY[
    trellis.current_user_id()::text,
    (SELECT m.role FROM trellis.memberships m
     WHERE m.organization_id = trellis.current_organization() AND m.user_id = trellis.current_user_id())
  ];
