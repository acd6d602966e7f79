/**
 * Why: the cost of a small transaction is its round trips. A flight sends several prepared statements before a single
 * Sync (PostgreSQL protocol, "Extended Query"), so that naming the organization and doing the work cost one. Statements
 * before one Sync are one implicit transaction: an error in any of them undoes all.
 *
 * `pg` accepts any object with `submit(connection)` as a query; this is that object. Results come back as PostgreSQL's
 * text representations, undecoded: the callers know their columns, and asking for descriptions would cost a message
 * per statement.
 */
import type { Connection } from 'pg';
import { serialize } from 'pg-protocol';

/** A fixed statement text with a name that is unique to it; prepared once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A value of a parameter in PostgreSQL's text representation; bytes are sent in binary. */
export type Parameter = string | Buffer | null;

/** A statement with its parameters. */
export interface Step {
  readonly statement: Statement;
  readonly values: readonly Parameter[];
}

/** A row as text representations, in the order of the select list. */
export type Row = readonly (string | null)[];

/** What one statement of a flight answered. */
export interface StepResult {
  readonly rows: Row[];
  /** Rows inserted, updated, deleted or selected, from the command tag. */
  readonly affected: number;
}

/** An error answer of PostgreSQL (see its "Error Codes" appendix for `code`). */
export interface DatabaseFailure extends Error {
  readonly code?: string;
  readonly constraint?: string;
  readonly table?: string;
  readonly detail?: string;
}

/** Makes a step; the shortest way to write one. */
export function step(statement: Statement, values: readonly Parameter[] = []): Step {
  return { statement, values };
}

/**
 * Which statements a connection has prepared. 'uncertain' is one whose Parse was in a flight that failed: it may or may
 * not exist, so it is closed before it is parsed again (closing what does not exist is no error).
 */
type Preparation = 'ready' | 'uncertain';
const preparations = new WeakMap<Connection, Map<string, Preparation>>();

/** The object given to `client.query`. Use `sendFlight` instead. */
export class Flight {
  /** Resolves when the whole flight succeeded; rejects with PostgreSQL's first error. */
  readonly results: Promise<StepResult[]>;
  private readonly steps: readonly Step[];
  private readonly prepare: boolean;
  private readonly done: StepResult[] = [];
  private rows: Row[] = [];
  private settle: { resolve: (results: StepResult[]) => void; reject: (error: Error) => void };
  private known: Map<string, Preparation> = new Map();

  constructor(steps: readonly Step[], prepare: boolean) {
    this.steps = steps;
    this.prepare = prepare;
    const { promise, resolve, reject } = Promise.withResolvers<StepResult[]>();
    this.results = promise;
    this.settle = { resolve, reject };
  }

  /** Called by `pg` when the connection is free. */
  submit(connection: Connection): void {
    const known = preparations.get(connection) ?? new Map<string, Preparation>();
    preparations.set(connection, known);
    this.known = known;
    const messages: Buffer[] = [];
    const parsedHere = new Set<string>();
    for (const { statement, values } of this.steps) {
      const name = this.prepare ? statement.name : '';
      if (name === '') {
        messages.push(serialize.parse({ name: '', text: statement.text, types: [] }));
      } else if (known.get(name) !== 'ready' && !parsedHere.has(name)) {
        if (known.has(name)) messages.push(serialize.close({ type: 'S', name }));
        known.set(name, 'uncertain');
        parsedHere.add(name);
        messages.push(serialize.parse({ name, text: statement.text, types: [] }));
      }
      messages.push(serialize.bind({ portal: '', statement: name, values: [...values] }));
      messages.push(serialize.execute({ portal: '' }));
    }
    messages.push(serialize.sync());
    // One write: a system call for each message was measured at a quarter of a server's processor time.
    // What can no longer be written to has ended: `pg` fails the query with the reason when it hears of it.
    if (connection.stream.writable) connection.stream.write(Buffer.concat(messages));
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    this.rows.push(message.fields);
  }

  handleCommandComplete(message: { text: string }): void {
    const statement = this.steps[this.done.length]?.statement;
    if (this.prepare && statement !== undefined) this.known.set(statement.name, 'ready');
    const count = Number(message.text.slice(message.text.lastIndexOf(' ') + 1));
    this.done.push({ rows: this.rows, affected: Number.isNaN(count) ? 0 : count });
    this.rows = [];
  }

  handleReadyForQuery(): void {
    this.settle.resolve(this.done);
  }

  handleError(error: Error): void {
    this.settle.reject(error);
  }

  /** None of our statements describes, suspends or copies: `pg` asks for the handlers all the same. */
  handleRowDescription(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}
