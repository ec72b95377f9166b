internal import Dispatch
internal import Synchronization

/// Finds entities by their ids, with the queries of their app.
///
/// A scenario chooses parameters while its devices are made, so the caller waits for the query.
/// What was found is kept: a fleet has few entities and many devices.
struct EntityLookup {
    /// How long a query may take.
    static var timeout: DispatchTimeInterval { .seconds(10) }
    /// The most entities that are kept; beyond it, queries are asked again.
    static var cacheLimit: Int { 10_000 }

    private struct Key: Hashable {
        let query: ObjectIdentifier
        let id: String
    }

    private static let found = Mutex<[Key: any AppEntity]>([:])
    private static let executor = QueryExecutor()

    /// The query of the parameter; nil if entities are found with their default query.
    private let query: (any EntityQuery)?

    init(query: (any EntityQuery)?) { self.query = query }

    /// Finds an entity.
    ///
    /// - Returns: nil if the value cannot be an id of the type.
    /// - Throws: `WidgetChoiceError` if there is no such entity, or if the query fails or does not
    ///   answer in time.
    func find<Entity: AppEntity>(
        _ type: Entity.Type,
        id: ParameterValue
    ) throws(WidgetChoiceError) -> Any? {
        guard let identifier = Self.identifier(id, of: type) else { return nil }
        if let query, let found = try Self.find(type, id: identifier, with: query) { return found }
        return try Self.find(type, id: identifier, in: Entity.defaultQuery)
    }

    /// Finds an entity with the query of a parameter; nil if the query is for another type.
    private static func find<Entity: AppEntity, Query: EntityQuery>(
        _ type: Entity.Type,
        id: Entity.ID,
        with query: Query
    ) throws(WidgetChoiceError) -> Any? {
        guard let identifier = id as? Query.Entity.ID, Query.Entity.self == type else { return nil }
        return try find(Query.Entity.self, id: identifier, in: query)
    }

    /// The id of a type's entities that a value stands for; nil if there is none.
    private static func identifier<Entity: AppEntity>(
        _ value: ParameterValue,
        of type: Entity.Type
    ) -> Entity.ID? {
        if let id = value.makePlain(Entity.ID.self) as? Entity.ID { return id }
        guard case .text(let text) = value else { return nil }
        return Entity.ID.entityIdentifier(for: text)
    }

    private static func find<Query: EntityQuery>(
        _ type: Query.Entity.Type,
        id: Query.Entity.ID,
        in query: Query
    ) throws(WidgetChoiceError) -> Query.Entity {
        let key = Key(query: ObjectIdentifier(Query.self), id: id.entityIdentifierString)
        if let entity = found.withLock({ $0[key] }) as? Query.Entity { return entity }
        let answer = Answer<Query.Entity>()
        Task.detached(executorPreference: executor) {
            do {
                answer.finish(.success(try await query.entities(for: [id]).first { $0.id == id }))
            } catch {
                answer.finish(.failure(error))
            }
        }
        switch answer.wait(timeout) {
        case nil: throw WidgetChoiceError("\(Query.self) has not answered within 10 s")
        case .failure(let error): throw WidgetChoiceError("\(Query.self) has failed: \(error)")
        case .success(nil):
            throw WidgetChoiceError("\(Query.self) finds no \(type) with the id \"\(key.id)\"")
        case .success(let entity?):
            found.withLock { found in
                if found.count < cacheLimit { found[key] = entity }
            }
            return entity
        }
    }

    /// What a query has answered.
    private final class Answer<Entity: AppEntity>: Sendable {
        private let result = Mutex<Result<Entity?, any Error>?>(nil)
        private let isThere = DispatchSemaphore(value: 0)

        func finish(_ value: Result<Entity?, any Error>) {
            result.withLock { $0 = value }
            isThere.signal()
        }

        /// Waits; nil if there is no answer in time.
        func wait(_ timeout: DispatchTimeInterval) -> Result<Entity?, any Error>? {
            _ = isThere.wait(timeout: .now() + timeout)
            return result.withLock(\.self)
        }
    }
}

/// Runs queries on a thread of their own: the thread that waits may be one of those that Swift's
/// tasks share, and must not keep the query from running.
private final class QueryExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "entity-queries")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
