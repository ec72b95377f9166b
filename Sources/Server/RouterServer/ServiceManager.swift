internal import Platform

/// The service manager that has started this process, if one has.
struct ServiceManager {
    /// Sends notifications to the manager; nil if there is none.
    var notifier: ServiceNotifier?
    /// Why notifying failed, as last logged.
    var failure: NotificationError?
}
