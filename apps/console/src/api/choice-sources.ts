import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { oneKapsule, useKapsules } from './kapsules.ts';

/** The kapsules whose values can be choices of a field, and the names of the fields of those that were asked for. */
export function useChoiceSources() {
  const { data: kapsules = [] } = useKapsules();
  const [asked, setAsked] = useState<readonly string[]>([]);
  const loaded = useQueries({ queries: asked.map(oneKapsule) });
  return {
    kapsules,
    askFields: (kapsuleId: string) =>
      setAsked((before) => (before.includes(kapsuleId) ? before : [...before, kapsuleId])),
    fieldsOf: (kapsuleId: string | undefined): readonly string[] => {
      const found = loaded.find(({ data }) => data?._id === kapsuleId);
      return found?.data?.fields.map(({ name }) => name) ?? [];
    },
  };
}
