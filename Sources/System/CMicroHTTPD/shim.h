// The system's libmicrohttpd, as HTTPServing (its only Swift owner) sees it. What Swift cannot
// import (variadic functions, casts in macros) becomes a documented static inline function here.
#pragma once
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

/// What a daemon is to keep to.
struct daemon_limits {
    unsigned int connections;
    /// Of a connection, for the request line, the headers and the answer's headers.
    size_t memory;
    /// Silence that ends a connection, in seconds.
    unsigned int timeout;
};

/// Whom a daemon calls, always inside `MHD_run` and `MHD_stop_daemon`.
struct daemon_callbacks {
    /// The headers of a request, and all of it, have been read.
    MHD_AccessHandlerCallback answer;
    /// A request is over, however it ended; its connection is still open.
    MHD_RequestCompletedCallback complete;
    /// A connection was accepted, or is about to be closed.
    MHD_NotifyConnectionCallback notify;
};

/// Leaves a text as it was sent: its Swift owner decodes it when it has been cut at its slashes, and
/// knows of zero bytes.
static inline size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

/// Binds and listens; who serves is the thread that calls `MHD_run` (epoll, one thread for all
/// connections). Requests that break the rules of HTTP are refused. Connections may be suspended.
/// The address :: stands for those of IPv4, too.
///
/// Returns NULL, and the reason in errno, if that cannot be done.
static inline struct MHD_Daemon *start_daemon(const struct sockaddr *address,
                                              struct daemon_limits limits,
                                              struct daemon_callbacks callbacks,
                                              void *context) {
    unsigned int flags = MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME;
    if (address->sa_family == AF_INET6) {
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

/// Something that can be waited for beside a daemon, and rung by any thread; -1, and the reason in
/// errno, if the system gives none.
static inline int open_bell(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

static inline void ring_bell(int bell) { eventfd_write(bell, 1); }

/// The bell is not readable any more, until it is rung again.
static inline void quiet_bell(int bell) {
    eventfd_t count;
    eventfd_read(bell, &count);
}

static inline void close_bell(int bell) { close(bell); }

/// Waits until a daemon has something to do, or the bell is readable; returns whether that is so.
static inline bool wait_for_daemon(struct MHD_Daemon *daemon, int bell) {
    MHD_UNSIGNED_LONG_LONG left;
    int timeout = -1;
    if (MHD_get_timeout(daemon, &left) == MHD_YES) timeout = left > INT_MAX ? INT_MAX : (int)left;
    struct pollfd awaited[2] = {
        {.fd = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd, .events = POLLIN},
        {.fd = bell, .events = POLLIN},
    };
    // Interrupted, it looks once too often.
    return poll(awaited, 2, timeout) > 0 && awaited[1].revents != 0;
}

/// The port that is listened on.
static inline uint16_t daemon_port(struct MHD_Daemon *daemon) {
    return MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

/// The socket of a connection.
static inline int connection_socket(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

/// Who is at the other end, as far as one party has a whole network: an IPv4 address, or the first
/// half of an IPv6 address. All zero if the connection is gone.
struct peer_network {
    unsigned int family;
    unsigned long long bits;
};

static inline struct peer_network peer_network(int socket) {
    struct peer_network found = {0, 0};
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getpeername(socket, (struct sockaddr *)&address, &length) != 0) return found;
    found.family = address.ss_family;
    if (address.ss_family == AF_INET) {
        found.bits = ((const struct sockaddr_in *)&address)->sin_addr.s_addr;
    } else if (address.ss_family == AF_INET6) {
        const struct in6_addr *six = &((const struct sockaddr_in6 *)&address)->sin6_addr;
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

/// Ends a socket in both directions: whoever uses it reads its end, and closes it.
static inline void end_socket(int socket) { shutdown(socket, SHUT_RDWR); }

/// What `callbacks.notify` left for a connection when it was accepted.
static inline void *connection_context(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/// Lets a connection be silent for as long as it likes.
static inline void allow_silence(struct MHD_Connection *connection) {
    MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, 0u);
}

/// A response without an end that is known; `read` is asked for its bytes, `block` at a time.
static inline struct MHD_Response *endless_response(size_t block,
                                                    MHD_ContentReaderCallback read,
                                                    void *context) {
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, block, read, context, NULL);
}

/// What `read` returns when there will be no more.
static inline ssize_t end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }

/// What `read` returns to have the connection closed.
static inline ssize_t end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }
