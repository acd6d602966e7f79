/** The choice of scopes for a token, with a filter: there are more of them than fit into a dialog. */
import { Button, Checkbox, Group, TextInput } from '@mantine/core';
import { germanScopes, scopes } from '@trellis/schema/rights/scopes.ts';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useRoleName } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { chooseLanguage } from '../../text/text.ts';
import { Icon } from '../../ui/icons.tsx';
import shared from '../../ui/shared.module.css';
import styles from './SettingsPage.module.css';
import { texts } from './texts.ts';

interface Props {
  readonly offered: readonly string[];
  readonly chosen: readonly string[];
  readonly choose: (scopes: readonly string[]) => void;
  readonly fault: string | undefined;
}

export function ScopeChoice({ offered, chosen, choose, fault }: Props) {
  const featureText = useFeatureText(texts);
  const role = useRoleName();
  const [filter, setFilter] = useState('');
  const meanings = chooseLanguage([useIntl().locale]) === 'de' ? germanScopes : scopes;
  const words = filter.toLowerCase().split(/\s+/);
  const shown = offered.filter((scope) => {
    const about = `${scope} ${meanings[scope]}`.toLowerCase();
    return words.every((word) => about.includes(word));
  });
  return (
    <Checkbox.Group
      label={featureText('scopes')}
      description={featureText('scopesAbout', { role })}
      value={[...chosen]}
      error={fault}
      // What the filter hides stays chosen.
      onChange={choose}
    >
      <Group gap={8} mt={8}>
        <TextInput
          size="xs"
          flex="1 1 180px"
          leftSection={<Icon name="search" />}
          aria-label={featureText('filterScopes')}
          placeholder={featureText('filterScopes')}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Whoever looks for a scope does not mean to create the token yet.
            if (event.key === 'Enter') event.preventDefault();
          }}
        />
        <Button
          variant="default"
          size="xs"
          onClick={() => choose(offered.filter((scope) => scope.endsWith(':read')))}
        >
          {featureText('chooseRead')}
        </Button>
        <Button variant="default" size="xs" onClick={() => choose([])}>
          {featureText('chooseNone')}
        </Button>
        <span className={shared.small}>{featureText('scopeCount', { count: chosen.length })}</span>
      </Group>
      <div className={`${shared.frame} ${styles.scopes}`}>
        {shown.map((scope) => (
          <Checkbox key={scope} value={scope} label={scope} description={meanings[scope]} size="xs" />
        ))}
        {shown.length === 0 && <span className={shared.small}>{featureText('noScope')}</span>}
      </div>
    </Checkbox.Group>
  );
}
