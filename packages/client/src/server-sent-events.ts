/** Reads server-sent events (WHATWG HTML, section 9.2) from the body of a response. */

/** What a block of lines says. */
export interface ServerSentBlock {
  /** The last id that was sent so far; '' before the first one. */
  readonly id: string;
  /** The data of an event; null for a block that only moved the id on. */
  readonly data: string | null;
}

/** Far more than any event has: events name fields and contain no content. */
const longestBlock = 1_048_576;

/**
 * The blocks of a stream. An incomplete block at its end is dropped, as the standard says.
 * @param onBytes called whenever something was received, also for comments
 * @throws Error for a block that is longer than 1 MiB; what reading the stream throws
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerSentBlock> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffer = '';
  let id = '';
  let data: string[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      buffer += decoder.decode(value, { stream: true });
      const { lines, rest } = splitLines(buffer);
      buffer = rest;
      for (const line of lines) {
        size += line.length;
        if (line === '') {
          yield { id, data: data.length === 0 ? null : data.join('\n') };
          [data, size] = [[], 0];
        } else {
          const [name, text] = splitField(line);
          if (name === 'data') data.push(text);
          if (name === 'id' && !text.includes('\0')) id = text;
        }
      }
      if (size + buffer.length > longestBlock) throw new Error('an event is too long');
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Complete lines, which end in CR LF, LF or CR. A CR at the end may be the first half of CR LF, and is left. */
function splitLines(text: string): { lines: readonly string[]; rest: string } {
  const lines = text.split(/\r\n|\n|\r(?!$)/);
  return { rest: lines.pop() ?? '', lines };
}

/** The name and the value of a line; comments have the name ''. */
function splitField(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  if (colon === -1) return [line, ''];
  return [line.slice(0, colon), line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1))];
}
