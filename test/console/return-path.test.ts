/** The page that a sign-in leads back to, whatever the address of the sign-in says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { returnPath } from '../../packages/console/src/features/sign-in/return-path.ts';

test('pages of the console are returned to, with their parameters', () => {
  for (const path of [
    '/',
    '/account',
    '/books?search=a%2F%2Fb%0Ac&sort=-title',
    '/books?search=https://example.com//x',
    '/sites/site_01/articles/art_02?edit=yes#title',
    '/invitation',
    '/knowledge-files/Stra%C3%9Fe',
    '/a.b/..c',
  ]) {
    assert.equal(returnPath(path), path);
  }
});

test('everything else leads to the first page', () => {
  for (const address of [
    undefined,
    null,
    42,
    ['/account'],
    '',
    'account',
    'http://evil.example/',
    'https:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    ' /account',
    '//evil.example/',
    '///evil.example/',
    '/\\evil.example/',
    '\\\\evil.example/',
    '/\t/evil.example/',
    '\t//evil.example/',
    '/\n/evil.example/',
    '/\u0000/evil.example/',
    '/\u0085/evil.example/',
    '/%2F/evil.example/',
    '/%2fevil.example/',
    '/%5Cevil.example/',
    '/%09/evil.example/',
    '/%0a/evil.example',
    '/.//evil.example/',
    '/..//evil.example/',
    '/%2e%2e//evil.example/',
    '/books/../../sign-out',
    '/books/%2e%2E/x',
    '/%E0%A4%A',
    '/account//evil.example',
  ]) {
    assert.equal(returnPath(address), '/', JSON.stringify(address));
  }
});
