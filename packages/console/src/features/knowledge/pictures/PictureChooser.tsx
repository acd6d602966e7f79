/** Chooses a picture of the library by looking, for a text that is to show it. */
import { Box } from '@mantine/core';
import type { KnowledgeFile } from '@trellis/client/generated/types.ts';
import { useState } from 'react';
import { useFeatureText } from '../../../text/feature.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { PictureGrid } from './PictureGrid.tsx';
import { PictureSearch } from './PictureSearch.tsx';
import { texts } from './texts.ts';

interface Props {
  readonly choose: (file: KnowledgeFile) => void;
  readonly close: () => void;
}

export function PictureChooser({ choose, close }: Props) {
  const featureText = useFeatureText(texts);
  const [search, setSearch] = useState('');
  return (
    <Dialog onClose={close} title={featureText('chooseTitle')} size={820}>
      <Box p="4px 2px 2px">
        <PictureSearch initial="" search={setSearch} isFirst />
        <PictureGrid search={search} choose={choose} />
      </Box>
    </Dialog>
  );
}
