/** Excerpts of long texts in conflicts: the part around the first difference from the other side. */

/** Characters that are shown of one side, and those of them before the difference. */
const [mostShown, before] = [2_000, 200];

/** The text; if it is too long, an excerpt from shortly before the first difference, with "…" for omissions. */
export function excerptOf(text: string, other: string): string {
  if (text.length <= mostShown) return text;
  let difference = 0;
  while (difference < text.length && text[difference] === other[difference]) difference += 1;
  const start = Math.max(0, Math.min(difference - before, text.length - mostShown));
  const end = start + mostShown;
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
