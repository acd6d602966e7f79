/**
 * Writes that are sent at once, and do not go through the queue of changes: administration, whose responses may contain secrets that
 * must not be stored in the browser, and whose pages say at once whether it was done.
 */

import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { OperationRequest } from '@trellis/client/api-client.ts';
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import { useState } from 'react';
import { isProblem, ProblemError } from '../api/problem.ts';
import { StepUpCancelled, useStepUp } from '../api/proof.ts';
import { readAgain } from '../resources/read-again.ts';
import { useWorkspace } from '../session/workspace.ts';

interface Options<Body> {
  /** What is read again afterwards, and when the record is not what the page shows. */
  readonly changes: readonly QueryKey[];
  /** Called with the body of the response. */
  readonly done?: (body: Body) => void;
}

/**
 * Sends the request of an operation (`requestOf`) that writes, with a fresh proof of who one is where it needs one. A request without a definite response keeps its key, so that it
 * is done once when the person tries again; after a response the same request is a new one.
 */
export function useWrite<Body>({ changes, done }: Options<Body>) {
  const { api } = useWorkspace();
  const withStepUp = useStepUp();
  const queries = useQueryClient();
  const [keys] = useState(() => new Map<string, string>());
  const readChanges = () => Promise.all(changes.map((queryKey) => readAgain(queries, queryKey)));
  const mutation = useMutation({
    mutationFn: async (request: OperationRequest<Body>) => {
      const name = JSON.stringify(request);
      const idempotencyKey = keys.get(name) ?? makeIdempotencyKey();
      keys.set(name, idempotencyKey);
      try {
        const body = await withStepUp(() => api.write({ ...request, idempotencyKey }));
        keys.delete(name);
        return body;
      } catch (error) {
        if (error instanceof ProblemError && error.status !== null && error.status < 500) keys.delete(name);
        throw error;
      }
    },
    onSuccess: async (body) => {
      done?.(body);
      await readChanges();
    },
    // What the page shows is not what would be changed.
    onError: (error) => (isProblem(error, 'version_mismatch') ? readChanges() : undefined),
  });
  const failure = mutation.error instanceof StepUpCancelled ? null : mutation.error;
  return { ...mutation, failure };
}
