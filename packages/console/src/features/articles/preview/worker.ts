/** Reads texts for the preview beside the page, which ends it when it takes too long. It responds with what has changed since the last text. */
import type { PreviewNode } from './nodes.ts';
import { type Extent, parseText } from './parse.ts';

export interface PreviewRequest {
  readonly text: string;
  readonly format: string;
}

/** Blocks that take the place of those between the equal ones at the beginning and at the end. */
export interface PreviewChange {
  readonly head: number;
  readonly tail: number;
  readonly blocks: readonly PreviewNode[];
  readonly extent: Extent;
}

let shown: readonly string[] = [];

addEventListener('message', ({ data }: MessageEvent<PreviewRequest>) => {
  const { blocks, extent } = parseText(data.text, data.format);
  const next = blocks.map((block) => JSON.stringify(block));
  let head = 0;
  while (head < shown.length && head < next.length && shown[head] === next[head]) head += 1;
  let tail = 0;
  const most = Math.min(shown.length, next.length) - head;
  while (tail < most && shown[shown.length - 1 - tail] === next[next.length - 1 - tail]) tail += 1;
  shown = next;
  const change: PreviewChange = { head, tail, blocks: blocks.slice(head, blocks.length - tail), extent };
  postMessage(change);
});
