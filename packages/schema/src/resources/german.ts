/** German names in declarations. In English the console uses the names of the declaration themselves. Help has both languages (`Help`). */

/** What the console calls a resource, its fields and its values in German. */
export interface GermanNames {
  readonly singular: string;
  readonly plural: string;
  /** What the scope to publish allows, as a sentence; where there is such a scope. */
  readonly publishScope?: string;
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
    importId: 'Import',
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
    RESTORED: 'Wiederhergestellt',
    PURGED: 'Endgültig gelöscht',
    ERASED: 'Gelöscht',
    REPLACED: 'Ersetzt',
    SUCCEEDED: 'Erfolgreich',
  },
} satisfies Pick<GermanNames, 'fields' | 'values'>;
