/**
 * The description of a device in a session: browser and system by name, so that people recognize it, and nothing else of the
 * header.
 */

/** Browsers by a substring of their User-Agent. Browsers that also contain the name of others come first. */
const browsers: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*Safari\//, 'Safari'],
];

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Characters of a User-Agent that is looked at, and of one that is kept because nothing of it is known. */
const mostRead = 512;
const mostKept = 60;

/** The browser and system of a User-Agent header, such as `Firefox on Linux`; '' without one. */
export function describeDevice(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, mostRead);
  const find = (known: typeof browsers) => known.find(([pattern]) => pattern.test(text))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  if (system !== undefined) return system;
  return text.replace(/[^\x20-\x7e]/g, '').slice(0, mostKept);
}
