/** XMLHttpRequest on top of the fake fetch: it reports progress once, then gets its answer, or an error when fetch fails. */
export class FakeUpload extends EventTarget {
  readonly upload = new EventTarget();
  /** The percentage that the progress reports. */
  readonly sent: number = 50;
  status = 0;
  responseText = '';
  readonly #stop = new AbortController();
  readonly #headers: [string, string][] = [];
  #request: [method: string, url: string] = ['GET', '/'];
  #answerHeaders = '';

  open(method: string, url: string): void {
    this.#request = [method, url];
  }
  setRequestHeader(name: string, value: string): void {
    this.#headers.push([name, value]);
  }
  getAllResponseHeaders(): string {
    return this.#answerHeaders;
  }
  abort(): void {
    this.#stop.abort();
    this.dispatchEvent(new Event('abort'));
  }
  send(body: BodyInit): void {
    void this.#answer(body);
  }

  async #answer(body: BodyInit): Promise<void> {
    const [method, url] = this.#request;
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded: this.sent, total: 100 }));
    const response = await fetch(url, { method, headers: this.#headers, body }).catch(() => undefined);
    if (this.#stop.signal.aborted) return;
    if (!response) {
      this.dispatchEvent(new Event('error'));
      return;
    }
    this.status = response.status;
    this.responseText = await response.text();
    this.#answerHeaders = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\r\n');
    this.dispatchEvent(new Event('load'));
  }
}
