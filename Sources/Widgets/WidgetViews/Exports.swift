// On Apple's systems, SwiftUI re-exports Foundation: widget code that imports only SwiftUI uses
// `Date` and `Calendar`, and must need no other import here.
@_exported public import Foundation
@_exported public import WidgetIntents
