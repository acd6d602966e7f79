import type { Operation } from './operation.ts';
export function buildOpenApi(operations: readonly Operation[], origin: string): Record<string, unknown> {
  return {
    openapi: '3.1.0',
    servers: [{ url: origin }],
    paths: Object.fromEntries(operations.map(({ path }) => [path, {}])),
  };
}
