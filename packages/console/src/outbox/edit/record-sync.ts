/**
 * Synchronizes a page with the record on the server. Edits enter the queue of changes, automatically or on an explicit save, with their
 * base version as precondition. The queue merges them with the changes of other users; the user decides only about fields that both sides
 * changed differently. A record that does not exist yet has version 0. The class does not depend on the page, so that tests run without
 * one.
 */

import { etagOf } from '@trellis/client/response.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { ApiRecord } from '../../api/api.ts';
import { amend, mergeChange, withPatch, withPending, withPendingTransitions } from '../merge/rebase.ts';
import type { Outcome } from '../send/outcomes.ts';
import type { Submitted } from '../send/queue.ts';
import { type Change, type ChangeRequest, isAutosave } from '../store/change.ts';
import type { Values } from '../store/fields.ts';
import { isConflict, type Refusal } from '../store/refusal.ts';
import { RecordEdits } from './record-edits.ts';
import { RequestRefused, type SaveState, type SyncOptions } from './save-state.ts';

export class RecordSync {
  private readonly options: SyncOptions;
  private readonly edits: RecordEdits;
  /** Why follow-up requests of this page were discarded, by the `sequence` of their changes. */
  private readonly blocked = new Map<number, Refusal>();
  private state: SaveState = { kind: 'saved', at: null };
  private savedAt: number | null = null;
  /** The last step of the chain: steps run one after the other. */
  private last: Promise<unknown> = Promise.resolve();

  /** @param waiting the pending changes at the time of reading, which the page displays */
  constructor(options: SyncOptions, server: ApiRecord, waiting: readonly Change[]) {
    this.options = options;
    this.edits = new RecordEdits(options, server, waiting);
    if (waiting.length > 0) this.state = { kind: 'saving' };
  }

  /** The given fields with unstored values. */
  unstored(fields: readonly string[]): string[] {
    return this.edits.unstored(fields);
  }

  /** The fields edited here that another user also changed in the given version. */
  concurrentFields(theirs: ApiRecord): string[] {
    if (theirs.version <= this.edits.server.version) return [];
    return this.edits.merge(theirs).conflicts.map(({ field }) => field);
  }

  /**
   * Stores the edits; resolves when the browser has stored them, or when the state gives the reason for a failure. Shows the conflict
   * dialog only after an explicit save; while the user types, it would steal keystrokes.
   * @param explicit fields to save that are not autosaved
   * @returns the change that contains the explicit fields; null when there was nothing to store
   */
  save(explicit: readonly string[] = []): Promise<Submitted | null> {
    return this.attempt(async () => {
      const isConflict = this.state.kind === 'conflict';
      const submitted = await this.saveNow(explicit);
      if (isConflict && explicit.length > 0) await this.checkNow(true);
      return submitted;
    });
  }

  /**
   * Sends another request for the record, after the edits, on condition that no other user has changed the record.
   * @throws RequestRefused, or the error that prevented storing it
   */
  async send(request: Omit<ChangeRequest, 'ifMatch'>, label: string): Promise<ApiRecord> {
    const { change, outcome } = await this.enqueue(async () => {
      await this.saveNow();
      const { queue } = this.options;
      const ifMatch = etagOf(this.edits.server.version);
      const record = this.edits.server.id;
      const submitted = await queue.submit({
        record,
        request: { ...request, ifMatch },
        label,
        after: [...this.edits.own.values()].at(-1) ?? null,
      });
      this.edits.add(submitted.change);
      this.setState({ kind: 'saving' });
      return submitted;
    });
    const result = await outcome;
    if (result.kind === 'done') {
      await this.handleOutcome(change, result);
      void this.saveHeld();
      return result.record ?? (await this.options.read());
    }
    this.edits.own.delete(change.sequence);
    const refusal = result.kind === 'refused' ? result.refusal : (this.blocked.get(change.sequence) ?? null);
    // The caller reports the refusal, so the queue drops the change.
    if (result.kind === 'refused') await this.options.queue.dismiss(result.change);
    void this.check()
      .then(() => this.saveHeld())
      .catch(() => undefined);
    throw new RequestRefused(refusal);
  }

  /** Checks for changes that another tab has sent or the server has refused. @throws ProblemError */
  check(): Promise<void> {
    return this.enqueue(() => this.checkNow(false));
  }

  /** Opens the conflict dialog. @throws ProblemError when the record cannot be read */
  decide(): Promise<void> {
    return this.enqueue(() => this.checkNow(true));
  }

  /** Reads the record and merges other users' changes. With pending changes their 412 triggers the merge instead. @throws ProblemError */
  refresh(): Promise<void> {
    return this.enqueue(async () => {
      if ((await this.options.queue.list(this.edits.server.id)).length > 0) return;
      const theirs = await this.options.read();
      if (theirs.version !== this.edits.server.version) await this.rebase(theirs);
    });
  }

  /** Discards a refused change and those after it; their values stay on the page. @throws ProblemError; then nothing is discarded */
  giveUp(): Promise<void> {
    return this.enqueue(async () => {
      const { queue, read } = this.options;
      const changes = await queue.list(this.edits.server.id);
      const refused = this.edits.findRefused(changes);
      if (refused === undefined) return;
      // Reads first, so that a failure leaves everything unchanged.
      const record = await read();
      const given = changes.slice(changes.indexOf(refused));
      this.edits.forget(given.filter((change) => this.edits.isEdit(change) && this.isOwn(change)));
      for (const change of given.toReversed()) {
        await queue.dismiss(change);
        this.edits.own.delete(change.sequence);
      }
      if (given.length === changes.length) await this.rebase(record);
      else this.report();
    });
  }

  /** Discards the edits, the refused change and the edits after it. */
  async discard(): Promise<void> {
    await this.attempt(async () => {
      const { queue, fields, show } = this.options;
      const edits = await this.listEdits();
      const first = edits.findIndex(({ refusal }) => refusal !== null);
      const kept = first < 0 ? edits : edits.slice(0, first);
      for (const change of edits.slice(kept.length).toReversed()) await queue.dismiss(change);
      this.edits.take(this.edits.server, kept);
      show(this.edits.server, new Map(fields.map((field) => [field, valueAt(this.edits.stored, field)])));
      this.report();
    });
  }

  /** Resends a change that was refused without the right to publish, with all rights, on an explicit save. */
  insist(): Promise<void> {
    return this.enqueue(async () => {
      const refused = this.edits.findRefused(await this.options.queue.list(this.edits.server.id));
      if (refused === undefined) return;
      const { request, base } = refused;
      const amended = { request: { ...request, sessionScopes: undefined }, base };
      const sent = await this.options.queue.retry(refused, amended);
      // The change was extended, sent, or made by another tab.
      if (sent === null || !this.isOwn(refused)) return this.checkNow(false);
      this.setState({ kind: 'saving' });
      // A change that contains more than the page displays keeps its unknown key.
      if (this.edits.areKnown([refused])) this.edits.add(sent.change);
      this.awaitOutcome(sent);
    });
  }

  /** Saves edits that were held back because of the record's previous state or validation. */
  private async saveHeld(): Promise<void> {
    if (this.state.kind === 'unsaved') await this.save();
  }

  private async saveNow(explicit: readonly string[] = []): Promise<Submitted | null> {
    const { queue, fields, mayAutosave, path } = this.options;
    const changes = await queue.list(this.edits.server.id);
    const replaced = await this.replaceRefused(changes, explicit);
    // Prevents a second creation of the record.
    if (replaced !== null || (this.edits.isNew && changes.length > 0)) return replaced;
    const met = withPendingTransitions(this.edits.server, path, changes);
    const drafts = fields.filter((field) => mayAutosave(field, met));
    // Two requests, so that only the explicitly saved fields are sent with all rights.
    const explicitStored = await this.submit(explicit, undefined);
    const draftStored = await this.submit(drafts, 'drafts');
    if (!explicitStored && !draftStored && (await queue.list(this.edits.server.id)).length === 0)
      this.report();
    return explicitStored;
  }

  /** Stores the edits of the given fields. @returns null when there are none */
  private async submit(
    fields: readonly string[],
    sessionScopes: ChangeRequest['sessionScopes'],
  ): Promise<Submitted | null> {
    const planned = this.edits.plan(fields, sessionScopes);
    if (planned === null) return null;
    this.setState({ kind: 'saving' });
    const submitted = await this.options.queue.submit(planned);
    this.note(submitted, planned.request.body);
    return submitted;
  }

  /**
   * Sends a refused change of this page again, with the page's current values. An explicit save with newer, possibly incomplete edits is
   * sent again only on another explicit save.
   * @returns the change that was sent; null when there is none, or when the edits must be stored as a change after it
   */
  private async replaceRefused(
    changes: readonly Change[],
    explicit: readonly string[],
  ): Promise<Submitted | null> {
    const { queue } = this.options;
    const refused = changes.find((change) => change.refusal !== null && this.isOwn(change));
    if (refused === undefined || !this.edits.isEdit(refused) || isConflict(refused)) return null;
    if (!isAutosave(refused) && explicit.length === 0) return null;
    const replaced = changes.slice(changes.indexOf(refused)).filter((change) => this.edits.isEdit(change));
    const planned = this.edits.planReplacement(replaced, explicit);
    if (planned === null) return null;
    let sent: readonly Submitted[] | null = null;
    try {
      sent = await queue.replace(replaced, planned.added);
    } finally {
      if (sent === null) planned.undo();
    }
    if (sent === null) return null;
    if (sent.length === 0) this.report();
    else this.setState({ kind: 'saving' });
    for (const submitted of sent) this.note(submitted, submitted.change.request.body);
    return sent[0] ?? null;
  }

  /** Records a stored change of this page, so that its outcome is handled. */
  private note(submitted: Submitted, body: object | null): void {
    this.edits.stored = withPatch(this.edits.stored, body);
    this.edits.add(submitted.change);
    this.awaitOutcome(submitted);
  }

  private isOwn({ sequence }: Change): boolean {
    return this.edits.own.has(sequence);
  }

  private awaitOutcome({ change, outcome }: Submitted): void {
    void outcome.then((result) => this.handleOutcome(change, result)).catch(() => undefined);
  }

  /** Handles the outcome of a change of this page. */
  private handleOutcome(change: Change, result: Outcome): Promise<void> {
    return this.enqueue(async () => {
      if (result.kind !== 'done') return this.checkNow(!isAutosave(change));
      this.edits.own.delete(change.sequence);
      this.savedAt = (this.options.now ?? Date.now)();
      // Keeps the display while other changes are pending or newer: `stored` includes them, this record does not.
      const changes = await this.options.queue.list(this.edits.server.id);
      const others = changes.filter(({ sequence }) => sequence !== change.sequence);
      if (others.length === 0 && this.edits.own.size === 0 && result.record !== null)
        await this.rebase(result.record);
    });
  }

  private async checkNow(mayAsk: boolean): Promise<void> {
    if (this.options.ask === null) await this.follow();
    const changes = await this.options.queue.list(this.edits.server.id);
    const refused = this.edits.findRefused(changes);
    if (refused?.refusal) {
      const { refusal, label } = refused;
      await this.giveUpRequests(refused, changes, refusal);
      if (!isConflict(refused))
        return this.setState({ kind: 'refused', refusal, label, isExplicit: !isAutosave(refused) });
      return mayAsk ? this.resolve(refused.sequence) : this.setState({ kind: 'conflict' });
    }
    if (changes.length > 0) return this.setState({ kind: 'saving' });
    if (this.edits.own.size > 0) this.savedAt = (this.options.now ?? Date.now)();
    else if (['saved', 'unsaved', 'failed'].includes(this.state.kind) || this.options.ask === null) return;
    await this.rebase(await this.options.read(), [], mayAsk);
  }

  /** Discards this page's requests, such as a publication, after a refused change. */
  private async giveUpRequests(refused: Change, changes: readonly Change[], refusal: Refusal): Promise<void> {
    for (const request of changes.slice(changes.indexOf(refused) + 1).toReversed()) {
      if (!this.isOwn(request) || this.edits.isEdit(request)) continue;
      this.blocked.set(request.sequence, refusal);
      this.edits.own.delete(request.sequence);
      await this.options.queue.dismiss(request);
    }
  }

  /** Resolves a conflict in the dialog and sends the result. */
  private async resolve(sequence: number): Promise<void> {
    const { queue, read, resource, ask } = this.options;
    this.setState({ kind: 'conflict' });
    if (ask === null) return;
    // Includes the latest edits in the dialog.
    await this.saveNow();
    const theirs = await read();
    const changes = await queue.list(this.edits.server.id);
    const refused = changes.find((change) => change.sequence === sequence && isConflict(change));
    if (refused === undefined) return this.checkNow(false);
    const { values, conflicts } = mergeChange(refused, resource, theirs);
    const chosen = conflicts.length === 0 ? new Map<string, unknown>() : await ask(conflicts);
    if (chosen === null) return;
    const amended = amend(refused, new Map([...values, ...chosen]), theirs);
    const merged = await queue.merge(refused, amended, theirs);
    // The change was extended, or another tab has resolved the conflict.
    if (merged === false) return this.checkNow(true);
    const isOwn = this.edits.own.delete(sequence);
    if (merged === null || !isOwn) return this.checkNow(false);
    this.setState({ kind: 'saving' });
    this.awaitOutcome(merged);
    const later = changes.filter((change) => change.sequence !== sequence && this.edits.isEdit(change));
    await this.rebase(theirs, [merged.change, ...later], true);
  }

  /** Displays the server's version with the pending changes and the latest edits. */
  private async rebase(theirs: ApiRecord, waiting: readonly Change[] = [], mayAsk = false): Promise<void> {
    // Ignores a response that is older than the displayed version.
    if (theirs.version < this.edits.server.version) return this.report();
    const values = await this.mergeWith(withPending(theirs, waiting, this.options.resource), mayAsk);
    if (values === null) return this.setState({ kind: 'conflict' });
    this.edits.take(theirs, waiting);
    this.options.show(theirs, values);
    if (waiting.length === 0) this.report();
  }

  /** Displays the latest cached record with the changes of all tabs. */
  private async follow(): Promise<void> {
    const { server } = this.edits;
    const edits = await this.listEdits();
    // Read after the queue: a change that has left the queue is in the cached record.
    const known = await this.options.read();
    const isDisplayed = edits.length === this.edits.own.size && this.edits.areKnown(edits);
    if (known.version > server.version || !isDisplayed) {
      await this.rebase(known.version < server.version ? server : known, edits);
    }
  }

  /** The pending and refused field edits, without deletions and other requests. */
  private async listEdits(): Promise<readonly Change[]> {
    return (await this.options.queue.list(this.edits.server.id)).filter((change) =>
      this.edits.isEdit(change),
    );
  }

  /** The merged values of the page; null when the user postpones a conflict. */
  private async mergeWith(theirs: Values, mayAsk: boolean): Promise<Map<string, unknown> | null> {
    const { ask } = this.options;
    const { values, conflicts } = this.edits.merge(theirs);
    if (conflicts.length === 0) return new Map(values);
    const chosen = ask === null || !mayAsk ? null : await ask(conflicts);
    return chosen === null ? null : new Map([...values, ...chosen]);
  }

  /** Reports the save state when no change is pending. */
  private report(): void {
    this.setState(this.edits.isUnsaved() ? { kind: 'unsaved' } : { kind: 'saved', at: this.savedAt });
  }

  private setState(state: SaveState): void {
    this.state = state;
    this.options.onState(state);
  }

  /** Runs a step and reports its failure in the state. */
  private attempt<T>(step: () => Promise<T>): Promise<T | null> {
    return this.enqueue(async () => {
      try {
        return await step();
      } catch (error) {
        this.setState({ kind: 'failed', error });
        return null;
      }
    });
  }

  private enqueue<T>(step: () => Promise<T>): Promise<T> {
    const result = this.last.then(step);
    this.last = result.catch(() => undefined);
    return result;
  }
}
