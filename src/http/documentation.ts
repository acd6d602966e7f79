import type { FastifyInstance } from 'fastify';
import type { Operation } from './operation.ts';
export async function registerDocumentation(
  _app: FastifyInstance,
  _operations: readonly Operation[],
  _origin: () => string,
): Promise<void> {}
