/**
 * Writes that are sent at once, and do not go through the queue of changes: administration, whose responses may contain secrets that
 * must not be stored in the browser, and whose pages say at once whether it was done.
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
import { readAgain } from '../resources/read-again.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useDraftCheck } from './use-draft-check.ts';

/** What a request creates or changes. */
interface Written {
  readonly resource: Resource;
  /** As the page shows it; null or absent for a new one. */
  readonly record?: Values | null;
}

interface Options<Body> {
  /** Checked by its rules before anything is sent; their faults are those of the request. */
  readonly written?: Written;
  /** What is read again afterwards, and when the record is not what the page shows. */
  readonly changes: readonly QueryKey[];
  /** Called with the body of the response. */
  readonly done?: (body: Body) => void;
}

/**
 * Sends the request of an operation (`requestOf`) that writes, with a fresh proof of who one is where it needs one. A request without a definite response keeps its key, so that it
 * is done once when the person tries again; after a response the same request is a new one.
 */
export function useWrite<Body>({ written, changes, done }: Options<Body>) {
  const findFaults = useDraftCheck(written !== undefined);
  const { api } = useWorkspace();
  const withStepUp = useStepUp();
  const queries = useQueryClient();
  const [keys] = useState(() => new Map<string, string>());
  const readChanges = () => Promise.all(changes.map((queryKey) => readAgain(queries, queryKey)));
  const mutation = useMutation({
    mutationFn: async (request: OperationRequest<Body>) => {
      const { body } = request;
      if (written !== undefined && isPlainObject(body)) {
        const errors = findFaults(written.resource, written.record ?? null, draftOf(body));
        if (errors.length > 0) throw toRejection(errors);
      }
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

/** The values of a body by the dotted names of their fields. */
function draftOf(body: Values): Draft {
  return Object.fromEntries(namesIn(body).map((name) => [name, valueAt(body, name)]));
}

/** The problem that the server would respond with. */
function toRejection(errors: readonly Fault[]): ProblemError {
  const detail = errors.map((fault) => fault.detail).join(' ');
  return new ProblemError({ code: 'validation_failed', status: null, detail, members: { errors } });
}
