/**
 * Migrations in a distributed database (Citus): the same texts, statement by statement, and each new table comes to the servers before the
 * next statement. See docs/decisions/0118-migrations-of-a-distributed-database.md.
 */
import type pg from 'pg';
import { distributedText, splitStatements } from '../split-statements.ts';
import { distributeTable, dropKeysOfPeople, readWaiting } from './tables.ts';

/** A statement that makes a table, and no partition: those of a distributed table come to the servers with it. Comments may precede it. */
const newTable =
  /^(?:--[^\n]*\n|\/\*[\s\S]*?\*\/|\s)*CREATE\s+TABLE\b(?!\s+(?:IF\s+NOT\s+EXISTS\s+)?\S+\s+PARTITION\b)/i;

/**
 * Runs the statements of a migration, within a transaction of the schema's owner.
 * @throws Error of Citus for a statement that it refuses
 */
export async function runDistributedMigration(
  client: pg.Client,
  sql: string,
  log: (line: string) => void,
): Promise<void> {
  await changeInTurn(client);
  for (const statement of splitStatements(distributedText(sql))) {
    if (newTable.test(statement)) await runHere(client, statement);
    else await client.query(statement);
    await dropKeysOfPeople(client);
    for (const name of await readWaiting(client)) {
      log(`distributing ${name}`);
      await distributeTable(client, name);
    }
  }
}

/**
 * Has one shard of a server be changed after another in this transaction, because keys refer to tables that are on every server: Citus refuses them
 * behind changes that it makes at the same time.
 */
export async function changeInTurn(client: pg.Client): Promise<void> {
  await client.query(`SET LOCAL citus.multi_shard_modify_mode = 'sequential'`);
}

/** On the coordinator alone: Citus refuses foreign keys to distributed tables as long as the table that has them is not distributed itself. */
async function runHere(client: pg.Client, statement: string): Promise<void> {
  await client.query('SET LOCAL citus.enable_ddl_propagation = off');
  await client.query(statement);
  await client.query('SET LOCAL citus.enable_ddl_propagation = on');
}
