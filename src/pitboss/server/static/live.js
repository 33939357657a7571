/**
 * The one user of EventSource. A page names its topics; an event is the whole new state of one topic. What is newer
 * than the last sequence seen is asked for after a pause, so that nothing is missed and nothing comes twice.
 */

const STREAM = "/api/v1/stream";
const QUIET_SECONDS = 12;
const PROBE_SECONDS = 4;
const RETRY_SECONDS = [0.5, 1, 2, 4];

/**
 * @typedef {object} Listener
 * @property {(topic: string, state: any, sequence: number) => void} state
 * @property {(contact: Date) => void} lost  the server has been silent; told with the last contact
 * @property {() => void} back
 */

/** @type {Live[]} */
const streams = [];

export class Live {
  /** @type {EventSource | null} */ #source = null;
  #contact = new Date();
  #isLost = false;
  #tries = 0;
  #retry = 0;

  /** @param {string[]} topics  @param {number} after  @param {Listener} listener */
  constructor(topics, after, listener) {
    this.topics = topics;
    this.after = after;
    this.listener = listener;
    /** @type {Map<string, (state: any) => void>} what stands around the page follows by the same stream */
    this.joined = new Map();
    streams.push(this);
    document.addEventListener("visibilitychange", () => (document.hidden ? this.#close() : this.#open()));
    window.setInterval(() => this.#watch(), (QUIET_SECONDS * 1000) / 3);
    this.#open();
  }

  /** Follow other topics from now on. @param {string[]} topics */
  follow(topics) {
    this.topics = topics;
    this.#open();
  }

  /** Follow one topic more on the page's own stream; on a page without one, on a new stream.
   * @param {string} topic  @param {number} after  @param {(state: any) => void} take */
  static join(topic, after, take) {
    const stream = streams[0] ?? new Live([], after, { state: () => {}, lost: () => {}, back: () => {} });
    stream.joined.set(topic, take);
    stream.#open();
  }

  #open() {
    this.#close();
    const topics = [...new Set([...this.topics, ...this.joined.keys()])];
    if (!topics.length) return;
    const query = new URLSearchParams({ topics: topics.join(","), after: String(this.after) });
    const source = (this.#source = new EventSource(`${STREAM}?${query}`));
    source.onopen = () => this.#heard();
    source.onerror = () => this.#fail();
    source.addEventListener("beat", () => this.#heard());
    for (const topic of topics) {
      source.addEventListener(topic, (event) => {
        const sequence = Number(event.lastEventId || 0);
        this.#heard();
        if (sequence && sequence < this.after) return;
        this.after = Math.max(this.after, sequence);
        const state = JSON.parse(event.data);
        this.joined.get(topic)?.(state);
        if (this.topics.includes(topic)) this.listener.state(topic, state, sequence);
      });
    }
  }

  #close() {
    window.clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
  }

  #heard() {
    this.#contact = new Date();
    this.#tries = 0;
    if (!this.#isLost) return;
    this.#isLost = false;
    this.listener.back();
  }

  /** The stream broke: say so, and try again soon. */
  #fail() {
    this.#close();
    if (document.hidden) return;
    if (!this.#isLost) {
      this.#isLost = true;
      this.listener.lost(this.#contact);
    }
    const seconds = RETRY_SECONDS[Math.min(this.#tries++, RETRY_SECONDS.length - 1)];
    this.#retry = window.setTimeout(() => this.#open(), seconds * 1000);
  }

  /** A stream that is silent may be quiet or dead: ask the server, and believe its silence. */
  async #watch() {
    const silent = (Date.now() - this.#contact.getTime()) / 1000;
    if (document.hidden || !this.#source || silent < QUIET_SECONDS) return;
    const source = this.#source;
    try {
      const answer = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(PROBE_SECONDS * 1000) });
      if (!answer.ok) throw new Error(answer.statusText);
      this.#contact = new Date();
    } catch {
      if (this.#source === source) this.#fail();
    }
  }
}
