/**
 * What Citus refuses in changes of a distributed table, although the change is for one organization (its source:
 * `planner/multi_router_planner.c`, `ModifyPartialQuerySupported`, `TargetlistAndFunctionsSupported` and `ErrorIfOnConflictNotSupported`),
 * and what it carries out elsewhere than with the organization. Of an `INSERT … SELECT` that it carries out in two steps, the second one loses the
 * types of parameters ("could not determine data type of parameter $1"). A change of a table that is on every server, such as `users`, names no table
 * that is on the coordinator alone ("relation passkeys is not distributed").
 *
 * Types are not known here: of operators, only the sum with an interval counts as stable, and casts count as immutable.
 */
import { referenceTables } from '@trellis/server/database/distribution/tables.ts';
import type { Node, ParseResult } from 'libpg-query';
import { type Catalogue, partsOf } from './catalogue.ts';

/** A call of a function that is not immutable. */
interface Call {
  readonly name: string;
  readonly isVolatile: boolean;
  readonly hasColumn: boolean;
}

/** Finds the constructs of a statement that Citus refuses; one line each. */
export function findRefused({ stmts = [] }: ParseResult, catalogue: Catalogue): string[] {
  const faults: string[] = [];
  const visit = (node: Node): void => {
    faults.push(...refusedIn(node, catalogue));
    partsOf(node).forEach(visit);
  };
  for (const { stmt } of stmts) {
    if (stmt === undefined) continue;
    visit(stmt);
    if (
      has(stmt, (part) => readsDefiner(part, catalogue)) &&
      !has(stmt, (part) => readsTenantTable(part, catalogue))
    )
      faults.push('reads a function of the schema and no table, so the coordinator would execute it');
  }
  return faults;
}

function has(node: Node, test: (inner: Node) => boolean): boolean {
  return test(node) || partsOf(node).some((inner) => has(inner, test));
}

/** Whether rows are read from a function that reads tables with the rights of its owner. */
function readsDefiner(node: Node, { definers }: Catalogue): boolean {
  if (!('RangeFunction' in node)) return false;
  return has(node, (part) => {
    return 'FuncCall' in part && definers.has(lastName(part.FuncCall.funcname ?? []));
  });
}

function readsTenantTable(node: Node, { tenantTables }: Catalogue): boolean {
  return 'RangeVar' in node && tenantTables.has(node.RangeVar.relname ?? '');
}

const copied: ReadonlySet<string> = new Set(referenceTables);

/** Whether a node reads or changes a table of the schema that is on the coordinator alone. */
function namesLocalTable(node: Node, { tenantTables, columns }: Catalogue): boolean {
  const name = 'RangeVar' in node ? node.RangeVar.relname : changeOf(node)?.relation?.relname;
  return name !== undefined && columns.has(name) && !tenantTables.has(name) && !copied.has(name);
}

/** The change that a node is; undefined for others. */
function changeOf(node: Node) {
  if ('UpdateStmt' in node) return node.UpdateStmt;
  if ('DeleteStmt' in node) return node.DeleteStmt;
  return 'InsertStmt' in node ? node.InsertStmt : undefined;
}

const isChange = (node: Node) => changeOf(node) !== undefined;

/** What is refused in the outermost statement of a node, if it changes a tenant table. */
function refusedIn(node: Node, catalogue: Catalogue): string[] {
  const statement = changeOf(node);
  if (statement === undefined) return [];
  const changed = statement.relation?.relname ?? '';
  if (copied.has(changed) && has(node, (part) => namesLocalTable(part, catalogue)))
    return [`changes ${changed} and names a table that is on the coordinator alone`];
  if (!catalogue.tenantTables.has(changed)) return [];
  const calls = (parts: readonly Node[]) => parts.flatMap((part) => callsIn(part, catalogue));
  const returning = calls(statement.returningClause?.exprs ?? []).map(
    ({ name }) => `calls ${name} in RETURNING`,
  );
  if ('InsertStmt' in node) {
    const { onConflictClause: conflict, selectStmt, withClause } = node.InsertStmt;
    const condition = conflict?.whereClause;
    const updated = [...(conflict?.targetList ?? []), ...(condition === undefined ? [] : [condition])];
    return [
      ...returning,
      ...calls(updated).map(({ name }) => `calls ${name} in DO UPDATE`),
      ...(selectStmt === undefined ? [] : refusedSelect(selectStmt)),
      ...(withClause?.ctes?.some((part) => has(part, isChange)) ? ['inserts behind a change in WITH'] : []),
      ...(selectStmt !== undefined &&
      isSelect(selectStmt) &&
      !selectsFromTenantTable(selectStmt, catalogue) &&
      updated.some((part) => has(part, (inner) => 'ParamRef' in inner))
        ? ['names a parameter in DO UPDATE, of rows that are selected from no tenant table']
        : []),
      ...(selectStmt === undefined ||
      conflict !== undefined ||
      statement.returningClause !== undefined ||
      !isSelect(selectStmt) ||
      has(selectStmt, (part) => readsTenantTable(part, catalogue))
        ? []
        : ['inserts selected rows by COPY, because it returns nothing']),
    ];
  }
  const { ctes = [] } = statement.withClause ?? {};
  const { whereClause, targetList = [] } =
    'UpdateStmt' in node ? node.UpdateStmt : { ...statement, targetList: [] };
  const own = [...targetList, ...(whereClause === undefined ? [] : [whereClause])];
  return [
    ...returning,
    ...(ctes.some((part) => has(part, (inner) => 'InsertStmt' in inner)) ? ['inserts in WITH'] : []),
    ...calls([node]).flatMap(({ name, isVolatile }) =>
      isVolatile ? [`calls ${name}, which is volatile`] : [],
    ),
    ...calls(own.flatMap(withoutSubqueries)).flatMap(({ name, isVolatile, hasColumn }) =>
      hasColumn && !isVolatile ? [`calls ${name}, which is stable, with a column`] : [],
    ),
    ...own
      .flatMap(withoutSubqueries)
      .flatMap(conditionalsIn)
      .flatMap((part) => calls([part]).map(({ name }) => `calls ${name} in CASE or coalesce`)),
  ];
}

function isSelect(node: Node): boolean {
  return 'SelectStmt' in node && node.SelectStmt.valuesLists === undefined;
}

/** Whether the rows come from a table with an organization, so that the statement is executed where they are. */
function selectsFromTenantTable(node: Node, catalogue: Catalogue): boolean {
  if (!('SelectStmt' in node)) return false;
  const { fromClause = [] } = node.SelectStmt;
  return fromClause.some((part) => has(part, (inner) => readsTenantTable(inner, catalogue)));
}

/** `INSERT … SELECT` of a set that the select list makes, and subqueries in VALUES. */
function refusedSelect(node: Node): string[] {
  if (!('SelectStmt' in node)) return [];
  const { valuesLists = [], targetList = [] } = node.SelectStmt;
  const isSet = (part: Node) =>
    'FuncCall' in part && ['unnest', 'generate_series'].includes(lastName(part.FuncCall.funcname ?? []));
  return [
    ...(targetList.some((part) => has(part, isSet)) ? ['inserts a set that the select list makes'] : []),
    ...(valuesLists.some((part) => has(part, (inner) => 'SubLink' in inner))
      ? ['inserts a subquery in VALUES']
      : []),
  ];
}

/** The calls in a node, at any depth. */
function callsIn(node: Node, catalogue: Catalogue): Call[] {
  const inner = partsOf(node).flatMap((part) => callsIn(part, catalogue));
  const hasColumn = hasColumnIn(node);
  if ('SQLValueFunction' in node) return [{ name: 'CURRENT_…', isVolatile: false, hasColumn }];
  if (
    'A_Expr' in node &&
    ['+', '-'].includes(lastName(node.A_Expr.name ?? [])) &&
    partsOf(node).some(isInterval)
  )
    return [...inner, { name: 'the sum with an interval', isVolatile: false, hasColumn }];
  if (!('FuncCall' in node)) return inner;
  const name = lastName(node.FuncCall.funcname ?? []);
  const count = node.FuncCall.args?.length ?? 0;
  const matching = (catalogue.mutable.get(name) ?? []).filter(
    ({ fewest, most }) => fewest <= count && count <= most,
  );
  if (matching.length === 0) return inner;
  return [...inner, { name, isVolatile: matching.some(({ isVolatile }) => isVolatile), hasColumn }];
}

function isInterval(node: Node): boolean {
  if ('TypeCast' in node) return lastName(node.TypeCast.typeName?.names ?? []) === 'interval';
  if ('FuncCall' in node) return lastName(node.FuncCall.funcname ?? []) === 'make_interval';
  return 'A_Expr' in node && lastName(node.A_Expr.name ?? []) === '*' && partsOf(node).some(isInterval);
}

function hasColumnIn(node: Node): boolean {
  return 'ColumnRef' in node || partsOf(node).some(hasColumnIn);
}

function conditionalsIn(node: Node): Node[] {
  return 'CaseExpr' in node || 'CoalesceExpr' in node ? [node] : partsOf(node).flatMap(conditionalsIn);
}

/** The parts of an expression outside its subqueries, whose own levels Citus plans. */
function withoutSubqueries(node: Node): Node[] {
  if (!hasSubquery(node)) return [node];
  return 'SubLink' in node ? [] : partsOf(node).flatMap(withoutSubqueries);
}

function hasSubquery(node: Node): boolean {
  return 'SubLink' in node || partsOf(node).some(hasSubquery);
}

function lastName(names: readonly Node[]): string {
  const last = names.at(-1);
  return last !== undefined && 'String' in last ? (last.String.sval ?? '') : '';
}
