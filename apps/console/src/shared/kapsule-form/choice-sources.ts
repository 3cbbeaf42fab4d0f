/** What the form must know of other kapsules, whose values can be choices. */
export interface ChoiceSources {
  kapsules: readonly { _id: string; name: string }[];
  /** Loads the fields of one of them. */
  askFields: (kapsuleId: string) => void;
  /** The names of its fields; none while they are not known. */
  fieldsOf: (kapsuleId: string | undefined) => readonly string[];
}
