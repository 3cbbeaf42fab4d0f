/** The calls of the engine's schema 12.20.0 that this service makes, as enigma.js exposes them. */
export interface GlobalApi extends EnigmaJS.QixObject {
  getAuthenticatedUser(): Promise<string>;
  getDocList(): Promise<DocListEntry[]>;
  openDoc(appId: string, user: string, password: string, serial: string, noData: boolean): Promise<DocApi>;
  configureReload(
    cancelOnScriptError: boolean,
    useErrorData: boolean,
    interactOnError: boolean,
  ): Promise<void>;
  getProgress(requestId: number): Promise<ProgressData>;
  cancelReload(): Promise<void>;
}

interface DocListEntry {
  qDocId: string;
  qDocName?: string;
  qTitle?: string;
}

export interface DocApi extends EnigmaJS.QixObject {
  getAppLayout(): Promise<{ qTitle?: string; qFileName?: string }>;
  doReloadEx(params: { qMode: number; qPartial: boolean; qDebug: boolean }): Promise<ReloadOutcome>;
  doSave(): Promise<void>;
}

export interface ReloadOutcome {
  qSuccess: boolean;
  qScriptLogFile?: string;
}

/** https://help.qlik.com/en-US/sense-developer/ Engine JSON API, ProgressData */
export interface ProgressData {
  qStarted?: boolean;
  qFinished?: boolean;
  /** Documented as unused by present engines. */
  qCompleted?: number;
  qTotal?: number;
  qMillisecs?: number;
  qPersistentProgress?: string;
  qTransientProgress?: string;
  qErrorData?: { qErrorString?: string; qLine?: string }[];
}
