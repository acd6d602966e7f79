/**
 * Resolves the namespaces of XML element names (https://www.w3.org/TR/xml-names/) in time that does not depend on the
 * depth of the element.
 */
import { ExtractionError } from './errors.ts';

/** Maximum depth of elements; real documents have a few dozen levels. */
const maximumDepth = 10_000;

/** The name of an element. */
export interface ElementName {
  /** Empty for none. */
  readonly namespace: string;
  /** The name without its prefix. */
  readonly local: string;
}

interface OpenElement extends ElementName {
  /** The prefixes that the element declares. */
  readonly prefixes: readonly string[];
}

/** Resolves the names of a document's elements as its tags are read. */
export class NameResolver {
  /** The namespaces bound to a prefix, from the outermost element to the innermost. */
  readonly #bindings = new Map<string, string[]>();
  readonly #open: OpenElement[] = [];

  /**
   * Reads a start tag and returns the name of the element.
   * @throws ExtractionError TOO_DEEP
   */
  open(qualifiedName: string, attributes: Readonly<Record<string, string>>): ElementName {
    if (this.#open.length >= maximumDepth) throw new ExtractionError('TOO_DEEP');
    const prefixes: string[] = [];
    for (const name in attributes) {
      const prefix = name === 'xmlns' ? '' : name.startsWith('xmlns:') ? name.slice(6) : null;
      if (prefix === null) continue;
      prefixes.push(prefix);
      const bound = this.#bindings.get(prefix);
      const namespace = attributes[name] ?? '';
      if (bound === undefined) this.#bindings.set(prefix, [namespace]);
      else bound.push(namespace);
    }
    const colon = qualifiedName.indexOf(':');
    const prefix = colon === -1 ? '' : qualifiedName.slice(0, colon);
    const element = {
      namespace: this.#bindings.get(prefix)?.at(-1) ?? '',
      local: qualifiedName.slice(colon + 1),
      prefixes,
    };
    this.#open.push(element);
    return element;
  }

  /** Reads an end tag and returns the name of the element. */
  close(): ElementName {
    const element = this.#open.pop();
    if (element === undefined) throw new Error('no element is open');
    for (const prefix of element.prefixes) this.#bindings.get(prefix)?.pop();
    return element;
  }
}
