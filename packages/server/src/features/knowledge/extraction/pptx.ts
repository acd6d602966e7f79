/** Extracts the text of presentations (ECMA-376), slide by slide, each with its notes, comments, charts and diagrams. */
import type { TextCollector } from './collector.ts';
import type { ExtractionLimits } from './limits.ts';
import { addDrawingText, findMainPart, listParts, openPackage, readRelationships } from './ooxml.ts';
import { readXml } from './xml.ts';
import type { ZipArchive } from './zip.ts';

/** Kinds of parts of a slide whose text is in drawings. */
const drawn = new Set(['notesSlide', 'chart', 'diagramData']);

/**
 * Reads a presentation; a slide is a page.
 * @returns the number of slides, null without any
 * @throws ExtractionError TOO_LARGE, TOO_DEEP, DAMAGED or ENCRYPTED
 */
export async function extractPptx(
  file: number,
  limits: ExtractionLimits,
  into: TextCollector,
): Promise<number | null> {
  const archive = await openPackage(file, limits);
  const main = await findMainPart(archive, /^ppt\/presentation\d*\.xml$/);
  const slides = await listParts(archive, main, 'sldId');
  for (const { target } of slides.slice(0, limits.pages)) {
    if (into.isFull) break;
    await addDrawingText(archive, target, into);
    for (const { kind, target: part } of await readRelationships(archive, target)) {
      if (drawn.has(kind)) await addDrawingText(archive, part, into);
      else if (kind === 'comments') await addComments(archive, part, into);
    }
    into.endPage();
  }
  if (slides.length > limits.pages) into.markTruncated();
  if (slides.length === 0) into.endPage();
  return slides.length === 0 ? null : slides.length;
}

/** Comments have their text in an element of their own, and since 2021 in a drawing's. */
async function addComments(archive: ZipArchive, part: string, into: TextCollector): Promise<void> {
  let depth = 0;
  await readXml(
    archive.read(part),
    {
      open({ local }) {
        if (local === 'text' || local === 't') depth += 1;
      },
      text(text) {
        if (depth > 0) into.add(text);
      },
      close({ local }) {
        if (local !== 'text' && local !== 't') return;
        depth -= 1;
        into.add('\n');
      },
    },
    () => into.isFull,
  );
}
