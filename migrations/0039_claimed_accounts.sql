-- An account that somebody else may have prepared is claimed by who has shown that it is theirs: the role that signs people in revokes the
-- tokens that were made for it, with their events, and has their search entries removed.
CREATE POLICY auth_reads_to_claim ON trellis.tokens FOR SELECT TO trellis_auth
  USING (EXISTS (SELECT FROM trellis.users u WHERE u.id = tokens.user_id AND NOT u.address_proven));
CREATE POLICY auth_claims ON trellis.tokens FOR UPDATE TO trellis_auth
  USING (EXISTS (SELECT FROM trellis.users u WHERE u.id = tokens.user_id AND NOT u.address_proven))
  WITH CHECK (revoked_at IS NOT NULL);
DROP POLICY auth ON trellis.outbox;
CREATE POLICY auth ON trellis.outbox FOR INSERT TO trellis_auth
  WITH CHECK (subject_type IN ('member', 'session', 'invitation', 'token'));
CREATE POLICY auth_tokens ON trellis.search_marks TO trellis_auth USING (type = 'token') WITH CHECK (type = 'token');
