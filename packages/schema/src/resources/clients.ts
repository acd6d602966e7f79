/** Declaration of clients: the applications of an organization. Every token belongs to one. */
import type { Fault } from '../problem.ts';
import { normalizeOrigin } from '../values/origin.ts';
import { choice, nullable, readOnly, reference, strings, text } from './fields.ts';
import { managementGrants } from './grants.ts';
import type { RecordRules } from './record-rules.ts';
import { defineOrganizationResource } from './resource.ts';
import { updatedSince } from './shapes.ts';
import { type ValuesOf, withChanges } from './stored-values.ts';

/** Kinds of clients: programs on servers, the console, command lines, and pages of a website. */
export const clientKinds = ['SERVER', 'CONSOLE', 'CLI', 'BROWSER'] as const;
export type ClientKind = (typeof clientKinds)[number];

export const clients = defineOrganizationResource({
  name: 'clients',
  singular: 'client',
  title: { singular: 'Client', plural: 'Clients' },
  german: {
    singular: 'Anwendung',
    plural: 'Anwendungen',
    fields: {
      publishableKey: 'Öffentlicher Schlüssel',
      origins: 'Erlaubte Adressen (Origins)',
      siteId: 'Website',
    },
    values: { SERVER: 'Server', CONSOLE: 'Konsole', CLI: 'Kommandozeile', BROWSER: 'Browser' },
  },
  description:
    'An application of the organization. Every token belongs to a client, so that one application can be disabled without the others. A client of the kind BROWSER has a publishable key instead of tokens, by which the pages of one site identify visitors.',
  idPrefix: 'client',
  path: '/clients',
  scope: 'tokens:manage',
  grants: managementGrants,
  refusals: { update: ['last_console'], delete: ['last_console'] },
  furtherRights:
    'Changing the status of a client requires the rights that ending each of its tokens and sessions requires. The last active client of the kind CONSOLE cannot be disabled.',
  removal:
    'A client with tokens or sessions is not deleted (`in_use`): it can be disabled. Its revoked tokens are forgotten.',
  table: 'clients',
  fields: {
    name: text({
      max: 120,
      format: 'name',
      required: true,
      searchable: 'A',
      description: 'Name of the application, unique in the organization.',
      example: 'Newsletter',
    }),
    kind: choice(clientKinds, {
      default: 'SERVER',
      description: 'What the application is. It cannot be changed.',
      example: 'SERVER',
    }),
    status: choice(['ACTIVE', 'DISABLED'], {
      isStatus: true,
      default: 'ACTIVE',
      description: 'The tokens, the sessions and the publishable key of a DISABLED client are refused.',
      example: 'ACTIVE',
    }),
    siteId: nullable(
      reference('sites', {
        description:
          'Of the kind BROWSER: the site whose pages use the publishable key. It cannot be changed.',
        example: 'site_01h455vb4pex5vsknk084sn02q',
        // The publishable key of a deleted site stays, and opens nothing.
        blocksDeletion: false,
      }),
    ),
    origins: strings({
      max: 50,
      item: { max: 267 },
      description:
        'Of the kind BROWSER: scheme, host and port of all pages that may use the publishable key, such as `https://www.example.com`. Empty for other kinds.',
      example: [],
    }),
    publishableKey: readOnly(
      nullable(
        text({
          max: 69,
          description: 'Of the kind BROWSER: the key that pages send. It is public.',
          example: 'trl_pk_4f8Kq2mZx7Vb1NcYt9Rw3HsDj6LpQe01m8chyea0e7jtd4j39eyhgptk0uXaBv',
        }),
      ),
    ),
  },
  titleField: 'name',
  unique: { name: 'clients_name' },
  filters: {
    kind: {
      kind: 'choice',
      field: 'kind',
      values: clientKinds,
      description: 'Clients of this kind.',
      example: 'SERVER',
    },
    status: {
      kind: 'choice',
      field: 'status',
      values: ['ACTIVE', 'DISABLED'],
      description: 'Clients with this status.',
      example: 'ACTIVE',
    },
    updatedSince,
  },
  searchSources: ['clients'],
  searchCursor: true,
});

type ClientValues = ValuesOf<typeof clients>;

/** Rules of clients: what those of the kind BROWSER need, and what origins are. */
export const clientRules: RecordRules<typeof clients> = {
  derive: (values) => withChanges(values, { origins: sortedOrigins(values) }),
  check: (values) => [...checkBrowser(values), ...checkOrigins(values)],
};

/** The origins as browsers send them; an invalid one stays unchanged, and is rejected. */
function sortedOrigins(values: ClientValues): string[] {
  return [...new Set(values.origins.map((text) => normalizeOrigin(text) ?? text))].sort();
}

function checkBrowser(values: ClientValues): Fault[] {
  const isBrowser = values.kind === 'BROWSER';
  const has = { siteId: values.siteId !== null, origins: values.origins.length > 0 };
  return Object.entries(has)
    .filter(([, given]) => given !== isBrowser)
    .map(([name]) => ({
      pointer: `/${name}`,
      code: isBrowser ? 'required' : 'kind',
      detail: isBrowser
        ? 'A client of the kind BROWSER needs it.'
        : 'Only a client of the kind BROWSER has it.',
    }));
}

function checkOrigins(values: ClientValues): Fault[] {
  return values.origins.flatMap((text, index): Fault[] =>
    normalizeOrigin(text) !== null
      ? []
      : [
          {
            pointer: `/origins/${index}`,
            code: 'origin',
            detail:
              'Is not an origin. Write scheme, host and, if it is not the usual one, port: https://www.example.com.',
          },
        ],
  );
}
