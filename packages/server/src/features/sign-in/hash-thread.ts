/**
 * A low-priority thread for password hashes. A hash takes some fifty milliseconds of a processor, and attackers decide how many
 * there are: at normal priority they would take half of a small machine.
 */
import type { Argon2Parameters } from 'node:crypto';
import { Worker } from 'node:worker_threads';

export interface HashRequest {
  readonly id: number;
  readonly parameters: Argon2Parameters;
}

export interface HashResult {
  readonly id: number;
  /** Null: it could not be computed. */
  readonly hash: Uint8Array | null;
  readonly error: string | null;
}

/** Computes argon2id, one hash after the other. The thread starts with the first one, and does not keep the process alive. */
export class HashThread {
  private readonly program: URL;
  private worker: Worker | null = null;
  private last = 0;
  private readonly waiting = new Map<number, PromiseWithResolvers<Buffer>>();

  /** @param program what the thread runs */
  constructor(program = new URL('./hash-worker.ts', import.meta.url)) {
    this.program = program;
  }

  /** @throws Error when the parameters are not valid, or the thread has ended */
  compute(parameters: Argon2Parameters): Promise<Buffer> {
    this.worker ??= this.start();
    this.last += 1;
    const result = Promise.withResolvers<Buffer>();
    this.waiting.set(this.last, result);
    this.worker.ref();
    this.worker.postMessage({ id: this.last, parameters } satisfies HashRequest);
    return result.promise;
  }

  private start(): Worker {
    const worker = new Worker(this.program);
    worker.on('message', ({ id, hash, error }: HashResult) => {
      const result = this.waiting.get(id);
      if (hash === null) result?.reject(new Error(error ?? 'a password hash could not be computed'));
      else result?.resolve(Buffer.from(hash));
      this.waiting.delete(id);
      if (this.waiting.size === 0) worker.unref();
    });
    const end = (error: Error) => {
      if (this.worker !== worker) return;
      this.worker = null;
      for (const { reject } of this.waiting.values()) reject(error);
      this.waiting.clear();
    };
    worker.on('error', end);
    worker.on('exit', () => end(new Error('the thread of password hashes has ended')));
    return worker;
  }
}
