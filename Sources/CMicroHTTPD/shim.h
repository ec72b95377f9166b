// The system's libmicrohttpd, as AdminHTTP (its only Swift owner) sees it. What Swift cannot import
// (variadic functions) becomes a documented static inline function here.
#pragma once
#include <errno.h>
#include <microhttpd.h>

/// What a daemon is to keep to.
struct daemon_limits {
    unsigned int connections;
    /// Of a connection, for the request line, the headers and the answer's headers.
    size_t memory;
    /// Silence that ends a connection, in seconds.
    unsigned int timeout;
};

/// Binds, listens, and serves on a thread of its own (epoll, one thread for all connections).
/// Requests that break the rules of HTTP are refused.
///
/// Returns NULL, and the reason in errno, if that cannot be done.
static inline struct MHD_Daemon *start_daemon(const struct sockaddr *address,
                                              struct daemon_limits limits,
                                              MHD_AccessHandlerCallback answer,
                                              MHD_NotifyConnectionCallback notify,
                                              void *context) {
    unsigned int flags = MHD_USE_EPOLL_INTERNAL_THREAD;
    if (address->sa_family == AF_INET6) flags |= MHD_USE_IPv6;
    errno = 0;
    return MHD_start_daemon(flags, 0, NULL, NULL, answer, context,
                            MHD_OPTION_SOCK_ADDR, address,
                            MHD_OPTION_CONNECTION_LIMIT, limits.connections,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory,
                            MHD_OPTION_CONNECTION_TIMEOUT, limits.timeout,
                            MHD_OPTION_STRICT_FOR_CLIENT, 1,
                            MHD_OPTION_NOTIFY_CONNECTION, notify, context,
                            MHD_OPTION_END);
}

/// The port that is listened on.
static inline uint16_t daemon_port(struct MHD_Daemon *daemon) {
    return MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

/// The socket of a connection.
static inline int connection_socket(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}
