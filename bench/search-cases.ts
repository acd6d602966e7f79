/** The searches and filters of the benchmark, from words in one record to words in a third of all records. */
import {
  commonWords,
  emailOf,
  jobOf,
  mediumWord,
  nationalPhone,
  type ResourceName,
  type Role,
  rareWord,
  resources,
} from './search-data.ts';

/** One kind of question; each request of it is another question of the same kind. */
export interface Question {
  readonly name: string;
  readonly resource: ResourceName;
  readonly role: Role;
  /** `search`: ranked; `list`: a page of the list, filtered by the text unless that is null. */
  readonly way: 'search' | 'list';
  readonly texts: readonly (string | null)[];
  /** Order of a list; the default one when absent. */
  readonly sort?: string;
  /** Whether there must be a result; null if it depends on who may see the few matches. */
  readonly finds: boolean | null;
}

/** As many questions of a kind. */
const variety = 50;

const each = (text: (number: number) => string) =>
  Array.from({ length: variety }, (_, index) => text(index * 37 + 3));
const common = (number: number) => commonWords[number % commonWords.length] ?? '';
const inContacts = (number: number) => ['engineer', 'manager'][number % 2] ?? '';

/** A letter of the word is another one, which no word has. */
const misspell = (word: string) => `${word.slice(0, 4)}q${word.slice(5)}`;

/** The queries for every resource. */
function words(resource: ResourceName): [string, boolean, readonly string[]][] {
  const frequent = resource === 'contacts' ? inContacts : common;
  return [
    ['rare', true, each(rareWord)],
    ['medium', true, each(mediumWord)],
    ['common', true, each(frequent)],
    ['absent', false, each((number) => `qqq${number}zyx`)],
    ['prefix', true, each((number) => rareWord(number).slice(0, 5))],
    ...(resource === 'contacts'
      ? ([
          ['partial e-mail', true, each((number) => emailOf(number).slice(0, -6))],
          ['national phone', true, each(nationalPhone)],
          ['part of a phone', true, each((number) => nationalPhone(number).slice(0, -2))],
        ] satisfies [string, boolean, readonly string[]][])
      : []),
  ];
}

const combined = (resource: ResourceName): [string, boolean, readonly string[]][] => [
  [
    'medium + common',
    true,
    each(
      (number) =>
        `${mediumWord(number)} ${resource === 'contacts' ? jobOf(number).split(' ').at(-1) : common(number)} `,
    ),
  ],
  [
    'two common',
    true,
    each((number) =>
      resource === 'contacts'
        ? (['software engineer ', 'account manager '][number % 2] ?? '')
        : `${common(number)} ${common(number + 1)} `,
    ),
  ],
  ['typo', true, each((number) => misspell(rareWord(number)))],
];

const askers: Readonly<Record<ResourceName, readonly Role[]>> = {
  contacts: ['OWNER'],
  books: ['OWNER'],
  // Who sees half of them, and who sees one in twenty, all of them old.
  'knowledge-files': ['EDITOR', 'VIEWER'],
};

const titleSort = { contacts: 'displayName', books: 'title', 'knowledge-files': 'name' } as const;

export const questions: readonly Question[] = resources.flatMap((resource) =>
  askers[resource].flatMap((role): Question[] => {
    const asker = resource === 'knowledge-files' ? `files, ${role}` : resource;
    const base = { resource, role };
    const few = ['rare', 'medium', 'medium + common', 'prefix', 'typo'];
    const expect = (name: string, finds: boolean) =>
      resource === 'knowledge-files' && few.includes(name) ? null : finds;
    return [
      ...[...words(resource), ...combined(resource)].map(
        ([name, finds, texts]): Question => ({
          ...base,
          name: `${asker}: search ${name}`,
          way: 'search',
          texts,
          finds: expect(name, finds),
        }),
      ),
      { ...base, name: `${asker}: list`, way: 'list', texts: [null], finds: true },
      {
        ...base,
        name: `${asker}: list by title`,
        way: 'list',
        texts: [null],
        sort: titleSort[resource],
        finds: true,
      },
      ...words(resource)
        // The filter of files looks at names and descriptions, which have no medium words.
        .filter(([name]) => resource !== 'knowledge-files' || name !== 'medium')
        .map(
          ([name, finds, texts]): Question => ({
            ...base,
            name: `${asker}: filter ${name}`,
            way: 'list',
            texts,
            finds: expect(name, finds),
          }),
        ),
    ];
  }),
);

/** The path of the query. */
export function pathOf({ resource, way, sort }: Question, text: string | null): string {
  const collection = `/v1/${resource === 'contacts' ? 'crm/' : ''}${resource}`;
  if (way === 'search') return `${collection}/search?query=${encodeURIComponent(text ?? '')}`;
  const parameters = [
    ...(text === null ? [] : [`search=${encodeURIComponent(text)}`]),
    ...(sort === undefined ? [] : [`sort=${sort}`]),
  ];
  return `${collection}?${parameters.join('&')}`;
}
