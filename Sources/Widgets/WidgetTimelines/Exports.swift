// On Apple's systems, WidgetKit and SwiftUI re-export Foundation: widget code that imports only
// these uses `Date` and `Calendar`, and must need no other import here.
@_exported public import Foundation
