/** The drafts of a site without a date, beside its calendar: they are dragged to a day or get a time by their menu, and what is dragged here loses its date. */
import { Box, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { articles } from '@trellis/schema/resources/articles.ts';
import { type DragEvent, useState } from 'react';
import { useIntl } from 'react-intl';
import { recordPathOf } from '../../../resources/places.ts';
import { useFeatureText } from '../../../text/feature.ts';
import { useNames } from '../../../text/names.ts';
import details from '../../../ui/details.module.css';
import { SearchInput } from '../../../ui/SearchInput.tsx';
import shared from '../../../ui/shared.module.css';
import { statusOfArticle } from '../moves.ts';
import styles from './Calendar.module.css';
import { PlanMenu, type Planning } from './PlanMenu.tsx';
import { texts } from './texts.ts';
import type { Dragging } from './use-dragging.ts';
import type { BacklogEntry } from './use-entries.ts';

/** Drafts that are shown before the list is unfolded, and above which there is a search. */
const mostFolded = 12;

interface Props {
  readonly siteId: string;
  readonly zone: string;
  readonly entries: readonly BacklogEntry[];
  readonly planning: Planning;
  readonly dragging: Dragging;
  readonly isNarrow: boolean;
}

export function Backlog({ siteId, zone, entries, planning, dragging, isNarrow }: Props) {
  const names = useNames();
  const featureText = useFeatureText(texts);
  const { formatDate, formatNumber, locale } = useIntl();
  const [typed, setTyped] = useState('');
  const [isUnfolded, setIsUnfolded] = useState(false);
  const [isOver, setIsOver] = useState(false);
  const { dragged, begin, end } = dragging;
  const isPlace = dragged !== null && dragged.at !== null && planning.mayRemove(dragged.record);
  const wanted = typed.trim().toLocaleLowerCase(locale);
  const found = entries.filter(({ title }) => title.toLocaleLowerCase(locale).includes(wanted));
  const shown = isUnfolded ? found : found.slice(0, mostFolded);
  const over = (event: DragEvent) => {
    if (!isPlace) return;
    event.preventDefault();
    setIsOver(true);
  };
  const drop = () => {
    setIsOver(false);
    if (isPlace) planning.remove(dragged.record);
    end();
  };
  return (
    <section
      className={`${shared.box} ${shared.stack} ${styles.backlog}`}
      aria-labelledby="backlog"
      data-target={(isOver && isPlace) || undefined}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <h3 id="backlog" className={shared.title}>
        {featureText('backlog')}
      </h3>
      {entries.some(({ record }) => planning.mayMove(record)) && (
        <p className={shared.about}>{featureText(isNarrow ? 'backlogMenu' : 'backlogAbout')}</p>
      )}
      {entries.length > mostFolded && (
        <SearchInput label={featureText('search')} value={typed} onChange={setTyped} />
      )}
      {shown.length === 0 && (
        <p className={shared.about}>{featureText(typed.trim() === '' ? 'backlogEmpty' : 'noMatch')}</p>
      )}
      <Box component="ul" className={`${shared.list} ${shared.tight}`} mt={4}>
        {shown.map(({ record, title, missed }) => (
          <li
            key={record.id}
            draggable={!isNarrow && planning.mayMove(record)}
            onDragStart={() => begin({ record, at: null })}
            onDragEnd={end}
          >
            <div className={styles.entry} data-status={statusOfArticle(record)}>
              <Link to={recordPathOf(articles, siteId, record.id)} className={styles.link} draggable={false}>
                <span className={`${details.clamp} ${styles.title}`}>{title}</span>
                {(missed !== null || statusOfArticle(record) !== 'DRAFT') && (
                  <span className={`${shared.note} ${styles.when}`}>
                    {missed === null
                      ? names.value(statusOfArticle(record))
                      : featureText('wasPlanned', {
                          date: formatDate(missed, { dateStyle: 'medium', timeZone: zone }),
                        })}
                  </span>
                )}
              </Link>
              <PlanMenu
                record={record}
                title={title}
                isDated={missed !== null}
                planning={planning}
                className={styles.move}
              />
            </div>
          </li>
        ))}
      </Box>
      {found.length > mostFolded && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-xs"
          aria-expanded={isUnfolded}
          onClick={() => setIsUnfolded(!isUnfolded)}
        >
          {isUnfolded
            ? featureText('fewer')
            : featureText('more', { count: formatNumber(found.length - mostFolded) })}
        </Button>
      )}
    </section>
  );
}
