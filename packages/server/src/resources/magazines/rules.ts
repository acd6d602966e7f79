/** Why: an ISSN names one magazine in one medium, and what has ended has an end. */

import type { Fault } from '@trellis/schema/problem.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import { isCertainlyBefore } from '@trellis/schema/values/partial-date.ts';
import type { Rules } from '../../pipeline/model.ts';
import type { SideTable } from '../../pipeline/storage.ts';

/** Both numbers, since none is used twice, be it in print or online. */
export const magazineIssns: SideTable = {
  table: 'magazine_issns',
  column: 'issn',
  type: 'text',
  unique: { constraint: 'magazine_issns_key', field: 'issnPrint' },
  entries: (values) =>
    ['issnPrint', 'issnOnline'].flatMap((field) => {
      const value = values[field];
      return typeof value === 'string' ? [{ value, pointer: `/${field}` }] : [];
    }),
};

export const magazineRules: Rules = { check: checkMagazine };

function checkMagazine({ issnPrint, issnOnline, status, startDate, endDate }: Values): Fault[] {
  const faults: Fault[] = [];
  if (issnPrint !== null && issnPrint === issnOnline) {
    const detail = 'Must differ from issnPrint.';
    faults.push({ pointer: '/issnOnline', code: 'repeated', detail });
  }
  if (status === 'CEASED' && endDate === null) {
    const detail = 'A CEASED magazine needs an endDate.';
    faults.push({ pointer: '/endDate', code: 'required', detail });
  }
  if (typeof startDate === 'string' && typeof endDate === 'string' && isCertainlyBefore(endDate, startDate)) {
    faults.push({ pointer: '/endDate', code: 'order', detail: 'Must not be before startDate.' });
  }
  return faults;
}
