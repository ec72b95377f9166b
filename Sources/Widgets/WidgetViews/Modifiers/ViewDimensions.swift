public import Foundation

/// The size of a view.
public struct ViewDimensions: Sendable {
    /// How wide the view is.
    public var width: CGFloat { 0 }
    /// How high the view is.
    public var height: CGFloat { 0 }
    /// Where an alignment is.
    public subscript(alignment: HorizontalAlignment) -> CGFloat { 0 }
    /// Where an alignment is.
    public subscript(alignment: VerticalAlignment) -> CGFloat { 0 }
}
