/** List items that other systems write with marks of their own, without a value, or twice. */
import type { Field } from '@trellis/schema/resources/fields.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { foldText } from '@trellis/schema/values/text.ts';

type Item = Record<string, unknown>;

/** Google marks the primary item by a star before its label. Of several values in one cell, the first one is meant. */
export function tidyLabel(item: Item, index: number): Item {
  if (typeof item.label !== 'string') return item;
  // The protocols of Outlook are no labels.
  const label = /^(SMTP|EX)$/.test(item.label) ? '' : item.label.replace(/^\* ?/, '').trim();
  const isMarked = item.label.startsWith('*') && index === 0;
  const { label: _, ...rest } = item;
  return { ...rest, ...(label === '' ? {} : { label }), ...(isMarked ? { isPrimary: true } : {}) };
}

/** What determines the items of a list. */
interface ListReading {
  readonly field: Field;
  /** The member that the item is about. */
  readonly main: string | undefined;
  /** Whether no two items are equal in it. */
  readonly isDistinct: boolean;
}

/** The items that have what they are about, each once: a shop writes one address for the invoice and for the parcel. */
export function tidyItems(all: readonly Item[], { field, main, isDistinct }: ListReading): readonly Item[] {
  const items = [...new Map(all.map((item) => [JSON.stringify(Object.entries(item).sort()), item])).values()];
  if (main === undefined) return items;
  const { required = [] } = (field.schema as JsonSchema).items ?? {};
  const seen = new Set<string>();
  let hasPrimary = false;
  return items.flatMap((item) => {
    const value = item[main];
    if (value === undefined && required.includes(main)) return [];
    const key = typeof value === 'string' ? foldText(value) : null;
    if (isDistinct && key !== null && seen.has(key)) return [];
    if (key !== null) seen.add(key);
    if (item.isPrimary !== true) return [item];
    const isFirst = !hasPrimary;
    hasPrimary = true;
    return [isFirst ? item : { ...item, isPrimary: false }];
  });
}
