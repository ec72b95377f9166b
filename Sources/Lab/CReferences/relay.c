// The upper bound for forwarding: a fixed RELOAD for each PUSH, to one subscriber or to all. The
// upper bound for receiving frames: reads them, looks only at length and seq, acknowledges.
#include <string.h>

#include "frame.h"
#include "reference_server.h"
#include "server.h"

/// The body that the router sends for a push that matches one widget.
static const char reload_body[] =
    "{\"device\":\"d-000123\",\"kinds\":[\"com.mygame.character-detail\"],"
    "\"widgets\":[\"w-000123\"],\"cause\":\"push\"}";

enum {
    RELOAD_BODY_SIZE = sizeof reload_body - 1,
    RELOAD_SIZE = FRAME_HEADER_SIZE + RELOAD_BODY_SIZE,
};

// MARK: - Forwarding

static void write_reload(uint8_t *bytes, const struct frame *push) {
    frame_write_header(bytes, FRAME_RELOAD, push->seq, RELOAD_BODY_SIZE);
    memcpy(bytes + FRAME_HEADER_SIZE, reload_body, RELOAD_BODY_SIZE);
}

static void forward(struct server *server, const struct frame *push) {
    const struct roster *subscribers = &server->subscribers;
    if (subscribers->count == 0) return;
    if (server->behaviour->fans_out) {
        write_reload(buffer_extend(&server->broadcast, RELOAD_SIZE), push);
    } else {
        struct connection *subscriber = subscribers->members[push->seq % subscribers->count];
        write_reload(output_extend(subscriber, RELOAD_SIZE), push);
    }
}

/// Writes the same bytes to all subscribers from one buffer; only what a socket does not accept is
/// copied.
static void broadcast(struct server *server) {
    struct buffer *bytes = &server->broadcast;
    if (bytes->size == 0) return;
    // Downwards, because a broken connection is delisted meanwhile, and the last one moves to its
    // index.
    for (size_t index = server->subscribers.count; index-- > 0;) {
        output_send(server->subscribers.members[index], bytes->bytes, bytes->size);
    }
    bytes->size = 0;
}

// MARK: - Frames

/// Processes the first frame. Returns true if it was a HELLO that names a role.
static bool announce(struct connection *connection, const struct frame *hello) {
    if (hello->type != FRAME_HELLO || hello->body_size == 0) return false;
    switch (hello->body[0]) {
    case 'S':
        connection->role = ROLE_SUBSCRIBER;
        connection_enlist(connection);
        break;
    case 'P':
        connection->role = ROLE_PUBLISHER;
        break;
    default:
        return false;
    }
    frame_write_header(output_extend(connection, FRAME_HEADER_SIZE), FRAME_WELCOME, 0, 0);
    return true;
}

/// Processes a frame; returns false if it violates the protocol. Other types of frames are ignored.
static bool accept_frame(struct connection *connection, const struct frame *frame) {
    if (connection->role == ROLE_UNANNOUNCED) return announce(connection, frame);
    if (connection->role == ROLE_PUBLISHER && frame->type == FRAME_PUSH) {
        forward(connection->server, frame);
        connection->ack_seq = frame->seq;
        connection->ack_is_due = true;
    }
    return true;
}

static size_t consume(struct connection *connection, const uint8_t *bytes, size_t size) {
    size_t consumed = 0;
    struct frame frame;
    ptrdiff_t frame_size;
    while ((frame_size = frame_parse(bytes + consumed, size - consumed, &frame)) > 0) {
        if (!accept_frame(connection, &frame)) return CONSUME_BROKEN;
        consumed += (size_t)frame_size;
    }
    if (frame_size < 0) return CONSUME_BROKEN;
    // Marked after the pushes' subscribers, so that those are written first.
    if (connection->ack_is_due) output_mark_dirty(connection);
    return consumed;
}

// MARK: - Servers

static size_t acknowledge(struct connection *connection, const uint8_t *bytes, size_t size) {
    size_t consumed = 0;
    struct frame frame;
    ptrdiff_t frame_size;
    while ((frame_size = frame_parse(bytes + consumed, size - consumed, &frame)) > 0) {
        consumed += (size_t)frame_size;
        connection->ack_seq = frame.seq;
    }
    if (frame_size < 0) return CONSUME_BROKEN;
    if (consumed > 0) {
        connection->ack_is_due = true;
        output_flush(connection);  // nothing else can join it in this tick
    }
    return consumed;
}

int reference_server_acknowledge(void) {
    static const struct behaviour behaviour = {.consume = acknowledge};
    return server_run(&behaviour);
}

int reference_server_relay(void) {
    static const struct behaviour behaviour = {.consume = consume};
    return server_run(&behaviour);
}

int reference_server_fanout(void) {
    static const struct behaviour behaviour = {
        .consume = consume, .end_tick = broadcast, .fans_out = true};
    return server_run(&behaviour);
}
