-- Takes the access locks of the organizations in which a person is a member, or in which something acts for them, and of p_organization unless it
-- is null, as packages/server/src/identity/access-lock.ts does for one. With p_if_unproven, only the last one of a person whose address is proven.
-- Whoever takes several of these locks takes them in this order. In a distributed database, those are locked that the person has ever joined or
-- entered, which the caller has found before (organizations-of-person.ts), so that only their servers are asked.
CREATE OR REPLACE FUNCTION trellis.lock_access_of(p_user uuid, p_organization uuid, p_if_unproven boolean) RETURNS void
  LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  v_organizations uuid[];
  v_organization uuid;
BEGIN
  IF NOT (p_if_unproven AND EXISTS (SELECT FROM trellis.users WHERE id = p_user AND address_proven)) THEN
    SELECT array_agg(a.organization_id) INTO v_organizations FROM ( -- single server
      SELECT m.organization_id FROM trellis.memberships m WHERE m.user_id = p_user -- single server
      UNION SELECT s.organization_id FROM trellis.webhook_subscriptions s WHERE s.acts_for = p_user -- single server
      UNION SELECT i.organization_id FROM trellis.invitations i WHERE i.sent_by = p_user AND i.status = 'PENDING') a; -- single server
    -- distributed: SELECT organization_ids INTO v_organizations FROM trellis.organizations_of_people WHERE user_id = p_user AND is_complete;
    -- distributed: IF NOT FOUND THEN
    -- distributed:   RAISE EXCEPTION 'the organizations of user % are not known yet', p_user USING ERRCODE = 'serialization_failure';
    -- distributed: END IF;
  END IF;
  FOR v_organization IN
    SELECT DISTINCT id FROM unnest(v_organizations || p_organization) id WHERE id IS NOT NULL ORDER BY id
  LOOP
    PERFORM trellis.lock_in_organization(
      v_organization, hashtextextended('trellis access ' || v_organization::text, 0), 'exclusive');
  END LOOP;
END $$;
