/**
 * Creates the database and its roles, once per cluster, with an administrator's rights. Each role has the least
 * privileges it needs, so that the server cannot remove its own isolation.
 */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { connectToWritable } from './connection.ts';
import { replaceDatabase, replaceLogin } from './hosts.ts';

/** Passwords of the roles that log in. */
export interface RolePasswords {
  readonly owner: string;
  readonly api: string;
  readonly worker: string;
  readonly auth: string;
}

/** The URLs of an installation. */
export interface RoleUrls {
  /** Owns the schema; used by `trellis migrate` only. */
  readonly owner: string;
  /** Serves requests. */
  readonly api: string;
  /** Background and command-line work across organizations. */
  readonly worker: string;
  /** Signs people in: reads their passwords, factors and sessions, and none of their records. */
  readonly auth: string;
}

/** Random passwords, safe inside a URL. */
export function makeRolePasswords(): RolePasswords {
  const random = () => randomBytes(24).toString('base64url');
  return { owner: random(), api: random(), worker: random(), auth: random() };
}

/** The URLs of the roles, for the database of `adminUrl`. */
export function roleUrls(adminUrl: string, database: string, passwords: RolePasswords): RoleUrls {
  const urlOf = (role: string, password: string) => replaceLogin(adminUrl, role, password, database);
  return {
    owner: urlOf('trellis_owner', passwords.owner),
    api: urlOf('trellis_api', passwords.api),
    worker: urlOf('trellis_worker', passwords.worker),
    auth: urlOf('trellis_auth', passwords.auth),
  };
}

/** Which passwords are set: those of all roles, or only of the roles that are created. */
export type PasswordsToSet = 'all' | 'of new roles';

/** The URLs of those roles whose passwords were set. */
export type SetUpUrls<P extends PasswordsToSet> = P extends 'all' ? RoleUrls : Partial<RoleUrls>;

/**
 * Creates missing roles, the database and the schema, and sets passwords. It can be repeated.
 * @param adminUrl URL of a role that may create roles and databases; it may name several hosts
 * @param set with `of new roles`, existing roles keep their passwords, which running nodes use
 * @throws the driver's error if a privilege is missing
 */
export async function setUpDatabase<P extends PasswordsToSet = 'all'>(
  adminUrl: string,
  database: string,
  passwords: RolePasswords,
  set?: P,
): Promise<SetUpUrls<P>>;
export async function setUpDatabase(
  adminUrl: string,
  database: string,
  passwords: RolePasswords,
  set: PasswordsToSet = 'all',
): Promise<Partial<RoleUrls>> {
  const urls = roleUrls(adminUrl, database, passwords);
  const changed: Partial<Record<keyof RoleUrls, string>> = {};
  await withClient(adminUrl, async (client) => {
    // Two concurrent set-ups would both find a role missing.
    await client.query(`SELECT pg_advisory_lock(hashtext('trellis database setup'))`);
    for (const name of ['owner', 'api', 'worker', 'auth'] as const) {
      const isNew = await createRole(client, `trellis_${name}`);
      if (!isNew && set !== 'all') continue;
      await setPassword(client, `trellis_${name}`, passwords[name]);
      changed[name] = urls[name];
    }
    await createRole(client, 'trellis_search');
    // The owner gives the search functions to trellis_search, and an administrator without superuser rights gives the
    // database and its schema to the owner: both need membership.
    await client.query('GRANT trellis_search TO trellis_owner');
    await client.query('GRANT trellis_owner TO CURRENT_USER');
    for (const [role, statementTimeout] of [
      ['trellis_api', '5s'],
      ['trellis_worker', '60s'],
      ['trellis_auth', '5s'],
    ] as const) {
      await client.query(`ALTER ROLE ${role} SET statement_timeout = '${statementTimeout}'`);
      await client.query(`ALTER ROLE ${role} SET lock_timeout = '2s'`);
      await client.query(`ALTER ROLE ${role} SET idle_in_transaction_session_timeout = '15s'`);
      await client.query(`ALTER ROLE ${role} SET timezone = 'UTC'`);
      await client.query(`ALTER ROLE ${role} SET datestyle = 'ISO'`);
      await client.query(`ALTER ROLE ${role} SET jit = off`);
    }
    const exists = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (exists.rowCount === 0) {
      await client.query(
        `CREATE DATABASE ${client.escapeIdentifier(database)} OWNER trellis_owner TEMPLATE template0`,
      );
    }
  });
  await withClient(replaceDatabase(adminUrl, database), (client) => setUpSchema(client, database));
  return changed;
}

async function setUpSchema(client: pg.Client, database: string): Promise<void> {
  const name = client.escapeIdentifier(database);
  await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
  await client.query(`GRANT CONNECT ON DATABASE ${name} TO trellis_api, trellis_worker, trellis_auth`);
  // Creating the (trusted) extensions needs CREATE on the database.
  await client.query(`GRANT CONNECT, CREATE ON DATABASE ${name} TO trellis_owner`);
  await client.query('CREATE SCHEMA IF NOT EXISTS trellis AUTHORIZATION trellis_owner');
}

/** @returns whether the role was missing */
async function createRole(client: pg.Client, role: string): Promise<boolean> {
  const exists = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
  if (exists.rowCount === 0) await client.query(`CREATE ROLE ${role}`);
  return exists.rowCount === 0;
}

async function setPassword(client: pg.Client, role: string, password: string): Promise<void> {
  // Only what differs from the defaults of a new role is stated: even naming SUPERUSER or BYPASSRLS needs a superuser.
  await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectToWritable(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
