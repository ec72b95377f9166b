// The system's libmicrohttpd, as HTTPServing (its only Swift owner) sees it. What Swift cannot
// import (variadic functions, casts in macros) becomes a documented static inline function here.
#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

/// The limits of a daemon.
struct daemon_limits {
    unsigned int connections;
    /// The memory of a connection, in bytes, for the request line, the headers and the answer's
    /// headers.
    size_t memory;
    /// The silence that ends a connection, in seconds.
    unsigned int timeout;
};

/// The functions that a daemon calls, always from within `MHD_run` or `MHD_stop_daemon`.
struct daemon_callbacks {
    /// Part of a request has been read: its headers, bytes of its body, or its end.
    MHD_AccessHandlerCallback answer;
    /// A request is over, however it ended; its connection is still open.
    MHD_RequestCompletedCallback complete;
    /// A connection was accepted, or is about to be closed.
    MHD_NotifyConnectionCallback notify;
};

/// Leaves percent escapes in a text as they were sent. The Swift code decodes them after it has
/// split the path at its slashes, and handles zero bytes.
static inline size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/// Binds a socket and listens, or waits for `adopt_connection` if the address is NULL. Connections
/// are served by the thread that calls `MHD_run` (epoll, one thread for all of them). Requests that break the rules of HTTP are refused. Connections may
/// be suspended. The address :: includes those of IPv4.
///
/// Returns NULL, with the reason in errno, on failure.
static inline struct MHD_Daemon *start_daemon(const struct sockaddr *address,
                                              struct daemon_limits limits,
                                              struct daemon_callbacks callbacks,
                                              void *context) {
    unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME;
    if (address == NULL) {
        flags |= MHD_USE_NO_LISTEN_SOCKET;
    } else if (address->sa_family == AF_INET6) {
        const struct in6_addr *six = &((const struct sockaddr_in6 *)address)->sin6_addr;
        flags |= IN6_IS_ADDR_UNSPECIFIED(six) ? MHD_USE_DUAL_STACK : MHD_USE_IPv6;
    }
    errno = 0;
    return MHD_start_daemon(flags, 0, NULL, NULL, callbacks.answer, context,
                            MHD_OPTION_SOCK_ADDR, address,
                            MHD_OPTION_CONNECTION_LIMIT, limits.connections,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory,
                            MHD_OPTION_CONNECTION_TIMEOUT, limits.timeout,
                            MHD_OPTION_STRICT_FOR_CLIENT, 1,
                            MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
                            MHD_OPTION_NOTIFY_CONNECTION, callbacks.notify, context,
                            MHD_OPTION_NOTIFY_COMPLETED, callbacks.complete, context,
                            MHD_OPTION_END);
}

/// Serves a connection that was accepted elsewhere, and owns its socket from now on, whatever it
/// returns; to be called by the thread that calls `MHD_run`.
///
/// Returns false if the limit of connections is reached, or no memory is left.
static inline bool adopt_connection(struct MHD_Daemon *daemon, int socket, const void *address,
                                    size_t count) {
    struct sockaddr_storage copy = {0};
    if (count > sizeof copy) count = sizeof copy;
    memcpy(&copy, address, count);
    return MHD_add_connection(daemon, socket, (const struct sockaddr *)&copy, count) == MHD_YES;
}

/// Opens a descriptor that can be waited for together with a daemon, and that any thread can
/// signal; -1, with the reason in errno, on failure.
static inline int open_bell(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

/// Signals the bell, from any thread.
static inline void ring_bell(int bell) { eventfd_write(bell, 1); }

/// Clears the signal, so that the bell is not readable until it is rung again.
static inline void quiet_bell(int bell) {
    eventfd_t count;
    eventfd_read(bell, &count);
}

static inline void close_bell(int bell) { close(bell); }

/// Waits until a daemon has work or the bell has been rung; returns whether it has been rung.
static inline bool wait_for_daemon(struct MHD_Daemon *daemon, int bell) {
    MHD_UNSIGNED_LONG_LONG left;
    int timeout = -1;
    if (MHD_get_timeout(daemon, &left) == MHD_YES) timeout = left > INT_MAX ? INT_MAX : (int)left;
    struct pollfd awaited[2] = {
        {.fd = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, .events = POLLIN},
        {.fd = bell, .events = POLLIN},
    };
    // If interrupted, the caller runs the daemon once without need, which does no harm.
    return poll(awaited, 2, timeout) > 0 && awaited[1].revents != 0;
}

/// The port on which the daemon listens.
static inline uint16_t daemon_port(struct MHD_Daemon *daemon) {
    return MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

/// The socket of a connection.
static inline int connection_socket(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

/// The longest text of an address that `client_host` writes, with its zero byte.
enum { client_host_size = INET6_ADDRSTRLEN };

/// Writes the address of a connection's client as text, an IPv4 address as such; returns its port,
/// or 0 if it is not known.
static inline uint16_t client_host(struct MHD_Connection *connection, char *text) {
    const struct sockaddr *address =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
    text[0] = 0;
    if (address->sa_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)address;
        inet_ntop(AF_INET, &four->sin_addr, text, client_host_size);
        return ntohs(four->sin_port);
    }
    if (address->sa_family != AF_INET6) return 0;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
    if (IN6_IS_ADDR_V4MAPPED(&six->sin6_addr)) {
        inet_ntop(AF_INET, six->sin6_addr.s6_addr + 12, text, client_host_size);
    } else {
        inet_ntop(AF_INET6, &six->sin6_addr, text, client_host_size);
    }
    return ntohs(six->sin6_port);
}

/// The network of the peer, as the unit that one party controls: an IPv4 address, or the first half
/// of an IPv6 address. All zero if its address is unknown.
struct peer_network {
    unsigned int family;
    unsigned long long bits;
};

/// Returns the network of the peer of a connection.
static inline struct peer_network peer_network(struct MHD_Connection *connection) {
    struct peer_network found = {0, 0};
    const struct sockaddr *address =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr;
    if (address == NULL) return found;
    found.family = address->sa_family;
    if (address->sa_family == AF_INET) {
        found.bits = ((const struct sockaddr_in *)address)->sin_addr.s_addr;
    } else if (address->sa_family == AF_INET6) {
        const struct in6_addr *six = &((const struct sockaddr_in6 *)address)->sin6_addr;
        unsigned int last;
        memcpy(&last, six->s6_addr + 12, sizeof last);
        memcpy(&found.bits, six->s6_addr, sizeof found.bits);
        if (IN6_IS_ADDR_V4MAPPED(six)) {
            found.family = AF_INET;
            found.bits = last;
        }
    }
    return found;
}

/// Shuts a socket down in both directions; its user reads the end of the stream, and closes it.
static inline void end_socket(int socket) { shutdown(socket, SHUT_RDWR); }

/// The value that `callbacks.notify` stored for a connection when it was accepted.
static inline void *connection_context(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/// Sets the time limit on silence of a connection, in seconds.
static inline void limit_silence(struct MHD_Connection *connection, unsigned int seconds) {
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

/// Removes the time limit on silence of a connection.
static inline void allow_silence(struct MHD_Connection *connection) {
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
}

/// A response of unknown length; `read` is called for its bytes, up to `block` at a time.
static inline struct MHD_Response *endless_response(size_t block,
                                                    MHD_ContentReaderCallback read,
                                                    void *context) {
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, block, read, context, NULL);
}

/// The value that `read` returns at the end of the response.
static inline ssize_t end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }

/// The value that `read` returns to have the connection closed.
static inline ssize_t end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }
