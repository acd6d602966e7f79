/** Why: some records belong to a site or a magazine. People name it by what they know; the API's paths want its id. */
import { normalizeIssn } from '../../../lib/issn.ts';
import { foldText } from '../../../lib/text.ts';
import { resourceByName } from '../../../resources/index.ts';
import { magazines } from '../../../resources/magazines.ts';
import type { Resource } from '../../../resources/resource.ts';
import { type ApiClient, ImportStopped, RefusedError } from '../../api-client.ts';
import { UsageError } from '../../command-line.ts';
import { Creator } from '../creator.ts';
import { findSite, type Site } from '../site.ts';
import { RowRejected } from '../targets.ts';
import type { TableRow } from './source.ts';

interface ParentOptions {
  /** Null for a file of an export. */
  readonly resource: string | null;
  readonly site: string | null;
  readonly magazine: string | null;
}

/** The records that rows belong to. */
export class Parents {
  /** The site given on the command line. */
  readonly site: Site | null;
  private readonly client: ApiClient;
  private readonly given: ReadonlyMap<string, string>;
  /** Ids by the ids in an exported file. */
  readonly idsByFormer = new Map<string, string>();

  /** @throws UsageError when an option is missing or names nothing; ImportStopped when it cannot be found out */
  static async open(
    client: ApiClient,
    passes: readonly Resource[],
    options: ParentOptions,
  ): Promise<Parents> {
    const needed = new Set(passes.map(({ parent }) => parent?.resource));
    refuseUseless('--site', options.site, needed.has('sites'), passes);
    refuseUseless('--magazine', options.magazine, needed.has('magazines'), passes);
    const site = options.site === null ? null : await findSite(client, options.site);
    const magazine = options.magazine === null ? null : await findMagazine(client, options.magazine);
    return new Parents(client, site, magazine);
  }

  private constructor(client: ApiClient, site: Site | null, magazine: string | null) {
    this.client = client;
    this.site = site;
    this.given = new Map([
      ...(site === null ? [] : [['sites', site.id] as const]),
      ...(magazine === null ? [] : [['magazines', magazine] as const]),
    ]);
  }

  /** Id of what a row's record belongs to; '' when its resource belongs to nothing. @throws RowRejected */
  async find({ parent, name }: Resource, row: TableRow): Promise<string> {
    if (parent === null) return '';
    const given = this.given.get(parent.resource);
    if (given !== undefined) return given;
    const former = row.fields.get(parent.parameter);
    if (typeof former !== 'string') {
      const option = parent.resource === 'sites' ? '--site KEY' : '--magazine ID';
      throw new UsageError(`${name} belong to one of the ${parent.resource}: give ${option}.`);
    }
    const known = this.idsByFormer.get(former);
    if (known !== undefined) return known;
    const id = await this.lookUp(resourceByName(parent.resource), former);
    this.idsByFormer.set(former, id);
    return id;
  }

  private async lookUp(resource: Resource, former: string): Promise<string> {
    const creator = new Creator(this.client, '');
    for await (const { id } of this.client.list(creator.pathOf(resource), { externalId: former, limit: '1' }))
      return String(id);
    const record = await creator.read(resource, former);
    if (record !== null) return record.id;
    throw new RowRejected([
      `It belongs to "${former}" of ${resource.name}, which is neither here nor in the file.`,
    ]);
  }
}

function refuseUseless(
  option: string,
  value: string | null,
  isNeeded: boolean,
  [first]: readonly Resource[],
): void {
  if (value === null || isNeeded || first === undefined) return;
  throw new UsageError(`${option}: ${first.name} belong to none. Leave it out.`);
}

/** Id of the magazine with this id, externalId, ISSN or title. @throws UsageError, ImportStopped */
async function findMagazine(client: ApiClient, text: string): Promise<string> {
  const creator = new Creator(client, '');
  const path = creator.pathOf(magazines);
  try {
    const issn = normalizeIssn(text);
    const queries = [{ externalId: text }, ...(issn === null ? [] : [{ issn }])];
    for (const query of queries) {
      for await (const { id } of client.list(path, { ...query, limit: '1' })) return String(id);
    }
    if (text.startsWith(`${magazines.idPrefix}_`) && (await creator.read(magazines, text)) !== null)
      return text;
    const found: string[] = [];
    for await (const { id, title } of client.list(path, { search: text, limit: '100', fields: 'title' })) {
      if (foldText(String(title)) === foldText(text)) found.push(String(id));
    }
    const [only] = found;
    if (only !== undefined && found.length === 1) return only;
    throw new UsageError(
      found.length === 0
        ? `--magazine: there is no magazine with the id, externalId, ISSN or title "${text}".`
        : `--magazine: ${found.length} magazines are called "${text}". Give the id: ${found.slice(0, 5).join(', ')}.`,
    );
  } catch (error) {
    throw error instanceof RefusedError ? new ImportStopped(error.message, { cause: error }) : error;
  }
}
