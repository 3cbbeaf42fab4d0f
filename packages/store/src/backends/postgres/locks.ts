/** Advisory locks of the database, under a number of our own ("Kapt") so that other programs' don't meet them. */
const OURS = 0x4b617074;

export const locks = {
  schema: `${OURS}, 1`,
  /** Held alone by a unit of work, shared by a single write of a document. */
  documents: `${OURS}, 2`,
} as const;
