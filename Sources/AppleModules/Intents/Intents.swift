// Apple's module Intents, for the sources of widget extensions on Linux.
@_exported public import WidgetIntents
