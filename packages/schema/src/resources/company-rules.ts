/** Rules of companies: their phone numbers. */

import type { companies } from './companies.ts';
import { checkPhones, completePhones } from './contact-details.ts';
import type { RecordRules } from './record-rules.ts';
import { withChanges } from './stored-values.ts';

export const companyRules: RecordRules<typeof companies> = {
  derive: (values, country) => withChanges(values, { phones: completePhones(values.phones, country) }),
  check: ({ phones }) => checkPhones(phones),
};
