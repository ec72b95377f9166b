public import Foundation

/// A value of an app that people choose, found by its id.
///
/// Source: <https://developer.apple.com/documentation/appintents/appentity>.
@available(iOS 16, *)
public protocol AppEntity: DisplayRepresentable, PersistentlyIdentifiable, Identifiable, Sendable
where ID: EntityIdentifierConvertible & Sendable {
    associatedtype DefaultQuery: EntityQuery where DefaultQuery.Entity == Self
    /// What finds entities.
    static var defaultQuery: DefaultQuery { get }
}

extension AppEntity {
    /// The property wrapper `@Property`, by which an entity declares what people see of it.
    public typealias Property = EntityProperty
}

/// An id that can be written as a text.
public protocol EntityIdentifierConvertible {
    /// The id as a text.
    var entityIdentifierString: String { get }
    /// The id of a text; nil if it is none.
    static func entityIdentifier(for entityIdentifierString: String) -> Self?
}

extension String: EntityIdentifierConvertible {
    /// The text itself.
    public var entityIdentifierString: String { self }
    /// The text itself.
    public static func entityIdentifier(for entityIdentifierString: String) -> String? {
        entityIdentifierString
    }
}

extension Int: EntityIdentifierConvertible {
    /// The number in decimal digits.
    public var entityIdentifierString: String { String(self) }
    /// The number of decimal digits.
    public static func entityIdentifier(for entityIdentifierString: String) -> Int? {
        Int(entityIdentifierString)
    }
}

extension UUID: EntityIdentifierConvertible {
    /// The id in its usual form.
    public var entityIdentifierString: String { uuidString }
    /// The id in its usual form.
    public static func entityIdentifier(for entityIdentifierString: String) -> UUID? {
        UUID(uuidString: entityIdentifierString)
    }
}

extension EntityIdentifierConvertible where Self: RawRepresentable, RawValue == String {
    /// The raw value.
    public var entityIdentifierString: String { rawValue }
    /// The value of a raw value.
    public static func entityIdentifier(for entityIdentifierString: String) -> Self? {
        Self(rawValue: entityIdentifierString)
    }
}

/// An enum whose cases people choose.
///
/// Source: <https://developer.apple.com/documentation/appintents/appenum>.
@available(iOS 16, *)
public protocol AppEnum: CaseDisplayRepresentable, RawRepresentable, CaseIterable, Sendable
where RawValue: LosslessStringConvertible {}

/// The id of an entity together with its type.
@available(iOS 16, *)
public struct EntityIdentifier: Hashable, Sendable {
    /// The id as a text.
    public let identifier: String

    /// The id of an entity.
    public init<Entity: AppEntity>(for entity: Entity) {
        identifier = entity.id.entityIdentifierString
    }

    /// An id and the type of its entity.
    public init<Entity: AppEntity>(for type: Entity.Type, identifier: Entity.ID) {
        self.identifier = identifier.entityIdentifierString
    }
}
