/// Views for Xcode's canvas; they are not made here.
///
/// Source: <https://developer.apple.com/documentation/swiftui/previewprovider>.
public protocol PreviewProvider {
    associatedtype Previews: View
    /// The views.
    @ViewBuilder static var previews: Previews { get }
}
