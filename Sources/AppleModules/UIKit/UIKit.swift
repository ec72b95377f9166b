// Apple's module UIKit, for the sources of widget extensions on Linux: the values of it that
// SwiftUI's views are made of.
@_exported public import WidgetViews
