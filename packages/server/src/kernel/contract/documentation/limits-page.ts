/** The page about limits, generated from those that are in force. */
import { resources } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { maxCursorLength } from '../../pipeline/cursor.ts';
import type { Block, Page } from './page.ts';

/** The page with every limit, including those of single fields. @param sections those of features */
export function limitsPage(sections: readonly Block[]): Page {
  return {
    title: 'Limits',
    blocks: [
      {
        kind: 'paragraph',
        text: 'A request that exceeds a limit is refused with an error that names the limit. Nothing is truncated, except the text that is extracted from knowledge files.',
      },
      limitsTable(),
      {
        kind: 'paragraph',
        text: 'Requests are rate limited per token and per organization; the operator sets the limits. The headers `RateLimit-Policy` and `RateLimit` of every response show the limits and what is left of them; a response with status 429 has the delay in `Retry-After`.',
      },
      ...resources.flatMap((resource): Block[] => [
        { kind: 'heading', text: resource.title.plural },
        {
          kind: 'table',
          caption: `Fields of ${resource.name}`,
          columns: ['Field', 'Limit'],
          rows: fieldRows(resource),
        },
      ]),
      ...sections,
    ],
  };
}

/** The table of the limits that apply to every resource of the tenant API. */
export function limitsTable(): Block {
  return limitsOf('Limits that apply everywhere', (name) => !name.startsWith('plant'));
}

type LimitName = keyof typeof limits | 'cursor';

/** A table of some limits. */
export function limitsOf(caption: string, isMeant: (name: LimitName) => boolean): Block {
  const names = (Object.keys(limitTexts) as LimitName[]).filter(isMeant);
  const rows = names.map((name) => [limitTexts[name].what, limitTexts[name].limit]);
  return { kind: 'table', caption, columns: ['What', 'Limit'], rows };
}

export const number = new Intl.NumberFormat('en');
const range = ({ min, max }: { min: number; max: number }) => `${min} to ${number.format(max)}`;
export const bytes = (count: number) => `${number.format(count)} bytes`;

/** Every limit in words. A limit that is missing here is a type error. */
const limitTexts: Readonly<Record<LimitName, { what: string; limit: string }>> = {
  listPageSize: {
    what: '`limit` of a list',
    limit: `${range(limits.listPageSize)}, ${limits.listPageSize.default} when not given`,
  },
  pageBytes: { what: 'Bytes of a page', limit: `${bytes(limits.pageBytes)}; larger records make it shorter` },
  countPerValue: {
    what: 'Records with one value that `…/counts` counts',
    limit: `${number.format(limits.countPerValue)}; of more, the count says that it is not exact`,
  },
  countedRecords: {
    what: 'Records that `…/counts` looks at where no index has the values or the filter',
    limit: `the newest ${number.format(limits.countedRecords)}`,
  },
  searchPageSize: {
    what: '`limit` of a search',
    limit: `${range(limits.searchPageSize)}, ${limits.searchPageSize.default} when not given`,
  },
  searchText: {
    what: '`search` and `query`',
    limit: `${range(limits.searchText)} characters`,
  },
  foldedSearchText: {
    what: '`search` and `query` after signs that stand for several letters, such as ﷺ, are written out',
    limit: `${limits.foldedSearchText} characters`,
  },
  shortText: {
    what: 'Short texts: matches in them rank higher than in fields that may be longer',
    limit: `${number.format(limits.shortText)} characters`,
  },
  searchCandidates: {
    what: 'Matches that a search ranks',
    limit: `all of up to ${number.format(limits.searchCandidates)}; of more, those among the newest 200, and up to 200 of the newest 1,000 with a match in a short text`,
  },
  cursor: { what: '`cursor`', limit: `${number.format(maxCursorLength)} characters` },
  bodyBytes: { what: 'JSON body', limit: bytes(limits.bodyBytes) },
  batchItems: { what: 'Writes of a batch', limit: `${limits.batchItems}` },
  bodyDepth: { what: 'Nesting of a JSON body', limit: `${limits.bodyDepth} levels` },
  idempotencyKey: {
    what: '`Idempotency-Key`',
    limit: `${range(limits.idempotencyKey)} visible ASCII characters`,
  },
  requestId: {
    what: '`X-Request-Id`',
    limit: `1 to ${limits.requestId} visible ASCII characters; anything else is replaced by a new id`,
  },
  includedRecords: {
    what: 'Records that a response includes (`include`)',
    limit: `${number.format(limits.includedRecords)}, and ${bytes(limits.pageBytes)}`,
  },
  externalId: { what: '`externalId`', limit: `${limits.externalId} characters` },
  importId: { what: '`importId`', limit: `${limits.importId} characters` },
  articleBodyBytes: {
    what: 'Body of an article',
    limit: `${bytes(limits.articleBodyBytes)} of UTF-8`,
  },
  inlineContentBytes: {
    what: 'Content given with the create of a knowledge file',
    limit: `${bytes(limits.inlineContentBytes)} of UTF-8`,
  },
  pictureRenditions: {
    what: 'Copies of a public picture in other sizes and formats that are kept',
    limit: `${number.format(limits.pictureRenditions)}; the oldest give way`,
  },
  pictureRenditionBytes: {
    what: 'Bytes of all such copies of an organization',
    limit: `${bytes(limits.pictureRenditionBytes)}; the oldest give way`,
  },
  companyDepth: { what: 'Companies above each other', limit: `${limits.companyDepth} levels` },
  categoryDepth: { what: 'Tree of categories', limit: `${limits.categoryDepth} levels` },
  views: { what: 'Views of a user', limit: `${number.format(limits.views)} in an organization` },
  viewQuery: { what: 'Query string of a view', limit: `${number.format(limits.viewQuery)} characters` },
  filterText: { what: 'Text filters of lists', limit: `1 to ${limits.filterText} characters` },
  queryParameters: { what: 'Parameters of a query string', limit: String(limits.queryParameters) },
  parameterValues: {
    what: 'Values of a filter that takes several',
    limit: `${limits.parameterValues}, separated by commas; ${limits.listPageSize.max} of \`ids\` and \`externalId\``,
  },
  roles: { what: 'Roles of an organization besides the built-in ones', limit: number.format(limits.roles) },
  serviceMembers: { what: 'Service members of an organization', limit: number.format(limits.serviceMembers) },
  invitations: {
    what: 'Pending invitations of an organization',
    limit: number.format(limits.invitations),
  },
  webhookEndpoints: {
    what: 'Webhook endpoints of an organization',
    limit: number.format(limits.webhookEndpoints),
  },
  webhookReplayEvents: {
    what: 'Events of one replay of a webhook endpoint',
    limit: number.format(limits.webhookReplayEvents),
  },
  openStreams: {
    what: 'Streams of events that are open at once',
    limit: `${limits.openStreams.perToken} of a token, ${limits.openStreams.perOrganization} of an organization, for each process`,
  },
  openDownloads: {
    what: 'Contents of more than 512 KiB that are loaded at once',
    limit: `${limits.openDownloads.perToken} of a token, ${limits.openDownloads.perOrganization} of an organization, for each process`,
  },
  scheduleYears: { what: 'Timed publication', limit: `${limits.scheduleYears} years ahead` },
  plants: { what: 'Plants of an organization', limit: number.format(limits.plants) },
  fileName: { what: 'Name of an uploaded file', limit: `1 to ${limits.fileName} characters` },
  plantName: { what: 'Name of a plant', limit: `1 to ${limits.plantName} characters` },
  plantTag: { what: 'Tag of a plant', limit: `1 to ${limits.plantTag} characters` },
};

function fieldRows(resource: Resource): string[][] {
  return flattenFields(resource)
    .filter(([, field]) => !field.readOnly)
    .flatMap(([name, field]) => {
      if (field.reference === null) return schemaRows(name, field.schema as JsonSchema);
      const { maxItems } = field.schema as Bounds;
      return maxItems === undefined ? [] : [[`\`${name}\``, `${maxItems} ids`]];
    });
}

/** The bounds of a value and, for an object or a list of objects, of its members. */
function schemaRows(name: string, schema: JsonSchema): string[][] {
  const value = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  const bounds = boundsOf(value);
  const inside = value.items?.properties === undefined ? value.properties : value.items.properties;
  return [
    ...(bounds === '' ? [] : [[`\`${name}\``, bounds]]),
    ...Object.entries(inside ?? {}).flatMap(([key, inner]) => schemaRows(`${name}.${key}`, inner)),
  ];
}

function boundsOf(schema: JsonSchema): string {
  const { minLength, maxLength, minimum, maximum, maxItems, items, enum: values } = schema as Bounds;
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(', ');
  if (schema['x-max-bytes'] !== undefined) return `${bytes(Number(schema['x-max-bytes']))} of UTF-8`;
  if (minimum !== undefined && maximum !== undefined) {
    return `${number.format(minimum)} to ${number.format(maximum)}`;
  }
  if (maxItems !== undefined) {
    const each = items === undefined ? '' : boundsOf(items);
    return `${number.format(maxItems)} items${each === '' ? '' : `, each ${each}`}`;
  }
  if (maxLength === undefined) return '';
  return `${minLength === undefined ? 'up to' : `${minLength} to`} ${number.format(maxLength)} characters`;
}

interface Bounds {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
}
