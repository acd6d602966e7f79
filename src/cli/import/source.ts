/**
 * Why: what is imported may stand in a folder of Markdown, a CSV or an NDJSON file. All of them come down to records of
 * named fields; what the names mean is the mapping's matter. A further format is one more file like source-markdown.ts, and
 * a line in open-source.ts.
 */

/** One record as its source has it. */
export interface SourceRecord {
  /** Where it stands, for people: a path below the source, or a line of a file. */
  readonly place: string;
  /** What tells it from all others, the same in every run: the path, for files. */
  readonly key: string;
  /**
   * Values by name. Nested objects are flattened with dots (`extra.release`); a name in parentheses is not in the file
   * but known from it, such as `(body)` and `(file name)`.
   */
  readonly fields: ReadonlyMap<string, unknown>;
}

/** A record that could not be read. */
export interface Unreadable {
  readonly place: string;
  readonly unreadable: string;
}

/** Something to import, ready to be read as often as wanted. */
export interface Source {
  /** How many records there are, readable or not; null when only reading would tell. */
  readonly count: number | null;
  /** What is there but is not read, for people: why, and how many. */
  readonly passedOver: ReadonlyMap<string, number>;
  read(): AsyncIterable<SourceRecord | Unreadable>;
}

/** Flattens nested objects into dotted names; everything else is a value. */
export function flattenRecord(record: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  const add = (prefix: string, inner: Readonly<Record<string, unknown>>) => {
    for (const [name, value] of Object.entries(inner)) {
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        add(`${prefix}${name}.`, value as Readonly<Record<string, unknown>>);
      } else {
        fields.set(`${prefix}${name}`, value);
      }
    }
  };
  add('', record);
  return fields;
}
