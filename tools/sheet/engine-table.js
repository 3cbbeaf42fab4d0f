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

/**
 * Opens an app of the engine and a session object in it.
 * @param {string} url
 * @param {string} app
 * @param {object} properties
 */
export async function openTable(url, app, properties) {
  const socket = new WebSocket(url);
  const opened = Promise.withResolvers();
  socket.addEventListener('open', opened.resolve);
  socket.addEventListener('error', () => opened.reject(new Error('The engine does not answer.')));
  await opened.promise;
  const session = new EngineSession(socket);
  const doc = await session.call(GLOBAL, 'OpenDoc', [app]);
  const { qReturn } = await session.call(doc.qReturn.qHandle, 'CreateSessionObject', [properties]);
  const { qLayout: layout } = await session.call(qReturn.qHandle, 'GetLayout');
  return {
    layout,
    model: {
      id: qReturn.qGenericId,
      /**
       * @param {string} path
       * @param {object[]} pages
       */
      getHyperCubeData: async (path, pages) =>
        (await session.call(qReturn.qHandle, 'GetHyperCubeData', [path, pages])).qDataPages,
    },
  };
}
