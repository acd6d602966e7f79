/**
 * Exports one organization with its history, while the installation serves. If the organization is suspended, nothing is sent or
 * written any more where it comes from, and the export has all of it, with what waits to be sent. Otherwise it is a copy, which does
 * not have what the original is going to send.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { OwnerSession } from '../../../kernel/database/owner-session.ts';
import type { SecretSealing } from '../../../kernel/feature.ts';
import { type ArchiveOptions, type TableCopy, writeArchive } from '../create.ts';
import { BackupError } from '../errors.ts';
import { organizationKind } from '../manifest.ts';
import { changeSecrets } from './secrets.ts';
import { type OrganizationSummary, summarizeOrganization } from './summary.ts';
import { organizationTables } from './tables.ts';

export interface ExportOptions extends ArchiveOptions {
  /** Uuid. */
  readonly organizationId: string;
  /** Opens the secrets of webhooks, which are sealed under a key of the installation. */
  readonly secrets: SecretSealing;
}

/** Longer than the lease of a delivery. */
const inProgressMs = 120_000;
const pollMs = 200;

/** @throws BackupError; errors of PostgreSQL and of the stores */
export async function exportOrganization(options: ExportOptions): Promise<OrganizationSummary> {
  const { organizationId, secrets } = options;
  await awaitDeliveries(options);
  const { manifest, sizeBytes } = await writeArchive(options, organizationKind, async (session, snapshot) => {
    const [row] = await session.rows('SELECT key, status FROM trellis.organizations WHERE id = $1', [
      organizationId,
    ]);
    if (row === undefined) throw new BackupError(`There is no organization ${organizationId}.`);
    const isSuspended = row[1] === 'SUSPENDED';
    const organization = { id: organizationId, key: row[0] ?? '', isSuspended };
    return {
      tables: organizationTables(snapshot.tables, organizationId, !isSuspended).map((table): TableCopy => {
        const change =
          table.name === 'webhook_subscriptions' ? changeSecrets(table.columns, secrets.open) : undefined;
        return { ...table, byOrganization: false, ...(change === undefined ? {} : { change }) };
      }),
      organizationId,
      manifest: (common) => ({ ...common, organization }),
    };
  });
  return summarizeOrganization(manifest, sizeBytes);
}

/** Waits for deliveries of a suspended organization that are being sent; no more are begun. Each would be sent once more after an import. */
async function awaitDeliveries({ ownerUrl, organizationId, onProgress }: ExportOptions): Promise<void> {
  const session = await OwnerSession.open(ownerUrl);
  try {
    for (const deadline = Date.now() + inProgressMs; ; await sleep(pollMs)) {
      const [row] = await session.rows(
        `SELECT EXISTS (SELECT FROM trellis.webhook_deliveries d JOIN trellis.organizations o ON o.id = d.organization_id
           WHERE o.id = $1 AND o.status = 'SUSPENDED' AND d.status = 'PENDING' AND d.leased_until > clock_timestamp())`,
        [organizationId],
      );
      if (row?.[0] !== 't') return;
      onProgress('waiting for deliveries that are being sent');
      if (Date.now() > deadline) throw new BackupError('Deliveries are still being sent. Try again later.');
    }
  } finally {
    await session.close();
  }
}
