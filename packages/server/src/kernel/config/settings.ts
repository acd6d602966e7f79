/**
 * All settings with their meaning. The configuration is read from this list and its reference page is made from it, so that
 * they cannot differ.
 */
import { resolve } from 'node:path';
import { readRoles } from './roles.ts';
import { defaulted, optional } from './setting.ts';
import { signInSettings } from './sign-in-settings.ts';
import {
  readAddresses,
  readDatabaseUrl,
  readDuration,
  readHost,
  readInteger,
  readKey,
  readLogLevel,
  readMetricsPlace,
  readNatsServers,
  readPublicUrl,
  readRedisUrl,
  readStoreUrl,
  readStreamName,
  readSubjectPrefix,
  readSwitch,
} from './values.ts';

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
      'Public address of the server, as clients see it. The tenant API is at `/v1` below it; the setting may include `/v1`.',
    form: 'http or https URL without a path, or with `/v1`',
    absent: '`http://localhost:PORT`',
    read: (text) => new URL(readPublicUrl(text.replace(/(?<=^https?:\/\/[^/]+)\/?$/, '/v1'), '/v1')).origin,
  }),
  sandboxUrl: optional({
    name: 'TRELLIS_SANDBOX_URL',
    description: 'Public address of the sandbox.',
    form: 'http or https URL that ends in `/sandbox`',
    absent: '`/sandbox` on the origin of the tenant API',
    read: (text) => readPublicUrl(text, '/sandbox'),
  }),
  databaseUrl: optional({
    name: 'TRELLIS_DATABASE_URL',
    description:
      'An external PostgreSQL (15 to 18), as the role that serves requests. Several hosts are separated by commas; the server uses the writable one, also after a failover.',
    form: 'postgres URL',
    absent: 'the embedded PostgreSQL',
    read: readDatabaseUrl,
  }),
  databaseReplicaUrl: optional({
    name: 'TRELLIS_DATABASE_REPLICA_URL',
    description:
      'Standbys of the same database that serve reads, lists and searches, as the role that serves requests. Several hosts are separated by commas; each is a standby. See [Replicas](../operations.md#replicas).',
    form: 'postgres URL',
    absent: 'the primary serves everything',
    read: readDatabaseUrl,
  }),
  databaseWorkerUrl: optional({
    name: 'TRELLIS_DATABASE_WORKER_URL',
    description: 'The same database as the role for background and command-line work across organizations.',
    form: 'postgres URL',
    absent: 'commands that need it refuse to run with an external database',
    read: readDatabaseUrl,
  }),
  databaseOwnerUrl: optional({
    name: 'TRELLIS_DATABASE_OWNER_URL',
    description: 'The same database as the role that owns the schema. Only `trellis migrate` needs it.',
    form: 'postgres URL',
    absent: '`trellis migrate` refuses to run with an external database',
    read: readDatabaseUrl,
  }),
  databasePrepare: defaulted({
    name: 'TRELLIS_DATABASE_PREPARE',
    description:
      'Whether to use named prepared statements. Switch off behind a pooler that does not support them.',
    form: '`on` or `off`',
    default: 'on',
    read: readSwitch,
  }),
  databasePoolSize: defaulted({
    name: 'TRELLIS_DATABASE_POOL_SIZE',
    description: 'Maximum number of database connections of one process.',
    form: 'integer, 1 to 1000',
    default: '16',
    read: (text) => readInteger(text, 1, 1_000),
  }),
  roles: defaulted({
    name: 'TRELLIS_ROLES',
    description: 'Roles of this node; see [Running](../operations.md).',
    form: 'some of `api`, `relay`, `delivery`, `scheduler`, `extractor` and `indexer`, separated by commas',
    default: 'api,relay,delivery,scheduler,extractor,indexer',
    read: readRoles,
  }),
  workers: defaulted({
    name: 'TRELLIS_WORKERS',
    description:
      'Number of processes that serve requests on the port. From 2 on, the background roles run in a further process.',
    form: 'integer, 1 to 64',
    default: '1',
    read: (text) => readInteger(text, 1, 64),
  }),
  metrics: defaulted({
    name: 'TRELLIS_METRICS',
    description:
      'Address of `/metrics`, which is served separately from the interfaces and without authentication; port 0 picks a free one, which the event `ready` contains.',
    form: '`HOST:PORT`, `PORT` (of 127.0.0.1) or `off`',
    default: '127.0.0.1:0',
    read: readMetricsPlace,
  }),
  cursorKey: optional({
    name: 'TRELLIS_CURSOR_KEY',
    description:
      'Key that seals cursors and the secrets of webhook endpoints, and makes the links of mailed invitations. All nodes need the same one; changing it makes the secrets unusable (see Running). `openssl rand -hex 32` generates one. Secret. Required with TRELLIS_DATABASE_URL.',
    form: '32 bytes in hexadecimal or base64',
    absent: 'generated once into the data directory',
    read: readKey,
  }),
  visitorKey: optional({
    name: 'TRELLIS_VISITOR_KEY',
    description:
      'Key that visitors are recognized with. All nodes need the same one; after changing it all visitors are new. `openssl rand -hex 32` generates one. Secret. Required with TRELLIS_DATABASE_URL.',
    form: '32 bytes in hexadecimal or base64',
    absent: 'generated once into the data directory',
    read: readKey,
  }),
  ...signInSettings,
  console: defaulted({
    name: 'TRELLIS_CONSOLE',
    description:
      'Whether nodes with the role `api` serve the console at `/console`. It needs that people can sign in.',
    form: '`on` or `off`',
    default: 'on',
    read: readSwitch,
  }),
  idempotencyRetentionSeconds: defaulted({
    name: 'TRELLIS_IDEMPOTENCY_RETENTION',
    description: 'How long responses are stored under their Idempotency-Key.',
    form: 'duration, 24h to 30d',
    default: '7d',
    read: (text) => readDuration(text, 86_400, 30 * 86_400),
  }),
  trashRetentionSeconds: defaulted({
    name: 'TRELLIS_TRASH_RETENTION',
    description:
      'How long deleted records are kept in the trash, from where they can be restored; `0s` deletes for good at once. Records that are in the trash already keep their time.',
    form: 'duration, 0s to 365d',
    default: '30d',
    read: (text) => readDuration(text, 0, 365 * 86_400),
  }),
  rateLimitToken: defaulted({
    name: 'TRELLIS_RATE_LIMIT_TOKEN',
    description:
      'Requests per minute of one token, counted per process without TRELLIS_REDIS_URL; 0 is no limit.',
    form: 'integer, 0 to 100000000',
    default: '30000',
    read: (text) => readInteger(text, 0, 100_000_000),
  }),
  rateLimitOrganization: defaulted({
    name: 'TRELLIS_RATE_LIMIT_ORGANIZATION',
    description:
      'Requests per minute of all tokens of one organization, counted per process without TRELLIS_REDIS_URL; 0 is no limit.',
    form: 'integer, 0 to 100000000',
    default: '120000',
    read: (text) => readInteger(text, 0, 100_000_000),
  }),
  redisUrl: optional({
    name: 'TRELLIS_REDIS_URL',
    description:
      'Redis (6 or later) or Valkey in which all nodes count the requests of rate limits together; see [Running](../operations.md). Secret.',
    form: '`redis://user:password@host:6379/0`, or `rediss://` with TLS',
    absent: 'each process counts for itself',
    read: readRedisUrl,
  }),
  maxContentBytes: defaulted({
    name: 'TRELLIS_MAX_CONTENT_BYTES',
    description: 'Maximum size of the content of a knowledge file, in bytes.',
    form: 'integer, 1 to 2147483647',
    default: '104857600',
    read: (text) => readInteger(text, 1, 2_147_483_647),
  }),
  filesDir: optional({
    name: 'TRELLIS_FILES_DIR',
    description: 'Folder of file contents; with S3, of uploads in progress (not on a RAM disk).',
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
    description: 'Prefix of the names of all objects.',
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
    description: 'Whether the bucket is part of the path instead of the host name.',
    form: '`on` or `off`',
    absent: '`on` when TRELLIS_S3_ENDPOINT is set',
    read: readSwitch,
  }),
  backupPassphrase: optional({
    name: 'TRELLIS_BACKUP_PASSPHRASE',
    description:
      'Passphrase that `trellis backup` encrypts with and `trellis restore` needs, unless they have `--passphrase-file`. Without it a backup cannot be read by anybody. Secret.',
    form: 'text of at least 12 characters',
    absent: '`trellis backup` and `trellis restore` need `--passphrase-file`',
    read: (text) => text,
  }),
  rateLimitPublishableKey: defaulted({
    name: 'TRELLIS_RATE_LIMIT_PUBLISHABLE_KEY',
    description:
      'Identify calls per minute of one publishable key, counted per process without TRELLIS_REDIS_URL; 0 is no limit.',
    form: 'integer, 0 to 100000000',
    default: '6000',
    read: (text) => readInteger(text, 0, 100_000_000),
  }),
  rateLimitNetwork: defaulted({
    name: 'TRELLIS_RATE_LIMIT_NETWORK',
    description:
      'Identify calls and their preflight requests per minute from one network (/24 of IPv4, /56 of IPv6), counted per process without TRELLIS_REDIS_URL; 0 is no limit.',
    form: 'integer, 0 to 100000000',
    default: '600',
    read: (text) => readInteger(text, 0, 100_000_000),
  }),
  trustedProxies: optional({
    name: 'TRELLIS_TRUSTED_PROXIES',
    description:
      'Proxies in front of the server whose `X-Forwarded-For` is trusted, so that limits apply to the clients and not to the proxy.',
    form: 'IP addresses and CIDR blocks, separated by commas',
    absent: 'the connecting address is the client',
    read: readAddresses,
  }),
  webhookAllowPrivate: optional({
    name: 'TRELLIS_WEBHOOK_ALLOW_PRIVATE',
    description:
      'Private addresses that webhooks of every organization may call, over http as well and on any port. Without it they call public addresses only. Metadata services of cloud providers are never called.',
    form: 'CIDR blocks, separated by commas',
    absent: 'public addresses only',
    read: readAddresses,
  }),
  eventRetentionSeconds: defaulted({
    name: 'TRELLIS_EVENT_RETENTION',
    description: 'How long events are kept in the log; they are deleted by whole weeks.',
    form: 'duration, 7d to 3650d',
    default: '365d',
    read: (text) => readDuration(text, 7 * 86_400, 3_650 * 86_400),
  }),
  natsServers: optional({
    name: 'TRELLIS_NATS_URL',
    description:
      'NATS servers with JetStream to which all events are forwarded; user and password, or a token, before the first host. Secret.',
    form: '`nats://` or `tls://` URLs, separated by commas',
    absent: 'events are not forwarded',
    read: readNatsServers,
  }),
  natsCredentials: optional({
    name: 'TRELLIS_NATS_CREDENTIALS',
    description: 'File with the credentials of a NATS user (`.creds`).',
    form: 'path',
    absent: 'the user of TRELLIS_NATS_URL',
    read: (text) => resolve(text),
  }),
  natsStream: defaulted({
    name: 'TRELLIS_NATS_STREAM',
    description: 'Stream for the events. It is created if missing, and otherwise left unchanged.',
    form: 'letters, digits, `-` and `_`',
    default: 'trellis',
    read: readStreamName,
  }),
  natsSubjectPrefix: defaulted({
    name: 'TRELLIS_NATS_SUBJECT_PREFIX',
    description: 'Prefix of subjects, before the organization and the event type.',
    form: 'words, joined by dots',
    default: 'trellis',
    read: readSubjectPrefix,
  }),
  logLevel: defaulted({
    name: 'TRELLIS_LOG_LEVEL',
    description:
      'How much is logged, as JSON lines on standard error; `debug` logs every request. `serve --demo` has the default `warn`.',
    form: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`',
    default: 'info',
    read: readLogLevel,
  }),
  url: optional({
    name: 'TRELLIS_URL',
    description: 'Address of the server for commands that call the HTTP API, such as `trellis import`.',
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
