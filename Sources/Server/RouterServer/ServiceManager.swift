internal import Platform

/// The service manager that has started this process, if one has.
struct ServiceManager {
    /// Nil if there is no manager.
    var notifier: ServiceNotifier?
    /// Why notifying failed, as last logged.
    var failure: NotificationError?
}
