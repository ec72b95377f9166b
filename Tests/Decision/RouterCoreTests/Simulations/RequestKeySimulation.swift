import Basics
import FrameCodec
import ReloadScheduling
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

/// Publishers over HTTP that repeat requests at random, on a disk that fails and with a router that
/// crashes, against a model.
///
/// The publishers are as `protocol/http.md` wants them: they send a request again, unchanged, until
/// they have its answer, which may be lost; and some use a key for another request. What a server
/// does between them and the router is done here in its simplest form.
final class RequestKeySimulation {
    private typealias Request = RequestKeyModel.Request

    /// A session of one of the router's own producers, and the request that it works on.
    private struct Lane {
        var slot: ConnectionSlot
        let app: String
        /// The number of its producer.
        let number: Int
        var highestSeq: UInt64
        var job: Job?
    }

    private struct Job {
        let request: Request
        let firstSeq: UInt64
        /// What was known of it when it began.
        let earlier: RequestProgress?
        /// The first line that was not sent.
        var next: Int
        var acknowledged: UInt64 = 0
        var matched: UInt64
        var refused: [Int: ErrorCode] = [:]

        /// Whether each line is accepted or refused.
        var isDone: Bool {
            if next < request.lines.count { return false }
            let accepted = request.lines.indices.last {
                $0 >= (earlier?.lines ?? 0) && request.lines[$0].refusal == nil
            }
            return accepted.map { firstSeq + UInt64($0) <= acknowledged } ?? true
        }

        /// The first answer to it.
        var answer: RequestProgress {
            var refused = refused
            for (line, code) in earlier?.rejected ?? [] { refused[line] = code }
            return RequestProgress(
                key: request.key,
                lines: request.lines.count,
                accepted: request.lines.count - refused.count,
                matched: matched,
                isAnswered: true,
                rejected: refused.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            )
        }
    }

    static let lanesPerApp = 2
    static let namesPerApp: UInt64 = 8
    static let apps = ["game", "news"]

    let store: FailingStoreRun
    let harness: RouterHarness
    private(set) var problem: String?
    /// How often each of the cases has occurred that are played here.
    private(set) var counts: [String: Int] = [:]
    private let seed: UInt64
    private let isPortioned: Bool
    private var random: SeededGenerator
    /// How often much time has passed without a sweep.
    private var passesSinceSweep = 0
    private var model: RequestKeyModel
    /// The model at records of the journal, in their order.
    private var models: [(position: Int, model: RequestKeyModel)] = []
    private var lanes: [Lane] = []
    /// The request that each key's publisher sends at present.
    private var requests: [UInt64: Request] = [:]
    /// Answers that await the commit of a record.
    private var answers: [(position: Int, name: UInt64, answer: RequestProgress)] = []
    /// The answers that publishers have.
    private var received: [UInt64: RequestProgress] = [:]

    /// - Parameters:
    ///   - seed: the same one plays the same.
    ///   - isPortioned: whether pushes are matched and delivered in portions of one widget.
    /// - Throws: an error of the store, which a simulated one has only while it is made to fail.
    init(seed: UInt64, isPortioned: Bool) throws {
        self.seed = seed
        self.isPortioned = isPortioned
        random = SeededGenerator(seed: seed)
        // The end of a fan-out counts its matches, even for a key that was displaced meanwhile.
        let keysPerApp = isPortioned ? 100 : 5
        model = RequestKeyModel(keysPerApp: keysPerApp)
        harness = RouterHarness(seed: seed) { limits in
            limits.requestKeysPerApp = keysPerApp
            if isPortioned {
                limits.matchesPerStep = 1
                limits.journalRecord = 1
            }
        }
        store = FailingStoreRun(limits: harness.router.limits, seed: seed)
        try harness.keepStore(Self.catalog, store)
        for app in Self.apps { register(app) }
        repeat { tick() } while Int(store.committed) < store.journal.count
    }

    private static let catalog = AppCatalog(
        apps: apps.map { app in
            AppDeclaration(
                app: app,
                kinds: [
                    KindDeclaration(
                        kind: "detail",
                        rule: .parameter("character"),
                        policy: .unlimited
                    )
                ]
            )
        }
    )

    /// Registers the widgets of all characters, on devices that are away: each push that reaches a
    /// widget is one decision of its device.
    private func register(_ app: String) {
        let gateway = harness.connect(.gateway, app: app)
        forEachDevice { character, device in
            harness.widgets(gateway, device, [.character("w", "\(character)")])
        }
        _ = harness.step()
        harness.close(gateway)
        tick()
    }

    private func forEachDevice(_ body: (Int, String) -> Void) {
        for character in 0..<RequestKeyModel.characters {
            for number in 0..<RequestKeyModel.widgets(character) {
                body(character, "d\(character)-\(number)")
            }
        }
    }

    // MARK: - Acts

    func act() throws {
        harness.advance(Int64(random.below(20)))
        switch random.below(20) {
        case 0..<9: send(1 + UInt64(random.below(Int(Self.namesPerApp) * Self.apps.count)))
        case 9..<16: try advanceAny()
        case 16: if random.below(2) == 0 { close(random.below(max(1, lanes.count))) }
        case 17: if random.below(2) == 0 { pass() }
        case 18: if random.below(2) == 0 { try crash() }
        default: sweep()
        }
        if random.below(3) > 0 { tick() }
        check()
    }

    /// Advances a request, and may then end its session while its pushes are fanned out.
    private func advanceAny() throws {
        let index = random.below(max(1, lanes.count))
        advance(index, by: 1 + random.below(3))
        if !harness.router.isFanningOut { return }
        switch random.below(16) {
        case 0: close(index)
        case 1: try crash()
        default: break
        }
    }

    /// Each publisher sends its request until it has the answer, and then all pushes must have had
    /// their effect.
    func finish() throws {
        for _ in 0..<1_000 where problem == nil {
            let waiting = requests.keys.sorted().filter { received[$0] == nil }
            if waiting.isEmpty { break }
            for name in waiting { send(name, isUnchanged: true) }
            for index in lanes.indices { advance(index, by: 10) }
            tick()
            check()
        }
        let unanswered = requests.keys.filter { received[$0] == nil }
        if problem == nil && !unanswered.isEmpty {
            problem = "the requests \(unanswered.sorted()) get no answer"
        }
        try restart()
        for _ in 0..<10_000 where harness.router.needsStep { tick() }
        check()
        try checkEffects()
        harness.checkInvariants()
    }

    private func count(_ what: String, by number: Int = 1) { counts[what, default: 0] += number }

    // MARK: - Requests

    private func request(_ name: UInt64) -> Request {
        let content = (requests[name]?.content ?? 0) + 1
        let lines = (0...random.below(5)).map { _ -> RequestKeyModel.Line in
            switch random.below(8) {
            case 0: .noJSON
            case 1: .tooLong
            default: .push(random.below(RequestKeyModel.characters))
            }
        }
        return Request(
            app: Self.apps[Int(name) % Self.apps.count],
            name: name,
            content: content,
            lines: lines
        )
    }

    /// A publisher sends a request, with lines of its own unless it repeats the last one.
    private func send(_ name: UInt64, isUnchanged: Bool = false) {
        let isNew = requests[name] == nil || (!isUnchanged && random.below(6) == 0)
        let request = isNew ? request(name) : requests[name]!
        let known = model.kept[name]
        if known.map({ $0.request != request }) == true
            || model.underWay.values.contains(where: {
                $0.request.name == name && $0.request != request
            })
        {
            // 422: the key stays that of the other request.
            if let known, requests[name] != known.request {
                requests[name] = known.request
                received[name] = nil
            }
            return count("reused")
        }
        if model.isUnderWay(name) { return count("in use") }
        let isFinishing = harness.router.isFinishing(request.key)
        if isFinishing {
            if known == nil || !harness.router.isFanningOut { problem = "\(name) is not finishing" }
            return count("finishing")
        }
        requests[name] = request
        if let known, known.isAnswered {
            count("repeated")
            let found = harness.router.progress(of: request.key)!
            return answers.append((store.journal.count, name, found))
        }
        begin(request)
    }

    private func begin(_ request: Request) {
        guard let index = freeLane(of: request.app) else { return count("waits") }
        let slot = lanes[index].slot
        // What it got for an earlier request that is forgotten.
        if model.kept[request.name] == nil { received[request.name] = nil }
        let firstSeq = lanes[index].highestSeq + 1
        let known = harness.router.beginRequest(
            slot,
            key: request.key,
            firstSeq: firstSeq,
            now: harness.now
        )
        if known != model.kept[request.name]?.progress, !harness.router.isFanningOut {
            problem = "\(request.name) continues after \(known as Any)"
        }
        count("displaced", by: model.begin(request, on: slot))
        if known != nil { count("continued") }
        lanes[index].job = Job(
            request: request,
            firstSeq: firstSeq,
            earlier: known,
            next: known?.lines ?? 0,
            matched: known?.matched ?? 0
        )
    }

    /// A lane without a request, which is opened if there is none.
    private func freeLane(of app: String) -> Int? {
        let free = lanes.firstIndex {
            $0.app == app && $0.job == nil && !harness.router.isPaused($0.slot)
        }
        let numbers = lanes.filter { $0.app == app }.map(\.number)
        guard free == nil, !harness.router.isBusy,
            let number = (0..<Self.lanesPerApp).first(where: { !numbers.contains($0) })
        else { return free }
        let slot = harness.open()
        harness.router.closed(slot)
        let lastSeq = try? harness.router.openPublisher(
            slot,
            app: app,
            producer: "(http \(number))",
            now: harness.now
        )
        guard let lastSeq else { return nil }
        lanes.append(Lane(slot: slot, app: app, number: number, highestSeq: lastSeq))
        return harness.router.isPaused(slot) ? nil : lanes.count - 1
    }

    /// Sends the router the next lines of a lane's request, and ends it after the last one.
    private func advance(_ index: Int, by count: Int) {
        guard lanes.indices.contains(index), let job = lanes[index].job else { return }
        let end = min(job.request.lines.count, job.next + (isPortioned ? 1 : count))
        if job.next < end {
            if harness.router.isPaused(lanes[index].slot) { return tick() }
            push(job.next..<end, on: index)
        } else if job.isDone {
            finish(job, on: index)
        } else {
            tick()
        }
    }

    private func push(_ lines: Range<Int>, on index: Int) {
        let slot = lanes[index].slot
        guard let job = lanes[index].job else { return }
        var frames: [UInt8] = []
        for line in lines {
            let seq = job.firstSeq + UInt64(line)
            switch job.request.lines[line] {
            case .tooLong:
                harness.router.refuseLine(slot, seq: seq, now: harness.now)
                lanes[index].job?.refused[line + 1] = .frameLength
                continue
            case .noJSON: frames += harness.pushFrame(seq, "[")
            case .push(let character):
                frames += harness.pushFrame(seq, #"{"character":"\#(character)"}"#)
            }
            lanes[index].highestSeq = seq
        }
        lanes[index].job?.next = lines.upperBound
        let taken = harness.send(slot, frames)
        if taken != frames.count { problem = "\(taken) of \(frames.count) bytes were taken" }
        var next = model
        next.applied(lines, on: slot)
        // A push whose matches are still searched for is not accepted yet.
        repeat {
            receive(harness.step())
            if !harness.router.isSearching { model = next }
            recordModel()
        } while harness.router.isSearching
    }

    private func finish(_ job: Job, on index: Int) {
        let lane = lanes[index]
        harness.router.endRequest(lane.slot, lines: job.request.lines.count, now: harness.now)
        model.end(on: lane.slot)
        lanes[index].job = nil
        tick()
        answers.append((store.journal.count, job.request.name, job.answer))
    }

    // MARK: - Ticks

    private func tick() {
        receive(harness.step())
        recordModel()
    }

    private func recordModel() {
        models.append((store.journal.count, model))
        let committed = Int(store.committed)
        for (position, name, answer) in answers where position <= committed {
            // The connection may be lost before.
            if random.below(4) > 0 { arrived(answer, at: name) }
        }
        answers.removeAll { $0.position <= committed }
        if models.count > 1_000 { models.removeFirst(500) }
    }

    /// A publisher gets an answer, which must be the one to its request, and the first one again.
    private func arrived(_ answer: RequestProgress, at name: UInt64) {
        guard let request = requests[name], request.key == answer.key else { return }
        let right = request.progress(through: request.lines.count, isAnswered: true)
        if answer != received[name] ?? right || answer != right {
            problem = problem ?? "request \(name) gets \(answer), and not \(right)"
        }
        received[name] = answer
    }

    private func receive(_ frames: [SentFrame]) {
        for frame in frames {
            guard let index = lanes.firstIndex(where: { $0.slot == frame.slot }),
                let job = lanes[index].job
            else { continue }
            switch frame {
            case .outcome: break
            case .ack(_, let seq, let matched):
                lanes[index].job?.acknowledged = max(seq, job.acknowledged)
                lanes[index].job?.matched += UInt64(matched ?? 0)
            case .reject(_, let seq, let code, _):
                lanes[index].job?.refused[Int(seq - job.firstSeq) + 1] = code
            default: problem = "\(frame) is no answer to a push"
            }
        }
    }

    // MARK: - What happens to the router

    private func close(_ index: Int) {
        if !lanes.indices.contains(index) { return }
        let lane = lanes.remove(at: index)
        harness.router.closed(lane.slot)
        model.closed(lane.slot)
        guard let job = lane.job else { return }
        count("closed")
        if random.below(2) == 0 { send(job.request.name, isUnchanged: true) }
    }

    /// The publishers that lose their connections send their requests again, some at once.
    private func crash() throws {
        let names = lanes.compactMap { $0.job?.request.name }
        try restart()
        for name in names where random.below(2) == 0 { send(name, isUnchanged: true) }
    }

    /// Half a day passes, and somewhat more.
    private func pass() {
        if harness.router.isBusy || harness.router.isFanningOut { return }
        // A server sweeps every second: no key becomes so old that its time begins again.
        if passesSinceSweep >= 3 { sweep() }
        passesSinceSweep += 1
        // The time between two sessions of a process counts.
        beginSession(after: 0)
        beginSession(after: 13 * hour)
    }

    private func beginSession(after time: Int64) {
        harness.advance(time)
        let slot = harness.connect(.gateway)
        model.time += time
        recordModel()
        harness.close(slot)
        tick()
    }

    private func sweep() {
        if harness.router.isFanningOut { return }
        passesSinceSweep = 0
        harness.router.beginSweep(now: harness.now)
        count("old", by: model.forgetOld())
        while harness.isSweeping {
            // There is no connection that could be silent.
            receive(harness.continueSweep(isHeard: false))
            recordModel()
        }
    }

    /// The power goes, and another process begins with what the disk has.
    private func restart() throws {
        if model.underWay.values.contains(where: { $0.end > 0 }) { count("split") }
        try harness.restart()
        // The last sweep may be lost.
        passesSinceSweep = .max / 2
        models.removeAll { $0.position > store.journal.count }
        model = models.last!.model
        model.crashed()
        (lanes, answers) = ([], [])
        tick()
        check()
        if !harness.router.isFanningOut { try checkEffects() }
    }

    // MARK: - Checks

    /// The router knows of each key what the model knows.
    private func check() {
        if problem != nil { return }
        let isFanningOut = harness.router.isFanningOut
        for name in 1...Self.namesPerApp * UInt64(Self.apps.count) {
            let key = RequestKeyModel.Request(app: "", name: name, content: 0, lines: []).key
            var found = harness.router.progress(of: key)
            let wanted = model.kept[name]?.progress
            if isFanningOut, let wanted { found?.matched = wanted.matched }
            if found != wanted {
                problem = "of \(name) is known \(found as Any), and not \(wanted as Any)"
                return
            }
        }
        let count = harness.router.storedCounts.requestKeys
        if count != model.kept.count { problem = "\(count) keys are kept of \(model.kept.count)" }
    }

    /// The pushes in the journal have reached each device as often as the model says.
    private func checkEffects() throws {
        var router = Router(
            catalog: AppCatalog(apps: []),
            limits: harness.router.limits,
            seed: seed
        )
        router.beginFollowing()
        // A router that only follows keeps no decisions.
        router.outbox.observer.decisions = DecisionLog(perDevice: 4_000)
        for body in store.journal {
            try body.withByteView { view throws(StoreError) in try router.follow(view) }
        }
        for app in Self.apps {
            forEachDevice { character, device in
                let found = router.decisions(ofDevice: device, app: app)?.count ?? 0
                let wanted = model.effects[app]?[character] ?? 0
                if found != wanted, problem == nil {
                    problem = "\(device) of \(app) had \(found) pushes, and not \(wanted)"
                }
            }
        }
        count("pushes", by: model.effects.values.reduce(0) { $0 + $1.reduce(0, +) })
        router.endFollowing()
    }
}
