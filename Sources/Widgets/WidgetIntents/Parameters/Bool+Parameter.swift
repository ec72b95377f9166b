extension Bool {
    /// The words for the two values of a parameter.
    public struct IntentDisplayName: Sendable {
        /// Makes the words.
        public init(true: LocalizedStringResource, false: LocalizedStringResource) {}
    }
}
