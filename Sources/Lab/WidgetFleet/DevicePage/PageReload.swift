internal import Foundation

/// The event of a widget that has reloaded.
struct PageReload: Codable, Equatable {
    let widget: String
    let cause: String
    let changed: Bool

    var message: PageState<HTTPViewer>.Message {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Two strings and a truth cannot fail.
        let json = try! encoder.encode(self)
        return PageState.Message(event: "reload", data: String(decoding: json, as: UTF8.self))
    }
}
