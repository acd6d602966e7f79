/** Texts of HTML in fields that have no markup, such as titles. */
import { Parser } from 'htmlparser2';

/** Stands between blocks; no text has it, as NUL is refused everywhere. */
const blockMark = '\0';

function isBlock(name: string): boolean {
  return /^(p|br|div|li|h\d|tr|td|blockquote|ul|ol)$/.test(name);
}

/** The text of HTML without its tags. @param betweenBlocks what separates paragraphs: a blank, or a line break */
export function htmlToText(html: string, betweenBlocks: ' ' | '\n' = ' '): string {
  const parts: string[] = [];
  let hidden = 0;
  const isHidden = (name: string) => name === 'script' || name === 'style';
  const parser = new Parser({
    onopentag: (name) => {
      if (isHidden(name)) hidden += 1;
      else if (isBlock(name)) parts.push(blockMark);
    },
    onclosetag: (name) => {
      if (isHidden(name)) hidden -= 1;
      else if (isBlock(name)) parts.push(blockMark);
    },
    ontext: (text) => {
      if (hidden === 0) parts.push(text);
    },
  });
  parser.end(html);
  const lines = parts.join('').split(blockMark);
  const texts = lines.map((line) => line.replaceAll(/\s+/g, ' ').trim());
  return texts.filter((line) => line !== '').join(betweenBlocks);
}
