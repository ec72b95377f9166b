// Widget code that imports only WidgetKit's names uses dates, views and intents, and must need no
// other import here.
@_exported public import Foundation
@_exported public import WidgetIntents
@_exported public import WidgetViews
