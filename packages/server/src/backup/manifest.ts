/**
 * The manifest of a backup: what it contains, with counts and digests. It is the last object that is written, so a backup
 * without one is incomplete. It is sealed like everything else, and authenticates the rest: each object of a backup is
 * named by the SHA-256 of its sealed bytes.
 */
import type { AppliedMigration } from '../database/migrate.ts';
import { isOrganizationId, isSha256 } from '../objects/object-store.ts';
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

export interface Manifest {
  readonly createdAt: string;
  /** The release that made the backup. */
  readonly version: string;
  readonly postgresql: string;
  readonly migrations: readonly AppliedMigration[];
  /** The keys of the installation that are not in the database; hexadecimal. */
  readonly keys: { readonly cursor: string; readonly visitor: string };
  /** The organization id under which the object store keeps the objects of this backup. */
  readonly objects: string;
  /** First days of the partitions of the event log. */
  readonly eventPartitions: readonly string[];
  readonly tables: readonly StoredTable[];
  readonly contents: StoredContents;
}

/** @throws BackupError unless the text is a manifest of this format */
export function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (!isManifest(value)) throw new BackupError('The manifest of the backup does not have the form of one.');
  return value;
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
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

const isManifestForm = hasForm({
  createdAt: isText,
  version: isText,
  postgresql: isText,
  migrations: isList(hasForm({ name: isText, checksum: isText })),
  keys: hasForm({ cursor: isKey, visitor: isKey }),
  objects: isId,
  eventPartitions: isList(matches(/^\d{4}-\d\d-\d\d$/)),
  tables: isList(isTable),
  contents: hasForm({
    count: isCount,
    bytes: isCount,
    parts: isList(isHash),
    missing: isList(isText),
  } satisfies Record<keyof StoredContents, Check>),
} satisfies Record<keyof Manifest, Check>);

function isManifest(value: unknown): value is Manifest {
  return isManifestForm(value);
}
