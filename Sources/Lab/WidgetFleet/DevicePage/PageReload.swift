internal import Foundation

/// The event `reload`, which makes a widget flash on the page.
struct PageReload: Codable, Equatable {
    let widget: String
    let cause: String
    let changed: Bool

    /// The event with this value as JSON.
    var message: PageState<HTTPViewer>.Message {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and a truth value can always be encoded.
        let json = try! encoder.encode(self)
        return PageState.Message(event: "reload", data: String(decoding: json, as: UTF8.self))
    }
}
