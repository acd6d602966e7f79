/** Why: S3 answers in XML. Nothing of it is trusted further than its few known elements, and an error's text not at all. */
import { SaxesParser } from 'saxes';
import type { ListedObject } from './object-store.ts';

/** One page of ListObjectsV2. */
export interface ListPage {
  readonly objects: readonly { readonly key: string; readonly modifiedAt: ListedObject['modifiedAt'] }[];
  /** What the keys have in common up to the delimiter, where one was asked for. */
  readonly prefixes: readonly string[];
  /** Where the next page goes on; null on the last one. */
  readonly continuationToken: string | null;
}

/** Every element that holds text, by its path below the root, in document order. */
type Elements = readonly (readonly [path: string, text: string])[];

/**
 * Reads an answer of ListObjectsV2.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html
 * @throws Error when it is none
 */
export function parseListPage(xml: string): ListPage {
  const { root, elements } = parseXml(xml);
  if (root !== 'ListBucketResult') throw new Error(`The answer is a ${root}, not a list.`);
  const objects: { key: string; modifiedAt: Date }[] = [];
  const prefixes: string[] = [];
  let key: string | null = null;
  let isTruncated = false;
  let token: string | null = null;
  for (const [path, text] of elements) {
    if (path === 'Contents/Key') key = text;
    else if (path === 'Contents/LastModified' && key !== null) {
      objects.push({ key, modifiedAt: readInstant(text) });
      key = null;
    } else if (path === 'CommonPrefixes/Prefix') prefixes.push(text);
    else if (path === 'IsTruncated') isTruncated = text === 'true';
    else if (path === 'NextContinuationToken') token = text;
  }
  if (isTruncated && token === null) throw new Error('The list goes on, but does not say where.');
  return { objects, prefixes, continuationToken: isTruncated ? token : null };
}

/** The code of an error answer, such as NoSuchKey; empty when the body is no such answer. */
export function parseErrorCode(xml: string): string {
  try {
    const { root, elements } = parseXml(xml);
    const code = elements.find(([path]) => path === 'Code')?.[1] ?? '';
    return root === 'Error' && /^[A-Za-z0-9]{1,64}$/.test(code) ? code : '';
  } catch {
    return '';
  }
}

function parseXml(xml: string): { root: string; elements: Elements } {
  const parser = new SaxesParser();
  const open: { name: string; text: string }[] = [];
  const elements: (readonly [string, string])[] = [];
  let root = '';
  const append = (text: string) => {
    const current = open.at(-1);
    if (current !== undefined) current.text += text;
  };
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('The answer declares a document type.');
  });
  parser.on('opentag', ({ name }) => {
    if (open.length === 0) root = name;
    open.push({ name, text: '' });
  });
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('closetag', () => {
    const path = open.slice(1).map(({ name }) => name);
    const closed = open.pop();
    if (closed !== undefined) elements.push([path.join('/'), closed.text]);
  });
  parser.write(xml).close();
  return { root, elements };
}

function readInstant(text: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new Error('An object in the list has no valid date.');
  return date;
}
