import Testing

@testable import WidgetMatching

@Suite("Texts that look alike and differ")
struct LookAlikeTests {
    private let rule = #""${configuration.city}" = "K\#u{f6}ln""#

    @Test(
        arguments: [
            ("Ko\u{308}ln", #""Ko\u0308ln" and "K\u00f6ln""#),
            ("K\u{f6}ln\u{a0}", #""K\u00f6ln\u00a0" and "K\u00f6ln""#),
            ("K\u{f6}\u{200b}ln", #""K\u00f6\u200bln" and "K\u00f6ln""#),
            (" K\u{f6}ln ", #""\u0020K\u00f6ln\u0020" and "K\u00f6ln""#),
        ]
    )
    func `are shown by their code points`(city: String, shown: String) {
        #expect(LookAlikes.sentence("\"\(city)\"", wanted: rule) == shown)
        let outcome = ConditionOutcome(path: "city", test: rule, value: "\"\(city)\"", holds: false)
        #expect(outcome.sentence.hasSuffix("they look alike and differ: \(shown)"))
    }

    @Test func `are found in lists, and beyond the basic plane`() {
        let list = #"["a","b\#u{3000}c","\#u{1f600}\#u{feff}"]"#
        #expect(LookAlikes.sentence(list, wanted: #""b c""#) == #""b\u3000c" and "b c""#)
        #expect(
            LookAlikes.sentence(list, wanted: #"prefix "\#u{1f600}""#)
                == #""\ud83d\ude00\ufeff" and "\ud83d\ude00""#
        )
    }

    @Test(arguments: [#""Bonn""#, "missing", "7", #""""#, #""K\u00f6ln""#, #""Köln"#, #""köln""#])
    func `are not what differs to the eye, shows its escapes, or is cut`(found: String) {
        #expect(LookAlikes.sentence(found, wanted: rule) == nil)
    }

    @Test func `are no texts that are equal`() {
        #expect(LookAlikes.sentence(#""K\#u{f6}ln""#, wanted: rule) == nil)
    }
}
