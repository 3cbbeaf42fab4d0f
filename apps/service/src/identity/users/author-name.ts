import type { GivenQlikId, UserRecord } from '@kaptain/store';

/** The name that granules of this user carry: the user id on the platform, where there is one. */
export const authorName = ({ qlikId, username }: UserRecord): string => qlikId || username;

type Named = Pick<UserRecord, 'qlikId' | 'qlikIdGiven' | 'updatedAt'>;

/** The time from which the account certainly has its name: user names never change, Qlik ids only with an update of the account. */
export const namedSince = ({ qlikId, qlikIdGiven, updatedAt }: Named): string =>
  qlikIdGiven?.qlikId === qlikId ? qlikIdGiven.at : updatedAt;

/** The Qlik id of the account with the time from which it is certain, for an update that keeps it. */
export const keptQlikId = (user: Named): GivenQlikId => ({ qlikId: user.qlikId, at: namedSince(user) });
