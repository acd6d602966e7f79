/**
 * Why: everything an operator can set stands in this one list, with its meaning, so that the reference page cannot
 * differ from what is read, and a misspelt name is an error and not a silent default.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { nearestName } from '@trellis/schema/values/text.ts';
import { readRoles } from './roles.ts';
import { type Defaulted, defaulted, optional, type Setting } from './setting.ts';
import {
  readAddresses,
  readDatabaseUrl,
  readDuration,
  readHost,
  readInteger,
  readIssuer,
  readKey,
  readLogLevel,
  readMailFrom,
  readMetricsPlace,
  readNatsServers,
  readPublicUrl,
  readSmtpUrl,
  readStoreUrl,
  readStreamName,
  readSubjectPrefix,
  readSwitch,
} from './values.ts';

/** Names and values as `process.env` has them; an empty value counts as none. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings by the name that `Config` has for them. */
export const settings = {
  dataDir: defaulted({
    name: 'TRELLIS_DATA_DIR',
    description: 'Folder of the embedded database, the generated secrets and `demo.json`.',
    form: 'path',
    default: '.trellis',
    read: (text) => resolve(text),
  }),
  port: defaulted({
    name: 'PORT',
    description: 'TCP port to serve on; 0 picks a free one.',
    form: 'integer, 0 to 65535',
    default: '3000',
    read: (text) => readInteger(text, 0, 65_535),
  }),
  host: defaulted({
    name: 'TRELLIS_HOST',
    description: 'Address to listen on; `0.0.0.0` makes the server reachable from other machines.',
    form: 'IP address or host name',
    default: '127.0.0.1',
    read: readHost,
  }),
  baseUrl: optional({
    name: 'TRELLIS_BASE_URL',
    description:
      'Public address of the server, as clients see it; the tenant API is at `/v1` below it (which may be written).',
    form: 'http or https URL without a path, or with `/v1`',
    absent: '`http://localhost:PORT`',
    read: (text) => new URL(readPublicUrl(text.replace(/(?<=^https?:\/\/[^/]+)\/?$/, '/v1'), '/v1')).origin,
  }),
  sandboxUrl: optional({
    name: 'TRELLIS_SANDBOX_URL',
    description: 'Public address of the sandbox.',
    form: 'http or https URL that ends in `/sandbox`',
    absent: 'beside the tenant API: its origin and `/sandbox`',
    read: (text) => readPublicUrl(text, '/sandbox'),
  }),
  databaseUrl: optional({
    name: 'TRELLIS_DATABASE_URL',
    description:
      'Your own PostgreSQL (15 to 18), as the role that serves requests. Several hosts are separated by commas; the writable one is found, and followed after a failover.',
    form: 'postgres URL',
    absent: 'the embedded PostgreSQL',
    read: readDatabaseUrl,
  }),
  databaseWorkerUrl: optional({
    name: 'TRELLIS_DATABASE_WORKER_URL',
    description: 'The same database as the role for background and command-line work across organizations.',
    form: 'postgres URL',
    absent: 'commands that need it refuse to run on a database of your own',
    read: readDatabaseUrl,
  }),
  databaseOwnerUrl: optional({
    name: 'TRELLIS_DATABASE_OWNER_URL',
    description: 'The same database as the role that owns the schema. Only `trellis migrate` needs it.',
    form: 'postgres URL',
    absent: '`trellis migrate` refuses to run on a database of your own',
    read: readDatabaseUrl,
  }),
  databaseAuthUrl: optional({
    name: 'TRELLIS_DATABASE_AUTH_URL',
    description: 'The same database as the role that signs people in.',
    form: 'postgres URL',
    absent: 'nobody can sign in on a database of your own; tokens work',
    read: readDatabaseUrl,
  }),
  databasePrepare: defaulted({
    name: 'TRELLIS_DATABASE_PREPARE',
    description: 'Whether statements are prepared by name. Off behind a pooler that cannot keep them.',
    form: '`on` or `off`',
    default: 'on',
    read: readSwitch,
  }),
  databasePoolSize: defaulted({
    name: 'TRELLIS_DATABASE_POOL_SIZE',
    description: 'Most database connections of one process.',
    form: 'integer, 1 to 1000',
    default: '16',
    read: (text) => readInteger(text, 1, 1_000),
  }),
  roles: defaulted({
    name: 'TRELLIS_ROLES',
    description: 'What this node does; see [Running](../operations.md).',
    form: 'some of `api`, `relay`, `delivery`, `scheduler`, `extractor` and `indexer`, separated by commas',
    default: 'api,relay,delivery,scheduler,extractor,indexer',
    read: readRoles,
  }),
  workers: defaulted({
    name: 'TRELLIS_WORKERS',
    description:
      'Processes that serve requests on the one port. From 2 on, the other roles have a further process.',
    form: 'integer, 1 to 64',
    default: '1',
    read: (text) => readInteger(text, 1, 64),
  }),
  metrics: defaulted({
    name: 'TRELLIS_METRICS',
    description:
      'Address of `/metrics`, which is served apart from the interfaces and to whoever reaches it; port 0 picks a free one, which the event `ready` tells.',
    form: '`HOST:PORT`, `PORT` (of 127.0.0.1) or `off`',
    default: '127.0.0.1:0',
    read: readMetricsPlace,
  }),
  cursorKey: optional({
    name: 'TRELLIS_CURSOR_KEY',
    description:
      'Key that seals cursors and the secrets of webhook endpoints. All nodes need the same one, and another one costs the secrets (see Running). `openssl rand -hex 32` makes one. Secret. Required with TRELLIS_DATABASE_URL.',
    form: '32 bytes in hexadecimal or base64',
    absent: 'generated once into the data directory',
    read: readKey,
  }),
  visitorKey: optional({
    name: 'TRELLIS_VISITOR_KEY',
    description:
      'Key that visitors are recognized under. All nodes need the same one; with another one all visitors are new. `openssl rand -hex 32` makes one. Secret. Required with TRELLIS_DATABASE_URL.',
    form: '32 bytes in hexadecimal or base64',
    absent: 'generated once into the data directory',
    read: readKey,
  }),
  sessionIdleSeconds: defaulted({
    name: 'TRELLIS_SESSION_IDLE',
    description: 'After how long without use a session of a person ends.',
    form: 'duration, 5m to 24h',
    default: '1h',
    read: (text) => readDuration(text, 300, 86_400),
  }),
  smtpUrl: optional({
    name: 'TRELLIS_SMTP_URL',
    description:
      'SMTP server that mails links for new passwords; user and password stand before the host. Secret. Needs TRELLIS_MAIL_FROM.',
    form: '`smtp://` or `smtps://` URL',
    absent: 'nothing is mailed; `trellis user sign-in-link` makes links',
    read: readSmtpUrl,
  }),
  mailFrom: optional({
    name: 'TRELLIS_MAIL_FROM',
    description: 'Sender of mails.',
    form: 'e-mail address, or `Name <address>`',
    absent: 'nothing is mailed',
    read: readMailFrom,
  }),
  oidcIssuer: optional({
    name: 'TRELLIS_OIDC_ISSUER',
    description:
      'OpenID Connect provider whose accounts people can connect and sign in with. The redirect address to register there is `/console/external` of TRELLIS_BASE_URL.',
    form: 'https URL (http on this machine)',
    absent: 'nobody signs in by an account elsewhere',
    read: readIssuer,
  }),
  oidcClientId: optional({
    name: 'TRELLIS_OIDC_CLIENT_ID',
    description: 'Client of this server at the provider.',
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
    description: 'What pages call the provider.',
    form: 'text',
    default: 'Single sign-on',
    read: (text) => text,
  }),
  idempotencyRetentionSeconds: defaulted({
    name: 'TRELLIS_IDEMPOTENCY_RETENTION',
    description: 'How long responses are kept under their Idempotency-Key.',
    form: 'duration, 24h to 30d',
    default: '7d',
    read: (text) => readDuration(text, 86_400, 30 * 86_400),
  }),
  storedAnswerBytes: defaulted({
    name: 'TRELLIS_IDEMPOTENCY_BUDGET',
    description:
      'Bytes of large responses (above 4,096 bytes) that are stored of one organization under its Idempotency-Keys. Beyond it, retries of the oldest requests are answered with the record as it is now; no request is carried out twice.',
    form: 'integer, 1048576 to 1099511627776',
    default: '1073741824',
    read: (text) => readInteger(text, 1_048_576, 1_099_511_627_776),
  }),
  rateLimitToken: defaulted({
    name: 'TRELLIS_RATE_LIMIT_TOKEN',
    description: 'Requests a minute that one token may make of one process; 0 is no limit.',
    form: 'integer, 0 to 100000000',
    default: '30000',
    read: (text) => readInteger(text, 0, 100_000_000),
  }),
  rateLimitOrganization: defaulted({
    name: 'TRELLIS_RATE_LIMIT_ORGANIZATION',
    description:
      'Requests a minute that all tokens of one organization may make of one process; 0 is no limit.',
    form: 'integer, 0 to 100000000',
    default: '120000',
    read: (text) => readInteger(text, 0, 100_000_000),
  }),
  maxContentBytes: defaulted({
    name: 'TRELLIS_MAX_CONTENT_BYTES',
    description: 'Bytes of the largest content of a knowledge file that is accepted.',
    form: 'integer, 1 to 2147483647',
    default: '104857600',
    read: (text) => readInteger(text, 1, 2_147_483_647),
  }),
  filesDir: optional({
    name: 'TRELLIS_FILES_DIR',
    description: 'Folder of file contents; with S3, of those on their way there (not on a RAM disk).',
    form: 'path',
    absent: '`files` in the data directory',
    read: (text) => resolve(text),
  }),
  s3Bucket: optional({
    name: 'TRELLIS_S3_BUCKET',
    description: 'Bucket of an S3-compatible store that keeps file contents.',
    form: 'text',
    absent: 'file contents are kept in TRELLIS_FILES_DIR',
    read: (text) => text,
  }),
  s3Endpoint: optional({
    name: 'TRELLIS_S3_ENDPOINT',
    description: 'Address of the S3-compatible store.',
    form: 'http or https URL',
    absent: '`https://s3.REGION.amazonaws.com`',
    read: readStoreUrl,
  }),
  s3Region: defaulted({
    name: 'TRELLIS_S3_REGION',
    description: 'Region of the bucket.',
    form: 'text',
    default: 'us-east-1',
    read: (text) => text,
  }),
  s3Prefix: optional({
    name: 'TRELLIS_S3_PREFIX',
    description: 'What the names of all objects begin with.',
    form: 'text',
    absent: 'nothing',
    read: (text) => text,
  }),
  s3AccessKeyId: optional({
    name: 'TRELLIS_S3_ACCESS_KEY_ID',
    description: 'Access key of the store.',
    form: 'text',
    absent:
      'the AWS default chain: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`, shared configuration files, the role of the web identity, container or machine',
    read: (text) => text,
  }),
  s3SecretAccessKey: optional({
    name: 'TRELLIS_S3_SECRET_ACCESS_KEY',
    description: 'Secret of TRELLIS_S3_ACCESS_KEY_ID. Secret.',
    form: 'text',
    absent: 'none',
    read: (text) => text,
  }),
  s3PathStyle: optional({
    name: 'TRELLIS_S3_PATH_STYLE',
    description: 'Whether the bucket stands in the path of an address instead of its host name.',
    form: '`on` or `off`',
    absent: '`on` when TRELLIS_S3_ENDPOINT is set',
    read: readSwitch,
  }),
  rateLimitPublishableKey: defaulted({
    name: 'TRELLIS_RATE_LIMIT_PUBLISHABLE_KEY',
    description: 'Identify calls a minute with one publishable key, of one process; 0 is no limit.',
    form: 'integer, 0 to 100000000',
    default: '6000',
    read: (text) => readInteger(text, 0, 100_000_000),
  }),
  rateLimitNetwork: defaulted({
    name: 'TRELLIS_RATE_LIMIT_NETWORK',
    description:
      'Identify calls, and the questions of browsers before them, a minute from one network (/24 of IPv4, /56 of IPv6), of one process; 0 is no limit.',
    form: 'integer, 0 to 100000000',
    default: '600',
    read: (text) => readInteger(text, 0, 100_000_000),
  }),
  rateLimitSignIn: defaulted({
    name: 'TRELLIS_RATE_LIMIT_SIGN_IN',
    description:
      'Requests a minute below `/auth` from one network (/24 of IPv4, /56 of IPv6), of one process; 0 is no limit.',
    form: 'integer, 0 to 100000000',
    default: '300',
    read: (text) => readInteger(text, 0, 100_000_000),
  }),
  trustedProxies: optional({
    name: 'TRELLIS_TRUSTED_PROXIES',
    description:
      'Proxies in front of the server whose `X-Forwarded-For` is believed, so that networks are limited and not the proxy.',
    form: 'IP addresses and CIDR blocks, separated by commas',
    absent: 'the address that connects is the caller',
    read: readAddresses,
  }),
  webhookAllowPrivate: optional({
    name: 'TRELLIS_WEBHOOK_ALLOW_PRIVATE',
    description:
      'Ranges of your own network that webhooks may call, with http and any port; cloud metadata never.',
    form: 'CIDR blocks, separated by commas',
    absent: 'public addresses only',
    read: readAddresses,
  }),
  eventRetentionSeconds: defaulted({
    name: 'TRELLIS_EVENT_RETENTION',
    description: 'How long events are kept in the log; they go by whole weeks.',
    form: 'duration, 7d to 3650d',
    default: '90d',
    read: (text) => readDuration(text, 7 * 86_400, 3_650 * 86_400),
  }),
  natsServers: optional({
    name: 'TRELLIS_NATS_URL',
    description:
      'NATS servers with JetStream that all events are forwarded to; user and password, or a token, stand before the first host. Secret.',
    form: '`nats://` or `tls://` URLs, separated by commas',
    absent: 'events are not forwarded',
    read: readNatsServers,
  }),
  natsCredentials: optional({
    name: 'TRELLIS_NATS_CREDENTIALS',
    description: 'File with the credentials of a NATS user (`.creds`).',
    form: 'path',
    absent: 'what TRELLIS_NATS_URL says',
    read: (text) => resolve(text),
  }),
  natsStream: defaulted({
    name: 'TRELLIS_NATS_STREAM',
    description: 'Stream that takes the events. It is made if there is none, and otherwise left as it is.',
    form: 'letters, digits, `-` and `_`',
    default: 'trellis',
    read: readStreamName,
  }),
  natsSubjectPrefix: defaulted({
    name: 'TRELLIS_NATS_SUBJECT_PREFIX',
    description: 'What subjects begin with, before the organization and the type of the event.',
    form: 'words, joined by dots',
    default: 'trellis',
    read: readSubjectPrefix,
  }),
  logLevel: defaulted({
    name: 'TRELLIS_LOG_LEVEL',
    description: 'How much is logged, as JSON lines on standard error; `debug` logs every request.',
    form: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    default: 'info',
    read: readLogLevel,
  }),
  url: optional({
    name: 'TRELLIS_URL',
    description:
      'Address of the server that commands which call the HTTP API talk to, such as `trellis import`.',
    form: 'http or https URL, as TRELLIS_BASE_URL',
    absent: 'the address in `demo.json`',
    read: (text) => text,
  }),
  token: optional({
    name: 'TRELLIS_TOKEN',
    description: 'Bearer token of commands that call the HTTP API, such as `trellis import`. Secret.',
    form: '`trl_pat_…`',
    absent: 'the token in `demo.json`',
    read: (text) => text,
  }),
};

type Settings = typeof settings;

/** What was set, in the types and units of the settings; null where nothing was and there is no default. */
export type Config = {
  readonly [K in keyof Settings]: Settings[K] extends Defaulted<infer T>
    ? T
    : Settings[K] extends Setting<infer T>
      ? T | null
      : never;
};

/** Settings that options of the command line may give, as text. They win over the environment. */
export type ConfigOverrides = {
  readonly [K in 'port' | 'host' | 'dataDir' | 'roles' | 'workers']?: string | undefined;
};

/** The configuration cannot be used; the message lists every fault. */
export class ConfigurationError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    const list = faults.map((fault) => `\n  - ${fault}`).join('');
    super(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:${list}`);
    this.name = 'ConfigurationError';
    this.faults = faults;
  }
}

/** The process's environment, completed by a `.env` in the folder; what is set for real wins. */
export function readEnvironment(folder: string, real: Environment): Environment {
  let text: string;
  try {
    text = readFileSync(join(folder, '.env'), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return real;
    throw new ConfigurationError([`${join(folder, '.env')} cannot be read: ${(error as Error).message}`]);
  }
  return { ...parseEnv(text), ...real };
}

/** @throws ConfigurationError with all faults: wrong values, unknown `TRELLIS_` names, what is missing. */
export function loadConfig(overrides: ConfigOverrides, environment: Environment): Config {
  const faults: string[] = [];
  const given: Record<string, string | undefined> = overrides;
  const entries = Object.entries(settings).map(([key, setting]) => {
    const override = given[key];
    const text = override ?? (environment[setting.name] || setting.default);
    try {
      return [key, text === null || text === undefined ? null : setting.read(text.trim())];
    } catch (error) {
      const name = override === undefined ? setting.name : optionOf(key);
      faults.push(`${name} ${(error as Error).message}`);
      return [key, null];
    }
  });
  faults.push(...describeUnknownNames(environment));
  const config = Object.fromEntries(entries) as Config;
  for (const name of ['TRELLIS_CURSOR_KEY', 'TRELLIS_VISITOR_KEY']) {
    if (environment.TRELLIS_DATABASE_URL && !environment[name]) {
      faults.push(
        `${name} is missing. With TRELLIS_DATABASE_URL it must be given, the same on all nodes; "openssl rand -hex 32" makes one.`,
      );
    }
  }
  for (const names of settingsOfOneThing) {
    const missing = names.filter((name) => !environment[name]);
    const [given] = names.filter((name) => environment[name]);
    if (given !== undefined && missing.length > 0)
      faults.push(
        `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing. With ${given} it must be given.`,
      );
  }
  if (faults.length > 0) throw new ConfigurationError(faults);
  return config;
}

/** Settings of which either all or none are given. */
const settingsOfOneThing = [
  ['TRELLIS_S3_ACCESS_KEY_ID', 'TRELLIS_S3_SECRET_ACCESS_KEY'],
  ['TRELLIS_SMTP_URL', 'TRELLIS_MAIL_FROM'],
  ['TRELLIS_OIDC_ISSUER', 'TRELLIS_OIDC_CLIENT_ID', 'TRELLIS_OIDC_CLIENT_SECRET'],
] as const;

/** Whether a PostgreSQL of one's own is configured, as opposed to the embedded one. */
export function usesOwnDatabase(config: Config): boolean {
  return config.databaseUrl !== null || config.databaseWorkerUrl !== null || config.databaseOwnerUrl !== null;
}

/** Public scheme, host and port when they are configured; null where the address that is listened on will do. */
export function publicOrigin(config: Config): string | null {
  return config.baseUrl;
}

function optionOf(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function describeUnknownNames(environment: Environment): string[] {
  const known = Object.values(settings).map(({ name }) => name);
  return Object.keys(environment)
    .filter((name) => name.startsWith('TRELLIS_') && !known.some((other) => other === name))
    .sort()
    .map((name) => {
      const nearest = nearestName(name, known);
      return `${name} is not a setting.${nearest === null ? '' : ` Did you mean ${nearest}?`}`;
    });
}
