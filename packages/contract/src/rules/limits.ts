const KiB = 1024;
const MiB = 1024 * KiB;

/** Limits of sizes and counts, shared by service and console (SPEC 9 and our own). */
export const limits = {
  /** Of every JSON body: the main thread parses or makes no longer string. */
  jsonBytes: MiB,
  settingsBytes: 256 * KiB,
  passwordMinCharacters: 8,
  passwordMaxBytes: 1024,
  nameCharacters: 255,
  ownerShownCharacters: 18,
  granuleIdsPerDelete: 10_000,
  /** When deleting by filter. */
  granulesPerDelete: 250_000,
  granulesPerUpsert: 10_000,
  /** Of the JSON of a granule's data, in UTF-8, unless the boot config says otherwise. */
  granuleBytes: 256 * KiB,
  /** What the boot config may allow at most: a granule must fit into a body and into a page. */
  granuleBytesMost: 512 * KiB,
  /** Names in the data of one granule, at all depths, those without a field included. */
  membersPerGranule: 10_000,
  pageSize: 1000,
  keysPerLookup: 1000,
  /** The defaults of the settings; deleted kapsules that can be restored count too, and ADMINs have no limit. */
  kapsulesPerCreator: 500,
  definitionMiBPerCreator: 8,
  /** The most that the settings may allow. */
  kapsulesPerCreatorMost: 100_000,
  definitionMiBPerCreatorMost: 1024,
  fieldsPerKapsule: 1000,
  /** The thread fields of a kapsule; one that has more already keeps them. */
  threadFieldsPerKapsule: 20,
  /** Of the choices of one field. */
  choicesPerField: 500,
  /** Of the text of one choice. */
  choiceCharacters: 500,
  /** Of a help text or a default. */
  ruleTextCharacters: 1000,
  /** Fields whose choices come from another kapsule: each save reads them when that kapsule has changed. */
  choiceSourcesPerKapsule: 20,
  /** Fields with a pattern: each save follows all ways through each of them. */
  patternsPerKapsule: 50,
  /** Of all patterns together: each character of a value goes through all steps of its pattern. */
  patternStepsPerKapsule: 2500,
  locksPerKapsule: 20,
  conditionsPerLock: 10,
  /** Groups or people of one condition of a lock. */
  namesPerCondition: 100,
  /** Values of a field that are offered at once. */
  valuesOffered: 100,
  /** Refused values that one answer tells, of all that are counted. */
  refusalsTold: 100,
  /** Of one thread; every change of it is a state of the granule's history. */
  commentsPerThread: 200,
  commentCharacters: 2000,
  /** Names that are offered for a mention. */
  peopleOffered: 10,
  conditionsPerFilter: 10,
  viewsPerKapsule: 50,
  /** Proposals that one call makes, decides or withdraws. */
  proposalsAtOnce: 500,
  proposalsPerPage: 200,
  openProposalsPerKapsule: 10_000,
  /** Of the comment of a proposal, and of the reason why it is refused. */
  proposalCharacters: 1000,
  /** Whose members approve the changes of a kapsule. */
  groupsPerApproval: 20,
  /** Of the granules of one page, and of the states of one answer of a history; one is always answered. */
  pageBytes: MiB,
  kapsulesPerExtensionToken: 20,
  /** How long a deleted kapsule can be restored. */
  restoreDays: 30,
  /** How many deleted kapsules a list has; the others are listed when these are restored or purged. */
  deletedKapsules: 200,
  /** A kapsule with this many granules is large: its deletion asks for its name. */
  largeKapsuleGranules: 1000,
  kapsulesPerApiKey: 100,
  /** Lists of users, of groups and of API keys have all of them. Every group counts, and every user and kapsule in it. */
  users: 100_000,
  groupEntries: 100_000,
  apiKeys: 1000,
  kapBytes: MiB,
  kapFiles: 50,
  qvdBytes: 2048 * MiB,
  qvdFiles: 20,
  /** The rows of an import may have so many times the bytes of its files … */
  qvdExpansion: 100,
  /** … and this much more. */
  qvdExpansionBytes: 64 * MiB,
  certificateBytes: MiB,
  /** Of a list of values in the settings of the provider. */
  mappingCharacters: 4096,
  licenseCharacters: 64 * KiB,
  signExpiresInHours: 720,
  backupsKept: 365,
  logContentBytes: 2 * MiB,
} as const;
