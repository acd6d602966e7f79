/**
 * Chooses the port of the embedded server. It keeps this port, so the port must be below the range of outgoing connections
 * (32768 and up on Linux): a client that retries while the server is down could otherwise be assigned the server's port,
 * connect to itself, and prevent the server from starting.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

const FIRST_PORT = 15_000;
const LAST_PORT = 31_999;

/** A port on 127.0.0.1 on which nothing listens at the moment. */
export async function chooseFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port found on 127.0.0.1 between ${FIRST_PORT} and ${LAST_PORT}.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ host: '127.0.0.1', port }, () => server.close(() => resolve(true)));
  });
}
