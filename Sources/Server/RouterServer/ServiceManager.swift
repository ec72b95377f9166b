internal import Platform

/// The service manager that has started this process, if one has.
struct ServiceManager {
    var notifier: ServiceNotifier?
    /// Why it could not be told, as was logged last.
    var failure: NotificationError?
}
