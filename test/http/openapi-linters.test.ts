/** Tests of the OpenAPI document under Spectral, and of the linters themselves; `openapi.test.ts` has the rest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildOpenApi } from '@trellis/server/kernel/contract/openapi.ts';
import { apiWithoutServer } from '@trellis/server/node/api/operations-without-server.ts';
import { lintWithRedocly, lintWithSpectral } from '../support/linters.ts';
import type { Json } from '../support/server.ts';

const origin = 'http://localhost:3000';
const document: Json = JSON.parse(JSON.stringify(buildOpenApi(apiWithoutServer(origin), origin)));

test('the document is clean under spectral:oas', async () => {
  assert.deepEqual(await lintWithSpectral(document), []);
});

test('the linters find no fault in what another origin changes', async () => {
  const address = 'https://trellis.test';
  const { openapi, info, servers, tags }: Json = buildOpenApi(apiWithoutServer(address), address);
  // Paths have no origin but in examples, which are in the document above.
  const rest = { openapi, info, servers, tags, paths: {} };
  assert.deepEqual(await lintWithRedocly(rest), []);
  assert.deepEqual(await lintWithSpectral(rest), []);
});

test('the linters detect faults', async () => {
  // Two paths are enough, and a whole document takes them long.
  const paths = { '/v1/openapi': document.paths['/v1/openapi'], '/v1/sites': document.paths['/v1/sites'] };
  const broken = structuredClone({ ...document, paths });
  broken.paths['/v1/openapi'].get.operationId = 'listSites';
  delete broken.info.license;
  assert.match((await lintWithRedocly(broken)).join('\n'), /operation-operationId-unique/);
  assert.match((await lintWithSpectral(broken)).join('\n'), /operation-operationId-unique/);
});
