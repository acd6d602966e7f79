/** The part `hostile` of the benchmark: what one hostile tenant does to another one's latencies, ingredient by ingredient. */
import { parseArgs } from 'node:util';
import type { Costs } from './hostile/costs.ts';
import { chooseIngredients, ingredients } from './hostile/ingredients.ts';
import { type HostileTurn, runHostileTenant, type SteadyTurn } from './hostile/run.ts';

const help = `Measures one tenant's latencies alone and beside a hostile tenant, on one server process.

  npm run bench -- hostile                 each ingredient by itself, then all at once; some four minutes;
                                           exits with 1 when the ratio of all at once is above 3
  npm run bench -- hostile --only NAMES    only these, separated by commas; "all": all at once;
                                           "-NAME" (as --only=-NAME): all but this one at once

  --seconds N   length of a turn (10)
  --rate N      requests a second of the measured tenant (60)
  --help        this text

Ingredients: ${ingredients.map(({ name }) => name).join(', ')}.

The server, the database and both load generators share the machine. The hostile generator runs at a lower priority, but
what it and the database compute is part of every ratio.
`;

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    rate: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(help);
  process.exit();
}

const everything = ingredients.map(({ name }) => name);
const wanted = options.only?.split(',') ?? [...everything, 'all'];
chooseIngredients(wanted.filter((name) => name !== 'all').map((name) => name.replace(/^-/, '')));
const turns = wanted.map((name) => {
  if (name === 'all') return everything;
  return name.startsWith('-') ? everything.filter((other) => other !== name.slice(1)) : [name];
});

const report = await runHostileTenant({
  turns,
  seconds: Number(options.seconds),
  rate: Number(options.rate),
  note: (text) => process.stderr.write(`${text.length > 60 ? `${text.slice(0, 57)}…` : text}\n`),
});

/** Counts as text, such as `list 503: 12`. */
const list = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${what}: ${count}`)
    .join(', ');
const statusesOf = ({ hostile, ingredients: names }: HostileTurn) =>
  names
    .map((name) => (names.length === 1 ? list(hostile[name] ?? {}) : `${name} ${list(hostile[name] ?? {})}`))
    .join('; ');
const figures = ({ p50, p99 }: SteadyTurn) => [p50.toFixed(1), p99.toFixed(1)];

process.stdout.write(
  '\n| hostile | alone p50 | p99 ms | beside p50 | p99 ms | ratio | refused | hostile responses |\n',
);
process.stdout.write('| --- | --: | --: | --: | --: | --: | --- | --- |\n');
for (const [index, turn] of report.turns.entries()) {
  const name = wanted[index] ?? '';
  const cells = [name, ...figures(turn.alone), ...figures(turn.beside), turn.ratio.toFixed(2)];
  cells.push(`${list(turn.beside.refusals) || 'none'} of ${turn.beside.requests}`, statusesOf(turn));
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
const costCells = ({ loop, loopWait, threads, children, database }: Costs) =>
  [
    loop,
    loopWait,
    threads,
    children,
    ...['trellis_api', 'trellis_worker', 'trellis_auth'].map((role) => database[role] ?? 0),
  ]
    .map((cost) => cost.toFixed(0))
    .join(' | ');
process.stdout.write('\nProcessor time of the turns, ms for each second, alone and beside:\n\n');
process.stdout.write(
  '| hostile | event loop | it waits for a processor | other threads | child processes | database: api | worker | auth |\n',
);
process.stdout.write('| --- | --: | --: | --: | --: | --: | --: | --: |\n');
for (const [index, turn] of report.turns.entries()) {
  process.stdout.write(`| alone | ${costCells(turn.costsAlone)} |\n`);
  process.stdout.write(`| ${wanted[index] ?? ''} | ${costCells(turn.costs)} |\n`);
}
process.stdout.write('\nLatencies by kind of request, p50 and p99 in ms, alone and beside:\n\n');
for (const [index, turn] of report.turns.entries()) {
  const kinds = Object.entries(turn.beside.byKind).map(
    ([kind, beside]) =>
      `${kind} ${figures({ ...turn.alone, ...turn.alone.byKind[kind] }).join('/')} → ${figures({ ...turn.beside, ...beside }).join('/')}`,
  );
  process.stdout.write(`- ${wanted[index] ?? ''}: ${kinds.join(', ')}\n`);
}

process.stdout.write(`\nThe server's memory was ${report.peakMegabytes.toFixed(0)} MB at most.\n`);

const mostRatio = 3;
const slow = report.turns.filter(
  ({ ingredients: names, ratio }) => names.length === everything.length && ratio > mostRatio,
);
if (slow.length > 0) {
  process.stdout.write(`All at once, the ratio is above the target of ${mostRatio}.\n`);
  process.exitCode = 1;
}
