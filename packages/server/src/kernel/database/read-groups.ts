/**
 * Sends equal concurrent reads of a member as one message and one transaction, because a small read spends half of its processor time on
 * these. Equal means the same statement with any parameters, so no read waits for a different statement.
 */
import type { Step, StepResult } from './batch.ts';
import type { Scope } from './scope.ts';

/** Reads steps on behalf of a member as one transaction, in their order. */
type Send = (member: Scope, steps: readonly Step[]) => Promise<StepResult[]>;

interface Read {
  readonly step: Step;
  readonly resolve: (result: StepResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Maximum number of reads in a group. If there were more, the other processors would have nothing to do while one connection works,
 * and the first read would wait for the last one.
 */
export const mostTogether = 4;

/** Gathers reads until the event loop polls for input again. */
export class ReadGroups {
  private readonly send: Send;
  private readonly isOfOneRead: (error: unknown) => boolean;
  /** The groups that are not full, by member and statement. */
  private readonly gathering = new Map<string, Read[]>();

  /** @param isOfOneRead whether an error may be caused by a single read, so that the others may succeed alone */
  constructor(send: Send, isOfOneRead: (error: unknown) => boolean) {
    this.send = send;
    this.isOfOneRead = isOfOneRead;
  }

  /** Sends a read together with others that are asked for in this turn of the event loop. */
  join(member: Scope, step: Step): Promise<StepResult> {
    const { promise, resolve, reject } = Promise.withResolvers<StepResult>();
    const { organizationId, userId, readAfter } = member;
    const key = `${organizationId} ${userId} ${readAfter ?? ''} ${step.statement.name}`;
    const read = { step, resolve, reject };
    const reads = this.gathering.get(key);
    if (reads === undefined) {
      this.gather(member, key, [read]);
    } else {
      reads.push(read);
      if (reads.length >= mostTogether) this.gathering.delete(key);
    }
    return promise;
  }

  private gather(member: Scope, key: string, reads: Read[]): void {
    this.gathering.set(key, reads);
    // Requests that arrived together are handled before it is called.
    setImmediate(() => {
      if (this.gathering.get(key) === reads) this.gathering.delete(key);
      void this.sendGroup(member, reads);
    });
  }

  private async sendGroup(member: Scope, reads: readonly Read[]): Promise<void> {
    try {
      const results = await this.send(
        member,
        reads.map(({ step }) => step),
      );
      reads.forEach(({ resolve, reject }, index) => {
        const result = results[index];
        if (result === undefined) reject(new Error('a statement has no result'));
        else resolve(result);
      });
    } catch (error) {
      // Reads are repeatable, so each one is retried separately.
      if (reads.length > 1 && this.isOfOneRead(error))
        for (const read of reads) void this.sendGroup(member, [read]);
      else for (const { reject } of reads) reject(error);
    }
  }
}
