/**
 * The manifests of a backup and of the export of one organization: what they contain, with counts and digests. A manifest is
 * the last object that is written, so what has none is incomplete. It is sealed like everything else, and authenticates the
 * rest: each object is named by the SHA-256 of its sealed bytes.
 */
import type { AppliedMigration } from '../../kernel/database/migrate.ts';
import type { ReleaseText } from '../../kernel/database/sql-files.ts';
import { isOrganizationId, isSha256 } from '../../kernel/objects/object-store.ts';
import type { RowDigest, TableDigest } from './digests.ts';
import { BackupError } from './errors.ts';

/** A table, as it is stored. */
export interface StoredTable extends TableDigest {
  readonly name: string;
  /** In the order of the columns in its rows. */
  readonly columns: readonly string[];
  /** The hashes of the objects that together are its rows. */
  readonly parts: readonly string[];
}

/** The contents of files. */
export interface StoredContents {
  readonly count: number;
  readonly bytes: number;
  /** The hashes of the objects that together are the list: one line for each content, see `contents.ts`. */
  readonly parts: readonly string[];
  /** Contents that were already missing or damaged in the installation, as `ORGANIZATION SHA256`. */
  readonly missing: readonly string[];
}

/** What both kinds have. */
export interface ArchiveManifest {
  /** The moment that it shows. */
  readonly createdAt: string;
  /** The release that made it. */
  readonly version: string;
  readonly postgresql: string;
  readonly migrations: readonly AppliedMigration[];
  /** The organization id under which the object store keeps the objects of this archive. */
  readonly objects: string;
  readonly tables: readonly StoredTable[];
  readonly contents: StoredContents;
}

/** The manifest of a backup of the whole installation. */
export interface Manifest extends ArchiveManifest {
  /** The keys of the installation that are not in the database; hexadecimal. */
  readonly keys: { readonly cursor: string; readonly visitor: string };
  /** First days of the partitions of the event log. */
  readonly eventPartitions: readonly string[];
  /** What makes a database like this one: `sql` of the release that made the backup. A later release needs it to rehearse its migrations. */
  readonly sql: readonly ReleaseText[];
}

/** The manifest of an export of one organization. */
export interface OrganizationManifest extends ArchiveManifest {
  readonly organization: {
    /** Uuid. */
    readonly id: string;
    readonly key: string;
    /** Whether it was suspended, so that nothing is sent or written where it comes from. */
    readonly isSuspended: boolean;
  };
}

/** A kind of archive. */
export interface ArchiveKind<M extends ArchiveManifest = ArchiveManifest> {
  /** Stands in front of the manifest. */
  readonly format: string;
  /** What messages call it. */
  readonly noun: string;
  /** @throws BackupError unless the text is a manifest of this kind */
  readonly parse: (text: string) => M;
}

/** All formats: what an archive of each is, and which command reads it. */
export const formats = [
  { name: 'trellis-backup-1', is: 'a backup of a whole installation', readBy: 'trellis restore' },
  {
    name: 'trellis-organization-1',
    is: 'an export of one organization',
    readBy: 'trellis organization import',
  },
] as const;

/** A backup of the whole installation. */
export const backupKind: ArchiveKind<Manifest> = {
  format: formats[0].name,
  noun: 'backup',
  parse: (text) => parse(text, isManifest, 'backup'),
};

/** An export of one organization. */
export const organizationKind: ArchiveKind<OrganizationManifest> = {
  format: formats[1].name,
  noun: 'export',
  parse: (text) => parse(text, isOrganizationManifest, 'export'),
};

function parse<M>(text: string, isOfKind: (value: unknown) => value is M, noun: string): M {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (!isOfKind(value)) throw new BackupError(`The manifest of the ${noun} does not have the form of one.`);
  return value;
}

type Check = (value: unknown) => boolean;

const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value);
const isList =
  (item: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(item);
/** An object with exactly these members. */
const hasForm =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value) &&
    Object.keys(value).length === Object.keys(members).length &&
    Object.entries(members).every(([name, check]) => Object.hasOwn(value, name) && check(value[name]));

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** One short line that a terminal shows as it is. */
const isText = matches(/^[\x20-\x7e]{0,500}$/);
const isKey = matches(/^[0-9a-f]{64}$/);
const isHash: Check = (value) => typeof value === 'string' && isSha256(value);
const isId: Check = (value) => typeof value === 'string' && isOrganizationId(value);
const isRowDigest = hasForm({ rows: isCount, sum: isKey } satisfies Record<keyof RowDigest, Check>);
const isOrganizations: Check = (value) =>
  isObject(value) &&
  Object.entries(value).every(([id, digest]) => (id === '' || isId(id)) && isRowDigest(digest));

const isTable = hasForm({
  name: isText,
  columns: isList(isText),
  rows: isCount,
  bytes: isCount,
  organizations: isOrganizations,
  parts: isList(isHash),
} satisfies Record<keyof StoredTable, Check>);

const common = {
  createdAt: isText,
  version: isText,
  postgresql: isText,
  migrations: isList(hasForm({ name: isText, checksum: isText })),
  objects: isId,
  tables: isList(isTable),
  contents: hasForm({
    count: isCount,
    bytes: isCount,
    parts: isList(isHash),
    missing: isList(isText),
  } satisfies Record<keyof StoredContents, Check>),
} satisfies Record<keyof ArchiveManifest, Check>;

const isManifestForm = hasForm({
  ...common,
  keys: hasForm({ cursor: isKey, visitor: isKey }),
  eventPartitions: isList(matches(/^\d{4}-\d\d-\d\d$/)),
  sql: isList(
    hasForm({
      path: matches(/^sql\/(?:schema|migrations)\/[a-z0-9_]{1,100}\.sql$/),
      text: (value) => typeof value === 'string',
    } satisfies Record<keyof ReleaseText, Check>),
  ),
} satisfies Record<keyof Manifest, Check>);

function isManifest(value: unknown): value is Manifest {
  return isManifestForm(value);
}

const isOrganizationForm = hasForm({
  ...common,
  organization: hasForm({
    id: isId,
    key: isText,
    isSuspended: (value) => typeof value === 'boolean',
  } satisfies Record<keyof OrganizationManifest['organization'], Check>),
} satisfies Record<keyof OrganizationManifest, Check>);

function isOrganizationManifest(value: unknown): value is OrganizationManifest {
  return isOrganizationForm(value);
}
