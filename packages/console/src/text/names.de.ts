/** What the product's resources, fields and values are called in German. A test finds those that are missing. */

export const germanResources: Readonly<
  Record<string, { readonly singular: string; readonly plural: string }>
> = {
  sites: { singular: 'Website', plural: 'Websites' },
  categories: { singular: 'Kategorie', plural: 'Kategorien' },
  tags: { singular: 'Schlagwort', plural: 'Schlagwörter' },
  'knowledge-files': { singular: 'Datei', plural: 'Dateien' },
  articles: { singular: 'Artikel', plural: 'Artikel' },
  books: { singular: 'Buch', plural: 'Bücher' },
  magazines: { singular: 'Zeitschrift', plural: 'Zeitschriften' },
  issues: { singular: 'Ausgabe', plural: 'Ausgaben' },
  contacts: { singular: 'Kontakt', plural: 'Kontakte' },
  companies: { singular: 'Firma', plural: 'Firmen' },
  'webhook-endpoints': { singular: 'Webhook', plural: 'Webhooks' },
  members: { singular: 'Mitglied', plural: 'Mitglieder' },
  roles: { singular: 'Rolle', plural: 'Rollen' },
  clients: { singular: 'Anwendung', plural: 'Anwendungen' },
  tokens: { singular: 'Token', plural: 'Tokens' },
  invitations: { singular: 'Einladung', plural: 'Einladungen' },
  sessions: { singular: 'Sitzung', plural: 'Sitzungen' },
};

export const germanFields: Readonly<Record<string, string>> = {};

export const germanValues: Readonly<Record<string, string>> = {
  OWNER: 'Inhaber',
  ADMIN: 'Administrator',
  EDITOR: 'Redakteur',
  AUTHOR: 'Autor',
  VIEWER: 'Leser',
};
