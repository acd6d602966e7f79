/** The input of a reference to a picture: one is dropped, pasted, uploaded or chosen by looking; what readers see of it is said beside it. */
import { Button, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { isOpenedWithPicture } from '../../../records/publish-picture.ts';
import { texts as recordTexts } from '../../../records/texts.ts';
import { resourceByName } from '../../../resources/declared.ts';
import { recordPathOf } from '../../../resources/places.ts';
import type { PictureInputProps } from '../../../resources/presentation.ts';
import { useRefusal } from '../../../session/missing-right.ts';
import { useFeatureText } from '../../../text/feature.ts';
import { useText } from '../../../text/text.ts';
import details from '../../../ui/details.module.css';
import { GuardedButton } from '../../../ui/GuardedButton.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { isFocusLost } from '../../../ui/keep-focus.ts';
import shared from '../../../ui/shared.module.css';
import { useDropZone } from '../../../ui/use-drop-zone.ts';
import { PublicityDialog } from '../PublicityDialog.tsx';
import { isPictureFile } from '../picture-file.ts';
import { texts as fileTexts } from '../texts.ts';
import { NewPictureDialog } from './NewPictureDialog.tsx';
import { PictureChooser } from './PictureChooser.tsx';
import styles from './Pictures.module.css';
import { Thumbnail } from './Thumbnail.tsx';
import { texts } from './texts.ts';
import { usePicture } from './use-picture.ts';

/** What stands in the way: a question, or why a file was not taken. */
type Step =
  | { readonly kind: 'choose' | 'publish' }
  | { readonly kind: 'new'; readonly file: File }
  | { readonly kind: 'refused'; readonly reason: string };

export function PictureInput(props: PictureInputProps) {
  const { value, onChange, label, description, fault, isRemovable, disabled } = props;
  const featureText = useFeatureText(texts);
  const recordText = useFeatureText(recordTexts);
  const resource = resourceByName(knowledgeFiles.name);
  const uploadRefusal = useRefusal()(resource, 'create');
  const [step, setStep] = useState<Step | null>(null);
  /** The picture before the last change of this input, for as long as that can be undone. */
  const [before, setBefore] = useState<{ readonly id: string; readonly after: string | null } | null>(null);
  const [changes, setChanges] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const group = useRef<HTMLDivElement>(null);
  const id = useId();
  const { data: file } = usePicture(value);

  const change = (next: string | null) => {
    setStep(null);
    setChanges((count) => count + 1);
    setBefore(value === null || value === next ? null : { id: value, after: next });
    onChange(next);
  };
  const take = async (files: Iterable<File> | null) => {
    const [first] = files ?? [];
    if (first === undefined || disabled) return;
    if (uploadRefusal !== null) setStep({ kind: 'refused', reason: uploadRefusal });
    else if (await isPictureFile(first)) setStep({ kind: 'new', file: first });
    else setStep({ kind: 'refused', reason: featureText('notAPicture', { name: first.name }) });
  };
  const zone = useDropZone((files) => void take(files));
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const { clipboardData, target, defaultPrevented } = event;
    const files = clipboardData?.files ?? [];
    if (files.length === 0 || defaultPrevented || document.querySelector('[aria-modal="true"]')) return;
    // A program that copies text adds a picture of it: whoever types wants the text.
    const isTyping =
      target instanceof Element && target.matches('input, textarea, [contenteditable="true"] *');
    if (isTyping && clipboardData?.types.includes('text/plain') === true) return;
    event.preventDefault();
    void take(files);
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => paste(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, []);
  // The button that was pressed may be gone: what takes the change back gets the focus, or the first of the others.
  useEffect(() => {
    if (changes === 0 || !isFocusLost()) return;
    const [next] = ['[data-undo]', '[data-choices] button'].flatMap(
      (place) => group.current?.querySelector<HTMLElement>(place) ?? [],
    );
    next?.focus();
  }, [changes]);

  const canUndo = before !== null && before.after === value;
  const small = { size: 'xs', variant: 'default', disabled } as const;
  return (
    <div
      ref={group}
      role="group"
      aria-labelledby={id}
      aria-describedby={fault === null ? undefined : `${id}-fault`}
      className={styles.input}
    >
      <div id={id} className={shared.label}>
        {label}
      </div>
      <div
        className={`${details.drop} ${shared.group} ${styles.drop}`}
        data-empty={value === null || undefined}
        data-faulty={fault !== null || undefined}
        {...zone}
      >
        {value === null ? (
          <Icon name="image" size={22} />
        ) : (
          <span className={styles.chosen}>{file?.picturePath != null && <Thumbnail file={file} />}</span>
        )}
        <Stack gap={6} flex={1} miw={0}>
          {value === null ? (
            <p className={shared.about}>{featureText('dropHere')}</p>
          ) : (
            <About id={value} publish={() => setStep({ kind: 'publish' })} />
          )}
          <Group gap={6} data-choices>
            <GuardedButton {...small} refusal={uploadRefusal} onClick={() => input.current?.click()}>
              {featureText(value === null ? 'uploadOne' : 'uploadAnother')}
            </GuardedButton>
            <Button {...small} onClick={() => setStep({ kind: 'choose' })}>
              {featureText(value === null ? 'chooseOne' : 'chooseAnother')}
            </Button>
            {value !== null && isRemovable && (
              <Button {...small} onClick={() => change(null)}>
                {featureText('remove')}
              </Button>
            )}
          </Group>
        </Stack>
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        onChange={({ currentTarget }) => {
          void take(currentTarget.files);
          currentTarget.value = '';
        }}
      />
      <Group role="status" gap={8} fz={13}>
        {canUndo && (
          <>
            {featureText(value === null ? 'removed' : 'replaced')}
            <Button {...small} size="compact-xs" data-undo onClick={() => change(before.id)}>
              {recordText('undo')}
            </Button>
          </>
        )}
      </Group>
      {step?.kind === 'refused' && (
        <p role="alert" className={shared.fault}>
          {step.reason}
        </p>
      )}
      {description !== undefined && <p className={shared.about}>{description}</p>}
      {fault !== null && (
        <p id={`${id}-fault`} className={shared.fault}>
          {fault}
        </p>
      )}
      {step?.kind === 'choose' && (
        <PictureChooser choose={(picture) => change(picture.id)} close={() => setStep(null)} />
      )}
      {step?.kind === 'new' && <NewPictureDialog file={step.file} use={change} close={() => setStep(null)} />}
      {step?.kind === 'publish' && file !== undefined && (
        <PublicityDialog resource={resource} file={file} close={() => setStep(null)} />
      )}
    </div>
  );
}

/** What the chosen picture is, and who sees it. */
function About({ id, publish }: { readonly id: string; readonly publish: () => void }) {
  const featureText = useFeatureText(texts);
  const fileText = useFeatureText(fileTexts);
  const text = useText();
  const refusal = useRefusal();
  const resource = resourceByName(knowledgeFiles.name);
  const { data: file, isError } = usePicture(id);
  if (isError) return <p className={shared.about}>{featureText('notVisible')}</p>;
  if (file === undefined) return <p className={shared.about}>{text('loading')}</p>;
  const missing =
    refusal(resource, 'publish') ?? (isOpenedWithPicture(file) ? refusal(resource, 'update') : null);
  return (
    <>
      <Link
        to={recordPathOf(resource, null, id) as string}
        target="_blank"
        className={`${shared.cut} ${shared.label}`}
        aria-label={text('select.open', { name: file.name })}
      >
        {file.name}
      </Link>
      <p className={shared.about} role="status">
        <Size file={file} />
        {featureText(readersOf(file))}
      </p>
      {file.status === 'NOT_APPLICABLE' && file.picturePath !== null && file.publicSince === null && (
        <div>
          <GuardedButton size="compact-xs" variant="light" refusal={missing} onClick={publish}>
            {fileText('makePublic')}
          </GuardedButton>
        </div>
      )}
    </>
  );
}

/** Width and height, once they are known. */
function Size({ file: { width, height } }: { readonly file: KnowledgeFile }) {
  return width === null || height === null ? null : `${width} × ${height} · `;
}

/** The name of the sentence that says who sees a picture. */
function readersOf({ picturePath, status, publicSince, visibility }: KnowledgeFile) {
  if (picturePath === null) return 'noPicture';
  if (status === 'PROCESSING') return 'beingRead';
  if (publicSince !== null) return 'seenByReaders';
  return visibility === 'ORGANIZATION' ? 'seenByMembers' : 'seenBySome';
}
