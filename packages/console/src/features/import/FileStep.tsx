/** The first step: choosing or dropping files. */
import { Box, Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useFeatureText } from '../../text/feature.ts';
import details from '../../ui/details.module.css';
import { Icon } from '../../ui/icons.tsx';
import { isFocusLost } from '../../ui/keep-focus.ts';
import { Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { useDropZone } from '../../ui/use-drop-zone.ts';
import { useSize } from '../../ui/use-size.ts';
import { type Choice, chooseFiles, isPicture } from './files.ts';
import styles from './Import.module.css';
import { ImportFailure } from './ImportFailure.tsx';
import type { ImportJob } from './job.ts';
import { Step } from './Step.tsx';
import { texts } from './texts.ts';

interface Props {
  readonly job: ImportJob | null;
  readonly choose: (choice: Choice) => void;
  /** Whether an import is done, so that this would be the next one. */
  readonly isNext?: boolean;
  /** Whether the files were chosen on this page, whose button to choose has gone meanwhile, with the focus. */
  readonly takesFocus?: boolean;
}

export function FileStep({ job, choose, isNext = false, takesFocus = false }: Props) {
  const featureText = useFeatureText(texts);
  const [isUnsuitable, setIsUnsuitable] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])];
    if (files.length === 0) return;
    setError(null);
    chooseFiles(files).then((choice) => {
      setIsUnsuitable(choice === null);
      if (choice !== null) choose(choice);
    }, setError);
  };
  const zone = useDropZone(take);
  return (
    <Step {...(isNext ? {} : { number: 1 })} title={featureText(isNext ? 'next' : 'file')}>
      {job === null ? (
        <>
          {!isNext && <p className={shared.about}>{featureText('about')}</p>}
          <section className={`${details.drop} ${styles.drop}`} aria-label={featureText('drop')} {...zone}>
            <Icon name="upload" size={22} />
            <p className={shared.title}>{featureText('drop')}</p>
            <p className={shared.about}>{featureText('dropAbout')}</p>
            <div className={shared.group}>
              <FileButton label={featureText('choose')} take={take} />
              <FileButton label={featureText('chooseFolder')} take={take} isFolder />
            </div>
          </section>
        </>
      ) : (
        <div className={`${shared.box} ${shared.group}`}>
          <Icon name="file" />
          <Box component="span" flex={1} miw={160}>
            <ChosenFiles choice={job.choice} />
          </Box>
          <FileButton label={featureText('another')} take={take} takesFocus={takesFocus} />
        </div>
      )}
      <ImportFailure error={error} />
      {isUnsuitable && <Notice kind="failure">{featureText('unsuitable')}</Notice>}
    </Step>
  );
}

/** The name and size of the chosen files. */
export function ChosenFiles({ choice }: { readonly choice: Choice }) {
  const featureText = useFeatureText(texts);
  const describeSize = useSize();
  const { files } = choice;
  const size = describeSize(files.reduce((sum, { file }) => sum + file.size, 0));
  const [first] = files;
  const pictures = files.filter(({ path }) => isPicture(path)).length;
  return files.length === 1
    ? featureText('fileOf', { name: first?.path ?? '', size })
    : featureText('files', { count: files.length - pictures, pictures, size });
}

interface ButtonProps {
  readonly label: string;
  readonly take: (list: FileList | null) => void;
  readonly isFolder?: boolean;
  readonly takesFocus?: boolean;
}

function FileButton({ label, take, isFolder = false, takesFocus = false }: ButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (takesFocus && isFocusLost()) button.current?.focus();
  }, [takesFocus]);
  return (
    <>
      <Button ref={button} variant="default" size="xs" onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={(element) => {
          input.current = element;
          // React has no property for it.
          if (isFolder) element?.setAttribute('webkitdirectory', '');
        }}
        type="file"
        multiple
        hidden
        aria-label={label}
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}
