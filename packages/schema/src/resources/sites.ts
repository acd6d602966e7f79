/** Declaration of sites. Every article, category and tag belongs to exactly one site. */
import { locale, strings, text } from './fields.ts';
import { contentGrants } from './grants.ts';
import { defineResource } from './resource.ts';
import { updatedSince } from './shapes.ts';

export const sites = defineResource({
  name: 'sites',
  singular: 'site',
  title: { singular: 'Site', plural: 'Sites' },
  german: { singular: 'Website', plural: 'Websites', fields: { defaultLocale: 'Standardsprache' } },
  description: 'A website or channel. Articles, categories and tags belong to one site.',
  module: 'cms',
  idPrefix: 'site',
  path: '/sites',
  scope: 'sites',
  grants: contentGrants,
  parent: null,
  table: 'sites',
  fields: {
    name: text({
      max: 120,
      format: 'name',
      required: true,
      searchable: 'A',
      description: 'Display name.',
      example: 'Company blog',
    }),
    key: text({
      max: 63,
      required: true,
      format: 'slug',
      help: {
        en: 'Short name in addresses and imports, such as “blog”. Each site has its own.',
        de: 'Kurzname in Adressen und Importen, zum Beispiel „blog“. Jede Website hat ihren eigenen.',
      },
      description: 'Short name used in URLs and imports, unique in the organization.',
      example: 'blog',
    }),
    defaultLocale: locale({
      default: 'en',
      help: {
        en: 'Applies to articles without a language of their own.',
        de: 'Gilt für Artikel ohne eigene Sprachangabe.',
      },
      description: 'Default language of articles (BCP 47).',
      example: 'en-GB',
    }),
    domains: strings({
      max: 20,
      item: { max: 253, format: 'domain' },
      help: {
        en: 'Addresses of the site without https://, such as blog.example.com.',
        de: 'Adressen der Website ohne https://, zum Beispiel blog.example.com.',
      },
      description: 'Host names the site is served under.',
      example: ['blog.example.com'],
    }),
    timezone: text({
      max: 64,
      format: 'timezone',
      default: 'UTC',
      help: {
        en: 'Scheduled articles are published by the clock of this time zone.',
        de: 'Geplante Artikel erscheinen nach der Uhrzeit dieser Zeitzone.',
      },
      description: 'IANA time zone of the editors.',
      example: 'Europe/Berlin',
    }),
  },
  titleField: 'name',
  unique: { key: 'sites_key' },
  filters: {
    key: { kind: 'text', field: 'key', description: 'The site with this key.', example: 'blog' },
    updatedSince,
  },
  searchSources: ['sites'],
  searchCursor: true,
  import: { identity: [['key']], knownBy: ['key'] },
});
