/**
 * Kills an importer when the server has received a request whose response the importer will never see. A proxy
 * between the two counts complete requests and kills at a given one.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { startProgram } from './program.ts';
import type { Json, TestServer } from './server.ts';

export interface ImportRunner {
  /** The number of forwarded requests other than GET. */
  writes(): number;
  /** Runs the import and kills it after the server has received a number of requests. Returns the signal that ended it. */
  killed(requests: number): Promise<NodeJS.Signals | null>;
  /** Runs the import to its end, which must be a success. Returns the report. */
  whole(): Promise<Json>;
  close(): void;
}

/**
 * Creates an import runner.
 * @param words the arguments of the command, from `import` on
 * @param folder data directory and working directory of the command
 */
export async function createImportRunner(
  server: TestServer,
  folder: string,
  words: readonly string[],
): Promise<ImportRunner> {
  /** Called for every request that the server has received and not yet responded to. */
  let onRequest: () => void = () => undefined;
  let writes = 0;
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers } = incoming;
    if (method !== 'GET') writes += 1;
    const forwarded = request(`${server.url}${incoming.url}`, { method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    // A killed importer closes its connection. A complete request is still made; an incomplete one is not forwarded.
    incoming.on('close', () => {
      if (!incoming.complete) forwarded.destroy();
    });
    outgoing.on('error', () => undefined);
    forwarded.on('error', () => outgoing.destroy());
    forwarded.on('finish', () => onRequest());
    incoming.pipe(forwarded);
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const address = proxy.address();
  assert.ok(address !== null && typeof address === 'object');
  const connection = ['--url', `http://127.0.0.1:${address.port}`, '--token', server.token];
  const start = () => {
    const child = startProgram(['--data-dir', folder, '--json', ...words, ...connection], {}, folder);
    child.stderr.pipe(process.stderr);
    return child;
  };
  return {
    writes: () => writes,
    async killed(requests) {
      const child = start();
      let seen = 0;
      onRequest = () => {
        seen += 1;
        if (seen === requests) child.kill('SIGKILL');
      };
      await once(child, 'exit');
      onRequest = () => undefined;
      return child.signalCode;
    },
    async whole() {
      const child = start();
      const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      assert.equal(child.exitCode, 0, output);
      return JSON.parse(output);
    },
    close() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
