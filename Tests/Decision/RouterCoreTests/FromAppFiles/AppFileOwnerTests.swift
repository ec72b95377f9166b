import Testing

@testable import RouterCore

@Suite("A mistake in an app file")
struct AppFileOwnerTests {
    @Test(
        arguments: [
            (
                #"{"apps":[{"kinds":[{"match":{"a":[{"prefix":5}]},"kind":"k"}],"app":"com.b"}]}"#,
                "app com.b, kind k"
            ),
            (#"{"apps":[{"app":"com.a","kinds":[{"match":{"a":[]}}]}]}"#, "app com.a"),
            (#"{"apps":[{"app":"com.a","quotas":7}]}"#, "app com.a"),
            (#"{"apps":[{"app":7}]}"#, ""), (#"{"apps":[{}]}"#, ""), (#"{"apps":7}"#, ""),
            (#"{"apps":[{"app":"a\u202e"}]}"#, #"app a\u202e"#),
        ]
    )
    func `names the app and the kind that has it`(text: String, owner: String) {
        let error = AppFile.error(text)
        #expect(error?.owner == owner)
        let shown = owner.isEmpty ? ": " : " (\(owner)): "
        #expect(error?.description.contains(shown) == true)
    }
}
