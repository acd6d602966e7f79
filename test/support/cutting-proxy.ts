/** A proxy between a client and a server that cuts connections: before a request is passed on, instead of a response, or now. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Whether to cut the connection instead of passing on what has just arrived. */
export type Cut = () => boolean;

const never: Cut = () => false;

export class CuttingProxy {
  readonly url: string;
  /** Asked for each chunk of a request. */
  beforeRequest: Cut = never;
  /** Asked for each chunk of a response: the server has done its work, and the client does not learn of it. */
  insteadOfResponse: Cut = never;
  private readonly server: Server;
  private readonly sockets: Set<Socket>;

  /** @param target origin of the server */
  static async start(target: string): Promise<CuttingProxy> {
    const sockets = new Set<Socket>();
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const proxy = new CuttingProxy(`http://127.0.0.1:${port}`, server, sockets);
    server.on('connection', (client) => proxy.join(client, Number(new URL(target).port)));
    return proxy;
  }

  private constructor(url: string, server: Server, sockets: Set<Socket>) {
    this.url = url;
    this.server = server;
    this.sockets = sockets;
  }

  /** Cuts all open connections. */
  cutAll(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cutAll();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket, port: number): void {
    const upstream = connect(port, '127.0.0.1');
    const cut = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) {
      this.sockets.add(socket);
      socket.on('error', cut);
      socket.on('close', () => {
        this.sockets.delete(socket);
        cut();
      });
    }
    client.on('data', (chunk) => {
      if (this.beforeRequest()) cut();
      else upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (this.insteadOfResponse()) cut();
      else client.write(chunk);
    });
  }
}
