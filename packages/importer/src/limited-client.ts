/** A client that sends a limited number of requests at the same time, however many rows are imported. */

import type { ImportClient } from './api.ts';

/** @param most requests that are on their way at the same time */
export function limitRequests(client: ImportClient, most: number): ImportClient {
  const waiting: (() => void)[] = [];
  let running = 0;
  const send = async <T>(request: () => Promise<T>): Promise<T> => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await request();
    } finally {
      const next = waiting.shift();
      // The next one takes this place.
      if (next === undefined) running -= 1;
      else next();
    }
  };
  return {
    request: (request) => send(() => client.request(request)),
    async *itemsOf(request) {
      const items = client.itemsOf(request);
      try {
        for (;;) {
          // A place is taken for a page only: between pages, whoever reads the list may send other requests.
          const { value, done } = await send(() => items.next());
          if (done === true) return;
          yield value;
        }
      } finally {
        await items.return(undefined);
      }
    },
  };
}
