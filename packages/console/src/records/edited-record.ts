/** The state of a record page: the server's record, the edits, and for an article the text in the editor. */
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { ApiRecord } from '../api/api.ts';
import type { Draft } from '../fields/draft.ts';
import { normalize } from '../outbox/merge/rebase.ts';
import { areEqual, type Values } from '../outbox/store/fields.ts';

/** The field that a text editor edits; only articles have one. */
const bodyField = 'versionData.body';

/** The text in the editor. */
export interface BodyText {
  read(): string;
  /** Replaces the text in place. */
  replace(text: string): void;
}

/** A consistent snapshot of the page. */
export interface Shown {
  readonly record: ApiRecord;
  /** Edited values by dotted name, except the body. */
  readonly draft: Draft;
}

/** Updates synchronously, whereas component state updates only with the next rendering. */
export class EditedRecord {
  private shown: Shown;
  /** Empty without an editor. */
  private body: BodyText;
  private readonly listeners = new Set<() => void>();

  /** @param values the record with the changes that were pending when the page was opened */
  constructor(record: ApiRecord, values: Values, fields: readonly string[]) {
    const draft: Record<string, unknown> = {};
    for (const field of fields) {
      const value = valueAt(values, field);
      if (field !== bodyField && !areEqual(value, valueAt(record, field))) draft[field] = value ?? null;
    }
    this.shown = { record, draft };
    const text = valueAt(values, bodyField);
    this.body = keepText(typeof text === 'string' ? text : '');
  }

  /** Binds the text to an editor; null detaches the editor and keeps its text. */
  attach(editor: BodyText | null): void {
    this.body = editor ?? keepText(this.body.read());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  };

  readonly snapshot = (): Shown => this.shown;

  readText(): string {
    return this.body.read();
  }

  setDraft(draft: Draft): void {
    this.shown = { ...this.shown, draft };
    this.notify();
  }

  /** The record with the edits. An empty body that was empty before keeps its value, null or ''. */
  collect(): Values {
    const { record, draft } = this.shown;
    const result: Record<string, unknown> = { ...record };
    const text = this.body.read();
    const isEmpty = text === '' && (valueAt(record, bodyField) ?? null) === null;
    for (const [name, value] of [...Object.entries(draft), [bodyField, isEmpty ? null : text] as const]) {
      const [group = name, inner] = name.split('.');
      if (inner === undefined) result[group] = value;
      else result[group] = { ...(result[group] as Values | undefined), [inner]: value };
    }
    return result;
  }

  /** Displays another state of the record, with values that may differ from those on the page. */
  show(record: ApiRecord, values: ReadonlyMap<string, unknown>): void {
    const before = this.collect();
    const draft: Record<string, unknown> = { ...this.shown.draft };
    for (const [field, value] of values) {
      if (field === bodyField) {
        const text = typeof value === 'string' ? value : '';
        if (this.body.read() !== text) this.body.replace(text);
        continue;
      }
      const typed = valueAt(before, field);
      // Keeps spaces that the server has trimmed, because the user may be about to type after them.
      const isTyped =
        typeof typed === 'string' && typeof value === 'string' && normalize(typed) === normalize(value);
      draft[field] = isTyped ? typed : value;
    }
    for (const [field, value] of Object.entries(draft)) {
      if (areEqual(value, valueAt(record, field))) delete draft[field];
    }
    this.shown = { record, draft };
    this.notify();
  }

  private notify(): void {
    for (const listener of this.listeners) listener();
  }
}

function keepText(initial: string): BodyText {
  let text = initial;
  return {
    read: () => text,
    replace: (next) => {
      text = next;
    },
  };
}
