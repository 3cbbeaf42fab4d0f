import type { UserRecord } from '@kaptain/store';

/** The name that granules of this user carry: the user id on the platform, where there is one. */
export const authorName = ({ qlikId, username }: UserRecord): string => qlikId || username;
