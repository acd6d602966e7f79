/** Settings of signing in, which are part of the list of all settings. */
import { defaulted, optional } from './setting.ts';
import {
  readDatabaseUrl,
  readDuration,
  readInteger,
  readIssuer,
  readMailFrom,
  readSmtpUrl,
} from './values.ts';

/** The settings by the name that `Config` has for them. */
export const signInSettings = {
  databaseAuthUrl: optional({
    name: 'TRELLIS_DATABASE_AUTH_URL',
    description: 'The same database, as the role that signs users in.',
    form: 'postgres URL',
    absent: 'with an external database, nobody can sign in; tokens work',
    read: readDatabaseUrl,
  }),
  sessionIdleSeconds: defaulted({
    name: 'TRELLIS_SESSION_IDLE',
    description: 'Idle time after which a session ends.',
    form: 'duration, 5m to 24h',
    default: '1h',
    read: (text) => readDuration(text, 300, 86_400),
  }),
  smtpUrl: optional({
    name: 'TRELLIS_SMTP_URL',
    description:
      'SMTP server that sends links for new passwords, with user and password before the host. Secret. Needs TRELLIS_MAIL_FROM.',
    form: '`smtp://` or `smtps://` URL',
    absent: 'no mail is sent; `trellis user sign-in-link` creates links',
    read: readSmtpUrl,
  }),
  mailFrom: optional({
    name: 'TRELLIS_MAIL_FROM',
    description: 'Sender of mails.',
    form: 'e-mail address, or `Name <address>`',
    absent: 'no mail is sent',
    read: readMailFrom,
  }),
  oidcIssuer: optional({
    name: 'TRELLIS_OIDC_ISSUER',
    description:
      'OpenID Connect provider whose accounts users can connect and sign in with. Register `/console/external` below TRELLIS_BASE_URL as the redirect address there.',
    form: 'https URL (http on this machine)',
    absent: 'nobody can sign in with an external account',
    read: readIssuer,
  }),
  oidcClientId: optional({
    name: 'TRELLIS_OIDC_CLIENT_ID',
    description: 'Client id of this server at the provider.',
    form: 'text',
    absent: 'none',
    read: (text) => text,
  }),
  oidcClientSecret: optional({
    name: 'TRELLIS_OIDC_CLIENT_SECRET',
    description: 'Secret of TRELLIS_OIDC_CLIENT_ID. Secret.',
    form: 'text',
    absent: 'none',
    read: (text) => text,
  }),
  oidcName: defaulted({
    name: 'TRELLIS_OIDC_NAME',
    description: 'Name of the provider on pages.',
    form: 'text',
    default: 'Single sign-on',
    read: (text) => text,
  }),
  rateLimitSignIn: defaulted({
    name: 'TRELLIS_RATE_LIMIT_SIGN_IN',
    description:
      'Requests a minute below `/auth` from one network (/24 of IPv4, /56 of IPv6), counted per process without TRELLIS_REDIS_URL; 0 is no limit.',
    form: 'integer, 0 to 100000000',
    default: '300',
    read: (text) => readInteger(text, 0, 100_000_000),
  }),
};
