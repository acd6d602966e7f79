/** Why: seeding is a handful of calls, each under a key derived from what it makes, so that it can be run again. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const mostAttempts = 20;

/** The sandbox's error for an id that is taken. */
const duplicatePlant = 1004;

/** A client of one interface of this server. */
export class DemoApi {
  private readonly baseUrl: string;
  private readonly token: string;

  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl;
    this.token = token;
  }

  /** Creates a record; returns its id. */
  async create(path: string, body: object): Promise<string> {
    const { id } = (await this.send('POST', path, body)) as { id: string };
    return id;
  }

  async patch(path: string, body: object): Promise<void> {
    await this.send('PATCH', path, body);
  }

  /** Creates a plant; one that is there already is left as it is. */
  async createPlant(plant: object): Promise<void> {
    await this.send('POST', '/plants', plant, duplicatePlant);
  }

  private async send(method: string, path: string, body: object, acceptedError?: number): Promise<unknown> {
    const text = JSON.stringify(body);
    const key = createHash('sha256').update(`demo ${method} ${path} ${text}`).digest('hex');
    const headers = {
      authorization: `Bearer ${this.token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    };
    let response = await fetch(`${this.baseUrl}${path}`, { method, headers, body: text });
    // On a busy machine a server that has just started turns calls away, and says when to come again.
    for (let attempt = 1; response.status === 503 && attempt < mostAttempts; attempt += 1) {
      await response.arrayBuffer();
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000);
      response = await fetch(`${this.baseUrl}${path}`, { method, headers, body: text });
    }
    const answer = await response.text();
    if (!response.ok && (acceptedError === undefined || JSON.parse(answer).error !== acceptedError)) {
      throw new Error(`The demo content could not be created: ${method} ${path} answered ${answer}`);
    }
    return JSON.parse(answer);
  }
}
