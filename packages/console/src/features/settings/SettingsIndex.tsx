/** The address of the settings leads to the first page that one may open. */
import { Navigate } from '@tanstack/react-router';
import { useSettingsPages } from './SettingsPage.tsx';

export function SettingsIndex() {
  const first = useSettingsPages().find(({ refusal }) => refusal === null);
  return <Navigate to={(first?.href ?? '/account') as string} replace />;
}
