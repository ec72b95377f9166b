// Apple's module ActivityKit, for the sources of widget extensions on Linux. No live activity can
// be started here.
@_exported public import WidgetTimelines
