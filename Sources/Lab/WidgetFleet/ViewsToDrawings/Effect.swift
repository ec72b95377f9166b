internal import Foundation
internal import WidgetTimelines

/// What is done to the picture of a view, and does not change its size.
enum Effect {
    case opacity(CGFloat)
    case clip(Outline)
    case mask(Box, Alignment)
    /// A filter of CSS.
    case filter(String)
    /// A mode in which colours are mixed, as CSS names it.
    case blend(String)
    /// Turned by degrees around a place.
    case rotation(CGFloat, UnitPoint)
    case scale(CGSize, UnitPoint)
    /// Drawn for a colour scheme.
    case scheme(String)
    case hidden
    /// An area that opens an address, or is tapped: its role, and the address.
    case role(String, String?)
}
