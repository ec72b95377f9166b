// The way to the router: requests with the token, and what is said when they are refused.

const tokenKey = "token";

/// What the router takes. Anything else in a header makes no request, which nobody could refuse.
const isToken = (text) => /^[\x21-\x7e]+$/.test(text);

let token = read();

function read() {
  try {
    const kept = sessionStorage.getItem(tokenKey);
    return kept !== null && isToken(kept) ? kept : null;
  } catch {
    return null;
  }
}

function keep(value) {
  token = value;
  try {
    sessionStorage.setItem(tokenKey, value);
  } catch {
    // Kept by this page alone, then.
  }
}

/// Why a request was refused, or that there is no answer.
export class Problem extends Error {
  constructor(status, code, detail, retryAfter) {
    super(detail);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/// The address of the events; they cannot be asked for with a header.
export const eventsAddress = () =>
  token === null ? "v1/events" : `v1/events?token=${encodeURIComponent(token)}`;

const headers = (body) => ({
  ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
  ...(body === undefined ? {} : { "Content-Type": "application/json" }),
});

/// One request; what the router answers, parsed.
///
/// Asks for the token once if the router wants one. Requests end after 10 s.
export const ask = async (path, { method = "GET", body, signal } = {}) => {
  for (;;) {
    const used = token;
    const response = await send(path, method, body, signal);
    if (response.status !== 401) return answer(response);
    if (token === used) await askForToken(used !== null);
  }
};

const send = async (path, method, body, signal) => {
  const limit = AbortSignal.timeout(10_000);
  try {
    return await fetch(path, {
      method,
      body,
      headers: headers(body),
      cache: "no-store",
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(0, "unreachable", "The router does not answer.");
  }
};

const answer = async (response) => {
  let found = null;
  try {
    found = await response.json();
  } catch {
    // Judged by its status alone.
  }
  if (response.ok && found !== null) return found;
  const seconds = Number(response.headers.get("Retry-After"));
  throw new Problem(
    response.status,
    found?.code ?? "unknown",
    found?.detail ?? `The router answers with status ${response.status}.`,
    seconds > 0 ? seconds : undefined,
  );
};

// MARK: The token

let asking = null;

/// Resolves when a token was given; all who need one wait for the same dialog.
const askForToken = (wasRefused) => {
  asking ??= new Promise((resolve) => {
    const dialog = document.getElementById("login");
    const form = dialog.querySelector("form");
    const problem = document.getElementById("login-problem");
    const complain = (text) => {
      problem.textContent = text;
      problem.hidden = text === "";
    };
    complain(wasRefused ? "The router does not take this token." : "");
    const input = form.querySelector("[type=password]");
    input.value = "";
    // Nothing can be seen without it.
    dialog.oncancel = (event) => event.preventDefault();
    form.onsubmit = (event) => {
      event.preventDefault();
      const given = input.value.trim();
      if (!isToken(given)) {
        complain("A token is visible ASCII.");
        input.focus();
        return;
      }
      keep(given);
      dialog.close();
      asking = null;
      resolve();
    };
    if (!dialog.open) dialog.showModal();
    input.focus();
  });
  return asking;
};
