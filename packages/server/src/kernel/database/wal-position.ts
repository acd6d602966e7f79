/**
 * Positions in the primary's write-ahead log: what has been committed up to a position is visible on a standby that has replayed it.
 * A position includes the timeline, because after a failover the same numbers stand for other changes.
 */
import type { Row, Statement, Step } from './batch.ts';
import { step } from './batch.ts';

/**
 * A position: 8 hexadecimal digits of the timeline and 16 of the LSN, so that texts compare like positions; `anyPosition` comes before
 * all.
 */
export type WalPosition = string;

/** The position of a read without a required write. */
export const anyPosition: WalPosition = '';

/** The later one of two positions. */
export function laterPosition(left: WalPosition, right: WalPosition): WalPosition {
  return left > right ? left : right;
}

export function isPosition(text: string): boolean {
  return /^[0-9A-F]{24}$/.test(text);
}

/** The timeline of a position. */
export function timelineOf(position: WalPosition): string {
  return position.slice(0, 8);
}

/** The position as PostgreSQL's type `pg_lsn`. */
export function lsnOf(position: WalPosition): string {
  return `${position.slice(8, 16)}/${position.slice(16)}`;
}

/** A position by its parts, as PostgreSQL returns them. @param timeline hexadecimal */
export function positionOf(timeline: string, lsn: string): WalPosition {
  const [high = '', low = ''] = lsn.split('/');
  return `${timeline.padStart(8, '0')}${high.padStart(8, '0')}${low.padStart(8, '0')}`.toUpperCase();
}

/**
 * A part of a select list: the cluster, the database and the role. The role of the primary was checked when the node started; any other might
 * bypass row-level security.
 */
export const sourceList = `concat_ws(' ', (SELECT system_identifier FROM pg_control_system()), current_database(), current_user)`;

/**
 * Reads the position of the primary: where the next record will be, so that it is behind every commit that was acknowledged, also where
 * `synchronous_commit` is off and the commit is not on disk yet. A standby refuses the statement. With it comes what a replica must have in
 * common with the primary, see `sourceList`.
 */
const currentPosition: Statement = {
  name: 'current_wal_position',
  text: `SELECT pg_current_wal_insert_lsn(), left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
    ${sourceList}`,
};
/** The same statement for use after a COMMIT. */
const commitPosition: Statement = {
  name: 'commit_wal_position',
  text: `SELECT pg_current_wal_insert_lsn(), left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`,
};

export const positionStep: Step = step(currentPosition);
export const commitPositionStep: Step = step(commitPosition);

/** The position that one of these steps has read. */
export function readPosition(row: Row | undefined): WalPosition {
  const [lsn, timeline] = row ?? [];
  if (lsn == null || timeline == null) throw new Error('PostgreSQL returned no position');
  return positionOf(timeline, lsn);
}
