/** How the platform writes a person in its own exports, and how earlier extensions stored one. */
const LONG_FORM = /^UserDirectory=([^;]*);\s*UserId=(.+)$/i;

/** The name of a person as all other places write it. */
export function personName(user: string): string {
  const [, directory, id] = LONG_FORM.exec(user) ?? [];
  return directory === undefined || id === undefined ? user : `${directory}\\${id}`;
}
