public import Foundation

extension UserDefaults {
    /// Sets a value as key-value coding does it, which Linux does not have.
    public func setValue(_ value: Any?, forKey key: String) { set(value, forKey: key) }

    /// Reads a value as key-value coding does it, which Linux does not have.
    public func value(forKey key: String) -> Any? { object(forKey: key) }
}
