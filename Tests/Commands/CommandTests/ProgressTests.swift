import ArgumentParser
import CommandSupport
import Synchronization
import Testing

@testable import reload_lab
@testable import reload_router

@Suite("The progress of a command")
struct ProgressTests {
    /// What a progress has written, in order.
    private final class Written: Sendable {
        private let texts = Mutex<[String]>([])

        func append(_ text: String) { texts.withLock { $0.append(text) } }

        var all: [String] { texts.withLock { $0 } }
    }

    private let written = Written()

    private func progress(isTerminal: Bool) -> Progress {
        let written = written
        return Progress("store check", activity: "reading", isTerminal: isTerminal) {
            written.append($0)
        }
    }

    @Test("is not shown before two seconds", arguments: [true, false])
    func patience(isTerminal: Bool) {
        let progress = progress(isTerminal: isTerminal)
        #expect(progress.tick(.zero) && progress.tick(.seconds(1.99)))
        progress.end()
        #expect(!progress.tick(.seconds(3)))
        #expect(written.all.isEmpty)
    }

    @Test("is one line on a terminal, which is rewritten, and erased at the end")
    func terminal() {
        let progress = progress(isTerminal: true)
        #expect(progress.tick(.seconds(2)))
        progress.update("comparing")
        #expect(progress.tick(.seconds(285.3)))
        progress.end()
        #expect(
            written.all == [
                "\r\u{1b}[Kstore check: reading, 2 s",
                "\r\u{1b}[Kstore check: comparing, 4 min 45 s",
                "\r\u{1b}[K",
            ]
        )
    }

    @Test("makes way on a terminal for what is printed, and returns")
    func hidden() {
        let progress = progress(isTerminal: true)
        progress.hideLine()
        #expect(progress.tick(.seconds(2)))
        progress.hideLine()
        progress.hideLine()
        #expect(progress.tick(.seconds(3)))
        #expect(
            written.all == [
                "\r\u{1b}[Kstore check: reading, 2 s", "\r\u{1b}[K",
                "\r\u{1b}[Kstore check: reading, 3 s",
            ]
        )
    }

    @Test("fits into a row of the terminal")
    func width() {
        let progress = progress(isTerminal: true)
        progress.update(String(repeating: "x", count: 10_000))
        #expect(progress.tick(.seconds(2)))
        #expect(written.all.allSatisfy { $0.count < 1_000 })
    }

    @Test("is said once if the output is no terminal")
    func piped() {
        let progress = progress(isTerminal: false)
        progress.update("comparing")
        #expect(!progress.tick(.seconds(2)))
        progress.update("counting")
        #expect(!progress.tick(.seconds(60)))
        progress.hideLine()
        progress.end()
        #expect(written.all == ["store check: comparing; this takes a while\n"])
    }

    @Test("is that of all commands that may take long, and of no others")
    func commands() throws {
        for line in [
            "check --apps x", "match --pairs x", "explain --apps x --widgets y --push {}",
            "store check", "store repair", "store backup x", "store dump", "store stat",
            "store create", "push --app a --file x",
        ] {
            let command = try ReloadRouter.parseAsRoot(line.split(separator: " ").map(String.init))
            #expect((command as? any LongCommand)?.activity != nil, "\(line)")
        }
        for line in [
            "simulate", "fleet x", "replay x", "bench all", "bench match", "bench store",
            "capture merge a -o b",
            "capture info a", "capture generate flash-crowd -o b",
        ] {
            let command = try ReloadLab.parseAsRoot(line.split(separator: " ").map(String.init))
            #expect((command as? any LongCommand)?.activity != nil, "\(line)")
        }
        for line in ["serve --apps x", "top", "push --app a {}", "device --app a --device d"] {
            let command = try ReloadRouter.parseAsRoot(line.split(separator: " ").map(String.init))
            #expect((command as? any LongCommand)?.activity == nil, "\(line)")
        }
    }
}
