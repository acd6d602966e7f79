/**
 * The limit on contents that are being sent to unauthenticated readers. Whoever reads slowly keeps a connection to the store of files
 * open, of which a process has few.
 */
import type { Readable } from 'node:stream';
import { Problem } from '@trellis/schema/problem.ts';

/** Fewer than the connections to a store of files, so that the others of the installation always get one. */
const most = { process: 40, network: 16 };

/** The contents that this process is sending. */
export class OpenBodies {
  private readonly counts = new Map<string, number>();
  private total = 0;

  /**
   * Opens a content, and counts it until it has been sent or given up.
   * @param network of the reader
   * @throws Problem overloaded, with Retry-After
   */
  async open(network: string, open: () => Promise<Readable>): Promise<Readable> {
    const own = this.counts.get(network) ?? 0;
    if (this.total >= most.process || own >= most.network)
      throw new Problem('overloaded', undefined, { headers: { 'retry-after': '1' } });
    this.total += 1;
    this.counts.set(network, own + 1);
    try {
      const body = await open();
      body.once('close', () => this.giveBack(network));
      return body;
    } catch (error) {
      this.giveBack(network);
      throw error;
    }
  }

  private giveBack(network: string): void {
    this.total -= 1;
    const left = (this.counts.get(network) ?? 0) - 1;
    if (left > 0) this.counts.set(network, left);
    else this.counts.delete(network);
  }
}
