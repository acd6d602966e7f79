/**
 * Keeps what a page shows of a record and what the server has of it together. What was typed goes into the queue of changes, on
 * condition of the version that it was typed over; the queue merges it with what others have done. What others have changed is then
 * merged into the page. Only what both sides have changed differently is asked about. It knows no page, so that it is tested
 * without one.
 */
import { etagOf } from '@trellis/client/answer.ts';
import type { ApiRecord } from '../../api/api.ts';
import { FieldComparison } from '../merge/field-comparison.ts';
import { amend, joinChain, planMerge, withPatch, withWaiting, withWaitingMoves } from '../merge/rebase.ts';
import type { Outcome, Submitted } from '../send/merging-queue.ts';
import {
  areConsecutiveFrom,
  type Change,
  type ChangeRequest,
  chainFrom,
  commonScopes,
  isMergeable,
  type Refusal,
  requestsAfter,
} from '../store/change.ts';
import { namesIn, patchOf, type Values } from '../store/fields.ts';
import { OwnChanges } from './own-changes.ts';
import { RequestRefused, type SaveState, type SyncOptions } from './save-state.ts';

export class RecordSync {
  private readonly options: SyncOptions;
  private readonly comparison: FieldComparison;
  /** As the server had it, without the changes of this page that wait. */
  private server: ApiRecord;
  /** `server` with the changes of `own`: what typed values are compared with. */
  private stored: Values;
  /** The changes that `stored` has. */
  private readonly own = new OwnChanges();
  /** Why requests of this page were given up, by the `sequence` of their changes. */
  private readonly blocked = new Map<number, Refusal>();
  /** Key of the change whose conflict the person decides later. */
  private postponed: string | null = null;
  /** Version of the record whose conflict with what is typed, and waits nowhere, the person decides later. */
  private postponedVersion: number | null = null;
  private state: SaveState = { kind: 'saved', at: null };
  private savedAt: number | null = null;
  /** Steps follow one another. */
  private last: Promise<unknown> = Promise.resolve();

  /** @param waiting the changes of the record that waited when it was read; the page shows them */
  constructor(options: SyncOptions, server: ApiRecord, waiting: readonly Change[]) {
    this.options = options;
    this.comparison = new FieldComparison(options.resource);
    this.server = server;
    this.stored = withWaiting(server, waiting, options.resource);
    const isLine = areConsecutiveFrom(server.version, waiting);
    for (const change of waiting) this.own.add(change, isLine);
    if (waiting.length > 0) this.state = { kind: 'saving' };
  }

  /** Those of the fields whose values on the page are not stored. */
  unstored(fields: readonly string[]): string[] {
    if (fields.length === 0) return [];
    return this.comparison.changedFields(this.options.collect(), this.stored, fields);
  }

  /**
   * Stores what was typed; resolves when it is safe in this browser, or when the state says why it is not.
   * @param asked fields that somebody wants to be saved although they are not saved by themselves
   */
  save(asked: readonly string[] = []): Promise<void> {
    return this.enqueue(async () => {
      try {
        await this.saveNow(asked);
      } catch (error) {
        this.setState({ kind: 'failed', error });
      }
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
      const ifMatch = etagOf(this.server.version);
      const record = this.server.id;
      const submitted = await queue.submit({
        record,
        request: { ...request, ifMatch },
        label,
        after: this.own.lastKey(),
      });
      this.own.add(submitted.change);
      this.setState({ kind: 'saving' });
      return submitted;
    });
    const result = await outcome;
    if (result.kind === 'done') {
      await this.handleOutcome(change, result);
      void this.saveHeld();
      return result.record ?? (await this.options.read());
    }
    this.own.delete([change]);
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

  /** Asks again about a conflict. @throws ProblemError when the record cannot be read */
  decide(): Promise<void> {
    return this.enqueue(() => this.checkNow(true));
  }

  /** Reads the record and merges what others have changed, unless changes wait: those meet it with a 412. @throws ProblemError */
  refresh(): Promise<void> {
    return this.enqueue(async () => {
      if ((await this.options.queue.list(this.server.id)).length > 0) return;
      const theirs = await this.options.read();
      if (theirs.version !== this.server.version) await this.rebase(theirs);
    });
  }

  /** Gives up a refused change and what follows it. The values stay on the page, unsaved. @throws ProblemError; nothing is given up */
  giveUp(): Promise<void> {
    return this.enqueue(async () => {
      const { queue, read } = this.options;
      const changes = await queue.list(this.server.id);
      const refused = this.own.findRefused(changes);
      if (refused === undefined) return;
      // First, so that nothing has happened when it fails.
      const record = await read();
      const chain = chainFrom(refused, changes);
      if (this.own.has(refused)) this.stored = this.storedWithout(chain);
      const given = [...chain, ...requestsAfter(chain, changes)];
      for (const change of given.toReversed()) {
        await queue.dismiss(change);
        this.own.delete([change]);
      }
      if (given.length === changes.length) await this.rebase(record);
      else this.report();
    });
  }

  /** Sends what was refused without the right to publish once more, with all rights of the session: somebody asks for it now. */
  insist(): Promise<void> {
    return this.enqueue(async () => {
      const { queue } = this.options;
      const changes = await queue.list(this.server.id);
      const refused = this.own.findRefused(changes);
      if (refused === undefined) return;
      const chain = chainFrom(refused, changes);
      const { base, mine } = joinChain(chain);
      const request = { ...refused.request, body: mine, sessionScopes: undefined };
      const merged = await queue.merge(chain, { request, base }, this.server);
      // Something was added to it, another tab has sent it, or it is a change of another tab.
      if (merged === false || merged === null || !this.own.has(refused)) return this.checkNow(false);
      const leaveStored = this.own.leaveStored(chain);
      this.own.delete(chain);
      this.setState({ kind: 'saving' });
      if (leaveStored) this.note(merged, this.stored);
      else this.noteUnseen(merged);
    });
  }

  /** Saves what was held back because of how the record was, or would have become, and no longer is. */
  private async saveHeld(): Promise<void> {
    if (this.state.kind === 'unsaved') await this.save();
  }

  private async saveNow(asked: readonly string[] = []): Promise<void> {
    const { queue, fields, mayAutosave, path } = this.options;
    const changes = await queue.list(this.server.id);
    const refused = changes.find((change) => change.refusal !== null && this.own.has(change));
    const isReplaced = refused && !isMergeable(refused) && (await this.replace(refused, changes));
    const met = withWaitingMoves(this.server, path, changes);
    const unasked = fields.filter((field) => mayAutosave(field, met));
    // Two requests, so that only what somebody has asked for is sent with all rights.
    const isAskedStored = await this.submit(asked, undefined);
    const isUnaskedStored = await this.submit(unasked, 'drafts');
    if (!isReplaced && !isAskedStored && !isUnaskedStored && changes.length === 0) this.report();
  }

  /** Stores those of the fields that were changed. @returns whether there are any */
  private async submit(
    fields: readonly string[],
    sessionScopes: ChangeRequest['sessionScopes'],
  ): Promise<boolean> {
    const { queue, collect, label, path } = this.options;
    const mine = collect();
    const changed = this.comparison.changedFields(mine, this.stored, fields);
    if (changed.length === 0) return false;
    const body = patchOf(mine, changed);
    this.setState({ kind: 'saving' });
    const submitted = await queue.submit({
      record: this.server.id,
      request: { method: 'PATCH', path, body, ifMatch: etagOf(this.server.version), sessionScopes },
      label,
      base: patchOf(this.stored, changed),
      after: this.own.lastKey(),
      joins: true,
    });
    this.note(submitted, withPatch(this.stored, body));
    return true;
  }

  /**
   * Puts what the page has now in the place of a change that was refused for another reason than its version: in the fields that it
   * had, with the rights that it had.
   * @returns whether that was done; otherwise what was typed is stored behind it
   */
  private async replace(refused: Change, changes: readonly Change[]): Promise<boolean> {
    const { queue, collect, fields, mayAutosave } = this.options;
    const chain = chainFrom(refused, changes);
    if (!this.own.areKnown(chain)) return false;
    const { base, mine: asked } = joinChain(chain);
    const sessionScopes = commonScopes(chain.map(({ request }) => request));
    const before = withPatch(this.stored, base);
    const replaced = fields.filter(
      (field) =>
        namesIn(asked).includes(field) || (sessionScopes === 'drafts' && mayAutosave(field, this.server)),
    );
    const mine = collect();
    const changed = this.comparison.changedFields(mine, before, replaced);
    const request = { ...refused.request, body: patchOf(mine, changed), sessionScopes };
    const amended = changed.length === 0 ? null : { request, base: patchOf(before, changed) };
    const merged = await queue.merge(chain, amended, this.server);
    if (merged === false) return false;
    this.own.delete(chain);
    if (merged === null) {
      this.stored = before;
      this.report();
    } else {
      this.setState({ kind: 'saving' });
      this.note(merged, withPatch(before, patchOf(mine, changed)));
    }
    return true;
  }

  /**
   * Notes that a change is stored, so that its outcome is handled.
   * @param stored what it leaves, with which the page compares from now on
   */
  private note(submitted: Submitted, stored: Values): void {
    this.stored = stored;
    this.own.add(submitted.change);
    this.follow(submitted);
  }

  /** Notes a change that leaves something else than `stored`: it was merged with what the page does not show yet. */
  private noteUnseen(submitted: Submitted): void {
    this.own.addUnseen(submitted.change);
    this.follow(submitted);
  }

  private follow({ change, outcome }: Submitted): void {
    void outcome.then((result) => this.handleOutcome(change, result)).catch(() => undefined);
  }

  /** Takes what became of a change of this page. */
  private handleOutcome(change: Change, result: Outcome): Promise<void> {
    return this.enqueue(async () => {
      if (result.kind !== 'done') return this.checkNow(false);
      this.own.delete([change]);
      this.savedAt = (this.options.now ?? Date.now)();
      // The page stays as it is while others wait, or completed after this one: `stored` has them, and this record has not.
      const changes = await this.options.queue.list(this.server.id);
      if (changes.length === 0 && this.own.isEmpty() && result.record !== null)
        await this.rebase(result.record);
    });
  }

  private async checkNow(mayAsk: boolean): Promise<void> {
    const changes = await this.options.queue.list(this.server.id);
    const refused = this.own.findRefused(changes);
    if (refused?.refusal) {
      const { refusal, label } = refused;
      await this.giveUpRequests(chainFrom(refused, changes), changes, refusal);
      if (!isMergeable(refused)) return this.setState({ kind: 'refused', refusal, label });
      const isAsked = mayAsk || (this.own.has(refused) && this.postponed !== refused.key);
      return isAsked ? this.resolve(refused.sequence) : this.setState({ kind: 'conflict' });
    }
    if (changes.length > 0) return this.setState({ kind: 'saving' });
    if (!this.own.isEmpty()) this.savedAt = (this.options.now ?? Date.now)();
    else if (['saved', 'unsaved', 'failed'].includes(this.state.kind)) return;
    if (mayAsk) this.postponedVersion = null;
    await this.rebase(await this.options.read());
  }

  /** What somebody has asked for after a change that was refused, such as to publish, is not done. */
  private async giveUpRequests(
    chain: readonly Change[],
    changes: readonly Change[],
    refusal: Refusal,
  ): Promise<void> {
    for (const request of requestsAfter(chain, changes).toReversed()) {
      if (!this.own.has(request)) continue;
      this.blocked.set(request.sequence, refusal);
      this.own.delete([request]);
      await this.options.queue.dismiss(request);
    }
  }

  /** Asks what is to stay where a change that waits and another one of somebody else touch, and sends the result. */
  private async resolve(sequence: number): Promise<void> {
    const { queue, read, resource, ask } = this.options;
    this.setState({ kind: 'conflict' });
    // What was typed since is a part of the question.
    await this.saveNow();
    const theirs = await read();
    const plan = planMerge(sequence, await queue.list(this.server.id), resource, theirs);
    if (plan === null) return this.checkNow(false);
    const { chain, values, conflicts } = plan;
    const chosen = conflicts.length === 0 ? new Map<string, unknown>() : await ask(conflicts);
    if (chosen === null) {
      this.postponed = chain[0]?.key ?? null;
      return this.setState({ kind: 'conflict' });
    }
    const amended = amend(chain, new Map([...values, ...chosen]), theirs);
    const merged = await queue.merge(chain, amended, theirs);
    // Something was added to it, or another tab has decided.
    if (merged === false) return this.checkNow(false);
    const isOwn = this.own.has({ sequence });
    this.own.delete(chain);
    if (merged === null || !isOwn) return this.checkNow(false);
    const next = withPatch(theirs, amended?.request.body);
    const shown = await this.mergeWith(this.stored, next);
    this.setState({ kind: 'saving' });
    if (shown === null) return this.noteUnseen(merged);
    this.server = theirs;
    this.note(merged, next);
    this.options.show(theirs, shown);
  }

  /** When nothing waits: shows what the server has, with what was typed since. */
  private async rebase(theirs: ApiRecord): Promise<void> {
    // An older response, when the record was read after it.
    if (theirs.version < this.server.version) return this.report();
    const isPostponed = theirs.version === this.postponedVersion;
    const values = isPostponed ? null : await this.mergeWith(this.stored, theirs);
    if (values === null) {
      this.postponedVersion = theirs.version;
      return this.setState({ kind: 'conflict' });
    }
    this.server = theirs;
    this.stored = theirs;
    this.own.clear();
    this.options.show(theirs, values);
    this.report();
  }

  /** The merged values of the page; asks about conflicts. Null: the person has not decided. */
  private async mergeWith(base: Values, theirs: Values): Promise<Map<string, unknown> | null> {
    const { collect, fields, ask } = this.options;
    const { values, conflicts } = this.comparison.merge(base, collect(), theirs, fields);
    if (conflicts.length === 0) return new Map(values);
    const chosen = await ask(conflicts);
    return chosen === null ? null : new Map([...values, ...chosen]);
  }

  /** Says how far the page is saved, when nothing waits. */
  private report(): void {
    const { collect, fields, mayAutosave } = this.options;
    const saved = fields.filter((field) => mayAutosave(field, this.server));
    const isDirty = this.comparison.changedFields(collect(), this.stored, saved).length > 0;
    this.setState(isDirty ? { kind: 'unsaved' } : { kind: 'saved', at: this.savedAt });
  }

  private setState(state: SaveState): void {
    this.state = state;
    this.options.onState(state);
  }

  /**
   * What the page was made from, without changes that are given up. If they were merged with what the page does not show, their base
   * has that as well, and the page was made from what the server had before.
   */
  private storedWithout(chain: readonly Change[]): Values {
    const { base, mine } = joinChain(chain);
    return withPatch(this.stored, this.own.leaveStored(chain) ? base : patchOf(this.server, namesIn(mine)));
  }

  private enqueue<T>(step: () => Promise<T>): Promise<T> {
    const result = this.last.then(step);
    this.last = result.catch(() => undefined);
    return result;
  }
}
