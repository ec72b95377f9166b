// Asks again and again while a page is shown.

/// Calls an asynchronous step, waits, and calls it again, until it is ended.
///
/// `onProblem` is told why a step failed, or null when one has succeeded.
export class Repeat {
  constructor(interval, step, onProblem) {
    this.interval = interval;
    this.step = step;
    this.onProblem = onProblem;
    this.controller = null;
  }

  /// Begins at once, also if it was waiting; what is under way is given up.
  begin() {
    this.end();
    this.controller = new AbortController();
    this.go(this.controller.signal);
  }

  async go(signal) {
    try {
      // Nobody looks: the router need not be asked.
      if (!document.hidden) {
        await this.step(signal);
        if (!signal.aborted) this.onProblem(null);
      }
    } catch (problem) {
      if (!signal.aborted) this.onProblem(problem);
    }
    if (!signal.aborted) this.timer = setTimeout(() => this.go(signal), this.interval);
  }

  end() {
    this.controller?.abort();
    clearTimeout(this.timer);
  }
}
