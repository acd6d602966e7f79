/** Moves of categories through the queue of changes; the tree shows them at once. */
import { etagOf } from '@trellis/client/response.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useMemo, useState } from 'react';
import { isProblem, ProblemError } from '../../api/problem.ts';
import { useSubmitAndWait } from '../../pending/use-submit-and-wait.ts';
import { useUndo } from '../../records/use-undo.ts';
import { recordPathOf } from '../../resources/places.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { describeError } from '../../ui/problem-text.ts';
import { showToast } from '../../ui/toasts/toasts.ts';
import { texts } from './texts.ts';
import { type Move, type Place, planMove, type Target, type Tree, type TreeRecord } from './tree.ts';

interface Moves {
  /** The categories as they are after the moves that the server has not responded to yet. */
  readonly records: readonly TreeRecord[];
  /** Why a move could not be stored; null when it could. */
  readonly failure: unknown;
  readonly move: (tree: Tree, place: Place, target: Target) => Promise<void>;
}

/** A move that is shown before the list of categories has it. */
interface PendingMove {
  readonly move: Move;
  /** The category as the server returned it for the move; null before that. */
  readonly response: TreeRecord | null;
}

/** @param read the categories as they were read last */
export function useMoves(resource: Resource, siteId: string, read: readonly TreeRecord[]): Moves {
  // Toasts are shown wherever the person is by then.
  const change = useSubmitAndWait(() => true);
  const offerUndo = useUndo();
  const featureText = useFeatureText(texts);
  const text = useText();
  const names = useNames();
  const [pending, setPending] = useState<readonly PendingMove[]>([]);
  const [failure, setFailure] = useState<unknown>(null);
  const records = useMemo(() => applyMoves(read, pending), [read, pending]);

  /** Shows a category where the server has it: there, or as it was read. */
  const settle = (move: Move, response: TreeRecord | null) =>
    setPending((moves) =>
      moves.flatMap((one) => (one.move !== move ? one : response === null ? [] : { move, response })),
    );

  const send = async (move: Move, isAlone: boolean): Promise<void> => {
    const path = `/v1${recordPathOf(resource, siteId, move.id)}`;
    try {
      const result = await change({
        record: move.id,
        label: move.name,
        request: { method: 'PATCH', path, body: move.to, ifMatch: etagOf(move.version) },
        base: move.from,
      });
      const record = result.kind === 'done' ? result.record : null;
      settle(move, record as TreeRecord | null);
      if (record !== null && isAlone) {
        const before = { ...record, ...move.from };
        const done = { resource, path, patch: { ...move.to }, before, after: record };
        offerUndo(done, featureText('moved', { name: move.name }));
      }
    } catch (error) {
      settle(move, null);
      if (!(error instanceof ProblemError)) return setFailure(error);
      const { name } = move;
      const message = isProblem(error, 'version_mismatch')
        ? featureText('changed', { name })
        : featureText('refused', { name, reason: describeError(error, text, names) });
      showToast({ kind: 'failure', message });
    }
  };

  return {
    records,
    failure,
    async move(tree, place, target) {
      setFailure(null);
      const planned = planMove(tree, place, target);
      const added = planned.map((move) => ({ move, response: null }));
      setPending((moves) => [...withoutRead(moves, read), ...added]);
      await Promise.all(planned.map((move) => send(move, planned.length === 1)));
    },
  };
}

/** Applies pending moves to the categories, one after the other. */
function applyMoves(read: readonly TreeRecord[], pending: readonly PendingMove[]): readonly TreeRecord[] {
  const moves = Map.groupBy(pending, ({ move }) => move.id);
  return read.map((record) => (moves.get(record.id) ?? []).reduce(applyMove, record));
}

function applyMove(record: TreeRecord, { move, response }: PendingMove): TreeRecord {
  if (response === null) return { ...record, ...move.to };
  // What was read later shows this move, and what others have done since.
  if (response.version <= record.version) return record;
  const { version, parentId, position } = response;
  return { ...record, version, parentId, position };
}

/** Without the moves that the list of categories has. */
function withoutRead(moves: readonly PendingMove[], read: readonly TreeRecord[]): readonly PendingMove[] {
  const versions = new Map(read.map(({ id, version }) => [id, version]));
  return moves.filter(
    ({ move, response }) => response === null || response.version > (versions.get(move.id) ?? Infinity),
  );
}
