/** Secrets of webhooks in an export: open, because the other installation seals them under its own key. */

import type { SecretSealing } from '../../../kernel/feature.ts';
import { SealBrokenError } from '../../../kernel/lib/sealer.ts';
import { BackupError } from '../errors.ts';
import { changeRows, type Row } from './rows.ts';

/** `whsec_` and 32 bytes in base64. */
const form = /^whsec_[A-Za-z0-9+/]{43}=$/;

/** Changes the secrets in the rows of `webhook_subscriptions`. @param change to what they become */
export function changeSecrets(
  columns: readonly string[],
  change: SecretSealing['open'],
): (rows: AsyncIterable<Buffer>) => AsyncIterable<Buffer> {
  const at = (column: string) => columns.indexOf(column);
  const changed = [at('secret'), at('previous_secret')];
  return (rows) =>
    changeRows(rows, (row) => {
      const owner = {
        organizationId: row[at('organization_id')] ?? '',
        endpointId: row[at('endpoint_id')] ?? '',
      };
      return row.map((value, place) =>
        value === null || !changed.includes(place) ? value : change(value, owner),
      ) satisfies Row;
    });
}

/** The secrets that a sealer opens and seals. */
export function webhookSecrets(sealer: SecretSealing): SecretSealing {
  return {
    open(sealed, owner) {
      try {
        return sealer.open(sealed, owner);
      } catch (error) {
        if (!(error instanceof SealBrokenError)) throw error;
        throw new BackupError(
          `The secret of the webhook endpoint ${owner.endpointId} was sealed under another TRELLIS_CURSOR_KEY. Set that key, or rotate the secret.`,
        );
      }
    },
    seal(secret, owner) {
      if (!form.test(secret)) throw new BackupError('The export has a webhook secret that is none.');
      return sealer.seal(secret, owner);
    },
  };
}
