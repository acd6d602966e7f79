/**
 * German names in declarations. In English the console uses the names of the declaration themselves. Whoever starts the server with a
 * declaration that has some German names and lacks others gets an error that lists them.
 */
import { flattenFields, type Resource } from './resource.ts';

/** What the console calls a resource, its fields and its values in German. */
export interface GermanNames {
  readonly singular: string;
  readonly plural: string;
  /** Fields, members of objects and filters, by the last part of their names. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Values of fixed lists, and the last parts of event types in upper case. */
  readonly values?: Readonly<Record<string, string>>;
}

/** Names that several resources share. */
export const sharedGermanNames = {
  fields: {
    name: 'Name',
    key: 'Kürzel',
    domains: 'Domains',
    timezone: 'Zeitzone',
    externalId: 'Externe ID',
    updatedSince: 'Geändert seit',
    slug: 'Slug',
    description: 'Beschreibung',
    position: 'Position',
    tags: 'Schlagwörter',
    language: 'Sprache',
    expiresAt: 'Läuft ab',
    ownerUserId: 'Zuständig',
    pageCount: 'Seiten',
    status: 'Status',
    tag: 'Schlagwort',
    userId: 'Benutzer',
    title: 'Titel',
    subtitle: 'Untertitel',
    locale: 'Sprache',
    coverFileId: 'Titelbild',
    role: 'Rolle',
    doi: 'DOI',
    publisher: 'Verlag',
    publicationDate: 'Erscheinungsdatum',
    label: 'Bezeichnung',
    amount: 'Betrag',
    currency: 'Währung',
    fileIds: 'Dateien',
    websiteUrl: 'Webadresse',
    number: 'Nummer',
    isPrimary: 'Hauptangabe',
    phones: 'Telefonnummern',
    country: 'Land',
    e164: 'E.164',
    addresses: 'Anschriften',
    street: 'Straße',
    city: 'Ort',
    region: 'Region',
    postalCode: 'Postleitzahl',
    lifecycleStage: 'Lifecycle-Phase',
    email: 'E-Mail',
    roleId: 'Rolle',
    kind: 'Art',
    resource: 'Bereich',
    createdAt: 'Angelegt',
    updatedAt: 'Geändert',
  },
  values: {
    EDITOR: 'Redakteur',
    AUTHOR: 'Autor',
    DRAFT: 'Entwurf',
    PUBLISHED: 'Veröffentlicht',
    UNPUBLISHED: 'Unveröffentlicht',
    ARCHIVED: 'Archiviert',
    OTHER: 'Sonstige',
    ACTIVE: 'Aktiv',
    PLANNED: 'Geplant',
    SUSPENDED: 'Ausgesetzt',
    OPEN: 'Offen',
    SUBSCRIBER: 'Abonnent',
    LEAD: 'Interessent',
    QUALIFIED: 'Qualifiziert',
    OPPORTUNITY: 'Verkaufschance',
    CUSTOMER: 'Kunde',
    EVANGELIST: 'Fürsprecher',
    DISABLED: 'Deaktiviert',
    sandbox: 'Sandbox',
    CREATED: 'Angelegt',
    UPDATED: 'Geändert',
    DELETED: 'Gelöscht',
    ERASED: 'Gelöscht',
    REPLACED: 'Ersetzt',
    SUCCEEDED: 'Erfolgreich',
  },
} satisfies Pick<GermanNames, 'fields' | 'values'>;

/** Names that the German ones of a declaration lack. */
export function findMissingGermanNames(resource: Resource): string[] {
  const { german, createOnly = {}, events = {}, filters } = resource;
  if (german === undefined) return [];
  const fields = [...flattenFields(resource), ...Object.entries(createOnly)].map(([name, { schema }]) => ({
    name: name.slice(name.lastIndexOf('.') + 1),
    ...namesIn(schema),
  }));
  const members = [
    ...Object.keys(resource.fields),
    ...Object.keys(filters),
    ...fields.flatMap(({ name, members }) => [name, ...members]),
  ];
  const values = [
    ...fields.flatMap(({ values }) => values),
    ...Object.values(filters).flatMap((filter) => ('values' in filter ? (filter.values ?? []) : [])),
    ...Object.keys(events).map((event) => event.toUpperCase()),
  ];
  const known = { ...sharedGermanNames.fields, ...german.fields };
  const knownValues = { ...sharedGermanNames.values, ...german.values };
  const missing = [
    ...members.filter((name) => !Object.hasOwn(known, name)),
    ...values.filter((value) => !Object.hasOwn(knownValues, value)),
  ];
  return [...new Set(missing)];
}

interface Schema {
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** The names of members and the fixed values in a schema. */
function namesIn({ properties = {}, items, anyOf = [], enum: values = [] }: Schema): {
  readonly members: readonly string[];
  readonly values: readonly string[];
} {
  const inner = [...Object.values(properties), ...anyOf, ...(items === undefined ? [] : [items])].map(
    namesIn,
  );
  return {
    members: [...Object.keys(properties), ...inner.flatMap(({ members }) => members)],
    values: [...values.map(String), ...inner.flatMap((one) => one.values)],
  };
}
