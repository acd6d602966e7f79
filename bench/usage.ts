/** Processor time and memory of a server process: on a shared machine they say more than elapsed time. */

/** Processor time since the start, in ms of user and system together, and resident memory. */
export interface Usage {
  readonly cpuMs: number;
  readonly rssMegabytes: number;
}

/** Sends the port to the parent, and the usage on request; ends with the parent. */
export function reportUsage(port: number): void {
  process.send?.({ port });
  process.on('message', (message) => {
    if (message !== 'usage') return;
    const { user, system } = process.cpuUsage();
    const usage: Usage = {
      cpuMs: (user + system) / 1_000,
      rssMegabytes: process.memoryUsage.rss() / 1_048_576,
    };
    process.send?.(usage);
  });
  process.on('disconnect', () => process.exit());
}
