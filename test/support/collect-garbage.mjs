/** Makes a process collect its garbage at a signal, so that a test measures what it holds. The process needs `--expose-gc`. */
process.on('SIGUSR2', () => globalThis.gc());
