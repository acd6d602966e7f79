/** The page of a path of the API: a list, a record, or a new record. */
import { useParams } from '@tanstack/react-router';
import { NotFoundPage } from '../app/NotFoundPage.tsx';
import { findPlace } from './places.ts';

export function PlacePage() {
  const { _splat: path = '' } = useParams({ strict: false });
  const place = findPlace(path);
  if (place === null) return <NotFoundPage />;
  return <p>{place.resource.name}</p>;
}
