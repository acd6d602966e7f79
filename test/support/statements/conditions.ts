/**
 * Whether a statement names the organization, `organization_id = $1`, for every tenant table at every level of it. A level is a SELECT, UPDATE, DELETE or INSERT, also as a subquery or in WITH.
 *
 * The condition may follow from others of the same level, as PostgreSQL derives it: from equal columns in WHERE and ON, from USING, and
 * from a column of a subquery or WITH that is itself `$1`. PostgreSQL also moves a condition into a subquery of FROM, unless that limits,
 * groups or combines rows. What a correlated subquery compares with a column of an outer level does not count.
 */
import type { InsertStmt, Node, ParseResult, RangeVar, SelectStmt } from 'libpg-query';
import { type Catalogue, partsOf } from './catalogue.ts';

/** The columns that a level gives, in order: their names, and whether they are `$1`. */
type Outputs = readonly Output[];

interface Output {
  readonly name: string;
  readonly isOrganization: boolean;
  /** The column that it is, at the level that gives it. */
  readonly column?: Node;
}

/** What a level reads rows from. */
interface Source {
  readonly alias: string;
  /** The name of a tenant table; null for anything else. */
  readonly table: string | null;
  readonly columns: ReadonlySet<string>;
  /** Columns that are `$1`, as far as it is known. */
  readonly organization: Set<string>;
  /** The subquery that the rows come from, and what it gives. */
  readonly subquery?: { readonly node: Node; readonly outputs: Outputs };
}

/** Two equal expressions. `to`: the aliases whose rows the equality restricts; those of all sources when absent. */
interface Equality {
  readonly sides: readonly [Node, Node];
  readonly to?: ReadonlySet<string>;
}

type Common = ReadonlyMap<string, Outputs>;

/** Finds what a statement reads or writes without the organization; one line each. */
export function findMissingConditions({ stmts = [] }: ParseResult, catalogue: Catalogue): string[] {
  const faults: string[] = [];
  for (const { stmt } of stmts) if (stmt !== undefined) new Levels(catalogue, faults).visit(stmt, new Map());
  return faults;
}

class Levels {
  private readonly catalogue: Catalogue;
  private readonly faults: string[];

  constructor(catalogue: Catalogue, faults: string[]) {
    this.catalogue = catalogue;
    this.faults = faults;
  }

  /**
   * Visits a statement or an expression, with the names that WITH gives around it.
   * @param moved the columns that a condition around a subquery restricts to `$1`, by their places
   */
  visit(node: Node, common: Common, moved: ReadonlySet<number> = new Set()): Outputs {
    if ('SelectStmt' in node) return this.select(node.SelectStmt, common, moved);
    if ('InsertStmt' in node) return this.insert(node.InsertStmt, common);
    if ('UpdateStmt' in node) {
      const {
        relation,
        fromClause = [],
        whereClause,
        targetList = [],
        returningClause,
        withClause,
      } = node.UpdateStmt;
      const inner = this.withNames(withClause?.ctes, common);
      return this.level(
        [...(relation === undefined ? [] : [{ RangeVar: relation }]), ...fromClause],
        whereClause,
        targetList,
        returningClause?.exprs ?? [],
        inner,
      );
    }
    if ('DeleteStmt' in node) {
      const { relation, usingClause = [], whereClause, returningClause, withClause } = node.DeleteStmt;
      const inner = this.withNames(withClause?.ctes, common);
      return this.level(
        [...(relation === undefined ? [] : [{ RangeVar: relation }]), ...usingClause],
        whereClause,
        [],
        returningClause?.exprs ?? [],
        inner,
      );
    }
    if ('MergeStmt' in node) this.faults.push('MERGE is not examined');
    for (const part of partsOf(node)) this.visit(part, common);
    return [];
  }

  private withNames(ctes: readonly Node[] | undefined, common: Common): Common {
    const names = new Map(common);
    for (const node of ctes ?? []) {
      if (!('CommonTableExpr' in node)) continue;
      const { ctename = '', ctequery, aliascolnames } = node.CommonTableExpr;
      if (ctequery === undefined) continue;
      const named = (outputs: Outputs) => rename(outputs, aliascolnames);
      // A recursive one reads its own rows, which begin as those of its first part.
      if ('SelectStmt' in ctequery && ctequery.SelectStmt.larg !== undefined) {
        const quiet = new Levels(this.catalogue, []);
        names.set(ctename, named(quiet.select(ctequery.SelectStmt.larg, names)));
        names.set(ctename, named(quiet.select(ctequery.SelectStmt, names)));
      }
      names.set(ctename, named(this.visit(ctequery, names)));
    }
    return names;
  }

  private select(statement: SelectStmt, common: Common, moved: ReadonlySet<number> = new Set()): Outputs {
    const inner = this.withNames(statement.withClause?.ctes, common);
    const { larg, rarg, valuesLists, fromClause = [], whereClause, targetList = [] } = statement;
    if (larg !== undefined && rarg !== undefined) {
      const [left, right] = [this.select(larg, inner), this.select(rarg, inner)];
      return left.map(({ name, isOrganization }, index) => ({
        name,
        isOrganization: isOrganization && right[index]?.isOrganization === true,
      }));
    }
    if (valuesLists !== undefined) {
      const rows = valuesLists.map(partsOf);
      for (const value of rows.flat()) this.visit(value, inner);
      return (rows[0] ?? []).map((_, index) => ({
        name: `column${index + 1}`,
        isOrganization: rows.every((row) => isParameter(row[index])),
      }));
    }
    const {
      sortClause = [],
      groupClause = [],
      havingClause,
      windowClause = [],
      limitCount,
      limitOffset,
    } = statement;
    const further = [...sortClause, ...groupClause, ...windowClause, havingClause, limitCount, limitOffset];
    for (const part of further) if (part !== undefined) this.visit(part, inner);
    const isBarrier = [...groupClause, ...windowClause, limitCount, limitOffset].some(
      (part) => part !== undefined,
    );
    return this.level(fromClause, whereClause, [], targetList, inner, isBarrier ? new Set() : moved);
  }

  private insert(statement: InsertStmt, common: Common): Outputs {
    const { relation, cols = [], selectStmt, onConflictClause, returningClause, withClause } = statement;
    const inner = this.withNames(withClause?.ctes, common);
    const given = selectStmt === undefined ? [] : this.visit(selectStmt, inner);
    const place = cols.findIndex((node) => 'ResTarget' in node && node.ResTarget.name === 'organization_id');
    const table = relation === undefined ? null : this.tenantTable(relation, inner);
    if (table !== null && given[place]?.isOrganization !== true)
      this.faults.push(`inserts into ${table} another organization_id than $1`);
    for (const node of onConflictClause?.targetList ?? []) this.visit(node, inner);
    if (onConflictClause?.whereClause !== undefined) this.visit(onConflictClause.whereClause, inner);
    for (const node of returningClause?.exprs ?? []) this.visit(node, inner);
    return (returningClause?.exprs ?? []).map((node) => ({
      name: outputName(node),
      isOrganization: outputName(node) === 'organization_id',
    }));
  }

  private tenantTable({ schemaname, relname = '' }: RangeVar, common: Common): string | null {
    if (schemaname === undefined && common.has(relname)) return null;
    return this.catalogue.tenantTables.has(relname) ? relname : null;
  }

  /** One level: its sources, conditions and outputs. */
  private level(
    from: readonly Node[],
    where: Node | undefined,
    changes: readonly Node[],
    outputs: readonly Node[],
    common: Common,
    moved: ReadonlySet<number> = new Set(),
  ): Outputs {
    const sources: Source[] = [];
    const equalities: Equality[] = [];
    for (const node of from) this.addSource(node, common, sources, equalities);
    if (where !== undefined) {
      equalities.push(...equalitiesIn(where));
      this.visit(where, common);
    }
    for (const node of [...changes, ...outputs]) this.visit(node, common);
    for (const [index, { column }] of outputs.flatMap((node) => outputsOf(node, sources)).entries())
      if (moved.has(index) && column !== undefined)
        equalities.push({ sides: [column, organizationParameter] });
    derive(sources, equalities);
    for (const { subquery, organization } of sources) {
      if (subquery === undefined) continue;
      const places = subquery.outputs.flatMap(({ name }, index) => (organization.has(name) ? [index] : []));
      this.visit(subquery.node, common, new Set(places));
    }
    for (const { alias, table, organization } of sources)
      if (table !== null && !organization.has('organization_id'))
        this.faults.push(
          `reads ${table}${alias === table ? '' : ` AS ${alias}`} without organization_id = $1`,
        );
    return outputs.flatMap((node) => outputsOf(node, sources));
  }

  /** Adds what an item of FROM reads, and the equalities of its joins; returns its aliases. */
  private addSource(node: Node, common: Common, sources: Source[], equalities: Equality[]): Set<string> {
    if ('RangeVar' in node) {
      const { relname = '', schemaname, alias } = node.RangeVar;
      const name = alias?.aliasname ?? relname;
      const given = schemaname === undefined ? common.get(relname) : undefined;
      const table = this.tenantTable(node.RangeVar, common);
      sources.push(
        given === undefined
          ? {
              alias: name,
              table,
              columns: this.catalogue.columns.get(relname) ?? new Set(),
              organization: new Set(),
            }
          : sourceOf(name, rename(given, alias?.colnames)),
      );
      return new Set([name]);
    }
    if ('RangeSubselect' in node) {
      const { subquery, alias } = node.RangeSubselect;
      const name = alias?.aliasname ?? '';
      if (subquery === undefined) return new Set([name]);
      // Its faults are found when it is known what the conditions around it are.
      const given = new Levels(this.catalogue, []).visit(subquery, common);
      const outputs = rename(given, alias?.colnames);
      sources.push({ ...sourceOf(name, outputs), subquery: { node: subquery, outputs } });
      return new Set([name]);
    }
    if ('JoinExpr' in node) {
      const { larg, rarg, quals, usingClause = [], jointype } = node.JoinExpr;
      const left = larg === undefined ? new Set<string>() : this.addSource(larg, common, sources, equalities);
      const right =
        rarg === undefined ? new Set<string>() : this.addSource(rarg, common, sources, equalities);
      const both = new Set([...left, ...right]);
      const to = { JOIN_INNER: both, JOIN_LEFT: right, JOIN_RIGHT: left }[String(jointype)] ?? new Set();
      for (const column of usingClause.map(textOf)) {
        const ofSide = (aliases: Set<string>) =>
          sources.filter(({ alias, columns }) => aliases.has(alias) && columns.has(column));
        for (const one of ofSide(left))
          for (const other of ofSide(right))
            equalities.push({ sides: [columnOf(one.alias, column), columnOf(other.alias, column)], to });
      }
      if (quals !== undefined) {
        for (const { sides } of equalitiesIn(quals)) equalities.push({ sides, to });
        this.visit(quals, common);
      }
      return both;
    }
    for (const part of partsOf(node)) this.visit(part, common);
    const name = 'RangeFunction' in node ? node.RangeFunction.alias?.aliasname : undefined;
    const columns = 'RangeFunction' in node ? (node.RangeFunction.alias?.colnames ?? []).map(textOf) : [];
    sources.push({ alias: name ?? '', table: null, columns: new Set(columns), organization: new Set() });
    return new Set(name === undefined ? [] : [name]);
  }
}

function sourceOf(alias: string, outputs: Outputs): Source {
  return {
    alias,
    table: null,
    columns: new Set(outputs.map(({ name }) => name)),
    organization: new Set(outputs.flatMap(({ name, isOrganization }) => (isOrganization ? [name] : []))),
  };
}

function rename(outputs: Outputs, names: readonly Node[] | undefined): Outputs {
  const given = (names ?? []).map(textOf);
  return outputs.map(({ name, isOrganization }, index) => ({ name: given[index] ?? name, isOrganization }));
}

/** Carries `$1` from column to column until nothing changes. */
function derive(sources: readonly Source[], equalities: readonly Equality[]): void {
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const { sides, to } of equalities)
      for (const [given, taker] of [sides, [sides[1], sides[0]] as const]) {
        if (!isOrganization(given, sources)) continue;
        for (const { source, column } of findColumns(taker, sources)) {
          if (source.organization.has(column) || to?.has(source.alias) === false) continue;
          source.organization.add(column);
          isChanged = true;
        }
      }
  }
}

function isOrganization(node: Node, sources: readonly Source[]): boolean {
  return (
    isParameter(node) ||
    findColumns(node, sources).some(({ source, column }) => source.organization.has(column))
  );
}

/** `$1`, also with a cast. */
function isParameter(node: Node | undefined): boolean {
  if (node === undefined) return false;
  if ('TypeCast' in node) return isParameter(node.TypeCast.arg);
  return 'ParamRef' in node && node.ParamRef.number === 1;
}

/** The columns that an expression names at this level: several for one that USING merges. */
function findColumns(
  node: Node,
  sources: readonly Source[],
): { readonly source: Source; readonly column: string }[] {
  if (!('ColumnRef' in node)) return [];
  const names = (node.ColumnRef.fields ?? []).map(textOf);
  const column = names.at(-1) ?? '';
  const alias = names.at(-2);
  return sources
    .filter((source) => (alias === undefined ? source.columns.has(column) : source.alias === alias))
    .map((source) => ({ source, column }));
}

/** The equalities that hold for every row: those joined by AND. */
function equalitiesIn(node: Node): Equality[] {
  if ('BoolExpr' in node && node.BoolExpr.boolop === 'AND_EXPR')
    return (node.BoolExpr.args ?? []).flatMap(equalitiesIn);
  if (!('A_Expr' in node) || node.A_Expr.kind !== 'AEXPR_OP') return [];
  const { name = [], lexpr, rexpr } = node.A_Expr;
  if (lexpr === undefined || rexpr === undefined || name.map(textOf).join() !== '=') return [];
  // (a, b) = (c, d) is a = c AND b = d.
  if ('RowExpr' in lexpr && 'RowExpr' in rexpr) {
    const others = rexpr.RowExpr.args ?? [];
    return (lexpr.RowExpr.args ?? []).flatMap((one, index): Equality[] => {
      const other = others[index];
      return other === undefined ? [] : [{ sides: [one, other] }];
    });
  }
  return [{ sides: [lexpr, rexpr] }];
}

function outputsOf(node: Node, sources: readonly Source[]): Outputs {
  const value = 'ResTarget' in node ? node.ResTarget.val : node;
  const names = value !== undefined && 'ColumnRef' in value ? (value.ColumnRef.fields ?? []) : [];
  const last = names.at(-1);
  if (last !== undefined && 'A_Star' in last) {
    const alias = names.length > 1 ? textOf(names[names.length - 2] ?? last) : undefined;
    return sources
      .filter((source) => alias === undefined || source.alias === alias)
      .flatMap(({ alias: of, columns, organization }) =>
        [...columns].map((name) => ({
          name,
          isOrganization: organization.has(name),
          column: columnOf(of, name),
        })),
      );
  }
  if (value === undefined) return [{ name: outputName(node), isOrganization: false }];
  return [{ name: outputName(node), isOrganization: isOrganization(value, sources), column: value }];
}

function outputName(node: Node): string {
  if (!('ResTarget' in node)) return '';
  const { name, val } = node.ResTarget;
  const last = val !== undefined && 'ColumnRef' in val ? val.ColumnRef.fields?.at(-1) : undefined;
  return name ?? (last === undefined ? '' : textOf(last));
}

const organizationParameter: Node = { ParamRef: { number: 1 } };

function columnOf(alias: string, column: string): Node {
  return { ColumnRef: { fields: [alias, column].map((sval) => ({ String: { sval } })) } };
}

function textOf(node: Node): string {
  return 'String' in node ? (node.String.sval ?? '') : '';
}
