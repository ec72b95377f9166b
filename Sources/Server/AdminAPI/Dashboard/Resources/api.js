// Requests to the router's admin API, with the token, and the problems when they are refused.
//
// An operator's token is exchanged for a session of this browser: a token of its own, which all tabs
// have, and a cookie, which no script can read. Neither is good without the other.

/// Where the session's token is kept: for all tabs, until the session ends.
const sessionKey = "session";
/// Where the operator's own token is kept if there is no session for it: for this tab.
const tokenKey = "token";

/// Whether a token has only the characters that the router accepts. With others in a header, the
/// browser sends no request at all.
const isToken = (text) => /^[\x21-\x7e]+$/.test(text);

let token = read();

/// The exchange of a one-time link, whose code stands behind `#once=`, for a token of this browser;
/// requests wait for it.
const visit = redeem();

function read() {
  try {
    const kept = sessionStorage.getItem(tokenKey) ?? localStorage.getItem(sessionKey);
    return kept !== null && isToken(kept) ? kept : null;
  } catch {
    return null;
  }
}

function keep(value, storage, key) {
  token = value;
  try {
    storage().setItem(key, value);
  } catch {
    // Storage is not available: only this page remembers the token.
  }
}

/// Forgets a token in this browser, also in other tabs; another one that is kept by now stays.
function forget(used) {
  if (token === used) token = null;
  try {
    if (sessionStorage.getItem(tokenKey) === used) sessionStorage.removeItem(tokenKey);
    if (localStorage.getItem(sessionKey) === used) localStorage.removeItem(sessionKey);
  } catch {
    // Then it was not kept.
  }
}

/// Whether a token is that of the session, and no operator's own.
function isSession(used) {
  try {
    return used !== null && used === localStorage.getItem(sessionKey);
  } catch {
    return false;
  }
}

function post(path, more) {
  return fetch(path,
    { method: "POST", cache: "no-store", signal: AbortSignal.timeout(10_000), ...more });
}

/// Exchanges the code of a link for a session; returns whether there is one now.
async function open(code) {
  try {
    const response = await post("v1/sessions",
      { body: JSON.stringify({ code }), headers: { "Content-Type": "application/json" } });
    if (!response.ok) return false;
    keep((await response.json()).token, () => localStorage, sessionKey);
    return true;
  } catch {
    return false;
  }
}

function codeOfLink() {
  return /^#once=([\w-]+)$/.exec(location.hash)?.[1];
}

async function redeem() {
  const code = codeOfLink();
  if (code === undefined) return;
  // The code is used up by this: it should be in no history and no bookmark.
  history.replaceState(null, "", location.pathname);
  // Without an answer the page asks for the token, as without a link.
  await open(code);
}

// A link that is opened in a tab which shows the dashboard already loads nothing.
addEventListener("hashchange", () => {
  if (codeOfLink() !== undefined) location.reload();
});

/// Exchanges an operator's token for a session. Where that fails, requests have the token, which
/// this tab keeps; the router judges it.
async function begin(given) {
  try {
    const link = await post("v1/links", { headers: { Authorization: `Bearer ${given}` } });
    if (link.ok && await open(/#once=([\w-]+)/.exec((await link.json()).path)[1])) return;
  } catch {
    // The next request says what is wrong.
  }
  keep(given, () => sessionStorage, tokenKey);
}

/// Whether requests have the token of a session, which can be ended.
export const hasSession = () => isSession(token);

/// Ends the session, and shows the page as to a stranger. This browser forgets it at once, in all
/// tabs, whatever the router answers.
export const endSession = async () => {
  const request = { method: "DELETE", headers: headers(), cache: "no-store", keepalive: true,
    signal: AbortSignal.timeout(10_000) };
  forget(token);
  clear();
  try {
    const { ok, status } = await fetch("v1/sessions", request);
    // Without a session there is none to end.
    if (ok || status === 401) {
      location.reload();
      return;
    }
  } catch {
    // There was no answer.
  }
  leave("This browser has forgotten the session. The router did not confirm that it has ended: it ends there "
    + "by itself, twelve hours after it began at the latest.");
};

const clear = () => document.getElementById("main").replaceChildren();

/// Shows nothing but the question for a token. The page is not loaded again before one is given: the router
/// may be away.
const leave = async (reason) => {
  clear();
  await askForToken(reason);
  location.reload();
};

// Another tab has begun a session, or has ended this one.
addEventListener("storage", (event) => {
  if (event.key !== sessionKey && event.key !== null) return;
  const found = read();
  if (found === token) return;
  if (found !== null) {
    location.reload();
    return;
  }
  token = null;
  leave("");
});

/// Why a request was refused, or why there is no answer.
export class Problem extends Error {
  constructor(status, code, detail, retryAfter) {
    super(detail);
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/// What tabs with the same token have in common, and no others.
export const tabsName = () => `reload-router ${token ?? ""}`;

/// The address of the event stream, with the token: an EventSource sends no headers.
export const eventsAddress = () =>
  token === null ? "v1/events" : `v1/events?token=${encodeURIComponent(token)}`;

const headers = (body) => ({
  ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
  ...(body === undefined ? {} : { "Content-Type": "application/json" }),
});

/// Sends one request, and returns the parsed answer.
///
/// Asks the user for the token if the router requires one. A request times out after 10 s.
export const ask = async (path, { method = "GET", body, signal } = {}) => {
  await visit;
  for (;;) {
    const used = token;
    const response = await send(path, method, body, signal);
    if (response.status !== 401) return answer(response);
    if (token !== used) continue;
    // Another tab may have another one already.
    token = read();
    if (token !== null && token !== used) continue;
    // What is refused here need not be refused in other tabs: a session stays where it is kept.
    const reason = refusal(used);
    if (isSession(used)) {
      token = null;
    } else {
      forget(used);
      token = read();
    }
    if (token === null) await askForToken(reason);
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
    // The body is no JSON: only the status counts.
  }
  if (response.ok && found !== null) return found;
  const seconds = Number(response.headers.get("Retry-After"));
  throw new Problem(
    response.status,
    found?.code ?? "unknown",
    found?.detail ?? `The router answered with status ${response.status}.`,
    seconds > 0 ? seconds : undefined,
  );
};

// MARK: The token

let asking = null;

/// What the dialog says of a token that was refused.
const refusal = (used) => {
  if (used === null) return "";
  return isSession(used) ? "The session has ended." : "The router does not accept this token.";
};

/// Resolves when the user has given a token; concurrent callers share one dialog.
const askForToken = (reason) => {
  asking ??= new Promise((resolve) => {
    const dialog = document.getElementById("login");
    const form = dialog.querySelector("form");
    const problem = document.getElementById("login-problem");
    const complain = (text) => {
      problem.textContent = text;
      problem.hidden = text === "";
    };
    complain(reason);
    const input = form.querySelector("[type=password]");
    input.value = "";
    // Without a token there is nothing to show, so the dialog cannot be cancelled.
    dialog.oncancel = (event) => event.preventDefault();
    form.onsubmit = (event) => {
      event.preventDefault();
      const given = input.value.trim();
      if (!isToken(given)) {
        complain("A token must be visible ASCII.");
        input.focus();
        return;
      }
      begin(given).then(() => {
        dialog.close();
        asking = null;
        resolve();
      });
    };
    if (!dialog.open) dialog.showModal();
    input.focus();
  });
  return asking;
};
