/// What a widget displays when it is relevant.
public protocol RelevanceEntry {}
