/** Names of columns for phone numbers, addresses and labels, and of stages, which contacts and companies have. */
import type { ColumnNames } from './import.ts';

/** A kind of phone number, and what its columns are called. */
const phoneNames: Readonly<Record<string, readonly string[]>> = {
  '': [
    'phone',
    'phones',
    'phone value',
    'phone number',
    'phone numbers',
    'primary phone',
    'telephone',
    'tel',
    'telefon',
    'telefonnummer',
    'rufnummer',
    'festnetz',
    'haupttelefon',
    'téléphone',
    'téléphone principal',
    'teléfono',
    'telefono',
    'telefoon',
  ],
  mobile: [
    'mobile',
    'mobile phone',
    'mobile number',
    'mobile phone number',
    'cell',
    'cell phone',
    'mobil',
    'mobiltelefon',
    'mobilnummer',
    'mobil tel nr',
    'handy',
    'handynummer',
    'tél mobile',
    'téléphone mobile',
    'móvil',
    'teléfono móvil',
    'cellulare',
    'mobiel',
  ],
  work: [
    'work phone',
    'business phone',
    'office phone',
    'company main phone',
    'telefon geschäftlich',
    'telefon dienstlich',
    'tel dienstlich',
    'telefon büro',
    'telefon firma',
    'durchwahl',
    'téléphone bureau',
    'téléphone société',
    'teléfono del trabajo',
    'ufficio',
    'telefoon werk',
  ],
  home: [
    'home phone',
    'private phone',
    'telefon privat',
    'tel privat',
    'téléphone domicile',
    'teléfono particular',
    'abitazione',
    'telefoon thuis',
  ],
  other: ['other phone', 'weiteres telefon', 'autre téléphone', 'otro teléfono', 'car phone', 'autotelefon'],
};

export const phoneColumns: readonly ColumnNames[] = [
  ...Object.entries(phoneNames).map(([label, names]): ColumnNames => {
    return { to: 'phones.number', names, ...(label === '' ? {} : { constants: { label } }) };
  }),
  // Of shops: the number of an address, which is often that of the person.
  { to: 'phones.number', names: ['default address phone'], item: 'default address' },
  {
    to: 'phones.number',
    names: ['billing phone', 'billing phone number', 'billing telephone'],
    item: 'billing',
  },
  {
    to: 'phones.number',
    names: ['shipping phone', 'shipping phone number', 'shipping telephone'],
    item: 'shipping',
  },
  { to: 'phones.label', names: ['phone type', 'phone label'] },
];

/** The parts of an address; `line` and `numbered` are further lines of the street. */
const partNames = {
  street: [
    'street',
    'address',
    'street address',
    'address 1',
    'address line 1',
    'address1',
    'straße',
    'strasse',
    'adresse',
    'rue',
    'calle',
    'via',
    'straat',
  ],
  line: ['address line 2', 'extended address', 'po box'],
  /** Further lines, unless they are the streets of further addresses. */
  numbered: [
    'street 2',
    'street 3',
    'address 2',
    'address 3',
    'straße 2',
    'straße 3',
    'adresse 2',
    'rue 2',
    'rue 3',
  ],
  city: ['city', 'town', 'ort', 'stadt', 'ville', 'ciudad', 'città', 'plaats'],
  region: [
    'state',
    'province',
    'state/region',
    'state/province',
    'state code',
    'province code',
    'bundesland',
    'bundesland/kanton',
    'kanton',
    'dép/région',
    'département',
    'provincia',
    'provincia o estado',
  ],
  postalCode: [
    'postal code',
    'zip',
    'zip code',
    'post code',
    'zip/postal code',
    'plz',
    'postleitzahl',
    'code postal',
    'código postal',
    'cap',
    'postcode',
  ],
  country: [
    'country',
    'country/region',
    'country code',
    'land',
    'land/region',
    'staat',
    'pays',
    'pays/région',
    'país',
    'país o región',
    'paese',
  ],
} as const;

type Part = keyof typeof partNames;

/** Beside these columns, `street 2` is that of a second address. */
const secondPlaces = [...partNames.city, ...partNames.postalCode].map((name) => `${name} 2`);

/** Further names of the parts of the only address. */
const plainNames: Readonly<Partial<Record<Part, readonly string[]>>> = {
  street: [
    'straße und hausnummer',
    'strasse und hausnummer',
    'straße nr',
    'strasse nr',
    'anschrift',
    'address formatted',
  ],
  city: ['wohnort'],
  region: ['address region', 'county'],
};

/** The addresses that systems tell apart, and what stands before or after the name of a part. */
const places: readonly {
  readonly item: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}[] = [
  { item: '', before: ['', 'address', 'primary address', 'default address'], after: [] },
  {
    item: 'work',
    before: ['business', 'work', 'office', 'dienstlich'],
    after: ['geschäftlich', 'dienstlich', 'bureau', 'del trabajo', 'ufficio', 'werk'],
  },
  {
    item: 'home',
    before: ['home', 'private', 'privat'],
    after: ['privat', 'domicile', 'particular', 'abitazione', 'thuis'],
  },
  { item: 'mailing', before: ['mailing'], after: [] },
  { item: 'billing', before: ['billing'], after: [] },
  { item: 'shipping', before: ['shipping'], after: [] },
  { item: 'other', before: ['other', 'weitere', 'weiterer', 'weiteres'], after: ['autre'] },
];

export const addressColumns: readonly ColumnNames[] = places.flatMap(({ item, before, after }) =>
  Object.entries(partNames).map(([part, names]): ColumnNames => {
    const plain: readonly string[] = item === '' ? (plainNames[part as Part] ?? []) : [];
    const place = (all: readonly string[]) =>
      all.flatMap((name) => [
        ...before.map((word) => `${word} ${name}`.trim()),
        ...after.map((word) => `${name} ${word}`),
      ]);
    const isLine = part === 'line' || part === 'numbered';
    return {
      to: `addresses.${isLine ? 'street' : part}`,
      names: [...new Set([...place(names), ...plain])],
      ...(item === '' ? {} : { item }),
      ...(isLine ? { joinedBy: '\n' } : {}),
      ...(part === 'numbered' ? { unless: place(secondPlaces) } : {}),
    };
  }),
);

export const tagColumns: ColumnNames = {
  to: 'tags',
  names: [
    'tags',
    'tag',
    'labels',
    'groups',
    'group membership',
    'categories',
    'schlagwort',
    'schlagworte',
    'gruppe',
    'gruppen',
    'kategorien',
    'catégories',
    'categorías',
    'categorie',
  ],
};

/**
 * The member who is responsible, by name or e-mail address; other systems have names of people who may be no members.
 * @param names in exports of HubSpot, Salesforce, Pipedrive and Zoho, which say whose owner it is
 */
export const ownerColumn = (...names: readonly string[]): ColumnNames => ({
  to: 'ownerUserId',
  names: ['owner', ...names, 'owner name'],
});

/** Columns that companies have as well. */
export const reachColumns: readonly ColumnNames[] = [
  ...phoneColumns,
  ...addressColumns,
  { to: 'addresses.region', names: ['region'] },
  tagColumns,
  ownerColumn(
    'company owner',
    'account owner',
    'organization owner',
    'accountinhaber',
    'unternehmensinhaber',
  ),
];

/** What other systems call the stages that contacts and companies share. */
export const stageValues = {
  QUALIFIED: [
    'marketing qualified lead',
    'sales qualified lead',
    'mql',
    'sql',
    'marketingqualifiedlead',
    'salesqualifiedlead',
  ],
  LEAD: ['prospect', 'interessent'],
} as const;
