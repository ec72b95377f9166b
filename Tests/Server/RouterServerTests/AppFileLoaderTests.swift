import AdminAPI
import Basics
import Credentials
import Cryptography
import Glibc
import RouterCore
import Testing

@testable import RouterServer

@Suite("Loading app files")
struct AppFileLoaderTests {
    private static let one = #"{"apps":[{"app":"a","publishers":"open","kinds":[{"kind":"k"}]}]}"#
    private static let two = #"{"apps":[{"app":"a","kinds":[{"kind":"k"},{"kind":"l"}]}]}"#

    /// Loads a file of this text after another one.
    private func load(
        _ text: String,
        after former: AppFileLoader.Loaded? = nil,
        allowsOpenRoles: Bool = true
    ) throws -> AppFileLoader.Outcome {
        var name = Array("/tmp/app-file-XXXXXX\0".utf8).map(CChar.init(bitPattern:))
        let descriptor = unsafe mkstemp(&name)
        defer { close(descriptor) }
        let path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { unlink(path) }
        let bytes = Array(text.utf8)
        #expect(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
        return AppFileLoader.load(
            AppFileLoader.Order(
                path: path,
                inForce: former?.file.source ?? [],
                digest: former?.digest,
                makeReady: try Gatekeeper([]) {}.makeReady,
                allowsOpenRoles: allowsOpenRoles
            )
        )
    }

    private func loaded(_ outcome: AppFileLoader.Outcome) -> AppFileLoader.Loaded? {
        if case .loaded(let loaded) = outcome { loaded } else { nil }
    }

    @Test func `A file that is as before is only compared, and another one is what differs`() throws
    {
        let first = try #require(loaded(try load(Self.one)))
        #expect(first.change.newKindCount == 1)
        let again = try load(Self.one, after: first)
        #expect(loaded(again) == nil)
        if case .unchanged = again {} else { Issue.record("it is unchanged") }
        let second = try #require(loaded(try load(Self.two, after: first)))
        #expect(second.change.portions.map(\.declared.apps.first?.kinds.first?.kind) == ["l", nil])
        let back = try #require(loaded(try load(Self.one, after: second)))
        #expect(back.change.portions.map(\.withdrawn.apps.first?.kinds.first?.kind) == ["l", nil])
        #expect(back.digest == first.digest)
    }

    @Test func `What is wrong is an outcome, and an open role one that the server may allow`()
        throws
    {
        guard case .refused(let problem) = try load("{") else {
            Issue.record("it is refused")
            return
        }
        #expect("\(problem)".contains("line 1"))
        #expect(loaded(try load(Self.one))?.openRole == nil)
        #expect(loaded(try load(Self.one, allowsOpenRoles: false))?.openRole != nil)
        #expect(loaded(try load(Self.two, allowsOpenRoles: false))?.openRole == nil)
    }

    @Test func `One load follows the other, and signals that come before theirs begins are one`() {
        var loader = AppFileLoader()
        /// Whether a load begins, and whether a signal waits for its effect then.
        func begin() -> [Bool] {
            let begins = loader.next() != nil
            return [begins, loader.hasHangUp]
        }
        func end() -> [Bool] {
            let ends = loader.end() != nil
            return [ends, loader.hasHangUp]
        }
        func hangUpThrice() -> [Bool] { (0..<3).map { _ in loader.append(.hangUp) } }
        #expect(begin() == [false, false])
        #expect(hangUpThrice() == [true, true, true])
        #expect(begin() == [true, true])
        #expect(begin() == [false, true], "one is under way")
        #expect(hangUpThrice() == [true, true, true])
        #expect(end() == [true, true])
        #expect(begin() == [true, true])
        #expect(end() == [true, false])
        #expect(begin() == [false, false])
    }

    @Test func `Files of operators wait up to a limit, and are all answered at the end`() throws {
        var loader = AppFileLoader()
        let mailbox = AdminMailbox()
        mailbox.open {}
        let file = try Array(Self.two.utf8).withByteView { try AppFile.parse($0) }
        for number in 0...AppFileLoader.waitingLimit {
            mailbox.submit(.appFile, from: nil) { _ in }
            let entry = try #require(mailbox.take())
            let isAppended = loader.append(.operator(file, entry))
            #expect(isAppended == (number < AppFileLoader.waitingLimit))
        }
        let isSignalAppended = loader.append(.hangUp)
        let begins = loader.next() != nil
        #expect(isSignalAppended && begins)
        let cancelled = loader.cancel(atEnd: false).count
        let isIdle = loader.isIdle
        #expect(cancelled == AppFileLoader.waitingLimit && isIdle)
        mailbox.close()
    }
}
