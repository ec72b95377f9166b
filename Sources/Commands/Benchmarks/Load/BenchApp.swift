import Basics
import Platform

/// The app that the benchmarks declare.
enum BenchApp {
    static let name = "bench"
    /// The kind for routing, with a widget for each character.
    static let character = "com.mygame.character-detail"
    /// The kind for the fan-out. Its name has the length that the reference writes.
    static let topic = "com.mygame.tournament-score"
    static let characterWidget = "{\"character\":\"c-######\"}"
    static let topicWidget = "{\"topic\":\"goal\"}"

    /// The members of an app that open its roles.
    static let open = #""publishers":"open","devices":"open","gateways":"open""#

    static let file = """
        {"apps":[{"app":"\(name)",\(open),"kinds":[
        {"kind":"\(character)","budget":"unlimited","match":{"character":["${configuration.character}"]}},
        {"kind":"\(topic)","budget":"unlimited","match":{"topic":["${configuration.topic}"]}}]}]}
        """

    /// A push of 110 bytes for the widget of one character.
    static let characterPush =
        "{\"character\":\"c-######\",\"event\":\"level-up\",\"level\":30,\"health\":0.75,"
        + "\"guild\":\"guild-000204\",\"at\":1767225600000}"
    /// A push of the same length, for every widget of the topic.
    static let topicPush =
        "{\"topic\":\"goal\",\"match\":\"m-20260102\",\"home\":2,\"away\":1,\"minute\":87,"
        + "\"league\":\"league-0007x\",\"at\":1767225600000}"
    /// A push of 120 bytes that matches no widget.
    static let unmatchedPush =
        "{\"event\":\"boss-defeated\",\"region\":\"north-ridge\",\"party\":5,\"loot\":\"rare\","
        + "\"health\":0.75,\"guild\":\"g-204\",\"note\":\"\(String(repeating: "x", count: 8))\"}"
}
