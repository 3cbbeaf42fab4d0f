/** The command line as users call it: through npm in a clone, whose files are TypeScript. */
export const ownCommand: string = import.meta.filename.endsWith('.ts') ? 'npm run kaptain --' : 'kaptain';
