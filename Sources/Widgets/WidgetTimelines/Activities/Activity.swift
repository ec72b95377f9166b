public import Foundation

/// A live activity; none can be started here.
///
/// Source: <https://developer.apple.com/documentation/activitykit/activity>.
@available(iOS 16, *)
public final class Activity<Attributes: ActivityAttributes>: Identifiable, Sendable {
    /// What changes.
    public typealias ContentState = Attributes.ContentState

    /// The activity's identifier.
    public let id: String
    /// What does not change.
    public nonisolated(unsafe) let attributes: Attributes

    private init(id: String, attributes: Attributes) {
        self.id = id
        unsafe self.attributes = attributes
    }

    /// No activities.
    public static var activities: [Activity<Attributes>] { [] }

    /// The state; there is none, because no activity is ever made.
    public var content: ActivityContent<Activity<Attributes>.ContentState> {
        preconditionFailure("there are no live activities here")
    }

    /// The phase.
    public var activityState: ActivityState { .ended }

    /// Fails: no activity can be started here.
    @discardableResult
    public static func request(
        attributes: Attributes,
        content: ActivityContent<Activity<Attributes>.ContentState>,
        pushType: PushType? = nil
    ) throws -> Activity<Attributes> {
        throw ActivityAuthorizationError.unsupported
    }

    /// Changes the state.
    public func update(_ content: ActivityContent<Activity<Attributes>.ContentState>) async {}

    /// Ends the activity.
    public func end(
        _ content: ActivityContent<Activity<Attributes>.ContentState>?,
        dismissalPolicy: ActivityUIDismissalPolicy = .default
    ) async {}
}

/// The state of a live activity and until when it is valid.
@available(iOS 16, *)
public struct ActivityContent<State: Codable & Hashable> {
    /// The state.
    public let state: State
    /// Until when the state is valid; nil if it has no end.
    public let staleDate: Date?
    /// How relevant the activity is.
    public var relevanceScore: Double

    /// Makes a state.
    public init(state: State, staleDate: Date?, relevanceScore: Double = 0.0) {
        self.state = state
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
    }
}

@available(iOS 16, *)
extension ActivityContent: Sendable where State: Sendable {}
