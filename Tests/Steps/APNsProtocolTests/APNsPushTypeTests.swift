import Testing

@testable import APNsProtocol

@Suite("A type of pushes")
struct APNsPushTypeTests {
    @Test func `It gives the topic its suffix`() {
        #expect(
            APNsPushType.allCases.map { $0.topic(bundle: "com.mygame") } == [
                "com.mygame.push-type.widgets", "com.mygame", "com.mygame.push-type.controls",
            ]
        )
    }

    @Test func `Only a background push names kinds, and is never urgent`() {
        let kinds = ["a", #"b"c"#]
        let payloads = APNsPushType.allCases.map {
            String(decoding: $0.payload(kinds: kinds), as: UTF8.self)
        }
        #expect(
            payloads == [
                #"{"aps":{"content-changed":true}}"#,
                #"{"aps":{"content-available":1},"reload-kinds":["a","b\"c"]}"#,
                #"{"aps":{"content-changed":true}}"#,
            ]
        )
        #expect(APNsPushType.allCases.map { $0.priority(isUrgent: true) } == [10, 5, 10])
        #expect(APNsPushType.allCases.map { $0.priority(isUrgent: false) } == [5, 5, 5])
    }
}
