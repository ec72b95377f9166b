// The loop that the reference servers share: starting and stopping.
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "reference_server.h"
#include "server.h"

enum {
    /// Thousands of benchmark connections are opened at once. The kernel lowers this to its own
    /// limit.
    LISTEN_BACKLOG = 16384,
};

void out_of_memory(void) {
    fputs("reference server: out of memory\n", stderr);
    abort();
}

// MARK: - Ticks

static void on_tick_end(uv_check_t *tick_end) {
    struct server *server = tick_end->data;
    if (server->behaviour->end_tick != NULL) server->behaviour->end_tick(server);
    output_flush_dirty(server);
}

// MARK: - Stopping

static void on_termination(uv_signal_t *termination, int number) {
    (void)number;
    uv_stop(termination->loop);
}

static void on_input_allocate(uv_handle_t *handle, size_t suggested, uv_buf_t *room) {
    (void)suggested;
    struct server *server = handle->data;
    *room = uv_buf_init((char *)server->slab, READ_SLAB_SIZE);
}

static void on_input(uv_stream_t *input, ssize_t count, const uv_buf_t *room) {
    (void)room;  // the content does not matter, only whether it has ended
    if (count < 0) uv_stop(input->loop);
}

// MARK: - Starting

static void on_connection(uv_stream_t *listener, int status) {
    // An error here concerns one connection, not the listener: libuv continues to listen.
    if (status == 0) connection_accept(listener->data);
}

static int start_watching_input(struct server *server) {
    int error;
    switch (uv_guess_handle(0)) {
    case UV_NAMED_PIPE:
        error = uv_pipe_init(&server->loop, &server->input.pipe, 0);
        if (error == 0) error = uv_pipe_open(&server->input.pipe, 0);
        break;
    case UV_TTY:
        error = uv_tty_init(&server->loop, &server->input.terminal, 0, 0);
        break;
    default:
        return UV_ENOTSUP;  // a file or /dev/null would end at once
    }
    if (error < 0) return error;
    server->input.stream.data = server;
    return uv_read_start(&server->input.stream, on_input_allocate, on_input);
}

static int start_watching_signals(struct server *server) {
    // A write to a peer that is gone must return an error instead of ending the process.
    signal(SIGPIPE, SIG_IGN);
    int error = uv_signal_init(&server->loop, &server->termination);
    if (error < 0) return error;
    return uv_signal_start(&server->termination, on_termination, SIGTERM);
}

static int start_turn_end(struct server *server) {
    int error = uv_check_init(&server->loop, &server->tick_end);
    if (error < 0) return error;
    server->tick_end.data = server;
    return uv_check_start(&server->tick_end, on_tick_end);
}

static int start_listening(struct server *server) {
    struct sockaddr_in address;
    int error = uv_ip4_addr("127.0.0.1", 0, &address);
    if (error == 0) error = uv_tcp_init(&server->loop, &server->listener);
    if (error < 0) return error;
    server->listener.data = server;
    error = uv_tcp_bind(&server->listener, (const struct sockaddr *)&address, 0);
    if (error < 0) return error;
    return uv_listen((uv_stream_t *)&server->listener, LISTEN_BACKLOG, on_connection);
}

static int announce_port(const struct server *server) {
    struct sockaddr_in address;
    int size = sizeof address;
    int error = uv_tcp_getsockname(&server->listener, (struct sockaddr *)&address, &size);
    if (error < 0) return error;
    printf("listening %d\n", ntohs(address.sin_port));
    return fflush(stdout) == 0 ? 0 : UV_EPIPE;
}

static void raise_open_file_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);  // as many connections as the system allows
}

static int start(struct server *server) {
    raise_open_file_limit();
    int error = start_watching_input(server);
    if (error == 0) error = start_watching_signals(server);
    if (error == 0) error = start_turn_end(server);
    if (error == 0) error = start_listening(server);
    if (error == 0) error = announce_port(server);
    return error;
}

// MARK: - Running

int server_run(const struct behaviour *behaviour) {
    // Nothing is freed at the end: the process ends with its server.
    static struct server server;
    static uint8_t slab[READ_SLAB_SIZE];
    server.behaviour = behaviour;
    server.slab = slab;
    server.tls = tls_shared();
    server.last_dirty_link = &server.first_dirty;
    int error = uv_loop_init(&server.loop);
    if (error == 0) error = start(&server);
    if (error == 0) uv_run(&server.loop, UV_RUN_DEFAULT);
    return error;
}

void reference_server_free_memory(void) { malloc_trim(0); }
