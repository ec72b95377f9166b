/// Namespace of the kinds of previews.
public enum Preview {
    /// The traits of views.
    public enum ViewTraits {}
}
