/** The limits of the identify call, for the page about limits. */
import { bytes, number } from '../../../kernel/contract/documentation/limits-page.ts';
import { visitorLimits } from '../limits.ts';

export const limitRows: readonly (readonly string[])[] = [
  ['Body of an identify call', bytes(visitorLimits.identifyBodyBytes)],
  ['Nesting of that body', `${visitorLimits.identifyBodyDepth} levels`],
  ['`storedToken`', `1 to ${visitorLimits.storedTokenCharacters} characters`],
  ['`page.path`', `${number.format(visitorLimits.pathCharacters)} characters`],
  ['A visitor is kept', `${visitorLimits.visitorDays} days after it was last seen`],
  ['An identification is kept', `${visitorLimits.identificationDays} days`],
  ['Who does not want to be recognized is kept', `${visitorLimits.transientHours} hours`],
  ['Signals recognize a visitor seen within', `${visitorLimits.recentMatchDays} days`],
];
