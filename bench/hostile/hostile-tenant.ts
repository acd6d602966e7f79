/**
 * The load generator of the hostile tenant, a separate program. It ends when it has sent its load, or with its parent.
 */
import { Agent } from 'node:http';
import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { chooseIngredients, type Ingredient } from './ingredients.ts';
import type { HostileLoad } from './load.ts';

// It must not take the processor from the server and from the generator whose latencies are measured.
setPriority(getPriority() + 10);

async function attackFrom(
  connection: number,
  ingredient: Ingredient,
  load: HostileLoad,
  endsAt: number,
  counts: Record<number, number>,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { target, articles } = load;
  // The connections of an ingredient begin one after the other, evenly spread.
  await sleep((connection * ingredient.everyMs) / ingredient.connections);
  while (performance.now() < endsAt) {
    const began = performance.now();
    counts[0] = (counts[0] ?? 0) + 1;
    const { status } = await ingredient.attack({ target, agent, connection, articles });
    counts[0] -= 1;
    counts[status] = (counts[status] ?? 0) + 1;
    await sleep(Math.max(0, began + ingredient.everyMs - performance.now()));
  }
  agent.destroy();
}

async function run(load: HostileLoad): Promise<void> {
  const endsAt = performance.now() + load.seconds * 1_000;
  const counts: Record<string, Record<number, number>> = {};
  const attacks = chooseIngredients(load.ingredients).flatMap((ingredient) => {
    const own: Record<number, number> = {};
    counts[ingredient.name] = own;
    return Array.from({ length: ingredient.connections }, (_, connection) =>
      attackFrom(connection, ingredient, load, endsAt, own),
    );
  });
  // Responses to the last requests may take long: they are not waited for.
  await Promise.race([Promise.all(attacks), sleep(load.seconds * 1_000 + 500)]);
  process.send?.(counts, () => process.exit());
}

process.once('message', (load: HostileLoad) => void run(load));
process.once('disconnect', () => process.exit());
