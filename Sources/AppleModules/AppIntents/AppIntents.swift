// Apple's module AppIntents, for the sources of widget extensions on Linux.
@_exported public import FoundationNetworking
@_exported public import WidgetIntents
