/** The progress bar of imports and exports; on a terminal only, since elsewhere a bar is noise in a log. */

/** Shows the progress of an import or export. */
export interface Progress {
  advance(rows: number, rejected: number): void;
  /** Removes the bar. */
  end(): void;
}

const redrawMs = 100;
const barWidth = 30;

/**
 * Shows a bar on a terminal, nothing elsewhere.
 * @param total number of rows, or a function that returns the completed part (0 to 1), or null when it is unknown
 */
export function showProgress(
  total: number | null | (() => number),
  isTerminal: boolean,
  write: (text: string) => void,
  clock: () => number = Date.now,
): Progress {
  if (!isTerminal) return { advance: () => undefined, end: () => undefined };
  const began = clock();
  let drawn = Number.NEGATIVE_INFINITY;
  return {
    advance(rows, rejected) {
      const now = clock();
      if (now - drawn < redrawMs) return;
      drawn = now;
      write(`\r\u001b[2K${drawBar(rows, total, rejected, (now - began) / 1000)}`);
    },
    end: () => write('\r\u001b[2K'),
  };
}

function drawBar(
  rows: number,
  total: number | null | (() => number),
  rejected: number,
  seconds: number,
): string {
  const speed = `${seconds > 0 ? Math.round(rows / seconds) : 0} rows/s`;
  const faults = rejected === 0 ? '' : `, ${rejected} rejected`;
  if (total === null || total === 0) return `${rows} rows, ${speed}${faults}`;
  const part = Math.min(1, typeof total === 'number' ? rows / total : total());
  const filled = Math.floor(part * barWidth);
  const done =
    typeof total === 'number' ? `${rows}/${total} rows` : `${Math.floor(part * 100)} %, ${rows} rows`;
  return `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${done}, ${speed}${faults}`;
}
