/** A server whose webhooks are sent to receivers on this machine, for tests. */
import assert from 'node:assert/strict';
import { AddressGuard } from '@trellis/server/features/webhooks/address-guard.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type Json, startTestServer, type TestServer } from './server.ts';
import { sealer, startTestDelivery, startWebhookRelay } from './webhooks.ts';

/** Path of the collection of endpoints. */
export const endpointsPath = '/v1/webhook-endpoints';

/** A server with a relay and a delivery loop, and a receiver that accepts every call. */
export class WebhookServer {
  readonly server: TestServer;
  readonly receiver: Receiver;
  private readonly stopLoops: () => Promise<void>;

  private constructor(server: TestServer, receiver: Receiver, stopLoops: () => Promise<void>) {
    this.server = server;
    this.receiver = receiver;
    this.stopLoops = stopLoops;
  }

  /** @param names the addresses of host names; other names do not resolve */
  static async start(names: Readonly<Record<string, string[]>> = {}): Promise<WebhookServer> {
    const guard = new AddressGuard({
      allowPrivate: ['127.0.0.0/8'],
      lookup: async (name) => {
        const found = names[name];
        if (found === undefined) throw new Error('ENOTFOUND');
        return found;
      },
    });
    const server = await startTestServer({ webhooks: { guard, sealer } });
    const relay = startWebhookRelay(server.database);
    const delivery = startTestDelivery(server.database, { guard });
    return new WebhookServer(server, await startReceiver(), async () => {
      await delivery.stop();
      await relay.stop();
    });
  }

  async close(): Promise<void> {
    await this.stopLoops();
    await this.receiver.close();
    await this.server.close();
  }

  /** Creates an endpoint; by default for all events of sites, at the receiver. */
  async create(body: Readonly<Record<string, unknown>> = {}, token?: string): Promise<Json> {
    const response = await this.server.call('POST', endpointsPath, {
      body: { url: this.receiver.url, eventTypes: ['site.*'], ...body },
      ...(token === undefined ? {} : { token }),
    });
    assert.equal(response.status, 201, response.text);
    return response.json;
  }

  /** Creates a site, which causes an event. */
  async createSite(): Promise<Json> {
    const key = `site-${Math.random().toString(36).slice(2)}`;
    const response = await this.server.call('POST', '/v1/sites', { body: { name: key, key } });
    assert.equal(response.status, 201, response.text);
    return response.json;
  }

  /** The first page of the deliveries of an endpoint. */
  async deliveries(id: string, query = ''): Promise<Json[]> {
    const response = await this.server.call('GET', `${endpointsPath}/${id}/deliveries${query}`);
    assert.equal(response.status, 200, response.text);
    return response.json.items;
  }
}
