/// A colour of the app's catalogue, as Xcode names it.
public struct ColorResource: Hashable, Sendable {
    /// The name.
    public let name: String

    /// Makes a resource.
    public init(name: String, bundle: (any Sendable)? = nil) {
        self.name = name
    }
}

/// A picture of the app's catalogue, as Xcode names it.
public struct ImageResource: Hashable, Sendable {
    /// The name.
    public let name: String

    /// Makes a resource.
    public init(name: String, bundle: (any Sendable)? = nil) {
        self.name = name
    }
}
