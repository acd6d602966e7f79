/**
 * Reads elements of XML documents (XML 1.0) one after another, so that a document of any length needs the memory of one record. Entities that
 * a document declares are refused, since nested ones grow without bound; nothing outside of the document is read.
 */
import { SaxesParser } from 'saxes';
import { ImportStopped } from '../errors.ts';
import { AmpersandEscaper } from './xml-ampersands.ts';

/** An element with all that is in it. */
export interface XmlElement {
  /** As written, such as `wp:post_id`. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Texts and elements in order; white space between elements is left out. */
  readonly nodes: (string | XmlElement)[];
  /** Of its start, from 1. */
  readonly line: number;
}

const deepestNesting = 100;
const mostNodes = 200_000;
const mostCharacters = 8_388_608;
/** Largest part without the begin or end of an element, which the parser keeps as one text. */
const mostWithoutElement = 16_777_216;

type Decoder = InstanceType<typeof TextDecoder>;

/** A document that is read. */
export interface XmlDocument {
  /** Its name for people. */
  readonly label: string;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/**
 * Reads the elements with one of these names, without prefix, at any depth; those inside of one belong to it.
 * @throws ImportStopped when the document is not well-formed or exceeds a limit
 */
export async function* readElements(
  { label, chunks }: XmlDocument,
  names: ReadonlySet<string>,
): AsyncGenerator<XmlElement> {
  const builder = new ElementBuilder(label, names);
  let decoder: Decoder | null = null;
  for await (const chunk of chunks) {
    decoder ??= createDecoder(label, chunk);
    builder.write(decode(label, decoder, builder.line, chunk));
    yield* builder.take();
  }
  builder.write(decode(label, decoder ?? new TextDecoder(), builder.line));
  builder.close();
  yield* builder.take();
}

/** The text directly in an element. */
export function textOf(element: XmlElement | undefined): string {
  return element === undefined ? '' : element.nodes.filter((node) => typeof node === 'string').join('');
}

/** The elements in an element that have this name, without regard to a prefix that the given name lacks. */
export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.nodes.filter(
    (node) => typeof node !== 'string' && (node.name === name || localName(node.name) === name),
  ) as XmlElement[];
}

/** The first of them. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return childrenOf(element, name)[0];
}

/** The name without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

class ElementBuilder {
  private readonly label: string;
  private readonly names: ReadonlySet<string>;
  private readonly parser = new SaxesParser();
  private readonly escaper = new AmpersandEscaper();
  /** The open elements of a record, outermost first. */
  private open: XmlElement[] = [];
  private ready: XmlElement[] = [];
  private depth = 0;
  private nodes = 0;
  private characters = 0;
  private lastElementAt = 0;

  constructor(label: string, names: ReadonlySet<string>) {
    this.label = label;
    this.names = names;
    const addText = (text: string) => this.addText(text);
    this.parser.on('opentag', ({ name, attributes }) =>
      this.begin(name, attributes as Record<string, string>),
    );
    this.parser.on('closetag', () => this.end());
    this.parser.on('text', addText);
    this.parser.on('cdata', addText);
    this.parser.on('doctype', (text) => {
      if (text.includes('<!ENTITY')) throw this.stop('it declares entities, which are not read');
    });
    this.parser.on('error', ({ message }) => {
      // Some programs write characters that XML does not permit, and entities of HTML. The characters are dropped, the entities kept as written.
      if (/entity/.test(message)) return;
      throw this.stop(message.replace(/^\d+:\d+: /, '').replace(/\.$/, ''));
    });
  }

  get line(): number {
    return this.parser.line;
  }

  write(text: string): void {
    this.parse(this.escaper.write(text));
  }

  close(): void {
    this.parse(this.escaper.close());
    this.parser.close();
  }

  private parse(text: string): void {
    this.parser.write(text.replaceAll(/\p{Cc}|[\ufffe\uffff]/gu, (sign) => (isPermitted(sign) ? sign : '')));
    if (this.parser.position - this.lastElementAt > mostWithoutElement) {
      throw this.stop(`a text has more than ${mostWithoutElement} characters`);
    }
  }

  take(): XmlElement[] {
    const taken = this.ready;
    this.ready = [];
    return taken;
  }

  private begin(name: string, attributes: Record<string, string>): void {
    this.lastElementAt = this.parser.position;
    this.depth += 1;
    if (this.depth > deepestNesting) throw this.stop(`elements are nested more than ${deepestNesting} deep`);
    const parent = this.open.at(-1);
    if (parent === undefined && !this.names.has(localName(name))) return;
    const element = { name, attributes, nodes: [], line: this.parser.line };
    if (parent !== undefined) parent.nodes.push(element);
    this.open.push(element);
    this.nodes += 1;
    if (this.nodes > mostNodes) throw this.stop(`a record has more than ${mostNodes} elements`);
  }

  private end(): void {
    this.lastElementAt = this.parser.position;
    this.depth -= 1;
    const element = this.open.pop();
    if (element === undefined) return;
    if (element.nodes.some((node) => typeof node !== 'string')) {
      const kept = element.nodes.filter(
        (node) => typeof node !== 'string' || node.trim() !== '' || !node.includes('\n'),
      );
      element.nodes.splice(0, element.nodes.length, ...kept);
    }
    if (this.open.length > 0) return;
    this.ready.push(element);
    this.nodes = 0;
    this.characters = 0;
  }

  private addText(text: string): void {
    const parent = this.open.at(-1);
    if (parent === undefined || text === '') return;
    this.characters += text.length;
    if (this.characters > mostCharacters)
      throw this.stop(`a record has more than ${mostCharacters} characters`);
    parent.nodes.push(text);
  }

  private stop(reason: string): ImportStopped {
    return new ImportStopped(`${this.label} cannot be read beyond line ${this.parser.line}: ${reason}.`);
  }
}

/** Whether XML permits a control character (XML 1.0, 2.2). */
function isPermitted(sign: string): boolean {
  return '\t\n\r'.includes(sign) || (sign >= '\u007f' && sign < '\ufffe');
}

/** The decoder for the encoding that a document declares; UTF-8 without one (XML 1.0, appendix F). */
function createDecoder(label: string, start: Uint8Array): Decoder {
  const [first, second] = start;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le', { fatal: true });
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be', { fatal: true });
  const head = new TextDecoder('latin1').decode(start.subarray(0, 200));
  const [, encoding = 'utf-8'] = /^[^<]{0,3}<\?xml[^>]*?encoding\s*=\s*["']([^"']+)["']/.exec(head) ?? [];
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new ImportStopped(
      `${label} has the unknown encoding "${encoding.slice(0, 40)}". Save it as UTF-8.`,
    );
  }
}

function decode(label: string, decoder: Decoder, line: number, chunk?: Uint8Array): string {
  try {
    return decoder.decode(chunk, { stream: chunk !== undefined });
  } catch {
    throw new ImportStopped(
      `${label} is not valid ${decoder.encoding.toUpperCase()} after line ${line}. Save it as UTF-8.`,
    );
  }
}
