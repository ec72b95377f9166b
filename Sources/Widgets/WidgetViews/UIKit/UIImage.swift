public import Foundation

/// A picture of UIKit; only its name is known.
public final class UIImage: @unchecked Sendable {
    /// The name.
    let name: String
    /// Width and height, in points; none are known.
    public var size: CGSize { .zero }
    /// Pixels for each point.
    public var scale: CGFloat { 1 }

    private init(name: String) {
        self.name = name
    }

    /// A picture without content.
    public convenience init() {
        self.init(name: "")
    }

    /// A picture of the app.
    public convenience init?(named name: String) {
        self.init(name: name)
    }

    /// A picture of the app.
    public convenience init?(named name: String, in bundle: Bundle?, with configuration: Any?) {
        self.init(name: name)
    }

    /// A picture of the app.
    public convenience init?(named name: String, in bundle: Bundle?, compatibleWith traits: Any?) {
        self.init(name: name)
    }

    /// A picture of the app's catalogue.
    public convenience init(resource: ImageResource) {
        self.init(name: resource.name)
    }

    /// A symbol of the system.
    public convenience init?(systemName name: String) {
        self.init(name: name)
    }

    /// A picture of bytes, which are not read.
    public convenience init?(data: Data) {
        if data.isEmpty { return nil }
        self.init(name: "image")
    }

    /// A picture of bytes, which are not read.
    public convenience init?(data: Data, scale: CGFloat) {
        self.init(data: data)
    }

    /// A picture of a file.
    public convenience init?(contentsOfFile path: String) {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        self.init(name: String(path.split(separator: "/").last ?? ""))
    }

    /// Nil: the picture has no bytes.
    public func pngData() -> Data? { nil }
    /// Nil: the picture has no bytes.
    public func jpegData(compressionQuality: CGFloat) -> Data? { nil }
    /// The picture itself.
    public func preparingThumbnail(of size: CGSize) -> UIImage? { self }
    /// The picture itself.
    public func withTintColor(_ color: UIColor) -> UIImage { self }
    /// The picture itself.
    public func withRenderingMode(_ mode: RenderingMode) -> UIImage { self }

    /// Whether a picture has colours of its own.
    public enum RenderingMode: Sendable {
        case automatic
        case alwaysOriginal
        case alwaysTemplate
    }
}
