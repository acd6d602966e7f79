/**
 * Keeps what a page shows of a record and what the server has of it together. What was typed goes into the queue of changes, by itself
 * or when somebody asks for it, on condition of the version that it was typed over; the queue merges it with what others have done.
 * What others have changed is then merged into the page. Only what both sides have changed differently is asked about. A record that
 * does not exist yet has version 0, and is created by the first change. It knows no page, so that it is tested without one.
 */

import { etagOf } from '@trellis/client/response.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import type { ApiRecord } from '../../api/api.ts';
import { amend, joinChain, planMerge, withPatch, withWaiting, withWaitingMoves } from '../merge/rebase.ts';
import type { Outcome, Submitted } from '../send/merging-queue.ts';
import {
  type Change,
  type ChangeRequest,
  chainFrom,
  isMergeable,
  isUnrequested,
  type Refusal,
  requestsAfter,
} from '../store/change.ts';
import type { Values } from '../store/fields.ts';
import { RecordEdits } from './record-edits.ts';
import { RequestRefused, type SaveState, type SyncOptions } from './save-state.ts';

export class RecordSync {
  private readonly options: SyncOptions;
  private readonly edits: RecordEdits;
  /** Why requests of this page were given up, by the `sequence` of their changes. */
  private readonly blocked = new Map<number, Refusal>();
  private state: SaveState = { kind: 'saved', at: null };
  private savedAt: number | null = null;
  /** Steps follow one another. */
  private last: Promise<unknown> = Promise.resolve();

  /** @param waiting the changes of the record that waited when it was read; the page shows them */
  constructor(options: SyncOptions, server: ApiRecord, waiting: readonly Change[]) {
    this.options = options;
    this.edits = new RecordEdits(options, server, waiting);
    if (waiting.length > 0) this.state = { kind: 'saving' };
  }

  /** Those of the fields whose values on the page are not stored. */
  unstored(fields: readonly string[]): string[] {
    return this.edits.unstored(fields);
  }

  /** Those of the fields that were changed here and, in a version that was read elsewhere, by somebody else. */
  contested(theirs: ApiRecord): string[] {
    if (theirs.version <= this.edits.server.version) return [];
    return this.edits.merge(theirs).conflicts.map(({ field }) => field);
  }

  /**
   * Stores what was typed; resolves when it is safe in this browser, or when the state says why it is not. About a conflict somebody is
   * asked who has asked for something: whoever only types would type into the question.
   * @param requested fields that somebody wants to be saved although they are not saved by themselves
   * @returns the change that has what was asked for; null when nothing had to be stored
   */
  save(requested: readonly string[] = []): Promise<Submitted | null> {
    return this.attempt(async () => {
      const isConflict = this.state.kind === 'conflict';
      const submitted = await this.saveNow(requested);
      if (isConflict && requested.length > 0) await this.checkNow(true);
      return submitted;
    });
  }

  /**
   * Sends another request about the record, after what was typed, and on condition that nobody else has changed it.
   * @throws RequestRefused, or what kept it from being stored
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
        after: this.edits.own.lastKey(),
      });
      this.edits.own.add(submitted.change);
      this.setState({ kind: 'saving' });
      return submitted;
    });
    const result = await outcome;
    if (result.kind === 'done') {
      await this.handleOutcome(change, result);
      void this.saveHeld();
      return result.record ?? (await this.options.read());
    }
    this.edits.own.delete([change]);
    const refusal = result.kind === 'refused' ? result.refusal : (this.blocked.get(change.sequence) ?? null);
    // Whoever asked for it is told; nothing of it is kept.
    if (result.kind === 'refused') await this.options.queue.dismiss(result.change);
    void this.check()
      .then(() => this.saveHeld())
      .catch(() => undefined);
    throw new RequestRefused(refusal);
  }

  /**
   * Checks what has become of the changes: another tab may have sent them, or the server may have refused one.
   * @throws ProblemError when the record cannot be read
   */
  check(): Promise<void> {
    return this.enqueue(() => this.checkNow(false));
  }

  /** Asks about a conflict. @throws ProblemError when the record cannot be read */
  decide(): Promise<void> {
    return this.enqueue(() => this.checkNow(true));
  }

  /** Reads the record and merges what others have changed, unless changes wait: those meet it with a 412. @throws ProblemError */
  refresh(): Promise<void> {
    return this.enqueue(async () => {
      if ((await this.options.queue.list(this.edits.server.id)).length > 0) return;
      const theirs = await this.options.read();
      if (theirs.version !== this.edits.server.version) await this.rebase(theirs);
    });
  }

  /** Gives up a refused change and what follows it. The values stay on the page, unsaved. @throws ProblemError; nothing is given up */
  giveUp(): Promise<void> {
    return this.enqueue(async () => {
      const { queue, read } = this.options;
      const changes = await queue.list(this.edits.server.id);
      const refused = this.edits.own.findRefused(changes);
      if (refused === undefined) return;
      // First, so that nothing has happened when it fails.
      const record = await read();
      const chain = chainFrom(refused, changes);
      if (this.edits.own.has(refused)) this.edits.forget(chain);
      const given = [...chain, ...requestsAfter(chain, changes)];
      for (const change of given.toReversed()) {
        await queue.dismiss(change);
        this.edits.own.delete([change]);
      }
      if (given.length === changes.length) await this.rebase(record);
      else this.report();
    });
  }

  /** Gives up what was typed, with the refused change and what was saved after it: the page shows what is left. */
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

  /** Sends what was refused without the right to publish once more, with all rights of the session: somebody asks for it now. */
  insist(): Promise<void> {
    return this.enqueue(async () => {
      const { queue } = this.options;
      const changes = await queue.list(this.edits.server.id);
      const refused = this.edits.own.findRefused(changes);
      if (refused === undefined) return;
      const chain = chainFrom(refused, changes);
      const { base, mine } = joinChain(chain);
      const request = { ...refused.request, body: mine, sessionScopes: undefined };
      const merged = await queue.merge(chain, { request, base }, this.edits.server);
      // Something was added to it, another tab has sent it, or it is a change of another tab.
      if (merged === false || merged === null || !this.edits.own.has(refused)) return this.checkNow(false);
      const leaveStored = this.edits.own.leaveStored(chain);
      this.edits.own.delete(chain);
      this.setState({ kind: 'saving' });
      if (leaveStored) this.note(merged, this.edits.stored);
      else this.noteUnseen(merged);
    });
  }

  /** Saves what was held back because of how the record was, or would have become, and no longer is. */
  private async saveHeld(): Promise<void> {
    if (this.state.kind === 'unsaved') await this.save();
  }

  private async saveNow(requested: readonly string[] = []): Promise<Submitted | null> {
    const { queue, fields, mayAutosave, path } = this.options;
    const changes = await queue.list(this.edits.server.id);
    const refused = changes.find((change) => change.refusal !== null && this.edits.own.has(change));
    // What somebody has asked for is sent again, with what was typed since, when somebody asks again: it may be half typed.
    const isReplaceable =
      refused !== undefined &&
      this.edits.isEdit(refused) &&
      !isMergeable(refused) &&
      (isUnrequested(refused) || requested.length > 0);
    const replaced = isReplaceable ? await this.replace(refused, changes, requested) : false;
    // It is created once.
    if (this.edits.isNew && changes.length > 0) return replaced || null;
    const met = withWaitingMoves(this.edits.server, path, changes);
    const drafts = fields.filter((field) => mayAutosave(field, met));
    // Two requests, so that only what somebody has asked for is sent with all rights.
    const requestedStored = await this.submit(requested, undefined);
    const draftStored = await this.submit(drafts, 'drafts');
    if (replaced === false && !requestedStored && !draftStored && changes.length === 0) this.report();
    return replaced || requestedStored;
  }

  /** Stores those of the fields that were changed. @returns null when there are none */
  private async submit(
    fields: readonly string[],
    sessionScopes: ChangeRequest['sessionScopes'],
  ): Promise<Submitted | null> {
    const planned = this.edits.plan(fields, sessionScopes);
    if (planned === null) return null;
    this.setState({ kind: 'saving' });
    const submitted = await this.options.queue.submit(planned.added);
    this.note(submitted, planned.leaves);
    return submitted;
  }

  /** @returns the change that is left, or null; `false` when nothing was done, and what was typed is stored behind it */
  private async replace(
    refused: Change,
    changes: readonly Change[],
    requested: readonly string[],
  ): Promise<Submitted | null | false> {
    const planned = this.edits.planReplacement(refused, changes, requested);
    if (planned === null) return false;
    const { chain, amended, isRequested, leaves } = planned;
    const merged = await this.options.queue.merge(chain, amended, this.edits.server, isRequested);
    if (merged === false) return false;
    this.edits.own.delete(chain);
    if (merged === null) {
      this.edits.stored = leaves;
      this.report();
    } else {
      this.setState({ kind: 'saving' });
      this.note(merged, leaves);
    }
    return merged;
  }

  /**
   * Notes that a change is stored, so that its outcome is handled.
   * @param stored what it leaves, with which the page compares from now on
   */
  private note(submitted: Submitted, stored: Values): void {
    this.edits.stored = stored;
    this.edits.own.add(submitted.change);
    this.awaitOutcome(submitted);
  }

  /** Notes a change that leaves something else than `stored`: it was merged with what the page does not show yet. */
  private noteUnseen(submitted: Submitted): void {
    this.edits.own.addUnseen(submitted.change);
    this.awaitOutcome(submitted);
  }

  private awaitOutcome({ change, outcome }: Submitted): void {
    void outcome.then((result) => this.handleOutcome(change, result)).catch(() => undefined);
  }

  /** Takes what became of a change of this page. */
  private handleOutcome(change: Change, result: Outcome): Promise<void> {
    return this.enqueue(async () => {
      if (result.kind !== 'done') return this.checkNow(!isUnrequested(change));
      this.edits.own.delete([change]);
      this.savedAt = (this.options.now ?? Date.now)();
      // The page stays as it is while others wait, or completed after this one: `stored` has them, and this record has not.
      const changes = await this.options.queue.list(this.edits.server.id);
      if (changes.length === 0 && this.edits.own.isEmpty() && result.record !== null)
        await this.rebase(result.record);
    });
  }

  private async checkNow(mayAsk: boolean): Promise<void> {
    if (this.options.ask === null) await this.follow();
    const changes = await this.options.queue.list(this.edits.server.id);
    const refused = this.edits.own.findRefused(changes);
    if (refused?.refusal) {
      const { refusal, label } = refused;
      await this.giveUpRequests(chainFrom(refused, changes), changes, refusal);
      if (!isMergeable(refused))
        return this.setState({ kind: 'refused', refusal, label, isRequested: !isUnrequested(refused) });
      return mayAsk ? this.resolve(refused.sequence) : this.setState({ kind: 'conflict' });
    }
    if (changes.length > 0) return this.setState({ kind: 'saving' });
    if (!this.edits.own.isEmpty()) this.savedAt = (this.options.now ?? Date.now)();
    else if (['saved', 'unsaved', 'failed'].includes(this.state.kind) || this.options.ask === null) return;
    await this.rebase(await this.options.read(), [], mayAsk);
  }

  /** What somebody has asked for after a change that was refused, such as to publish, is not done. */
  private async giveUpRequests(
    chain: readonly Change[],
    changes: readonly Change[],
    refusal: Refusal,
  ): Promise<void> {
    for (const request of requestsAfter(chain, changes).toReversed()) {
      if (!this.edits.own.has(request)) continue;
      this.blocked.set(request.sequence, refusal);
      this.edits.own.delete([request]);
      await this.options.queue.dismiss(request);
    }
  }

  /** Asks what is to stay where a change that waits and another one of somebody else touch, and sends the result. */
  private async resolve(sequence: number): Promise<void> {
    const { queue, read, resource, ask } = this.options;
    this.setState({ kind: 'conflict' });
    if (ask === null) return;
    // What was typed since is a part of the question.
    await this.saveNow();
    const theirs = await read();
    const plan = planMerge(sequence, await queue.list(this.edits.server.id), resource, theirs);
    if (plan === null) return this.checkNow(false);
    const { chain, values, conflicts } = plan;
    const chosen = conflicts.length === 0 ? new Map<string, unknown>() : await ask(conflicts);
    if (chosen === null) return;
    const amended = amend(chain, new Map([...values, ...chosen]), theirs);
    const merged = await queue.merge(chain, amended, theirs);
    // Something was added to it, or another tab has decided.
    if (merged === false) return this.checkNow(true);
    const isOwn = this.edits.own.has({ sequence });
    this.edits.own.delete(chain);
    if (merged === null || !isOwn) return this.checkNow(false);
    const next = withPatch(theirs, amended?.request.body);
    const shown = await this.mergeWith(next, true);
    this.setState({ kind: 'saving' });
    if (shown === null) return this.noteUnseen(merged);
    this.edits.server = theirs;
    this.note(merged, next);
    this.options.show(theirs, shown);
  }

  /** Shows what the server has, with the changes that wait and what was typed since. */
  private async rebase(theirs: ApiRecord, waiting: readonly Change[] = [], mayAsk = false): Promise<void> {
    // An older response, when the record was read after it.
    if (theirs.version < this.edits.server.version) return this.report();
    const values = await this.mergeWith(withWaiting(theirs, waiting, this.options.resource), mayAsk);
    if (values === null) return this.setState({ kind: 'conflict' });
    this.edits.take(theirs, waiting);
    this.options.show(theirs, values);
    this.report();
  }

  /** Shows what is known of the record by now, with the changes of all tabs. */
  private async follow(): Promise<void> {
    const { server, own } = this.edits;
    const edits = await this.listEdits();
    // Afterwards: what has left the queue is in what is known.
    const known = await this.options.read();
    if (known.version > server.version || !own.are(edits)) {
      await this.rebase(known.version < server.version ? server : known, edits);
    }
  }

  /** The changes of the record that wait or were refused, without its deletion and others that change more than its fields. */
  private async listEdits(): Promise<readonly Change[]> {
    return (await this.options.queue.list(this.edits.server.id)).filter((change) =>
      this.edits.isEdit(change),
    );
  }

  /** The merged values of the page. Null: the person has not decided about conflicts. */
  private async mergeWith(theirs: Values, mayAsk: boolean): Promise<Map<string, unknown> | null> {
    const { ask } = this.options;
    const { values, conflicts } = this.edits.merge(theirs);
    if (conflicts.length === 0) return new Map(values);
    const chosen = ask === null || !mayAsk ? null : await ask(conflicts);
    return chosen === null ? null : new Map([...values, ...chosen]);
  }

  /** Says how far the page is saved, when nothing waits. */
  private report(): void {
    this.setState(this.edits.isUnsaved() ? { kind: 'unsaved' } : { kind: 'saved', at: this.savedAt });
  }

  private setState(state: SaveState): void {
    this.state = state;
    this.options.onState(state);
  }

  /** Takes a step; the state says when it fails. */
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
