import Basics
import StoreFormat
import TestSupport
import Testing

@testable import RouterCore

@Suite("An app's settings for APNs")
struct APNsSettingsTests {
    private static func file(_ members: String) -> String {
        #"{"apps":[{"app":"a","apns":{\#(members)}}]}"#
    }

    private static let needed = #""team":"ABCDE12345","key":"FGHIJ67890","bundle":"com.my-game""#

    @Test func `Are read as they stand, with the usual cap and grace`() throws {
        let plain = try AppFile.parse(Self.file(Self.needed)).apps[0].apns
        var expected = APNsSettings(team: "ABCDE12345", key: "FGHIJ67890", bundle: "com.my-game")
        #expect(plain == expected)
        (expected.pushesPerDay, expected.grace) = (7, .milliseconds(500))
        let text = Self.file(Self.needed + #","pushesPerDay":7,"grace":0.5"#)
        #expect(try AppFile.parse(text).apps[0].apns == expected)
        #expect(try AppFile.parse(#"{"apps":[{"app":"a"}]}"#).apps[0].apns == nil)
    }

    @Test func `May name a certificate in place of a team and its key`() throws {
        let text = Self.file(#""certificate":"my_game-2.pem","bundle":"com.my-game""#)
        let expected = APNsSettings(.certificate("my_game-2.pem"), bundle: "com.my-game")
        #expect(try AppFile.parse(text).apps[0].apns == expected)
    }

    @Test(
        arguments: [
            (#""team":"ABCDE12345","key":"FGHIJ67890""#, "apps[0].apns", "missing"),
            (#""team":"abcde12345""#, "apps[0].apns.team", "ten capital letters"),
            (#""key":"FGHIJ6789""#, "apps[0].apns.key", "ten capital letters"),
            (#""key":7"#, "apps[0].apns.key", "string"),
            (#""bundle":"com.my game""#, "apps[0].apns.bundle", "bundle identifier"),
            (#""bundle":"a\r\nb""#, "apps[0].apns.bundle", ""),
            (#""pushesPerDay":0"#, "apps[0].apns.pushesPerDay", "1 to 1000"),
            (#""grace":3601"#, "apps[0].apns.grace", "3600"),
            (#""topic":"x""#, "apps[0].apns.topic", "bundle"),
            (#""certificate":"game""#, "apps[0].apns", "missing"),
            (#""certificate":"game","key":"FGHIJ67890","bundle":"a""#, "apps[0].apns", "missing"),
            (
                needed + #","certificate":"game""#, "apps[0].apns",
                "team and key, or by certificate, and not by both"
            ),
            (#""certificate":"../game""#, "apps[0].apns.certificate", "name of a certificate"),
            (#""certificate":".game""#, "apps[0].apns.certificate", "the first no dot"),
            (#""certificate":"a/b""#, "apps[0].apns.certificate", "name of a certificate"),
            (
                #""certificate":"\#(String(repeating: "a", count: 65))""#,
                "apps[0].apns.certificate", "at most 64"
            ),
        ]
    )
    func `Are refused with the place and what would be right`(
        members: String,
        path: String,
        right: String
    ) {
        #expect { try AppFile.parse(Self.file(members)) } throws: { error in
            guard let error = error as? AppFileError else { return false }
            return error.path == path && (right.isEmpty || error.message.contains(right))
        }
    }

    @Test func `Each outcome of a push is read from a log as it was written`() throws {
        let outcomes: [APNsPushOutcome] = [
            .accepted, .refused, .tokenDead(since: nil, because: .unregistered),
            .tokenDead(since: WallTime(rawValue: -5), because: .unregistered), .tokenRefused(.bad),
            .postponed(.minutes(15)),
            .unknown, .acceptedOnTrial,
        ]
        for outcome in outcomes {
            var writer = StoreWriter()
            outcome.write(to: &writer)
            var reader = StoreReader(writer.bytes)
            let read = try APNsPushOutcome(reading: &reader)
            #expect(read == outcome && reader.isAtEnd)
        }
        for bytes: [UInt8] in [
            [], [8], [255], [2], [2, 5], [3, 1], [4, 255], [5], [5, 255, 255, 255, 255, 255, 127],
        ] {
            bytes.withByteView { view in
                var reader = StoreReader(view)
                #expect(throws: StoreError.self) { try APNsPushOutcome(reading: &reader) }
            }
        }
        #expect(APNsPushOutcome.postponed(.days(99)).clamped == .postponed(.days(30)))
        #expect(APNsPushOutcome.postponed(.zero - .days(1)).clamped == .postponed(.zero))
    }

    @Test func `An explanation says that a push would go by APNs, and reload all widgets`() throws {
        let game = PushedGame()
        game.registerAndLeave("phone", [.character("w1", "elf"), .character("w2", "orc")])
        let work = try game.harness.router.beginExplaining(
            app: "game",
            payload: Array(#"{"character":"elf"}"#.utf8),
            isUrgent: false,
            device: nil,
            kind: nil,
            limit: 10,
            now: game.harness.now
        )
        while !game.harness.router.resume(work) {}
        let widget = try #require(work.explanation.result().widgets.first)
        #expect(widget.outcome == "pushed" && widget.reloadsAt == game.harness.now.wall)
        #expect(widget.text.contains("asked for kind detail"))
        #expect(widget.text.contains("all 2"))
        let view = try game.harness.router.view(
            ofDevice: "phone",
            app: "game",
            now: game.harness.now
        )
        let push = try #require(view.push)
        #expect(push.channel == .widgets && !push.isUnderWay && push.used == 0 && push.cap == 50)
    }
}
