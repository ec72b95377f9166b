/// The id of the admin request being handled, which all log lines about it contain.
///
/// It is bound for the duration of a call, also outside of tasks, and does not follow work to
/// another thread: code that passes a request to another thread binds it there again.
///
///     RequestID.$current.withValue(id) { perform(request) }
package enum RequestID {
    /// The value of `X-Request-Id`; nil outside of a request.
    @TaskLocal package static var current: String?
}
