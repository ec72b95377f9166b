/// A picture; only its name is known.
///
/// Source: <https://developer.apple.com/documentation/swiftui/image>.
public struct Image: ContentView, Equatable {
    /// The name of the picture.
    let name: String
    var notes: [ViewNote] = []

    /// The text in place of the picture.
    var mark: String { "[\(name)]" }

    /// The picture by its name.
    public var viewContent: ViewContent {
        notes.reduce(.image(name: name)) { .noted($0, $1) }
    }

    /// The picture with a note.
    func adding(_ name: String) -> Image {
        Image(name: self.name, notes: notes + [ViewNote(name)])
    }
}
