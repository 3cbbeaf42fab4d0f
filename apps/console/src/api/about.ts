import { about } from '@kaptain/contract/about';
import { useQuery } from '@tanstack/react-query';
import { service, urlOf } from './service.ts';

const calls = service({ about }).about;

export const docsUrl = (): string => urlOf('/docs');

/** Spec 8: a version that can't be fetched is an unknown version. */
export function useVersion() {
  const { data, isError } = useQuery({
    queryKey: ['about', 'version'],
    queryFn: ({ signal }) => calls.version({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (isError || data?.trim() === '') return 'unknown version';
  return data === undefined ? '' : `Version ${data.trim()}`;
}
