/// The values that views get from their environment.
///
/// Source: <https://developer.apple.com/documentation/swiftui/environmentvalues>.
public struct EnvironmentValues {
    /// The values of the view whose body runs: `run` sets them for the time of a call, in which
    /// that view makes the views below it.
    @TaskLocal private static var current = Holder(values: EnvironmentValues())

    /// What makes the values `Sendable`, as those of tasks must be, since a task that another one
    /// begins inherits them. `run` calls synchronous code, and views begin no tasks: so one task
    /// alone has them.
    private struct Holder: @unchecked Sendable {
        let values: EnvironmentValues
    }

    private var values: [ObjectIdentifier: Any] = [:]
    private var objects: [ObjectIdentifier: Any] = [:]
    private var named: [AnyKeyPath: Any] = [:]

    /// Makes the values that nothing has changed.
    public init() {}

    /// The value of a key.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// The object of a type; nil if the environment has none.
    subscript<Object>(object type: Object.Type) -> Object? {
        get { objects[ObjectIdentifier(type)] as? Object }
        set { objects[ObjectIdentifier(type)] = newValue }
    }

    /// A value that SwiftUI or WidgetKit names, by the path of its property: `\.colorScheme`.
    package func value<Value>(
        _ path: KeyPath<EnvironmentValues, Value>,
        or other: Value
    ) -> Value {
        named[path] as? Value ?? other
    }

    /// Sets a value that SwiftUI or WidgetKit names.
    package mutating func set<Value>(_ path: KeyPath<EnvironmentValues, Value>, to value: Value) {
        named[path] = value
    }

    /// The values of the view whose body is running.
    package static var now: EnvironmentValues { current.values }

    /// Runs code in a changed environment.
    package static func run<Result>(
        _ change: (inout EnvironmentValues) -> Void,
        body: () -> Result
    ) -> Result {
        var values = current.values
        change(&values)
        return $current.withValue(Holder(values: values)) { body() }
    }
}

/// A key of `EnvironmentValues`.
public protocol EnvironmentKey {
    associatedtype Value
    /// The value where nothing has set one.
    static var defaultValue: Value { get }
}

/// The property wrapper `@Environment`: a value of the view's environment.
///
/// Source: <https://developer.apple.com/documentation/swiftui/environment>.
@propertyWrapper
public struct Environment<Value> {
    private let read: () -> Value

    /// Reads a value by its path.
    public init(_ path: KeyPath<EnvironmentValues, Value>) {
        read = { EnvironmentValues.now[keyPath: path] }
    }

    /// Reads an object by its type.
    ///
    /// Traps when the environment has no such object.
    public init(_ type: Value.Type) where Value: AnyObject {
        read = {
            guard let object = EnvironmentValues.now[object: type] else {
                preconditionFailure("no \(type) was set with .environment(_:)")
            }
            return object
        }
    }

    /// Reads an object by its type, if there is one.
    public init<Object: AnyObject>(_ type: Object.Type) where Value == Object? {
        read = { EnvironmentValues.now[object: type] }
    }

    /// The value.
    public var wrappedValue: Value { read() }
}

extension View {
    /// Sets a value of the view's environment.
    public func environment<Value>(
        _ path: WritableKeyPath<EnvironmentValues, Value>,
        _ value: Value
    ) -> some View {
        inEnvironment { $0[keyPath: path] = value }
    }

    /// Sets an object of the view's environment.
    public func environment<Object: AnyObject>(_ object: Object?) -> some View {
        inEnvironment { $0[object: Object.self] = object }
    }

    /// Sets an object of the view's environment.
    public func environmentObject<Object: ObservableObject>(_ object: Object) -> some View {
        inEnvironment { $0[object: Object.self] = object }
    }

    /// Changes a value of the view's environment.
    public func transformEnvironment<Value>(
        _ path: WritableKeyPath<EnvironmentValues, Value>,
        transform: @escaping (inout Value) -> Void
    ) -> some View {
        inEnvironment { transform(&$0[keyPath: path]) }
    }
}
