package import Basics

/// The content of a recording in numbers. Apply all records with `take`, then read the results.
package struct CaptureSummary: ~Copyable {
    /// The records of each kind, without those that only repeat what is known.
    package private(set) var kinds: [CaptureKind: Int] = [:]
    /// The records that only repeat what is known.
    package private(set) var restated = 0
    /// The number of sessions of each role: `publisher`, `device` or `gateway`.
    package private(set) var roles: [String: Int] = [:]
    /// The number of sessions of each app; 0 for an app that only an app file names.
    package private(set) var apps: [String: Int] = [:]
    /// The most sessions open at the same time.
    package private(set) var mostSessions = 0
    /// The number of inputs missing from the recording.
    package private(set) var lost: UInt64 = 0
    /// The time of the first record; nil without records.
    package private(set) var firstTime: RecordedTime?
    /// The latest time of all records.
    package private(set) var lastTime = RecordedTime.zero
    /// The second with the most pushes, counted from the beginning of the recording.
    package private(set) var busiestSecond: UInt64 = 0
    /// The number of pushes in `busiestSecond`.
    package private(set) var busiestCount = 0

    private var sessions = CaptureSessions()
    /// The second of the last push.
    private var second: UInt64 = 0
    /// The number of pushes in that second so far.
    private var secondCount = 0
    private var bodies = CaptureBody()

    /// Makes the summary of a recording without records.
    package init() {}

    /// The number of pushes in the recording.
    package var pushes: Int { kinds[.push] ?? 0 }

    /// The average pushes a second from the first record to the last; 0 if they have the same time.
    package var pushesPerSecond: Double {
        let span = lastTime - (firstTime ?? lastTime)
        return span == .zero ? 0 : Double(pushes) * 1_000_000 / span.inMicroseconds
    }

    /// Counts the next record.
    package mutating func take(_ record: CaptureRecord) {
        if firstTime == nil { firstTime = record.time }
        lastTime = max(lastTime, record.time)
        if !sessions.take(record) {
            restated += 1
            return
        }
        kinds[record.kind, default: 0] += 1
        switch record.kind {
        case .hello: takeHello(record)
        case .push: takePush(record)
        case .apps: takeApps(record)
        case .lost:
            let (sum, isTooLarge) = lost.addingReportingOverflow(record.lostCount ?? 0)
            lost = isTooLarge ? .max : sum
        case .ended, .widgets, .timeline, .state, .request, .attach: break
        }
    }

    /// Counts a new session by its role and app.
    private mutating func takeHello(_ record: CaptureRecord) {
        mostSessions = max(mostSessions, sessions.count)
        let client = CaptureClient(hello: record.body)
        roles[client.role, default: 0] += 1
        apps[client.app, default: 0] += 1
    }

    /// Counts a push in its second.
    private mutating func takePush(_ record: CaptureRecord) {
        let now = record.time.wholeSeconds
        if now != second { (second, secondCount) = (now, 0) }
        secondCount += 1
        if secondCount > busiestCount { (busiestSecond, busiestCount) = (second, secondCount) }
    }

    /// Adds apps without a session to `apps`, with the number 0.
    private mutating func takeApps(_ record: CaptureRecord) {
        guard var reader = bodies.open(record.body) else { return }
        while let name = reader.nextKey() {
            guard name == "apps", reader.peek() == .array else {
                reader.skipValue()
                continue
            }
            reader.enterArray()
            while reader.nextElement() {
                let app = reader.readText(ofMember: "app")
                if !app.isEmpty { apps[app, default: 0] += 0 }
            }
        }
    }
}
