/** Advisory locks of the database, under a number of our own ("Kapt") so that other programs' don't meet them. */
const OURS = 0x4b617074;
/** The next number: each kapsule has a lock of its own under it. */
const OF_KAPSULES = OURS + 1;
const OF_IMPORTS = OURS + 2;
const OF_VERSIONS = OURS + 3;

export const locks = {
  schema: `${OURS}, 1`,
  /** Held by the instance that makes trigrams for the search. */
  searchIndex: `${OURS}, 3`,
  /** Held by the instance that fills the indexes of fields. */
  fieldIndexes: `${OURS}, 4`,
  /** Shared by the saves of a kapsule; held alone by a unit that saves have overtaken. `id` is SQL for the kapsule's id. */
  kapsule: (id: string) => `${OF_KAPSULES}, hashtext(${id})`,
  /** Held alone by an import that writes into the kapsule. */
  import: (id: string) => `${OF_IMPORTS}, hashtext(${id})`,
  /** Shared by all instances that want the same schema, as long as they live. */
  version: (schemaNumber: number) => `${OF_VERSIONS}, ${schemaNumber}`,
} as const;
