// A server with one query, as small as it can be: what a start costs at least.
import Fastify from 'fastify';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.TRELLIS_DATABASE_URL });
const app = Fastify();
app.get('/', async () => (await pool.query('SELECT 1 AS one')).rows);
await pool.query('SELECT 1');
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`${JSON.stringify({ event: 'ready', url, metricsUrl: null })}\n`);
process.once('SIGTERM', async () => {
  await app.close();
  await pool.end();
});
