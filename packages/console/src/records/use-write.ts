/**
 * Writes that bypass the queue of changes: administration, whose responses may contain secrets that must not be stored in the browser, and
 * whose pages report the result immediately.
 */

import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { OperationRequest } from '@trellis/client/api-client.ts';
import { makeIdempotencyKey } from '@trellis/client/keys.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { useState } from 'react';
import { type Fault, isProblem, ProblemError } from '../api/problem.ts';
import { StepUpCancelled, useStepUp } from '../api/proof.ts';
import type { Draft } from '../fields/draft.ts';
import { namesIn, type Values } from '../outbox/store/fields.ts';
import { refreshQueries } from '../resources/refresh-queries.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useDraftCheck } from './use-draft-check.ts';

/** The record that a request creates or changes. */
interface Written {
  readonly resource: Resource;
  /** The displayed record; null or absent for a new one. */
  readonly record?: Values | null;
}

interface Options<Body> {
  /** Validated before sending; its faults are reported like those of the server. */
  readonly written?: Written;
  /** Queries to refresh after the write, and when the displayed record is outdated. */
  readonly changes: readonly QueryKey[];
  readonly done?: (body: Body) => void;
}

/**
 * Sends the request of a write operation (`requestOf`), with a fresh proof of identity if required. A request without a definite response
 * keeps its idempotency key and the version that it named, so that a retry by the user executes it once, also when the page shows the
 * version that it has made; after a response, the same request gets a new key.
 */
export function useWrite<Body>({ written, changes, done }: Options<Body>) {
  const findFaults = useDraftCheck(written !== undefined);
  const { api } = useWorkspace();
  const withStepUp = useStepUp();
  const queries = useQueryClient();
  const [unconfirmed] = useState(
    () => new Map<string, OperationRequest<Body> & { readonly idempotencyKey: string }>(),
  );
  const readChanges = () => Promise.all(changes.map((queryKey) => refreshQueries(queries, queryKey)));
  const mutation = useMutation({
    // A response may have a secret.
    gcTime: 0,
    mutationFn: async (request: OperationRequest<Body>) => {
      const { body } = request;
      if (written !== undefined && isPlainObject(body)) {
        const errors = findFaults(written.resource, written.record ?? null, draftOf(body));
        if (errors.length > 0) throw toRejection(errors);
      }
      const name = JSON.stringify({ ...request, ifMatch: undefined });
      const sent = unconfirmed.get(name) ?? { ...request, idempotencyKey: makeIdempotencyKey() };
      unconfirmed.set(name, sent);
      try {
        const body = await withStepUp(() => api.write(sent));
        unconfirmed.delete(name);
        return body;
      } catch (error) {
        if (error instanceof ProblemError && error.status !== null && error.status < 500)
          unconfirmed.delete(name);
        throw error;
      }
    },
    onSuccess: async (body) => {
      done?.(body);
      await readChanges();
    },
    // The displayed record is outdated.
    onError: (error) =>
      isProblem(error, 'version_mismatch', 'invalid_transition', 'not_found') ? readChanges() : undefined,
  });
  const failure = mutation.error instanceof StepUpCancelled ? null : mutation.error;
  return { ...mutation, failure };
}

/** The values of a body, by dotted field name. */
function draftOf(body: Values): Draft {
  return Object.fromEntries(namesIn(body).map((name) => [name, valueAt(body, name)]));
}

/** Converts local faults to the problem that the server would return. */
function toRejection(errors: readonly Fault[]): ProblemError {
  const detail = errors.map((fault) => fault.detail).join(' ');
  return new ProblemError({ code: 'validation_failed', status: null, detail, members: { errors } });
}
