import type { Authority } from '@kaptain/contract';
import { foldName, type Nouns } from '@kaptain/store';
import type { DemoKapsule } from './kapsules.ts';
import { minutesAgo } from './random.ts';

const both: Authority[] = ['READ', 'DELETE'];

const sketches: [string, Authority[], kapsules: number[], users: string[]][] = [
  ['Finance', both, [1, 5, 6], ['mara.lindqvist', 'ines.carvalho', 'lukas.novak']],
  ['Sales', both, [0, 8, 11], ['jonas.weber', 'oliver.bennett', 'diego.fernandez', 'mara.lindqvist']],
  ['Supply chain', ['READ', 'WRITE'], [2, 3, 7], ['tomasz.kowalski', 'amelie.durand', 'mara.lindqvist']],
  ['Field operations', ['READ'], [4, 9, 10], ['chloe.martin', 'yuki.tanaka', 'sofia.rossi']],
  ['Auditors', ['READ'], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], ['priya.raman']],
];

/** 5 groups with different rights for the demo's users. */
export async function addGroups(
  nouns: Nouns,
  kapsules: DemoKapsule[],
  userIds: Map<string, string>,
): Promise<void> {
  for (const [groupname, authority, places, users] of sketches)
    await nouns.groups.insert({
      groupname,
      nameKey: foldName(groupname),
      authority,
      kapsuleIds: places.flatMap((index) => kapsules[index]?.id ?? []),
      userIds: users.flatMap((name) => userIds.get(name) ?? []),
      createdAt: minutesAgo(50_000),
      updatedAt: minutesAgo(20_000),
    });
}
