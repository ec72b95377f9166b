internal import Synchronization

/// The property wrapper `@Dependency`: a value that the app has registered.
///
/// Source: <https://developer.apple.com/documentation/appintents/appdependency>.
@propertyWrapper
public struct AppDependency<Value>: @unchecked Sendable {
    private let key: AnyHashable?
    private let manager: AppDependencyManager

    /// Makes a dependency by its type, or by its key.
    public init(key: AnyHashable? = nil, manager: AppDependencyManager = .shared) {
        (self.key, self.manager) = (key, manager)
    }

    /// The registered value.
    ///
    /// Traps if the app has registered none.
    public var wrappedValue: Value {
        guard let value = manager.value(Value.self, key: key) else {
            preconditionFailure("no \(Value.self) is registered in \(manager)")
        }
        return value
    }
}

/// The values that an app has registered for its intents.
public final class AppDependencyManager: Sendable {
    /// A key is a literal of the app, and is only compared.
    private struct Key: @unchecked Sendable, Hashable {
        let type: ObjectIdentifier
        let name: AnyHashable?
    }

    /// The only manager.
    public static let shared = AppDependencyManager()

    private let makers = Mutex<[Key: @Sendable () -> any Sendable]>([:])

    private init() {}

    /// Registers a value.
    public func add<Value: Sendable>(
        key: AnyHashable? = nil,
        dependency: @autoclosure @escaping @Sendable () -> Value
    ) {
        let key = Key(type: ObjectIdentifier(Value.self), name: key)
        makers.withLock { $0[key] = dependency }
    }

    fileprivate func value<Value>(_ type: Value.Type, key: AnyHashable?) -> Value? {
        let key = Key(type: ObjectIdentifier(type), name: key)
        return makers.withLock { $0[key] }?() as? Value
    }
}
