/** Rules of companies that need the database: they form a tree, and a deleted company is removed from the contacts that refer to it. */

import type { companies } from '@trellis/schema/resources/companies.ts';
import type { contacts } from '@trellis/schema/resources/contacts.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import type { ValuesOf } from '@trellis/schema/resources/stored-values.ts';
import { type Statement, type Step, step } from '../../../kernel/database/batch.ts';
import { createHierarchy, type HierarchyReads } from '../../../kernel/pipeline/hierarchy.ts';
import { claimedCondition } from '../../../kernel/pipeline/locks.ts';
import type { Model, Rules } from '../../../kernel/pipeline/model.ts';
import { decodeRecord, selectList } from '../../../kernel/pipeline/storage.ts';
import { withoutCompany } from '../contacts/rules.ts';
import { mergeForms, phoneForms, queryForms } from '../search-forms.ts';

const hierarchy = createHierarchy<typeof companies>({
  table: 'companies',
  field: 'parentCompanyId',
  depth: limits.companyDepth,
  within: null,
  tooDeep: `A company tree has at most ${limits.companyDepth} levels.`,
  cycle: 'A company cannot be below itself.',
});

/** The reads for deleting a company. */
type RemovalReads = {
  /** The contacts that refer to the company; the company and the contacts are locked first. */
  readonly contacts: readonly Step[];
};

/** Rules of companies; `contact` is the model of the contacts that belong to them. */
export function createCompanyRules(contact: Model): Rules<typeof companies, HierarchyReads, RemovalReads> {
  const linked = `r.organization_id = $1 AND r.id IN (SELECT s.contact_id FROM trellis.contact_companies s
    WHERE s.organization_id = $1 AND s.company_id = $2)`;
  // A concurrent write that links a contact waits for the lock and then finds no company. Links that were committed before
  // are seen by the reads that follow.
  const lockCompany: Statement = {
    name: 'lock_company_links',
    text: `SELECT FROM trellis.companies r WHERE r.organization_id = $1 AND r.id = $2 AND ${claimedCondition} FOR UPDATE`,
  };
  const lockContacts: Statement = {
    name: 'lock_company_contacts',
    text: `SELECT FROM trellis.contacts r WHERE ${linked} AND ${claimedCondition} ORDER BY r.id FOR NO KEY UPDATE`,
  };
  const readContacts: Statement = {
    name: 'read_company_contacts',
    text: `SELECT ${selectList(contact.resource, contact.storage, 'full')} FROM ${contact.storage.from.working}
      WHERE ${linked}`,
  };
  return {
    reads: (target, input) => hierarchy.reads(target, input),
    create: (values, { rows }) => hierarchy.checkCreate(values, rows) ?? values,
    update: (before, patch, merged, { rows }) =>
      hierarchy.checkMove(before, patch, rows) ?? { values: merged, events: ['updated'] },
    removalReads: ({ organizationId, id }) => ({
      contacts: [lockCompany, lockContacts, readContacts].map((statement) =>
        step(statement, [organizationId, id]),
      ),
    }),
    remove: (before, { rows }) =>
      rows.contacts.rows.map((row) => {
        const record = decodeRecord<ValuesOf<typeof contacts>>(contact.storage, row);
        const values = withoutCompany(record.values, before.id);
        return { model: contact, before: record, decision: { values, events: ['updated'] } };
      }),
    recordForms: ({ phones }) => mergeForms(phones.map(phoneForms)),
    queryForms,
  };
}
