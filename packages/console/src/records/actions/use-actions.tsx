/** The actions that a resource declares, on one of its records: which are offered, why one is refused, and the dialog before it. */
import { useQueryClient } from '@tanstack/react-query';
import { etagOf } from '@trellis/client/response.ts';
import { type ActionDeclaration, actionPath, isOfferedFor } from '@trellis/schema/resources/actions.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { checkRight, rightFor } from '@trellis/schema/rights/check-right.ts';
import { type ReactNode, useRef, useState } from 'react';
import type { ApiRecord } from '../../api/api.ts';
import { StepUpCancelled } from '../../api/proof.ts';
import type { Draft } from '../../fields/draft.ts';
import type { Values } from '../../outbox/store/fields.ts';
import { recordPathOf } from '../../resources/places.ts';
import { recordKeys } from '../../resources/queries.ts';
import { titleOf } from '../../resources/values.ts';
import { useRightRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useLocalized } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { describeError } from '../../ui/problem-text.ts';
import { showToast } from '../../ui/toasts/toasts.ts';
import { useShowSecret } from '../SecretDialog.tsx';
import { useWrite } from '../use-write.ts';
import { ActionDialog } from './ActionDialog.tsx';

export interface ActedOn {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly record: ApiRecord;
  /** The id or number of the part of the record whose actions are offered; absent: those on the record as a whole are. */
  readonly part?: string;
  /** Why actions are refused for this record, by their names, beyond what rights say. */
  readonly refusals?: Readonly<Record<string, string | null>>;
  /** What inputs begin with, by the name of the action. */
  readonly initial?: Readonly<Record<string, Draft>>;
  /** Stores the edits that exist only on the page, which come before an action. */
  readonly store?: (() => Promise<void>) | undefined;
}

/** An action that is offered. */
export interface OfferedAction {
  readonly name: string;
  readonly label: string;
  readonly showsSecret: boolean;
  /** Null: it may be done. */
  readonly refusal: string | null;
  readonly isPending: boolean;
  /** Opens its dialog, or does it where it has none. */
  readonly ask: () => void;
}

interface Actions {
  readonly offered: readonly OfferedAction[];
  /** The dialog that is open. */
  readonly dialog: ReactNode;
}

export function useActions({
  resource,
  parentId,
  record,
  part,
  refusals = {},
  initial = {},
  store,
}: ActedOn): Actions {
  const text = useText();
  const names = useNames();
  const localize = useLocalized();
  const queries = useQueryClient();
  const showSecret = useShowSecret();
  const refusalOf = useRefusalOf(record);
  const [opened, setOpened] = useState<string | null>(null);
  /** What was sent, so that its response is understood also when the part of the page is gone. */
  const sent = useRef<ActionDeclaration | null>(null);
  const name = titleOf(resource, record);
  const write = useWrite<Values>({
    changes: [recordKeys.all(resource)],
    done: (body) => {
      const { returns, texts } = sent.current ?? {};
      setOpened(null);
      if (typeof returns !== 'object') keep(body);
      if (returns === 'secret') showSecret(resource, body, write.reset);
      if (texts?.done !== undefined)
        showToast({ kind: 'done', message: localize(texts.done, { ...plainValues(body), name }) });
    },
  });
  /** The next change names this version, also before the record has been read again. A secret is not kept. */
  const keep = (body: Values) => {
    const { [resource.secret?.member ?? '']: _shownOnce, ...plain } = body;
    queries.setQueryData(recordKeys.record(resource, String(body.id)), plain);
  };
  const send = (action: ActionDeclaration, body: object | null) => {
    sent.current = action;
    const path = `/v1${recordPathOf(resource, parentId, record.id)}/${actionPath(action, part)}`;
    return write.mutateAsync({ method: 'POST', path, body, ifMatch: etagOf(record.version) });
  };
  const sendAtOnce = (action: ActionDeclaration) =>
    send(action, null).catch((error: unknown) => {
      if (error instanceof StepUpCancelled) return;
      showToast({ kind: 'failure', message: describeError(error, text, names) });
    });
  const ask = async (key: string, action: ActionDeclaration) => {
    if (write.isPending) return;
    await store?.();
    write.reset();
    if (action.texts?.about === undefined && action.input === undefined) await sendAtOnce(action);
    else setOpened(key);
  };
  const declared = Object.entries<ActionDeclaration>(resource.actions ?? {});
  const offered = declared.flatMap(([key, action]): OfferedAction[] => {
    const isOnPart = action.part !== undefined;
    if (action.texts === undefined || isOnPart !== (part !== undefined)) return [];
    if (!isOfferedFor(action, record)) return [];
    return [
      {
        name: key,
        label: localize(action.texts.label),
        showsSecret: action.returns === 'secret',
        refusal: refusalOf(resource, action) ?? refusals[key] ?? null,
        isPending: write.isPending && sent.current === action,
        ask: () => void ask(key, action),
      },
    ];
  });
  const action = opened === null ? undefined : resource.actions?.[opened];
  return {
    offered,
    dialog: opened !== null && action?.texts !== undefined && (
      <ActionDialog
        action={{ ...action, texts: action.texts }}
        name={name}
        parentId={parentId}
        initial={initial[opened] ?? {}}
        isPending={write.isPending}
        failure={write.failure}
        confirm={(body) => void send(action, body).catch(() => undefined)}
        close={() => setOpened(null)}
      />
    ),
  };
}

/** Gives the reason for which rights refuse an action on the record; null where they permit it. */
function useRefusalOf(record: ApiRecord): (resource: Resource, action: ActionDeclaration) => string | null {
  const refusalOf = useRightRefusal();
  const text = useText();
  const { rights, signedIn } = useWorkspace();
  return (resource, { right }) => {
    const needed = rightFor(resource, right);
    const refused = refusalOf(needed);
    if (refused !== null) return refused;
    const isOwnOnly = checkRight(rights, needed) === 'own';
    return isOwnOnly && record.createdBy !== signedIn.user.id ? text('missing.own') : null;
  };
}

/** The members of a response that a text can have. */
function plainValues(body: Values): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [],
    ),
  );
}
