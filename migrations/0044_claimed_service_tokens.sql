-- Whoever claims an account also ends the tokens that were made by it for service members.
ALTER POLICY auth_reads_to_claim ON trellis.tokens
  USING (EXISTS (SELECT FROM trellis.users u WHERE u.id = tokens.user_id AND NOT u.address_proven)
    OR EXISTS (SELECT FROM trellis.users u WHERE u.id = tokens.created_by AND NOT u.address_proven));
ALTER POLICY auth_claims ON trellis.tokens
  USING (EXISTS (SELECT FROM trellis.users u WHERE u.id = tokens.user_id AND NOT u.address_proven)
    OR EXISTS (SELECT FROM trellis.users u WHERE u.id = tokens.created_by AND NOT u.address_proven));
