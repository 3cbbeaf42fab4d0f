/** Where the simulated platform of a demo folder says how it can be reached. */
export const PLATFORM_FILE = 'simulated-platform.json';
