import Basics
import Testing

@testable import reload_router

@Suite("What history prints of a push")
struct PushHistoryTextTests {
    private static let now: Int64 = 1_795_000_000

    private func line(_ members: String) throws -> String {
        let text = #"{"device":"d-1","widget":"w1","kind":"k",\#(members)}"#
        return PushHistoryText.line(try JSONValue(Array(text.utf8)), now: Self.now)
    }

    private func summary(_ members: String) throws -> String {
        let text = #"{"producer":"p\u001b","seq":41,"at":1795000000000,\#(members)}"#
        return PushHistoryText.summary(try JSONValue(Array(text.utf8)), now: Self.now)
    }

    @Test("says of a widget what became of the push, when, and what it was at first")
    func lines() throws {
        let clock = #/[0-9]{2}:[0-9]{2}:[0-9]{2}/#
        let texts = try [
            #""outcome":"sent","at":1795000000000"#,
            #""outcome":"sent","at":1795000000000,"first":"spacing""#,
            #""outcome":"budget","until":1795000060000,"why":"40 of 40 used""#,
            #""outcome":"unchanged","at":1795000000000,"why":"hp is as before""#,
            #""outcome":"ready""#, #""outcome":"unknown""#,
        ].map { try line($0).replacing(clock, with: "T") }
        #expect(
            texts == [
                "w1 on d-1: sent, T", "w1 on d-1: sent, T; at first spacing",
                "w1 on d-1: put off until T (budget: 40 of 40 used)",
                "w1 on d-1: no reload (unchanged: hp is as before), T",
                "w1 on d-1: is about to be sent", "w1 on d-1: not known any more",
            ]
        )
    }

    @Test("counts the widgets by outcome, and prints no control characters")
    func summaries() throws {
        let many = try summary(#""matched":3,"outcomes":{"sent":2,"spacing":1}"#)
        #expect(many.hasPrefix("push 41 of p\u{fffd} came "))
        #expect(many.hasSuffix(" and matched 3 widgets: sent 2, spacing 1"))
        #expect(try summary(#""matched":0,"outcomes":{}"#).hasSuffix(" and matched no widget"))
    }
}
