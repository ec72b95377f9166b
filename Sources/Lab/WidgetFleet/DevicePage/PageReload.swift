internal import Foundation

/// The event `reload`, with which the page lets a widget flash.
struct PageReload: Codable, Equatable {
    let widget: String
    let cause: String
    let changed: Bool

    /// The event for the page, with this as JSON.
    var message: PageState<HTTPViewer>.Message {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings and a truth value can always be encoded.
        let json = try! encoder.encode(self)
        return PageState.Message(event: "reload", data: String(decoding: json, as: UTF8.self))
    }
}
