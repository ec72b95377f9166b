// Modifiers that are kept as notes: they change nothing that is drawn, but for colours.

extension View {
    /// Notes `accessibilityLabel`.
    public func accessibilityLabel(_ label: Text) -> some View { noted("accessibilityLabel") }
    /// Notes `accessibilityLabel`.
    public func accessibilityLabel(_ label: LocalizedStringKey) -> some View {
        noted("accessibilityLabel")
    }
    /// Notes `accessibilityLabel`.
    @_disfavoredOverload
    public func accessibilityLabel(_ label: some StringProtocol) -> some View {
        noted("accessibilityLabel")
    }
    /// Notes `accessibilityValue`.
    public func accessibilityValue(_ value: Text) -> some View { noted("accessibilityValue") }
    /// Notes `accessibilityValue`.
    public func accessibilityValue(_ value: LocalizedStringKey) -> some View {
        noted("accessibilityValue")
    }
    /// Notes `accessibilityValue`.
    @_disfavoredOverload
    public func accessibilityValue(_ value: some StringProtocol) -> some View {
        noted("accessibilityValue")
    }
    /// Notes `accessibilityHint`.
    public func accessibilityHint(_ hint: Text) -> some View { noted("accessibilityHint") }
    /// Notes `accessibilityHint`.
    public func accessibilityHint(_ hint: LocalizedStringKey) -> some View {
        noted("accessibilityHint")
    }
    /// Notes `accessibilityHint`.
    @_disfavoredOverload
    public func accessibilityHint(_ hint: some StringProtocol) -> some View {
        noted("accessibilityHint")
    }
    /// Notes `accessibilityHidden`.
    public func accessibilityHidden(_ isHidden: Bool) -> some View { noted("accessibilityHidden") }
    /// Notes `accessibilityIdentifier`.
    public func accessibilityIdentifier(_ identifier: String) -> some View {
        noted("accessibilityIdentifier")
    }
    /// Notes `accessibilityElement`.
    public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View {
        noted("accessibilityElement")
    }
    /// Notes `accessibilityAddTraits`.
    public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View {
        noted("accessibilityAddTraits")
    }
    /// Notes `accessibilityRemoveTraits`.
    public func accessibilityRemoveTraits(_ traits: AccessibilityTraits) -> some View {
        noted("accessibilityRemoveTraits")
    }
    /// Notes `accessibilitySortPriority`.
    public func accessibilitySortPriority(_ priority: Double) -> some View {
        noted("accessibilitySortPriority")
    }
    /// Notes `accessibilityShowsLargeContentViewer`.
    public func accessibilityShowsLargeContentViewer() -> some View {
        noted("accessibilityShowsLargeContentViewer")
    }
    /// Notes `accessibilityIgnoresInvertColors`.
    public func accessibilityIgnoresInvertColors(_ isActive: Bool = true) -> some View {
        noted("accessibilityIgnoresInvertColors")
    }
    /// Notes `accessibility`.
    public func accessibility(label: Text) -> some View { noted("accessibility") }
    /// Notes `accessibility`.
    public func accessibility(hidden: Bool) -> some View { noted("accessibility") }
    /// Notes `accessibility`.
    public func accessibility(identifier: String) -> some View { noted("accessibility") }
    /// Notes `accessibility`.
    public func accessibility(addTraits traits: AccessibilityTraits) -> some View {
        noted("accessibility")
    }
}
