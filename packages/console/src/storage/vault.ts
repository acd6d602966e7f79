/**
 * What the console stores in the browser for one person in an organization. This is the only way to the browser's database: everything
 * is sealed, and entries that were not sealed by this person for their place are removed and never returned.
 */
import { change, openDatabase, read, resultOf, stores } from './indexed-db.ts';
import { open, type Place, type Sealed, type SealKey, seal, tagOf } from './seal.ts';
import { type FileHead, openFile, sealFile } from './sealed-file.ts';

/** What there is to store. */
type Kind =
  | 'change'
  | 'bulk'
  | 'bulk-item'
  | 'bulk-undo'
  | 'upload'
  | 'upload-file'
  | 'import'
  | 'import-file';

/** Names an entry, or with fewer parts all entries that begin with them. */
export type Id = readonly [Kind, ...(string | number)[]];

/** One step of a transaction. */
export type Step =
  | { readonly put: Id; readonly value: object; readonly file?: never; readonly needs?: Id }
  | { readonly put: Id; readonly file: File; readonly value?: never; readonly needs?: Id }
  /** Removes the entry and those whose ids begin with its parts. */
  | { readonly remove: Id };

/** An entry as it is stored. */
interface Row {
  readonly key: Place;
  readonly sealed: Sealed;
  /** The sealed content of a file. */
  readonly content?: Blob;
}

export interface VaultOptions {
  readonly key: SealKey;
  /** Organization and user. */
  readonly owner: string;
  /** Called with the number of entries that were removed because they cannot be opened. */
  readonly onUnreadable?: (count: number) => void;
  /** `indexedDB` of the page; replaced in tests. */
  readonly factory?: IDBFactory;
  /** `IDBKeyRange` of the page; replaced in tests. */
  readonly ranges?: Pick<typeof IDBKeyRange, 'bound'>;
  /** `navigator.locks` of the page. */
  readonly locks?: LockManager;
}

/** Maximum number of cached opened entries, which are read more often than they change. */
const mostRemembered = 20_000;

export class Vault {
  readonly owner: string;
  private readonly options: VaultOptions;
  private readonly remembered = new Map<string, { readonly tag: string; readonly value: unknown }>();
  private opening: Promise<IDBDatabase> | null = null;

  constructor(options: VaultOptions) {
    this.options = options;
    this.owner = options.owner;
  }

  /** Opens the database, which other methods do on demand. @throws when the browser cannot store anything */
  async open(): Promise<void> {
    await this.database();
  }

  /** The values of all entries whose ids begin with these parts, in the order of the ids. */
  async all<Value extends object>(prefix: Id): Promise<Value[]> {
    const rows = await this.rows(prefix);
    const values = await Promise.all(rows.map((row) => this.openRow(row)));
    const unreadable = rows.filter((_, index) => values[index] === null);
    if (unreadable.length > 0) await this.drop(unreadable);
    return values.filter((value) => value !== null) as Value[];
  }

  /** The value of an entry; null when there is none that can be opened. */
  async find<Value extends object>(id: Id): Promise<Value | null> {
    const [value] = await this.all<Value>(id);
    return value ?? null;
  }

  /** The file of an entry; null when there is none that can be opened. */
  async file(id: Id): Promise<File | null> {
    const [row] = await this.rows(id);
    const head = await this.find<FileHead>(id);
    if (row === undefined || head === null) return null;
    const file = await openFile(this.options.key, row.key, head, row.content);
    if (file === null) await this.drop([row]);
    return file;
  }

  /** How many entries there are whose ids begin with these parts, whether or not they can be opened. */
  async count(prefix: Id): Promise<number> {
    return read(await this.database(), stores.rows, (store) => store.count(this.range(prefix)));
  }

  /**
   * Does all steps, or none. They are on the disk when this resolves. A step that `needs` an entry is left out when that is gone.
   * @throws DOMException when the browser has no room
   */
  async write(steps: readonly Step[]): Promise<void> {
    const database = await this.database();
    const rows = await Promise.all(steps.map((step) => this.sealStep(step)));
    await change(database, [stores.rows], async (transaction) => {
      const store = transaction.objectStore(stores.rows);
      for (const [index, step] of steps.entries()) {
        if ('remove' in step) {
          store.delete(this.range(step.remove));
          continue;
        }
        const row = rows[index];
        if (row === null || row === undefined) continue;
        if (step.needs === undefined) store.put(row);
        else if ((await resultOf(store.count(this.range(step.needs)))) > 0) store.put(row);
      }
    });
  }

  /** Does work that reads before it writes, while no other tab does such work of that name. */
  async exclusively<T>(name: string, work: () => Promise<T>): Promise<T> {
    const { locks = navigator.locks } = this.options;
    return locks.request(`trellis-storage ${this.owner} ${name}`, work);
  }

  /** A number larger than all earlier ones, across tabs. */
  async nextNumber(): Promise<number> {
    return change(await this.database(), [stores.numbers], async (transaction) => {
      const store = transaction.objectStore(stores.numbers);
      const number = Number(await resultOf(store.add(0)));
      store.delete(number);
      return number;
    });
  }

  private database(): Promise<IDBDatabase> {
    if (this.opening !== null) return this.opening;
    const { factory = indexedDB } = this.options;
    const opening = openDatabase(factory, () => {
      this.opening = null;
    });
    this.opening = opening;
    opening.catch(() => {
      this.opening = null;
    });
    return opening;
  }

  private async rows(prefix: Id): Promise<Row[]> {
    return read(await this.database(), stores.rows, (store) => store.getAll(this.range(prefix)));
  }

  private async openRow({ key, sealed }: Row): Promise<unknown> {
    const name = JSON.stringify(key);
    const tag = tagOf(sealed);
    const known = this.remembered.get(name);
    if (known !== undefined && known.tag === tag) return known.value;
    const value = await open(this.options.key, key, sealed);
    if (value === null) return null;
    if (this.remembered.size >= mostRemembered) this.remembered.clear();
    this.remembered.set(name, { tag, value });
    return value;
  }

  private async sealStep(step: Step): Promise<Row | null> {
    if ('remove' in step) return null;
    const { key } = this.options;
    const place = this.placeOf(step.put);
    if (step.file === undefined) return { key: place, sealed: await seal(key, place, step.value) };
    const { head, content } = await sealFile(key, place, step.file);
    return { key: place, sealed: await seal(key, place, head), content };
  }

  /** Removes entries that cannot be opened, and reports them. */
  private async drop(rows: readonly Row[]): Promise<void> {
    const dropped = await change(await this.database(), [stores.rows], async (transaction) => {
      const store = transaction.objectStore(stores.rows);
      let count = 0;
      for (const { key, sealed } of rows) {
        const present: Row | undefined = await resultOf(store.get([...key]));
        // Read twice at the same time, or rewritten since.
        if (present === undefined || tagOf(present.sealed) !== tagOf(sealed)) continue;
        store.delete([...key]);
        count += 1;
      }
      return count;
    });
    if (dropped > 0) this.options.onUnreadable?.(dropped);
  }

  private placeOf(id: Id): Place {
    return [this.owner, ...id];
  }

  /** An empty array follows all texts and numbers in the order of keys. */
  private range(prefix: Id): IDBKeyRange {
    const { ranges = IDBKeyRange } = this.options;
    const place = [...this.placeOf(prefix)];
    return ranges.bound(place, [...place, []]);
  }
}
