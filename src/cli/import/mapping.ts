/**
 * Why: which name of the source goes where must be one decision that can be shown before anything is written: the
 * user's own `--map` first, then names that are the field's own, then names that blogs commonly use for it.
 */
import { nearestName } from '../../lib/text.ts';
import { UsageError } from '../command-line.ts';
import type { SourceRecord } from './source.ts';
import { type Alias, listTargets, type ResourceImport, type Target } from './targets.ts';

/** `from=to` as the user gave it; `to` null leaves the name out on purpose. */
export interface MapRule {
  readonly from: string;
  readonly to: string | null;
}

/** One line of the mapping as it was used, for the preview. */
export interface MappingLine {
  readonly from: string;
  readonly to: string;
  /** What the target does with it. */
  readonly meaning: string;
  readonly rows: number;
  readonly example: string;
}

/** A record's values by target. */
export interface MappedRecord {
  readonly values: ReadonlyMap<string, unknown>;
  readonly mendings: readonly string[];
}

/** A simplified name that means a target, with what is said when a value comes from there. */
interface Name {
  readonly name: string;
  readonly mended?: string;
}

const longestExample = 60;

/** @throws UsageError when the text is no `from=to` */
export function readMapRule(text: string): MapRule {
  const at = text.lastIndexOf('=');
  const from = text.slice(0, at).trim();
  if (at < 0 || from === '') {
    throw new UsageError(`--map takes FROM=TO, for example --map headline=title, not "${text}".`);
  }
  return { from, to: text.slice(at + 1).trim() || null };
}

/** Maps records of one source to targets of one resource, and keeps account of what went where. */
export class Mapping {
  private readonly targets: readonly Target[];
  /** For each target the names that mean it, best first, simplified. */
  private readonly names: ReadonlyMap<Target, readonly Name[]>;
  private readonly rules: ReadonlyMap<string, Target | null>;
  private readonly used = new Map<string, { -readonly [K in keyof MappingLine]: MappingLine[K] }>();
  private readonly unused = new Map<string, number>();
  private readonly seen = new Set<string>();

  /** @throws UsageError when a rule names no target */
  constructor(profile: Pick<ResourceImport, 'resource' | 'targets' | 'aliases'>, rules: readonly MapRule[]) {
    this.targets = listTargets(profile);
    this.names = new Map(this.targets.map((target) => [target, namesOf(target, profile.aliases)]));
    this.rules = new Map(
      rules.map(({ from, to }) => [from, to === null ? null : findTarget(this.targets, to)]),
    );
  }

  /** What a record says, by target. */
  map({ fields }: SourceRecord): MappedRecord {
    const values = new Map<string, unknown>();
    const mendings: string[] = [];
    const take = (from: string, target: Target, mended?: string) => {
      const converted = target.convert(fields.get(from));
      if (converted.value === undefined) return false;
      values.set(target.name, converted.value);
      mendings.push(...[mended, converted.mended].filter((mending) => mending !== undefined));
      this.noteUse(from, target, fields.get(from));
      return true;
    };
    const free = new Map<string, string>();
    for (const from of fields.keys()) {
      this.seen.add(from);
      const target = this.rules.get(from);
      if (target === undefined) {
        const simplified = simplify(from);
        if (free.has(simplified)) this.noteUnused(from);
        else free.set(simplified, from);
      } else if (target !== null) {
        take(from, target);
      }
    }
    for (const target of this.targets) {
      if (values.has(target.name)) continue;
      for (const { name, mended } of this.names.get(target) ?? []) {
        const from = free.get(name);
        if (from === undefined) continue;
        free.delete(name);
        if (take(from, target, mended)) break;
      }
    }
    for (const from of free.values()) this.noteUnused(from);
    return { values, mendings };
  }

  /** What went where, in the order of the targets. */
  lines(): MappingLine[] {
    const order = this.targets.map(({ name }) => name);
    return [...this.used.values()].sort((left, right) => order.indexOf(left.to) - order.indexOf(right.to));
  }

  /** Names of the source that went nowhere, with the number of records that have them. */
  leftOver(): { field: string; rows: number }[] {
    return [...this.unused].map(([field, rows]) => ({ field, rows }));
  }

  /** Names in `--map` that no record has: most likely slips of the finger. */
  absentNames(): string[] {
    return [...this.rules.keys()].filter((from) => !this.seen.has(from));
  }

  private noteUnused(from: string): void {
    if (!from.startsWith('(')) this.unused.set(from, (this.unused.get(from) ?? 0) + 1);
  }

  private noteUse(from: string, { name: to, description }: Target, value: unknown): void {
    const key = JSON.stringify([from, to]);
    const known = this.used.get(key);
    if (known !== undefined) known.rows += 1;
    else this.used.set(key, { from, to, meaning: description, rows: 1, example: shorten(value) });
  }
}

/** Aliases go first: they tell a better source from one that is only called so. */
function namesOf(target: Target, aliases: readonly Alias[]): Name[] {
  const alias = aliases.find(({ to }) => to === target.name);
  const names = [...(alias?.from ?? []), target.name, lastPart(target.name)];
  const fallbacks = alias?.fallbacks ?? [];
  return [
    ...names.map((name) => ({ name: simplify(name) })),
    ...fallbacks.map(({ from, mended }) => ({ name: simplify(from), mended })),
  ];
}

/** @throws UsageError with the nearest name */
function findTarget(targets: readonly Target[], name: string): Target {
  const exact = targets.find((target) => target.name === name);
  if (exact !== undefined) return exact;
  const byEnd = targets.filter((target) => lastPart(target.name) === name);
  const [only] = byEnd;
  if (only !== undefined && byEnd.length === 1) return only;
  const names = targets.flatMap((target) => [target.name, lastPart(target.name)]);
  const nearest = nearestName(name, names);
  throw new UsageError(
    `--map: there is no field "${name}". ` +
      (nearest === null
        ? `There are: ${targets.map((target) => lastPart(target.name)).join(', ')}.`
        : `Did you mean "${nearest}"?`),
  );
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** `Canonical-URL` and `canonicalUrl` are one name; groups that generators put extra values in do not count. */
function simplify(name: string): string {
  return name
    .replace(/^(extra|params|taxonomies)\./, '')
    .toLowerCase()
    .replace(/[_ -]/g, '');
}

function shorten(value: unknown): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).trim().replace(/\s+/g, ' ');
  const characters = Array.from(text.slice(0, 4 * longestExample));
  return characters.length > longestExample ? `${characters.slice(0, longestExample).join('')}…` : text;
}
