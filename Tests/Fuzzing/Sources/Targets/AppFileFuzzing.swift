import Basics
import CaptureFormat
import Credentials
import StoreFormat

@testable import RouterCore

/// An app file is refused with a place, or makes a router whose journal makes the same router
/// again.
final class AppFileFuzzing: FuzzTarget {
    private let redaction = CaptureRedaction(key: (1, 2))

    func run(_ input: ByteView) {
        input.withCopy(check)
    }

    private func check(_ file: ByteView) {
        checkWithoutTokens(file)
        let parsed: AppFile
        do throws(AppFileError) {
            parsed = try AppFile.parse(file)
        } catch {
            checkLocation(error, file)
            return
        }
        let catalog = parsed.catalog
        let stored = parsed.source.withByteView { try? AppFile.parseStored($0) }
        require(stored == catalog, "without its secrets, the file says something else")
        var router = Router(catalog: AppCatalog(apps: []), limits: RouterLimits(), seed: 1)
        router.startJournal()
        router.tick(
            Instant(
                monotonic: MonotonicTime(rawValue: 1_000),
                wall: WallTime(rawValue: 1_700_000_000_000)
            )
        )
        router.install(catalog, source: parsed.source)
        var replayed = Router(catalog: AppCatalog(apps: []), limits: RouterLimits(), seed: 1)
        replayed.beginFollowing()
        do throws(StoreError) {
            try replayed.follow(router.journalBytes)
        } catch {
            fail("the journal of an app file is refused: \(error)")
        }
        let difference = StateImage(replayed).difference(
            from: StateImage(router),
            ignoresTime: true
        )
        require(difference == nil, "replayed: \(difference ?? "")")
        // A file that holds already changes nothing, and an empty one takes all away.
        router.install(catalog, source: parsed.source)
        router.install(AppCatalog(apps: []), source: Array(#"{"apps":[]}"#.utf8))
    }

    private func checkLocation(_ error: AppFileError, _ file: ByteView) {
        let lines = file.array.split(separator: 0x0a, omittingEmptySubsequences: false)
        require((1...lines.count).contains(error.line), "line \(error.line) of \(lines.count)")
        let width = lines[error.line - 1].count
        require((1...width + 1).contains(error.column), "column \(error.column) of \(width)")
        require(!error.message.isEmpty, "an error without a message")
    }

    /// What is left without its tokens, and what a recording keeps, is JSON; the tokens are gone.
    private func checkWithoutTokens(_ file: ByteView) {
        let open = openAppFile(file)
        open.withByteView { open in
            var scanner = JSONScanner(depthLimit: 64)
            require((try? validateJSON(open, using: &scanner)) != nil, "\(open.string) is no JSON")
            if let file = try? AppFile.parse(open) {
                for app in file.access {
                    let isOpen = AppAccess.roles.allSatisfy { app[$0] == .open }
                    require(isOpen, "\(app.app) keeps credentials")
                }
            }
        }
        let record = CaptureRecord(time: .zero, connection: 0, kind: .apps, body: file)
        redaction.withRedacted(record) { redacted in
            var scanner = JSONScanner(depthLimit: 64)
            let isJSON = (try? validateJSON(redacted.body, using: &scanner)) != nil
            require(isJSON, "\(redacted.body.string) is no JSON")
        }
    }
}
