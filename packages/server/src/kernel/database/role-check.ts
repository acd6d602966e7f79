/**
 * Refuses to start as a role that bypasses row-level security: with an administrator's URL, the server would work
 * without isolation.
 */
import type { Database } from './database.ts';
import { defineRow, flag, nullable, text } from './row.ts';

/** The role must not serve; the message says why and which role to use. */
export class UnsafeRoleError extends Error {
  constructor(role: string, reason: string) {
    super(
      `The database role "${role}" ${reason}, so the isolation of organizations would not hold for it. ` +
        'Serve as trellis_api: "trellis database setup" makes that role and prints its URL.',
    );
    this.name = 'UnsafeRoleError';
  }
}

const roleRow = defineRow({
  name: text('current_user'),
  isSuperuser: flag('rolsuper'),
  bypasses: flag('rolbypassrls'),
  owner: nullable(
    text(`(SELECT string_agg(DISTINCT pg_get_userbyid(c.relowner), ', ')
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'trellis' AND c.relkind IN ('r', 'p') AND pg_has_role(current_user, c.relowner, 'MEMBER'))`),
  ),
  powerful: nullable(
    text(`(SELECT string_agg(r.rolname, ', ') FROM pg_roles r
      WHERE (r.rolsuper OR r.rolbypassrls) AND r.rolname <> current_user AND pg_has_role(current_user, r.oid, 'MEMBER'))`),
  ),
});

/**
 * @throws UnsafeRoleError for a superuser, a role with BYPASSRLS, and a role that owns tables or may become their owner
 */
export async function checkServingRole(database: Database): Promise<void> {
  const [row] = await database.run(`SELECT ${roleRow.list} FROM pg_roles WHERE rolname = current_user`);
  if (row === undefined) throw new Error('the role that serves is not among the roles');
  const { name, isSuperuser, bypasses, owner, powerful } = roleRow.read(row);
  if (isSuperuser) throw new UnsafeRoleError(name, 'is a superuser');
  if (bypasses) throw new UnsafeRoleError(name, 'bypasses row-level security (BYPASSRLS)');
  if (owner !== null)
    throw new UnsafeRoleError(name, `owns the tables, or may act as their owner (${owner})`);
  if (powerful !== null)
    throw new UnsafeRoleError(name, `may act as ${powerful}, which row-level security does not bind`);
}
