-- What operators and sign-ins change is written as the API writes it: erasing the stored responses about a removed member, the version of a
-- revoked token, and the instant at which somebody joined.
GRANT INSERT ON trellis.answer_erasures TO trellis_worker;
GRANT UPDATE (version) ON trellis.tokens TO trellis_auth;
GRANT INSERT (created_at, updated_at) ON trellis.memberships TO trellis_auth;
