public import Foundation

/// A value that views share.
private final class Box<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// The property wrapper `@State`: a value that a view owns. It lasts as long as the view's value.
///
/// Source: <https://developer.apple.com/documentation/swiftui/state>.
@propertyWrapper
public struct State<Value> {
    private let box: Box<Value>

    /// Makes a state with its first value.
    public init(wrappedValue: Value) {
        box = Box(wrappedValue)
    }

    /// Makes a state with its first value.
    public init(initialValue: Value) {
        box = Box(initialValue)
    }

    /// The value.
    public var wrappedValue: Value {
        get { box.value }
        nonmutating set { box.value = newValue }
    }

    /// Access to the value, for `$value`.
    public var projectedValue: Binding<Value> {
        Binding(get: { box.value }, set: { box.value = $0 })
    }
}

extension State where Value: ExpressibleByNilLiteral {
    /// Makes an optional state.
    public init() {
        self.init(wrappedValue: nil)
    }
}

/// The property wrapper `@Binding`: access to a value that another view owns.
///
/// Source: <https://developer.apple.com/documentation/swiftui/binding>.
@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value> {
    private let read: () -> Value
    private let write: (Value) -> Void

    /// Makes a binding from what reads and writes a value.
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        read = get
        write = set
    }

    /// A value that cannot be changed.
    public static func constant(_ value: Value) -> Binding<Value> {
        Binding(get: { value }, set: { _ in })
    }

    /// The value.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    /// The binding itself, for `$value`.
    public var projectedValue: Binding<Value> { self }

    /// Access to a part of the value.
    public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> {
        Binding<Part>(
            get: { read()[keyPath: path] },
            set: { part in
                var value = read()
                value[keyPath: path] = part
                write(value)
            }
        )
    }
}

/// The property wrapper `@AppStorage`: a value in the user's defaults.
///
/// Source: <https://developer.apple.com/documentation/swiftui/appstorage>.
@propertyWrapper
public struct AppStorage<Value> {
    private let read: () -> Value
    private let write: (Value) -> Void

    private init(_ key: String, store: UserDefaults?, defaultValue: Value) {
        let store = store ?? .standard
        read = { store.object(forKey: key) as? Value ?? defaultValue }
        write = { store.set($0, forKey: key) }
    }

    /// Makes a value with a default.
    public init(wrappedValue: Value, _ key: String, store: UserDefaults? = nil) {
        self.init(key, store: store, defaultValue: wrappedValue)
    }

    /// Makes an optional value.
    public init(_ key: String, store: UserDefaults? = nil)
    where Value: ExpressibleByNilLiteral {
        self.init(key, store: store, defaultValue: nil)
    }

    /// The value.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set { write(newValue) }
    }

    /// Access to the value, for `$value`.
    public var projectedValue: Binding<Value> { Binding(get: read, set: write) }
}

/// The property wrapper `@ScaledMetric`: a number that grows with the text; here it does not.
@propertyWrapper
public struct ScaledMetric<Value: BinaryFloatingPoint> {
    /// The number.
    public let wrappedValue: Value

    /// Makes a number that grows with a style of text.
    public init(wrappedValue: Value, relativeTo style: Font.TextStyle = .body) {
        self.wrappedValue = wrappedValue
    }
}

/// The property wrapper `@Namespace`: an identity that views share.
@propertyWrapper
public struct Namespace: Sendable {
    /// The identity.
    public struct ID: Hashable, Sendable {}

    /// Makes a namespace.
    public init() {}

    /// The identity.
    public var wrappedValue: ID { ID() }
}
