/** The part of a platform user after `UserId=`, or the whole when there is none. */
export const userIdOf = (user: string | null | undefined): string =>
  /UserId=([^;]*)/.exec(user ?? '')?.[1]?.trim() || (user ?? '');
