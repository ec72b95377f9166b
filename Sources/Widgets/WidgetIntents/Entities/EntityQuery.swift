/// Offers values for a parameter.
///
/// Source: <https://developer.apple.com/documentation/appintents/dynamicoptionsprovider>.
@available(iOS 16, *)
public protocol DynamicOptionsProvider: Sendable {
    associatedtype Result: ResultsCollection
    associatedtype DefaultValue
    /// The values.
    func results() async throws -> Result
    /// The value that is chosen in advance; nil if there is none.
    func defaultResult() async -> DefaultValue?
}

extension DynamicOptionsProvider {
    /// Nil: no value is chosen in advance.
    public func defaultResult() async -> Result.Item? { nil }
}

/// Finds entities.
///
/// Source: <https://developer.apple.com/documentation/appintents/entityquery>.
@available(iOS 16, *)
public protocol EntityQuery: PersistentlyIdentifiable, Sendable {
    associatedtype Entity: AppEntity
    associatedtype Result: ResultsCollection = [Entity]
    /// Makes a query.
    init()
    /// The entities of some ids; those that do not exist are left out.
    func entities(for identifiers: [Entity.ID]) async throws -> [Entity]
    /// The entities that are offered first.
    func suggestedEntities() async throws -> Result
    /// The entity that is chosen in advance; nil if there is none.
    func defaultResult() async -> Entity?
}

extension EntityQuery {
    /// The entities that are offered first.
    public func results() async throws -> Result { try await suggestedEntities() }
    /// Nil: no entity is chosen in advance.
    public func defaultResult() async -> Entity? { nil }
}

extension EntityQuery where Result == [Entity] {
    /// No entities.
    public func suggestedEntities() async throws -> [Entity] { [] }
}

/// Finds entities by the text that a person types.
@available(iOS 16, *)
public protocol EntityStringQuery: EntityQuery {
    /// The entities that a text matches.
    func entities(matching string: String) async throws -> Result
}

/// Finds entities among all that there are.
public protocol EnumerableEntityQuery: EntityQuery {
    /// All entities.
    func allEntities() async throws -> Result
}

extension EnumerableEntityQuery where Result == [Entity] {
    /// The entities of some ids.
    public func entities(for identifiers: [Entity.ID]) async throws -> [Entity] {
        let wanted = Set(identifiers)
        return try await allEntities().filter { wanted.contains($0.id) }
    }

    /// All entities.
    public func suggestedEntities() async throws -> [Entity] { try await allEntities() }
}
