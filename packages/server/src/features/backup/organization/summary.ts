/** What an export of one organization contains, for the operator. */
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { OrganizationManifest } from '../manifest.ts';
import { type ArchiveSummary, summarizeArchive } from '../summary.ts';

export interface OrganizationSummary extends ArchiveSummary {
  readonly id: string;
  readonly key: string;
  /** Whether the organization was suspended, so that the export has its final state. */
  readonly isSuspended: boolean;
}

export function summarizeOrganization(
  manifest: OrganizationManifest,
  sizeBytes?: number,
): OrganizationSummary {
  const { id, ...organization } = manifest.organization;
  return { id: encodeId('org', id), ...organization, ...summarizeArchive(manifest, sizeBytes) };
}
