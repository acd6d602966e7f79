/** The rights of a role: a row for each resource, a column for each action. */
import { Box, NativeSelect, VisuallyHidden } from '@mantine/core';
import type { Action } from '@trellis/schema/resources/grants.ts';
import { type Rights, rightsFrom } from '@trellis/schema/rights/permissions.ts';
import { resources } from '../../resources/declared.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import details from '../../ui/details.module.css';
import { Icon } from '../../ui/icons.tsx';
import shared from '../../ui/shared.module.css';
import styles from './RolesPage.module.css';
import {
  type Choice,
  choiceOf,
  choicesOf,
  isPossible,
  isReserved,
  lacksParent,
  matrixActions,
  matrixResources,
  parentOf,
} from './role-matrix.ts';
import { texts } from './texts.ts';

interface Props {
  readonly name: string;
  readonly rights: Rights;
  readonly isEditable: boolean;
  readonly choose: (resource: string, action: Action, choice: Choice) => void;
}

export function RoleMatrix({ name, rights, isEditable, choose }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { me } = useWorkspace();
  const held = rightsFrom(me.role.grants);
  const nameOf = (resource: string) => {
    const declared = resources.find((one) => one.name === resource);
    return declared === undefined ? names.value(resource) : names.plural(declared);
  };
  const parentNote = (resource: string) => {
    const parent = parentOf(resource);
    if (parent === undefined) return null;
    if (lacksParent(rights, resource)) return featureText('lacksParent', { parent: nameOf(parent) });
    return isEditable ? featureText('withParent', { parent: nameOf(parent) }) : null;
  };
  return (
    <Box
      className={`${shared.frame} ${styles.scroll}`}
      tabIndex={0}
      role="region"
      aria-label={featureText('matrix', { name })}
    >
      <table className={`${details.table} ${styles.matrix}`}>
        <thead>
          <tr>
            <th scope="col">{featureText('resource')}</th>
            {matrixActions.map((action) => (
              <th key={action} scope="col">
                {names.value(action)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {matrixResources.map((resource) => (
            <tr key={resource}>
              <th scope="row">
                {nameOf(resource)}
                {isEditable && isReserved(resource) && (
                  <span className={shared.note}>{featureText('reserved')}</span>
                )}
                {parentNote(resource) !== null && <span className={shared.note}>{parentNote(resource)}</span>}
              </th>
              {matrixActions.map((action) => (
                <td key={action}>
                  <MatrixCell
                    label={featureText('grantOf', {
                      resource: nameOf(resource),
                      action: names.value(action),
                    })}
                    isPossible={isPossible(resource, action)}
                    choice={choiceOf(rights, resource, action)}
                    choices={choicesOf(resource, action, held)}
                    isEditable={isEditable && !isReserved(resource)}
                    choose={(choice) => choose(resource, action, choice)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  );
}

interface CellProps {
  readonly label: string;
  readonly isPossible: boolean;
  readonly choice: Choice;
  /** Those that the person may give. */
  readonly choices: readonly Choice[];
  readonly isEditable: boolean;
  readonly choose: (choice: Choice) => void;
}

function MatrixCell({ label, isPossible: exists, choice, choices, isEditable, choose }: CellProps) {
  const featureText = useFeatureText(texts);
  if (!exists)
    return (
      <span className={shared.dimmed} title={featureText('notPossible')}>
        <span aria-hidden="true">·</span>
        <VisuallyHidden>{featureText('notPossible')}</VisuallyHidden>
      </span>
    );
  if (!isEditable) return <Granted choice={choice} />;
  const offered = choices.includes(choice) ? choices : [...choices, choice];
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      w={92}
      data-choice={choice}
      title={choices.length === 1 ? featureText('beyond') : undefined}
      disabled={offered.length === 1}
      data={offered.map((value) => ({ value, label: featureText(value) }))}
      value={choice}
      onChange={(event) => {
        const chosen = offered.find((value) => value === event.currentTarget.value);
        if (chosen !== undefined) choose(chosen);
      }}
    />
  );
}

function Granted({ choice }: { readonly choice: Choice }) {
  const featureText = useFeatureText(texts);
  return (
    <span className={`${shared.icon} ${styles.granted}`} data-choice={choice}>
      {choice === 'all' && <Icon name="check" size={14} />}
      {choice === 'own' ? featureText('own') : <VisuallyHidden>{featureText(choice)}</VisuallyHidden>}
      {choice === 'none' && <span aria-hidden="true">–</span>}
    </span>
  );
}
