/** Tests of readers of public pictures who leave, or do not read. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { maximumPendingRequests } from '@trellis/server/kernel/http/pipelining.ts';
import sharp from 'sharp';
import { openRawConnection, requestHead } from '../support/connections.ts';
import { noteOpenedContents } from '../support/opened-contents.ts';
import { halves, startPictureServer } from '../support/pictures.ts';
import type { Json } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = await startPictureServer();
after(() => server.close());

async function addPublic(content: Buffer): Promise<Json> {
  const file = await server.add(content);
  const published = await server.call('POST', `/v1/knowledge-files/${file.id}/publish-picture`);
  assert.equal(published.status, 200, published.text);
  return published.json;
}

/** A picture that is sent as a stream, since it does not become small. */
const noise = () =>
  sharp(randomBytes(600 * 400 * 3), { raw: { width: 600, height: 400, channels: 3 } })
    .png()
    .toBuffer();

for (const [size, make] of [
  ['small', () => halves(640, 320)],
  ['large', noise],
] as const) {
  test(`a connection that ends with requests for a ${size} picture under way is no failure of the database or the server`, async () => {
    const { picturePath } = await addPublic(await make());
    const { contents, end } = noteOpenedContents(server);
    for (let turn = 0; turn < 20; turn += 1) {
      const { socket, closed } = await openRawConnection(server.url, { reads: false });
      // Every other one ends itself; the others are ended, for more requests than may wait.
      socket.write(requestHead('GET', picturePath).repeat(turn % 2 === 0 ? 2 : maximumPendingRequests + 2));
      await new Promise((resolve) => setTimeout(resolve, turn));
      socket.destroy();
      await closed;
    }
    await until('it is served', async () => (await server.load(picturePath)).status === 200);
    await until('all contents are closed', () => contents.every(({ destroyed }) => destroyed));
    end();
    const counted = [
      ...(await server.metrics.render()).matchAll(/^trellis_refusals_total\{code="(\w+)"\}/gm),
    ];
    const failures = counted
      .map(([, code]) => code)
      .filter((code) => code !== 'pipelining' && code !== 'overloaded');
    assert.deepEqual(failures, [], 'beside those refused on a busy machine');
  });
}
