/**
 * Limits on what the parser works for a connection: on bodies in tiny chunks, and on pipelined requests, those that a client sends before it has received earlier responses (RFC 9112, 9.3.2). Of each
 * connection one request at a time is handled, a few wait behind it, and a further one ends the connection: no client needs
 * more, and a waiting request occupies memory without any output that would make `node:http` stop reading.
 *
 * `node:http` parses all requests of a packet before anything else happens, more than two thousand of 64 KiB. So the parser
 * is made to stop at the first one too many, in the way in which it stops at a request that changes the protocol.
 */
import { IncomingMessage, type ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of pending requests of a connection. */
export const maximumPendingRequests = 8;
/**
 * Chunks of a body (RFC 9112, 7.1) after which they must have so many bytes on average. The parser works as long for a chunk of one byte as for
 * one of a thousand, so a few megabytes of them would take seconds; programs that write lines are far from it.
 */
const freeChunks = 1_024;
const leastBytesPerChunk = 16;

/** Why a connection was ended. */
export type ConnectionAbuse = 'pipelining' | 'small_chunks';

/** The responses of a connection that were not sent yet, in order. */
const pendingResponses = new WeakMap<Socket, CountedResponse[]>();

/** A request. To the parser, one too many asks for another protocol. */
class LimitedRequest extends IncomingMessage {
  private stopsParser = false;
  private chunks = 0;
  private bytes = 0;
  private readonly onAbuse: (abuse: ConnectionAbuse) => void;

  constructor(socket: Socket, onAbuse: (abuse: ConnectionAbuse) => void) {
    super(socket);
    this.onAbuse = onAbuse;
  }

  get upgrade(): boolean {
    return this.stopsParser;
  }

  /** Set when the head was parsed. */
  set upgrade(asks: boolean | null) {
    this.stopsParser = asks === true || isOneTooMany(this);
  }

  /** Takes a piece of the body, which is a chunk or what a packet has of it. */
  override push(piece: Buffer | null): boolean {
    if (piece === null) return super.push(null);
    // The parser goes on to the end of the packet.
    if (this.socket.destroyed) return false;
    this.chunks += 1;
    this.bytes += piece.length;
    if (this.chunks <= freeChunks || this.bytes >= this.chunks * leastBytesPerChunk) return super.push(piece);
    this.onAbuse('small_chunks');
    this.socket.destroy();
    return false;
  }
}

/** A response. It is counted until it was sent. */
class CountedResponse<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
  private readonly connectionOf: Socket;
  private begin: (() => void) | null = null;

  constructor(...parameters: ConstructorParameters<typeof ServerResponse<Request>>) {
    super(...parameters);
    this.connectionOf = parameters[0].socket;
    const before = pendingResponses.get(this.connectionOf);
    if (before === undefined) pendingResponses.set(this.connectionOf, [this]);
    else before.push(this);
    this.once('close', this.leave);
  }

  /** Waits until the earlier responses of the connection were sent. */
  awaitTurn(): Promise<void> | undefined {
    if (pendingResponses.get(this.connectionOf)?.[0] === this) return undefined;
    return new Promise((resolve) => {
      this.begin = resolve;
    });
  }

  private leave(): void {
    const responses = pendingResponses.get(this.connectionOf);
    if (responses?.[0] !== this) return;
    responses.shift();
    responses[0]?.begin?.();
  }
}

/**
 * Options of an HTTP server that has these limits. It destroys the connection, because it has no listener for upgrades.
 * @param onAbuse called for each connection that is ended
 */
export function limitConnections(onAbuse: (abuse: ConnectionAbuse) => void): ServerOptions {
  return {
    IncomingMessage: class extends LimitedRequest {
      constructor(socket: Socket) {
        super(socket, onAbuse);
      }
    },
    ServerResponse: CountedResponse,
    shouldUpgradeCallback: (request) => {
      const endsConnection = isOneTooMany(request);
      if (endsConnection) onAbuse('pipelining');
      return endsConnection;
    },
  };
}

/** Waits until the earlier responses of the connection were sent; a promise only if there are any. */
export function awaitTurn(response: ServerResponse): Promise<void> | undefined {
  return response instanceof CountedResponse ? response.awaitTurn() : undefined;
}

function isOneTooMany({ socket }: IncomingMessage): boolean {
  return (pendingResponses.get(socket)?.length ?? 0) >= maximumPendingRequests;
}
