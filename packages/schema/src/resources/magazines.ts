/** Declaration of magazines and journals, which have issues and ISSNs. */
import type { Fault } from '../problem.ts';
import { isCertainlyBefore } from '../values/partial-date.ts';
import { choice, type Help, nullable, states, text } from './fields.ts';
import { contentGrants } from './grants.ts';
import { languageColumns, websiteColumns } from './import.ts';
import type { RecordRules } from './record-rules.ts';
import { defineResource, type RecordOf } from './resource.ts';
import { coverFile, furtherDetails, language, partialDate, updatedSince } from './shapes.ts';
import type { ValuesOf } from './stored-values.ts';

const magazineStatuses = ['PLANNED', 'ACTIVE', 'SUSPENDED', 'CEASED'] as const;
/** From the most frequent to the least frequent; irregular ones last. */
const frequencies = [
  'DAILY',
  'SEMIWEEKLY',
  'WEEKLY',
  'BIWEEKLY',
  'SEMIMONTHLY',
  'MONTHLY',
  'BIMONTHLY',
  'QUARTERLY',
  'TRIANNUAL',
  'SEMIANNUAL',
  'ANNUAL',
  'IRREGULAR',
] as const;

const issn = (description: string, help: Help, example: string) =>
  nullable(text({ min: 8, max: 64, format: 'issn', searchable: 'D', description, help, example }));

export const magazines = defineResource({
  name: 'magazines',
  singular: 'magazine',
  title: { singular: 'Magazine', plural: 'Magazines' },
  german: {
    singular: 'Zeitschrift',
    plural: 'Zeitschriften',
    fields: {
      abbreviatedTitle: 'Kurztitel',
      issnPrint: 'ISSN (Druck)',
      issnOnline: 'ISSN (online)',
      frequency: 'Erscheinungsweise',
      startDate: 'Beginn',
      endDate: 'Ende',
      issn: 'ISSN',
    },
    values: {
      DAILY: 'Täglich',
      SEMIWEEKLY: 'Zweimal wöchentlich',
      WEEKLY: 'Wöchentlich',
      BIWEEKLY: 'Zweiwöchentlich',
      SEMIMONTHLY: 'Zweimal monatlich',
      MONTHLY: 'Monatlich',
      BIMONTHLY: 'Zweimonatlich',
      QUARTERLY: 'Vierteljährlich',
      TRIANNUAL: 'Dreimal jährlich',
      SEMIANNUAL: 'Halbjährlich',
      ANNUAL: 'Jährlich',
      IRREGULAR: 'Unregelmäßig',
      CEASED: 'Eingestellt',
    },
  },
  description: 'A magazine or journal, which has issues.',
  module: 'publishing',
  idPrefix: 'mag',
  path: '/magazines',
  scope: 'magazines',
  grants: contentGrants,
  parent: null,
  table: 'magazines',
  fields: {
    title: text({ max: 500, required: true, searchable: 'A', description: 'Title.', example: 'Nature' }),
    abbreviatedTitle: nullable(
      text({
        max: 255,
        searchable: 'B',
        help: {
          en: 'The form for references, such as “Nat. Med.”',
          de: 'Die Form für Literaturangaben, zum Beispiel „Nat. Med.“',
        },
        description: 'Abbreviated title (ISO 4).',
        example: 'Nat. Med.',
      }),
    ),
    description: nullable(
      text({
        max: 10_000,
        searchable: 'D',
        help: { en: 'What the magazine is about.', de: 'Worum es in der Zeitschrift geht.' },
        description: 'What it is about.',
        example: 'A weekly of science.',
      }),
    ),
    language,
    publisher: nullable(
      text({
        max: 255,
        format: 'name',
        searchable: 'C',
        description: 'Publisher.',
        example: 'Springer Nature',
      }),
    ),
    websiteUrl: nullable(
      text({ max: 2_000, format: 'http-url', description: 'Website.', example: 'https://www.nature.com/' }),
    ),
    coverFileId: coverFile,
    issnPrint: issn(
      'ISSN of the print edition. Every ISSN is unique, in print and online.',
      { en: 'Eight characters, such as 0028-0836.', de: 'Acht Stellen, zum Beispiel 0028-0836.' },
      '0028-0836',
    ),
    issnOnline: issn(
      'ISSN of the online edition, different from that of the print edition.',
      { en: 'A different one from that of the print edition.', de: 'Eine andere als die der Druckausgabe.' },
      '1476-4687',
    ),
    frequency: nullable(
      choice(frequencies, { description: 'How often it is published.', example: 'WEEKLY' }),
    ),
    startDate: partialDate('When it was first published:', '1869-11-04'),
    endDate: partialDate('When it was last published:', '2024'),
    status: states(magazineStatuses, {
      initial: ['PLANNED', 'ACTIVE', 'SUSPENDED', 'CEASED'],
      allowed: {
        PLANNED: ['ACTIVE'],
        ACTIVE: ['SUSPENDED'],
        SUSPENDED: ['ACTIVE', 'CEASED'],
        CEASED: [],
      },
      help: { en: '“Ceased” requires an end date.', de: '„Eingestellt“ erfordert ein Ende.' },
      description: 'Status of the publication. CEASED requires an endDate.',
      example: 'ACTIVE',
    }),
  },
  languageField: 'language',
  // Both ISSNs are in one table, because an ISSN must be unique in print and online together.
  sections: [
    {
      title: { en: 'Magazine', de: 'Zeitschrift' },
      fields: [
        'title',
        'abbreviatedTitle',
        'publisher',
        'language',
        'description',
        'coverFileId',
        'websiteUrl',
      ],
    },
    {
      title: { en: 'Publication', de: 'Erscheinen' },
      fields: ['status', 'frequency', 'issnPrint', 'issnOnline', 'startDate', 'endDate'],
    },
    furtherDetails('externalId'),
  ],
  sideTables: {
    magazine_issns: { column: 'issn', values: ['issnPrint', 'issnOnline'], unique: 'magazine_issns_key' },
  },
  titleField: 'title',
  unique: {},
  matching: ['issn'],
  filters: {
    status: {
      kind: 'choice',
      field: 'status',
      values: magazineStatuses,
      isIndexed: true,
      description: 'Status of the publication.',
      example: 'ACTIVE',
    },
    language: { kind: 'text', field: 'language', format: 'locale', description: 'Language.', example: 'en' },
    issn: {
      kind: 'via',
      table: 'magazine_issns',
      format: 'issn',
      description: 'The magazine with this ISSN, in print or online.',
      example: '0028-0836',
    },
    updatedSince,
  },
  searchSources: ['magazines'],
  searchCursor: true,
  import: {
    columns: [
      {
        to: 'title',
        names: [
          'title',
          'journal',
          'journal title',
          'journal name',
          'magazine',
          'full title',
          'publication title',
          'name',
          'zeitschrift',
        ],
      },
      {
        to: 'abbreviatedTitle',
        names: [
          'abbreviated title',
          'abbreviation',
          'abbreviated name',
          'abbr',
          'abbrev',
          'iso 4',
          'short title',
          'title abbreviation',
        ],
      },
      {
        to: 'issnPrint',
        names: [
          'issn print',
          'issn',
          'print issn',
          'pissn',
          'journal issn print version',
          'print identifier',
          'issn druck',
        ],
      },
      {
        to: 'issnOnline',
        names: [
          'issn online',
          'eissn',
          'online issn',
          'electronic issn',
          'journal eissn online version',
          'online identifier',
        ],
      },
      languageColumns,
      { to: 'language', names: ['languages', 'languages in which the journal accepts manuscripts'] },
      { to: 'publisher', names: ['publisher', 'publisher name', 'verlag'] },
      websiteColumns,
      { to: 'startDate', names: ['start date', 'start year', 'start', 'founded'] },
      { to: 'endDate', names: ['end date', 'end year', 'end'] },
    ],
    identity: [['issnPrint'], ['issnOnline'], ['title']],
    unique: { issnPrint: 'ISSN', issnOnline: 'ISSN' },
    knownBy: ['issn'],
  },
});

export type Magazine = RecordOf<typeof magazines>;

/** Rules of magazines. */
export const magazineRules: RecordRules<typeof magazines> = { check: checkMagazine };

function checkMagazine({
  issnPrint,
  issnOnline,
  status,
  startDate,
  endDate,
}: ValuesOf<typeof magazines>): Fault[] {
  const faults: Fault[] = [];
  if (issnPrint !== null && issnPrint === issnOnline) {
    const detail = 'Must differ from issnPrint.';
    faults.push({ pointer: '/issnOnline', code: 'repeated', detail });
  }
  if (status === 'CEASED' && endDate === null) {
    const detail = 'A CEASED magazine requires an endDate.';
    faults.push({ pointer: '/endDate', code: 'required', detail });
  }
  if (startDate !== null && endDate !== null && isCertainlyBefore(endDate, startDate)) {
    faults.push({ pointer: '/endDate', code: 'order', detail: 'Must not be before startDate.' });
  }
  return faults;
}
