/**
 * Statements whose texts depend on what a request selects: filters, sort, limit, fields. Each shape is built once and
 * remembered; a connection keeps the most recently used ones prepared.
 */

import type { Statement } from '../database/batch.ts';
import { BoundedMap } from '../lib/bounded-map.ts';

let builtCount = 0;

/** The statements of one kind, by shape. */
export class DynamicStatements {
  private readonly remembered: BoundedMap<string, Statement>;

  /** @param limit the number of remembered shapes; building another one takes some microseconds */
  constructor(limit: number) {
    this.remembered = new BoundedMap(limit);
  }

  /**
   * The statement of a shape.
   * @param name readable first part of its name
   * @param buildText called for a shape that is not remembered
   */
  get(shape: string, name: string, buildText: () => string): Statement {
    const known = this.remembered.get(shape);
    if (known !== undefined) return known;
    builtCount += 1;
    // Numbered, so that a statement that was forgotten and built again is not mistaken for another one with its name.
    const built = { name: `${name}_${builtCount}`, text: buildText(), isDynamic: true };
    this.remembered.set(shape, built);
    return built;
  }
}
