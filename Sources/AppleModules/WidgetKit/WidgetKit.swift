// Apple's module WidgetKit, for the sources of widget extensions on Linux. Its names are in the
// modules below; `main` of a bundle plays a fleet.
@_exported public import FoundationNetworking
@_exported public import WidgetFleet
@_exported public import WidgetPreviews
@_exported public import WidgetTimelines
