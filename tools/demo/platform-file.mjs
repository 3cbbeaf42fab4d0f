/** The file in which the simulated platform of a demo folder writes its settings. */
export const PLATFORM_FILE = 'simulated-platform.json';

/** The file in which the sheet of a demo folder writes its address. */
export const SHEET_FILE = 'simulated-sheet.txt';

/** The file with the id of the kapsule that the sheet shows. */
export const SHEET_KAPSULE_FILE = 'simulated-sheet-kapsule.txt';
