/** The file in which the simulated platform of a demo folder writes its settings. */
export const PLATFORM_FILE = 'simulated-platform.json';
