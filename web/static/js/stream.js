// Staying up to date: server-sent events, and asking every few seconds where they cannot be had.
const POLL_MS = 3000;
const SILENCE_MS = 21000;
const AGAIN_MS = 1500;

export class Stream {
  constructor(handlers) {
    this.handlers = handlers;
    this.last = null;
    this.heard = Date.now();
    this.source = null;
    this.polling = null;
    document.addEventListener('visibilitychange', () => (document.hidden ? this.close() : this.open()));
    window.addEventListener('online', () => this.open());
    window.addEventListener('pagehide', () => this.close());
    window.addEventListener('pageshow', () => this.open());
    setInterval(() => this.check(), 5000);
  }

  open() {
    if (document.hidden) return;
    this.close();
    this.heard = Date.now();
    if (typeof EventSource === 'undefined') { this.poll(); return; }
    const source = new EventSource('/api/events');
    this.source = source;
    ['state', 'camera', 'clock', 'reading'].forEach((kind) => source.addEventListener(kind, (event) => {
      this.heard = Date.now();
      this.online(true);
      if (this.handlers[kind]) this.handlers[kind](JSON.parse(event.data));
    }));
    source.addEventListener('open', () => { this.heard = Date.now(); this.online(true); });
    source.addEventListener('error', () => {
      this.online(false);
      // A refused stream (too many pages) is closed for good by the browser: then ask instead.
      if (source.readyState === 2 && this.source === source) { this.close(); this.poll(); }
    });
  }

  close() {
    if (this.source) this.source.close();
    this.source = null;
    clearTimeout(this.polling);
  }

  // Ask for the state; while that works, keep asking; now and then try for a stream again.
  poll() {
    fetch('/api/state', { credentials: 'same-origin' })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(String(answer.status)))))
      .then((state) => { this.heard = Date.now(); this.online(true); this.handlers.state(state); return POLL_MS; })
      .catch(() => { this.online(false); return AGAIN_MS; })
      .then((pause) => {
        this.tries = (this.tries || 0) + 1;
        const next = this.tries % 3 === 0 ? () => this.open() : () => this.poll();
        this.polling = setTimeout(next, pause);
      });
  }

  // A connection that died without a word (a tablet that slept, Wi-Fi gone) is opened anew.
  check() {
    if (this.source && !document.hidden && Date.now() - this.heard > SILENCE_MS) { this.online(false); this.open(); }
  }

  online(is) {
    if (this.last !== is && this.handlers.online) this.handlers.online(is);
    this.last = is;
  }
}
