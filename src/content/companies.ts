/** Why: no company stands above itself, and none leaves contacts behind that point to nothing. */
import { createHash } from 'node:crypto';
import { type Statement, step } from '../database/flight.ts';
import { type Fault, Problem } from '../lib/problem.ts';
import { claimedCondition } from '../pipeline/idempotency.ts';
import type { Model, Rules } from '../pipeline/model.ts';
import { decodeRecord, type SideTable, selectList } from '../pipeline/storage.ts';
import type { Values } from '../pipeline/values.ts';
import { limits } from '../resources/limits.ts';
import { withoutCompany } from './contacts.ts';
import {
  checkPhones,
  completePhones,
  domainForms,
  joinForms,
  labelEntries,
  type Phone,
  phoneForms,
  queryForms,
} from './crm.ts';

export const companyDomains: SideTable = {
  table: 'company_domains',
  column: 'domain',
  type: 'text',
  unique: { constraint: 'company_domains_key', field: 'domains' },
  entries: (values) => domainsOf(values).map((value, index) => ({ value, pointer: `/domains/${index}` })),
};

export const companyTags: SideTable = {
  table: 'company_tags',
  column: 'tag',
  type: 'text',
  unique: null,
  entries: labelEntries,
};

/** Changes of who stands above whom take turns: two that pass each other could close a circle that neither sees. */
const lockHierarchy: Statement = {
  name: 'lock_company_hierarchy',
  text: `SELECT pg_advisory_xact_lock($1) WHERE ${claimedCondition}`,
};
const readAncestors: Statement = {
  name: 'company_ancestors',
  text: `WITH RECURSIVE above AS (
      SELECT c.id, c.parent_company_id, 1 AS level FROM trellis.companies c
      WHERE c.organization_id = $1 AND c.id = $2
      UNION ALL
      SELECT c.id, c.parent_company_id, above.level + 1 FROM above
      JOIN trellis.companies c ON c.organization_id = $1 AND c.id = above.parent_company_id
      WHERE above.level <= ${limits.companyDepth}
    ) SELECT id FROM above`,
};
const readHeight: Statement = {
  name: 'company_height',
  text: `WITH RECURSIVE below AS (
      SELECT c.id, 1 AS level FROM trellis.companies c
      WHERE c.organization_id = $1 AND c.parent_company_id = $2
      UNION ALL
      SELECT c.id, below.level + 1 FROM below
      JOIN trellis.companies c ON c.organization_id = $1 AND c.parent_company_id = below.id
      WHERE below.level <= ${limits.companyDepth}
    ) SELECT coalesce(max(level), 0) FROM below`,
};

/** Rules of companies; `contact` is the model of the contacts that belong to them. */
export function createCompanyRules(contact: Model): Rules {
  const linked = `r.organization_id = $1 AND r.id IN (SELECT s.contact_id FROM trellis.contact_companies s
    WHERE s.organization_id = $1 AND s.company_id = $2)`;
  // Whoever links a contact meanwhile waits, and then finds no company; whoever has done so is seen by what follows.
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
    gather({ organizationId, id }, input) {
      const above = input.values.parentCompanyId;
      if (typeof above !== 'string') return [];
      const number = createHash('sha256').update(`${organizationId}\ncompanies`).digest().readBigInt64BE(0);
      return [
        step(lockHierarchy, [number.toString()]),
        step(readAncestors, [organizationId, above]),
        ...(id === null ? [] : [step(readHeight, [organizationId, id])]),
      ];
    },
    derive: (values, context) => completePhones(values, context.actor.country),
    create(values, context) {
      if (typeof values.parentCompanyId === 'string')
        refuseDepth((context.gathered[1]?.rows.length ?? 0) + 1);
      return values;
    },
    update(before, patch, merged, context) {
      const [, ancestors, height] = context.gathered;
      if (typeof patch.parentCompanyId === 'string') {
        if (ancestors?.rows.some(([id]) => id === before.id)) throw cycle();
        refuseDepth((ancestors?.rows.length ?? 0) + 1 + Number(height?.rows[0]?.[0] ?? 0));
      }
      return { values: merged, events: ['updated'] };
    },
    check: (values) => checkPhones(values),
    gatherForRemove: ({ organizationId, id }) =>
      [lockCompany, lockContacts, readContacts].map((statement) => step(statement, [organizationId, id])),
    remove: (before, context) =>
      (context.gathered.at(-1)?.rows ?? []).map((row) => {
        const record = decodeRecord(contact.storage, row);
        const values = withoutCompany(record.values, before.id);
        return { model: contact, before: record, decision: { values, events: ['updated'] } };
      }),
    recordForms: (values) =>
      joinForms([
        ...domainsOf(values).map(domainForms),
        ...(values.phones as readonly Phone[]).map(phoneForms),
      ]),
    queryForms,
  };
}

function domainsOf({ domains }: Values): readonly string[] {
  return domains as readonly string[];
}

function refuseDepth(levels: number): void {
  if (levels <= limits.companyDepth) return;
  const detail = `Companies stand at most ${limits.companyDepth} levels above each other.`;
  throw invalid({ pointer: '/parentCompanyId', code: 'too_deep', detail });
}

function cycle(): Problem {
  return invalid({
    pointer: '/parentCompanyId',
    code: 'cycle',
    detail: 'A company cannot stand below itself.',
  });
}

function invalid(fault: Fault): Problem {
  return new Problem('validation_failed', undefined, { errors: [fault] });
}
