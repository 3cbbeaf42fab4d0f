/** A session of the engine: JSON-RPC over a websocket, each request with a number that its answer repeats. */
class EngineSession {
  /** @type {Map<number, (answer: { result?: any, error?: { message: string } }) => void>} */
  #waiting = new Map();
  #count = 0;

  /** @param {WebSocket} socket */
  constructor(socket) {
    this.socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { id, ...answer } = JSON.parse(data);
      this.#waiting.get(id)?.(answer);
      this.#waiting.delete(id);
    });
  }

  /**
   * @param {number} handle
   * @param {string} method
   * @param {unknown[]} params
   * @returns {Promise<any>}
   */
  async call(handle, method, params = []) {
    const id = ++this.#count;
    const { promise, resolve } = Promise.withResolvers();
    this.#waiting.set(id, resolve);
    this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, handle, method, params }));
    const { result, error } = await promise;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }
}

const GLOBAL = -1;

/** A session object of the engine, as the extension uses it; tells when its layout has changed. */
export class EngineTable extends EventTarget {
  layout = {};

  /**
   * @param {EngineSession} session
   * @param {number} handle
   * @param {string} id
   */
  constructor(session, handle, id) {
    super();
    this.id = id;
    this.session = session;
    this.handle = handle;
  }

  /**
   * Opens an app of the engine and a session object in it.
   * @param {string} url
   * @param {string} app
   * @param {object} properties
   */
  static async open(url, app, properties) {
    const socket = new WebSocket(url);
    const opened = Promise.withResolvers();
    socket.addEventListener('open', opened.resolve);
    socket.addEventListener('error', () => opened.reject(new Error('The engine does not answer.')));
    await opened.promise;
    const session = new EngineSession(socket);
    const doc = await session.call(GLOBAL, 'OpenDoc', [app]);
    const { qReturn } = await session.call(doc.qReturn.qHandle, 'CreateSessionObject', [properties]);
    const table = new EngineTable(session, qReturn.qHandle, qReturn.qGenericId);
    await table.readLayout();
    return table;
  }

  async readLayout() {
    this.layout = (await this.session.call(this.handle, 'GetLayout')).qLayout;
  }

  async getProperties() {
    return (await this.session.call(this.handle, 'GetProperties')).qProp;
  }

  /** @param {object} properties */
  async setProperties(properties) {
    await this.session.call(this.handle, 'SetProperties', [properties]);
    await this.readLayout();
    this.dispatchEvent(new Event('changed'));
  }

  /**
   * Selects rows by their numbers, as a click in another object of the sheet does.
   * @param {number[]} rows
   */
  async select(rows) {
    const params = ['/qHyperCubeDef', 0, rows, false];
    await this.session.call(this.handle, 'SelectHyperCubeValues', params);
    await this.readLayout();
    this.dispatchEvent(new Event('changed'));
  }

  /**
   * @param {string} path
   * @param {object[]} pages
   */
  async getHyperCubeData(path, pages) {
    return (await this.session.call(this.handle, 'GetHyperCubeData', [path, pages])).qDataPages;
  }
}
