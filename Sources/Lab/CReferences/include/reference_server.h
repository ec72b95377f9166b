// References for the benchmarks: the same wire work as the router's, in C over the same libuv.
//
// Each function runs one server on 127.0.0.1 until standard input ends (its parent died or closed
// the pipe) or SIGTERM comes. Once bound it prints one line, "listening PORT\n", on standard
// output. It returns 0 or a libuv error code, among them UV_ENOTSUP if standard input is neither a
// pipe, a Unix socket nor a terminal.
//
// For the whole process, SIGPIPE is ignored from then on and the soft limit of open files is raised
// to the hard one: give each server a process of its own.
//
// All speak the router's frames: u32 length (12 + body), u8 type, u8 flags, u16 reserved, u64 seq,
// big-endian, then the body. A length under 12 or over 12 + 65,536 ends the connection. When a peer
// ends its side, it is sent what is still pending, then the server closes.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Makes the servers of this process speak TLS 1.3, with these PEM files; to be called before they
/// run. Tickets let clients resume sessions. `client_authorities` are those whose certificates
/// clients may prove themselves by, or NULL to ask for none. Returns 0, UV_ENOMEM, or UV_EINVAL
/// for unusable files, with the reason on standard error.
int reference_server_use_tls(const char *_Nonnull certificate,
                             const char *_Nonnull key,
                             const char *_Nullable client_authorities);

/// Reads frames of any type and acknowledges them: one cumulative ACK for each read.
int reference_server_acknowledge(void);

/// Forwards each PUSH as one RELOAD to the subscriber number `seq % subscribers`.
///
/// A connection's first frame is HELLO, its body starting with "S" (subscriber) or "P" (publisher);
/// the answer is a WELCOME without body. The RELOAD carries the push's seq. Publishers get one
/// cumulative ACK per tick of the loop. Without subscribers a push is acknowledged and dropped.
int reference_server_relay(void);

/// As `reference_server_relay`, but each PUSH is forwarded to every subscriber.
int reference_server_fanout(void);

/// No server: returns memory that this process has freed to the system, so that what is allocated
/// next shows in the resident set. Swift's Glibc leaves `malloc_trim` out.
void reference_server_free_memory(void);

/// The operations to measure; each array has `count` elements.
struct reference_timers_input {
    size_t count;
    /// The timeout of each timer, in ms.
    const uint32_t *_Nonnull timeouts;
    /// Every timer once: the order in which they are moved and cancelled.
    const uint32_t *_Nonnull order;
    /// The timeouts to which they are moved, in ms, in that order.
    const uint32_t *_Nonnull moves;
};

/// The CPU time of the thread, in ns, for all timers together.
struct reference_timers_result {
    /// uv_timer_init and uv_timer_start.
    int64_t insert;
    /// uv_timer_start of a timer that is running.
    int64_t move;
    /// uv_timer_stop.
    int64_t cancel;
    /// uv_run, when all are due; their callbacks only count.
    int64_t expire;
    /// The size of one uv_timer_t, in bytes.
    size_t bytes;
};

/// No server: measures libuv's own timers, in a loop of its own in this thread, for a second or
/// more. Returns 0 or a libuv error code.
int reference_timers(const struct reference_timers_input *_Nonnull input,
                     struct reference_timers_result *_Nonnull result);

#ifdef __cplusplus
}
#endif
