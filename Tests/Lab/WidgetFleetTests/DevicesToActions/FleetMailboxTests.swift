import Basics
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RouterSimulation
@testable import WidgetFleet
@testable import WidgetTimelines

@Suite("What widget code says, and whether it runs")
struct FleetMailboxTests {
    private let question = ProviderQuestion(widget: 0, subject: .timeline, number: 7)

    private func asked(_ mailbox: FleetMailbox, isOnline: Bool = true) -> AskedDevice {
        AskedDevice(
            mailbox,
            device: 3,
            question: question,
            widgets: [],
            isOnline: isOnline,
            token: nil
        )
    }

    /// What widget code asks the origin; its answers are given by the test.
    private func fetches(
        _ mailbox: FleetMailbox
    ) -> [(path: String, answer: @Sendable (Result<Data, OriginError>) -> Void)] {
        mailbox.take().compactMap { envelope in
            guard case .fetch(let path, let answer) = envelope.message else {
                return nil
            }
            return (path, answer)
        }
    }

    @Test func `Letters come in their order, each once`() {
        let mailbox = FleetMailbox {}
        for number in 0..<3 { mailbox.put(.request(kind: "\(number)"), for: question, of: number) }
        let envelopes = mailbox.take()
        #expect(
            envelopes.map(\.device) == [0, 1, 2] && envelopes.allSatisfy { $0.question == question }
        )
        #expect(mailbox.take().isEmpty)
    }

    @Test func `The fleet is woken by the first envelope that was not taken, and by rest`() {
        let wakes = Mutex(0)
        let mailbox = FleetMailbox { wakes.withLock { $0 += 1 } }
        mailbox.put(.request(kind: nil), for: question, of: 0)
        mailbox.put(.request(kind: nil), for: question, of: 0)
        #expect(wakes.withLock { $0 } == 1)
        _ = mailbox.take()
        mailbox.put(.request(kind: nil), for: question, of: 0)
        #expect(wakes.withLock { $0 } == 2)
        asked(mailbox).answer(.request(kind: nil))
        #expect(wakes.withLock { $0 } == 3)
    }

    @Test func `Letters of many threads all come`() async {
        let mailbox = FleetMailbox {}
        await withTaskGroup { group in
            for device in 0..<8 {
                group.addTask {
                    for _ in 0..<500 { mailbox.put(.request(kind: nil), for: question, of: device) }
                }
            }
        }
        let envelopes = mailbox.take()
        for device in 0..<8 { #expect(envelopes.count { $0.device == device } == 500) }
    }

    @Test func `Code runs until it answers; another answer changes nothing`() {
        let mailbox = FleetMailbox {}
        let code = asked(mailbox)
        let other = asked(mailbox)
        #expect(mailbox.runningQuestions == 2)
        code.answer(.request(kind: nil))
        #expect(mailbox.runningQuestions == 1)
        code.answer(.request(kind: nil))
        #expect(mailbox.runningQuestions == 1)
        other.answer(.request(kind: nil))
        #expect(mailbox.runningQuestions == 0)
    }

    @Test func `Code that drops what it was to call runs no longer`() {
        let mailbox = FleetMailbox {}
        var code: AskedDevice? = asked(mailbox)
        #expect(mailbox.runningQuestions == 1)
        withExtendedLifetime(code) {}
        code = nil
        #expect(mailbox.runningQuestions == 0 && mailbox.take().isEmpty)
    }

    @Test func `Code that answered and is dropped is not counted twice`() {
        let mailbox = FleetMailbox {}
        asked(mailbox).answer(.request(kind: nil))
        #expect(mailbox.runningQuestions == 0)
    }

    @Test
    func `Code that waits for the origin does not run, and runs again when it has its answer`() {
        let mailbox = FleetMailbox {}
        let code = asked(mailbox)
        code.fetch("/a") { result in
            // Counted before the code goes on.
            #expect(mailbox.runningQuestions == 1 && (try? result.get()) == Data([1]))
        }
        #expect(mailbox.runningQuestions == 0)
        let found = fetches(mailbox)
        #expect(found.map(\.path) == ["/a"])
        found[0].answer(.success(Data([1])))
        #expect(mailbox.runningQuestions == 1)
        code.answer(.request(kind: nil))
        #expect(mailbox.runningQuestions == 0)
    }

    private struct Entry: TimelineEntry {
        let date: Date
    }

    @Test
    func
        `A timeline's dates are of the moment at which code read its clock, however late it comes`()
        throws
    {
        let time: WallTime = 1_780_272_000_000
        let mailbox = FleetMailbox(clock: VirtualClock(time)) {}
        let code = asked(mailbox)
        let read = Date.now
        while Date.now.timeIntervalSince(read) < 0.001 {}
        let entries = [Entry(date: .distantPast), Entry(date: read), Entry(date: read + 600)]
        let context = TimelineProviderContext(family: .systemSmall, isPreview: false)
        let timeline = Timeline(entries: entries, policy: .never)
        code.answer(RenderableTimeline(timeline, in: context) { _ in Text("") })
        let envelope = try #require(mailbox.take().first)
        guard case .timeline(_, let shift) = envelope.message else {
            Issue.record("\(envelope)")
            return
        }
        #expect(abs(read.timeIntervalSince1970 + shift - (time - .zero).inSeconds) < 0.000_01)
    }

    @Test func `Code that waits for two answers runs when it has both, or has answered`() {
        let mailbox = FleetMailbox {}
        let code = asked(mailbox)
        for path in ["/a", "/b"] { code.fetch(path) { _ in } }
        let found = fetches(mailbox)
        #expect(mailbox.runningQuestions == 0 && found.map(\.path) == ["/a", "/b"])
        found[1].answer(.failure(.offline))
        #expect(mailbox.runningQuestions == 0)
        found[0].answer(.failure(.offline))
        #expect(mailbox.runningQuestions == 1)
        code.answer(.request(kind: nil))
        #expect(mailbox.runningQuestions == 0)
    }

    @Test func `Code that answers while the origin has not does not run any more`() {
        let mailbox = FleetMailbox {}
        let code = asked(mailbox)
        code.fetch("/a") { _ in }
        code.answer(.request(kind: nil))
        #expect(mailbox.runningQuestions == 0)
        for envelope in fetches(mailbox) { envelope.answer(.failure(.offline)) }
        #expect(mailbox.runningQuestions == 0)
    }

    @Test func `Code that drops the origin's answer runs no longer`() {
        let mailbox = FleetMailbox {}
        asked(mailbox).fetch("/a") { _ in }
        #expect(mailbox.runningQuestions == 0)
        for envelope in fetches(mailbox) { envelope.answer(.failure(.offline)) }
        #expect(mailbox.runningQuestions == 0)
    }

    @Test func `A device that is offline sends no request, and its code continues`() {
        let mailbox = FleetMailbox {}
        let code = asked(mailbox, isOnline: false)
        let failure = Mutex<OriginError?>(nil)
        code.fetch("/a") { result in
            if case .failure(let error) = result { failure.withLock { $0 = error } }
        }
        #expect(failure.withLock { $0 } == .offline)
        #expect(mailbox.runningQuestions == 1 && mailbox.take().isEmpty)
        code.answer(.request(kind: nil))
    }

    @Test func `An answer that comes before the question is counted leaves the code running`() {
        // The fleet's thread is woken in the middle of the question, and answers at once.
        let published = Mutex<FleetMailbox?>(nil)
        let mailbox = FleetMailbox {
            guard let mailbox = published.withLock({ $0 }) else { return }
            for envelope in mailbox.take() {
                guard case .fetch(_, let answer) = envelope.message else { continue }
                answer(.failure(.offline))
            }
        }
        published.withLock { $0 = mailbox }
        let code = asked(mailbox)
        let runningQuestions = Mutex<Int?>(nil)
        code.fetch("/a") { _ in runningQuestions.withLock { $0 = mailbox.runningQuestions } }
        #expect(runningQuestions.withLock { $0 } == 1 && mailbox.runningQuestions == 1)
        code.answer(.request(kind: nil))
        #expect(mailbox.runningQuestions == 0)
        published.withLock { $0 = nil }
    }
}
