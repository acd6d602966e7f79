/** The browsers in which people are signed in: one's own in all organizations, and those of the members in this one. */
import { useText } from '../../text/text.ts';
import { MemberSessions } from './MemberSessions.tsx';
import { OwnSessions } from './OwnSessions.tsx';
import { SettingsPage } from './SettingsPage.tsx';

export function SessionsPage() {
  const text = useText();
  return (
    <SettingsPage title={text('sessions.title')}>
      <OwnSessions />
      <MemberSessions />
    </SettingsPage>
  );
}
