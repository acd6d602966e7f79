/**
 * Batches: several prepared statements before a single Sync (PostgreSQL protocol, "Extended Query"), so that setting
 * the organization and doing the work cost one round trip. Statements before one Sync are one implicit
 * transaction. `pg` accepts any
 * object with `submit(connection)` as a query; this is that object. Results are PostgreSQL's text representations, undecoded:
 * the callers know their columns, and requesting descriptions would cost a message per statement.
 */
import type { Connection } from 'pg';
import { serialize } from 'pg-protocol';

/** A fixed statement text with a unique name; prepared once per connection. */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /**
   * Whether requests decide how many such statements there are. A connection keeps the `dynamicStatementLimit` most
   * recently used ones prepared; other statements stay prepared.
   */
  readonly isDynamic?: boolean;
  /**
   * Whether `joinSteps` may send it as a part of another statement: a single INSERT, UPDATE or DELETE without WITH and RETURNING. Neither it
   * nor the policies of its table may read what other such steps of a write change, and no other one may write the same rows.
   */
  readonly isJoinable?: boolean;
  /** Whether it names the organization and the user of the transaction, with `scopeList` and its first two parameters. */
  readonly setsScope?: boolean;
  /** Whether it ends a transaction and keeps its changes, whatever happens to the statements behind it. */
  readonly commits?: boolean;
  /** Names of the statements that it consists of, if it is a joined one. */
  readonly parts?: readonly string[];
}

/**
 * Maximum number of dynamic statements that a connection keeps prepared. PostgreSQL uses some 70 kB for the statement
 * of a list (docs/decisions/0034-fair-shares.md).
 */
export const dynamicStatementLimit = 50;

/** A value of a parameter in PostgreSQL's text representation; bytes are sent in binary. */
export type Parameter = string | Buffer | null;

/** A statement with its parameters. */
export interface Step {
  readonly statement: Statement;
  readonly values: readonly Parameter[];
}

/** A row as text representations, in the order of the select list. */
export type Row = readonly (string | null)[];

/** The result of one statement of a batch. */
export interface StepResult {
  readonly rows: Row[];
  /** Rows inserted, updated, deleted or selected, from the command tag. */
  readonly affected: number;
}

/** An error response of PostgreSQL (`code`: see the appendix "PostgreSQL Error Codes"). */
export interface DatabaseFailure extends Error {
  readonly code?: string;
  readonly constraint?: string;
  readonly table?: string;
  readonly detail?: string;
}

/** A statement after a COMMIT, or the connection, failed; the committed changes are durable. `cause` has the reason. */
export class FailureAfterCommit extends Error {
  /** Of the statements before the failed one. */
  readonly results: readonly StepResult[];

  constructor(results: readonly StepResult[], cause: Error) {
    super('a statement behind a COMMIT failed', { cause });
    this.name = 'FailureAfterCommit';
    this.results = results;
  }
}

/** Creates a step. */
export function step(statement: Statement, values: readonly Parameter[] = []): Step {
  return { statement, values };
}

/**
 * Which statements a connection has prepared. 'uncertain': the Parse of the statement was in a batch that failed, so it
 * may or may not exist. It is closed before it is parsed again; closing a statement that does not exist is not an error.
 */
type Preparation = 'ready' | 'uncertain';

/** The statements of a connection. */
interface Prepared {
  readonly states: Map<string, Preparation>;
  /** Names of dynamic statements, least recently used first. */
  readonly dynamic: Set<string>;
}
const preparations = new WeakMap<Connection, Prepared>();

function preparedOn(connection: Connection): Prepared {
  const known = preparations.get(connection);
  if (known !== undefined) return known;
  const none: Prepared = { states: new Map(), dynamic: new Set() };
  preparations.set(connection, none);
  return none;
}

/** The object given to `client.query`. Use `sendBatch` instead. */
export class Batch {
  /** Resolves when the whole batch has succeeded; rejects with PostgreSQL's first error, or FailureAfterCommit. */
  readonly results: Promise<StepResult[]>;
  private readonly steps: readonly Step[];
  private readonly prepare: boolean;
  private readonly flushes: boolean;
  private readonly done: StepResult[] = [];
  private rows: Row[] = [];
  private settle: { resolve: (results: StepResult[]) => void; reject: (error: Error) => void };
  /** The statements of the connection that the batch was submitted to. */
  private prepared: Prepared | undefined;

  constructor(steps: readonly Step[], prepare: boolean, flushes: boolean) {
    this.steps = steps;
    this.prepare = prepare;
    this.flushes = flushes;
    const { promise, resolve, reject } = Promise.withResolvers<StepResult[]>();
    this.results = promise;
    this.settle = { resolve, reject };
  }

  /** Called by `pg` when the connection is free. */
  submit(connection: Connection): void {
    const prepared = preparedOn(connection);
    this.prepared = prepared;
    const { states } = prepared;
    const messages: Buffer[] = this.prepare ? this.closeForgotten(prepared) : [];
    const parsedHere = new Set<string>();
    for (const [index, { statement, values }] of this.steps.entries()) {
      const name = this.prepare ? statement.name : '';
      if (name === '') {
        messages.push(serialize.parse({ name: '', text: statement.text, types: [] }));
      } else if (states.get(name) !== 'ready' && !parsedHere.has(name)) {
        if (states.has(name)) messages.push(serialize.close({ type: 'S', name }));
        states.set(name, 'uncertain');
        parsedHere.add(name);
        messages.push(serialize.parse({ name, text: statement.text, types: [] }));
      }
      messages.push(serialize.bind({ portal: '', statement: name, values: [...values] }));
      messages.push(serialize.execute({ portal: '' }));
      // No Flush after the scope statement, which has no result, or after the last step, whose result the Sync sends.
      if (this.flushes && index > 0 && index < this.steps.length - 1) messages.push(serialize.flush());
    }
    messages.push(serialize.sync());
    // One write for all messages: a system call for each took a quarter of a server's processor time. If the socket is
    // no longer writable, the connection has ended, and `pg` fails the query with the reason when it is notified.
    if (connection.stream.writable) connection.stream.write(Buffer.concat(messages));
  }

  /**
   * Messages that close the least recently used statements, as many as this batch exceeds the limit. They precede all
   * others, so PostgreSQL reads them even if the batch fails.
   */
  private closeForgotten({ states, dynamic }: Prepared): Buffer[] {
    for (const { statement } of this.steps) {
      if (statement.isDynamic !== true) continue;
      dynamic.delete(statement.name);
      dynamic.add(statement.name);
    }
    const messages: Buffer[] = [];
    for (const name of dynamic) {
      if (dynamic.size <= dynamicStatementLimit) break;
      dynamic.delete(name);
      states.delete(name);
      messages.push(serialize.close({ type: 'S', name }));
    }
    return messages;
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    this.rows.push(message.fields);
  }

  handleCommandComplete(message: { text: string }): void {
    const statement = this.steps[this.done.length]?.statement;
    if (this.prepare && statement !== undefined) this.prepared?.states.set(statement.name, 'ready');
    const count = Number(message.text.slice(message.text.lastIndexOf(' ') + 1));
    this.done.push({ rows: this.rows, affected: Number.isNaN(count) ? 0 : count });
    this.rows = [];
  }

  handleReadyForQuery(): void {
    this.settle.resolve(this.done);
  }

  handleError(error: Error): void {
    const isCommitted = this.steps.slice(0, this.done.length).some(({ statement }) => statement.commits);
    this.settle.reject(isCommitted ? new FailureAfterCommit(this.done, error) : error);
  }

  /** Handlers that `pg` requires, although our statements never describe, suspend or copy. */
  handleRowDescription(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
}
