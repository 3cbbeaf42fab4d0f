import schema from 'enigma.js/schemas/12.20.0.json' with { type: 'json' };
import type { RawData, WebSocket } from 'ws';
import { type SimulatedApp, scriptOf } from './apps.ts';
import { SimulatedReload } from './reload.ts';
import { ObjectRefusal, SessionObjects } from './session-objects.ts';

/** The state that all sessions of the simulated engine share. */
export interface EngineState {
  apps: Map<string, SimulatedApp>;
  logFolder: string;
  /** All reloads ordered so far. */
  orders: { appId: string; partial: boolean }[];
}

interface Request {
  id: number;
  handle: number;
  method: string;
  params?: unknown;
}

const GLOBAL = -1;
const DOC = 1;
const FIRST_OBJECT = 2;
/** Error codes as the Engine API documents them. */
const codes = {
  methodNotFound: -32_601,
  invalidParameters: -32_602,
  appNotFound: 1003,
  notOpen: 2,
  invalidHandle: 1,
};

class EngineRefusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

type Struct = Record<string, { In: readonly { Name: string }[] }>;
function methodsOf(handle: number): Struct {
  if (handle === GLOBAL) return schema.structs.Global;
  return handle === DOC ? schema.structs.Doc : schema.structs.GenericObject;
}

/** Parameters are positional or named; the schema has their order. */
function parametersOf({ handle, method, params }: Request): unknown[] {
  const known = methodsOf(handle)[method];
  if (!known) throw new EngineRefusal(codes.methodNotFound, 'Method not found');
  if (Array.isArray(params)) {
    if (params.length > known.In.length)
      throw new EngineRefusal(codes.invalidParameters, 'Invalid method parameter(s)');
    return params;
  }
  const named = (params ?? {}) as Record<string, unknown>;
  return known.In.map(({ Name }) => named[Name]);
}

/**
 * One session of the simulated engine: JSON-RPC 2.0 over a websocket, as the Engine JSON API describes it
 * (https://help.qlik.com/en-US/sense-developer/ Engine JSON API; method names and parameters from the public schema).
 */
export class EngineSession {
  readonly #socket: WebSocket;
  readonly #state: EngineState;
  readonly #user: string;
  #app: SimulatedApp | undefined;
  #reload: SimulatedReload | undefined;
  readonly #objects = new SessionObjects(FIRST_OBJECT);
  #isSilent = false;

  constructor(socket: WebSocket, state: EngineState, user: string) {
    this.#socket = socket;
    this.#state = state;
    this.#user = user;
    socket.on('message', (data) => void this.#receive(data));
    // Closing the session ends its reload, as in a real engine.
    socket.on('close', () => this.#reload?.cancel());
    this.#send({ method: 'OnConnected', params: { qSessionState: 'SESSION_CREATED' } });
  }

  #send(message: object): void {
    if (!this.#isSilent) this.#socket.send(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  async #receive(data: RawData): Promise<void> {
    const request = JSON.parse((data as Buffer).toString('utf8')) as Request;
    try {
      this.#send({ id: request.id, result: await this.#answer(request, parametersOf(request)) });
    } catch (error) {
      const { code, message } = error as EngineRefusal;
      this.#send({ id: request.id, error: { code, parameter: request.method, message } });
    }
  }

  #answer({ handle, method }: Request, params: unknown[]): object | Promise<object> {
    if (handle === GLOBAL) return this.#answerGlobal(method, params);
    return handle === DOC ? this.#answerDoc(method, params) : this.#answerObject(handle, method, params);
  }

  #answerGlobal(method: string, params: unknown[]): object {
    switch (method) {
      case 'EngineVersion':
        return { qVersion: { qComponentVersion: '12.20.0 (simulator)' } };
      case 'ProductVersion':
        return { qReturn: 'Platform simulator' };
      case 'GetAuthenticatedUser':
        return { qReturn: this.#user };
      case 'GetDocList':
        return {
          qDocList: [...this.#state.apps.values()].map(({ id, name }) => ({
            qDocId: id,
            qDocName: name,
            qTitle: name,
          })),
        };
      case 'OpenDoc':
        return this.#open(String(params[0]));
      case 'ConfigureReload':
        return {};
      case 'CancelReload':
        this.#reload?.cancel();
        return {};
      case 'GetProgress':
        return { qProgressData: this.#progress() };
      default:
        throw new EngineRefusal(codes.methodNotFound, 'Not simulated');
    }
  }

  #open(appId: string): object {
    const app = this.#state.apps.get(appId);
    if (!app) throw new EngineRefusal(codes.appNotFound, 'App not found');
    this.#app = app;
    return { qReturn: { qType: 'Doc', qHandle: DOC, qGenericId: app.id } };
  }

  /** qCompleted, qTotal and qKB are documented as unused: they stay 0. */
  #progress(): object {
    const { persistent, transient } = this.#reload?.takeProgress() ?? { persistent: '', transient: '' };
    return {
      qStarted: this.#reload !== undefined,
      qFinished: this.#reload?.end !== undefined,
      qCompleted: 0,
      qTotal: 0,
      qKB: 0,
      qMillisecs: this.#reload?.milliseconds ?? 0,
      qUserInteractionWanted: false,
      qPersistentProgress: persistent,
      qTransientProgress: transient,
      qErrorData: (this.#reload?.errors ?? []).map((qErrorString) => ({
        qErrorString,
        qLineEnd: '',
        qLine: '',
      })),
      qPersistentProgressMessages: [],
      qTransientProgressMessage: { qMessageCode: 0, qMessageParameters: [] },
    };
  }

  #answerObject(handle: number, method: string, params: unknown[]): object {
    if (!this.#app || !this.#objects.has(handle))
      throw new EngineRefusal(codes.invalidHandle, 'Invalid handle');
    try {
      const answer = this.#objects.answer(handle, method, params, this.#app);
      if (answer) return answer;
    } catch (error) {
      if (!(error instanceof ObjectRefusal)) throw error;
      throw new EngineRefusal(codes.invalidParameters, error.message);
    }
    throw new EngineRefusal(codes.methodNotFound, 'Not simulated');
  }

  #answerDoc(method: string, params: unknown[]): object | Promise<object> {
    const app = this.#app;
    if (!app) throw new EngineRefusal(codes.notOpen, 'No app is open');
    switch (method) {
      case 'GetAppLayout':
        return { qLayout: { qTitle: app.name, qFileName: app.id, qHasScript: true, qMeta: {} } };
      case 'GetScript':
        return { qScript: scriptOf(app).join('\n') };
      case 'CreateSessionObject':
        return this.#objects.create((params[0] ?? {}) as Parameters<SessionObjects['create']>[0]);
      case 'DestroySessionObject':
        return this.#objects.destroy(String(params[0]));
      case 'DoSave':
        return {};
      case 'DoReloadEx':
        return this.#doReload(app, Boolean((params[0] as { qPartial?: boolean } | undefined)?.qPartial));
      default:
        throw new EngineRefusal(codes.methodNotFound, 'Not simulated');
    }
  }

  async #doReload(app: SimulatedApp, partial: boolean): Promise<object> {
    const { orders, logFolder } = this.#state;
    orders.push({ appId: app.id, partial });
    const reload = new SimulatedReload(app, partial);
    this.#reload = reload;
    setTimeout(() => this.#misbehave(app), app.reloadMs / 2).unref();
    const end = await reload.ended;
    const qScriptLogFile = reload.saveLog(logFolder);
    return { qResult: { qSuccess: end === 'succeeded', qScriptLogFile, qEndedWithMemoryConstraint: false } };
  }

  #misbehave({ behaviour }: SimulatedApp): void {
    if (behaviour === 'closes') this.#socket.close(1001, 'simulated');
    if (behaviour === 'sends invalid JSON') this.#socket.send('<html>not an engine</html>');
    if (behaviour === 'stops answering') this.#isSilent = true;
  }
}
