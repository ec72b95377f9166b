import Basics
import FrameCodec
import TestSupport
import Testing

@testable import RouterCore

/// Plays phones that come and go, a publisher, app files with other settings, and an APNs that
/// answers as it likes, and knows what each phone may have missed.
///
/// Each match gives a phone a new version. It has seen a version if it has answered a RELOAD that
/// came after the match, or if a push that was made after it has ended in a way that is final.
///
/// A phone shows a widget with a token, or one whose app has a token, or both; or a control.
struct APNsSimulation {
    private struct Phone {
        var version = 0
        var seen = 0
        /// The connection of its session.
        var slot: ConnectionSlot?
        /// The last RELOAD of its session, and the version at that time.
        var reload: (seq: UInt64, version: Int)?
        /// The push that is under way, and the version when it was made.
        var push: (push: OutgoingAPNsPush, version: Int)?
        /// Whether nothing was heard of the last push.
        var isUnheard = false
        /// Whether that push was under way when the router was killed.
        var isKilled = false
        /// Whether the router has given up waiting for the answer to the push that is under way,
        /// because the phone has given tokens anew.
        var isAbandoned = false
    }

    /// A phone's token by which no pushes go.
    private struct EndedToken: Equatable {
        let phone: String
        let channel: APNsChannel
        /// Whether it is good again under other settings.
        let isRefused: Bool
    }

    /// What the router has sent.
    private final class Sent {
        var frames: [SentFrame] = []
    }

    private var game: PushedGame
    private let sent = Sent()
    private var phones: [Phone]
    private var random: SeededGenerator
    private let seed: UInt64
    private var isPaused = false
    /// The bundle identifier of the app's settings; nil while it has none.
    private var bundle: String? = "com.mygame"
    /// Whether refused tokens are good again once the phones have adopted other settings.
    private var areRevived = false
    /// The tokens that have ended, in this order.
    private var ended: [EndedToken] = []
    private(set) var pushCount = 0
    private(set) var endCount = 0
    private(set) var restartCount = 0

    init(seed: UInt64, phones count: Int) throws {
        let limits = RouterHarness(catalog: .game).router.limits
        game = try PushedGame(store: StoreRun(limits: limits, seed: seed))
        game.harness.install(ControlPushTests.catalog)
        phones = Array(repeating: Phone(), count: count)
        random = SeededGenerator(seed: seed)
        self.seed = seed
        game.harness.onSent = { [sent] in sent.frames += $0 }
    }

    /// Plays a number of events, and further ones until there were two restarts, and lets
    /// everything come to rest.
    mutating func play(_ events: Int) throws {
        for number in phones.indices { begin(number) }
        var count = 0
        while count < events || restartCount < 2 {
            count += 1
            try playEvent()
            look()
            try checkEnded()
        }
        game.harness.checkInvariants()
        try rest()
        for (number, phone) in phones.enumerated() {
            #expect(phone.seen == phone.version, "seed \(seed): phone \(number) has missed news")
        }
        game.harness.checkInvariants()
    }

    private mutating func playEvent() throws {
        let number = random.below(phones.count)
        switch random.below(21) {
        case 0...1: begin(number)
        case 2...3: end(number)
        case 4...8: match(number)
        case 9...12: take()
        case 13...15: answer(number)
        case 16: showTimeline(number)
        case 17: game.pass(Int64(random.pick([1, 500, 29_000, 31_000, 600_000, 1_200_000])))
        case 18:
            isPaused.toggle()
            try game.harness.router.setPaused(isPaused, app: "game")
            _ = game.harness.step()
        case 19:
            changeSettings(to: random.pick(["com.mygame", "com.other", nil]))
            // The phones have yet to adopt them.
            take()
            answer(number)
        default:
            if random.below(4) == 0 { try restart() }
        }
    }

    // MARK: - Phones

    private static func name(_ number: Int) -> String { "phone-\(number)" }

    /// The phone opens its app, which registers its widget.
    private mutating func begin(_ number: Int) {
        if phones[number].slot != nil { return }
        let name = Self.name(number)
        let slot = game.harness.connect(.device, name)
        phones[number].slot = slot
        if phones[number].push == nil { phones[number].isUnheard = false }
        if ended.contains(where: { $0.phone == name }) {
            ended.removeAll { $0.phone == name }
            phones[number].isAbandoned = phones[number].push != nil
            phones[number].isUnheard = false
        }
        var widget = TestWidget.character("w", "elf-\(number)")
        if Self.isControl(number) { (widget.kind, widget.token) = ("log", "cc0\(number % 10)") }
        var members = #""device":"\#(name)""#
        if Self.hasToken(number) { members += #","pushToken":"aa0\#(number % 10)""# }
        if Self.hasAppToken(number) { members += #","appPushToken":"bb0\#(number % 10)""# }
        game.harness.device(slot, .widgets, "{\(members),\"widgets\":[\(widget.json)]}")
    }

    private static func hasToken(_ number: Int) -> Bool { number % 4 < 2 }
    private static func hasAppToken(_ number: Int) -> Bool { number % 4 == 1 || number % 4 == 2 }
    private static func isControl(_ number: Int) -> Bool { number % 4 == 3 }

    private mutating func end(_ number: Int) {
        guard let slot = phones[number].slot else { return }
        game.harness.close(slot)
        (phones[number].slot, phones[number].reload) = (nil, nil)
        _ = game.harness.step()
    }

    private mutating func match(_ number: Int) {
        // The pushes of a paused app are not accepted.
        if isPaused { return }
        phones[number].version += 1
        game.push("elf-\(number)", flags: random.below(4) == 0 ? PushFlags.urgent : 0)
    }

    /// The phone answers its last RELOAD.
    private mutating func showTimeline(_ number: Int) {
        guard let slot = phones[number].slot, let reload = phones[number].reload else { return }
        game.harness.timeline(slot, Self.name(number), "w", reload: reload.seq)
        phones[number].seen = max(phones[number].seen, reload.version)
        phones[number].reload = nil
    }

    /// Ends turns, and gives the phones their RELOADs.
    private mutating func look() {
        repeat {
            _ = game.harness.step()
            for frame in sent.frames {
                guard case .reload(let reload) = frame,
                    let number = phones.indices.first(where: { Self.name($0) == reload.device })
                else { continue }
                phones[number].reload = (reload.seq, phones[number].version)
            }
            sent.frames.removeAll()
        } while game.harness.router.needsStep
        if areRevived { ended.removeAll(where: \.isRefused) }
        areRevived = false
    }

    /// Installs an app file in which the app has other settings, or none.
    private mutating func changeSettings(to bundle: String?) {
        var catalog = ControlPushTests.catalog
        if let bundle { catalog.apps[0].apns?.bundle = bundle } else { catalog.apps[0].apns = nil }
        areRevived = bundle != nil && bundle != self.bundle
        self.bundle = bundle
        game.harness.install(catalog)
    }

    // MARK: - APNs

    /// Takes the next push of each channel.
    private mutating func take() {
        for channel in APNsChannel.allCases { take(channel) }
    }

    private mutating func take(_ channel: APNsChannel) {
        guard let push = game.take(PushedGame.lane(channel)) else { return }
        pushCount += 1
        let name = game.harness.router.state.reloads.delivery.deviceName(push.device).string
        guard let number = phones.indices.first(where: { Self.name($0) == name }) else {
            Issue.record("seed \(seed): a push goes to \(name)")
            return
        }
        #expect(!isPaused, "seed \(seed): a push of a paused app")
        #expect(bundle != nil, "seed \(seed): a push of an app without settings")
        #expect(phones[number].slot == nil, "seed \(seed): a push to a phone with a session")
        #expect(
            phones[number].push == nil || phones[number].isAbandoned,
            "seed \(seed): two pushes to a phone are under way"
        )
        let isRight =
            switch channel {
            case .widgets: Self.hasToken(number)
            case .background: Self.hasAppToken(number)
            case .controls: Self.isControl(number)
            }
        #expect(isRight, "seed \(seed): a push by \(channel) to \(name)")
        phones[number].push = (push, phones[number].version)
        phones[number].isAbandoned = false
    }

    /// Answers the push to a phone, if one is under way.
    private mutating func answer(_ number: Int, by outcome: APNsPushOutcome? = nil) {
        guard let (push, version) = phones[number].push else { return }
        phones[number].push = nil
        // One token at least ends.
        let first: APNsPushOutcome? =
            endCount == 0 ? .tokenDead(since: nil, because: .expired) : nil
        let chosen =
            outcome ?? first
            ?? random.pick([
                .accepted, .accepted, .accepted, .refused,
                .tokenDead(since: nil, because: .unregistered), .tokenRefused(.bad),
                .postponed(.zero), .postponed(.minutes(15)), .unknown,
            ])
        settle(number, push: (push, version), by: chosen, hasCrashed: false)
        game.harness.router.apnsPushEnded(push.device, number: push.number, outcome: chosen)
        game.harness.writeJournal()
    }

    private mutating func settle(
        _ number: Int,
        push: (push: OutgoingAPNsPush, version: Int),
        by outcome: APNsPushOutcome,
        hasCrashed: Bool
    ) {
        // An answer to it changes nothing.
        if phones[number].isAbandoned {
            phones[number].isAbandoned = false
            return
        }
        switch outcome {
        case .postponed: break
        // The session has got the reload.
        case .unknown where phones[number].slot != nil: phones[number].isUnheard = false
        case .unknown where !phones[number].isUnheard || hasCrashed && !phones[number].isKilled:
            (phones[number].isUnheard, phones[number].isKilled) = (true, hasCrashed)
        // It is made anew after a pause.
        case .unknown where !hasCrashed: phones[number].isUnheard = false
        // The push is repeated with the app's token, or the session has got the reload.
        case .tokenDead, .tokenRefused:
            phones[number].isUnheard = false
            let isRefused = if case .tokenRefused = outcome { true } else { false }
            ended.append(
                EndedToken(
                    phone: Self.name(number),
                    channel: push.push.channel,
                    isRefused: isRefused
                )
            )
            endCount += 1
            let hasOther = push.push.channel == .widgets && Self.hasAppToken(number)
            if !hasOther { phones[number].seen = max(phones[number].seen, push.version) }
        case .accepted, .acceptedOnTrial, .refused, .unknown:
            phones[number].isUnheard = false
            phones[number].seen = max(phones[number].seen, push.version)
        }
    }

    /// Compares the list of ended tokens with those that have ended.
    private func checkEnded() throws {
        let list = try game.endedTokens()
        let found = list.map {
            EndedToken(phone: $0.device, channel: $0.channel, isRefused: $0.state == .refused)
        }
        #expect(found == ended, "seed \(seed)")
        for token in list {
            #expect((token.control?.widget == "w") == (token.channel == .controls), "seed \(seed)")
        }
    }

    // MARK: - The router

    private mutating func restart() throws {
        restartCount += 1
        // What is applied and not in the journal is lost with the process.
        _ = game.harness.step()
        try game.harness.restart()
        isPaused = false
        for number in phones.indices {
            (phones[number].slot, phones[number].reload) = (nil, nil)
            guard let push = phones[number].push else { continue }
            phones[number].push = nil
            settle(number, push: push, by: .unknown, hasCrashed: true)
        }
        game.connect()
    }

    /// Opens all apps once more, so that all tokens are alive, and answers all pushes.
    private mutating func rest() throws {
        if isPaused {
            isPaused = false
            try game.harness.router.setPaused(false, app: "game")
        }
        if bundle == nil { changeSettings(to: "com.mygame") }
        look()
        for number in phones.indices {
            answer(number, by: .accepted)
            end(number)
            begin(number)
            look()
            end(number)
        }
        for _ in 0..<6 {
            game.pass(1_200_000)
            look()
            for _ in 0..<2 * phones.count {
                take()
                for number in phones.indices { answer(number, by: .accepted) }
            }
        }
    }
}

@Suite("Phones that come and go, with an APNs that answers as it likes and restarts of the router")
struct APNsSimulationTests {
    @Test(arguments: seeds(24))
    func `learn of all news in one way or the other`(seed: UInt64) throws {
        var simulation = try APNsSimulation(seed: seed, phones: 8)
        try simulation.play(600)
        #expect(simulation.pushCount > 5, "seed \(seed) says little")
        #expect(simulation.endCount > 0, "seed \(seed) says little")
    }
}
