// Names and explanations of the router's terms, for people.

/// The reasons of decisions in protocol/protocol.json, the stages, and the outcomes of explain.
export const reasons = {
  sent: "A RELOAD was sent.",
  scheduled: "The timeline's next reload was given its date.",
  unchanged: "The push leaves everything that the kind shows as it was.",
  outdated: "The push is older than another one of its entity (newest).",
  debounced: "Waits for the end of its debounce window.",
  spacing: "Waits because the widget was reloaded a moment ago.",
  budget: "Waits because the widget's budget is spent.",
  spread: "Waits for a permit of its origin, until the given time at the latest.",
  coalesced: "A reload that is pending already covers it.",
  expired: "The push expired before the reload could be sent.",
  superseded: "Another reload, or a newer timeline, has taken its place.",
  offline: "Waits for a session of the device.",
  loop: "Waits because the device asks for a reload after every reload.",
  done: "The device reloaded the widget by itself.",
  removed: "The widget was removed, or shows something else now.",
  apns: "A push was given to APNs: all of the app's widgets on the device reload, the kinds that it names, or one control.",
  grace: "Waits because the device's session has just ended, and it may begin another one.",
  cap: "Waits because the device has had its pushes by APNs of the day.",
  retry: "Waits because APNs wants the push to be repeated later.",
  pushed: "Goes by APNs, because the device has no session.",
  deferred: "Waits until spacing and budget allow it.",
  queued: "Waits for a permit of its origin.",
  held: "Waits for a session of the device.",
  ready: "Is sent in the next tick, or when the device can accept it.",
  idle: "Nothing is pending.",
  paused: "The app is paused: its pushes are not accepted.",
};

export const latencies = {
  pushToAck: ["Push to ACK",
    "From the arrival of a push to its acknowledgement, when the store has kept it."],
  pushToReload: ["Push to RELOAD",
    "From the arrival of a push to the RELOADs that may leave at once."],
  turn: ["Loop tick", "How long a tick of the loop takes; other clients wait meanwhile."],
  commit: ["Commit", "How long the store takes to commit the inputs of a tick."],
  schedulerLag: ["Scheduler lag", "How late timers fire."],
};

export const queues = {
  ready: ["Ready", "Reloads to send in the next tick, or when the device can accept them."],
  fanOut: ["Fan-out", "Matched widgets of large pushes that are not delivered yet."],
  paced: ["Paced", "Reloads that wait for a permit of their origin."],
  timers: ["Timers", "Running timers: dates, debounce windows and budgets."],
  heldConnections: ["Paused connections", "Connections whose input is not read for now."],
  journalBytes: ["Journal", "Accepted, and not kept by the store yet.", true],
  heldAnswerBytes: ["Uncommitted answers",
    "Answers that leave when the store has kept what they confirm.", true],
  outputBytes: ["Output", "Frames that the system has not accepted yet.", true],
  outputBytesMax: ["Most output", "The most at any time since the start.", true],
  inputBytes: ["Input", "Kept until its frame is complete.", true],
  inputBytesMax: ["Most input", "The most at any time since the start.", true],
};

export const memory = {
  index: ["Index", "Which values concern which widgets."],
  widgets: ["Widgets", "Widgets, devices and their configurations."],
  schedules: ["Schedules", "When widgets reload, and their budgets."],
  fields: ["Fields", "The last values of observed and inlined fields."],
  decisions: ["Decisions", "The last decisions of each device."],
  connections: ["Connections", "Input and output of connections."],
  history: ["History", "The curves: minutes of all, and of single apps and kinds."],
  resident: ["Resident", "Memory of the process, as the system reports it."],
};

export const roles = {
  publisher: ["Publishers", "Servers that push."],
  device: ["Devices", "One device each."],
  gateway: ["Gateways", "They speak for many devices."],
  awaitingHello: ["Without HELLO", "Connected, and HELLO not received yet."],
  accepted: ["Accepted", "Since the start."],
  refused: ["Refused", "Or closed to protect the others, since the start."],
};

/// Why pushes by APNs are stopped; the runbook says what to do.
export const stops = {
  key: ["no key", "The file of the app's key is missing, or cannot be used."],
  credentials: ["key refused", "APNs does not accept the app's key, or not for this app or service."],
  topic: ["topic refused", "APNs does not accept the app's bundle."],
  tokens: ["tokens refused", "APNs has refused one device's token after the other."],
  clock: ["clock", "APNs takes new provider tokens for old ones: a clock is wrong."],
  answer: ["not APNs", "What answers is not Apple's push service: an address or a relay is wrong."],
};

/// The marks of a history.
export const events = {
  end: ["Last sign", "The last sign of the process that had the store before: it ended soon after."],
  start: ["Start", "The router began to serve."],
  appFile: ["App file", "Another app file is in force since."],
  drain: ["Drain", "The router was asked to drain."],
  pause: ["Pause", "An operator paused an app."],
  resume: ["Resume", "An operator resumed an app."],
};

/// The roles of open connections.
export const openRoles = ["publisher", "device", "gateway", "awaitingHello"];

/// The name of a key: from the table, or else made of the key: `someNewThing` is `Some new thing`.
export const name = (words, key) => {
  if (Object.hasOwn(words, key)) return words[key][0];
  const spaced = key.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
};

export const meaning = (words, key) => (Object.hasOwn(words, key) ? words[key][1] : undefined);

export const reason = (key) => (Object.hasOwn(reasons, key) ? reasons[key] : undefined);
