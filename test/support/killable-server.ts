/** Starts, kills and restarts the server process of the fault tests on one port. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findFreePort } from './free-port.ts';

const script = fileURLToPath(new URL('./server-process.ts', import.meta.url));

export class KillableServer {
  readonly url: string;
  private readonly port: number;
  private readonly environment: Readonly<Record<string, string>>;
  private child: ChildProcess | undefined;

  private constructor(port: number, environment: Readonly<Record<string, string>>) {
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.environment = environment;
  }

  /**
   * Chooses a free port; starts no process.
   * @param more further variables of the environment, see `server-process.ts`
   */
  static async create(
    databaseUrl: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<KillableServer> {
    return new KillableServer(await findFreePort(), { TEST_DATABASE_URL: databaseUrl, ...more });
  }

  /** Starts the process and waits until it listens. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [script], {
      env: { ...process.env, ...this.environment, TEST_PORT: String(this.port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.child = child;
    const lines = createInterface({ input: child.stdout });
    await Promise.race([
      once(lines, 'line'),
      once(child, 'exit').then(() => {
        throw new Error('the server process ended before it was ready');
      }),
    ]);
  }

  /** Sends SIGKILL and waits for the end. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Sends SIGTERM, waits for the end, and returns the exit code. */
  async stop(): Promise<number | null> {
    return this.end('SIGTERM');
  }

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    return child.exitCode;
  }
}
