/**
 * What Citus refuses in a migration of a distributed database although PostgreSQL accepts it, found in its text. Where a statement that does the same
 * is accepted by both, the rule names it. Tried with Citus 13.2.2.
 */
import type { AlterTableCmd, Node } from 'libpg-query';
import { parseSync } from 'libpg-query';
import { partsOf } from './catalogue.ts';

/** Finds what is refused in the statements of a text; one line each, with what to write instead. */
export function findRefusedChanges(sql: string): string[] {
  return (parseSync(sql).stmts ?? []).flatMap(({ stmt }) => (stmt === undefined ? [] : refusedIn(stmt)));
}

function refusedIn(statement: Node): string[] {
  if ('AlterTableStmt' in statement) return refusedActions(statement.AlterTableStmt.cmds ?? []);
  if ('CreatePolicyStmt' in statement || 'AlterPolicyStmt' in statement)
    return hasSubquery(statement)
      ? [
          'a policy with a subquery: give it a second form that calls a function, on lines with "-- distributed:"',
        ]
      : [];
  if ('CreateTrigStmt' in statement || 'RuleStmt' in statement) return ['a trigger or a rule'];
  if ('RenameStmt' in statement && statement.RenameStmt.renameType === 'OBJECT_TABCONSTRAINT')
    return ['renaming a constraint: add it under its new name, and drop the old one, in two statements'];
  if ('IndexStmt' in statement && statement.IndexStmt.concurrent === true)
    return ['CREATE INDEX CONCURRENTLY, which no transaction may have'];
  return [];
}

const constraints: ReadonlySet<string> = new Set([
  'CONSTR_CHECK',
  'CONSTR_UNIQUE',
  'CONSTR_PRIMARY',
  'CONSTR_FOREIGN',
]);
const unsupported: ReadonlySet<string> = new Set(['AT_SetStatistics', 'AT_SetStorage']);

function refusedActions(actions: readonly Node[]): string[] {
  const commands = actions.flatMap((node) => ('AlterTableCmd' in node ? [node.AlterTableCmd] : []));
  const adds = commands.some(({ subtype }) => subtype === 'AT_AddConstraint');
  return [
    ...(adds && commands.length > 1
      ? ['ADD CONSTRAINT beside another action: write one ALTER TABLE for each']
      : []),
    ...commands.flatMap((command) => refusedAction(command)),
  ];
}

function refusedAction({ subtype, def }: AlterTableCmd): string[] {
  if (subtype !== undefined && unsupported.has(subtype)) return [`${subtype} of a column`];
  const added = def !== undefined && 'ColumnDef' in def ? (def.ColumnDef.constraints ?? []) : [];
  const isConstrained = added.some(
    (one) => 'Constraint' in one && constraints.has(one.Constraint.contype ?? ''),
  );
  return subtype === 'AT_AddColumn' && isConstrained
    ? ['a new column with a constraint: add the constraint by an ALTER TABLE of its own, with its name']
    : [];
}

function hasSubquery(node: Node): boolean {
  return 'SubLink' in node || partsOf(node).some(hasSubquery);
}
