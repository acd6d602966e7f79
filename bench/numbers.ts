/** Numbers among the options of a benchmark. */

/**
 * The whole number that an option has; otherwise says on standard error what is wrong, and ends the process.
 * @param initial what it is when the option is not given
 */
export function readNumber<Name extends string>(
  options: Readonly<Partial<Record<Name, string>>>,
  name: Name,
  least: number,
  initial?: number,
): number {
  const number = Number(options[name] ?? initial);
  if (Number.isInteger(number) && number >= least) return number;
  process.stderr.write(`--${name} must be a whole number of at least ${least}, not "${options[name]}".\n`);
  process.exit(2);
}
