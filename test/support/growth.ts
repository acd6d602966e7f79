/**
 * Measures how the cost of a function grows with the size of its input: as a ratio, in the processor time of this thread
 * alone, so that neither the speed of the machine nor its other work matters.
 */

/** Runs are repeated this often at most; the least time of each size counts, because noise only adds. */
const mostRuns = 8;

/** Times below this are noise, in ms. */
const floorMs = 2;

/** Four times the input may take this many times as long: linear is 4, quadratic is 16. */
const mostGrowth = 9;

/**
 * What is wrong with the growth of the cost, or null.
 * @param run carries the work out for an input of the given size
 */
export function findSuperlinear(size: number, run: (size: number) => void): string | null {
  let small = Number.POSITIVE_INFINITY;
  let large = Number.POSITIVE_INFINITY;
  for (let runs = 0; runs < mostRuns; runs += 1) {
    small = Math.min(
      small,
      cpuMs(() => run(size)),
    );
    large = Math.min(
      large,
      cpuMs(() => run(4 * size)),
    );
    if (large <= mostGrowth * Math.max(small, floorMs)) return null;
    // Far beyond the bound there is nothing to wait for.
    if (large > 4 * mostGrowth * Math.max(small, floorMs)) break;
  }
  return `${size}: ${small.toFixed(1)} ms, ${4 * size}: ${large.toFixed(1)} ms`;
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
  // Marks that sort differently, also those that only compatible forms have; compositions; long expansions.
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
