/** What the memory of a Node.js process consists of, by its inspector, which a signal opens: nothing is measured while it is loaded. */
import { setTimeout } from 'node:timers/promises';
import { residentMegabytes } from './processor-time.ts';

/** In MB. */
export interface Memory {
  readonly resident: number;
  /** Objects of JavaScript, also those that nothing refers to any more. */
  readonly heap: number;
  /** What V8 holds for them. */
  readonly heapTotal: number;
  /** Buffers. */
  readonly external: number;
}

/**
 * Reads the memory of a process as it is, and once all garbage was collected.
 * @param pid of a process that was started with `--inspect-port` of the port
 */
export async function readMemory(pid: number, port: number): Promise<{ before: Memory; after: Memory }> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await findInspector(port));
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  try {
    const before = await read(socket, pid);
    await call(socket, 'HeapProfiler.collectGarbage');
    // The memory of collected pages is given back in the background.
    await setTimeout(1_000);
    return { before, after: await read(socket, pid) };
  } finally {
    socket.close();
  }
}

async function findInspector(port: number): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/json`);
      const [target] = (await response.json()) as { webSocketDebuggerUrl: string }[];
      if (target !== undefined) return target.webSocketDebuggerUrl;
    } catch (error) {
      if (attempt === 50) throw error;
    }
    await setTimeout(100);
  }
}

async function read(socket: WebSocket, pid: number): Promise<Memory> {
  const { result } = (await call(socket, 'Runtime.evaluate', {
    expression: 'JSON.stringify(process.memoryUsage())',
  })) as { result: { value: string } };
  const { heapUsed, heapTotal, external } = JSON.parse(result.value) as NodeJS.MemoryUsage;
  const [heap, total, buffers] = [heapUsed, heapTotal, external].map((bytes) => bytes / 1_048_576);
  return { resident: residentMegabytes(pid), heap: heap ?? 0, heapTotal: total ?? 0, external: buffers ?? 0 };
}

/** Calls a method of the protocol, one at a time. @throws Error as the process says it */
async function call(socket: WebSocket, method: string, params: object = {}): Promise<unknown> {
  const message = await new Promise<string>((resolve) => {
    socket.onmessage = ({ data }) => resolve(String(data));
    socket.send(JSON.stringify({ id: 1, method, params }));
  });
  const { result, error } = JSON.parse(message) as { result: unknown; error?: { message: string } };
  if (error !== undefined) throw new Error(`${method}: ${error.message}`);
  return result;
}
