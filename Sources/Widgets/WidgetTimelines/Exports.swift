// WidgetKit and SwiftUI bring Foundation with them: widget code that imports only those uses `Date` and
// `Calendar`, and is to need no other import here either.
@_exported public import Foundation
