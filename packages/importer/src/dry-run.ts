/**
 * What the server would refuse of a write, found without writing: the rules of the resource, with the country of the organization,
 * and unique values that another record has.
 */

import { checkRecord } from '@trellis/schema/validation/check-record.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { ApiRecord, Body } from './api.ts';
import { describeFault } from './body.ts';
import type { Collection } from './collection.ts';
import { RowRejected } from './errors.ts';
import { filterOf, listUniqueValues } from './identity.ts';

/** Checks writes of a dry run. */
export class WriteCheck {
  private readonly readCountry: () => Promise<string | null>;

  /** @param readCountry reads the country of the organization */
  constructor(readCountry: () => Promise<string | null>) {
    this.readCountry = readCountry;
  }

  /**
   * Checks a write.
   * @param record that it would change; null when it would create one
   * @param body in stored form
   * @param isFree whether it is known that no other record has a unique value of the body
   * @throws RowRejected when the server would refuse it; ImportStopped
   */
  async check(collection: Collection, record: ApiRecord | null, body: Body, isFree = false): Promise<void> {
    const { resource } = collection;
    const read = (name: string) => {
      const given = valueAt(body, name);
      return given === undefined && record !== null ? valueAt(record, name) : given;
    };
    const reasons = checkRecord(resource, read, await this.readCountry()).map(describeFault);
    for (const { name, value, word } of isFree ? [] : listUniqueValues(resource, body)) {
      const filter = filterOf(resource, name);
      const owner = filter === null ? null : await collection.first({ [filter]: value });
      if (owner !== null && owner.id !== record?.id) {
        const title = valueAt(owner, resource.titleField);
        reasons.push(
          `${name}: The ${word} "${value}" belongs to ${String(title ?? 'another record')} (${owner.id}).`,
        );
      }
    }
    if (reasons.length > 0) throw new RowRejected(reasons);
  }
}
