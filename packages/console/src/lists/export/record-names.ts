/** What records are called to which the records of an export refer. */
import { nameWithId } from '@trellis/importer/tables/cells.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { foldText } from '@trellis/schema/values/text.ts';
import { targetOfReference } from '../../resources/declared.ts';
import { titleOf } from '../../resources/values.ts';

/** Reads the records of a resource, with their titles. @throws ProblemError */
export type ReadTargets = (target: Resource) => Promise<readonly Readonly<Record<string, unknown>>[]>;

/** The names of other records. All of a resource are read, because a name that several have needs the id behind it. */
export class RecordNames {
  private readonly resource: Resource;
  private readonly read: ReadTargets;
  private readonly names = new Map<string, ReadonlyMap<string, string>>();

  /** @param resource of the records that refer to others */
  constructor(resource: Resource, read: ReadTargets) {
    this.resource = resource;
    this.read = read;
  }

  /** Reads the names of the records of a resource. @param reference the name of the resource in declarations */
  async load(reference: string): Promise<void> {
    const target = targetOfReference(reference);
    // Records below another parent cannot be listed here.
    const isBeside = target?.parent == null || target.parent.resource === this.resource.parent?.resource;
    if (target === undefined || !isBeside || this.names.has(reference)) return;
    const records = (await this.read(target)).map((record) => ({
      id: String(record.id),
      title: titleOf(target, record),
    }));
    const sameNames = Map.groupBy(records, ({ title }) => foldText(title));
    this.names.set(
      reference,
      new Map(
        records.map(({ id, title }) => {
          const isPlain = sameNames.get(foldText(title))?.length === 1 && /[\p{L}\p{N}]{2}/u.test(title);
          return [id, isPlain ? title : nameWithId(title, id)];
        }),
      ),
    );
  }

  /** What a record is called; its id where that is not known. */
  readonly nameOf = (reference: string, id: string): string => this.names.get(reference)?.get(id) ?? id;
}
