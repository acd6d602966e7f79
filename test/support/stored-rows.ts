/** What a page's browser stores for the console, as whoever has the browser can read it: sealed. */
import type { Page } from 'playwright-core';

/** A row: its place, and the first bytes of what is sealed, as text in Latin-1. */
export interface StoredRow {
  readonly key: readonly (string | number)[];
  readonly bytes: string;
}

/** All rows, of all owners. */
export function readStoredRows(page: Page): Promise<StoredRow[]> {
  return page.evaluate(`new Promise((resolve, reject) => {
    const opening = indexedDB.open('trellis-sealed');
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const reading = opening.result.transaction('rows').objectStore('rows').getAll();
      reading.onerror = () => reject(reading.error);
      reading.onsuccess = () => {
        opening.result.close();
        const textOf = (sealed) => String.fromCharCode(...sealed.subarray(0, 50_000));
        resolve(reading.result.map(({ key, sealed }) => ({ key, bytes: textOf(sealed) })));
      };
    };
  })`);
}

/** How many rows there are of a kind, such as `change`. */
export async function countStored(page: Page, kind: string): Promise<number> {
  return (await readStoredRows(page)).filter(({ key }) => key[1] === kind).length;
}
