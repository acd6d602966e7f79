/**
 * Collects the plans of all statements of a search, including those inside functions, by running the product's own code over a
 * connection that returns plans. Times alone do not show a sequential scan.
 */

import { createModels } from '@trellis/server/features.ts';
import { type Step, type StepResult, step } from '@trellis/server/kernel/database/batch.ts';
import { sendBatch } from '@trellis/server/kernel/database/connections.ts';
import { Database, type Scope } from '@trellis/server/kernel/database/database.ts';
import { listRecords } from '@trellis/server/kernel/pipeline/list/list.ts';
import { modelOf } from '@trellis/server/kernel/pipeline/model.ts';
import { searchRecords } from '@trellis/server/kernel/pipeline/search/search.ts';
import pg from 'pg';
import type { Question } from './search-cases.ts';

/** A statement as it was carried out. */
export interface Plan {
  readonly milliseconds: number;
  /** As of EXPLAIN ANALYZE, with the query before it. */
  readonly text: string;
}

/** Tables that no statement may read as a whole. */
const largeTables = [
  'search_records',
  'search_bodies',
  'knowledge_pages',
  'knowledge_files',
  'contacts',
  'books',
];

/** PostgreSQL plans a prepared statement for its parameters five times; the plan after that is the generic one. */
const runs = 7;

const nameScope = {
  name: 'plan_scope',
  text: `SELECT set_config('trellis.organization', $1, true), set_config('trellis.user', $2, true)`,
};

/** Reads over one connection of an administrator that has switched to the serving role, and collects plans. */
class PlanningDatabase extends Database {
  readonly plans: Plan[] = [];
  private readonly client: pg.Client;

  constructor(url: string, client: pg.Client) {
    super({
      url,
      poolSize: 1,
      prepare: true,
      acquireTimeoutMs: 1_000,
      applicationName: 'trellis bench',
      log: () => undefined,
    });
    this.client = client;
    client.on('notice', ({ message = '' }) => {
      const duration = /^duration: ([\d.]+) ms\s+plan:\n/.exec(message);
      if (duration !== null && message.includes('trellis.') && !message.includes('set_config'))
        this.plans.push({ milliseconds: Number(duration[1]), text: message.slice(duration[0].length) });
    });
  }

  override async query(scope: Scope, steps: readonly Step[]): Promise<StepResult[]> {
    const name = step(nameScope, [scope.organizationId, scope.userId ?? '']);
    return (await sendBatch(this.client, [name, ...steps], true)).slice(1);
  }

  override async queryTogether(scope: Scope, read: Step): Promise<StepResult> {
    const [result] = await this.query(scope, [read]);
    if (result === undefined) throw new Error(`${read.statement.name} has no result`);
    return result;
  }
}

/** Opens a connection that collects plans. */
export async function openPlanner(adminUrl: string) {
  const client = new pg.Client({ connectionString: adminUrl });
  client.on('error', () => undefined); // the server is stopped under it at the end
  await client.connect();
  await client.query(`LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_analyze = on;
    SET auto_explain.log_nested_statements = on; SET auto_explain.log_timing = off; SET auto_explain.log_level = notice;
    SET auto_explain.log_parameter_max_length = 100; SET jit = off; SET role = trellis_api`);
  const database = new PlanningDatabase(adminUrl, client);
  const models = createModels();
  return {
    /** Asks once for each of the first texts, over and over, and gives the plans of the last time. */
    async plansOf(question: Question, scope: Scope): Promise<Plan[]> {
      const model = modelOf(models, question.resource);
      const common = { ...scope, parentId: null, country: 'DE', after: null };
      for (let run = 0; run < runs; run += 1) {
        database.plans.length = 0;
        const text = question.texts[run % question.texts.length] ?? null;
        if (question.way === 'search')
          await searchRecords(database, models, model, {
            ...common,
            query: text ?? '',
            limit: 20,
            perspective: 'working',
            sources: model.resource.searchSources,
          });
        else
          await listRecords(database, model, {
            ...common,
            filters: {},
            ids: null,
            search: text,
            sort: question.sort ?? '-createdAt',
            limit: 25,
            perspective: 'working',
            width: 'full',
            fields: null,
          });
      }
      return [...database.plans];
    },
    async close() {
      await client.end();
      await database.close();
    },
  };
}

/** The large tables that a plan reads as a whole. */
export function wholeTables({ text }: Plan): string[] {
  return largeTables.filter((table) => new RegExp(`Seq Scan on (?:trellis\\.)?${table}\\b`).test(text));
}
