/** Shows a dialog that outlives the part of the page that opened it, such as the row of a record that goes. Null: closes it. */
import { createContext, type ReactNode } from 'react';

export const DialogHost = createContext<(dialog: ReactNode) => void>(() => undefined);
