/// The environment of a preview.
public protocol PreviewContext {}
