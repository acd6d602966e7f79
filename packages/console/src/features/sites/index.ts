/** Sites, whose pages are derived from their declaration. */
import type { Presentations } from '../../resources/presentation.ts';

export const sitePresentations: Presentations = {
  sites: { icon: 'globe', columns: ['name', 'key', 'defaultLocale', 'updatedAt'] },
};
