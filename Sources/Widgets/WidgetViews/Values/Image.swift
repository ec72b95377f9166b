public import Foundation

/// A picture; only its name is known.
///
/// Source: <https://developer.apple.com/documentation/swiftui/image>.
public struct Image: ContentView, Equatable {
    /// The size of a symbol in relation to its font.
    public enum Scale: Sendable {
        case small
        case medium
        case large
    }

    /// Whether a picture has colours of its own.
    public enum TemplateRenderingMode: Sendable {
        case template
        case original
    }

    /// How a picture fills a larger area.
    public enum ResizingMode: Sendable {
        case tile
        case stretch
    }

    /// How a picture is turned.
    public enum Orientation: Sendable {
        case up
        case down
        case left
        case right
    }

    /// How a picture is scaled.
    public typealias Interpolation = ImageInterpolation

    /// The name of the picture.
    let name: String
    let notes: [ViewNote]

    private init(name: String, notes: [ViewNote]) {
        self.name = name
        self.notes = notes
    }

    /// A picture of the app.
    public init(_ name: String, bundle: Bundle? = nil) {
        self.init(name: name, notes: [])
    }

    /// A picture of the app that is described to people who cannot see it.
    public init(_ name: String, bundle: Bundle? = nil, label: Text) {
        self.init(name: name, notes: [])
    }

    /// A picture of the app.
    public init(_ resource: ImageResource) {
        self.init(name: resource.name, notes: [])
    }

    /// A picture of the app that is not described.
    public init(decorative name: String, bundle: Bundle? = nil) {
        self.init(name: name, notes: [])
    }

    /// A symbol of the system.
    public init(systemName name: String, variableValue: Double? = nil) {
        self.init(name: name, notes: [])
    }

    /// A picture of UIKit.
    public init(uiImage image: UIImage) {
        self.init(name: image.name, notes: [])
    }

    /// The text in place of the picture.
    var mark: String { "[\(name)]" }

    /// The picture by its name.
    public var viewContent: ViewContent {
        notes.reduce(.image(name: name)) { .noted($0, $1) }
    }

    private func adding(_ name: String) -> Image {
        Image(name: self.name, notes: notes + [ViewNote(name)])
    }

    /// Notes a picture that fills its area.
    public func resizable(
        capInsets: EdgeInsets = EdgeInsets(),
        resizingMode: ResizingMode = .stretch
    ) -> Image { adding("resizable") }
    /// Notes whether the picture has colours of its own.
    public func renderingMode(_ mode: TemplateRenderingMode?) -> Image { adding("renderingMode") }
    /// Notes how the picture is scaled.
    public func interpolation(_ interpolation: Interpolation) -> Image { adding("interpolation") }
    /// Notes whether edges are smooth.
    public func antialiased(_ isAntialiased: Bool) -> Image { adding("antialiased") }
    /// Notes how the layers of a symbol are coloured.
    public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> Image {
        adding("symbolRenderingMode")
    }
}
