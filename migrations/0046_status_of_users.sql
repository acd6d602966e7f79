-- Whoever may not sign in to the installation any more: the status is changed together with the end of the sessions, by the role that
-- signs people in.
GRANT UPDATE (status) ON trellis.users TO trellis_auth;
