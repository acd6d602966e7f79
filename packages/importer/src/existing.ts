/**
 * What an import does with records that exist: rows change what they have, or only where they are newer, or nothing. The same applies to rows
 * that stand for the record of an earlier row of the file.
 */
import type { ApiRecord } from './api.ts';
import { type LocalClock, readByClock } from './instants.ts';

/** `merge`: a row changes what it has; `newer`: if its own last change was later than that of the record; `skip`: nothing. */
export const existingChoices = ['merge', 'newer', 'skip'] as const;
export type Existing = (typeof existingChoices)[number];
export const duplicateChoices = ['reject', ...existingChoices] as const;

/** The input with the time of a row's last change in the system that it comes from. */
export const changeInput = 'updatedAt';

/** What other systems call it. */
export const changeColumns: readonly string[] = [
  ...[
    'Last modified',
    'Last modified date',
    'Last modified time',
    'Modified',
    'Modified date',
    'Modified on',
    'Modified at',
  ],
  ...[
    'Date modified',
    'Updated',
    'Updated on',
    'Date updated',
    'Last updated',
    'Last update',
    'Last changed',
    'REV',
  ],
  ...[
    'Geändert',
    'Geändert am',
    'Zuletzt geändert',
    'Zuletzt geändert am',
    'Änderungsdatum',
    'Letzte Änderung',
  ],
];

/** Why a row has not changed its record, for the report. */
const keptBecause = {
  skipped: 'existing records that differ from their rows, left as was chosen',
  older: 'existing records that were changed later than their rows',
  undated: 'existing records whose rows do not say when they were last changed',
  repeated: 'rows that stand for the record of an earlier row, skipped as was chosen',
  olderRow: 'rows that are not newer than an earlier row for the same record',
  undatedRow: 'rows that stand for the record of an earlier row and do not say when they were last changed',
} as const;
export type KeptBecause = (typeof keptBecause)[keyof typeof keptBecause];

/** The time of a row's last change, RFC 3339; null where it says none that is understood. */
export function readChange(value: unknown, clock: LocalClock): string | null {
  return typeof value === 'string' ? (readByClock(clock, value, []) ?? null) : null;
}

/** Why a record stays as it is, although its row differs; null if it is changed. */
export function whyKept(existing: Existing, changedAt: string | null, record: ApiRecord): KeptBecause | null {
  if (existing === 'merge') return null;
  if (existing === 'skip') return keptBecause.skipped;
  if (changedAt === null) return keptBecause.undated;
  return isLater(changedAt, String(record.updatedAt)) ? null : keptBecause.older;
}

/** Why a row does not change the record of an earlier row; null if it does. @param before the time of the change that the record has now */
export function whyRepeated(
  duplicates: Existing,
  changedAt: string | null,
  before: string | null,
): KeptBecause | null {
  if (duplicates === 'merge') return null;
  if (duplicates === 'skip') return keptBecause.repeated;
  if (changedAt === null) return keptBecause.undatedRow;
  return before === null || isLater(changedAt, before) ? null : keptBecause.olderRow;
}

function isLater(one: string, other: string): boolean {
  return Date.parse(one) > Date.parse(other);
}
