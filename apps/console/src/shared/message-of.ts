/** The message of a thrown value, for the user. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
