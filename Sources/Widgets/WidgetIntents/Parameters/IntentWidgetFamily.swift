/// The family of the widget for which a person chooses parameters.
public typealias IntentWidgetFamily = IntentCollectionSize.Family
