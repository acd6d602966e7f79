/**
 * The part `keys` of the benchmark: how long a key press takes in the editor of articles, until the frame that shows it, in a
 * body of the largest size, in single lines of half a megabyte, and beside them in a short body, in headless Chromium on the real server.
 */
import { startTestConsole } from '../test/support/console.ts';
import { create } from '../test/support/writes.ts';

const keysOfATurn = 100;
const turns = 3;
/** Most time of 95 % of the keys in a body of the largest size, and in a hostile one, in ms. */
const [aim, hostileAim] = [16, 50];
const largestBody = 512 * 1_024;

/** Times since the key went down, in ms. */
interface KeyTimes {
  readonly work: number;
  readonly shown: number;
}

const line = 'A line of **Markdown** with a [link](https://example.com) and `code`, as long as most.\r\n';
const part = `## Part\r\n\r\n${line.repeat(5)}\r\n- an entry\r\n- another one\r\n\r\n`;
const bodies = [
  { name: 'short', body: part },
  { name: 'largest', body: part.repeat(Math.floor((largestBody - 8_192) / part.length)) },
  { name: 'one line of words', body: 'word '.repeat(100_000) },
  { name: 'one line of emphasis', body: '*a_'.repeat(500_000 / 3) },
  { name: 'one line of quotations', body: '>'.repeat(500_000) },
];

const console = await startTestConsole();
try {
  const site = await create(console.server, '/v1/sites', { name: 'Blog', key: 'blog' });
  const pages: { name: string; size: number; press: () => Promise<KeyTimes[]>; times: KeyTimes[] }[] = [];
  for (const { name, body } of bodies) {
    const article = await create(console.server, `/v1/sites/${site.id}/articles`, {
      versionData: { title: name, body },
    });
    const { page, open } = await console.openAs(console.server.ownerId);
    await open(`/sites/${site.id}/articles/${article.id}`);
    await page.getByRole('textbox', { name: 'Body' }).click();
    // "Work" ends when the text and its layout are computed; "shown" after the frame, which comes 60 times a second.
    await page.evaluate(`(() => {
      globalThis.keys = [];
      const content = document.querySelector('.cm-content');
      let begun = 0;
      content.addEventListener('keydown', () => { begun = performance.now(); }, true);
      content.addEventListener('input', () => {
        const from = begun;
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          content.getBoundingClientRect();
          const work = performance.now() - from;
          requestAnimationFrame(() => setTimeout(() => {
            channel.port1.close();
            globalThis.keys.push({ work, shown: performance.now() - from });
            globalThis.wake();
          }));
        };
        channel.port2.postMessage(null);
      }, true);
    })()`);
    const press = async () => {
      await page.bringToFront();
      await page.evaluate('globalThis.keys = []');
      for (let index = 0; index < keysOfATurn; index += 1) {
        await page.evaluate(
          'globalThis.drawn = new Promise((resolve) => { globalThis.wake = resolve; }); undefined',
        );
        await page.keyboard.press(index % 7 === 6 ? 'Space' : 'a');
        await page.evaluate('globalThis.drawn');
      }
      return page.evaluate<KeyTimes[]>('globalThis.keys');
    };
    // Until the parser has read the text.
    await press();
    pages.push({ name, size: Buffer.byteLength(body), press, times: [] });
  }
  for (let turn = 0; turn < turns; turn += 1) {
    for (const { press, times } of pages) times.push(...(await press()));
  }
  process.stdout.write(
    `Work of a key, and until the frame that shows it; aim: p95 of ${aim} ms of work in the largest body, of ${hostileAim} ms in one line.\n\n`,
  );
  process.stdout.write(
    '| body | bytes | work p50, ms | p95 | shown p50, ms | p95 |\n| --- | --: | --: | --: | --: | --: |\n',
  );
  for (const { name, size, times } of pages) {
    const at = (of: keyof KeyTimes, share: number) => {
      const sorted = times.map((time) => time[of]).toSorted((one, other) => one - other);
      return (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1);
    };
    const cells = [at('work', 0.5), at('work', 0.95), at('shown', 0.5), at('shown', 0.95)];
    process.stdout.write(`| ${name} | ${size} | ${cells.join(' | ')} |\n`);
  }
} finally {
  await console.close();
}
