/// The surroundings of a preview.
public protocol PreviewContext {}
