/** Exports and imports of one organization in tests, and exports that somebody with the passphrase has forged. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { ArchiveReader } from '@trellis/server/features/backup/archive.ts';
import { TableDigester } from '@trellis/server/features/backup/digests.ts';
import {
  type OrganizationManifest,
  organizationKind,
  type StoredTable,
} from '@trellis/server/features/backup/manifest.ts';
import {
  type ExportOptions,
  exportOrganization,
} from '@trellis/server/features/backup/organization/export.ts';
import {
  type ImportSummary,
  importOrganization,
} from '@trellis/server/features/backup/organization/import.ts';
import { webhookSecrets } from '@trellis/server/features/backup/organization/secrets.ts';
import type { OrganizationSummary } from '@trellis/server/features/backup/organization/summary.ts';
import type { ObjectStore } from '@trellis/server/kernel/objects/object-store.ts';
import { passphrase } from './backups.ts';
import type { TestDatabase } from './database.ts';
import type { TestServer } from './server.ts';

export type OrganizationArchive = ArchiveReader<OrganizationManifest>;

const sealers = {
  source: webhookSecrets({ open: (sealed) => sealed.replace('sealed ', ''), seal: (secret) => secret }),
  target: webhookSecrets({ open: (sealed) => sealed, seal: (secret) => `resealed ${secret}` }),
};

/** Exports the organization of a server. The test's installation seals secrets by a word in front of them. */
export function exportFrom(
  { database, objects, organization }: TestServer,
  target: ObjectStore,
  options: Partial<ExportOptions> = {},
): Promise<OrganizationSummary> {
  return exportOrganization({
    ownerUrl: database.urls.owner,
    organizationId: organization.id,
    objects,
    secrets: sealers.source,
    target,
    passphrase,
    missing: 'refuse',
    onProgress: () => undefined,
    ...options,
  });
}

export function openExport(source: ObjectStore): Promise<OrganizationArchive> {
  return ArchiveReader.open(source, passphrase, organizationKind);
}

export function importInto(
  { urls }: TestDatabase,
  objects: ObjectStore,
  archive: OrganizationArchive,
  key: string | null = null,
): Promise<ImportSummary> {
  return importOrganization({
    archive,
    ownerUrl: urls.owner,
    objects,
    key,
    secrets: sealers.target,
    onProgress: () => undefined,
  });
}

/** What is changed in a forged export. */
export interface Forgery {
  /** Changes the rows of tables, as text in the format of COPY. */
  readonly rows?: Readonly<Record<string, (rows: string) => string>>;
  readonly contents?: (list: string) => string;
  readonly manifest?: (manifest: OrganizationManifest) => object;
}

/**
 * An export as somebody with the passphrase could make it: rows are changed, and their digests fit. It is read like any other, only without
 * being sealed, which would take a second of processor time.
 */
export async function forge(
  original: OrganizationArchive,
  { rows = {}, contents, manifest = () => ({}) }: Forgery,
): Promise<OrganizationArchive> {
  const forged = new Map<string, string>();
  const add = (content: string): string[] => {
    const part = createHash('sha256').update(content).digest('hex');
    forged.set(part, content);
    return [part];
  };
  const change = async (parts: readonly string[], maxBytes: number, by: (given: string) => string) => {
    const before = (await buffer(original.readParts(parts, maxBytes))).toString('latin1');
    const after = by(before);
    assert.notEqual(after, before, 'nothing is forged');
    return after;
  };
  const tables: StoredTable[] = [];
  for (const table of original.manifest.tables) {
    const by = rows[table.name];
    if (by === undefined) {
      tables.push(table);
      continue;
    }
    const content = await change(table.parts, table.bytes, by);
    const digester = new TableDigester(false);
    for await (const _ of digester.tap(pieces(content)));
    tables.push({ ...table, parts: add(content), ...digester.finish() });
  }
  const stored = original.manifest.contents;
  const list = contents === undefined ? null : await change(stored.parts, stored.count * 256, contents);
  const made: OrganizationManifest = {
    ...original.manifest,
    tables,
    contents: list === null ? stored : { ...stored, parts: add(list) },
  };
  async function* readParts(parts: readonly string[], maxBytes: number): AsyncGenerator<Buffer> {
    for (const part of parts) {
      const content = forged.get(part);
      if (content === undefined) yield* original.readParts([part], maxBytes);
      else yield* pieces(content);
    }
  }
  return Object.assign(Object.create(original) as OrganizationArchive, {
    manifest: organizationKind.parse(JSON.stringify({ ...made, ...manifest(made) })),
    readParts,
  });
}

async function* pieces(text: string): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text, 'latin1');
  for (let start = 0; start < bytes.length; start += 60_000) yield bytes.subarray(start, start + 60_000);
}
