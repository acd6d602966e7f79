-- As the function of a plain database, for the organizations that the person has ever joined or entered, so that only their servers are asked. Whoever
-- calls it has found them all before (organizations-of-person.ts).
CREATE OR REPLACE FUNCTION trellis.lock_access_of(p_user uuid, p_organization uuid, p_if_unproven boolean) RETURNS void
  LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  v_organizations uuid[];
  v_organization uuid;
BEGIN
  IF NOT (p_if_unproven AND EXISTS (SELECT FROM trellis.users WHERE id = p_user AND address_proven)) THEN
    SELECT organization_ids INTO v_organizations FROM trellis.organizations_of_people WHERE user_id = p_user AND is_complete;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the organizations of user % are not known yet', p_user USING ERRCODE = 'serialization_failure';
    END IF;
  END IF;
  FOR v_organization IN
    SELECT DISTINCT id FROM unnest(v_organizations || p_organization) id WHERE id IS NOT NULL ORDER BY id
  LOOP
    PERFORM trellis.lock_in_organization(
      v_organization, hashtextextended('trellis access ' || v_organization::text, 0), 'exclusive');
  END LOOP;
END $$;
