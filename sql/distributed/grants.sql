-- Citus inserts the defaults of columns as values, which needs the right to insert these columns. Policies still say which rows.
GRANT INSERT (status, created_at, updated_at, has_mfa, address_proven) ON trellis.users TO trellis_api;
GRANT INSERT (status, created_at, updated_at, has_mfa) ON trellis.users TO trellis_auth;
GRANT INSERT (status, version) ON trellis.memberships TO trellis_auth;
