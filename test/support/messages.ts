/** Records the messages that are sent to a database (PostgreSQL's protocol, "Message Formats"), one list for each round trip. */
import { Batch } from '@trellis/server/kernel/database/batch.ts';
import type { Connection } from 'pg';

/** A message of a client. */
export interface SentMessage {
  /** `P` Parse, `B` Bind, `E` Execute, `C` Close, `H` Flush, `S` Sync. */
  readonly type: string;
  /** Name of the prepared statement that is parsed, bound or executed; empty for other messages. */
  readonly statement: string;
}

/** Records the messages of all batches of this process until `stop` is called. Clear the list to start again. */
export function recordMessages(): { readonly roundTrips: SentMessage[][]; stop(): void } {
  const roundTrips: SentMessage[][] = [];
  const { submit } = Batch.prototype;
  Batch.prototype.submit = function (this: Batch, connection: Connection) {
    const write = connection.stream.write.bind(connection.stream);
    connection.stream.write = (bytes: Uint8Array | string) => {
      roundTrips.push(readMessages(Buffer.from(bytes)));
      return write(bytes);
    };
    submit.call(this, connection);
    connection.stream.write = write;
  };
  return {
    roundTrips,
    stop: () => {
      Batch.prototype.submit = submit;
    },
  };
}

function readMessages(bytes: Buffer): SentMessage[] {
  const messages: SentMessage[] = [];
  let bound = '';
  for (let place = 0; place < bytes.length; place += 1 + bytes.readInt32BE(place + 1)) {
    const type = String.fromCharCode(bytes[place] ?? 0);
    const body = bytes.subarray(place + 5, place + 1 + bytes.readInt32BE(place + 1));
    // A Bind has the portal before the statement; an Execute belongs to the Bind before it.
    const texts = body.toString('latin1').split('\0', 2);
    if (type === 'B') bound = texts[1] ?? '';
    messages.push({ type, statement: type === 'P' ? (texts[0] ?? '') : 'BE'.includes(type) ? bound : '' });
  }
  return messages;
}
