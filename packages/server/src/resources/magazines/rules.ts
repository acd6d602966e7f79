/** Rules of magazines. */

import type { Fault } from '@trellis/schema/problem.ts';
import type { Values } from '@trellis/schema/validation/values.ts';
import { isCertainlyBefore } from '@trellis/schema/values/partial-date.ts';
import type { Rules } from '../../pipeline/model.ts';

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
