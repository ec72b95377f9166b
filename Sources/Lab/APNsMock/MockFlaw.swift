package import APNsProtocol

/// What is wrong with a request, or odd: Apple's reason, and a sentence for people, which APNs does
/// not give.
package struct MockFlaw: Equatable, Sendable {
    /// Why the request is refused; nil if it is accepted all the same.
    package let reason: APNsReason?
    /// What is wrong, without what is secret.
    package let sentence: String

    init(_ reason: APNsReason?, because sentence: String) {
        self.reason = reason
        self.sentence = sentence
    }
}
