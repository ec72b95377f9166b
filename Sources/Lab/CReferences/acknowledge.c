// The upper bound for receiving frames: reads them, looks only at length and seq, acknowledges.
#include "frame.h"
#include "reference_server.h"
#include "server.h"

static size_t consume(struct connection *connection, const uint8_t *bytes, size_t size) {
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
    static const struct behaviour behaviour = {.consume = consume};
    return server_run(&behaviour);
}
