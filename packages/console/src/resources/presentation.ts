/**
 * How records of a resource are presented where that differs from what its declaration says. Features register it, so that nothing general
 * depends on a feature; a resource of which nothing is registered has the pages that are derived from its declaration.
 */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import type { ComponentType } from 'react';
import type { ApiRecord } from '../api/api.ts';
import type { ProblemError } from '../api/problem.ts';
import type { Values } from '../outbox/store/fields.ts';
import type { TextId } from '../text/text.ts';
import type { IconName } from '../ui/icons.tsx';

/** What is said before records are deleted is given these. */
export interface DeletionProps {
  readonly records: readonly ApiRecord[];
  /** Called where it is known before a deletion that other records prevent it; null: nothing is known to. Only the question about one record has it. */
  readonly noteInUse?: (inUse: InUse | null) => void;
}

/** That other records prevent a deletion, as the problem `in_use` says it. */
export interface InUse {
  /** Why, and what can be done. */
  readonly message: string;
  readonly members: ProblemError['members'];
}

/** What is said before records are published is given these. */
export interface PublicationProps {
  readonly parentId: string | null;
  /** As they would be published, or with the fields that a list shows. */
  readonly records: readonly (Values & Pick<ApiRecord, 'id'>)[];
  /** Called with the reason why nothing can be published; null: something can. */
  readonly refuse: (reason: string | null) => void;
}

/** A picture that a record refers to, as a small copy. */
export interface PictureProps {
  readonly id: string;
  /** In a row of a list: so small that it adds nothing to the height. */
  readonly isInRow: boolean;
}

/** The input of a reference to a picture. */
export interface PictureInputProps {
  /** The id of the picture; null for none. */
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  readonly label: string;
  readonly description: string | undefined;
  readonly fault: string | null;
  readonly isRemovable: boolean;
  readonly disabled: boolean;
}

/** The props of a page of one record. */
export interface RecordPageProps {
  readonly resource: Resource;
  readonly parentId: string | null;
  /** `new` for a record that is not created yet. */
  readonly recordId: string;
}

/** What a page of a list is given. */
export type ListPageProps = Omit<RecordPageProps, 'recordId'>;

export interface Presentation {
  readonly icon?: IconName;
  /** The columns that a list shows before others are chosen; by default title, status and instants. */
  readonly columns?: readonly string[];
  /** The picture of a record, where lists can be shown as a gallery: the field that names it, or that only records have which are pictures themselves. */
  readonly gallery?: { readonly field: string; readonly isItself?: boolean };
  /** Read-only fields that interest few: they stand in the folded part of what is said about a record. */
  readonly technicalFields?: readonly string[];
  /** Fields that the page which reads a record shows first, and lets be changed where they are. */
  readonly editedWhereRead?: readonly string[];
  /** Replaces the list. */
  readonly list?: ComponentType<ListPageProps>;
  /** Replaces the page of one record. */
  readonly record?: ComponentType<RecordPageProps>;
  /** Replaces the form for a new record, at `…/new`: for secrets that are shown once, and for uploading files. */
  readonly create?: ComponentType<ListPageProps>;
  /** What the command that makes one is called; by default "New …". */
  readonly createText?: TextId;
  /** Said in the question whether to delete records: what else that has an effect on. */
  readonly beforeDeletion?: ComponentType<DeletionProps>;
  /** Said in the question whether to publish records: what goes live with them, and what readers would miss. */
  readonly beforePublication?: ComponentType<PublicationProps>;
  /** Shows and chooses those of its records that are pictures, where other records refer to them. */
  readonly picture?: {
    readonly Shown: ComponentType<PictureProps>;
    readonly Input: ComponentType<PictureInputProps>;
    /** Said in the question whether to publish a record: that readers would not see a picture of it. */
    readonly BeforePublication: ComponentType<{ readonly id: string }>;
  };
  /** Whether a record may be changed automatically; by default any may. */
  readonly allowsAutosave?: (record: Values) => boolean;
  /** Whether a field of a record may be changed in a list, which shows no more of the record than its columns and its status; by default any may. */
  readonly mayChangeInList?: (field: string, record: Values) => boolean;
}

/** By the name of the resource. */
export type Presentations = Readonly<Record<string, Presentation>>;

const registered = new Map<string, Presentation>();

/** Adds the presentations of a feature, before the first page is shown. */
export function registerPresentations(presentations: Presentations): void {
  for (const [resource, presentation] of Object.entries(presentations))
    registered.set(resource, presentation);
}

/** What is registered for a resource; nothing for one that is derived from its declaration. */
export function presentationOf({ name }: Pick<Resource, 'name'>): Presentation {
  return registered.get(name) ?? {};
}
