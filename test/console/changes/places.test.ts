/** Which page of the console a request of the API belongs to. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeOfRequest } from '../../../packages/console/src/resources/places.ts';

test('a request belongs to the page of its record, or to that of its list', () => {
  const places = {
    '/v1/books': ['books', null, null],
    '/v1/books/book_1': ['books', null, 'book_1'],
    '/v1/sites/site_1/articles': ['articles', 'site_1', null],
    '/v1/sites/site_1/articles/art_1/versions/3/restore': ['articles', 'site_1', 'art_1'],
    '/v1/knowledge-files/kf_1/extract': ['knowledge-files', null, 'kf_1'],
    '/v1/organization': null,
  } as const;
  for (const [path, expected] of Object.entries(places)) {
    const place = placeOfRequest(path);
    const found = place && [place.resource.name, place.parentId, place.recordId];
    assert.deepEqual(found, expected, path);
  }
});
