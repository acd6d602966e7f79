/** A status: a word with a dot in the colour of its meaning. */
import { useNames } from '../text/names.ts';
import styles from './Status.module.css';

const good = /^(PUBLISHED|ACTIVE|AVAILABLE|READY|OPEN|DONE|ENABLED|SUCCEEDED|ACCEPTED)/;
const bad = /(FAILED|DISABLED|REVOKED|EXPIRED|CANCELLED)/;
const under = /(SCHEDULED|REVIEW|CHANGED|PENDING|FORTHCOMING|PLANNED|PROCESSING)/;

export function Status({ value }: { readonly value: string }) {
  const names = useNames();
  const kind = bad.test(value) ? 'bad' : good.test(value) ? 'good' : under.test(value) ? 'under' : 'quiet';
  return (
    <span className={styles.status} data-kind={kind}>
      {names.value(value)}
    </span>
  );
}
