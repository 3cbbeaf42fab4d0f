interface Compared {
  /** The version that the write names, or NULL. */
  version: string;
  /** Of the row with the key of the write; NULL without one. */
  storedVersion: string;
  isDeleted: string;
  /** Author and data are those of the row. */
  isSame: string;
}

/** An SQL expression that decides a write as `decideWrite` does. */
export const decisionOf = ({ version, storedVersion, isDeleted, isSame }: Compared): string => `
  CASE
    WHEN ${version} <> CASE WHEN ${isDeleted} THEN 0 ELSE coalesce(${storedVersion}, 0) END THEN 'conflict'
    WHEN ${storedVersion} IS NULL THEN 'insert'
    WHEN ${isDeleted} THEN 'revive'
    WHEN ${isSame} THEN 'same'
    ELSE 'replace'
  END`;

/** Decides the writes of `i` over the granules `g`. */
export const INPUT_DECISION = decisionOf({
  version: 'i.version',
  storedVersion: 'g.version',
  isDeleted: 'g.deleted_at IS NOT NULL',
  isSame: 'g."user" = i."user" AND g.data = i.data',
});
