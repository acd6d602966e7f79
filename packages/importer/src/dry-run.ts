/**
 * What the server would refuse of a write, found without writing: the rules of the resource, with the country of the organization,
 * and unique values that another record has.
 */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { checkRecord } from '@trellis/schema/validation/check-record.ts';
import type { Api, ApiRecord, Body } from './api.ts';
import { describeFault, valueAt } from './body.ts';
import type { Collection } from './collection.ts';
import { RowRejected } from './errors.ts';
import { listUniqueValues } from './identity.ts';

/** Checks writes of a dry run. */
export class WriteCheck {
  private readonly api: Api;
  private country: Promise<string | null> | null = null;

  constructor(api: Api) {
    this.api = api;
  }

  /**
   * Checks a write.
   * @param record that it would change; null when it would create one
   * @param body in stored form
   * @param isEmpty whether the collection had no record at the start, so that no value is taken
   * @throws RowRejected when the server would refuse it; ImportStopped
   */
  async check(collection: Collection, record: ApiRecord | null, body: Body, isEmpty = false): Promise<void> {
    const { resource } = collection;
    this.country ??= this.api.readCountry();
    const read = (name: string) => {
      const given = valueAt(body, name);
      return given === undefined && record !== null ? valueAt(record, name) : given;
    };
    const reasons = checkRecord(resource, read, await this.country).map(describeFault);
    for (const { name, value, word } of isEmpty ? [] : listUniqueValues(resource, body)) {
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

/** The filter that finds the record with a unique value; null where there is none. */
function filterOf({ filters, sideTables = {} }: Resource, name: string): string | null {
  const found = Object.entries(filters).find(([, filter]) => {
    if (filter.kind === 'text') return filter.field === name;
    return filter.kind === 'via' && sideTables[filter.table]?.values.includes(name);
  });
  return found?.[0] ?? null;
}
