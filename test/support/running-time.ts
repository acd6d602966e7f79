/** Time in which this process ran. */

const tickMs = 100;

/**
 * Counts the seconds in which this process runs, for a wait of this process that the specification bounds. A timer that was late is set
 * again from then on: a pause of the whole machine counts as a tick, however long it lasts.
 * @returns stops, and returns the seconds
 */
export function countRunningTime(): () => number {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, tickMs);
  return () => {
    clearInterval(timer);
    return (ticks * tickMs) / 1_000;
  };
}
