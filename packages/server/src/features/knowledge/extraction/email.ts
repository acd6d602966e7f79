/** Extracts the text of e-mail messages (RFC 5322, MIME): subject, names and addresses, the text, and the names of attachments. */
import PostalMime, { type Address } from 'postal-mime';
import { TextCollector } from './collector.ts';
import { readWhole } from './file.ts';
import { addHtml } from './html.ts';
import type { ExtractionLimits } from './limits.ts';

/** Parts inside parts; forwarded messages have a few levels. */
const maximumNesting = 100;
const maximumHeaderBytes = 4 * 1024 * 1024;

/**
 * Reads a message.
 * @throws Error when it is damaged
 */
export async function extractEmail(
  file: number,
  limits: ExtractionLimits,
  into: TextCollector,
): Promise<null> {
  const message = await PostalMime.parse(readWhole(file), {
    maxNestingDepth: maximumNesting,
    maxHeadersSize: maximumHeaderBytes,
  });
  const people = [message.from, message.to, message.cc, message.replyTo].flatMap((each) => each ?? []);
  const shown = new TextCollector(limits.characters);
  if (message.html !== undefined) addHtml([message.html], shown);
  shown.endPage();
  const { pages, truncated } = shown.finish(null);
  const [html = ''] = pages;
  const text = message.text ?? '';
  // Both say the same, unless one only says that the other should be read.
  const body = html.length > text.length ? html : text;
  if (truncated) into.markTruncated();
  const names = message.attachments.flatMap(({ filename }) => filename ?? []);
  for (const line of [message.subject ?? '', ...people.map(writeAddress), body, ...names]) {
    if (line !== '') into.add(`${line}\n`);
  }
  into.endPage();
  return null;
}

function writeAddress({ name, address, group }: Address): string {
  const members = (group ?? []).map(writeAddress);
  return [name, address ?? '', ...members].filter((part) => part !== '').join(' ');
}
