/**
 * Measures how the cost of a function grows with the size of its input: as a ratio, in the processor time of this thread
 * alone, so that neither the speed of the machine nor its other work matters.
 */

/** Maximum number of runs; the shortest time of each size is used, because noise only adds time. */
const mostRuns = 8;

/** Runs before the result may be given up: one can meet a garbage collection of 50 ms. */
const fewestRuns = 3;

/** Times below this are noise, in ms. */
const floorMs = 2;

/** Maximum growth of the time for four times the input: linear is 4, quadratic is 16. */
const mostGrowth = 9;

/** The sizes that the growth from a size is measured with. */
export function grownSizes(size: number): readonly number[] {
  return [size, 4 * size, 16 * size];
}

/**
 * Measures the growth of the cost. Returns a description of a growth that is too fast, or null. What grows too fast does so at each
 * size. What only met other work of the machine, or outgrew the young generation of the heap, does not: so what is seen is confirmed
 * with inputs four times as long.
 * @param run does the work for an input of a size
 */
export function findSuperlinear(size: number, run: (size: number) => void): string | null {
  const found = measureGrowth(size, run);
  if (found === null) return null;
  const confirmed = found.certain ? found : measureGrowth(4 * size, run);
  return confirmed === null ? null : confirmed.text;
}

function measureGrowth(
  size: number,
  run: (size: number) => void,
): { readonly text: string; readonly certain: boolean } | null {
  let small = Number.POSITIVE_INFINITY;
  let large = Number.POSITIVE_INFINITY;
  let certain = false;
  for (let runs = 0; runs < mostRuns && !certain; runs += 1) {
    small = Math.min(
      small,
      cpuMs(() => run(size)),
    );
    large = Math.min(
      large,
      cpuMs(() => run(4 * size)),
    );
    if (large <= mostGrowth * Math.max(small, floorMs)) return null;
    // Far beyond the limit, further runs are pointless.
    certain = runs + 1 >= fewestRuns && large > 4 * mostGrowth * Math.max(small, floorMs);
  }
  return { text: `${size}: ${small.toFixed(1)} ms, ${4 * size}: ${large.toFixed(1)} ms`, certain };
}

function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

/** Texts that are known to be slow for regular expressions, normalization or parsers, when they are repeated. */
export const hostileUnits: readonly string[] = [
  ...['a', '1', '0', '漢', '😀', 'é', 'İ', "Σ'"],
  // Marks of different combining classes, also in compatibility forms; compositions; long expansions.
  ...[
    '\u0300\u0316',
    '\uff9e\u0316',
    '\u0e33\u0316',
    'a\u0300',
    '\ufdfa',
    '\u1100\u1161\u11a8',
    '\u1161',
    '\u0958',
  ],
  ...[' ', '\t', '\n', '\r\n', '\r', '\u00a0', '- ', '--', ' -', '-"', ' -"a', '" ', '"a" ', 'or '],
  ...[
    '/',
    '//',
    '\\',
    '.',
    '..',
    'a.',
    '@',
    'a@',
    '@a.',
    ':',
    ':1',
    ',',
    ', ',
    ';',
    ';a=',
    '=',
    '%',
    '%41',
    '#',
    '?',
  ],
  ...['(', '()', '[', '[[', '{', '<', '<a>', '`', '*', '_', '+', '+1 ', '-1', '1-', 'a-', 'a-b-'],
  ...[
    'www.',
    'https://',
    '10.1000/',
    'doi:',
    'ext. 1',
    '"\\"',
    'W/"a",',
    '"a",',
    'return=minimal,',
    'bytes=0-1,',
  ],
];
