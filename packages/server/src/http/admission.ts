/**
 * Admission of requests to the event loop, and whom their costs are charged to: the organization of the caller or, as long as the
 * caller is not known, all strangers together.
 */
import { type FairQueue, strangers } from '../lib/fair-queue.ts';
import type { OverloadGuard } from './overload.ts';

/** Admits requests of one server. */
export class Admission {
  private readonly turns: FairQueue;
  private readonly guard: OverloadGuard;

  constructor(turns: FairQueue, guard: OverloadGuard) {
    this.turns = turns;
    this.guard = guard;
  }

  /**
   * Admits a request to the checks before its body. It waits for its turn before the guard may refuse it: while it waits, its client
   * sends no other one on the connection, and refusals too are sent in the order of turns.
   * @param organizationId of the caller; null when it is not known
   * @throws Problem overloaded
   */
  async admit(organizationId: string | null): Promise<void> {
    const key = organizationId ?? strangers;
    const turn = this.turns.enter(key);
    if (turn !== undefined) await turn;
    this.guard.checkFor(key);
  }

  /** Lets an admitted request go on with work that blocks others. @returns a promise only when it has to wait for a turn */
  continue(organizationId: string): Promise<void> | undefined {
    return this.turns.enter(organizationId);
  }

  /**
   * Charges a refusal to the caller: otherwise those who only send what is refused would use the process
   * without using any of their share.
   * @param organizationId of the caller; null when it is not known
   */
  chargeRefusal(organizationId: string | null): void {
    this.turns.charge(organizationId ?? strangers);
  }
}
