/** How people call the commands of this installation: through npm in a clone, whose files are TypeScript. */
export const ownCommand: string = import.meta.filename.endsWith('.ts') ? 'npm run kaptain --' : 'kaptain';
